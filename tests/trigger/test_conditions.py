"""Tests of `When` conditions: which findings are worth a notification (T1)."""

from __future__ import annotations

import pytest

from webvigil import diff
from webvigil.document import read
from webvigil.document.masks import view
from webvigil.language import parse, parse_expression
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import Part, WhenCondition, change_types
from webvigil.trigger.conditions import Case, measures_values, worth_telling

VALUE = parse_expression('value css "b"')


def condition(text: str) -> WhenCondition:
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/ When {text}")
    assert sentinel.when is not None
    return sentinel.when


def holds(text: str, old: str, new: str, monitor: str = "all words", start: str | None = None) -> bool:
    """Returns whether the condition holds. `start` is the page at the sentinel's last notification."""
    found = diff(old, new, monitor)
    since = diff(start, new, monitor).findings if start else found.findings
    pages = read(old.encode()), read(new.encode())
    changes = tuple(change_types(parse_expression(monitor)))
    earlier = (read(start.encode()), pages[1]) if start else pages
    case = Case(
        findings=found.findings,
        since=since,
        look=lambda: pages,
        changes=changes,
        look_since=lambda: earlier,
    )
    return worth_telling(condition(text), case)


def test_without_a_condition_every_change_is_worth_telling():
    assert worth_telling(None, Case(findings=(), since=(), look=lambda: (read(b""), read(b""))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("changed > 20%", True),  # two of eight words: a quarter
        ("changed >= 25%", True),
        ("changed > 25%", False),
        ("changed = 1", True),
        ("updated = 1", True),
        ("inserted > 0", False),
        ("updated > 20%", True),
        ("inserted > 0%", False),
        ("score >= 7", True),
        ("score > 1500", False),
    ],
)
def test_how_much_changed(text: str, expected: bool):
    assert holds(text, "<p>one two three four</p>", "<p>one two three fore</p>") is expected


def test_what_was_inserted_is_counted_as_often_as_it_came():
    old, new = "<a href=/a>x</a>", "<a href=/a>x</a><a href=/a>x</a><a href=/a>x</a><a href=/b>x</a>"
    assert holds("inserted = 3", old, new, "all links")
    assert holds("deleted = 3", new, old, "all links")


def test_several_findings_count_together_and_the_largest_share_counts():
    old, new = "<p>one two<a href=/a></a>", "<p>one too three<a href=/b></a>"
    assert holds("changed = 3", old, new, "all words OR all links")
    assert holds("changed = 100%", old, new, "all words OR all links")


def test_a_text_appears_and_disappears_as_whole_words_in_any_case():
    there, gone = "<p>Now Sold <b>OUT</b> again", "<p>Now unsold again"
    assert holds('appears "sold out"', gone, there)
    assert not holds('appears "sold out"', there, there + " and sold out")
    assert not holds('disappears "sold out"', gone, there)
    assert holds('disappears "sold out"', there, gone)
    assert not holds('appears "sold"', "<p>x", "<p>unsold")
    assert holds('appears "!?"', "<p>what", "<p>what!?")


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("value < 10", "EUR 12.00", "EUR 9.99", True),
        ("value < 10", "EUR 12.00", "EUR 10.00", False),
        ("value = 0.1", "0.2", "0.1", True),
        ("value != 5", "4", "5", False),
        ("value drops 10%", "100", "90", True),
        ("value drops 10%", "100", "91", False),
        ("value drops 10%", "90", "100", False),
        ("value drops 10", "100", "90", True),
        ("value rises 1%", "100", "101", True),
        ("value moves 10%", "100", "90", True),
        ("value moves 10%", "100", "110", True),
        ("value drops 1%", "EUR 100", "USD 50", False),
        ("value drops 1%", "a lot", "nothing", False),
        ("value < 10", "5", "", False),
        ("value drops 10%", "-100", "-120", True),
    ],
)
def test_conditions_compare_values(text: str, old: str, new: str, expected: bool):
    pages = [f"<span class=price>{one}</span>" for one in (old, new)]
    assert holds(text, *pages, 'value css ".price"') is expected


