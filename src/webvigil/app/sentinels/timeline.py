"""The life spans of a user's sentinels in, sentences and a time line for people out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

from webvigil.errors import NotFound
from webvigil.language import parse
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import Crossing
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.sentinel import AtEvent, LifeSpan
from webvigil.model.user import User
from webvigil.rules.life import Life, spans_of
from webvigil.rules.timeline import timeline, what_comes_next
from webvigil.store.promises import Schedule, Sentinels, Users

HORIZON = timedelta(days=5 * 366)
_WORDS = {
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
    now = as_datetime(knowledge.schedule.now())
    lives = (
        _lives(knowledge.sentinels, knowledge.users, user)
        if name is None
        else _tied_to(knowledge.sentinels, knowledge.users, user, name)
    )
    past = [entry for life in lives for entry in _past(life)]
    future = [
        Entry(event.at, event.sentinel, _WORDS[event.what], past=False)
        for event in timeline(lives, now, now + HORIZON)
    ]
    every = sorted([*past, *future], key=lambda entry: entry.at)
    return [entry for entry in every if name in (None, entry.sentinel)]


def _past(life: Life) -> list[Entry]:
    record = life.record
    times = [(record.installed_at, "is installed"), (record.started_at, "starts"), (record.ended_at, "ends")]
    return [Entry(time, life.name, what, past=True) for time, what in times if time is not None]


def _lives(sentinels: Sentinels, users: Users, user: str) -> list[Life]:
    """Returns the lives of all sentinels, the oldest first, so that sentinels of the same time stand in the
    order in which they were written."""
    zone = zone_named(users.get(user).zone)
    return [_life(one, zone) for one in reversed(sentinels.all(user))]


def _tied_to(sentinels: Sentinels, users: Users, user: str, name: str) -> list[Life]:
    """Returns the life of one sentinel and the lives that it depends on. Other sentinels are not read,
    however many there are."""
    zone = zone_named(users.get(user).zone)
    found = {name: _life(sentinels.get(user, name), zone)}
    waiting = _awaited(found[name])
    while waiting:
        other = waiting.pop()
        if other not in found:
            try:
                found[other] = _life(sentinels.get(user, other), zone)
            except NotFound:
                continue
            waiting += _awaited(found[other])
    return list(found.values())


def _awaited(life: Life) -> list[str]:
    points = [point for span in life.spans for point in (span.start, span.end)]
    return [point.sentinel for point in points if isinstance(point, AtEvent)]


def _life(one: InstalledSentinel, zone: ZoneInfo) -> Life:
    return Life(one.name, _spans(one.text), zone, one.life)


# Parsing takes longer than everything else here, and equal texts always give equal life spans.
@lru_cache(maxsize=4096)
def _spans(text: str) -> tuple[LifeSpan, ...]:
    return spans_of(parse(text)[0])
