"""One sentence tells what happened."""

from __future__ import annotations

import time

import pytest

from tests.detect.test_in_context import SHOP
from webvigil.detect import gist
from webvigil.detect.gist import _facts
from webvigil.detect.headline import LONGEST, amounts, headline, titled, told_first
from webvigil.library import diff
from webvigil.model.change import Finding, ObjectChange, Status, Surrounding

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("was", "now", "headline"),
    [
        ("€ 1,299.00", "€ 1,279.00", f"Polaris sofa: €{NBSP}1,299.00 → €{NBSP}1,279.00 (−1.5{NBSP}%)"),
        ("€ 10.00", "€ 12.00", f"Aurora lamp · Price: €{NBSP}10.00 → €{NBSP}12.00 (+20{NBSP}%)"),
        ("at nine", "at ten", "Contact: We open at nine in the morning → We open at ten in the morning"),
        ("<b>5</b>", "<b>4</b>", "Seats: 5 left → 4 left"),
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
            "Sofas: new “corner” in “Delta corner shelf”",
        ),
        ("</ul>", "<li>Chairs<ul><li>Echo</ul></ul>", "2 new items in Sofas: Chairs, Echo"),
        ("in the morning. ", "in the morning, too. ", "Contact: new “too”"),
        ("<dt>Phone</dt>", "<dt>Fax</dt><dd>13</dd><dt>Phone</dt>", "New item in Contact: Fax 13"),
        ("<dd>9-17</dd>", "<dd>9-18</dd>", "Opening hours: 9-17 → 9-18"),
    ],
)
def test_one_changed_object_is_told_with_both_sides(was: str, now: str, headline: str):
    assert diff(SHOP, SHOP.replace(was, now)).headline == headline


@pytest.mark.parametrize(
    ("was", "now", "share"),
    [
        ("10 EUR", "9.50 EUR", f"−5{NBSP}%"),
        ("10", "5 EUR", f"−50{NBSP}%"),
        ("10 EUR", "5 USD", ""),
        ("10 kg", "9 m", ""),
        ("0 EUR", "5 EUR", ""),
        ("-3", "5", ""),
        ("5 %", "10 %", ""),
        ("20 °C", "30 °C", ""),
        ("10000", "10004", ""),
        ("10000", "10005", f"+0.1{NBSP}%"),
        ("1", "100", f"+9900{NBSP}%"),
        ("1", "101", ""),
        ("10 EUR", "10 or 12 EUR", ""),
    ],
)
def test_by_how_much_a_number_changed_is_told_where_that_says_something(was: str, now: str, share: str):
    assert gist._percent(was, now) == share


def test_a_label_on_the_line_is_told_once():
    old = "<h1>Shop</h1><p>Brands: <b>41</b></p>"
    assert diff(old, old.replace("41", "sold out")).headline == "Brands: 41 → sold out"


def test_a_value_that_was_asked_for_is_a_number_also_beside_words():
    old = "<p>Price <b>12</b>"
    assert diff(old, old.replace("12", "9"), 'value css "b"').headline == f"Price 12 → Price 9 (−25{NBSP}%)"
    assert diff("<p>Chapter <b>3</b>", "<p>Chapter <b>4</b>").headline == "Chapter 3 → Chapter 4"


def test_words_within_an_item_are_no_item():
    old = "<h1>Visit</h1><ul><li>Open today<li>Parking behind the house</ul>"
    found = diff(old, old.replace("the house", "the big house"))
    assert found.headline == "Visit: new “big” in “Parking behind the big house”"
    found = diff(old, old.replace(" behind the house", ""))
    assert found.headline == "Visit: “behind the house” gone from “Parking behind the house”"


def test_a_clause_that_ends_a_sentence_is_followed_by_the_rest_without_its_full_stop():
    old, new = (
        "<rss version='2.0'><channel><title>Town</title>"
        + "".join(
            f"<item><title>Day {n}: It opens at nine.</title><guid>{n}</guid></item>" for n in (at, at - 1)
        )
        + "</channel></rss>"
        for at in (3, 4)
    )
    said = diff(old, new, "any change", content_type="application/rss+xml").headline
    assert said == "New entry: Day 4: It opens at nine; also 1 entry gone"


