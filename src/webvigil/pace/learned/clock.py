"""A page that changes like clockwork: the next change one period after the last.

Where the server tells the moment of a change, the period is the last gap and the spread is what successive
gaps differed by. Where it does not, we know each change only to lie between two looks; that bracket, moved
on by the period, foretells the next one, and what is then found cuts it narrower.
"""

from __future__ import annotations

from dataclasses import dataclass

_SMOOTHING = 0.3
_SPREADS = (0.005, 0.30)
# Without Last-Modified the middle of a bracket is a coarse guess of the change, so the period moves slowly.
_PERIOD_SMOOTHING = 0.2


@dataclass(frozen=True, slots=True)
class Clock:
    """`early` and `late` bracket the next change, counted from the last one known. Period 0: not known."""

    period: float = 0.0
    spread: float = _SPREADS[1]
    early: float = 0.0
    late: float = 0.0

    def told(self, gap: float) -> Clock:
        """After a change whose moment we were told."""
        off = 2.0 * abs(gap - self.period) / gap if self.period else _SPREADS[1]
        spread = _clipped(self.spread + _SMOOTHING * (off - self.spread))
        return Clock(gap, spread, gap * (1.0 - spread), gap * (1.0 + spread))

    def bracketed(self, origin: float, low: float, high: float) -> Clock:
        """After a change somewhere in (low, high], taken to be in the middle; the last one was at origin."""
        changed = (low + high) / 2.0
        gap = changed - origin
        period = self.period + _PERIOD_SMOOTHING * (gap - self.period) if self.period else gap
        early, late = max(low, origin + self.early), min(high, origin + self.late)
        if early >= late:
            early, late = low, high
        on = period - changed
        slack = _SPREADS[0] * period
        return Clock(period, self.spread, early + on - slack, late + on + slack)

    def within(self, y: float) -> tuple[float, float]:
        """The chance of a change within y, and the integral of that chance from 0 to y."""
        early, late = self.early, self.late
        if y <= early:
            return 0.0, 0.0
        if y >= late:
            return 1.0, y - (early + late) / 2.0
        return (y - early) / (late - early), (y - early) ** 2 / (2.0 * (late - early))

    def density(self, y: float) -> float:
        return 1.0 / (self.late - self.early) if self.early <= y <= self.late else 0.0


def _clipped(spread: float) -> float:
    return min(max(spread, _SPREADS[0]), _SPREADS[1])