def test_a_value_is_measured_from_where_the_sentinel_last_told_of_it():
    at = "<b>{}</b>".format
    assert not holds("value drops 10%", at(92), at(89), 'value css "b"')
    assert holds("value drops 10%", at(92), at(89), 'value css "b"', start=at(100))


def test_while_one_value_changes_those_that_stay_do_not_count():
    at = "<b>{}</b><b>5</b>".format
    assert not holds("value < 10", at(20), at(15), 'value css "b"')
    assert holds("value < 10", at(20), at(9), 'value css "b"')


def test_of_a_sentinel_that_watches_no_value_the_texts_are_read():
    assert holds("value < 10", "<p>only 12 left", "<p>only 9 left", r"regular expression: {\d+}")


def test_conditions_are_joined():
    old, new = "<p>one two", "<p>one three"
    assert holds("updated = 1 AND NOT inserted > 0", old, new)
    assert not holds("inserted > 0 AND updated = 1", old, new)
    assert holds("inserted > 0 OR updated = 1", old, new)


def test_a_part_that_vanished_is_told_whatever_is_asked_for():
    case = Case(findings=(), since=(), look=lambda: (read(b""), read(b"")), vanished=True)
    assert worth_telling(condition("changed > 50%"), case)


def test_only_a_condition_on_moves_needs_an_earlier_value():
    assert measures_values(condition("changed > 5 OR NOT value drops 3%"))
    assert not measures_values(condition("value < 3"))
    assert not measures_values(None)


def test_an_expression_appears_and_disappears():
    gone, there = "<p>5 in stock", "<p>Sold <b>out</b> since 7 May"
    assert holds(r"appears /Sold out since \d/", gone, there)
    assert not holds(r"appears /sold out/", gone, there)
    assert holds(r"appears /sold out/i", gone, there)
    assert holds(r"disappears /\d+ in stock/", gone, there)
    assert not holds(r"appears /\d/", gone, there)
    assert holds(r'appears regex "^Sold"', gone, there)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ('contains "sold out"', "<p>Sold out", "<p>Sold out, again", True),
        ('contains "sold out"', "<p>Sold out", "<p>there", False),
        ('not contains "sold out"', "<p>Sold out", "<p>there", True),
        ("contains {sold out}", "<p>x", "<p>SOLD <b>out", True),
        ('contains "sold"', "<p>x", "<p>unsold", False),
        ("matches /only [0-9]+ left/i", "<p>x", "<p>Only 3 left", True),
        ("contains /only [0-9]+ left/", "<p>x", "<p>Only 3 left", False),
        ('becomes contains "sold out"', "<p>x", "<p>sold out", True),
        ('becomes contains "sold out"', "<p>sold out", "<p>sold out today", False),
        ('becomes not contains "sold out"', "<p>sold out", "<p>there", True),
        ('becomes (contains "a" AND contains "b")', "<p>a", "<p>a b", True),
        ('becomes (contains "a" OR contains "b")', "<p>a", "<p>a b", False),
        ('NOT becomes contains "b"', "<p>a", "<p>a b", False),
    ],
)
def test_what_is_there(text: str, old: str, new: str, expected: bool):
    assert holds(text, old, new) is expected


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("value between 5 and 9", "12", "9", True),
        ("value between 5 and 9", "7", "9.01", False),
        ("value between 0.1 and 0.3", "1", "0.3", True),
        ("becomes value < 10", "12", "9", True),
        ("becomes value < 10", "9", "8", False),
        ("becomes value between 5 and 9", "4", "5", True),
        ("becomes value between 5 and 9", "6", "5", False),
        ("becomes NOT value < 10", "9", "10", True),
    ],
)
def test_where_a_value_stands(text: str, old: str, new: str, expected: bool):
    pages = [f"<b class=price>{price}</b>" for price in (old, new)]
    assert holds(text, *pages, 'value css ".price"') is expected


def test_a_value_that_stays_counts_when_something_else_changes():
    pages = "<b>9</b><a href=/a>x</a>", "<b>9</b><a href=/b>x</a>"
    assert holds("value < 10", *pages, 'value css "b" OR all links')
    assert not holds("value < 9", *pages, 'value css "b" OR all links')
    assert not holds("becomes value < 10", *pages, 'value css "b" OR all links')


