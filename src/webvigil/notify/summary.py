"""Several notices of a user in, one summary out: amounts first, entries in the user's order (N2, N3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from webvigil.detect.headline import titled
from webvigil.model.contact import Order
from webvigil.model.moment import as_datetime
from webvigil.model.notice import AT_ONCE, BEST_EFFORT, Notice, Waiting
from webvigil.model.summary import SentinelRecord
from webvigil.model.topics import topics_in
from webvigil.notify.amounts import in_words
from webvigil.notify.message import first_object

if TYPE_CHECKING:
    from webvigil.model.shapes import StandingShape

# A summary lists at most so many entries and says how many more there are.
ENTRIES_TOLD = 200
_ADDED = ("new", "gone", "updated", "moved", "links_added", "links_gone", "score")

Records = Mapping[str, SentinelRecord]


def summary(waiting: Sequence[Waiting], order: Order, records: Records | None = None) -> Notice:
    """Returns one notice that replaces the waiting ones. Its id is made of the first and the last id."""
    first, last = waiting[0], waiting[-1]
    entries = [entry for one in waiting for entry in _entries(one)]
    body = summed_up(entries, order, records or {}, _left_out(waiting))
    return Notice(
        dedup=f"summary:{first.id}-{last.id}:{first.notice.queue[:12]}",
        user=first.notice.user,
        channel=first.notice.channel,
        address=first.notice.address,
        subject=_subject(body),
        body=body,
        sentinel=first.notice.sentinel if len(_names(entries)) == 1 else "",
        lane=BEST_EFFORT if first.notice.lane == BEST_EFFORT else AT_ONCE,
    )


def in_order(entries: Sequence[dict[str, Any]], order: Order) -> list[dict[str, Any]]:
    """Sorts entries: newest first, by priority, or by topic. Equal entries are newest first."""
    newest_first = sorted(entries, key=lambda entry: str(entry.get("at", "")), reverse=True)
    match order:
        case "priority":
            return sorted(newest_first, key=lambda entry: -int(entry.get("priority") or 0))
        case "topic":
            return sorted(newest_first, key=lambda entry: _topic(entry))
        case _:
            return newest_first


def record_as_json(record: SentinelRecord) -> StandingShape:
    return {
        "sentinel": record.sentinel,
        "title": record.title,
        "state": record.state,
        "urls": list(record.urls),
        "type": record.type,
        "watches": record.watches,
        "topic": record.topic,
        "priority": record.priority,
        "modified": _iso(record.modified),
        "evaluated": _iso(record.evaluated),
        "notified": _iso(record.notified),
        "last_seen": _iso(record.seen),
        "installed": _iso(record.installed),
        "ends": _iso(record.ends),
        "evaluations": record.evaluations,
        "notifications": record.notifications,
        "changes": record.changes,
    }


def summed_up(
    entries: Sequence[dict[str, Any]], order: Order, records: Records, left_out: int = 0
) -> dict[str, Any]:
    """Returns the body of a summary: amounts, entries in order, and the records of the sentinels."""
    shown = in_order(entries, order)[:ENTRIES_TOLD]
    names = _names(entries)
    changes = [entry for entry in entries if entry.get("event") == "change"]
    how_much = _total([entry.get("amounts") or {} for entry in changes])
    more = len(entries) - len(shown) + left_out
    return {
        "event": "summary",
        "order": order,
        "important": any(entry.get("important") for entry in entries),
        "changes": len(changes) + left_out,
        "news": len(entries) + left_out,
        "sentinels": len(names),
        "summary": in_words(how_much),
        "amounts": how_much,
        "topics": sorted({topic for entry in entries for topic in topics_in(str(entry.get("topic") or ""))}),
        "entries": shown,
        "records": [record_as_json(records[name]) for name in names if name in records],
        **({"more": more} if more else {}),
    }


def _entries(waiting: Waiting) -> list[dict[str, Any]]:
    """Returns the entries of a notice. A summary that had to wait is taken apart again."""
    body = waiting.notice.body
    if body.get("event") == "summary":
        return list(body["entries"])
    at = body.get("at") or as_datetime(waiting.since).isoformat()
    entry = {name: value for name, value in body.items() if name != "findings"}
    if "message" in body:
        entry |= first_object(body.get("findings", ()))
    return [{"sentinel": waiting.notice.sentinel, "subject": waiting.notice.subject, **entry, "at": at}]


def _left_out(waiting: Sequence[Waiting]) -> int:
    """Returns how many entries earlier summaries among these notices have already left out."""
    return sum(int(one.notice.body.get("more") or 0) for one in waiting if _is_summary(one))


def _is_summary(one: Waiting) -> bool:
    return one.notice.body.get("event") == "summary"


def _total(amounts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Adds the amounts of several changes. Shares of different pages cannot be added, so the share is 0."""
    return {
        "types": list(dict.fromkeys(name for one in amounts for name in one.get("types", ()))),
        **{name: sum(int(one.get(name) or 0) for one in amounts) for name in _ADDED},
        "share": 0.0,
    }


def _subject(body: dict[str, Any]) -> str:
    mark = "[important] " if body["important"] else ""
    sentinels = body["sentinels"]
    who = next((str(e.get("title") or e.get("sentinel")) for e in body["entries"]), "")
    about = who if sentinels == 1 else f"{sentinels} sentinels"
    if body["changes"]:
        named = next(
            (f", among them {_headline(e, about)}" for e in body["entries"] if e.get("headline")), ""
        )
        return f"{mark}{about}: {_count(body['changes'], 'change')}{named}"
    return f"{mark}{about}: {_count(body['news'], 'piece')} of news"


def _headline(entry: Mapping[str, Any], about: str) -> str:
    """Returns the headline of an entry, with its title unless the subject begins with the title anyway."""
    title = str(entry.get("title") or entry.get("sentinel") or "")
    return str(entry["headline"]) if title == about else titled(str(entry["headline"]), title)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _names(entries: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(entry.get("sentinel") or "") for entry in entries))


def _topic(entry: dict[str, Any]) -> tuple[bool, str]:
    """Returns a sort key by topic. Entries without a topic come last."""
    topic = str(entry.get("topic") or "")
    return not topic, topic.casefold()


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
