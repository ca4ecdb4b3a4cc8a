"""Trouble: what keeps a sentinel from seeing what it watches on a page, as far as its user was told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """The kinds of trouble. Two values are no trouble: `FINE` (everything is there) and `UNSEEN` (nobody has
    looked yet)."""

    FINE = ""
    UNSEEN = "unseen"
    FAILING = "failing"
    NOTHING = "nothing"
    BROKEN = "broken"


IN_TROUBLE = (Why.FAILING, Why.NOTHING, Why.BROKEN)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of trouble and, in `words`, a sentence that says what is wrong."""

    why: Why = Why.FINE
    words: str = ""

    def __bool__(self) -> bool:
        return self.why in IN_TROUBLE


FINE = Trouble()
UNSEEN = Trouble(Why.UNSEEN)
