"""Detects that a page has become another page, by a second estimate of its rate that forgets faster.

When the second estimate, the twin, has foretold the gaps better by a clear margin (a CUSUM of the gain in
log-likelihood), it replaces the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.pace.learned.lomax import Lomax

# What each new gap leaves of the old ones: about 20 gaps count for the belief, 5 for the twin.
_FORGETTING = 0.95
_TWIN_FORGETTING = 0.8
# The gain per gap that is not held for drift, and the evidence (in nats) at which the twin takes over. More
# evidence notices late that a page became fast, less mistakes chance for drift; run bench/quality/pace.py.
_ALLOWANCE = 0.05
_ALARM = 6.0


@dataclass(frozen=True, slots=True)
class Rate:
    """What is believed of a page's rate, its twin, and the evidence that the twin is right."""

    belief: Lomax
    twin: Lomax
    evidence: float = 0.0

    def with_gap(self, gap: float, changes: float, elapsed: float) -> Rate:
        """Returns the rate after a gap, with `changes` (seen and hidden) in the `elapsed` time."""
        gain = self.twin.log_density(gap) - self.belief.log_density(gap)
        evidence = max(0.0, self.evidence + gain - _ALLOWANCE)
        twin = _updated(self.twin, _TWIN_FORGETTING, changes, elapsed)
        if evidence > _ALARM:
            return Rate(twin, twin)
        return Rate(_updated(self.belief, _FORGETTING, changes, elapsed), twin, evidence)

    def per_milli(self, silence: float) -> float:
        """Returns the changes per millisecond. They fall when the silence grows beyond the usual gap."""
        shape, span = self.belief.shape, self.belief.span
        return shape / (span + max(0.0, silence - span / shape))


def _updated(known: Lomax, forgetting: float, changes: float, elapsed: float) -> Lomax:
    """Returns a belief after `changes` in the `elapsed` time; what it knew before fades."""
    return Lomax(forgetting * known.shape + changes, forgetting * known.span + elapsed)
