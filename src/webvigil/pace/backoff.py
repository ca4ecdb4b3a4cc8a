"""How long to leave a page alone that could not be fetched: doubled each time, up to a day."""

from __future__ import annotations

from webvigil.model.moment import Millis

FIRST: Millis = 10_000
LONGEST: Millis = 24 * 3_600_000


def wait_after(failures: int, interval: Millis) -> Millis:
    """Never shorter than the page's own interval, so that trouble never makes us more of a nuisance."""
    doubled = FIRST << min(failures - 1, 30)
    return max(interval, min(doubled, LONGEST))