def test_thousands_of_things_are_told_at_once():
    links = "".join(f'<a href="/{n}">Carpenter {n}</a> ' for n in range(5_000))
    findings = diff("<h1>Jobs</h1>", f"<h1>Jobs</h1>{links}", "all links").findings
    began = time.process_time()
    assert headline(findings) == "5,000 new links, among them “Carpenter 0”"
    assert time.process_time() - began < 2, "it took 20 s when all names were compared with each other"


def test_of_more_objects_than_are_told_one_by_one_all_are_counted():
    def links(of: int) -> str:
        return "".join(f'<a href="/{of}/{n}">Document {n}, edition {of}</a> ' for n in range(3_000))

    findings = diff(links(1), links(2), "all links").findings
    assert len(findings[0].objects) == 5_001
    assert headline(findings) == "3,000 new links, among them “Document 0, edition 2”; also 3,000 links gone"
    assert amounts(findings).startswith("3,000 links gone, 3,000 new links")


def test_links_that_only_end_alike_are_not_taken_for_the_same_link():
    def links(of: int) -> str:
        return "".join(f'<a href="/{of}/{n}"><img src="/{n}.png"></a>' for n in range(4))

    (finding,) = diff(links(1), links(2), "all links").findings
    assert headline([finding]) == "4 new links; also 4 links gone"


def prices(*texts: str) -> str:
    rows = "".join(f"<tr><td>Lamp {n}<td>{text}</tr>" for n, text in enumerate(texts))
    return f"<table><thead><tr><th>Product<th>Price</tr></thead>{rows}</table>"


@pytest.mark.parametrize("kind", ["any change", "table: {1}", 'value css "td:nth-of-type(2)"'])
def test_of_several_prices_the_one_that_moved_most_is_named(kind: str):
    old, new = prices("€ 100", "€ 100", "€ 100", "€ 5"), prices("€ 101", "€ 90", "€ 109", "€ 5")
    findings = diff(old, new, kind).findings
    assert (
        headline(findings)
        == f"Lamp 1 · Price: €{NBSP}100 → €{NBSP}90 (−10{NBSP}%), and 2 more prices changed"
    )
    assert [one.label for finding in told_first(findings) for one in finding.objects] == [
        "Lamp 1 · Price",
        "Lamp 0 · Price",
        "Lamp 2 · Price",
    ]


def test_a_price_with_thousands_or_cents_does_not_stand_before_one_that_moved_more():
    old, new = prices("€ 89", "€ 1,299", "€ 2.00"), prices("€ 45", "€ 1,298", "€ 2.01")
    told = headline(diff(old, new, "any change").findings)
    assert told.startswith(f"Lamp 0 · Price: €{NBSP}89 → €{NBSP}45")


def test_a_price_without_a_currency_is_named_before_a_count():
    old = '{"goods": [{"name": "Lamp", "price": 49.9, "stock": 10}]}'
    new = '{"goods": [{"name": "Lamp", "price": 47.9, "stock": 2}]}'
    found = diff(old, new, content_type="application/json")
    assert found.headline == f"Lamp · price: 49.9 → 47.9 (−4{NBSP}%), and 1 more value changed"


@pytest.mark.parametrize(
    ("kind", "body", "told"),
    [
        ('table caption "Next"', "<table><caption>Next<tr><td>Monday<td>Choir</table>", "Table gone: Next"),
        ("list: {1}", "<ul><li>Monday<li>Tuesday</ul>", "List gone: "),
    ],
)
def test_a_table_or_list_that_vanished_is_told_as_a_whole(kind: str, body: str, told: str):
    found = diff(f"<h1>Concerts</h1>{body}", "<h1>Concerts</h1><p>The season is over.", kind)
    assert found.headline.startswith(told)


def test_what_the_headline_does_not_name_by_its_move_stays_in_order():
    findings = diff("<p>a b c</p>", "<p>a b d</p><p>e</p>", "any change").findings
    assert told_first(findings) == tuple(findings)


