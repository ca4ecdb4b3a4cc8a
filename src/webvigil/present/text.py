"""A comparison in, its presentation as plain text or with the colours of a terminal out (P5).

Deleted words stand in [-…-], inserted words in {+…+}. The sign before a block tells what became of the block:
+ came, - went, ~ changed, > moved here, < moved away. Colours only repeat what the signs say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from webvigil.model.change import ObjectChange, Status
from webvigil.present.align import Mark, Step
from webvigil.present.choose import View
from webvigil.present.comparison import Comparison, counted
from webvigil.present.escape import plain_text
from webvigil.present.only import Item, Skipped
from webvigil.present.runs import GONE, NEW, SAME, Runs

_BRACKETS = {SAME: ("", ""), GONE: ("[-", "-]"), NEW: ("{+", "+}")}
_COLOURS = {GONE: "31;9", NEW: "32", "bold": "1", "soft": "2"}
_MARK_COLOURS = {
    Mark.NEW: "32",
    Mark.GONE: "31",
    Mark.CHANGED: "33",
    Mark.MOVED: "36",
    Mark.LEFT: "36",
}
_SIGNS = {Mark.SAME: " "}
_NARROWEST = 12  # columns of one side, however narrow the terminal is
_LISTED = 20  # Most links, and most pictures, that are listed; the rest is counted.


def as_text(comparison: Comparison, view: View, *, colour: bool = False, width: int = 100) -> str:
    ink = _Ink(colour)
    shown = _two(view.items, ink, width) if view.columns > 1 else _one(view.items, ink)
    return "\n".join([*_head(comparison, ink), *shown]) + "\n"


class _Ink:
    """Paints a text with a colour code of the terminal, or returns the text as it is where colours are
    off."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and code and text else text


def _head(comparison: Comparison, ink: _Ink) -> Iterator[str]:
    if comparison.title:
        yield ink(_marked(comparison.title, _Ink(False)), _COLOURS["bold"])
    if comparison.url:
        yield ink(plain_text(comparison.url), _COLOURS["soft"])
    yield comparison.amounts
    yield from _objects("link", comparison.links, ink)
    yield from _objects("picture", comparison.pictures, ink)
    yield ""


def _objects(name: str, objects: Sequence[ObjectChange], ink: _Ink) -> Iterator[str]:
    for one in objects[:_LISTED]:
        old, new = counted(one)
        if one.status is Status.UPDATED:
            yield ink(f"~ {name} {plain_text(one.object)} (another one)", _MARK_COLOURS[Mark.CHANGED])
            continue
        sign, code = ("+", _COLOURS[NEW]) if new > old else ("-", _MARK_COLOURS[Mark.GONE])
        yield ink(f"{sign} {name} {plain_text(one.object)} ({old} → {new})", code.partition(";")[0])
    if len(objects) > _LISTED:
        yield ink(f"… {len(objects) - _LISTED:,} more {name}s", _COLOURS["soft"])


def _one(items: Iterable[Item], ink: _Ink) -> Iterator[str]:
    for item in items:
        if isinstance(item, Skipped):
            yield ink(str(item), _COLOURS["soft"])
            continue
        sign = ink(_sign(item.step), _MARK_COLOURS.get(item.step.mark, ""))
        yield f"{sign} {_line(item.step, ink)}"


def _sign(step: Step) -> str:
    return _SIGNS.get(step.mark, str(step.mark))


def _line(step: Step, ink: _Ink, without: str = "") -> str:
    """Returns the text of a block on one line. A block that came or went as a whole has no brackets inside,
    because the sign before the block tells."""
    inner = step.mark in (Mark.SAME, Mark.CHANGED)
    cells = [_marked(cell.runs, ink, brackets=inner, without=without) for cell in step.cells]
    name = f"{plain_text(step.block.name)}: " if step.block.name else ""
    return _opening(step) + name + " | ".join(cells)


def _opening(step: Step) -> str:
    block = step.block
    return "#" * int(block.kind[1]) + " " if block.is_heading else "• " if block.kind == "item" else ""


def _marked(found: Runs, ink: _Ink, *, brackets: bool = True, without: str = "") -> str:
    parts = []
    for run in found:
        if run.mark == without:
            continue
        body = plain_text(run.text)
        space = " " if body.startswith(" ") else ""
        first, last = _BRACKETS[run.mark] if brackets else ("", "")
        parts.append(space + ink(first + body.lstrip(" ") + last, _COLOURS.get(run.mark, "")))
    return "".join(parts).strip(" ")


def _two(items: Iterable[Item], ink: _Ink, width: int) -> Iterator[str]:
    """Yields the lines of both columns, with the sign of each block on its first line."""
    half = max((width - 7) // 2, _NARROWEST)
    for item in items:
        if isinstance(item, Skipped):
            yield ink(str(item), _COLOURS["soft"])
            continue
        step = item.step
        old = _wrapped(_line(step, _Ink(False), NEW), half) if step.old else []
        new = _wrapped(_line(step, _Ink(False), GONE), half) if step.new else []
        code = _MARK_COLOURS.get(step.mark, "")
        for number, (left, right) in enumerate(zip_longest(old, new, fillvalue="")):
            sign = _sign(step) if not number else " "
            yield f"{ink(sign, code)} {_filled(left, half)} │ {right}".rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """Breaks a text into lines of at most `width` columns, at spaces where possible."""
    lines: list[str] = []
    line, used = "", 0
    for word in text.split(" "):
        for part in _cut(word, width):
            wide = _width(part)
            if line and used + 1 + wide > width:
                lines.append(line)
                line, used = part, wide
            else:
                line, used = (f"{line} {part}", used + 1 + wide) if line else (part, wide)
    return [*lines, line]


def _cut(word: str, width: int) -> Iterator[str]:
    part, used = "", 0
    for character in word:
        wide = _width(character)
        if part and used + wide > width:
            yield part
            part, used = "", 0
        part, used = part + character, used + wide
    yield part


def _filled(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Returns the columns that a text takes on a terminal: wide characters take two, combining marks take
    none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )
