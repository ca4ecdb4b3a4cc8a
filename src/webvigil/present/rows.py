"""A change in, the changed rows of its table out, with marks on what changed: for cards and mails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup

from webvigil.document.naming import JOINT
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Status, Surrounding
from webvigil.model.short_text import short_text

# What a card and a mail show of a table: rows, and characters of a cell.
ROWS_SHOWN = 3
LONGEST = 400
SIGNS = {
    "+": ("plus", "+", "new"),
    "-": ("minus", "−", "gone"),
    "~": ("", "~", "changed"),
    ">": ("", "›", "moved"),
}
MARK = Markup("<{0}>{1}</{0}>")
# Objects that are judged, and the most columns drawn.
_JUDGED = 60
_WIDEST = 5


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a small table: its sign, and its cells with marks on what changed."""

    tone: str
    sign: str
    word: str
    cells: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """The first changed rows of a table, with the names of the columns that are known, and how many further
    rows the change has (beyond `_JUDGED` objects each object counts as a row)."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    more: int


def rows_in(findings: Iterable[Finding], most: int = ROWS_SHOWN) -> Rows | None:
    """Returns the changed rows of the one table that a change is about; None if it is about something else,
    or if a row has no equal number of cells before and after."""
    objects = [one for finding in findings for one in finding.objects]
    first = objects[:_JUDGED]
    if not first or not all(map(_is_row, first)):
        return None
    grouped: dict[tuple[str, str], list[ObjectChange]] = {}
    for one in first:
        grouped.setdefault(_sides(one), []).append(one)
    chosen = list(grouped.items())[:most]
    rows = [_row(_cells(old), _cells(new), _columns(mine)) for (old, new), mine in chosen]
    widths = {len(row.cells) if row else 0 for row in rows}
    if len(widths) != 1 or not 1 < max(widths) <= _WIDEST:
        return None
    head = [""] * max(widths)
    for _, mine in chosen:
        for one in mine:
            _name_column(head, one)
    further = len(grouped) - len(chosen) + sum(one.many for one in objects[_JUDGED:])
    return Rows(*_understood(head, [row for row in rows if row]), further)


def _understood(head: list[str], rows: list[Row]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Returns the names of the columns and the rows, without columns of bare numbers that stayed and whose
    name is not known, though that of others is: nobody could tell what they count."""
    kept = [
        place
        for place, name in enumerate(head)
        if name or not any(head) or any(_says_more(row.cells[place]) for row in rows)
    ]
    shown = (replace(row, cells=tuple(row.cells[place] for place in kept)) for row in rows)
    return tuple(head[place] for place in kept), tuple(shown)


def _says_more(cell: Markup) -> bool:
    """Tells whether a cell changed, or is more than a number."""
    return "<ins>" in cell or "<del>" in cell or any(map(str.isalpha, cell.unescape()))


def by_row(objects: Iterable[ObjectChange]) -> list[list[ObjectChange]]:
    """Returns the objects in order, each alone, but the changed cells of one row of a table together."""
    grouped: dict[object, list[ObjectChange]] = {}
    for number, one in enumerate(objects):
        grouped.setdefault(_sides(one) if is_cell(one) else number, []).append(one)
    return list(grouped.values())


def is_cell(one: ObjectChange) -> bool:
    """Tells whether an object is a changed cell of a row of a table."""
    return one.status is Status.UPDATED and _is_row(one)


def _sides(one: ObjectChange) -> tuple[str, str]:
    """Returns the row that an object stands in, before and after."""
    return (one.surrounding.before, one.surrounding.after) if one.surrounding else ("", "")


def _is_row(one: ObjectChange) -> bool:
    """Tells whether an object stands in a row of a table, and the row is known before and after. Of cells
    that were found as one text, only the new row is known."""
    before, after = _sides(one)
    if one.status is Status.UPDATED and not (before and after):
        return False
    in_a_row = any("/tr[" in path or path.endswith("/tr") for path in one.where)
    return in_a_row and CELL_JOINT in (after or before)


def _cells(text: str) -> list[str]:
    return [cut(cell.strip()) for cell in text.split(CELL_JOINT)] if text else []


def _columns(mine: Iterable[ObjectChange]) -> set[int]:
    """Returns the columns that these objects of a row are about; none if it is not known."""
    found = set()
    for one in mine:
        around = one.surrounding or Surrounding()
        for line, marks in ((around.before, around.before_marks), (around.after, around.after_marks)):
            found |= {line[:start].count(CELL_JOINT) for start, _ in marks}
    return found


def _row(old: list[str], new: list[str], columns: set[int]) -> Row | None:
    """Returns the row with marks on its changed cells. Of a row that changed in part, other cells than those
    of `columns` stand there as they are now: they changed, but nobody asked for them."""
    tone, sign, word = SIGNS["~" if old and new else "-" if old else "+"]
    if not old or not new:
        tag = "ins" if new else "del"
        return Row(
            tone, sign, word, tuple(MARK.format(tag, cell) if cell else Markup() for cell in old or new)
        )
    if len(old) != len(new):
        return None
    pairs = enumerate(zip(old, new, strict=True))
    cells = (
        _cell(*pair) if not columns or number in columns else Markup.escape(pair[1]) for number, pair in pairs
    )
    return Row(tone, sign, word, tuple(cells))


def _cell(old: str, new: str) -> Markup:
    if old == new:
        return Markup.escape(new)
    return Markup(" ").join(MARK.format(tag, text) for tag, text in (("del", old), ("ins", new)) if text)


def _name_column(head: list[str], one: ObjectChange) -> None:
    """Writes the name of the column that a changed cell stands in; its label ends with that name."""
    around = one.surrounding
    marks = around.after_marks if around else ()
    name = one.label.rpartition(JOINT)[2] if JOINT in one.label else ""
    if around and marks and name:
        column = around.after[: marks[0][0]].count(CELL_JOINT)
        head[min(column, len(head) - 1)] = name


def cut(text: str) -> str:
    return short_text(text, LONGEST)
