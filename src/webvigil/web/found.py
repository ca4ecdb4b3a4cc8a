"""A change in, the things that it found out, each with its name and the marked words around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from webvigil.detect.headline import links_told_by_text
from webvigil.model.change import Finding, ObjectChange, Range, Status, Surrounding
from webvigil.present.lines import Line, line_of, line_of_row
from webvigil.present.rows import MARK, SIGNS, by_row, cut

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Found:
    """One object, or the changed cells of one row of a table. `sign` is drawn with the class `tone`, and
    `word` says the same to a screen reader. `text` is HTML: what stands around the object, with marks on what
    changed. `place` is the place of the first object among all that the change found."""

    tone: str
    sign: str
    word: str
    label: str
    text: Markup
    place: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """The first objects of a change, rows told as one, and how many more there are."""

    objects: tuple[Found, ...]
    more: int


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
    every = [some for finding in changed for some in by_row(finding.objects)]
    flat = [one for finding in changed for one in finding.objects]
    places = {id(one): at for at, one in reversed(list(enumerate(flat)))}
    first = [replace(_found(some), place=places[id(some[0])]) for some in every[:most]]
    return Shown(tuple(first), sum(some[0].many for some in every[most:]))


def _found(some: Sequence[ObjectChange]) -> Found:
    """Returns what is shown of one object, or of the changed cells of a row together."""
    one = some[0]
    line = line_of_row(some) if len(some) > 1 else line_of(one)
    tone, sign, word = SIGNS[line.mark]
    if line.is_row:
        return Found(tone, sign, word, line.label, _cells(line))
    label = one.label or one.link_text
    around = line.around
    # A link that came or went beside the same words is seen in none of them.
    marked_at_least = one.status is Status.UPDATED or bool(one.link_text)
    shows_it = around is not None and (not marked_at_least or _marks_something(around, one.status))
    text = _around(around, one.status) if around is not None and shows_it else _plain(line)
    told = text.striptags()
    if label and (told == label or (not one.label and label in told)):
        label = ""
    return Found(tone, sign, word, label, _without_label(text, label))


def _cells(line: Line) -> Markup:
    """Returns the changed cells of a row, each with the name of its column."""
    told = []
    for column, old, new in line.cells:
        sides = [MARK.format(tag, cut(text)) for tag, text in (("del", old), ("ins", new)) if text]
        told.append((Markup("{}: ").format(column) if column else Markup()) + Markup(" → ").join(sides))
    return Markup("; ").join(told)


def _without_label(text: Markup, label: str) -> Markup:
    """Returns what stands around an object without the name that it begins with: the name stands before."""
    begins = Markup.escape(label)
    behind = text[len(begins) :] if label and text.startswith(begins) else text
    return behind.lstrip(" :|") if behind[:1] in (" ", ":") else text


def _marks_something(around: Surrounding, status: Status) -> bool:
    """Tells whether a surrounding shows what changed. Of a text that was replaced whole it has the new one
    only."""
    if status is not Status.UPDATED:
        return bool(around.before_marks or around.after_marks)
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
            parts.append(MARK.format("del", gone[number]) + " ")
        if text[start:end]:
            parts.append(MARK.format(tag, text[start:end]))
        at = end
    parts.append(Markup.escape(cut(text[at:])))
    return Markup("").join(parts)


def _plain(line: Line) -> Markup:
    if line.mark == "~":
        before = MARK.format("del", cut(line.before)) + " → " if line.before else Markup()
        return before + MARK.format("ins", cut(line.after))
    if line.mark == ">":
        return Markup.escape(cut(line.text))
    return MARK.format("del" if line.mark == "-" else "ins", cut(line.text))
