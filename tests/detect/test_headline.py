"""One sentence tells what happened."""

from __future__ import annotations

import pytest

from tests.detect.test_in_context import SHOP
from webvigil.detect.headline import amounts, headline
from webvigil.library import diff

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("was", "now", "headline"),
    [
        ("€ 1,299.00", "€ 1,279.00", f"Polaris sofa: €{NBSP}1,299.00 → €{NBSP}1,279.00 (−1.5{NBSP}%)"),
        ("€ 10.00", "€ 12.00", f"Aurora lamp · Price: €{NBSP}10.00 → €{NBSP}12.00 (+20{NBSP}%)"),
        ("at nine", "at ten", "Contact: nine → ten"),
        ("<b>5</b>", "<b>4</b>", f"Seats: 5 → 4 (−20{NBSP}%)"),
        (
            "</table>",
            "<tr><td>Delta shelf<td>€ 9</tr><tr><td>Echo chair<td>€ 99</tr></table>",
            "2 new rows in Prices: Delta shelf, Echo chair",
        ),
        ("<tr><td>Polaris lamp</td><td>€ 5.00</td></tr>", "", "Row gone from Prices: Polaris lamp"),
        ("<th>Price</th>", "<th>Price now</th>", "Prices: Price → Price now"),
        ("</ul>", "<li><h3>Echo table</h3><p>€ 3</p></li></ul>", "New item in Sofas: Echo table"),
        ("<li><h3>Delta shelf</h3><p>€ 30.00</p></li>", "", "Item gone from Sofas: Delta shelf"),
        (
            "Delta shelf</h3>",
            "Delta corner shelf</h3>",
            f"Sofas, “Delta corner shelf | €{NBSP}30.00”: new “corner”",
        ),
        ("</ul>", "<li>Chairs<ul><li>Echo</ul></ul>", "2 new items in Sofas: Chairs, Echo"),
        ("in the morning. ", "in the morning, too. ", "Contact: new “too”"),
        ("<dt>Phone</dt>", "<dt>Fax</dt><dd>13</dd><dt>Phone</dt>", "New item in Contact: Fax 13"),
        ("<dd>9-17</dd>", "<dd>9-18</dd>", "Opening hours: 9-17 → 9-18"),
    ],
)
def test_one_changed_object_is_told_with_both_sides(was: str, now: str, headline: str):
    assert diff(SHOP, SHOP.replace(was, now)).headline == headline


def test_a_label_on_the_line_is_told_once():
    old = "<h1>Shop</h1><p>Brands: <b>41</b></p>"
    assert diff(old, old.replace("41", "sold out")).headline == "Brands: 41 → sold out"


def test_words_within_an_item_are_no_item():
    old = "<h1>Visit</h1><ul><li>Open today<li>Parking behind the house</ul>"
    found = diff(old, old.replace("the house", "the big house"))
    assert found.headline == "Visit, “Parking behind the big house”: new “big”"
    found = diff(old, old.replace(" behind the house", ""))
    assert found.headline == "Visit, “Parking behind the house”: “behind the house” gone"


def test_new_links_are_counted_as_links():
    links = "".join(f'<a href="/{name}">{name}</a> ' for name in ("Chairs", "Tables", "Jobs"))
    new = SHOP.replace("</nav>", f" {links}</nav>")
    assert diff(SHOP, new, "all links").headline == "3 new links: Chairs, Tables, Jobs"


def test_of_more_links_than_a_sentence_holds_one_is_named():
    links = "".join(f'<a href="/{n}">Carpenter {n}</a> ' for n in range(5))
    found = diff("<h1>Jobs</h1><p>", f"<h1>Jobs</h1><p>{links}", "all links")
    assert found.headline == "5 new links, among them “Carpenter 0”"


def test_a_link_that_kept_its_text_leads_elsewhere():
    assert diff('<p><a href="/a">Jobs</a>', '<p><a href="/b">Jobs</a>', "all links").headline == (
        "Link leads elsewhere: Jobs"
    )


def test_a_text_that_went_and_came_elsewhere_has_moved():
    old = "<h1>News</h1><p>We are hiring today</p><p>A b c d</p><p>E f g h</p>"
    new = "<h1>News</h1><p>A b c d</p><p>E f g h</p><p>We are hiring today</p>"
    assert diff(old, new).headline == "News: “We are hiring today” moved"


def test_much_changed_text_is_told_as_an_amount_and_a_share():
    old = "<h1>Terms</h1>" + "".join(f"<p>same {n}</p><p>old{n}</p>" for n in range(40))
    new = old.replace("old", "new")
    assert diff(old, new).headline == f"The text changed in 40 passages, 33{NBSP}% of the text"
    assert "% of the text" not in diff(old, new, "keywords: {old1}").headline


def test_a_part_that_vanished_says_so():
    found = diff("<div id=a><p>One</div>", "<p>Two</p>", within="#a")
    assert found.headline.startswith("The watched part has vanished")


def test_what_else_changed_follows_as_amounts_of_known_things():
    new = SHOP.replace("1,299", "1,279").replace("</nav>", '<a href="/jobs">Jobs</a></nav>')
    assert diff(SHOP, new).headline.endswith("(−1.5\u00a0%); also 1 passage changed, 1 new link")


def test_pages_without_a_difference_say_so():
    assert diff(SHOP, SHOP).headline == "Nothing changed"


def test_the_numbers_of_a_state_are_no_quantities():
    pages = [
        f'<table><tr><td data-status="state">{state}</td><td data-status="status">{status}</td></table>'
        for state, status in (("down", "404 Not Found"), ("up", "200 OK"))
    ]
    (finding,) = diff(*pages, "status").findings
    assert headline([finding]) == "State: down → up; status: 404 Not Found → 200 OK"
    assert amounts([finding]) == "another state"
