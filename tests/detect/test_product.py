"""What `product` reads of shops' pages, also of odd and hostile ones."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any

import pytest

from webvigil import diff
from webvigil.detect.headline import amounts, headline
from webvigil.detect.quantities import parse_value
from webvigil.detect.shop.availability import availability_in, availability_named, is_buying
from webvigil.detect.shop.money import Price, price_of
from webvigil.detect.shop.products import products, variants
from webvigil.document import read
from webvigil.document.masks import view
from webvigil.model.sentinel import Part


def page(data: Any, body: str = "<h1>Polaris sofa</h1>") -> str:
    written = data if isinstance(data, str) else json.dumps(data)
    return f'<title>Shop</title><script type="application/ld+json">{written}</script>{body}'


def offered(price: Any = "1299.00", stock: str = "InStock", **more: Any) -> dict[str, Any]:
    offer = {"@type": "Offer", "price": price, "priceCurrency": "EUR", "availability": stock, **more}
    return {"@type": "Product", "name": "Polaris sofa", "offers": offer}


OFFER = offered()["offers"]


def told(text: str) -> list[tuple[str, str, str]]:
    found = products(read(text.encode()))
    return [(one.name, str(one.price or ""), one.availability) for one in found]


@pytest.mark.parametrize(
    ("written", "currency", "low", "high", "unit"),
    [
        ("1.299,00 €", "", "1299.00", "1299.00", "EUR"),
        ("1,299.00", "USD", "1299.00", "1299.00", "USD"),
        ("1299", "EUR", "1299", "1299", "EUR"),
        ("1.299", "EUR", "1299", "1299", "EUR"),
        ("1.299", "USD", "1.299", "1.299", "USD"),
        ("12.990", "CLP", "12990", "12990", "CLP"),
        ("CHF 1'299.–", "", "1299", "1299", "CHF"),
        ("ab 12 €", "", "12", "12", "EUR"),
        ("From £12.50", "", "12.50", "12.50", "GBP"),
        ("10 – 20 €", "", "10", "20", "EUR"),
        ("€10-€20", "", "10", "20", "EUR"),
        ("£12.50 to £20", "", "12.50", "20", "GBP"),
        ("19,-", "EUR", "19", "19", "EUR"),
        (Decimal("12.5"), "eur", "12.5", "12.5", "EUR"),
        (7, "€", "7", "7", "EUR"),
    ],
)
def test_a_price_is_read_as_shops_write_it(written: Any, currency: str, low: str, high: str, unit: str):
    assert price_of(written, currency) == Price(Decimal(low), Decimal(high), unit)


@pytest.mark.parametrize("written", ["", "free", None, True, [1], "-5 €", "2 min", "9" * 50, Decimal("1e20")])
def test_what_is_no_price_is_none(written: Any):
    found = price_of(written)
    assert found is None or found.currency == ""
    assert written == "2 min" or found is None


@pytest.mark.parametrize("amount", ["1299", "0.5", "1.299", "12990", "1234567.891", "0", "12.50"])
@pytest.mark.parametrize("currency", ["EUR", "USD", "CHF", "JPY", "SEK", ""])
def test_a_written_price_is_read_back(amount: str, currency: str):
    price = Price(Decimal(amount), Decimal(amount), currency)
    assert parse_value(str(price)).number == Decimal(amount)


def test_availability_is_read_by_its_name_and_in_many_languages():
    assert availability_named("https://schema.org/InStock") == "in stock"
    assert availability_named("http://schema.org/out_of_stock/") == "out of stock"
    assert availability_named("schema:PreOrder") == "pre-order"
    assert availability_named("oos") == "out of stock"
    assert availability_named("Auf Lager") == "in stock"
    assert availability_named("https://schema.org/NewCondition") == ""
    for line in ("Derzeit nicht lieferbar", "Rupture de stock", "AGOTADO", "在庫切れ", "нет в наличии"):
        assert availability_in(line) == "out of stock", line
    for line in ("Sofort lieferbar", "en stock", "Only 3 left in stock", "В наличии", "有货"):
        assert availability_in(line) == "in stock", line
    assert availability_in("Unavailable") == "out of stock"
    assert availability_in("Pickup currently unavailable at Main Street") == ""
    assert availability_in("Nicht in der Filiale verfügbar") == ""
    assert availability_in("The stock exchange in London") == ""
    assert is_buying("In den Warenkorb")
    assert is_buying("カートに入れる")
    assert not is_buying("Read more")


@pytest.mark.parametrize(
    "data",
    [
        offered(),
        [{"@type": "WebSite"}, offered(1299)],
        {"@graph": [{"@type": "WebPage", "mainEntity": offered(1299.0)}]},
        {"@type": "http://schema.org/Product", "schema:name": "Polaris sofa", "offers": [OFFER]},
        {**offered(), "offers": {"@type": "AggregateOffer", "lowPrice": "1299", "priceCurrency": "EUR",
                                 "availability": "InStock"}},
        {**offered(), "isRelatedTo": offered(5), "review": {"itemReviewed": offered(6)}},
        [offered(), {**offered(), "offers": OFFER}],
        offered([{"@value": "1299.00"}]),
    ],
)  # fmt: skip
def test_one_product_in_many_forms(data: Any):
    assert told(page(data)) == [("Polaris sofa", "€ 1,299.00", "in stock")]


def test_the_price_that_a_buyer_pays_counts():
    before = {"@type": "UnitPriceSpecification", "priceType": "https://schema.org/ListPrice", "price": 1500}
    litre = {"price": 3, "referenceQuantity": {"value": 1, "unitCode": "LTR"}}
    now = {"@type": "UnitPriceSpecification", "price": "1299", "priceCurrency": "EUR"}
    data = {**offered(), "offers": {"priceSpecification": [before, litre, now], "availability": "InStock"}}
    assert told(page(data)) == [("Polaris sofa", "€ 1,299.00", "in stock")]
    assert told(page(offered("0.00", "OutOfStock"))) == [("Polaris sofa", "", "out of stock")]


def test_stock_may_be_told_as_a_number():
    data = {**offered(), "offers": {"price": 5, "inventoryLevel": {"@type": "QuantitativeValue", "value": 0}}}
    assert told(page(data)) == [("Polaris sofa", "5.00", "out of stock")]


def test_variants_in_one_graph_are_one_product():
    group = {
        "@id": "#g",
        "@type": "ProductGroup",
        "name": "Scarf",
        "hasVariant": [{"@id": "#a"}, {"@id": "#b"}],
    }
    variant = {"@type": "Product", "offers": {"price": 25, "priceCurrency": "GBP", "availability": "InStock"}}
    graph = [
        group,
        {**variant, "@id": "#a", "name": "Scarf grey"},
        {**variant, "@id": "#b", "name": "Scarf red"},
    ]
    text = page({"@graph": graph}, "<h1>Scarf</h1>")
    assert told(text) == [("Scarf", "£ 25.00", "in stock")]
    assert [one.name for one in variants(read(text.encode()))] == ["Scarf · grey", "Scarf · red"]
    alone = [{**variant, "name": f"Scarf {name}", "inProductGroupWithID": "s"} for name in ("grey", "red")]
    assert len(told(page(alone, "<h1>Scarves</h1>"))) == 1


def test_the_product_of_the_page_is_told_from_others():
    other = {**offered(5), "name": "Cushion"}
    assert told(page([other, offered()])) == [("Polaris sofa", "€ 1,299.00", "in stock")]
    assert len(told(page([other, offered()], "<h1>Everything</h1>"))) == 2


def test_what_data_leave_out_is_read_from_the_page():
    data = {"@type": "Product", "name": "Polaris sofa"}
    body = "<h1>Polaris sofa</h1><p>€ 1,299.00</p><button>Add to cart</button>"
    assert told(page(data, body)) == [("Polaris sofa", "€ 1,299.00", "in stock")]
    body = "<h1>Polaris sofa</h1><p>€ 1,299.00</p><p>Sold out</p><button disabled>Add to cart</button>"
    assert told(page(data, body)) == [("Polaris sofa", "€ 1,299.00", "out of stock")]
    unseen = '<p style="display:none">Sold out</p><select><option>M, sold out</select>'
    body = f"<h1>Polaris sofa</h1><b>€ 9</b>{unseen}"
    assert told(page(data, body)) == [("Polaris sofa", "€ 9.00", "")]


def test_a_part_is_read_by_itself():
    digest = read(page(offered(), "<h1>Polaris sofa</h1><div id=b><h2>Cup</h2><b>€ 5</b></div>").encode())
    (one,) = products(view(digest, (Part("css", "#b"),)))
    assert (one.name, str(one.price)) == ("Cup", "€ 5.00")


def test_data_that_cannot_be_read_are_left_out():
    for text in ('{"@type": "Product", "name": ', "[" * 100_000, "null", "{}", '{"@type": 5}', "x", ""):
        assert told(page(text)) == [], text[:30]
    odd = '[1, null, "Product", {"@type": "Product", "name": null, "offers": [[{"price": [5]}]]}]'
    assert told(page(odd, "<h1>News</h1>")) == []


def test_what_shops_do_to_their_data():
    comment = """
    // the product
    {"@type": "product", "name": "Tea &amp; cake", "offers": {"price": "5", "url": "https://a.test//b"}}
    """
    assert told(page(comment)) == [("Tea & cake", "5.00", "")]
    assert told(page({"offers": {"price": 5}})) == [("Polaris sofa", "5.00", "")]
    assert told(page({"@type": "Offer", "price": 5, "name": "cheap"})) == [("Polaris sofa", "5.00", "")]
    named = [offered(), {"@type": "Product", "name": "Seen before"}]
    assert told(page(named, "<h1>Shop</h1>")) == [("Polaris sofa", "€ 1,299.00", "in stock")]
    struck = """<h1>Cup</h1><div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Cup</b>
    <p itemprop=offers itemscope><b itemprop=price><del>20 EUR</del> <ins>15 EUR</ins></b></div>"""
    assert told(struck) == [("Cup", "€ 15.00", "")]


def _many(count: int, step: int) -> str:
    listed = [{**offered(number + step), "sku": str(number), "name": f"P{number}"} for number in range(count)]
    return page(listed, "<h1>All</h1>")


def _marked(count: int, step: int) -> str:
    thing = (
        '<div itemscope itemtype="http://schema.org/Product"><b itemprop=name>n{}</b>'
        "<p itemprop=offers itemscope itemtype=x><b itemprop=price>{}</b></p></div>"
    )
    return "<h1>All</h1>" + "".join(thing.format(number, number + step) for number in range(count))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("make", "most"),
    [
        (lambda step: _many(10_000, step), 1_000),
        (lambda step: _marked(10_000, step), 1_000),
        (lambda step: page({**offered(), "offers": [{"price": n + step} for n in range(10_000)]}), 1),
        (lambda step: page({**offered(step), "description": "y " * 500_000}), 1),
        (lambda step: page('{"@type":"Product","name":"x","offers":' * 900 + f"{step}" + "}" * 900), 0),
        (lambda step: page('{"a": "' + "\\" * 500_000 + f'{step}'), 0),
        (lambda step: "<h1>x" + "<p><b itemscope itemprop=offers>" * 5_000 + f"<b itemprop=price>{step}", 0),
        (lambda step: "<h1>x</h1>" + f"<p><b>€</b><i>{step + 1}</i></p>" * 30_000, 1),
        (lambda step: "<h1>x</h1>" + f'<p class="{"a-" * 20_000}old{step}">€ {step + 1}</p>', 1),
    ],
)  # fmt: skip
def test_hostile_pages_are_read_within_bounds(make: Any, most: int):
    old, new = read(make(0).encode()), read(make(1).encode())
    started = time.process_time()
    found = diff(old, new, "product").findings[0].objects
    assert len(found) <= max(most, 1)
    assert time.process_time() - started < 5


def test_facts_are_found_where_a_reader_sees_them():
    body = "<h1>Polaris sofa</h1><p>€ {}</p><p>{}</p>"
    old = page(offered(), body.format("1,299.00", "Auf Lager"))
    new = page(offered("1279", "SoldOut"), body.format("1.279", "Leider ausverkauft"))
    price, stock = diff(old, new, "product").findings[0].objects
    assert (price.where, stock.where) == (("/html/body/p[1]",), ("/html/body/p[2]",))


def test_a_headline_tells_the_product():
    old, new = page(offered()), page(offered("1279.00", "SoldOut"))
    said = headline(diff(old, new, "product").findings).replace("\u00a0", " ")
    assert said == (
        "Polaris sofa · Price: € 1,299.00 → € 1,279.00 (−1.5 %); Availability: in stock → sold out"
    )
    assert amounts(diff(old, new, "product").findings) == "1 price changed, 1 availability changed"
    gone = diff(old, "<h1>Polaris sofa</h1>", "product").findings
    assert headline(gone).replace("\u00a0", " ") == "Product gone: Polaris sofa (€ 1,299.00, in stock)"
    come = diff(_many(2, 1), _many(4, 1), "product").findings
    assert (
        headline(come).replace("\u00a0", " ")
        == "New product: P2 (€ 3.00, in stock), and 1 more product changed"
    )
    back = diff(page({**offered(), "offers": {"availability": "InStock"}}), old, "product").findings
    assert headline(back).replace("\u00a0", " ") == "Polaris sofa · Price: € 1,299.00"
