"""What was found, summed up: by day, by week or by topic, each as a summary notice says it (N2, N3).

A stretch of days is looked at in one go, and the changes in it are put together. What is said of each group
is made by the same hands as the summaries that are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from webvigil.app.telling.standings import records
from webvigil.model.change import Change
from webvigil.model.contact import Order
from webvigil.model.summary import SentinelRecord
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.notify.notices import how_much
from webvigil.notify.summary import summed_up
from webvigil.store.promises import Knowledge

By = Literal["day", "week", "topic"]
MOST_CHANGES = 300
MOST_RECORDS = 30
_STRETCH = {"day": 7, "week": 28, "topic": 28}


@dataclass(frozen=True, slots=True)
class Group:
    """`since`: the day, or the first of the week; None for a topic. `said`: the body of a summary notice."""

    since: date | None
    topic: str
    said: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summaries:
    """The days from `first` to `last`. `cut`: there were more changes than are summed up, the oldest are left
    out."""

    first: date
    last: date
    groups: tuple[Group, ...]
    records: tuple[SentinelRecord, ...]
    cut: bool


def summaries(
    knowledge: Knowledge, user: str, by: By, order: Order, zone: ZoneInfo, last: date, topic: str = ""
) -> Summaries:
    """Of the days that end with `last`; a week that is looked at is whole. Days are those of the zone."""
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
    priorities = _priorities(knowledge, user, told)
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
    """The newest first; topics by their names, and what has none at the end."""
    together: dict[tuple[date | None, str], list[dict[str, Any]]] = {}
    for change in changes:
        entry = _entry(change, priorities.get(change.sentinel, 0))
        together.setdefault(_key(change, by, zone), []).append(entry)
    keys = sorted(together, key=lambda key: (not key[1], key[1].casefold())) if by == "topic" else together
    for since, topic in keys:
        yield Group(since, topic, summed_up(together[since, topic], order, {}))


def _key(change: Change, by: By, zone: ZoneInfo) -> tuple[date | None, str]:
    if by == "topic":
        return None, change.topic
    day = change.found_at.astimezone(zone).date()
    return (day - timedelta(days=day.weekday()) if by == "week" else day), ""


def _entry(change: Change, priority: int) -> dict[str, Any]:
    return {
        "event": "change",
        "id": change.id,
        "sentinel": change.sentinel,
        "topic": change.topic,
        "url": change.url,
        "at": change.found_at.isoformat(),
        "seen": change.seen,
        **how_much(change.findings, priority),
    }


def _priorities(knowledge: Knowledge, user: str, changes: Sequence[Change]) -> dict[str, int]:
    names = tuple({one.sentinel for one in changes})
    if not names:
        return {}
    found = knowledge.sentinels.some(WantedSentinels(user=user, names=names, limit=len(names)))
    return {one.name: one.priority for one in found}


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone)
