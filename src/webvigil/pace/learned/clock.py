"""The expert for a page that changes like clockwork: it expects the next change one period after the last.

Where the server tells the moment of a change, the period is the last gap, and the spread is by how much
successive gaps differed. Where it does not, each change is known only to lie between two looks; `ticks` finds
the phase and the period that agree with these brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from webvigil.pace.learned.ticks import Ticks

# How fast the spread follows new gaps, and the least and the most spread as shares of the period. The cases
# Cons240 and six-hourly-job of bench/quality/pace.py cover them.
_SMOOTHING = 0.3
_SPREADS = (0.005, 0.30)


@dataclass(frozen=True, slots=True)
class Clock:
    """`early` and `late` bracket the next change, counted from the last known change. Period 0: not known.

    Once a change came without a date, `ticks` foretells instead.
    """

    period: float = 0.0
    spread: float = _SPREADS[1]
    early: float = 0.0
    late: float = 0.0
    ticks: Ticks = field(default_factory=Ticks)

    def told(self, gap: float) -> Clock:
        """Returns the clock after a change whose moment the server told, `gap` after the one before.

        Where the moment of that one was not told, the gap is only a guess, and the period that was learnt
        from many brackets is kept.
        """
        if self.ticks.hands:
            return Clock(
                self.period, self.spread, self.period * (1.0 - self.spread), self.period * (1.0 + self.spread)
            )
        off = 2.0 * abs(gap - self.period) / gap if self.period else _SPREADS[1]
        spread = _clipped(self.spread + _SMOOTHING * (off - self.spread))
        return Clock(gap, spread, gap * (1.0 - spread), gap * (1.0 + spread))

    def bracketed(self, low: float, high: float, gaps: Sequence[float], plain: float) -> Clock:
        """Returns the clock after a change somewhere in (low, high]; see `Ticks.bracketed`."""
        ticks = self.ticks.bracketed(low, high, gaps, plain)
        return Clock(ticks.period, self.spread, self.early, self.late, ticks)

    @property
    def teller(self) -> Clock | Ticks:
        """Returns which of the two foretells the next change."""
        return self.ticks if self.ticks.hands else self

    def within(self, y: float) -> tuple[float, float]:
        """Returns the chance of a change within y, and the integral of that chance from 0 to y."""
        if self.ticks.hands:
            return self.ticks.within(y)
        early, late = self.early, self.late
        if y <= early:
            return 0.0, 0.0
        if y >= late:
            return 1.0, y - (early + late) / 2.0
        return (y - early) / (late - early), (y - early) ** 2 / (2.0 * (late - early))

    @property
    def edges(self) -> tuple[float, ...]:
        """Returns the times between which the next change is most likely."""
        return self.ticks.edges if self.ticks.hands else (self.early, self.late)

    def density(self, y: float) -> float:
        """Returns the density of the next change at y."""
        if self.ticks.hands:
            return self.ticks.density(y)
        return 1.0 / (self.late - self.early) if self.early <= y <= self.late else 0.0


def _clipped(spread: float) -> float:
    return min(max(spread, _SPREADS[0]), _SPREADS[1])
