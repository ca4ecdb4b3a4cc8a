"""A page offers what can be watched on it, in the order in which a person would look for it."""

from __future__ import annotations

import json

import pytest

from webvigil import diff
from webvigil.app.sentinels.offers import (
    LONGEST_VALUE,
    Offer,
    list_offer,
    on_page,
    product_of,
    short,
    table_offer,
)
from webvigil.document import read
from webvigil.document.lists import Lists
from webvigil.document.tables import tables

SHOP = """<!doctype html><title>Shop</title>
<link rel=alternate type="application/rss+xml" href=/feed title=News>
<nav><ul><li>a<li>b<li>c<li>d</ul></nav>
<main><h1>Shoes</h1><p>Fine shoes.</p>
<div id=best class=item><span class="price">12.50 €</span></div>
<div class=item><span class="price big">1 234,00 €</span></div>
<h2>Sizes</h2><table><caption>In stock</caption><tr><th>size<th>pairs<tr><td>42<td>3<tr><td>43<td>0</table>
<h2>Shops</h2><ul><li>Vienna<li>Graz<li>Linz</ul>
<table hidden><tr><td>x</table>
<a href=/more>more</a><img src=shoe.png></main>"""


def offers(html: str) -> list[tuple[str, str, str]]:
    page = on_page(read(html.encode(), "text/html", "https://shop.test/shoes"))
    return [(one.label, one.monitor, one.within) for one in page.offers]


def test_a_page_offers_what_is_on_it():
    assert offers(SHOP) == [
        ("The whole page", "any change", ""),
        ("Table “In stock” (2 rows)", "table: {1}", ""),
        ("List “Shops” (3 items)", "list: {2}", ""),
        ("Shoes", 'value css "#best > span.price"', ""),
        ("Shoes", 'value css "main > div.item > span.price.big"', ""),
        ("Links (1)", "all links", ""),
        ("Images (1)", "all images", ""),
        ("Whether it is up", "status", ""),
        ("The feed of this site", "any change", ""),
    ]
    page = on_page(read(SHOP.encode(), "text/html", "https://shop.test/shoes"))
    assert [one.now for one in page.offers if one.kind == "value"] == ["12.50 €", "1 234,00 €"]


def test_the_part_that_matters_is_offered_first_where_there_is_something_around_it():
    around = "<nav><ul><li><a href=/>Home</a><li><a href=/men>Men</a><li><a href=/kids>Kids</a></ul></nav>"
    text = "<p>" + "These shoes were made for walking through the mountains in any weather. " * 8
    found = offers(SHOP.replace("<main>", f"{around}<main>").replace("<p>Fine shoes.", text))
    assert found[0][1:] == ("any change", "main")
    assert found[1] == ("The whole page", "any change", "")


def test_every_offer_can_be_watched():
    for _, monitor, within in offers(SHOP):
        assert not diff(SHOP, SHOP, monitor, within=within or None).changed
        if monitor.startswith(("table", "list", "value")):
            changed = SHOP.replace("12.50", "13").replace("1 234", "1 235").replace("<td>3", "<td>9")
            changed = changed.replace("Graz", "Wels")
            assert diff(SHOP, changed, monitor).changed, monitor


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "text/html"),
        (b"plain", "text/plain"),
        (b'{"a": 1}', "application/json"),
        (b"<rss><channel/></rss>", "application/rss+xml"),
        (b"\x00\x01", "application/octet-stream"),
        (b"<table>" * 3000 + b"<ul>" * 3000, "text/html"),
    ],
)
def test_any_page_offers_at_least_itself(body: bytes, kind: str):
    assert on_page(read(body, kind, "https://x.test/")).offers[0].monitor == "any change"


LISTED = "<h1>Prices</h1><table><tr><th>Name<th>Price<th>Stock{}</table>"


def test_a_list_of_prices_is_no_product():
    rows = "".join(f"<tr><td>Lamp {n}<td>€ {n}.00<td>sold out" for n in (5, 6))
    page = read(LISTED.format(rows).encode(), "text/html", "https://x.test/")
    assert product_of(page) is None
    assert on_page(page).offers[0].kind == "prices"


def test_a_strange_class_does_not_break_a_selector():
    (value,) = [one for one in offers('<p><b class=\'a"]{}\' id="1 x">9 €</b>') if one[0].startswith("Value")]
    assert value[1] == 'value css "p > b"'


PRODUCT = """<script type="application/ld+json">{"@type": "Product", "name": "Polaris sofa", "offers":
{"price": 1299, "priceCurrency": "EUR", "availability": "InStock"}}</script><h1>Polaris sofa</h1>"""


