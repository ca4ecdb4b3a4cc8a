"""Tests of tables and lists: changed rows, cells, columns and items (C8)."""

from __future__ import annotations

import time
from collections import Counter
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect import pages
from tests.detect.laws import assert_lawful
from webvigil.detect import rows as row_matching
from webvigil.detect.find import find
from webvigil.detect.tables import both_links
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

Rows = list[list[str]]


def page(body: str) -> PageDigest:
    return read(f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>".encode())


def table(header: list[str], rows: Rows) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def changes(
    before: str, after: str, identifier: str = "1", option: str = "", kind: str = "table"
) -> list[ObjectChange]:
    return list(assert_lawful(page(before), page(after), ChangeType(kind, (identifier,), option)))


def brief(objects: list[ObjectChange]) -> set[tuple[str, str, str | None, str | None]]:
    return {(str(one.status), one.object, one.before, one.after) for one in objects}


# --- an oracle: rows with a key as dictionaries --------------------------------------------------

KEYS = ["Apple", "Bicycle", "Cello", "Drum kit", "Engine", "Flute", "Globe", "Hammock"]
HEADERS = ["Name", "Price", "Stock", "Colour"]
values = st.sampled_from(["1", "2", "3"])


@st.composite
def two_stocks(draw: st.DrawFn) -> tuple[list[str], dict[str, list[str]], list[str], dict[str, list[str]]]:
    """Draws two versions of a table with a key column, which have at least half of the keys in common."""
    kept = draw(st.lists(st.sampled_from(KEYS[:5]), min_size=2, max_size=5, unique=True))
    gone = draw(st.lists(st.sampled_from(KEYS[5:7]), max_size=min(2, len(kept)), unique=True))
    come = draw(st.lists(st.sampled_from(KEYS[7:]), max_size=1, unique=True))
    columns = draw(st.lists(st.sampled_from(HEADERS[1:]), min_size=1, unique=True))
    columns_now = draw(st.lists(st.sampled_from(columns), min_size=1, unique=True))
    old = {
        key: draw(st.lists(values, min_size=len(columns), max_size=len(columns))) for key in [*kept, *gone]
    }
    new_order = draw(st.permutations([*kept, *come]))
    new = {
        key: draw(st.lists(values, min_size=len(columns_now), max_size=len(columns_now))) for key in new_order
    }
    return columns, old, columns_now, new


@settings(max_examples=80, deadline=None)
@given(two_stocks())
def test_rows_cells_and_columns_are_what_dictionaries_say(
    stocks: tuple[list[str], dict[str, list[str]], list[str], dict[str, list[str]]],
) -> None:
    columns, old, columns_now, new = stocks
    before = table(["Name", *columns], [[key, *row] for key, row in old.items()])
    after = table(["Name", *columns_now], [[key, *row] for key, row in new.items()])
    found = brief([one for one in changes(before, after) if one.status != Status.MOVED])
    expected: set[tuple[str, str, str | None, str | None]] = set()
    expected |= {("d", key, " | ".join([key, *row]), None) for key, row in old.items() if key not in new}
    expected |= {("i", key, None, " | ".join([key, *row])) for key, row in new.items() if key not in old}
    for place, name in enumerate(columns):
        if name not in columns_now:
            expected.add(("d", name, " | ".join(row[place] for row in old.values()), None))
            continue
        for key in old.keys() & new.keys():
            was, is_now = old[key][place], new[key][columns_now.index(name)]
            if was != is_now:
                expected.add(("u", f"{key} › {name}", was, is_now))
    assert found == expected


@settings(max_examples=60, deadline=None)
@given(st.permutations(KEYS))
def test_as_few_rows_as_possible_have_moved(order: list[str]) -> None:
    before, after = (table(["Name", "N"], [[key, "1"] for key in keys]) for keys in (KEYS, order))
    found = changes(before, after)
    assert {one.status for one in found} <= {Status.MOVED}
    assert len(found) == len(KEYS) - longest_increasing([KEYS.index(key) for key in order])


def longest_increasing(numbers: list[int]) -> int:
    best = [1] * len(numbers)
    for place, number in enumerate(numbers):
        best[place] = 1 + max((best[other] for other in range(place) if numbers[other] < number), default=0)
    return max(best)


@settings(max_examples=60, deadline=None)
@given(pages.versions(), st.sampled_from(["table", "list"]), st.sampled_from(["1", "2", "risk", "growth"]))
def test_the_laws_hold_on_any_page(both: tuple[PageDigest, PageDigest], kind: str, identifier: str) -> None:
    assert_lawful(*both, ChangeType(kind, (identifier,)))


# --- which table is meant ------------------------------------------------------------------------

PRICES = table(["Item", "Price"], [["Tea", "3"], ["Coffee", "4"], ["Juice", "5"]])
DEARER = table(["Item", "Price"], [["Tea", "3"], ["Coffee", "6"], ["Juice", "5"]])
HOURS = table(["Day", "Hours"], [["Monday", "9-5"], ["Tuesday", "9-5"], ["Sunday", "closed"]])
OTHER = table(["City", "Mayor"], [["Bern", "A"], ["Graz", "B"], ["Lyon", "C"]])
COFFEE = {("u", "Coffee › Price", "4", "6")}


@pytest.mark.parametrize(
    ("before", "after", "identifier", "option"),
    [
        (HOURS + PRICES, HOURS + DEARER, "2", ""),
        (HOURS + PRICES, HOURS + DEARER, "Juice", ""),
        (HOURS + PRICES, HOURS + DEARER, "price", ""),
        (HOURS + PRICES, OTHER + HOURS + DEARER, "2", ""),
        (PRICES + HOURS, HOURS + DEARER, "Tea", ""),
        (f"<div id=p>{PRICES}</div>", f"<p>new</p><div id=p>{DEARER}</div>", "#p table", "css"),
        (f"<div id=p>{PRICES}</div>", f"<div id=p><p>x</p>{DEARER}</div>", "#p", "css"),
        (f"<div id=p>{PRICES}</div>", f"<p>new</p><div id=p>{DEARER}</div>", "#p", ""),
        (f"<div class=p>{PRICES}</div>", f"<div class=p>{DEARER}</div>", "div.p table", ""),
        (f"{HOURS}<h2>Our prices</h2>{PRICES}", f"<h2>Our prices</h2>{DEARER}", "our prices", "caption"),
        (
            PRICES.replace("<thead>", "<caption>Drinks</caption><thead>"),
            DEARER.replace("<thead>", "<caption>Drinks</caption><thead>"),
            "Drinks",
            "caption",
        ),
    ],
)
def test_a_table_is_found_by_whatever_names_it(before: str, after: str, identifier: str, option: str) -> None:
    assert brief(changes(before, after, identifier, option)) == COFFEE


def test_the_text_that_named_a_table_may_change() -> None:
    after = PRICES.replace("Juice", "Juicy water")
    assert brief(changes(PRICES, after, "Juice")) == {
        ("d", "Juice", "Juice | 5", None),
        ("i", "Juicy water", None, "Juicy water | 5"),
    }


def test_a_table_that_vanished_is_told_apart_from_one_whose_surroundings_changed() -> None:
    words = "<p>Some words about it.</p>"
    assert changes(words + PRICES + HOURS, "<h1>All new</h1><p>Around it.</p>" + OTHER + PRICES, "Tea") == []
    [gone] = changes(words + HOURS + PRICES, words + HOURS, "Tea")
    assert (gone.status, gone.object, gone.where) == (Status.GONE, "table 2", ("/html/body/table[2]",))
    finding = find(page(words + HOURS + PRICES), page(words + HOURS), ChangeType("table", ("Tea",)))
    assert finding.note == "the table is gone"


def test_a_table_that_gave_its_number_to_another_one_has_vanished() -> None:
    assert brief(changes(OTHER + PRICES + HOURS, OTHER + HOURS, "2")) >= {
        ("d", "table 2", "Tea | 3\nCoffee | 4\nJuice | 5", None)
    }


def test_a_table_of_fresh_numbers_in_the_same_place_is_still_that_table() -> None:
    before = "<table><tr><td>10</td><td>11</td></tr><tr><td>12</td><td>13</td></tr></table>"
    after = before.replace("1", "2")
    assert all(one.status == Status.UPDATED for one in changes(before, after))
    assert len(changes(before, after)) == 4


TREES = "<table><tr><td>ash<td>beech<td>cedar<tr><td>elm<td>fir<td>oak</table>"
FISH = "<table><tr><td>asp<td>pike<td>trout<tr><td>carp<td>eel<td>cod</table>"
COLOURS = "<table><tr><td>red<td>blue</table>"


def test_a_table_of_fresh_words_beside_a_new_one_is_still_that_table() -> None:
    """No word tells which of the two new tables the old one became, so the pages are compared as trees."""
    found = changes(TREES, FISH + COLOURS)
    assert {one.status for one in found} == {Status.UPDATED}
    assert ("elm › column 2", "fir", "eel") in {(one.object, one.before, one.after) for one in found}


def test_on_pages_too_large_for_that_the_table_of_the_same_number_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webvigil.detect.carried._COMPARED", 0)
    beside = COLOURS.replace("red", "white").replace("blue", "black")
    found = changes(TREES + COLOURS, FISH.replace("asp", "ash") + beside)
    assert ("u", "ash › column 2", "beech", "pike") in brief(found)
    assert {one.status for one in changes(TREES, FISH + COLOURS)} == {Status.GONE, Status.NEW}


@pytest.mark.parametrize("identifier", ["1", "#p", "table#p"])
@pytest.mark.parametrize(
    "empty", ["<table id=p></table>", "<table id=p><tr><th>Item</th><th>Price</th></tr></table>"]
)
def test_rows_that_fill_an_empty_table_are_new(empty: str, identifier: str) -> None:
    filled = PRICES.replace("<table>", "<table id=p>")
    assert brief(changes(empty, filled, identifier)) == {
        ("i", "Tea", None, "Tea | 3"),
        ("i", "Coffee", None, "Coffee | 4"),
        ("i", "Juice", None, "Juice | 5"),
    }


def test_what_one_selector_names_is_one_table_whatever_became_of_it() -> None:
    wider = table(["City", "Mayor", "Since"], [["Bern", "A", "2020"], ["Graz", "B", "2021"]])
    before, after = (one.replace("<table>", "<table id=p>") for one in (PRICES, wider))
    assert not any(one.where == ("/html/body/table",) for one in changes(before, after, "#p", "css"))
    gone, come = changes(before, after, "1")
    assert (gone.status, come.status) == (Status.GONE, Status.NEW)
    assert gone.where == come.where == ("/html/body/table",)


def test_no_such_table_is_no_change() -> None:
    assert changes(PRICES, DEARER, "7") == []
    assert changes("<p>a", "<p>b", "Tea") == []


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(PatternRefused):
        changes(PRICES, DEARER, " ")
    with pytest.raises(PatternRefused):
        changes(PRICES, DEARER, "table[", "css")


# --- rows, columns, cells ------------------------------------------------------------------------


def test_a_new_column_is_one_change() -> None:
    after = table(["Item", "Size", "Price"], [["Tea", "S", "3"], ["Coffee", "M", "4"], ["Juice", "L", "5"]])
    assert brief(changes(PRICES, after)) == {("i", "Size", None, "S | M | L")}


def test_a_column_without_a_header_stands_where_its_first_cell_does() -> None:
    before = "<table><tr><td>a</td><td>1</td><td>x</td></tr><tr><td>b</td><td>2</td><td>y</td></tr></table>"
    after = before.replace("<td>x</td>", "").replace("<td>y</td>", "")
    finding = find(page(before), page(after), ChangeType("table", ("1",)))
    [gone] = finding.objects
    assert (gone.status, gone.object, gone.before) == (Status.GONE, "column 3", "x | y")
    assert gone.where == ("/html/body/table/tbody/tr[1]/td[3]",)
    assert finding.note == ""


def test_a_row_whose_name_is_written_in_capitals_now_is_that_row() -> None:
    assert brief(changes(PRICES, PRICES.replace("Coffee", "COFFEE"))) == {
        ("u", "Coffee › Item", "Coffee", "COFFEE")
    }


def test_a_renamed_header_is_an_update_of_the_header() -> None:
    after = table(["Item", "Cost"], [["Tea", "3"], ["Coffee", "4"], ["Juice", "5"]])
    assert brief(changes(PRICES, after)) == {("u", "Price", "Price", "Cost")}


def test_columns_that_changed_places_have_moved() -> None:
    after = table(["Price", "Item"], [["3", "Tea"], ["4", "Coffee"], ["5", "Juice"]])
    [moved] = changes(PRICES, after)
    assert moved.status == Status.MOVED
    assert {moved.before, moved.after} == {"column 1", "column 2"}


def test_rows_of_a_ranking_are_known_by_name_not_by_rank() -> None:
    names = ["Ada", "Bob", "Cleo", "Dan"]
    before = table(["#", "Name"], [[str(place), name] for place, name in enumerate(names, 1)])
    names = ["Bob", "Ada", "Cleo", "Dan"]
    after = table(["#", "Name"], [[str(place), name] for place, name in enumerate(names, 1)])
    found = changes(before, after)
    assert Counter(one.status for one in found) == {Status.MOVED: 1, Status.UPDATED: 2}
    assert {one.object for one in found if one.status == Status.UPDATED} == {"Ada › #", "Bob › #"}


def test_rows_of_a_timetable_are_known_by_their_times() -> None:
    times = table(["Time", "Course"], [["9:00", "Maths"], ["10:00", "Physics"], ["11:00", "Art"]])
    assert brief(changes(times, times.replace("Physics", "Chemistry"))) == {
        ("u", "10:00 › Course", "Physics", "Chemistry")
    }
    days = (
        "<table><tr><th>Day<th>Time<th>Course<tr><td rowspan=2>Mon<td>9:00<td>Maths"
        "<tr><td>10:00<td>Physics<tr><td>Tue<td>9:00<td>Art</table>"
    )
    assert brief(changes(days, days.replace("Physics", "Chemistry"))) == {
        ("u", "Mon 10:00 › Course", "Physics", "Chemistry")
    }


def test_a_ranking_turned_upside_down_has_moved_by_name() -> None:
    rows = [["1", "Ada"], ["2", "Bob"], ["3", "Cleo"]]
    found = changes(table(["#", "Name"], rows), table(["#", "Name"], rows[::-1]))
    assert {one.status for one in found} == {Status.MOVED}
    assert {one.object for one in found} < {"Ada", "Bob", "Cleo"}


def test_two_columns_together_may_be_the_key() -> None:
    before = table(
        ["Day", "Room", "Topic"], [["Mon", "A", "x"], ["Mon", "B", "y"], ["Tue", "A", "x"], ["Tue", "B", "z"]]
    )
    after = before.replace("<td>z</td>", "<td>new</td>")
    assert brief(changes(before, after)) == {("u", "Tue B › Topic", "z", "new")}


def test_a_cell_over_several_columns_is_told_once() -> None:
    before = "<table><tr><th>A<th>B<th>C</tr><tr><td>k<td colspan=2>wide</tr><tr><td>l<td>1<td>2</tr></table>"
    assert brief(changes(before, before.replace("wide", "broad"))) == {("u", "k › B", "wide", "broad")}


def test_rows_without_a_key_are_known_by_what_they_are_like() -> None:
    before = table(["A", "B"], [["x", "same words in here"], ["x", "two"], ["x", "two"], ["y", "two"]])
    after = table(["A", "B"], [["x", "same words in there"], ["x", "two"], ["x", "two"], ["y", "two"]])
    assert brief(changes(before, after)) == {("u", "x › B", "same words in here", "same words in there")}


def test_the_share_is_that_of_the_table_not_of_the_page() -> None:
    long_text = "<p>" + "much more than that is written around it " * 50
    old, new = page(long_text + PRICES), page(long_text + DEARER)
    finding = find(old, new, ChangeType("table", ("1",)))
    written = len("ItemPriceTea3Coffee4Juice5")
    assert finding.share == pytest.approx(2 / (2 * written))


# --- lists ---------------------------------------------------------------------------------------


def test_items_come_go_change_and_move() -> None:
    before = "<ul><li>Milk and honey<li>Bread<li>Cheese from the Alps<li>Wine</ul>"
    after = "<ul><li>Wine<li>Milk and honey<li>Cheese from the Jura<li>Olives</ul>"
    assert brief(changes(before, after, kind="list")) == {
        ("d", "Bread", "Bread", None),
        ("i", "Olives", None, "Olives"),
        ("u", "Cheese from the Alps", "Cheese from the Alps", "Cheese from the Jura"),
        ("m", "Wine", "item 4", "item 1"),
    }


def test_an_item_that_was_extended_is_updated() -> None:
    before = "<ol><li>Fees<li>Termination<li>Contact</ol>"
    assert brief(
        changes(before, before.replace("Termination", "Termination and suspension"), kind="list")
    ) == {("u", "Termination", "Termination", "Termination and suspension")}


def test_items_of_a_list_inside_an_item_belong_to_it() -> None:
    before = "<ul class=all><li>Fruit<ul><li>Apple</ul><li>Bread</ul>"
    after = before.replace("<li>Apple", "<li>Apple<li>Cherry")
    assert brief(changes(before, after, "ul.all", kind="list")) == {("i", "Cherry", None, "Cherry")}
    assert brief(changes(before, after, "Apple", kind="list")) == {("i", "Cherry", None, "Cherry")}
    assert changes(before, before.replace("Bread", "Cake"), "Apple", kind="list") == []


def test_a_definition_list_has_terms_and_descriptions() -> None:
    before = "<dl><dt>Open<dd>9<dt>Closed<dd>17<dt>Phone<dd>1</dl>"
    assert brief(changes(before, before.replace("17", "18"), kind="list")) == {
        ("u", "Closed › description", "17", "18")
    }


def test_several_descriptions_of_a_term_are_one_and_one_without_a_term_is_a_line() -> None:
    before = "<dl><dd>lone<dt>Open<dd>9<dd>14<dd>20<dt>Phone<dd>1</dl>"
    (one,) = changes(before, before.replace("20", "21"), kind="list")
    assert (one.object, one.before, one.after) == ("Open › description", "9 / 14 / 20", "9 / 14 / 21")
    assert one.where == ("/html/body/dl/dd[2]",)
    assert brief(changes(before, before.replace("lone", "other"), kind="list")) == {
        ("d", "lone", " | lone", None),
        ("i", "other", None, " | other"),
    }


@pytest.mark.parametrize("option", ["caption", ""])
def test_a_list_is_found_by_the_heading_before_it(option: str) -> None:
    before = "<ul><li>menu</ul><h2>To do</h2><ul><li>one<li>two</ul>"
    assert brief(changes(before, before.replace("two", "three"), "To do", option, "list")) == {
        ("d", "two", "two", None),
        ("i", "three", None, "three"),
    }


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("before", "after", "identifier"),
    [
        ("<table><tr><td>x</table>" * 10_000, "<table><tr><td>x</table>" * 9_999, "1"),
        (
            "".join(f"<table><tr><td>{number}<td>x</table>" for number in range(10_000)),
            "".join(f"<table><tr><td>{number}<td>y</table>" for number in range(1, 10_001)),
            "4900",
        ),
        (
            table(["K", "V"], [[f"key {number}", str(number % 7)] for number in range(20_000)]),
            table(["K", "V"], [[f"key {number}", str(number % 5)] for number in range(20_000)]),
            "1",
        ),
        (
            table(["K", "V"], [["same", str(number % 3)] for number in range(10_000)]),
            table(["K", "V"], [["same", str(number % 2)] for number in range(10_000)]),
            "1",
        ),
        ("<table><tr>" + "<td>1" * 20_000, "<table><tr>" + "<td>2" * 20_000, "1"),
        ("<table><tr><td>" * 2_000, "<table><tr><td>" * 2_000 + "x", "1"),
        ("<table>", "<table></table><table><tr>", "1"),
    ],
    ids=["many alike", "many", "long", "long without a key", "wide", "nested", "empty"],
)
def test_hostile_tables_are_compared_soon(before: str, after: str, identifier: str) -> None:
    old, new = page(before), page(after)
    started = time.process_time()
    find(old, new, ChangeType("table", (identifier,)))
    assert time.process_time() - started < 8


