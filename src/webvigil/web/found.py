"""A change in, the things that it found out, each with its name and the marked words around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from webvigil.model.change import Finding, Range, Status, Surrounding
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
        text = _around(one.surrounding, one.status) if one.surrounding else _plain(line)
        yield Found(
            tone, sign, word, "" if label and label in text.striptags() and not one.label else label, text
        )


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
        return _MARK.format("del", _cut(line.before)) + " → " + _MARK.format("ins", _cut(line.after))
    if line.mark == ">":
        return Markup.escape(_cut(line.text))
    return _MARK.format("del" if line.mark == "-" else "ins", _cut(line.text))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
