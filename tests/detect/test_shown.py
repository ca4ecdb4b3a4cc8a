"""What a page shows of its product is read as its readers see it."""

from __future__ import annotations

import pytest

from webvigil.detect.shop.shown import price_places, shown, stock_places
from webvigil.document import PageDigest, read

LAMP = "<h1>Lamp</h1>"


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", "http://a.test/")


def told(text: str) -> str:
    """Returns the name, the price, the availability and the element with the price."""
    digest = page(text)
    found = shown(digest)
    price = f"{found.price.low}-{found.price.high} {found.price.currency}" if found.price else "-"
    place = digest.path(found.node) if found.node else "-"
    return f"{found.name}: {price}: {found.availability or '-'}: {place}"


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("<p><del>€ 9</del> € 5", "5-5 EUR: -: /html/body/p"),
        ("<p><span class=old>€ 9</span> € 5", "5-5 EUR: -: /html/body/p"),
        ("<p class=old-price>€ 9<p>€ 5<button>Go</button>", "5-5 EUR: -: /html/body"),
        ("<p><del>€ 9</del> <b><i>€</i> 5</b>", "5-5 EUR: -: /html/body/p/b"),
    ],
)
def test_beside_a_price_before_a_discount_the_one_of_today_counts(text: str, price: str):
    assert told(LAMP + text) == f"Lamp: {price}"


def test_a_price_before_a_discount_has_its_own_place():
    digest = page("<p><del>€ 9</del> € 5")
    found = {str(price): digest.path(node) for price, node in price_places(digest).items()}
    assert found == {"9": "/html/body/p/del", "5": "/html/body/p"}


BUY = "<button>Add to cart</button>"


@pytest.mark.parametrize(
    ("text", "product"),
    [
        (f"{LAMP}<p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"{LAMP}<p>from € 5 to € 7", "Lamp: 5-7 EUR: -: /html/body/p"),
        (f"<h1> </h1>{LAMP}<p>€ 5</p>{BUY}", "Lamp: 5-5 EUR: in stock: /html/body/p"),
        ("<h2>Lamp</h2><p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        ("<h1 hidden>X</h1><h2>Lamp</h2><p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"<p>€ 3{LAMP}<p>€ 5<h2>Other</h2><p>€ 7", "Lamp: 5-5 EUR: -: /html/body/p[2]"),
        (f"{LAMP}<h2>Sub</h2><p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"{LAMP}<p>Sold out<h2>Other</h2><p>€ 5", "Lamp: -: out of stock: /html/body/h1"),
        (f"{LAMP}<p>In stock<p>Sold out", "Lamp: -: out of stock: /html/body/h1"),
        (f"{LAMP}<p><i>€</i> <b>5</b>", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"{LAMP}<p>{'x' * 36} € 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"{LAMP}<p>{'x' * 37} € 5", "Lamp: -: -: /html/body/h1"),
        (f"{LAMP}<p>5 {'x' * 37}<p>€ 6", "Lamp: 6-6 EUR: -: /html/body/p[2]"),
        (f"{LAMP}<select><option>€ 3</select><p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p"),
        (f"{LAMP}<p><label>€ 3</label><p>€ 5", "Lamp: 5-5 EUR: -: /html/body/p[2]"),
        (f"{LAMP}<p>5<p>€ 6", "Lamp: 6-6 EUR: -: /html/body/p[2]"),
        (f"{LAMP}<p><i><b><u><s>x</s>5</u></b></i> €", "Lamp: -: -: /html/body/h1"),
        (f"<h1>{'y' * 201}</h1><p>€ 5", f"{'y' * 200}: 5-5 EUR: -: /html/body/p"),
        ("<p>€ 5", ": -: -: -"),
        ("<h3>Lamp</h3><p>€ 5", ": -: -: -"),
    ],
)
def test_name_price_and_availability_are_read_after_the_heading(text: str, product: str):
    assert told(text) == product


@pytest.mark.parametrize(
    ("line", "stock"),
    [
        (BUY, "in stock"),
        ("<a href=x>Add to basket</a>", "in stock"),
        ("<a href=x><b><i>Add to basket</i></b></a>", "in stock"),
        ("<a href=x><b><i><u>Add to basket</u></i></b></a>", "-"),
        ("<p>Add to cart", "-"),
        ("<input type=submit value='Buy now'>", "in stock"),
        ("<input type=image value='Buy now'>", "in stock"),
        ("<input value='Buy now'>", "-"),
        ("<input type=submit value='Sold out'>", "out of stock"),
        ("<input type=submit>", "-"),
        ("<button disabled>Add to cart</button>", "-"),
        ("<button aria-disabled=true>Add to cart</button>", "-"),
        ("<button aria-disabled=false>Add to cart</button>", "in stock"),
        ("<button disabled>Sold out</button>", "out of stock"),
        ("<button hidden>Add to cart</button>", "-"),
        ("<button class='x d-none'>Add to cart</button>", "-"),
        ("<button class=dd-none>Add to cart</button>", "in stock"),
        ("<button style='Display : none'>Add to cart</button>", "-"),
        ("<div style='visibility:hidden'><p>In stock</div>", "-"),
        (f"<p>In stock{'x'.rjust(52)}", "in stock"),
        (f"<p>In stock {'x' * 51}", "in stock"),
        (f"<p>In stock {'x' * 52}", "-"),
    ],
)
def test_a_line_or_a_button_says_whether_it_can_be_had(line: str, stock: str):
    assert told(LAMP + line) == f"Lamp: -: {stock}: /html/body/h1"


@pytest.mark.parametrize(("between", "price"), [(398, "5-5 EUR"), (399, "5-5 EUR"), (400, "-")])
def test_four_hundred_texts_are_read(between: int, price: str):
    assert told(LAMP + "<p>x" * between + "<p>€ 5").split(": ")[1] == price
    places = stock_places(page(LAMP + "<p>x" * (between - 1) + "<p>In stock"))
    assert len(places) == (price != "-")


@pytest.mark.parametrize(("empty", "name"), [(19, "Lamp"), (20, "")])
def test_the_first_twenty_headings_are_tried(empty: int, name: str):
    assert told("<h1> </h1>" * empty + LAMP).split(": ")[0] == name


def test_a_heading_that_holds_the_whole_page_is_none():
    inside = "<i>x</i>"
    assert told(f"<h1>{inside * 199}</h1>").startswith("xx")
    assert told(f"<h1>{inside * 200}</h1>") == ": -: -: -"


def test_places_are_the_first_after_the_heading():
    digest = page(f"<p>€ 5<p>In stock{LAMP}<p>€ 5<p>€ 6<p>€ 6<p>Auf Lager<p>Sold out<p>In stock")
    prices = {str(price): digest.path(node) for price, node in price_places(digest).items()}
    assert prices == {"5": "/html/body/p[3]", "6": "/html/body/p[4]"}
    stock = {said: digest.path(node) for said, node in stock_places(digest).items()}
    assert stock == {"in stock": "/html/body/p[6]", "out of stock": "/html/body/p[7]"}
    data = read(b'{"price": "5 EUR"}', "application/json", "u:")
    assert (price_places(data), stock_places(data), shown(data).name) == ({}, {}, "")