def test_a_name_tells_rows_apart_better_than_a_number_that_happens_to_be_unique():
    def page(rows: str) -> bytes:
        return f"<table><tr><th>Name<th>Price<th>Stock{rows}</table>".encode()

    old = page("<tr><td>Apple<td>1<td>1<tr><td>Bicycle<td>2<td>1<tr><td>Flute<td>3<td>1")
    new = page("<tr><td>Apple<td>2<td>1<tr><td>Bicycle<td>1<td>1<tr><td>Hammock<td>3<td>1")
    finding = find(read(old), read(new), ChangeType("table", ("1",)))
    told = {(str(one.status), one.object) for one in finding.objects}
    assert ("u", "Apple › Price") in told
    assert ("u", "Bicycle › Price") in told
    assert not any(name.endswith("› Name") for _, name in told)


def test_items_that_fill_an_empty_list_are_new() -> None:
    assert brief(changes("<ul></ul>", "<ul><li>one</ul>", "1", kind="list")) == {("i", "one", None, "one")}


@given(st.data())
def test_equal_rows_at_both_ends_change_nothing_in_how_rows_are_matched(data: st.DataObject):
    cell = st.sampled_from(["", "1", "2", "x", "y"])
    names = st.sampled_from(["", *"abcdefgh"])
    keyed = st.lists(st.tuples(names, cell, cell), max_size=9, unique_by=lambda row: row[0] or object())
    old, new = data.draw(keyed), data.draw(keyed)
    ends = data.draw(st.lists(st.tuples(st.sampled_from("ijklmn"), cell, cell), unique_by=lambda row: row[0]))
    middle = data.draw(st.integers(0, len(ends)))
    before, after = ([*ends[:middle], *rows, *ends[middle:]] for rows in (old, new))
    assert row_matching.match_rows(before, after, (0,)) == row_matching._matched(before, after, (0,))


