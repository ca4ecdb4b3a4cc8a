"""A user's changes in, summaries by day, week or topic out, in the form of summary notices (N2, N3).

The changes of some days are read in one query and grouped. Each group is summed up by the same function that
makes the summaries which are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from webvigil.app.telling.standings import RecordStore, records
from webvigil.detect.headline import headline
from webvigil.model.change import Change
from webvigil.model.contact import Order
from webvigil.model.summary import SentinelRecord
from webvigil.model.topics import topics_in
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.notify.notices import how_much
from webvigil.notify.summary import summed_up
from webvigil.store.promises import Sentinels

By = Literal["day", "week", "topic"]
# Changes and sentinels on one page of summaries; `Summaries.cut` tells that there were more changes.
MOST_CHANGES = 300
MOST_RECORDS = 30
# Days that one page of summaries covers.
_STRETCH = {"day": 7, "week": 28, "topic": 28}


@dataclass(frozen=True, slots=True)
class Group:
    """The changes of one day, week or topic. `since` is the day or the first day of the week, None for a
    topic; `said` is the body of a summary notice."""

    since: date | None
    topic: str
    said: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summaries:
    """The summaries of the days from `first` to `last`. `cut` tells that there were more changes than are
    summed up, and that the oldest are missing."""

    first: date
    last: date
    groups: tuple[Group, ...]
    records: tuple[SentinelRecord, ...]
    cut: bool


def summaries(
    knowledge: RecordStore, user: str, by: By, order: Order, zone: ZoneInfo, last: date, topic: str = ""
) -> Summaries:
    """Returns the summaries of the days that end with `last`, counted in `zone`. With `by` "week", whole
    weeks are covered."""
    end = last + timedelta(days=6 - last.weekday()) if by == "week" else last
    first = end - timedelta(days=_STRETCH[by] - 1)
    wanted = WantedChanges(
        user=user,
        topic=topic or None,
        since=_midnight(first, zone),
        until=_midnight(end + timedelta(days=1), zone),
        limit=MOST_CHANGES + 1,
    )
    found = knowledge.changes.some(wanted)
    told = found[:MOST_CHANGES]
    priorities = _priorities(knowledge.sentinels, user, told)
    names = list(dict.fromkeys(one.sentinel for one in told))[:MOST_RECORDS]
    known = records(knowledge, user, names) if names else {}
    return Summaries(
        first,
        end,
        tuple(_groups(told, by, order, zone, priorities)),
        tuple(known[name] for name in names if name in known),
        cut=len(found) > MOST_CHANGES,
    )


def _groups(
    changes: Sequence[Change], by: By, order: Order, zone: ZoneInfo, priorities: dict[str, int]
) -> Iterable[Group]:
    """Yields the groups, the newest first; topics sorted by name, changes without a topic last."""
    together: dict[tuple[date | None, str], list[dict[str, Any]]] = {}
    for change in changes:
        entry = _entry(change, priorities.get(change.sentinel, 0))
        for key in _keys(change, by, zone):
            together.setdefault(key, []).append(entry)
    keys = sorted(together, key=lambda key: (not key[1], key[1].casefold())) if by == "topic" else together
    for since, topic in keys:
        yield Group(since, topic, summed_up(together[since, topic], order, {}))


def _keys(change: Change, by: By, zone: ZoneInfo) -> list[tuple[date | None, str]]:
    """Returns the groups of a change: its day or week, or each of its topics."""
    if by == "topic":
        return [(None, topic) for topic in topics_in(change.topic) or ("",)]
    day = change.found_at.astimezone(zone).date()
    return [(day - timedelta(days=day.weekday()) if by == "week" else day, "")]


def _entry(change: Change, priority: int) -> dict[str, Any]:
    return {
        "event": "change",
        "id": change.id,
        "sentinel": change.sentinel,
        "title": change.title,
        "topic": change.topic,
        "url": change.url,
        "at": change.found_at.isoformat(),
        "seen": change.seen,
        "headline": headline(change.findings),
        **how_much(change.findings, priority),
    }


def _priorities(sentinels: Sentinels, user: str, changes: Sequence[Change]) -> dict[str, int]:
    names = tuple({one.sentinel for one in changes})
    if not names:
        return {}
    found = sentinels.some(WantedSentinels(user=user, names=names, limit=len(names)))
    return {one.name: one.priority for one in found}


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone)
