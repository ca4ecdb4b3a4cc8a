"""The heavy-tailed forecast of a page whose rate is known only as Gamma(shape, span).

With such a rate the time to the next change has the Lomax distribution, cdf 1 − (span / (span + y))^shape.
Its long tail makes us look ever more rarely at a page that fell silent. A small share has a longer tail
still, for the page that stops being what it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log, log1p

# The share with the longer tail, which allows for a long silence however many changes were seen. From a sweep
# of 0 to 0.03 on all cases of bench/quality/pace.py: more stretches the waits of random pages too soon, and
# with 0 it takes too long to back off.
_LONG_TAIL = 0.002


@dataclass(frozen=True, slots=True)
class Lomax:
    """A belief about a page's rate: `shape` changes were seen in the time `span`, in milliseconds."""

    shape: float
    span: float

    def within(self, y: float) -> tuple[float, float]:
        """Returns the chance of a change within y, and the integral of that chance from 0 to y."""
        if y <= 0.0:
            return 0.0, 0.0
        shape, span = self.shape, self.span
        fall = log(span / (span + y))
        less = shape - 1.0
        # The integral of the survival function; for shape 1 the power becomes a logarithm.
        alive = span * (-expm1(less * fall) / less if less else -fall)
        scale = span / shape
        steady = 1.0 - exp(shape * fall)
        return (
            steady + _LONG_TAIL * (y / (scale + y) - steady),
            y - alive - _LONG_TAIL * (scale * log1p(y / scale) - alive),
        )

    def density(self, y: float) -> float:
        """Returns the density of the next change at y."""
        scale = self.span / self.shape
        tail = scale / (scale + y) ** 2
        return (1.0 - _LONG_TAIL) * exp(self.log_density(y)) + _LONG_TAIL * tail

    def log_density(self, y: float) -> float:
        """Returns the logarithm of the density without the longer tail, which the drift test compares."""
        shape, span = self.shape, self.span
        return log(shape / (span + y)) + shape * log(span / (span + y))
