"""The lives of a user's sentinels, for people: what comes next and why, and the whole time line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from webvigil.app.keeper import life_of
from webvigil.model.life import Crossing
from webvigil.model.moment import as_datetime
from webvigil.rules.life import Life
from webvigil.rules.timeline import timeline, what_comes_next
from webvigil.store.promises import Knowledge

HORIZON = timedelta(days=5 * 366)
_WORDS = {
    Crossing.STARTED: "starts",
    Crossing.ENDED: "ends",
    Crossing.EXPIRING: "is near its end",
    Crossing.EXPIRED: "is over",
    Crossing.FAILED: "fails",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a time line. `past` entries have happened, the others are foreseen."""

    at: datetime
    sentinel: str
    what: str
    past: bool


def next_of(knowledge: Knowledge, user: str, name: str) -> str:
    return next(what_comes_next(life) for life in _lives(knowledge, user) if life.name == name)


def timeline_of(knowledge: Knowledge, user: str, name: str | None = None) -> list[Entry]:
    """What has happened and what will, if nobody interferes, in order; of one sentinel or of all."""
    now = as_datetime(knowledge.schedule.now())
    lives = _lives(knowledge, user)
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


def _lives(knowledge: Knowledge, user: str) -> list[Life]:
    return [life_of(one) for one in knowledge.sentinels.news(0).changed if one.user == user]
