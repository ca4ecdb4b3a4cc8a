"""The text of a sentinel in, its interest out: parsed once for all sentinels that want the same (G4).

Only the lines that matter to a comparison are parsed (`excerpts`), and equal lines only once. A text that
cannot be cut by lines is parsed whole.
"""

from __future__ import annotations

from functools import lru_cache

from webvigil.app.worker.excerpts import Excerpt
from webvigil.graph.nodes import Interest, interest
from webvigil.language import parse

_COMPARING = Excerpt(
    "Monitor", "Within", "Ignore", "Quiet", "Only", "When", "Compare", words=r"sentinel\s+type|trigger"
)
# Different interests that stay in memory.
_KEPT = 65_536


def interest_of(text: str) -> Interest:
    return _COMPARING.read(text, _read)


@lru_cache(_KEPT)
def _read(text: str) -> Interest:
    (sentinel,) = parse(text)
    return interest(sentinel)
