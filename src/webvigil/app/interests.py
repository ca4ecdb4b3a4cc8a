"""The text of a sentinel in, its interest out: read once for all sentinels that want the same (G4).

In a canonical text every clause has a line of its own. Most of them (the name, the pages, the times, whom to
tell) do not matter to a comparison, so a text is known by the lines that do, and only a new combination of
those is read at all. Any other text is read whole.
"""

from __future__ import annotations

import re
from functools import lru_cache

from webvigil.errors import WebVigilError
from webvigil.graph.nodes import Interest, interest
from webvigil.language import parse

_MATTER = ("Monitor ", "Within ", "Ignore ", "When ", "Compare ")
_CLAUSES = (
    *_MATTER, "Create Sentinel ", "Title ", "Fetch ", "From ", "To ", "Notify ", "Every ", "Depth ",
    "Render ", "Topic ", "Priority ", "Present ",
)  # fmt: skip
_WORDS = re.compile(r"\b(?:monitor|within|ignore|when|compare|sentinel\s+type|trigger)\b", re.IGNORECASE)
_HEAD = "Create Sentinel s Using https://s.invalid/\n"
_KEPT = 65_536


def interest_of(text: str) -> Interest:
    matters = _what_matters(text)
    if matters is not None:
        try:
            return _read(_HEAD + matters)
        except WebVigilError:
            pass
    return _read(text)


@lru_cache(_KEPT)
def _read(text: str) -> Interest:
    (sentinel,) = parse(text)
    return interest(sentinel)


def _what_matters(text: str) -> str | None:
    """The lines that matter; None where lines and clauses may not be the same."""
    kept = []
    for line in text.splitlines():
        if line.startswith(_MATTER) and _is_closed(line):
            kept.append(line)
        elif not line.startswith(_CLAUSES) or _WORDS.search(line) or not _is_closed(line):
            return None
    return "\n".join(kept)


def _is_closed(line: str) -> bool:
    return line.count("{") == line.count("}") and line.count('"') % 2 == 0
