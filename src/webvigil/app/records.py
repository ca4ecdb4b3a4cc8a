"""How a user's sentinels stand, for summaries and the bulletin (N2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from webvigil.language import parse, print_expression
from webvigil.model.contact import Order
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.notice import Told
from webvigil.model.sentinel import ChangeType, Sentinel
from webvigil.model.summary import SentinelRecord
from webvigil.model.wanted import WantedSentinels
from webvigil.model.work import LastLooks
from webvigil.notify.summary import in_order
from webvigil.store.promises import Knowledge

_ANY_CHANGE = ChangeType("any change")


def records(
    knowledge: Knowledge, user: str, names: Collection[str] | None = None
) -> dict[str, SentinelRecord]:
    """By name; of all sentinels, or of these."""
    if names is None:
        return records_of(knowledge, user, knowledge.sentinels.all(user))
    wanted = WantedSentinels(user=user, names=tuple(names), limit=max(len(names), 1))
    return records_of(knowledge, user, knowledge.sentinels.some(wanted))


def records_of(
    knowledge: Knowledge, user: str, wanted: Sequence[InstalledSentinel]
) -> dict[str, SentinelRecord]:
    """By name, in the order given."""
    looks = knowledge.journal.last_looks([page.id for one in wanted for page in one.pages])
    told = knowledge.outbox.told(user)
    return {one.name: _record(knowledge, one, looks, told.get(one.name)) for one in wanted}


def ordered(found: Iterable[SentinelRecord], order: Order, topic: str = "") -> list[SentinelRecord]:
    """Those of a topic, or all; the one that changed last stands first where nothing else decides."""
    rows = [
        {"record": one, "topic": one.topic, "priority": one.priority, "at": _sortable(one.modified)}
        for one in found
        if topic in ("", one.topic)
    ]
    return [row["record"] for row in in_order(rows, order)]


def _sortable(time: datetime | None) -> str:
    return time.isoformat() if time else ""


def _record(
    knowledge: Knowledge, one: InstalledSentinel, looks: dict[int, LastLooks], told: Told | None
) -> SentinelRecord:
    said = _said(one.text)
    last = knowledge.changes.all(one.user, sentinel=one.name, limit=1) if one.changes else []
    mine = [looks[page.id] for page in one.pages if page.id in looks]
    return SentinelRecord(
        sentinel=one.name,
        state=str(one.state),
        urls=tuple(page.url for page in one.pages),
        type=print_expression(said.monitor or _ANY_CHANGE),
        topic=said.topic or "",
        priority=said.priority or 0,
        modified=last[0].found_at if last else None,
        evaluated=_latest([look.at for look in mine]),
        notified=told.last if told else None,
        seen=_latest([look.seen for look in mine if look.seen is not None]),
        installed=one.installed_at,
        ends=one.life.next_at if one.life.within else one.life.ended_at,
        evaluations=sum(page.checks for page in one.pages),
        notifications=told.count if told else 0,
        changes=one.changes,
    )


@lru_cache(4096)
def _said(text: str) -> Sentinel:
    return parse(text)[0]


def _latest(moments: list[Millis]) -> datetime | None:
    return as_datetime(max(moments)) if moments else None
