"""The alias guard: it detects pages that only seem regular because of when they are looked at.

A page that changes every 5 s, looked at every 10 s, seems to be a clock of 10 s. So while the experts for
regular pages lead, some looks are made before the plan: at a shorter gap that was seen before, or blind
somewhere in the second half of the wait. They are frequent at first and rare once blind looks have kept
finding nothing. Where they do find changes that nobody foretold, the regular experts are not heard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

# Multiples of the golden ratio, modulo 1, spread evenly and never repeat.
_GOLDEN = 0.6180339887498949
# Early looks come after 3, 6, 12 … changes, at most every 60.
_FIRST, _GROWTH, _RAREST = 3.0, 2.0, 60.0
# How fast the surprise follows blind looks, and below which surprise the regular experts are trusted.
_LEARNING = 0.2
_TRUSTED = 0.3
# An early look that finds a change which had been given less than this chance is taken as proof. Averaging
# such hits was not enough (docs/decisions/when-to-look.md).
_UNTHINKABLE = 0.1
# What each change leaves of the surprise, so that a page is given another chance to be regular.
_CALMING = 0.85


class Early(StrEnum):
    """Whether the next look is as planned, at a shorter gap seen before, or blind."""

    NO = "no"
    GAP = "gap"
    BLIND = "blind"


@dataclass(frozen=True, slots=True)
class Guard:
    """What the guard remembers.

    `early` is the kind of the next look, `looks` counts early looks, `calm` those in a row without surprise,
    `since` the changes since the last early look. `surprise` tells how often early looks found changes that
    were not foretold.
    """

    early: Early = Early.NO
    looks: int = 0
    calm: int = 0
    since: int = 0
    surprise: float = 0.0

    @property
    def trusts(self) -> bool:
        """Says whether the experts for regular pages may be heard."""
        return self.surprise < _TRUSTED

    @property
    def share(self) -> float:
        """Returns where in the planned wait a blind look is made: spread evenly over 40 to 90 %."""
        return 0.4 + 0.5 * (self.looks * _GOLDEN % 1.0)

    def judged(self, hit: bool, foretold: float) -> Guard:
        """Returns the guard after an early look, given the chance that had been foretold for a change."""
        if hit and foretold < _UNTHINKABLE:
            return Guard(looks=self.looks + 1, surprise=1.0)
        surprise = self.surprise
        if self.early is Early.BLIND:
            surprise = max(0.0, surprise + _LEARNING * (hit - min(foretold, 1.0) - surprise))
        calm = self.calm + 1 if surprise < _TRUSTED else 0
        return replace(self, early=Early.NO, looks=self.looks + 1, calm=calm, surprise=surprise)

    def after_change(self, regular: bool) -> Guard:
        """Returns the guard after a change.

        It asks for an early look when the page seems regular and the last early look was long enough ago.
        """
        if not regular or not self.trusts:
            return replace(self, surprise=self.surprise * _CALMING) if self.surprise else self
        since = self.since + 1
        if since < min(_FIRST * _GROWTH**self.calm, _RAREST):
            return replace(self, since=since)
        return replace(self, early=Early.GAP if self.looks % 2 else Early.BLIND, since=0)
