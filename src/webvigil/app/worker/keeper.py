"""Lets the sentinels in the knowledge base start, end and expire at the times that their life spans name.

The keeper holds the lives in memory that may move on within the next hour, that wait for others, or that
others wait for. After that hour it begins anew with the next ones; most sentinels rest for months, and their
texts are not even read. The clock of the lives follows the database's clock, and each step is written to the
database. The revision number of the sentinels tells the keeper what has changed. A step is written only if
the sentinel still stands where the step begins, so that several keepers do no harm: the second one starts
again from what is written.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

from webvigil.app.sentinels.names import title_of
from webvigil.events import VirtualClock
from webvigil.language import parse
from webvigil.model.life import LifeStep, LivingSentinel
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.sentinel import Sentinel
from webvigil.model.wanted import WantedSentinels
from webvigil.rules import notices
from webvigil.rules.life import Life, named_in, spans_of, warning_time
from webvigil.rules.life_rules import Lives, Step
from webvigil.store.promises import Schedule, Sentinels

_log = logging.getLogger("webvigil.keeper")

# A clock that jumps back by more than this was set back, and the lives start again by the new time. Smaller
# jumps are ignored.
_SET_BACK = timedelta(seconds=3)
# How far ahead lives are held in memory. Shorter spans mean more reading, longer ones more memory.
_AHEAD = timedelta(hours=1)


class KeeperStore(Protocol):
    """The parts of the knowledge base that keeping the lives of sentinels needs."""

    schedule: Schedule
    sentinels: Sentinels


class _Kept(NamedTuple):
    """A sentinel as it was read, and its life then."""

    sentinel: LivingSentinel
    life: Life


class Keeper:
    """Advances the lives of all sentinels."""

    def __init__(self, knowledge: KeeperStore) -> None:
        self._knowledge = knowledge
        self._steps: list[Step] = []
        self._start_anew()

    def turn(self) -> int:
        """Lets everything happen that is due by now, and returns how many steps were written."""
        now = as_datetime(self._knowledge.schedule.now())
        if self._clock is not None and not self._clock.now() - _SET_BACK <= now < self._until:
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
        """Returns the seconds until the next life has to be moved on or the next lives have to be read, if
        nobody changes a sentinel meanwhile. A keeper that has to start anew does so at once."""
        if self._clock is None:
            return 0.0
        due = min(self._until, self._clock.next_due() or self._until)
        return max(0.0, (due - self._clock.now()).total_seconds())

    def _start_anew(self) -> None:
        self._revision = 0
        self._until = as_datetime(0)
        self._clock: VirtualClock | None = None
        self._lives: Lives | None = None
        self._known: dict[int, _Kept] = {}
        self._ids: dict[tuple[str, str], int] = {}
        self._steps.clear()

    def _learn(self, now: datetime) -> None:
        """Reads the sentinels that changed since the last turn, and takes their lives up. Lives of one user
        are taken up together, because they may depend on each other."""
        if self._lives is None:
            self._until = now + _AHEAD
        news = self._knowledge.sentinels.news(self._revision, until=as_millis(self._until))
        self._revision = news.revision
        for gone in news.removed:
            self._lose(gone)
        resting = [self._known[one].sentinel for one in news.resting if one in self._known]
        changed = self._with_those_they_name([*news.changed, *self._read_again(resting)])
        lives = self._lives or self._begin(now, changed)
        by_user: dict[str, list[Life]] = {}
        for kept in changed:
            one = kept.sentinel
            self._known[one.id] = kept
            self._ids[one.user, one.name] = one.id
            lives.drop(one.user, one.name)
            by_user.setdefault(one.user, []).append(kept.life)
        for user, taken in by_user.items():
            lives.take_up(user, taken)

    def _lose(self, gone: int) -> None:
        if self._lives is not None and gone in self._known:
            old = self._known.pop(gone).sentinel
            self._ids.pop((old.user, old.name), None)
            self._lives.remove(old.user, old.name)

    def _read_again(self, known: Iterable[LivingSentinel]) -> Iterator[LivingSentinel]:
        """Reads sentinels that were read before, because another life needs theirs, and have changed."""
        names: dict[str, list[str]] = {}
        for one in known:
            names.setdefault(one.user, []).append(one.name)
        for user, mine in names.items():
            yield from self._knowledge.sentinels.living(user, mine)

    def _with_those_they_name(self, changed: list[LivingSentinel]) -> list[_Kept]:
        """Returns those of the sentinels that are news, and the sentinels that their lives name, directly or
        through others, as far as they are not known yet."""
        found: dict[tuple[str, str], _Kept] = {}
        while changed:
            new = [_Kept(one, life_of(one)) for one in changed if self._is_news(one)]
            found |= {(kept.sentinel.user, kept.sentinel.name): kept for kept in new}
            missing: dict[str, set[str]] = {}
            for kept in new:
                user = kept.sentinel.user
                named = {name for name in named_in(kept.life) if (user, name) not in found}
                missing.setdefault(user, set()).update(one for one in named if (user, one) not in self._ids)
            changed = [
                one
                for user, names in missing.items()
                for one in self._knowledge.sentinels.living(user, names)
            ]
        return list(found.values())

    def _begin(self, now: datetime, living: Iterable[_Kept]) -> Lives:
        """Starts the clock at the earliest event that was missed, so that all events happen in order."""
        times = [time for one in living for time in (one.life.record.next_at, warning_time(one.life))]
        self._clock = VirtualClock(min([now, *filter(None, times)]))
        self._lives = Lives(self._clock, self._steps.append)
        return self._lives

    def _is_news(self, one: LivingSentinel) -> bool:
        """Tells whether a sentinel differs from what the keeper knows. The keeper's own steps come back from
        the database, too, and are not news."""
        life = self._lives.life(one.user, one.name) if self._lives else None
        known = self._known.get(one.id)
        if life is None or known is None or self._ids.get((one.user, one.name)) != one.id:
            return True
        return life.record != one.life or known.sentinel.text != one.text

    def _write(self, step: Step) -> bool:
        id_ = self._ids[step.owner, step.after.name]
        sentinel = _sentinel(self._known[id_].sentinel)
        told = [
            notice
            for event in step.events
            for notice in notices.happened(sentinel, step.owner, str(id_), event, partial(self._title, step))
        ]
        after = step.after.record
        for event in step.events:
            _log.info("Recorded %s for sentinel %s of %s.", event.what, event.sentinel, step.owner)
        return self._knowledge.sentinels.live(
            LifeStep(
                sentinel=id_,
                user=step.owner,
                before=step.before,
                after=after,
                events=step.events,
                notices=tuple(told),
            )
        )

    def _title(self, step: Step) -> str:
        """Returns what a person calls the sentinel; "" if it was removed meanwhile."""
        wanted = WantedSentinels(user=step.owner, names=(step.after.name,), limit=1)
        return next((title_of(one) for one in self._knowledge.sentinels.some(wanted)), "")

    def _failed(self) -> bool:
        return bool(self._lives and self._lives.failures)


def life_of(one: LivingSentinel) -> Life:
    return Life(one.name, spans_of(_sentinel(one)), ZoneInfo(one.zone), one.life)


def _sentinel(one: LivingSentinel) -> Sentinel:
    return parse(one.text)[0]
