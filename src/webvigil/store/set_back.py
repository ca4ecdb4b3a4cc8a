"""Clocks that were set back: how much matters, and how a result planned by the old clock is corrected. Both
stores use this."""

from __future__ import annotations

from dataclasses import replace

from webvigil.model.moment import NEVER, Millis
from webvigil.model.work import CheckResult, Visited

TOLERANCE: Millis = 3_000
"""In milliseconds. Synchronised clocks jump by less than this, and a delay of this length is not noticed."""

WRITTEN_EVERY: Millis = 60_000
"""In milliseconds: how often an idle server records the time, so that a clock set back is noticed."""


def by_this_clock(visited: Visited, now: Millis) -> Visited:
    """Moves the planned times of a visit earlier, if the visit began before the clock was set back."""
    ahead = visited.claim.now - now
    if ahead <= TOLERANCE:
        return visited
    return replace(visited, results=tuple(_moved(result, ahead) for result in visited.results))


def _moved(result: CheckResult, ahead: Millis) -> CheckResult:
    return replace(
        result,
        due=_earlier(result.due, ahead),
        watches=tuple(replace(one, next_at=_earlier(one.next_at, ahead)) for one in result.watches),
        pace=replace(result.pace, next_at=_earlier(result.pace.next_at, ahead)) if result.pace else None,
    )


def _earlier(moment: Millis, ahead: Millis) -> Millis:
    return moment if moment >= NEVER else moment - ahead
