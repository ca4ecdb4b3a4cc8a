"""The text of a sentinel in, its interest out: read once for all sentinels that want the same (G4).

Only a new combination of the lines that matter to a comparison is read at all (`excerpts`). Any other text is
read whole.
"""

from __future__ import annotations

from functools import lru_cache

from webvigil.app.worker.excerpts import Excerpt
from webvigil.graph.nodes import Interest, interest
from webvigil.language import parse

_COMPARING = Excerpt(
    "Monitor", "Within", "Ignore", "Quiet", "Only", "When", "Compare", words=r"sentinel\s+type|trigger"
)
_KEPT = 65_536


def interest_of(text: str) -> Interest:
    return _COMPARING.read(text, _read)


@lru_cache(_KEPT)
def _read(text: str) -> Interest:
    (sentinel,) = parse(text)
    return interest(sentinel)
