"""Clocks that were set back: how much matters, and how a result planned by the old clock is corrected.

Both stores use this.
"""

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
    return replace(visited, results=tuple(_moved(result, now, ahead) for result in visited.results))


def _moved(result: CheckResult, now: Millis, ahead: Millis) -> CheckResult:
    doubt = result.doubt
    return replace(
        result,
        due=_earlier(result.due, ahead),
        doubt=replace(doubt, since=_happened(doubt.since, now, ahead)) if doubt else None,
        failing_since=_happened(result.failing_since, now, ahead),
        watches=tuple(replace(one, next_at=_earlier(one.next_at, ahead)) for one in result.watches),
        pace=replace(result.pace, next_at=_earlier(result.pace.next_at, ahead)) if result.pace else None,
    )


def _happened(moment: Millis, now: Millis, ahead: Millis) -> Millis:
    """Returns a moment of the past. One that lies after now was read from the old clock."""
    return moment - ahead if moment > now else moment


def _earlier(moment: Millis, ahead: Millis) -> Millis:
    return moment if moment >= NEVER else moment - ahead
