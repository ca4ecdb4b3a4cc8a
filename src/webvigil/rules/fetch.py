"""The fetch rules of a page (F1), worked out from the sentinels that watch it.

Interval-based: one for each distinct interval and start; sentinels that look at the same times share a rule.
Best-effort: one for the page, shared by all sentinels that look on change. Whichever rule comes first looks;
the version it brings is there for all, and each sentinel is evaluated at the times of its own rule. The
best-effort rule takes every look as its own: it has nothing left to find where another rule has just been.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from webvigil.model.moment import NEVER, Millis
from webvigil.model.work import Watch


@dataclass(frozen=True, slots=True, order=True)
class FetchRule:
    """`interval` 0: best effort."""

    next_at: Millis
    interval: Millis

    @property
    def best_effort(self) -> bool:
        return self.interval == 0

    def after_look(self, now: Millis, best_effort: Millis) -> FetchRule:
        """The first step of the grid next_at, next_at + interval, … that lies after now."""
        if self.best_effort:
            return replace(self, next_at=best_effort)
        return replace(self, next_at=next_step(self.next_at, self.interval, now))


def next_step(planned: Millis, interval: Millis, now: Millis) -> Millis:
    """What was missed is not made up for; what is still ahead stays as it is."""
    missed = (now - planned) // interval + 1
    return planned + max(0, missed) * interval


def rules_of(watches: Iterable[Watch]) -> tuple[FetchRule, ...]:
    """The one that comes first, first."""
    watches = tuple(watches)
    shared = [watch.next_at for watch in watches if watch.on_change]
    fixed = {FetchRule(watch.next_at, watch.interval) for watch in watches if not watch.on_change}
    return tuple(sorted([*fixed, *([FetchRule(min(shared), 0)] if shared else [])]))


def first_of(rules: Sequence[FetchRule]) -> FetchRule:
    """The rule that looks next; one that never does where there is none."""
    return min(rules, default=FetchRule(NEVER, NEVER))
