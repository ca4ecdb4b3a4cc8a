"""The feeds of a user: of everything, of a topic, of one sentinel (N4)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from webvigil.app.records import records
from webvigil.model.change import Change
from webvigil.model.contact import KnownContact
from webvigil.notify.feed import Entry, Feed, as_atom
from webvigil.present.lines import amounts, lines
from webvigil.store.promises import Knowledge

SHOWN = 100
LINES_SHOWN = 40
_PLACE = "installation"


def atom_of(knowledge: Knowledge, feed: KnownContact, *, address: str, home: str) -> bytes:
    kind, _, name = feed.address.partition(":")
    topics = {one: record.topic for one, record in records(knowledge, feed.user).items()}
    made = Feed(
        place=place_of(knowledge),
        key=f"feed/{feed.user}/{feed.address}",
        title=f"WebVigil: {name or 'changes'}" + (f" ({kind})" if kind == "topic" else ""),
        author=feed.user,
        address=address,
        home=home,
        entries=[
            _entry(change, home, topics) for change in _changes(knowledge, feed.user, kind, name, topics)
        ],
    )
    return as_atom(made)


def place_of(knowledge: Knowledge) -> str:
    """The name of this installation, made when it is first asked for."""
    known = knowledge.journal.fact(_PLACE)
    if known is None:
        knowledge.journal.remember(_PLACE, secrets.token_hex(8))
        known = knowledge.journal.fact(_PLACE)
    return str(known)


def _changes(
    knowledge: Knowledge, user: str, kind: str, name: str, topics: Mapping[str, str]
) -> list[Change]:
    if kind == "sentinel":
        return knowledge.changes.all(user, sentinel=name, limit=SHOWN)
    if kind != "topic":
        return knowledge.changes.all(user, limit=SHOWN)
    members = [one for one, topic in topics.items() if topic == name]
    found = [change for one in members for change in knowledge.changes.all(user, sentinel=one, limit=SHOWN)]
    return sorted(found, key=lambda change: -change.id)[:SHOWN]


def _entry(change: Change, home: str, topics: Mapping[str, str]) -> Entry:
    told = [f"{finding.type}: {line}" for finding in change.findings for line in lines(finding)]
    more = [f"… and {len(told) - LINES_SHOWN} more"] if len(told) > LINES_SHOWN else []
    return Entry(
        key=f"change/{change.user}/{change.sentinel}/{change.page}/{change.old_version}-{change.new_version}",
        title=f"{change.sentinel}: {amounts(change.findings) or 'changed'}",
        link=f"{home}/changes/{change.id}",
        at=change.found_at,
        lines=(change.url, *told[:LINES_SHOWN], *more),
        topic=topics.get(change.sentinel, ""),
    )