def shop(price: str = "100", stock: str = "InStock", more: str = "") -> str:
    offer = f'{{"price": "{price}", "priceCurrency": "EUR", "availability": "{stock}"}}'
    data = f'{{"@type": "Product", "name": "Sofa", "offers": {offer}}}'
    return f'<script type="application/ld+json">{data}</script><h1>Sofa</h1>{more}'


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("in stock", shop("100"), shop("90"), True),
        ("in stock", shop("100"), shop("90", "LimitedAvailability"), True),
        ("in stock", shop("100"), shop("90", "PreOrder"), False),
        ("out of stock", shop("100"), shop("90", "PreOrder"), False),
        ("out of stock", shop("100"), shop("90", "SoldOut"), True),
        ("becomes in stock", shop("100"), shop("90"), False),
        ("becomes in stock", shop("100", "OutOfStock"), shop("90"), True),
        ("becomes in stock", shop("100", "BackOrder"), shop("100"), True),
        ("becomes out of stock", shop(), shop("100", "SoldOut"), True),
        ("becomes NOT in stock", shop(), shop("100", "PreOrder"), True),
        ("becomes (in stock AND price < 95)", shop("100"), shop("90"), True),
        ("price < 95", shop("100"), shop("90"), True),
        ("price below 90", shop("100"), shop("90"), False),
        ("price between 80 and 90", shop("100"), shop("90"), True),
        ("price < 95", shop("90"), shop("90", "SoldOut"), True),
        ("becomes price < 95", shop("94"), shop("93"), False),
        ("becomes price < 95", shop("96"), shop("93"), True),
        ("price drops 5%", shop("100"), shop("96"), False),
        ("price drops 5%", shop("100"), shop("95"), True),
        ("price rises 5", shop("100"), shop("105.00"), True),
        ("price moves 5", shop("100"), shop("80"), True),
        ("price drops 5%", shop("100"), shop("50", "InStock").replace("EUR", "USD"), False),
        ("price < 95", "<h1>a</h1>", "<h1>b</h1>", False),
        ("in stock", "<h1>a</h1>", "<h1>b</h1>", False),
        ("out of stock", "<h1>a</h1>", "<h1>b</h1>", False),
    ],
)
def test_prices_and_stock(text: str, old: str, new: str, expected: bool):
    assert holds(text, old, new, "product") is expected
    assert holds(text, old, new, "any change") is expected


def test_a_price_is_measured_from_where_the_sentinel_last_told_of_it():
    assert not holds("price drops 10%", shop("94"), shop("90"), "product")
    assert holds("price drops 10%", shop("94"), shop("90"), "product", start=shop("100"))


def test_of_several_products_each_comes_into_stock_by_itself():
    def sizes(*stocks: str) -> str:
        offers = ", ".join(
            f'{{"name": "{n}", "price": 5, "availability": "{stock}"}}' for n, stock in enumerate(stocks)
        )
        data = f'{{"@type": "Product", "name": "Shoe", "offers": [{offers}]}}'
        return f'<script type="application/ld+json">{data}</script><h1>Shoe</h1>'

    old, new = sizes("InStock", "SoldOut"), sizes("InStock", "InStock")
    assert holds("becomes in stock", old, new, "product variants")
    assert not holds("becomes in stock", old, new, "product")
    assert not holds("becomes out of stock", old, new, "product variants")


def test_while_one_price_changes_those_that_stay_do_not_count():
    def sizes(*prices: int) -> str:
        offers = ", ".join(f'{{"name": "{n}", "price": {price}}}' for n, price in enumerate(prices))
        data = f'{{"@type": "Product", "name": "Shoe", "offers": [{offers}]}}'
        return f'<script type="application/ld+json">{data}</script><h1>Shoe</h1>'

    assert not holds("price < 10", sizes(5, 20), sizes(5, 15), "product variants")
    assert holds("price < 10", sizes(5, 20), sizes(5, 9), "product variants")


