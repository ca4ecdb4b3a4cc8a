"""The text of a sentinel in, the lines of it that matter to one purpose out.

In a canonical text every clause has a line of its own, and most of them do not matter to a comparison, others
not to the telling. What is left is the same for many sentinels, so that it is read once for all of them (G4).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from webvigil.errors import WebVigilError

T = TypeVar("T")

_CLAUSES = (
    "Monitor ", "Within ", "Ignore ", "Quiet ", "Only ", "When ", "Compare ", "Create Sentinel ", "Title ",
    "Fetch ", "From ", "To ", "Notify ", "Every ", "Depth ", "Render ", "Topic ", "Priority ", "Present ",
)  # fmt: skip
# `Present only` is common, and is no `Only new`.
_BEGINS = {"Only": r"only\s+new"}
_HEAD = "Create Sentinel s Using https://s.invalid/\n"


class Excerpt:
    """Those clauses that begin with one of these words; none of the words may stand in a line left out."""

    def __init__(self, *clauses: str, words: str = "") -> None:
        self._clauses = tuple(f"{clause} " for clause in clauses)
        begins = [_BEGINS.get(clause, clause.lower()) for clause in clauses]
        all_words = "|".join([*begins, *filter(None, [words])])
        self._words = re.compile(rf"\b(?:{all_words})\b", re.IGNORECASE)

    def of(self, text: str) -> str | None:
        """A sentinel's text again; None where lines and clauses may not be the same."""
        kept = []
        for line in text.splitlines():
            if line.startswith(self._clauses) and _is_closed(line):
                kept.append(line)
            elif not line.startswith(_CLAUSES) or self._words.search(line) or not _is_closed(line):
                return None
        return _HEAD + "\n".join(kept)

    def read(self, text: str, reader: Callable[[str], T]) -> T:
        """What `reader` makes of the lines that matter; of the whole text where they cannot stand alone."""
        matters = self.of(text)
        if matters is not None:
            try:
                return reader(matters)
            except WebVigilError:
                pass
        return reader(text)


def _is_closed(line: str) -> bool:
    return line.count("{") == line.count("}") and line.count('"') % 2 == 0
