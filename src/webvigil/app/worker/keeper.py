"""Lets the sentinels in the knowledge base start, end and expire at the times that their life spans name.

The keeper holds all lives in memory, on a clock that follows the database's clock, and writes each step to
the database. The revision number of the sentinels tells it what has changed. A step is written only if the
sentinel still stands where the step begins, so that several keepers do no harm: the second one starts again
from what is written.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from math import inf
from typing import Protocol
from zoneinfo import ZoneInfo

from webvigil.events import VirtualClock
from webvigil.language import parse
from webvigil.model.life import LifeStep, LivingSentinel
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import Sentinel
from webvigil.rules import notices
from webvigil.rules.life import Life, spans_of, warning_time
from webvigil.rules.life_rules import Lives, Step
from webvigil.store.promises import Schedule, Sentinels

_log = logging.getLogger("webvigil.keeper")

# A clock that jumps back by more than this was set back, and the lives start again by the new time. Smaller
# jumps are ignored.
_SET_BACK = timedelta(seconds=3)


class KeeperStore(Protocol):
    """The parts of the knowledge base that keeping the lives of sentinels needs."""

    schedule: Schedule
    sentinels: Sentinels


class Keeper:
    """Advances the lives of all sentinels."""

    def __init__(self, knowledge: KeeperStore) -> None:
        self._knowledge = knowledge
        self._steps: list[Step] = []
        self._start_anew()

    def turn(self) -> int:
        """Lets everything happen that is due by now, and returns how many steps were written."""
        now = as_datetime(self._knowledge.schedule.now())
        if self._clock is not None and now < self._clock.now() - _SET_BACK:
            self._start_anew()
        self._learn(now)
        assert self._clock is not None
        self._clock.advance(to=max(now, self._clock.now()))
        written = sum(self._write(step) for step in self._steps)
        if written < len(self._steps) or self._failed():
            self._start_anew()
        self._steps.clear()
        return written

    def rest(self) -> float:
        """Returns the seconds until the next life has to be moved on, if nobody changes a sentinel
        meanwhile. A keeper that has to start anew does so at once."""
        if self._clock is None:
            return 0.0
        due = self._clock.next_due()
        return inf if due is None else max(0.0, (due - self._clock.now()).total_seconds())

    def _start_anew(self) -> None:
        self._revision = 0
        self._clock: VirtualClock | None = None
        self._lives: Lives | None = None
        self._known: dict[int, LivingSentinel] = {}
        self._ids: dict[tuple[str, str], int] = {}
        self._steps.clear()

    def _learn(self, now: datetime) -> None:
        """Reads the sentinels that changed since the last turn, and takes their lives up. Lives of one user
        are taken up together, because they may depend on each other."""
        news = self._knowledge.sentinels.news(self._revision)
        self._revision = news.revision
        lives = self._lives or self._begin(now, news.changed)
        for gone in news.removed:
            if gone in self._known:
                old = self._known.pop(gone)
                self._ids.pop((old.user, old.name), None)
                lives.remove(old.user, old.name)
        changed = [one for one in news.changed if self._is_news(one)]
        for one in changed:
            self._known[one.id] = one
            self._ids[one.user, one.name] = one.id
            lives.drop(one.user, one.name)
        for user in dict.fromkeys(one.user for one in changed):
            lives.take_up(user, [life_of(one) for one in changed if one.user == user])

    def _begin(self, now: datetime, living: tuple[LivingSentinel, ...]) -> Lives:
        """Starts the clock at the earliest event that was missed, so that all events happen in order."""
        times = [time for one in living for time in (one.life.next_at, warning_time(life_of(one)))]
        self._clock = VirtualClock(min([now, *filter(None, times)]))
        self._lives = Lives(self._clock, self._steps.append)
        return self._lives

    def _is_news(self, one: LivingSentinel) -> bool:
        """Tells whether a sentinel differs from what the keeper knows. The keeper's own steps come back from
        the database, too, and are not news."""
        assert self._lives is not None
        life, known = self._lives.life(one.user, one.name), self._known.get(one.id)
        if life is None or known is None or self._ids.get((one.user, one.name)) != one.id:
            return True
        return life.record != one.life or known.text != one.text

    def _write(self, step: Step) -> bool:
        id_ = self._ids[step.owner, step.after.name]
        sentinel = _sentinel(self._known[id_])
        told = [
            notice
            for event in step.events
            for notice in notices.happened(sentinel, step.owner, str(id_), event)
        ]
        after = step.after.record
        for event in step.events:
            _log.info("Recorded %s for sentinel %s of %s.", event.what, event.sentinel, step.owner)
        return self._knowledge.sentinels.live(
            LifeStep(sentinel=id_, before=step.before, after=after, events=step.events, notices=tuple(told))
        )

    def _failed(self) -> bool:
        return bool(self._lives and self._lives.failures)


def life_of(one: LivingSentinel) -> Life:
    return Life(one.name, spans_of(_sentinel(one)), ZoneInfo(one.zone), one.life)


def _sentinel(one: LivingSentinel) -> Sentinel:
    return parse(one.text)[0]