def test_a_product_is_offered_first():
    (first, *_) = on_page(read(PRODUCT.encode(), "text/html", "https://shop.test/sofa")).offers
    assert (first.label, first.monitor, first.kind) == ("The product “Polaris sofa”", "product", "product")
    assert (first.sample, first.now) == ("€ 1,299.00, in stock", "€ 1,299.00")


def test_a_page_that_shows_a_price_and_a_button_is_that_of_a_product():
    shown = "<h1>Tea pot</h1><b>€ 15</b>{}"
    assert offers(shown.format("<button>Add to cart</button>"))[0][1] == "product"
    assert offers(shown.format(""))[0][1] != "product"
    assert offers("<h1>Tea pot</h1><p>sold out")[0][1] != "product"
    assert "2 min" not in str(offers("<h1>Egg</h1><p>2 min</p><b>4 kWh</b>"))


CARDS = "<h1>All products</h1>" + "".join(
    f"<div class=card><h2>{name}</h2><p class=price>€ {price}</p><button>Add to cart</button></div>"
    for name, price in (("Polaris sofa", "1,299.00"), ("Aurora lamp", "49.90"), ("Delta shelf", "219.00"))
)


def test_a_list_of_products_is_offered_with_all_its_prices_and_not_as_its_first_product():
    page = on_page(read(CARDS.encode(), "text/html", "https://shop.test/all"))
    first = page.offers[0]
    assert (first.label, first.kind, first.now) == ("All 3 prices", "prices", "3 prices")
    assert first.sample == "Polaris sofa € 1,299.00, Aurora lamp € 49.90, Delta shelf € 219.00"
    assert "product" not in {one.kind for one in page.offers}
    changed = diff(CARDS, CARDS.replace("49.90", "47.90"), first.monitor)
    assert [(one.label, one.after) for one in changed.findings[0].objects] == [("Aurora lamp", "€ 47.90")]


def test_the_old_price_beside_the_new_one_is_no_list_of_prices():
    shown = "<h1>Tea pot</h1><p><span class=price>€ 30</span> <span class=price>€ 25</span></p>"
    page = on_page(
        read(f"{shown}<button>Add to cart</button>".encode(), "text/html", "https://shop.test/pot")
    )
    assert "prices" not in {one.kind for one in page.offers}


def test_the_prices_of_a_column_are_offered_together_and_one_by_one():
    rows = "".join(
        f"<tr><td>{name}<td>€ {price}<td>sold out"
        for name, price in (("Lantern", "33.70"), ("Teapot", "28.20"), ("Rope", "18.50"))
    )
    html = f"<h1>Prices</h1><table><tr><th>Article<th>Price<th>In stock{rows}</table>"
    page = on_page(read(html.encode(), "text/html", "https://shop.test/prices"))
    prices, *values = [one for one in page.offers if one.kind in ("prices", "value", "product")]
    assert (prices.label, [one.label for one in values]) == (
        "All 3 prices",
        ["Lantern · Price", "Teapot · Price", "Rope · Price"],
    )
    changed = diff(html, html.replace("28.20", "27.00"), prices.monitor)
    assert [(one.label, one.after) for one in changed.findings[0].objects] == [("Teapot · Price", "€ 27.00")]


@pytest.mark.parametrize(
    "box",
    [
        "<p><b>€ 1,279.00</b> In stock</p>",
        "<p>From <b>€ 1,279.00</b> each</p>",
        "<div>Now <span><b>€ 1,279.00</b> in stock</span> today</div>",
    ],
)
def test_a_price_in_a_box_with_the_stock_is_offered_once(box: str):
    found = on_page(read(f"<h1>Polaris sofa</h1>{box}".encode(), "text/html", "https://x.test/")).offers
    assert [one.now for one in found if one.kind in ("value", "prices")] == ["€ 1,279.00"]


def test_a_price_that_shares_its_element_with_the_stock_is_offered():
    found = on_page(read(b"<h1>Sofa</h1><p>EUR 1,279.00 in stock</p>", "text/html", "https://x.test/")).offers
    assert [one.now for one in found if one.kind == "value"] == ["EUR 1,279.00 in stock"]


def test_one_row_and_one_item_are_told_as_one():
    body = b"<table><caption>Orders</caption><tr><th>No<th>State<tr><td>7<td>sent</table><ul><li>tea</ul>"
    page = read(body, "text/html", "")
    (table,) = tables(page)
    (found,) = Lists(page)
    offer = table_offer((), 1, table)
    assert (offer.label, offer.now) == ("Table “Orders” (1 row)", "1 row")
    offer = list_offer((), 1, found)
    assert (offer.label, offer.now) == ("List (1 item)", "1 entry")


