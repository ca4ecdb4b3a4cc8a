"""Which watches of a page are compared now, and with which version.

Each sentinel is compared at its own times only (one that looks on change: at every look), with the version it
was last compared with; a sentinel that has no such version yet starts with the one at hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from webvigil.model.moment import Millis
from webvigil.model.work import Watch


def due_watches(watches: Sequence[Watch], now: Millis) -> list[Watch]:
    return [watch for watch in watches if watch.on_change or watch.next_at <= now]


def has_news(watch: Watch, newest: int) -> bool:
    return 0 < watch.reference < newest
