"""The gaps between a page's last changes in, the chance that one of them repeats out.

Each remembered gap g is spread to a box g·(1 ± width). The chance that the next gap is below y is a sum over
the boxes, newer gaps counting more. With the gaps in order, running sums of 1, g and 1/g give that sum and
its integral after two binary searches, however wide the boxes are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

# How many gaps are remembered, which bounds the size of a state, and what each further gap leaves of the
# weight of the older ones. bench/quality/pace.py shows what other values do.
REMEMBERED = 32
_FADING = 0.97


@dataclass(frozen=True)
class Gaps:
    """The last gaps, in the order in which they came."""

    seen: tuple[float, ...] = ()

    def with_gap(self, gap: float) -> Gaps:
        return Gaps((*self.seen, gap)[-REMEMBERED:])

    @property
    def weight(self) -> float:
        """Returns how many gaps there are, the older counting less."""
        return self._sums[1][-1]

    def largest_below(self, limit: float) -> float | None:
        """Returns the largest gap below the limit, None if there is none."""
        place = bisect_left(self._sums[0], limit)
        return self._sums[0][place - 1] if place else None

    def within(self, y: float, width: float) -> tuple[float, float]:
        """Returns the chance of a gap within y, and the integral of that chance from 0 to y."""
        ordered, ones, sums, inverses = self._sums
        past = bisect_right(ordered, y / (1.0 + width))
        reached = bisect_left(ordered, y / (1.0 - width), past)
        total = ones[-1]
        chance = ones[past]
        integral = y * chance - sums[past]
        if reached > past:
            partly, low = ones[reached] - chance, 1.0 - width
            inverse = inverses[reached] - inverses[past]
            chance += (y * inverse - low * partly) / (2.0 * width)
            integral += (
                y * (y * inverse - 2.0 * low * partly) + low * low * (sums[reached] - sums[past])
            ) / (4.0 * width)
        return chance / total, integral / total

    def density(self, y: float, width: float) -> float:
        """Returns the density of the next gap at y."""
        ordered, ones, _, inverses = self._sums
        past = bisect_left(ordered, y / (1.0 + width))
        reached = bisect_right(ordered, y / (1.0 - width), past)
        return (inverses[reached] - inverses[past]) / (2.0 * width * ones[-1]) if ordered else 0.0

    @cached_property
    def _sums(self) -> tuple[list[float], list[float], list[float], list[float]]:
        """Returns the gaps in ascending order, and the running sums of weight, weight·gap and weight/gap."""
        seen, newest = self.seen, len(self.seen) - 1
        ordered, ones, sums, inverses = [], [0.0], [0.0], [0.0]
        one = total = inverse = 0.0
        for place in sorted(range(len(seen)), key=seen.__getitem__):
            gap, weight = seen[place], _FADES[newest - place]
            ordered.append(gap)
            ones.append(one := one + weight)
            sums.append(total := total + weight * gap)
            inverses.append(inverse := inverse + weight / gap)
        return ordered, ones, sums, inverses


_FADES = tuple(_FADING**age for age in range(REMEMBERED))
