"""What both stores know of a clock that was set back: how much matters, and how a result that was reckoned by
the old clock is told by the new one."""

from __future__ import annotations

from dataclasses import replace

from webvigil.model.moment import NEVER, Millis
from webvigil.model.work import CheckResult, Visited

TOLERANCE: Millis = 3_000
"""Clocks that are kept right move by less; what waits this long is not missed."""

WRITTEN_EVERY: Millis = 60_000
"""So often a server that has nothing else to write writes the time down."""


def by_this_clock(visited: Visited, now: Millis) -> Visited:
    """A visit that began before the clock was set back plans the next looks by the old clock."""
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
