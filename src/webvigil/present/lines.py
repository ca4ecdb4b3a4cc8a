"""Findings in, the amounts and lines out that can be read without colour (P3, P5).

An object has a line. The changed cells of a row of a table have one line together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webvigil.detect.headline import amounts as amounts
from webvigil.detect.quantities import parse_value
from webvigil.document.naming import JOINT
from webvigil.model.change import Finding, ObjectChange, Range, Status, Surrounding
from webvigil.present.escape import one_line
from webvigil.present.rows import by_row, is_cell

_MARKS = {
    Status.NEW: "+",
    Status.MORE: "+",
    Status.GONE: "-",
    Status.FEWER: "-",
    Status.UPDATED: "~",
    Status.MOVED: ">",
}
_ANOTHER_LOOK = "looks different"

Piece = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Line:
    """One changed object as a line. `mark` is + - ~ or >; an updated object has a text `before` and a text
    `after`. `label` says what the object is, "" if the texts say so themselves; `around` is what stands
    around it. Of a row of a table `cells` are its changed cells: the name of the column, the text before and
    the text after; `text` tells all of them."""

    mark: str
    text: str
    before: str = ""
    after: str = ""
    label: str = ""
    around: Surrounding | None = None
    cells: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    def __str__(self) -> str:
        if self.is_row:
            return f"{self.mark} {one_line(self.text)}"
        name = f"{one_line(self.label)}: " if self.label else ""
        if self.mark == "~":
            before = f"{one_line(self.before)} → " if self.before else ""
            return f"~ {name}{before}{one_line(self.after)}"
        around = f" (in “{one_line(self.within)}”)" if self.within else ""
        return f"{self.mark} {name}{one_line(self.text)}{around}"

    @property
    def within(self) -> str:
        """The sentence or item that words came to or went from; "" if the words are a line of their own."""
        if self.mark not in ("+", "-") or self.around is None or not self.around.is_part:
            return ""
        line = self.around.after or self.around.before
        return line if self.text in line else ""

    @property
    def old(self) -> list[Piece]:
        """The line as it was, in pieces, each with True if it changed; [] if it was not there."""
        if self.around and self.around.before:
            return pieces(self.around.before, self.around.before_marks)
        return [(self.before, True)] if self.mark == "~" else [(self.text, True)] if self.mark == "-" else []

    @property
    def new(self) -> list[Piece]:
        """The line as it is now, in pieces, each with True if it changed; [] if it is not there."""
        if self.around and self.around.after:
            return pieces(self.around.after, self.around.after_marks)
        return [(self.after, True)] if self.mark == "~" else [] if self.mark == "-" else [(self.text, True)]


def pieces(text: str, marks: Iterable[Range]) -> list[Piece]:
    """Returns a text in pieces: each with True if it is marked."""
    found: list[Piece] = []
    place = 0
    for start, end in marks:
        found += [(text[place:start], False), (text[start:end], True)]
        place = end
    return [piece for piece in (*found, (text[place:], False)) if piece[0]]


def lines(finding: Finding) -> Iterator[Line]:
    """Yields a line for each object. The changed cells of a row of a table have one line together."""
    return (line_of_row(some) if is_cell(some[0]) else line_of(some[0]) for some in by_row(finding.objects))


def line_of_row(cells: Sequence[ObjectChange]) -> Line:
    """Returns the line of a row in which these cells changed, such as
    `Aurora lamp · Price: € 49 → € 51; Stock: 12 → 10`."""
    named = [_row_and_column(one) for one in cells]
    row = next((row for row, _ in named if row), "")
    changed = tuple(
        (column, one.before or "", one.after or "") for one, (_, column) in zip(cells, named, strict=True)
    )
    joint = JOINT if named[0][1] else ": "
    text = "; ".join(
        f"{column}: {old} → {new}" if column else f"{old} → {new}" for column, old, new in changed
    )
    around = [one.surrounding for one in cells if one.surrounding]
    marked = around[0]._replace(
        before_marks=tuple(sorted({mark for one in around for mark in one.before_marks})),
        after_marks=tuple(sorted({mark for one in around for mark in one.after_marks})),
    )
    return Line("~", f"{row}{joint}{text}" if row else text, label=row, around=marked, cells=changed)


def _row_and_column(cell: ObjectChange) -> tuple[str, str]:
    """Returns the names of the row and of the column that a cell stands in; "" for an unknown name."""
    row, joint, column = cell.label.rpartition(JOINT)
    line = cell.surrounding.after if cell.surrounding else ""
    return (column, "") if not joint and column.rstrip("…") in line else (row, column)


def line_of(one: ObjectChange) -> Line:
    """Returns the line of one object."""
    mark = _MARKS[one.status]
    text = one.object
    if one.status in (Status.MORE, Status.FEWER):
        text = f"{text} ({one.old} → {one.new})"
    if one.link_text:
        return Line(mark, f"{one.link_text} ({text})", around=one.surrounding)
    if one.status is Status.UPDATED:
        # The object of a picture is a region. A region at the same place looks different; it is called by
        # the text there, and only without any text by its place.
        same = one.before == one.after
        after = _ANOTHER_LOOK if same else one.after
        before = "" if same and one.label else one.before or one.object
        return Line(mark, text, before, after or "", _label(one, before, after or ""), one.surrounding)
    said = named(one) if one.status in (Status.NEW, Status.GONE) else text
    return Line(mark, said, label=_label(one, said), around=one.surrounding)


def _label(one: ObjectChange, *texts: str) -> str:
    """Returns the label of an object, unless the line begins with it anyway."""
    said = (text.startswith(one.label) or f"@{one.label}: " in text for text in texts)
    return "" if any(said) else one.label


def _is_number(one: ObjectChange, content: str) -> bool:
    """Tells whether an object is a number on the page, and not that of an attribute."""
    return "@" not in one.object and parse_value(content).kind == "number"


def named(one: ObjectChange) -> str:
    """Returns how an object that came or went is called in a line.

    Objects that are known by their place (a leaf of XML or JSON, an attribute, a row) are called by the place
    and the content, others by the content alone, as a number is that a selector found and that has a label.
    """
    content = one.after if one.status is Status.NEW else one.before
    if content and one.label and (one.object.startswith(("/", "$")) or _is_number(one, content)):
        return content
    if not content or content in one.object:
        return one.object
    return content if content.startswith(one.object) else f"{one.object}: {content}"
