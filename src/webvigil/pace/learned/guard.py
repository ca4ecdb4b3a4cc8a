"""The alias guard: a page that changes every 5 s, looked at every 10 s, seems a clock of 10 s.

While the experts for regular pages lead, some looks are made before the plan: at a shorter gap that was
seen before, or blind somewhere in the second half of the wait. Often at first, rarely once blind looks have
kept finding nothing. Where they do find changes that nobody foretold, the regular experts are not heard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

_GOLDEN = 0.6180339887498949
_FIRST, _GROWTH, _RAREST = 3.0, 2.0, 60.0
_LEARNING = 0.2
_TRUSTED = 0.3
_UNTHINKABLE = 0.1
_CALMING = 0.85


class Early(StrEnum):
    """The next look is as planned, at a shorter gap seen before, or blind."""

    NO = "no"
    GAP = "gap"
    BLIND = "blind"


@dataclass(frozen=True, slots=True)
class Guard:
    early: Early = Early.NO
    looks: int = 0
    calm: int = 0
    since: int = 0
    surprise: float = 0.0

    @property
    def trusts(self) -> bool:
        """Whether the experts for regular pages may be heard."""
        return self.surprise < _TRUSTED

    @property
    def share(self) -> float:
        """Where in the planned wait a blind look is made: spread evenly over 40 to 90 %."""
        return 0.4 + 0.5 * (self.looks * _GOLDEN % 1.0)

    def judged(self, hit: bool, foretold: float) -> Guard:
        """After an early look, with the chance that had been given to a change before it."""
        if hit and foretold < _UNTHINKABLE:
            return Guard(looks=self.looks + 1, surprise=1.0)
        surprise = self.surprise
        if self.early is Early.BLIND:
            surprise = max(0.0, surprise + _LEARNING * (hit - min(foretold, 1.0) - surprise))
        calm = self.calm + 1 if surprise < _TRUSTED else 0
        return replace(self, early=Early.NO, looks=self.looks + 1, calm=calm, surprise=surprise)

    def after_change(self, regular: bool) -> Guard:
        """Plans an early look when the page seems regular and the last early look is long enough ago."""
        if not regular or not self.trusts:
            return replace(self, surprise=self.surprise * _CALMING) if self.surprise else self
        since = self.since + 1
        if since < min(_FIRST * _GROWTH**self.calm, _RAREST):
            return replace(self, since=since)
        return replace(self, early=Early.GAP if self.looks % 2 else Early.BLIND, since=0)