DATA = b"""{"shop": {"open": true, "id": 4711}, "day": "2026-11-18", "products": [
 {"name": "Aurora lamp", "price": 49.9, "stock": {"Bonn": 3}},
 {"name": "Borealis desk", "price": "299.00", "stock": {"Bonn": 0}}]}"""
CATALOG = b"""<?xml version="1.0"?><catalog><item id="a"><name>Aurora lamp</name><price>49.90</price></item>
<item id="b"><name>Borealis desk</name><price>299.00</price></item><year>2026</year></catalog>"""


class TestDocuments:
    """The numbers of JSON and XML are offered by their names."""

    def test_the_numbers_of_a_list_are_offered_together_and_each(self):
        found = on_page(read(DATA, "application/json", "https://shop.test/data"))
        assert [(one.kind, one.label, one.monitor, one.now) for one in found.offers] == [
            ("prices", "All 2 prices", 'value json "$.products[*].price"', "2 prices"),
            ("document", "The whole document", "any change", "13 words"),
            ("value", "“Bonn” of all 2", 'value json "$.products[*].stock.Bonn"', "2 values"),
            ("value", "Aurora lamp · price", 'value json "$.products[0].price"', "49.9"),
            ("value", "Aurora lamp · stock · Bonn", 'value json "$.products[0].stock.Bonn"', "3"),
            ("value", "Borealis desk · price", 'value json "$.products[1].price"', "299.00"),
            ("value", "Borealis desk · stock · Bonn", 'value json "$.products[1].stock.Bonn"', "0"),
            ("status", "Whether it is up", "status", "up"),
        ]

    @pytest.mark.parametrize(("body", "kind"), [(DATA, "application/json"), (CATALOG, "text/xml")])
    def test_every_number_that_is_offered_is_found_when_it_changes(self, body: bytes, kind: str):
        other = body.replace(b"49.9", b"51.9").replace(b"299", b"288").replace(b'"Bonn": ', b'"Bonn": 1')
        other = other.replace(b"2026<", b"2027<")
        old, new = (read(one, kind, "https://shop.test/data") for one in (body, other))
        values = [one for one in on_page(old).offers if one.kind in ("value", "prices")]
        assert values
        for one in values:
            found = diff(old, new, one.monitor)
            assert found.changed, one.monitor
            labels = {told.label for told in found.findings[0].objects}
            assert len(labels) > 1 or labels == {one.label}, one.monitor

    def test_a_name_that_cannot_be_written_into_a_path_is_not_offered(self):
        odd = read(b'{"say \\"hi\\"": 3, "a:b": 4}', "application/json", "https://shop.test/data")
        assert [one.kind for one in on_page(odd).offers] == ["document", "status"]


@pytest.mark.parametrize(("digits", "is_offered"), [(LONGEST_VALUE, True), (LONGEST_VALUE + 1, False)])
def test_a_number_that_is_longer_than_a_value_is_not_offered(digits: int, is_offered: bool):
    page = on_page(read(f'{{"votes": {"1" * digits}}}'.encode(), "application/json", "https://shop.test/a"))
    assert [one.now for one in page.offers if one.kind == "value"] == ["1" * 40] * is_offered


def kinds_of(body: str, kind: str = "text/html") -> list[str]:
    return [one.kind for one in on_page(read(body.encode(), kind, "https://x.test/")).offers]


def test_an_offer_says_what_is_watched_and_what_is_there():
    page = on_page(read(SHOP.encode(), "text/html", "https://shop.test/shoes"))
    text = (
        "a b c d Shoes Fine shoes. 12.50 € 1 234,00 € Sizes In stock size pairs 42 3 43 0 Shops Vienna Graz "
        "Linz more"
    )
    assert (page.title, page.is_login) == ("Shop", False)
    assert page.offers == (
        Offer(label="The whole page", monitor="any change", sample=text, now="26 words", kind="page"),
        Offer(
            label="Table “In stock” (2 rows)",
            monitor="table: {1}",
            sample="size | pairs: 42 | 3",
            now="2 rows",
            kind="table",
        ),
        Offer(
            label="List “Shops” (3 items)",
            monitor="list: {2}",
            sample="Vienna · Graz · Linz",
            now="3 entries",
            kind="list",
        ),
        Offer(
            label="Shoes",
            monitor='value css "#best > span.price"',
            sample="Value 12.50 €",
            now="12.50 €",
            kind="value",
        ),
        Offer(
            label="Shoes",
            monitor='value css "main > div.item > span.price.big"',
            sample="Value 1 234,00 €",
            now="1 234,00 €",
            kind="value",
        ),
        Offer(
            label="Links (1)",
            monitor="all links",
            sample="https://shop.test/more",
            now="1 link",
            kind="links",
        ),
        Offer(
            label="Images (1)",
            monitor="all images",
            sample="https://shop.test/shoe.png",
            now="1 image",
            kind="images",
        ),
        Offer(
            label="Whether it is up",
            monitor="status",
            sample="Its status, where it leads to, its certificate; nothing of what it shows",
            now="up",
            kind="status",
        ),
        Offer(
            label="The feed of this site",
            monitor="any change",
            sample="News",
            url="https://shop.test/feed",
        ),
    )


