"""`any change` tells rows and items where words stand in tables and lists."""

from __future__ import annotations

import pytest

from tests.detect.test_in_context import SHOP, objects
from webvigil.model.change import Status


def told(old: str, new: str) -> list[tuple[str, str, str | None, str | None]]:
    return [(one.object, str(one.status), one.before, one.after) for one in objects(old, new)]


def test_new_rows_are_told_as_rows():
    rows = "<tr><td>Delta shelf</td><td>€ 9</td></tr><tr><td>Echo chair</td><td>€ 99</td></tr>"
    assert told(SHOP, SHOP.replace("</table>", f"{rows}</table>")) == [
        ("Delta shelf", "i", None, "Delta shelf | € 9"),
        ("Echo chair", "i", None, "Echo chair | € 99"),
    ]


def test_a_changed_cell_is_told_by_its_row_and_column():
    assert told(SHOP, SHOP.replace("€ 10.00", "€ 12.00")) == [
        ("Aurora lamp › Price", "u", "€ 10.00", "€ 12.00")
    ]


def test_a_row_that_moved_and_changed_leaves_no_loose_words():
    row = "<tr><td>Aurora lamp</td><td>€ 10.00</td></tr>"
    new = SHOP.replace(row, "").replace("</table>", row.replace("10", "11") + "</table>")
    assert told(SHOP, new) == [
        ("Aurora lamp", "m", "row 1", "row 2"),
        ("Aurora lamp › Price", "u", "€ 10.00", "€ 11.00"),
    ]


def test_items_of_a_list_come_and_go_as_items():
    new = SHOP.replace("<li><h3>Delta shelf</h3><p>€ 30.00</p></li>", "")
    (one,) = objects(SHOP, new)
    assert (one.object, one.status, one.label) == ("Delta shelf € 30.00", Status.GONE, "Delta shelf")


def test_the_one_text_that_changed_in_an_item_stays_a_text():
    assert told(SHOP, SHOP.replace("1,299.00", "1,279.00")) == [("1,299.00", "u", "1,299.00", "1,279.00")]


def test_several_texts_that_changed_in_one_item_are_one_change():
    first = "A carpenter wanted in Rome until Monday"
    old = f"<h1>Jobs</h1><ul><li>{first}</li><li>A cook</li><li>A nurse</li></ul>"
    new = old.replace("carpenter", "plumber").replace("Monday", "Friday")
    (one,) = objects(old, new)
    assert (one.before, one.after) == (
        "A carpenter wanted in Rome until Monday",
        "A plumber wanted in Rome until Friday",
    )


def test_a_table_that_only_lays_out_the_page_is_told_in_words():
    text = "Some long text of a page that stands in a cell of a table that only lays out this page. " * 3
    old = f"<table><tr><td>{text}</td><td>{text} one</td></tr></table>"
    assert told(old, old.replace("one<", "two<")) == [("one", "u", "one", "two")]


def test_tables_with_nothing_in_common_are_told_in_words():
    old = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    new = "<table><tr><td>q</td><td>r</td></tr><tr><td>s</td><td>t</td></tr></table>"
    assert [one.object for one in objects(old, new)] == ["a b c d"]


BLURBS = ["Everything you wanted to know.", "Small, tidy and complete.", "A favourite of the night shift."]


def _links(items: list[tuple[str, str]]) -> str:
    return (
        "<title>t</title><ul>"
        + "".join(f"<li><a>{name}</a><p>{blurb}</p>" for name, blurb in items)
        + "</ul>"
    )


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("come", range(6))
def test_an_item_that_went_and_one_that_came_are_told_wherever_they_stand(place: int, come: int):
    """Items have sentences in common, so words are aligned across items; the items tell the truth."""
    names = [
        "Honest clocks of the harbour",
        "Handmade lanterns",
        "Forgotten maps",
        "Quiet shops",
        "Winter boats",
    ]
    old = [(name, BLURBS[number % 3]) for number, name in enumerate([*names, "Early cellars"])]
    new = [item for item in old if item != old[place]]
    new.insert(min(come, 5), ("Little photographs of doors", BLURBS[1]))
    items = {(str(one.status), one.object) for one in objects(_links(old), _links(new))}
    if place == come:  # it may be called an update of the item in its place
        assert items
        return
    assert items == {("d", " ".join(old[place])), ("i", f"Little photographs of doors {BLURBS[1]}")}


def test_an_item_that_another_one_replaced_is_told_with_all_its_words():
    """Both items have a word in common, so other words are told as updates of each other."""
    shift, weather = "A favourite of the night shift.", "Updated whenever the weather allows."
    around = [("Winter boats under canvas", weather), ("Secret birds of the breakwater", weather)]
    old, new = ("Honest clocks of the harbour", weather), ("Little photographs of doors", shift)
    found = objects(_links([around[0], old, around[1]]), _links([around[0], new, around[1]]))
    assert [(str(one.status), one.object) for one in found] == [("d", " ".join(old)), ("i", " ".join(new))]