def test_links_outside_of_cells_do_not_concern_a_table():
    old, new = (
        page(f"<a href=/{name}>x</a><table><tr><td>a<td>{cell}<tr><td>b<td>2</table>")
        for name, cell in (("one", "1"), ("two", "3"))
    )
    assert both_links(old, new, ChangeType("table", ("1",)), ("td", "th")) is None
    (one,) = find(old, new, ChangeType("table", ("1",))).objects
    assert (one.before, one.after) == ("1", "3")


def test_a_link_in_a_cell_counts_also_if_only_one_version_has_one():
    old, new = (page(f"<table><tr><td>a<td>{cell}</table>") for cell in ("b", "<a href=/x>b</a>"))
    for before, after in ((old, new), (new, old)):
        (one,) = find(before, after, ChangeType("table", ("1",))).objects
        assert one.status is Status.UPDATED


def test_of_lists_with_the_same_text_the_one_inside_is_meant_and_not_the_one_right_behind() -> None:
    lists = "<ul><li>Lamp<ul><li>Lamp<li>x<li>{}</ul></ul><ul><li>Lamp</ul>"
    old, new = (read(lists.format(last).encode(), "text/html") for last in "yz")
    found = find(old, new, ChangeType("list", ("Lamp",)))
    inner = "/html/body/ul[1]/li/ul/li[3]"
    assert [(one.before, one.after, one.where) for one in found.objects] == [
        ("y", None, (inner,)),
        (None, "z", (inner,)),
    ]