CARD = "<div><h3>Tea {0}</h3><b>€ {0}</b></div>"


@pytest.mark.parametrize("number", [4, 5, 6])
@pytest.mark.parametrize(
    ("kind", "one"),
    [
        ("table", "<table><tr><td>{0}<td>b</table>"),
        ("list", "<ul><li>{0}<li>b<li>c</ul>"),
        ("value", "<h2>Tea {0}</h2><p id=p{0}>€ {0}</p>"),
        ("prices", "<section id=s{0}>" + CARD + CARD.replace("Tea", "Rum") + "</section>"),
    ],
)
def test_five_of_a_kind_are_offered(kind: str, one: str, number: int):
    body = "".join(one.format(n) for n in range(1, number + 1))
    assert kinds_of(body).count(kind) == min(number, 5)


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("<ul><li>a<li>b</ul>", 0),
        ("<ul><li>a<li>b<li>c</ul>", 1),
        ("<ul hidden><li>a<li>b<li>c</ul>", 0),
        ("<nav><div><ul><li>a<li>b<li>c</ul></div></nav>", 0),
        ("<footer><ul><li>a<li>b<li>c</ul></footer>", 0),
        ("<header><ul><li>a<li>b<li>c</ul></header>", 0),
        ("<aside><ul><li>a<li>b<li>c</ul></aside>", 0),
    ],
)
def test_a_list_of_three_that_is_no_menu_is_offered(body: str, number: int):
    assert kinds_of(body).count("list") == number


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("€ 3" + "0" * 37, True),
        ("€ 3" + "0" * 38, False),
        ("3 kg", False),
        ("300", False),
        ("", False),
        ("tea", False),
    ],
)
def test_amounts_of_money_of_up_to_forty_characters_are_values(text: str, *, is_offered: bool):
    assert ("value" in kinds_of(f"<p id=a>{text}</p>")) is is_offered
    assert "value" not in kinds_of(f"<p id=a hidden>{text}</p>")


def test_a_price_without_a_name_is_called_by_its_amount():
    (one,) = (
        one for one in on_page(read(b"<p id=a>3 EUR</p>", "text/html", "")).offers if one.kind == "value"
    )
    assert (one.label, one.sample) == ("Value 3 EUR", "Value 3 EUR")


@pytest.mark.parametrize(
    ("rest", "kind"),
    [("", "prices"), ("<div><b>sold</b></div>" * 2, "prices"), ("<div><b>sold</b></div>" * 3, "value")],
)
def test_prices_stand_together_where_half_of_what_is_found_are_prices(rest: str, kind: str):
    cards = "".join(f"<div><h3>Tea {one}</h3><b>€ {one}</b></div>" for one in (3, 4))
    found = [one for one in kinds_of(f"<section>{cards}{rest}</section>") if one in ("prices", "value")]
    assert found[0] == kind


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("type=application/rss+xml href=/a", "https://x.test/a"),
        ("type=APPLICATION/atom+xml href=/a", "https://x.test/a"),
        ("type=application/feed+json href=http://y.test/", "http://y.test/"),
        ("type=text/css href=/a", None),
        ("href=/a", None),
        ("type=application/rss+xml", None),
        ("type=application/rss+xml href=/a><link type=application/rss+xml href=/b", "https://x.test/a"),
    ],
)
def test_the_first_feed_is_offered(link: str, address: str | None):
    page = on_page(read(f"<link {link}><p>x".encode(), "text/html", "https://x.test/"))
    found = [one.url for one in page.offers if one.label == "The feed of this site"]
    assert found == [address] * (address is not None)


