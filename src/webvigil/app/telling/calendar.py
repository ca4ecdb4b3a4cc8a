"""A user's feed in, a calendar out: when its sentinels look next, begin and end (N7).

A calendar is of everything, of a topic or of one sentinel, as the feed is that has the same secret.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from urllib.parse import quote

from webvigil.app.sentinels.names import title_of
from webvigil.app.sentinels.portrait import scheduled_looks
from webvigil.app.sentinels.timeline import WORDS, timeline_for
from webvigil.app.telling.feeds import place_of
from webvigil.model.contact import KnownContact
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import LONGEST_WARNING, Crossing
from webvigil.model.moment import as_millis
from webvigil.model.sentinel import State
from webvigil.model.topics import topics_in
from webvigil.model.wanted import WantedSentinels
from webvigil.notify.ical import Calendar, Event, as_ical
from webvigil.store.promises import Journal, Schedule, Sentinels, Users

MOST_SENTINELS = 500
"""The newest ones. Their lives are foretold within a fifth of a second."""
MOST_LOOKS = 10
"""Of one sentinel that has a schedule."""
MOST_ADDRESSES = 5
_AGAIN = timedelta(hours=1)
_BEGINS, _ENDS, _WARNS = (WORDS[one] for one in (Crossing.STARTED, Crossing.EXPIRED, Crossing.EXPIRING))


class _Store(Protocol):
    """The parts of the knowledge base that a calendar needs."""

    journal: Journal
    schedule: Schedule
    sentinels: Sentinels
    users: Users


def ical_of(knowledge: _Store, feed: KnownContact, *, home: str) -> bytes:
    kind, _, name = feed.address.partition(":")
    wanted = WantedSentinels(
        user=feed.user,
        names=(name,) if kind == "sentinel" else None,
        topic=name if kind == "topic" else None,
        limit=MOST_SENTINELS,
    )
    some = knowledge.sentinels.some(wanted)
    zone = knowledge.users.get(feed.user).zone
    looks = [event for one in some for event in _looks(one, zone, home)]
    made = Calendar(
        place=place_of(knowledge.journal),
        title=f"WebVigil: {_called(kind, name, some) or 'looks and ends'}",
        again=_AGAIN,
        events=sorted([*looks, *_lives(knowledge, feed.user, some, home)], key=lambda one: (one.at, one.key)),
    )
    return as_ical(made)


def _called(kind: str, name: str, some: Sequence[InstalledSentinel]) -> str:
    """Returns what the calendar is of: a topic, or a sentinel by its title."""
    if kind == "sentinel":
        return title_of(some[0]) if some else name
    return f"{name} (topic)" if name else ""


def _looks(one: InstalledSentinel, zone: str, home: str) -> Iterator[Event]:
    """Yields the next look of an active sentinel; of one with a schedule, the next few."""
    if one.state is not State.ACTIVE:
        return
    due = min((page.due for page in one.pages if page.due), default=None)
    for at in scheduled_looks(one, zone, MOST_LOOKS) or ((due,) if due else ()):
        yield _event(one, at, "look", f"Look: {title_of(one)}", home)


def _lives(knowledge: _Store, user: str, some: list[InstalledSentinel], home: str) -> Iterator[Event]:
    """Yields the starts and ends that are foreseen. A reminder of an end comes when the user is warned, or a
    day before if that has happened already."""
    known = {one.name: one for one in some}
    foreseen: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
    for entry in timeline_for(knowledge, user, some):
        if not entry.past:
            foreseen[entry.what].append((entry.sentinel, entry.at))
    warned = dict(foreseen[_WARNS])
    for name, at in foreseen[_ENDS]:
        remind = min(at - warned[name], LONGEST_WARNING) if name in warned else timedelta(days=1)
        yield _event(known[name], at, "end", f"{title_of(known[name])} ends", home, remind)
    for name, at in foreseen[_BEGINS]:
        yield _event(known[name], at, "start", f"{title_of(known[name])} starts", home)


def _event(
    one: InstalledSentinel, at: datetime, what: str, title: str, home: str, remind: timedelta | None = None
) -> Event:
    return Event(
        key=f"{what}/{one.user}/{one.id}/{as_millis(at)}",
        at=at,
        known_since=one.installed_at,
        title=title,
        lines=(one.name, *_addresses(one)) if title_of(one) != one.name else tuple(_addresses(one)),
        link=f"{home}/sentinels/{quote(one.name, safe='')}",
        topics=topics_in(one.topic),
        remind=remind,
    )


def _addresses(one: InstalledSentinel) -> Iterable[str]:
    shown = [page.url for page in one.pages[:MOST_ADDRESSES]]
    more = len(one.pages) - len(shown)
    return [*shown, f"and {more} more"] if more else shown
