"""The text of a sentinel in, the lines of it that matter to one purpose out.

In a canonical text every clause has its own line, and a comparison or a notice needs only some of them. The
needed lines are the same for many sentinels, so that they are parsed once for all of them (G4).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from webvigil.errors import WebVigilError
from webvigil.language import HEAD

T = TypeVar("T")

_CLAUSES = (
    "Monitor ", "Within ", "Ignore ", "Quiet ", "Only ", "When ", "Compare ", "Create Sentinel ", "Title ",
    "Fetch ", "From ", "To ", "Notify ", "Every ", "Depth ", "Render ", "Topic ", "Priority ", "Present ",
    "Message ", "Summary ",
)  # fmt: skip
# `Present only` is common, and is no `Only new`.
_BEGINS = {"Only": r"only\s+new"}


class Excerpt:
    """Picks the clauses that begin with one of `clauses`. A text is not cut if one of `words` stands in a
    line that would be left out, because such a line may matter, too."""

    def __init__(self, *clauses: str, words: str = "") -> None:
        self._clauses = tuple(f"{clause} " for clause in clauses)
        begins = [_BEGINS.get(clause, clause.lower()) for clause in clauses]
        all_words = "|".join([*begins, *filter(None, [words])])
        self._words = re.compile(rf"\b(?:{all_words})\b", re.IGNORECASE)

    def of(self, text: str) -> str | None:
        """Returns a shorter sentinel text, or None if the text cannot be cut safely by lines."""
        kept = []
        for line in text.splitlines():
            if line.startswith(self._clauses) and _is_closed(line):
                kept.append(line)
            elif not line.startswith(_CLAUSES) or self._words.search(line) or not _is_closed(line):
                return None
        return HEAD + "\n".join(kept)

    def read(self, text: str, reader: Callable[[str], T]) -> T:
        """Returns what `reader` makes of the picked lines, or of the whole text if the lines cannot stand
        alone."""
        matters = self.of(text)
        if matters is not None:
            try:
                return reader(matters)
            except WebVigilError:
                pass
        return reader(text)


def _is_closed(line: str) -> bool:
    return line.count("{") == line.count("}") and line.count('"') % 2 == 0
