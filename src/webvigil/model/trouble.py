"""What keeps a sentinel from seeing what it watches on a page, as far as its user was told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """`unseen` and `fine` are no trouble: nobody has looked for it yet, or all of it is there."""

    FINE = ""
    UNSEEN = "unseen"
    FAILING = "failing"
    NOTHING = "nothing"
    BROKEN = "broken"


IN_TROUBLE = (Why.FAILING, Why.NOTHING, Why.BROKEN)


@dataclass(frozen=True, slots=True)
class Trouble:
    """`words` say in a sentence what is wrong."""

    why: Why = Why.FINE
    words: str = ""

    def __bool__(self) -> bool:
        return self.why in IN_TROUBLE


FINE = Trouble()
UNSEEN = Trouble(Why.UNSEEN)
