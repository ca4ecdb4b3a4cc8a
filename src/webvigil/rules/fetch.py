"""The fetch rules of a page (F1): the watches of its sentinels in, the time of the next look out.

A page has one interval rule for each distinct interval and start; sentinels that look at the same times share
a rule. All sentinels that look on change share one best-effort rule. The rule that comes first makes the
look; its version is there for all sentinels, and each sentinel is evaluated at the times of its own rule. The
best-effort rule counts every look as its own, because a look of another rule leaves nothing for it to find.
Sentinels with hours, times of the day or a cron expression have rules of their own (`rules.schedule`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webvigil.model.moment import NEVER, Millis
from webvigil.model.schedule import Schedule
from webvigil.model.work import Watch
from webvigil.rules.schedule import is_open, next_look, opening


@dataclass(frozen=True, slots=True)
class FetchRule:
    """When a rule looks next, and how often; `interval` 0 is the best-effort rule."""

    next_at: Millis
    interval: Millis
    schedule: Schedule | None = None

    @property
    def best_effort(self) -> bool:
        return self.interval == 0

    def after_look(self, now: Millis, best_effort: Millis) -> FetchRule:
        """Returns the rule with its next look. An interval rule takes the first step of the grid next_at,
        next_at + interval, … that lies after now; the best-effort rule takes the given time."""
        return FetchRule(self._next_after(now, best_effort), self.interval, self.schedule)

    def _next_after(self, now: Millis, best_effort: Millis) -> Millis:
        if self.schedule:
            return next_look(self.schedule, self.next_at, now, best_effort)
        return best_effort if self.best_effort else next_step(self.next_at, self.interval, now)


def next_step(planned: Millis, interval: Millis, now: Millis) -> Millis:
    """Returns the first step of the grid that lies after now. Missed steps are not made up for; a planned
    time that lies ahead stays."""
    missed = (now - planned) // interval + 1
    return planned + max(0, missed) * interval


def rules_of(watches: Iterable[Watch]) -> tuple[FetchRule, ...]:
    """Returns the distinct rules of the watches, the next one first."""
    watches = tuple(watches)
    if len(watches) == 1:
        return (rule_of(watches[0]),)
    shared = [watch.next_at for watch in watches if watch.on_change and not watch.schedule]
    fixed = {rule_of(watch) for watch in watches if not watch.on_change or watch.schedule}
    return tuple(sorted([*fixed, *([FetchRule(min(shared), 0)] if shared else [])], key=_order))


def rule_of(watch: Watch) -> FetchRule:
    return FetchRule(watch.next_at, watch.interval, watch.schedule)


def first_of(rules: Sequence[FetchRule]) -> FetchRule:
    """Returns the rule that looks next, or a rule that never looks if there are no rules."""
    return min(rules, default=FetchRule(NEVER, NEVER), key=_order)


def _order(rule: FetchRule) -> tuple[Millis, Millis]:
    return rule.next_at, rule.interval


def allowed_from(watches: Sequence[Watch], at: Millis) -> Millis:
    """Returns the first moment from `at` on at which one of the watches has hours in which it may look."""
    return min((opening(one.schedule, at) if one.schedule else at for one in watches), default=at)


def due_watches(watches: Sequence[Watch], now: Millis) -> list[Watch]:
    """Returns the watches whose time has come, and all that look on change: those are compared at every look
    that is made in their hours."""
    return [watch for watch in watches if watch.next_at <= now or _joins(watch, now)]


def _joins(watch: Watch, now: Millis) -> bool:
    return watch.on_change and (watch.schedule is None or is_open(watch.schedule, now))
