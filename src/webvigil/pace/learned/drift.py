"""Has the page become another page? A twin that forgets faster is kept beside what we believe.

When the twin has foretold the gaps better by a clear margin (a CUSUM of the gain in log-likelihood), what
the twin believes is taken over.
"""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.pace.learned.lomax import Lomax

_FORGETTING = 0.95
_TWIN_FORGETTING = 0.8
_ALLOWANCE = 0.05
_ALARM = 6.0


@dataclass(frozen=True, slots=True)
class Rate:
    """What we know of a page's rate, its twin, and the evidence for the twin."""

    belief: Lomax
    twin: Lomax
    evidence: float = 0.0

    def with_gap(self, gap: float, changes: float, elapsed: float) -> Rate:
        """After a gap foretold by both, with `changes` (seen and hidden) in the `elapsed` time."""
        gain = self.twin.log_density(gap) - self.belief.log_density(gap)
        evidence = max(0.0, self.evidence + gain - _ALLOWANCE)
        twin = _updated(self.twin, _TWIN_FORGETTING, changes, elapsed)
        if evidence > _ALARM:
            return Rate(twin, twin)
        return Rate(_updated(self.belief, _FORGETTING, changes, elapsed), twin, evidence)

    def per_milli(self, silence: float) -> float:
        """Changes per millisecond, falling when the silence since the last one grows beyond the usual."""
        shape, span = self.belief.shape, self.belief.span
        return shape / (span + max(0.0, silence - span / shape))


def _updated(known: Lomax, forgetting: float, changes: float, elapsed: float) -> Lomax:
    return Lomax(forgetting * known.shape + changes, forgetting * known.span + elapsed)
