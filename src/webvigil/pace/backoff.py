"""How long to leave a page alone that could not be fetched: four times as long each time, up to six hours.

A page that is looked at once a day is tried again sooner than that: what passes by itself has mostly passed
within minutes. What somebody has to mend (the page is gone, or forbidden) is tried again within hours.
"""

from __future__ import annotations

from webvigil.model.moment import Millis

SHORTEST: Millis = 10_000
PASSING: Millis = 2 * 60_000
LASTING: Millis = 3_600_000
LONGEST: Millis = 6 * 3_600_000
_GROWTH = 4
_MOST_STEPS = 16


def wait_after(failures: int, interval: Millis, *, passes: bool) -> Millis:
    """The first wait is the page's own interval, where that is short. `passes`: does it pass by itself?"""
    first = min(max(interval, SHORTEST), PASSING if passes else LASTING)
    growth: int = _GROWTH ** min(failures - 1, _MOST_STEPS)
    return min(first * growth, LONGEST)