def test_of_several_products_the_one_whose_price_moved_most_is_named():
    def fact(name: str, before: str, after: str) -> ObjectChange:
        label = f"{name} · Price"
        return ObjectChange("price", Status.UPDATED, before=before, after=after, label=label, section=name)

    objects = fact("Small", "€ 10", "€ 11"), fact("Large", "€ 20", "€ 10")
    assert headline([Finding(type="product", objects=objects)]) == (
        f"Large · Price: €{NBSP}20 → €{NBSP}10 (−50{NBSP}%), and 1 more product changed"
    )


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
    # The text of the new link is the passage.
    assert diff(SHOP, new).headline.endswith("(−1.5\u00a0%); also 1 passage changed")


def test_pages_without_a_difference_say_so():
    assert diff(SHOP, SHOP).headline == "Nothing changed"


SOFA = "<title>Shop</title><h1>Polaris sofa</h1><p><b>{}</b> <i>{}</i></p>"


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (
            ("€ 1,279.00", "In stock"),
            ("€ 1,249.00", "Sold out"),
            "€ 1,279.00 → € 1,249.00 (−2.3 %); In stock → Sold out",
        ),
        (("€ 1,249.00", "Sold out"), ("€ 1,249.00", "Only 2 left"), "Sold out → Only 2 left"),
        (("Now $349", "$399"), ("Now $299", "$399"), "$349 → $299 (−14.3 %)"),
        (("683 TND", "per night"), ("669 TND", "per night"), "683 TND → 669 TND (−2 %)"),
        (("Vendu", "12,50 €"), ("Disponible", "11,50 €"), "12,50 € → 11,50 € (−8 %); Vendu → Disponible"),
    ],
)
def test_a_price_and_the_stock_beside_it_are_two_facts(was: tuple[str, str], now: tuple[str, str], told: str):
    found = diff(SOFA.format(*was), SOFA.format(*now)).headline.replace(NBSP, " ")
    assert found == f"Polaris sofa: {told}"


@pytest.mark.parametrize(
    ("before", "after", "facts"),
    [
        ("€ 20", "€ 21", [("€ 20", "€ 21")]),
        ("€ 20", "€ 21 Sold out", [("€ 20", "€ 21"), ("", "Sold out")]),
        ("€ 20 New", "€ 21", [("€ 20", "€ 21"), ("New", "")]),
        ("€ 20 Sold out", "€ 20 sold out", [("€ 20 Sold out", "€ 20 sold out")]),
        ("Sold out", "€ 20 New", [("Sold out", "€ 20 New")]),
    ],
)
def test_a_fact_on_one_side_alone_is_a_fact(before: str, after: str, facts: list[tuple[str, str]]):
    assert _facts(before, after) == facts


def test_words_that_only_markup_keeps_apart_are_apart():
    old = "<h1>Aurora lamp</h1><p><b>€ 57.90</b><i>In stock</i></p>"
    new = old.replace("57.90", "58.90").replace("In stock", "Sold out")
    said = diff(old, new).headline.replace(NBSP, " ")
    assert said == "Aurora lamp: € 57.90 → € 58.90 (+1.7 %); In stock → Sold out"


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (
            "Lectures: 0 places left of 10",
            "Lectures: 3 places left of 10",
            "0 places left of 10 → 3 places left of 10",
        ),
        ("Closed until 31 Mai", "Closed until 15 Juni", "Closed until 31 Mai → Closed until 15 Juni"),
        ("Meet in room B 102", "Meet in room B 103", "Meet in room B 102 → Meet in room B 103"),
        ("It was 7 °C", "It was 11 °C", "It was 7 °C → It was 11 °C"),
        (
            "Dr. Brandt comes on Monday",
            "Dr. Brandt comes on Friday",
            "Dr. Brandt comes on Monday → Dr. Brandt comes on Friday",
        ),
        ("Rain, 4.6 of 5 stars, 12 views", "Rain, 4.6 of 5 stars, 15 views", "12 views → 15 views"),
    ],
)
def test_a_number_in_a_sentence_is_told_with_its_words_and_without_a_share(was: str, now: str, told: str):
    page = "<h1>Courses</h1><p>{}</p>"
    said = diff(page.format(was), page.format(now)).headline.replace(NBSP, " ")
    assert said.removeprefix("Lectures: ").removeprefix("Courses: ") == told


