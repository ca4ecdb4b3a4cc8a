"""The life spans of a user's sentinels in, sentences and a time line for people out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

from webvigil.language import parse
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import Crossing, LivingSentinel
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.sentinel import LifeSpan
from webvigil.model.user import User
from webvigil.rules.life import Life, named_in, spans_of
from webvigil.rules.timeline import timeline, what_comes_next
from webvigil.store.promises import Schedule, Sentinels, Users

HORIZON = timedelta(days=5 * 366)
WORDS = {
    Crossing.STARTED: "starts",
    Crossing.ENDED: "ends",
    Crossing.EXPIRING: "is near its end",
    Crossing.EXPIRED: "has ended",
    Crossing.FAILED: "fails",
}


class _Store(Protocol):
    """The parts of the knowledge base that a time line needs."""

    schedule: Schedule
    sentinels: Sentinels
    users: Users


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a time line. `past` entries have happened, the others are foreseen."""

    at: datetime
    sentinel: str
    what: str
    past: bool


def next_of(sentinels: Sentinels, users: Users, user: str, name: str) -> str:
    return next_for(users.get(user), sentinels.get(user, name))


def next_for(user: User, one: InstalledSentinel) -> str:
    """Returns a sentence on what comes next in the life of a sentinel."""
    return what_comes_next(_life(one, zone_named(user.zone)))


def timeline_of(knowledge: _Store, user: str, name: str | None = None) -> list[Entry]:
    """Returns what has happened and what will happen if nobody interferes, in order of time, for one sentinel
    or for all."""
    sentinels = knowledge.sentinels
    return timeline_for(knowledge, user, sentinels.all(user) if name is None else [sentinels.get(user, name)])


def timeline_for(knowledge: _Store, user: str, some: Sequence[InstalledSentinel]) -> list[Entry]:
    """Returns what has happened and what will happen to some of a user's sentinels, in order of time. They
    are given newest first, and those of the same time stand in the order in which they were written. Apart
    from them only sentinels are read on whose lives theirs depend."""
    now = as_datetime(knowledge.schedule.now())
    zone = zone_named(knowledge.users.get(user).zone)
    own = {one.name: _life(one, zone) for one in reversed(some)}
    lives = own | _relied_on(knowledge.sentinels, user, own, zone)
    past = [entry for life in own.values() for entry in _past(life)]
    future = [
        Entry(event.at, event.sentinel, WORDS[event.what], past=False)
        for event in timeline(lives.values(), now, now + HORIZON)
        if event.sentinel in own
    ]
    return in_order([*past, *future])


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Sorts entries by time; at the same time by what has happened and what is foreseen."""
    return sorted(entries, key=lambda entry: (entry.at, not entry.past))


def _past(life: Life) -> list[Entry]:
    record = life.record
    times = [(record.installed_at, "is installed"), (record.started_at, "starts"), (record.ended_at, "ends")]
    return [Entry(time, life.name, what, past=True) for time, what in times if time is not None]


def _relied_on(sentinels: Sentinels, user: str, lives: Mapping[str, Life], zone: ZoneInfo) -> dict[str, Life]:
    """Returns the other lives on which these depend, directly or through others."""
    found: dict[str, Life] = {}
    new = list(lives.values())
    while new:
        names = {name for life in new for name in named_in(life)} - lives.keys() - found.keys()
        new = [_life(one, zone) for one in sentinels.living(user, names)] if names else []
        found |= {life.name: life for life in new}
    return found


def _life(one: InstalledSentinel | LivingSentinel, zone: ZoneInfo) -> Life:
    return Life(one.name, _spans(one.text), zone, one.life)


# Parsing takes longer than everything else here, and equal texts always give equal life spans.
@lru_cache(maxsize=4096)
def _spans(text: str) -> tuple[LifeSpan, ...]:
    return spans_of(parse(text)[0])
