"""A user's sentinels in, a record of each out: last looks, last change, last notice (N2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Protocol

from webvigil.app.sentinels.names import title_of
from webvigil.app.sentinels.watched import in_short, monitored
from webvigil.language import print_expression
from webvigil.model.contact import Order
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.notice import Told
from webvigil.model.sentinel import ChangeExpression
from webvigil.model.summary import SentinelRecord
from webvigil.model.topics import has_topic
from webvigil.model.wanted import WantedSentinels
from webvigil.model.work import LastLooks
from webvigil.notify.summary import in_order
from webvigil.store.promises import Changes, Journal, Outbox, Sentinels


class RecordStore(Protocol):
    """The parts of the knowledge base that the record of a sentinel needs."""

    changes: Changes
    journal: Journal
    outbox: Outbox
    sentinels: Sentinels


def records(
    knowledge: RecordStore, user: str, names: Collection[str] | None = None
) -> dict[str, SentinelRecord]:
    """Returns the records of all sentinels of a user, or of the named ones, by name."""
    if names is None:
        return records_of(knowledge, user, knowledge.sentinels.all(user))
    wanted = WantedSentinels(user=user, names=tuple(names), limit=max(len(names), 1))
    return records_of(knowledge, user, knowledge.sentinels.some(wanted))


def records_of(
    knowledge: RecordStore, user: str, wanted: Sequence[InstalledSentinel]
) -> dict[str, SentinelRecord]:
    """Returns the records of these sentinels by name, in the order given."""
    looks = knowledge.journal.last_looks([page.id for one in wanted for page in one.pages])
    found = knowledge.changes.last_found([one.id for one in wanted if one.changes])
    told = knowledge.outbox.told(user, [one.name for one in wanted])
    return {one.name: _record(one, looks, found.get(one.id), told.get(one.name)) for one in wanted}


def ordered(found: Iterable[SentinelRecord], order: Order, topic: str = "") -> list[SentinelRecord]:
    """Returns the records in the wanted order, only those of `topic` if given. Where the order does not
    decide, the sentinel that changed last stands first."""
    rows = [
        {"record": one, "topic": one.topic, "priority": one.priority, "at": _sortable(one.modified)}
        for one in found
        if has_topic(one.topic, topic or None)
    ]
    return [row["record"] for row in in_order(rows, order)]


def _sortable(time: datetime | None) -> str:
    return time.isoformat() if time else ""


def _record(
    one: InstalledSentinel, looks: dict[int, LastLooks], modified: datetime | None, told: Told | None
) -> SentinelRecord:
    mine = [looks[page.id] for page in one.pages if page.id in looks]
    return SentinelRecord(
        sentinel=one.name,
        title=title_of(one),
        state=str(one.state),
        urls=tuple(page.url for page in one.pages),
        type=type_of(one.text),
        watches=in_short(one.text),
        topic=one.topic,
        priority=one.priority,
        modified=modified,
        evaluated=_latest([look.at for look in mine]),
        notified=told.last if told else None,
        seen=_latest([look.seen for look in mine if look.seen is not None]),
        installed=one.installed_at,
        ends=one.life.next_at if one.life.within else one.life.ended_at,
        evaluations=sum(page.checks for page in one.pages),
        notifications=told.count if told else 0,
        changes=one.changes,
    )


def type_of(text: str) -> str:
    """Returns what a sentinel watches, in the words of the language."""
    return _printed(monitored(text))


@lru_cache(4096)
def _printed(expression: ChangeExpression) -> str:
    return print_expression(expression)


def _latest(moments: list[Millis]) -> datetime | None:
    return as_datetime(max(moments)) if moments else None
