"""The results of a visit to a host in, the rest that the host gets afterwards out (F4).

This is a circuit breaker. If a host does not answer twice in a row (once, if it was already missing at the
last visit), its other pages are not asked for, and the host rests, longer each time it is still missing. A
host that asks for a rest gets it at once.
"""

from __future__ import annotations

from webvigil.model.moment import HOUR, Millis
from webvigil.model.work import CheckResult, HostAfter

# The rest doubles with every failed visit, from the first to the longest.
FIRST_REST: Millis = 10_000
LONGEST_REST: Millis = HOUR
# Two failures in a row, because a single one may be chance.
_PATIENCE = 2
_SPREAD = 0.25


class Visit:
    """The course of one visit. It is told every result, and says whether to go on and how long the host rests
    then."""

    def __init__(self, failures_before: int = 0) -> None:
        self._before = failures_before
        self._in_a_row = 0
        self._asked_rest: Millis = 0

    def saw(self, result: CheckResult) -> None:
        """Takes the result of one check into account."""
        self._in_a_row = self._in_a_row + 1 if result.host_down else 0
        self._before = self._before if result.host_down else 0
        self._asked_rest = max(self._asked_rest, result.host_wait)

    @property
    def over(self) -> bool:
        """True if no further page of the host should be asked for in this visit."""
        patience = 1 if self._before else _PATIENCE
        return self._asked_rest > 0 or self._in_a_row >= patience

    def after(self, delay: Millis, chance: float) -> HostAfter:
        """Returns the rest of the host. `delay` is the pause it normally gets, `chance` a random number from
        0 to 1."""
        failures = self._before + 1 if self._in_a_row else 0
        rest = spread(rest_after(failures), chance) if self.over and failures else 0
        return HostAfter(rest=max(delay, rest, self._asked_rest), failures=failures)


def rest_after(failures: int) -> Millis:
    """Returns the rest after so many failed visits: doubled each time, up to an hour."""
    return min(FIRST_REST << min(failures - 1, 30), LONGEST_REST)


def spread(wait: Millis, chance: float) -> Millis:
    """Makes a wait longer by up to a quarter, so that hosts that failed together do not return together."""
    return int(wait * (1 + _SPREAD * chance))
