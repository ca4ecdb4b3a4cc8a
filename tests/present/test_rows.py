"""The changed rows of one table, as a table: with marks on cells, names of columns, and what is left out."""

from __future__ import annotations

import pytest

from webvigil import diff
from webvigil.model.change import Finding, ObjectChange, Status, Surrounding
from webvigil.present.rows import by_row, is_cell, rows_in

HEAD = "Name|Price|Stock"


def table(*rows: str, head: str = HEAD) -> str:
    lines = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row.split("|")) for row in rows)
    return "<table><tr>" + "".join(f"<th>{cell}" for cell in head.split("|")) + lines + "</table>"


def found(old: str, new: str, monitor: str = "table {1}") -> tuple[Finding, ...]:
    return diff(old, new, monitor).findings


def told(old: str, new: str, most: int = 3) -> tuple[str, list[str], int] | None:
    rows = rows_in(found(old, new), most)
    if rows is None:
        return None
    return "|".join(rows.head), [f"{row.sign} {'|'.join(row.cells)}" for row in rows.rows], rows.more


@pytest.mark.parametrize(
    ("old", "new", "head", "rows", "more"),
    [
        (["Sofa|10|3"], ["Sofa|11|3"], "|Price", ["~ Sofa|<del>10</del> <ins>11</ins>"], 0),
        (["Sofa|10|3"], ["Sofa|10|4"], "|Stock", ["~ Sofa|<del>3</del> <ins>4</ins>"], 0),
        (["Sofa|10|3"], ["Sofa|11|4"], "|Price|Stock",
         ["~ Sofa|<del>10</del> <ins>11</ins>|<del>3</del> <ins>4</ins>"], 0),
        (["Sofa|10|few"], ["Sofa|11|few"], "|Price|", ["~ Sofa|<del>10</del> <ins>11</ins>|few"], 0),
        (["Sofa|10|3", "A &amp; B|1|1"], ["Sofa|10|3"], "||",
         ["− <del>A &amp; B</del>|<del>1</del>|<del>1</del>"], 0),
        ([f"{one}|1|1" for one in "ABCDE"], [f"{one}|2|1" for one in "ABCDE"], "|Price",
         [f"~ {one}|<del>1</del> <ins>2</ins>" for one in "ABC"], 2),
    ],
)  # fmt: skip
def test_rows_are_shown_with_their_changed_cells(
    old: list[str], new: list[str], head: str, rows: list[str], more: int
):
    assert told(table(*old), table(*new)) == (head, rows, more)


def test_as_many_rows_as_wanted_are_shown():
    old, new = (table(*(f"{one}|{price}|1" for one in "ABC")) for price in (1, 2))
    assert told(old, new, 1) == ("|Price", ["~ A|<del>1</del> <ins>2</ins>"], 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (table("A|1|1"), table("A|1|1")),  # nothing changed
        (table("A", head="Name"), table("B", head="Name")),  # one column is no table
        (table("A|1|1"), "<p>No table"),
        ("<p>one", "<p>two"),
    ],
)
def test_what_is_no_change_of_rows_is_no_table(old: str, new: str):
    assert rows_in(found(old, new, "any change")) is None


@pytest.mark.parametrize(
    ("where", "before", "after", "status", "cell"),
    [
        ("/table/tr[2]/td", "a | 1", "a | 2", Status.UPDATED, True),
        ("/table/tr", "a | 1", "a | 2", Status.UPDATED, True),
        ("/table/tr[2]", "a | 1", "", Status.UPDATED, False),
        ("/table/tr[2]", "", "a | 2", Status.UPDATED, False),
        ("/table/tr[2]", "a | 1", "a | 2", Status.NEW, False),
        ("/div/p", "a | 1", "a | 2", Status.UPDATED, False),
        ("/table/trail/p", "a | 1", "a | 2", Status.UPDATED, False),
        ("/table/tr[2]/td", "a", "b", Status.UPDATED, False),
    ],
)
def test_a_changed_cell_stands_in_a_row_that_is_known(
    where: str, before: str, after: str, status: Status, cell: bool
):
    one = ObjectChange("x", status, where=(where,), surrounding=Surrounding(before=before, after=after))
    assert is_cell(one) is cell
    other = ObjectChange("y", status, where=(where,), surrounding=one.surrounding)
    assert by_row([one, other]) == ([[one, other]] if cell else [[one], [other]])


@pytest.mark.parametrize(("rows", "more"), [(1, 0), (3, 0), (4, 1), (60, 57)])
def test_what_is_not_shown_is_counted(rows: int, more: int):
    old, new = (table(*(f"n{one}|{price}|1" for one in range(rows))) for price in (1, 2))
    shown = told(old, new)
    assert shown
    assert (len(shown[1]), shown[2]) == (min(rows, 3), more)


def test_a_row_of_many_columns_is_no_small_table():
    def wide(columns: int, value: int) -> str:
        return table(
            "|".join([*map(str, range(100, 99 + columns)), str(value)]), head="|".join("x" * columns)
        )

    widest = max(columns for columns in range(2, 30) if told(wide(columns, 1), wide(columns, 2)))
    assert widest == 5
