"""An object of a finding in, out how the dashboard shows it: its sign, its label, and its words with marks.

The page of a change and a shared link show objects in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.present.lines import Line, lines

MOST = 300
"""The most objects of a change that one page lists."""
_LONGEST = 300  # characters of one side
_AROUND = 60  # characters of unchanged text that are kept beside a mark


class Sign(NamedTuple):
    """The sign of an object, its class in the style sheet, and the word that a screen reader says."""

    text: str
    kind: str
    word: str


_PLUS, _MINUS = Sign("+", "plus", "new"), Sign("−", "minus", "gone")
SIGNS = {
    Status.NEW: _PLUS,
    Status.MORE: _PLUS,
    Status.GONE: _MINUS,
    Status.FEWER: _MINUS,
    Status.UPDATED: Sign("~", "", "changed"),
    Status.MOVED: Sign("→", "", "moved"),
}


class Found(NamedTuple):
    """One object as it is listed. `place` is its number among all objects of the change, from 0."""

    place: int
    sign: Sign
    label: str
    words: Markup


def found(change: Change) -> list[Found]:
    """Returns the objects of a change in the order of its findings, at most `MOST` of them."""
    every = [(finding, one) for finding in change.findings for one in finding.objects]
    return [
        Found(place, SIGNS[one.status], one.label or finding.type, words(one))
        for place, (finding, one) in enumerate(every[:MOST])
    ]


def words(one: ObjectChange) -> Markup:
    """Returns the sentence or row around an object with its marks or, if that is not known, the object
    itself."""
    around = one.surrounding
    if around is None or not (around.before_marks or around.after_marks):
        return _line(next(iter(lines(Finding(type="", objects=(one,))))))
    if not around.before:
        return _marked(around.after, around.after_marks, "ins")
    if not around.after:
        return _marked(around.before, around.before_marks, "del")
    return _together(around.before, around.after, around.before_marks, around.after_marks) or Markup(
        "{} → {}"
    ).format(
        _marked(around.before, around.before_marks, "del"), _marked(around.after, around.after_marks, "ins")
    )


def _together(
    before: str, after: str, gone: Sequence[tuple[int, int]], new: Sequence[tuple[int, int]]
) -> Markup | None:
    """Returns both texts in one, `In stock: 5 7 pieces` with 5 gone and 7 new; None if they differ beside
    their marks."""
    old, now = list(_cut(before, gone)), list(_cut(after, new))
    if [text for mark, text in old if not mark] != [text for mark, text in now if not mark]:
        return None
    if len(old) != len(now):
        return None
    pieces = []
    for (mark, text), (_, other) in zip(old, now, strict=True):
        if mark:
            pieces += [
                _piece("del", text),
                Markup(" ") if text and other else Markup(""),
                _piece("ins", other),
            ]
        else:
            pieces.append(_piece("", text))
    return Markup("").join(pieces)


def _cut(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[bool, str]]:
    """Yields the text in pieces: one that is not marked, one that is marked, and so on."""
    at = 0
    for start, end in marks:
        yield False, text[at:start]
        yield True, text[start:end]
        at = end
    yield False, text[at:]


def _marked(text: str, marks: Sequence[tuple[int, int]], tag: str) -> Markup:
    return Markup("").join(_piece(tag if mark else "", part) for mark, part in _cut(text, marks))


def _piece(tag: str, text: str) -> Markup:
    if not text:
        return Markup("")
    if not tag:
        long = len(text) > 2 * _AROUND + 1
        return escape(f"{text[:_AROUND]}…{text[-_AROUND:]}" if long else text)
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return (Markup("<ins>{}</ins>") if tag == "ins" else Markup("<del>{}</del>")).format(shown)


def _line(line: Line) -> Markup:
    if line.mark == "~":
        arrow = Markup(' <span aria-hidden="true">→</span> ')
        return _piece("del", line.before) + arrow + _piece("ins", line.after)
    tags = {"+": "ins", "-": "del"}
    return _piece(tags.get(line.mark, ""), line.text)
