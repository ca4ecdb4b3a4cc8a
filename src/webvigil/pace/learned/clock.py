"""The expert for a page that changes like clockwork: it expects the next change one period after the last.

Where the server tells the moment of a change, the period is the last gap, and the spread is by how much
successive gaps differed. Where it does not, each change is known only to lie between two looks. That bracket,
moved on by the period, foretells the next change, and what is then found makes the bracket narrower.
"""

from __future__ import annotations

from dataclasses import dataclass

# How fast the spread follows new gaps, and the least and the most spread as shares of the period. The cases
# Cons240 and six-hourly-job of bench/quality/pace.py cover them.
_SMOOTHING = 0.3
_SPREADS = (0.005, 0.30)
# Without Last-Modified the middle of a bracket is a coarse guess of the change, so the period moves slowly.
_PERIOD_SMOOTHING = 0.2


@dataclass(frozen=True, slots=True)
class Clock:
    """`early` and `late` bracket the next change, counted from the last known change. Period 0: not known."""

    period: float = 0.0
    spread: float = _SPREADS[1]
    early: float = 0.0
    late: float = 0.0

    def told(self, gap: float) -> Clock:
        """Returns the clock after a change whose moment the server told, `gap` after the one before."""
        off = 2.0 * abs(gap - self.period) / gap if self.period else _SPREADS[1]
        spread = _clipped(self.spread + _SMOOTHING * (off - self.spread))
        return Clock(gap, spread, gap * (1.0 - spread), gap * (1.0 + spread))

    def bracketed(self, origin: float, low: float, high: float) -> Clock:
        """Returns the clock after a change somewhere in (low, high]; the change before it was at `origin`.

        The change is taken to be in the middle of the bracket.
        """
        changed = (low + high) / 2.0
        gap = changed - origin
        period = self.period + _PERIOD_SMOOTHING * (gap - self.period) if self.period else gap
        early, late = max(low, origin + self.early), min(high, origin + self.late)
        # What was foretold and what was found have nothing in common: the bracket starts anew.
        if early >= late:
            early, late = low, high
        on = period - changed
        slack = _SPREADS[0] * period
        return Clock(period, self.spread, early + on - slack, late + on + slack)

    def within(self, y: float) -> tuple[float, float]:
        """Returns the chance of a change within y, and the integral of that chance from 0 to y."""
        early, late = self.early, self.late
        if y <= early:
            return 0.0, 0.0
        if y >= late:
            return 1.0, y - (early + late) / 2.0
        return (y - early) / (late - early), (y - early) ** 2 / (2.0 * (late - early))

    def density(self, y: float) -> float:
        """Returns the density of the next change at y."""
        return 1.0 / (self.late - self.early) if self.early <= y <= self.late else 0.0


def _clipped(spread: float) -> float:
    return min(max(spread, _SPREADS[0]), _SPREADS[1])
