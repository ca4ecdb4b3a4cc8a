"""A text in, all its correct sentinels and all its mistakes out.

`parse` stops at the first mistake; here one mistake does not hide the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webvigil.errors import MistakeInText
from webvigil.language.mistakes import place, short
from webvigil.language.parser import Progress, moved, read
from webvigil.language.pieces import Piece
from webvigil.model.objection import Objection
from webvigil.model.sentinel import Sentinel

# Nobody reads more mistakes. The limit also keeps the answer quick for a large file that holds no sentinels.
MOST_MISTAKES = 1_000
_ENOUGH = f"after {MOST_MISTAKES:,} mistakes the rest of the text was not read"

# A function that returns, for each sentinel by name, the reasons against installing it. It gets all sentinels
# of a text at once, because they may name each other. The package `rules` has such a function that knows the
# store.
Verify = Callable[[Sequence[Sentinel]], Mapping[str, Sequence[str]]]


_COMMENT = re.compile(r"--[^\n]*")

Read = tuple[Piece, Sentinel | MistakeInText]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The sentinels of a text that can be installed, and its mistakes, both in the order of the text.
    `warnings` say what is no mistake and yet not as its writer may think."""

    sentinels: tuple[Sentinel, ...]
    mistakes: tuple[MistakeInText, ...]
    warnings: tuple[str, ...] = ()


def check(text: str, *, verify: Verify | None = None, progress: Progress | None = None) -> Checked:
    pieces = list(_until_enough(read(text, progress)))
    sentinels = [one for _, one in pieces if isinstance(one, Sentinel)]
    refusals = verify(sentinels) if verify else {}
    mistakes: list[MistakeInText] = []
    for piece, one in pieces:
        if isinstance(one, MistakeInText):
            mistakes.append(one)
        else:
            mistakes += _about(piece, one, refusals.get(one.name, ()))
    fine = tuple(one for one in sentinels if not refusals.get(one.name))
    return Checked(sentinels=fine, mistakes=tuple(mistakes))


def _until_enough(pieces: Iterator[Read]) -> Iterator[Read]:
    mistakes = 0
    for piece, one in pieces:
        if mistakes >= MOST_MISTAKES:
            yield piece, MistakeInText(_ENOUGH, line=piece.line, column=piece.column)
            return
        mistakes += isinstance(one, MistakeInText)
        yield piece, one


def _about(piece: Piece, sentinel: Sentinel, refusals: Sequence[str]) -> list[MistakeInText]:
    return [_mistake(piece, said, sentinel.name) for said in refusals]


def _mistake(piece: Piece, said: str, name: str) -> MistakeInText:
    """Returns the reason as a mistake at the word that it is about. Without such a word in the text it is
    about the sentinel as a whole, so it points at the name."""
    text = _COMMENT.sub(lambda found: " " * len(found[0]), piece.text)
    name_at = _find(text, name, 0)
    position, word = name_at or 0, name
    after = position + len(name)
    for wanted in said.about if isinstance(said, Objection) else ():
        found = _find(text, wanted, after)
        if found is not None:
            position, word, after = found, wanted, found
    line, column = place(piece.text, position)
    return moved(MistakeInText(str(said), line=line, column=column, word=short(word)), piece)


def _find(text: str, word: str, start: int) -> int | None:
    """Returns the position of a whole word, in upper or lower case, or None."""
    edges = ("" if not edge.isalnum() else r"\b" for edge in (word[:1], word[-1:]))
    before, behind = edges
    found = re.compile(before + re.escape(word) + behind, re.IGNORECASE).search(text, start)
    return found.start() if found else None
