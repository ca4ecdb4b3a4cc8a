"""The number of failed fetches of a page in, the wait before the next attempt out.

The wait grows fourfold with each failure, up to six hours. A page that is looked at once a day is tried again
sooner than that: troubles that pass by themselves have mostly passed within minutes. Troubles that somebody
has to mend (the page is gone, or forbidden) are tried again within hours.
"""

from __future__ import annotations

from webvigil.model.moment import Millis

# No failed page is tried again sooner, however often its sentinels want to look.
SHORTEST: Millis = 10_000
# The longest first wait, for troubles that pass by themselves and for those that somebody has to mend.
PASSING: Millis = 2 * 60_000
LASTING: Millis = 3_600_000
LONGEST: Millis = 6 * 3_600_000
_GROWTH = 4
_MOST_STEPS = 16  # keeps the power small after thousands of failures; LONGEST is reached long before


def wait_after(failures: int, interval: Millis, *, passes: bool) -> Millis:
    """Returns how long to wait after so many failures in a row.

    The first wait is the page's own interval where that is short. `passes` says whether the trouble is of a
    kind that passes by itself.
    """
    first = min(max(interval, SHORTEST), PASSING if passes else LASTING)
    growth: int = _GROWTH ** min(failures - 1, _MOST_STEPS)
    return min(first * growth, LONGEST)
