"""A change in, the things that it found out, each with its name and the marked words around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from markupsafe import Markup

from webvigil.detect.headline import links_told_by_text
from webvigil.model.change import Finding, ObjectChange, Range, Status, Surrounding
from webvigil.present.lines import Line, lines

SHOWN = 3
LONGEST = 400
_SIGNS = {
    "+": ("plus", "+", "new"),
    "-": ("minus", "−", "gone"),
    "~": ("", "~", "changed"),
    ">": ("", "›", "moved"),
}
_MARK = Markup("<{0}>{1}</{0}>")
# How the cells of a row are joined in a surrounding, objects that are judged, and the most columns drawn.
_BETWEEN = " | "
_JUDGED = 60
_WIDEST = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One object. `sign` is drawn with the class `tone`, and `word` says the same to a screen reader. `text`
    is HTML: what stands around the object, with marks on what changed."""

    tone: str
    sign: str
    word: str
    label: str
    text: Markup


@dataclass(frozen=True, slots=True)
class Shown:
    """The first objects of a change, and how many more there are."""

    objects: tuple[Found, ...]
    more: int


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


def rows_in(findings: Iterable[Finding], most: int = SHOWN) -> Rows | None:
    """Returns the changed rows of the one table that a change is about; None if it is about something else,
    or if a row has no equal number of cells before and after."""
    objects = [one for finding in findings for one in finding.objects]
    first = objects[:_JUDGED]
    if not first or not all(map(_is_row, first)):
        return None
    grouped: dict[tuple[str, str], list[ObjectChange]] = {}
    for one in first:
        around = one.surrounding or Surrounding()
        grouped.setdefault((around.before, around.after), []).append(one)
    chosen = list(grouped.items())[:most]
    rows = [_row(*(_cells(text) for text in key)) for key, _ in chosen]
    widths = {len(row.cells) if row else 0 for row in rows}
    if len(widths) != 1 or not 1 < max(widths) <= _WIDEST:
        return None
    head = [""] * max(widths)
    for _, mine in chosen:
        for one in mine:
            _name_column(head, one)
    further = len(grouped) - len(chosen) + len(objects) - len(first)
    return Rows(tuple(head), tuple(row for row in rows if row), further)


def _is_row(one: ObjectChange) -> bool:
    around = one.surrounding
    in_a_row = any("/tr[" in path or path.endswith("/tr") for path in one.where)
    return around is not None and in_a_row and _BETWEEN in (around.after or around.before)


def _cells(text: str) -> list[str]:
    return [_cut(cell.strip()) for cell in text.split(_BETWEEN)] if text else []


def _row(old: list[str], new: list[str]) -> Row | None:
    tone, sign, word = _SIGNS["~" if old and new else "-" if old else "+"]
    if not old or not new:
        tag = "ins" if new else "del"
        return Row(
            tone, sign, word, tuple(_MARK.format(tag, cell) if cell else Markup() for cell in old or new)
        )
    if len(old) != len(new):
        return None
    return Row(tone, sign, word, tuple(_cell(*pair) for pair in zip(old, new, strict=True)))


def _cell(old: str, new: str) -> Markup:
    if old == new:
        return Markup.escape(new)
    return Markup(" ").join(_MARK.format(tag, text) for tag, text in (("del", old), ("ins", new)) if text)


def _name_column(head: list[str], one: ObjectChange) -> None:
    """Writes the name of the column that a changed cell stands in; its label ends with that name."""
    around = one.surrounding
    marks = around.after_marks if around else ()
    name = one.label.rpartition(" · ")[2] if " · " in one.label else ""
    if around and marks and name:
        column = around.after[: marks[0][0]].count(_BETWEEN)
        head[min(column, len(head) - 1)] = name


def first_in(findings: Iterable[Finding]) -> Shown:
    """Returns the first objects for a card, without the links that came or went together with their text."""
    changed = [finding for finding in findings if finding.changed]
    told = links_told_by_text(one for finding in changed for one in finding.objects)
    return found_in(
        replace(finding, objects=tuple(one for one in finding.objects if one not in told))
        for finding in changed
    )


def found_in(findings: Iterable[Finding], most: int = SHOWN) -> Shown:
    changed = [finding for finding in findings if finding.changed]
    every = (one for finding in changed for one in _objects(finding))
    total = sum(len(finding.objects) for finding in changed)
    first = tuple(islice(every, most))
    return Shown(first, total - len(first))


def _objects(finding: Finding) -> Iterator[Found]:
    for one, line in zip(finding.objects, lines(finding), strict=True):
        tone, sign, word = _SIGNS[line.mark]
        label = one.label or one.link_text
        around = one.surrounding
        shows_it = around is not None and (one.status is not Status.UPDATED or _marks_something(around))
        text = _around(around, one.status) if around is not None and shows_it else _plain(line)
        if label and not one.label and label in text.striptags():
            label = ""
        yield Found(tone, sign, word, label, _without_label(text, label))


def _without_label(text: Markup, label: str) -> Markup:
    """Returns what stands around an object without the name that it begins with: the name stands before."""
    begins = Markup.escape(label)
    behind = text[len(begins) :] if label and text.startswith(begins) else text
    return behind.lstrip(" :|") if behind[:1] in (" ", ":") else text


def _marks_something(around: Surrounding) -> bool:
    """Whether a surrounding shows what changed. Of a text that was replaced whole it has the new one only."""
    return bool(around.before_marks or (around.before and around.after_marks))


def _around(around: Surrounding, status: Status) -> Markup:
    """Returns the sentence or row around an object. Where it changed in the same number of places before and
    after, the old words stand directly before the new ones."""
    old, new = around.before_marks, around.after_marks
    if status in (Status.GONE, Status.FEWER) or not around.after:
        return _marked(around.before, old, "del")
    if around.before and old and len(old) == len(new):
        gone = [around.before[start:end] for start, end in old]
        return _marked(around.after, new, "ins", gone)
    if around.before and old and not new:
        return _marked(around.before, old, "del")
    return _marked(around.after, new, "ins")


def _marked(text: str, ranges: Sequence[Range], tag: str, gone: Sequence[str] = ()) -> Markup:
    parts, at = [], 0
    for number, (start, end) in enumerate(ranges):
        parts.append(Markup.escape(text[at:start]))
        if gone and gone[number]:
            parts.append(_MARK.format("del", gone[number]) + " ")
        if text[start:end]:
            parts.append(_MARK.format(tag, text[start:end]))
        at = end
    parts.append(Markup.escape(_cut(text[at:])))
    return Markup("").join(parts)


def _plain(line: Line) -> Markup:
    if line.mark == "~":
        before = _MARK.format("del", _cut(line.before)) + " → " if line.before else Markup()
        return before + _MARK.format("ins", _cut(line.after))
    if line.mark == ">":
        return Markup.escape(_cut(line.text))
    return _MARK.format("del" if line.mark == "-" else "ins", _cut(line.text))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
