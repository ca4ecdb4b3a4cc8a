"""A change in, the things that it found out, each with its name and the marked words around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from markupsafe import Markup

from webvigil.detect.headline import links_told_by_text
from webvigil.model.change import Finding, Range, Status, Surrounding
from webvigil.present.lines import Line, line_of
from webvigil.present.rows import MARK, SIGNS, cut

SHOWN = 3


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
    for one in finding.objects:
        line = line_of(one)
        tone, sign, word = SIGNS[line.mark]
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
    """Tells whether a surrounding shows what changed. Of a text that was replaced whole it has the new one
    only."""
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
