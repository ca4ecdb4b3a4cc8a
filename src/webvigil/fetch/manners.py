"""How one visit to a host goes, and how long the host is left alone after it (F4).

A circuit breaker: a host that was not there twice in a row (once, if it was already missing at the last
visit) is not asked for the rest of its pages, and rests, longer each time it is still not there. A host that
asks for a rest gets it at once.
"""

from __future__ import annotations

from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult, HostAfter

FIRST_REST: Millis = 10_000
LONGEST_REST: Millis = 3_600_000
_PATIENCE = 2
_SPREAD = 0.25


class Visit:
    """Told of every check as it ends; says whether to go on, and what is due to the host afterwards."""

    def __init__(self, failures_before: int = 0) -> None:
        self._before = failures_before
        self._in_a_row = 0
        self._asked_rest: Millis = 0

    def saw(self, result: CheckResult) -> None:
        self._in_a_row = self._in_a_row + 1 if result.host_down else 0
        self._before = self._before if result.host_down else 0
        self._asked_rest = max(self._asked_rest, result.host_wait)

    @property
    def over(self) -> bool:
        patience = 1 if self._before else _PATIENCE
        return self._asked_rest > 0 or self._in_a_row >= patience

    def after(self, delay: Millis, chance: float) -> HostAfter:
        failures = self._before + 1 if self._in_a_row else 0
        rest = spread(rest_after(failures), chance) if self.over and failures else 0
        return HostAfter(rest=max(delay, rest, self._asked_rest), failures=failures)


def rest_after(failures: int) -> Millis:
    """Doubled each time, up to an hour: whoever comes back is noticed within that."""
    return min(FIRST_REST << min(failures - 1, 30), LONGEST_REST)


def spread(wait: Millis, chance: float) -> Millis:
    """Up to a quarter longer, so that what failed together does not come back together."""
    return int(wait * (1 + _SPREAD * chance))
