"""A user's feed in, Atom out: of everything, of a topic, or of one sentinel (N4)."""

from __future__ import annotations

import secrets

from webvigil.detect.headline import headline, titled
from webvigil.model.change import Change
from webvigil.model.contact import KnownContact
from webvigil.model.wanted import WantedChanges
from webvigil.notify.feed import Entry, Feed, as_atom
from webvigil.present.lines import lines
from webvigil.store.promises import Changes, Journal

SHOWN = 100
LINES_SHOWN = 40
_PLACE = "installation"


def atom_of(changes: Changes, journal: Journal, feed: KnownContact, *, address: str, home: str) -> bytes:
    kind, _, name = feed.address.partition(":")
    found = _changes(changes, feed.user, kind, name)
    if kind == "sentinel" and found:
        name = found[0].title or name
    made = Feed(
        place=place_of(journal),
        key=f"feed/{feed.user}/{feed.address}",
        title=f"WebVigil: {name or 'changes'}" + (f" ({kind})" if kind == "topic" else ""),
        author=feed.user,
        address=address,
        home=home,
        entries=[_entry(change, home) for change in found],
    )
    return as_atom(made)


def place_of(journal: Journal) -> str:
    """Returns the random name of this installation, which entries of feeds use as identity, and creates it
    when first needed."""
    known = journal.fact(_PLACE)
    if known is None:
        journal.remember(_PLACE, secrets.token_hex(8))
        known = journal.fact(_PLACE)
    return str(known)


def _changes(changes: Changes, user: str, kind: str, name: str) -> list[Change]:
    of_one = name if kind == "sentinel" else None
    of_topic = name if kind == "topic" else None
    return changes.some(WantedChanges(user=user, sentinel=of_one, topic=of_topic, limit=SHOWN))


def _page(change: Change) -> tuple[str, ...]:
    """Returns what names the page of a change: its title, then the sentinel and the address."""
    about = f"{change.sentinel} · {change.url}"
    return (change.title, about) if change.title else (about,)


def _entry(change: Change, home: str) -> Entry:
    told = [f"{finding.type}: {line}" for finding in change.findings for line in lines(finding)]
    more = [f"… and {len(told) - LINES_SHOWN} more"] if len(told) > LINES_SHOWN else []
    return Entry(
        key=f"change/{change.user}/{change.sentinel}/{change.page}/{change.old_version}-{change.new_version}",
        title=titled(headline(change.findings), change.title or change.sentinel),
        link=f"{home}/changes/{change.id}",
        at=change.found_at,
        lines=(*_page(change), *told[:LINES_SHOWN], *more),
        topic=change.topic,
    )