def test_of_a_long_clause_the_words_beside_are_told():
    old = f"<h1>Terms</h1><p>You must be at least sixteen years old and {'willing ' * 12}to pay.</p>"
    said = diff(old, old.replace("sixteen", "eighteen")).headline
    assert said == "Terms: …at least sixteen years old… → …at least eighteen years old…"


def test_a_number_is_not_found_within_another_number():
    old = "<h1>Courses</h1><ul><li>Logic, Thursday 10 to 12, room B, 0 places left<li>Sets, Monday</ul>"
    found = diff(old, old.replace(", 0 places", ", 3 places"))
    assert found.headline == "Courses: 0 places left → 3 places left"


def test_a_name_that_says_the_value_ends_before_it():
    one = ObjectChange(
        object="605",
        status=Status.UPDATED,
        before="605",
        after="628",
        where=("/html/body/p[1]",),
        label="Tunis to Lyon from 628 TND",
        section="Flights",
        surrounding=Surrounding("605 TND", "628 TND", ((0, 3),), ((0, 3),)),
    )
    said = headline([Finding(type="any change", objects=(one,))])
    assert said.replace(NBSP, " ") == "Tunis to Lyon from: 605 TND → 628 TND (+3.8 %)"


RSS = "<rss><channel><title>Shore</title>{}</channel></rss>"
ITEM = "<item><title>{0}</title><link>http://a.test/{0}</link><description>About {0}</description></item>"


def test_an_entry_of_a_feed_is_told_as_one():
    old = RSS.format(ITEM.format("Tides") + ITEM.format("Kelp"))
    new = RSS.format(ITEM.format("Crabs") + ITEM.format("Tides"))
    assert diff(old, new).headline == "New entry: Crabs; also 1 entry gone"
    quotes = '{"quotes": [{"name": "Copper", "price": 5}%s]}'
    more = diff(quotes % "", quotes % ', {"name": "Lead", "price": 2, "unit": "t"}')
    assert more.headline == "New entry: Lead"


def test_new_members_of_an_entry_that_was_there_are_no_new_entry():
    quotes = '{"quotes": [{"name": "Copper", "price": 5}, {"name": "Lead", "price": 2%s}]}'
    assert "entry" not in diff(quotes % "", quotes % ', "unit": "t", "lot": 25').headline


def test_a_story_that_has_its_own_heading_is_told_by_it():
    story = "<article><p>Town</p><h2>{}</h2><p>Nobody had expected {} so early.</p></article>"
    old = "<h1>News</h1>" + story.format("Port strike ends", "peace")
    said = diff(old, old + story.format("Beavers find a map", "maps")).headline
    assert said == "New passage: Beavers find a map"


def test_a_column_is_told_by_its_heading():
    old = "<table><caption>Prices</caption><tr><th>Lamp<th>Price<tr><td>A<td>5<tr><td>B<td>6</table>"
    new = old.replace("<tr><td>A<td>5<tr><td>B<td>6", "<th>Stock<tr><td>A<td>5<td>1<tr><td>B<td>6<td>0")
    assert diff(old, new).headline == "New column in Prices: Stock"


def test_what_changed_in_the_text_is_told_before_the_frame():
    page = "<title>Town</title><nav><p>{}</p></nav><h1>Town</h1><p>{}</p>"
    said = diff(page.format("Old menu", "Open today"), page.format("Menu", "Closed")).headline
    assert said.startswith("Town: Open today → Closed")


def test_a_headline_is_cut_behind_a_word_and_stays_handy():
    stories = "".join(
        f"<p>Story {n}: {'extraordinarily long words about the harbour ' * 3}</p>" for n in range(4)
    )
    links = "".join(f'<a href="/{n}"><img src="/{n}.png" alt=""></a>' for n in range(9))
    said = diff("<h1>News</h1>", f"<h1>News</h1>{stories}<nav>{links}</nav>").headline
    assert len(said) <= 120
    assert "words about the…;" in said


def test_a_text_from_right_to_left_does_not_turn_its_neighbours():
    old = "<table><tr><th>الصنف<th>السعر<tr><td>مصباح<td>127 ر.س</table>"
    said = diff(old, old.replace("127", "128")).headline.replace(NBSP, " ")
    assert said == "\u2068مصباح · السعر\u2069: \u2068127 ر.س\u2069 → \u2068128 ر.س\u2069 (+0.8 %)"