PART = "<p id=stock>{}</p><p id=other>sold out, 3 EUR</p><b class=price>{}</b>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('contains "sold out" in css "#stock"', False),
        ('contains "few left" in css "#stock"', True),
        ('NOT contains "sold out" in xpath "//p[1]"', True),
        ('matches /few\\s+\\w+/ in css "#stock"', True),
        ('contains "few left" in css "#nowhere"', False),
        ('becomes contains "few left" in css "#stock"', True),
        ('becomes NOT contains "many" in css "#stock"', True),
        ('appears "few" in css "#stock"', True),
        ('appears "few" in css "#other"', False),
        ('disappears "many" in css "#stock"', True),
        ('value < 19 in css ".price"', True),
        ('value < 3 in css ".price"', False),
        ('value between 17 and 18 in xpath "//b"', True),
        ('value drops 10% in css ".price"', True),
        ('value drops 11% in css ".price"', False),
        ('becomes value < 19 in css ".price"', True),
        ('becomes value < 25 in css ".price"', False),
        ('value = 3 in regex "(\\d+) EUR"', True),
        ('value < 19 in css "#nowhere"', False),
    ],
)
@pytest.mark.parametrize("monitor", ["any change", 'value css ".price"'])
def test_a_condition_may_be_about_a_part_of_the_page(text: str, expected: bool, monitor: str):
    old, new = PART.format("many left", "20 EUR"), PART.format("few left", "18 EUR")
    assert holds(text, old, new, monitor) is expected


def test_a_part_of_a_condition_is_looked_for_on_the_whole_page():
    old, new = (read(PART.format("x", price).encode()) for price in ("20", "18"))
    within = Part("css", ".price")
    case = Case(findings=(), since=(), look=lambda: (view(old, (within,)), view(new, (within,))))
    assert worth_telling(condition('contains "sold out" in css "#other"'), case)
    assert not worth_telling(condition('contains "sold out"'), case)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("value drops 10%", "1000", "900", True),
        ("value drops 10%", "1000", "901", False),
        ("value drops 0", "10", "9", True),
        ("value drops 0", "10", "10.0", False),
        ("value drops 0", "10", "10.5", False),
        ("value moves 0", "10", "10.0", False),
        ("value rises 0.5", "10", "10.5", True),
    ],
)
def test_a_value_moves_by_at_least_the_asked_amount_and_by_something(
    text: str, old: str, new: str, expected: bool
):
    assert holds(text, f"<b>{old}</b>", f"<b>{new}</b>", 'value css "b"') is expected


def test_of_a_value_that_stays_the_new_version_counts():
    pages = read(b"<b>9</b>"), read(b"<b>11</b>")
    case = Case(findings=(), since=(), look=lambda: pages, changes=tuple(change_types(VALUE)))
    assert worth_telling(condition("value > 10"), case)
    assert not worth_telling(condition("value < 10"), case)


def test_of_a_sentinel_that_watches_no_value_the_numbers_of_what_was_found_stand():
    old, new = "<p>only 12 left", "<p>only 9 left"
    assert holds("becomes value < 10", old, new, r"regular expression: {\d+}")
    assert not holds("becomes value < 13", old, new, r"regular expression: {\d+}")
    assert not holds("becomes value > 10", old, new, r"regular expression: {\d+}")


def test_a_mark_without_words_is_searched_as_characters():
    assert not holds('appears "!?"', "<p>what!?", "<p>well!?")
    assert not holds('contains "!?"', "<p>x", "<p>what")
    assert holds('contains "! ?"', "<p>x", "<p>what!  ?")


def test_an_object_whose_count_is_known_on_one_side_counts_once():
    objects = tuple(
        ObjectChange(f"/{old}{new}", Status.NEW, old=old, new=new)
        for old, new in ((None, 5), (5, None), (1, 4), (4, 1))
    )
    found = Finding(type="all links", objects=objects, score=1, share=1.0)
    case = Case(findings=(found,), since=(), look=lambda: pytest.fail("no page is needed"))
    assert worth_telling(condition("inserted = 8"), case)


def test_the_only_product_of_a_page_may_get_another_name():
    old = shop("100", "SoldOut").replace("Sofa", "Sofa, soon back")
    assert holds("becomes in stock", old, shop("100"), "product")
    assert not holds("becomes in stock", shop("100").replace("Sofa", "Couch"), shop("90"), "product")