def test_links_and_pictures_are_counted_once():
    body = b"<a href=/b>x</a><a href=/a>y</a><a href=/b>z</a><img src=/d><img src=/c>"
    found = {one.kind: one for one in on_page(read(body, "text/html", "https://x.test/")).offers}
    assert (found["links"].label, found["links"].now, found["links"].sample) == (
        "Links (2)",
        "2 links",
        "https://x.test/a https://x.test/b",
    )
    assert (found["images"].label, found["images"].now, found["images"].sample) == (
        "Images (2)",
        "2 images",
        "https://x.test/c https://x.test/d",
    )


def test_a_table_is_named_by_its_caption_or_the_heading_above():
    body = "<h1>A</h1><h2>B</h2>{0}<h2>C</h2><table><tr><td>a<td><tr><td>b<td>c</table>"
    page = read(
        body.format("<table><caption>D</caption><tr><th>x<th><tr><td>1<td>2</table>").encode(),
        "text/html",
        "",
    )
    found = [(one.label, one.sample) for one in on_page(page).offers if one.kind == "table"]
    assert found == [("Table “D” (1 row)", "x: 1 | 2"), ("Table “C” (2 rows)", "a |")]
    page = read(b"<table><tr><td>a<td>b</table><h1>A</h1>", "text/html", "")
    assert [one.label for one in on_page(page).offers if one.kind == "table"] == ["Table (1 row)"]


def test_a_long_name_is_cut_to_sixty_characters():
    (offer,) = (
        one
        for one in on_page(read(f"<table><caption>{'x' * 61}<tr><td>a<td>b".encode(), "text/html", "")).offers
        if one.kind == "table"
    )
    assert offer.label == f"Table “{short('x' * 61, 60)}” (1 row)"
    assert (len(short("x" * 61, 60)), short("x" * 60, 60)) == (60, "x" * 60)
    assert (len(short("x" * 161)), short("x" * 160)) == (160, "x" * 160)


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ('{"a": 1}', "application/json", ["a"]),
        ('{"id": 1, "_id": 2, "UUID": 3, "guid": 4, "version": 5, "ids": 6}', "application/json", ["ids"]),
        ('{"a": "x", "b": true, "c": null, "d": ""}', "application/json", []),
        ('{"a": "3 kg", "b": "€ 3"}', "application/json", ["a", "b"]),
        ("<a><id>1</id><b>2</b></a>", "text/xml", ["b"]),
        ("1 2 3", "text/plain", []),
        ("<p>1</p>", "text/html", []),
    ],
)
def test_the_numbers_of_a_document_are_values(body: str, kind: str, expected: list[str]):
    page = on_page(read(body.encode(), kind, "https://x.test/"))
    found = [one.label.rpartition(" ")[2] for one in page.offers if one.kind == "value"]
    assert found == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], ["value"]),
        (["a", "b"], ["value", "value", "value"]),
        (["a", "a"], ["value", "value"]),
    ],
)
def test_numbers_of_several_items_stand_together_if_each_has_a_name(names: list[str], expected: list[str]):
    body = json.dumps([{"name": name, "count": number} for number, name in enumerate(names)])
    assert [one for one in kinds_of(body, "application/json") if one == "value"] == expected


@pytest.mark.parametrize(("number", "expected"), [(299, 299), (300, 300), (301, 300)])
def test_three_hundred_numbers_of_a_document_are_looked_at(number: int, expected: int):
    items = [{"name": f"n{one}", "price": one} for one in range(number)]
    page = on_page(read(json.dumps(items).encode(), "application/json", "https://x.test/"))
    assert page.offers[0].label == f"All {expected} prices"


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        (PRODUCT, True),
        (PRODUCT + PRODUCT.replace("Polaris", "Other"), False),
        (PRODUCT + CARDS, True),
        ("<h1>Tea</h1><b>€ 15</b><button>Add to cart</button>", True),
        ("<h1>Tea</h1><b>€ 15</b>", False),
        ("<h1>Tea</h1><button>Add to cart</button>", False),
        (CARDS, False),
        ("<p>text", False),
    ],
)
def test_one_product_is_the_product_of_its_page(body: str, *, is_one: bool):
    assert (product_of(read(body.encode(), "text/html", "https://x.test/")) is not None) is is_one


def test_a_main_part_is_offered_only_with_something_around_it():
    text = "<p>" + "These shoes were made for walking through the mountains in any weather. " * 8
    assert "main" not in kinds_of(f"<main><h1>Shoes</h1>{text}</main>")
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/men>Men</a></ul></nav>"
    assert "main" in kinds_of(f"{menu}<main><h1>Shoes</h1>{text}</main>")
    assert "main" not in kinds_of("")