def test_a_section_is_named_beside_things_of_which_the_second_is_called_as_it_is():
    new = [
        ObjectChange(name, Status.NEW, after=name, where=("/html/body/ul/li",), section="Prices")
        for name in ("Lamps", "Prices")
    ]
    assert headline([Finding(type="list", objects=tuple(new))]) == "2 new items in Prices: Lamps, Prices"


def test_names_with_commas_are_told_apart():
    old = "<h1>Courses</h1><ul><li>Ethics</ul>"
    new = old.replace("</ul>", "<li>Logic, Monday<li>Sets, Friday</ul>")
    assert diff(old, new).headline == "2 new items in Courses: “Logic, Monday”, “Sets, Friday”"


def test_the_numbers_of_a_state_are_no_quantities():
    pages = [
        f'<table><tr><td data-status="state">{state}</td><td data-status="status">{status}</td></table>'
        for state, status in (("down", "404 Not Found"), ("up", "200 OK"))
    ]
    (finding,) = diff(*pages, "status").findings
    assert headline([finding]) == "State: down → up; status: 404 Not Found → 200 OK"
    assert amounts([finding]) == "another state"


CHEAPER = f"Polaris sofa: €{NBSP}1,299.00 → €{NBSP}1,279.00"


@pytest.mark.parametrize(
    ("said", "title", "expected"),
    [
        (CHEAPER, "Polaris sofa – The lamp shop", CHEAPER),
        (CHEAPER, "polaris sofa", CHEAPER),
        (CHEAPER, "Polar", f"{CHEAPER} · Polar"),
        ("Polarx: new", "Polar", "Polarx: new · Polar"),
        ("xPolar: new", "Polar", "xPolar: new · Polar"),
        ("A xPolar: new", "Polar", "A xPolar: new · Polar"),
        ("A big xPolar: new", "Polar", "A big xPolar: new · Polar"),
        (CHEAPER, "Prices today", f"{CHEAPER} · Prices today"),
        ("2 new rows in Prices: Delta shelf", "Prices", "2 new rows in Prices: Delta shelf"),
        ("2 new rows in Prices: Delta", "Prices – Shop", "2 new rows in Prices: Delta · Prices – Shop"),
        ("New link: x", "", "New link: x"),
        ("New link: x", " | ", "New link: x"),
        ("New link: x", "الأسعار", "New link: x · \u2068الأسعار\u2069"),
    ],
)
def test_a_subject_names_the_page_unless_the_headline_begins_with_it(said: str, title: str, expected: str):
    assert titled(said, title) == expected


@pytest.mark.parametrize("many", [3, 150, 160, 5000])
def test_a_subject_with_a_title_stays_short(many: int):
    made = titled("word " * (many // 5), "A title that goes on and on " * 9)
    assert len(made) <= LONGEST
    assert made.endswith("…")
    assert " · A title that goes on" in made


def test_long_texts_that_begin_and_end_alike_are_told_from_the_words_beside_their_difference():
    before = "The library of the old town opens on Mondays at nine for everybody who lives here"
    one = ObjectChange(object=before, status="u", before=before, after=before.replace("opens", "closes"))
    assert gist.steps(one) == [("…old town opens on Mondays…", "…old town closes on Mondays…", "")]


@pytest.mark.parametrize(
    ("title", "monitor", "headline", "amount"),
    [
        ("Harbour", "exact change", "Harbour: the bytes of the page differ", "the bytes of the page differ"),
        ("", "exact change", "The bytes of the page differ", "the bytes of the page differ"),
        (
            "Harbour",
            "exact change OR all links",
            "Link leads elsewhere: x; also the bytes of the page differ",
            "the bytes of the page differ, 1 link leads elsewhere",
        ),
    ],
)
def test_hashes_are_not_told_to_people(title: str, monitor: str, headline: str, amount: str):
    was, now = (f"<title>{title}</title><p>Tide <a href={to}>x</a>" for to in ("/a", "/b"))
    found = diff(was, now, monitor)
    assert (found.headline, amounts(found.findings)) == (headline, amount)
