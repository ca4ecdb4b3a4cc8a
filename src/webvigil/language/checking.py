"""Everything that is right and everything that is wrong with a text, in one go.

`parse` stops at the first mistake; here one mistake does not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from webvigil.errors import MistakeInText
from webvigil.language.parser import Progress, read
from webvigil.language.pieces import Piece
from webvigil.model.sentinel import Sentinel

# Nobody reads more, and a text that is no list of sentinels at all is answered soon.
MOST_MISTAKES = 1_000
_ENOUGH = f"after {MOST_MISTAKES:,} mistakes the rest of the text was not read"

# Says what speaks against installing a sentinel, one sentence each; `rules` has one that knows the store.
Verify = Callable[[Sentinel], Iterable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The sentinels that can be used and the mistakes, both in the order of the text."""

    sentinels: tuple[Sentinel, ...]
    mistakes: tuple[MistakeInText, ...]


def check(text: str, *, verify: Verify | None = None, progress: Progress | None = None) -> Checked:
    sentinels: list[Sentinel] = []
    mistakes: list[MistakeInText] = []
    for piece, one in read(text, progress):
        if len(mistakes) >= MOST_MISTAKES:
            mistakes.append(_about(piece, _ENOUGH))
            break
        if isinstance(one, MistakeInText):
            mistakes.append(one)
        elif refusals := [_about(piece, said, one.name) for said in verify(one)] if verify else []:
            mistakes += refusals
        else:
            sentinels.append(one)
    return Checked(sentinels=tuple(sentinels), mistakes=tuple(mistakes))


def _about(piece: Piece, said: str, name: str = "") -> MistakeInText:
    return MistakeInText(said, line=piece.line, column=piece.column, word=name)
