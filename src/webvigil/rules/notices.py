"""Notices about sentinels themselves (V4): installed, near its end, over, failed, and in trouble.

Trouble is anything that keeps a sentinel from seeing what it watches: a page that fails or shows something
else in its place, a part that is not there, a broken filter, a version that is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from webvigil.model.doubt import Doubt
from webvigil.model.life import Crossing, LifeEvent
from webvigil.model.moment import as_datetime
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Contact, NotifyAt, Sentinel
from webvigil.model.topics import topics_text
from webvigil.model.trouble import Why
from webvigil.rules.trouble import Turn

_SUBJECTS = {
    Crossing.EXPIRING: "{name} will end soon",
    Crossing.EXPIRED: "{name} has ended",
    Crossing.FAILED: "{name} cannot go on",
}


_BEGUN = {
    Why.FAILING: ("page failing", "{name}: {page} keeps failing"),
    Why.NOTHING: ("matches nothing", "{name}: what is watched is not on {page}"),
    Why.BROKEN: ("filter broken", "{name}: {page} cannot be compared"),
}
_ENDED = {
    Why.FAILING: ("page back", "{name}: {page} is back"),
    Why.NOTHING: ("matches again", "{name}: what is watched is on {page}"),
    Why.BROKEN: ("filter mended", "{name}: {page} is compared again"),
}
_THIS_PAGE = "the page"


class Place(NamedTuple):
    """The page that a notice is about. `title` is "" if it is not known."""

    url: str
    title: str = ""


def installed(sentinel: Sentinel, user: str, key: str, url: str) -> tuple[Notice, ...]:
    """Returns the notices that a sentinel is installed; `url` is its first page."""
    subject = f"{sentinel.title or sentinel.name} is installed"
    return _to_all(sentinel, user, f"installed:{key}", subject, {"event": "installed", "url": url})


def happened(
    sentinel: Sentinel, user: str, key: str, event: LifeEvent, title: Callable[[], str] = str
) -> tuple[Notice, ...]:
    """Returns the notices for an event in a sentinel's life; none for events that users are not told of.
    `title` returns what a person calls the sentinel, and is asked only if somebody is told."""
    if event.what not in _SUBJECTS or not _contacts(sentinel):
        return ()
    sentinel = replace(sentinel, title=sentinel.title or title())
    body = {"event": str(event.what), "at": event.at.isoformat(), "reason": event.reason}
    subject = _SUBJECTS[event.what].format(name=sentinel.title or sentinel.name)
    return _to_all(sentinel, user, f"{event.what}:{key}:{event.at.isoformat()}", subject, body)


def troubles(sentinel: Sentinel, key: str, place: Place, turn: Turn) -> tuple[Notice, ...]:
    """Returns the notices for the beginning or end of a sentinel's trouble with a page. `key` names the
    occasion."""
    told: list[Notice] = []
    before, now = turn.watch.trouble, turn.now
    # A silent turn comes with a change, and the notice of that change already says that something appeared or
    # vanished.
    if turn.ends and not (turn.silent and before.why is Why.NOTHING):
        told += _of_trouble(sentinel, turn, _ENDED[before.why], key, place, "")
    if turn.begins and not (turn.silent and now.why is Why.NOTHING):
        told += _of_trouble(sentinel, turn, _BEGUN[now.why], key, place, now.words)
    return tuple(told)


def _of_trouble(
    sentinel: Sentinel, turn: Turn, told: tuple[str, str], key: str, place: Place, reason: str
) -> tuple[Notice, ...]:
    event, subject = told
    body = {"event": event} | ({"reason": reason} if reason else {})
    # The reason is part of the identity: another reason on the same occasion is told as well.
    said = hashlib.sha256(reason.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    dedup = f"{event}:{turn.watch.sentinel}:{key}:{said}"
    return _about_page(sentinel, turn.watch.user, dedup, subject, body, place)


def no_page(sentinel: Sentinel, user: str, key: str, place: Place, doubt: Doubt) -> tuple[Notice, ...]:
    """Returns the notices that a page shows something else in its place."""
    at = as_datetime(doubt.since).isoformat()
    body = {"event": "no page", "at": at, "reason": f"It {doubt.said} since then."}
    subject = "{name}: {page} {said}"
    return _about_page(sentinel, user, f"no page:{key}:{doubt.since}", subject, body, place, doubt.said)


def page_back(sentinel: Sentinel, user: str, key: str, place: Place, doubt: Doubt) -> tuple[Notice, ...]:
    body = {"event": "page back", "reason": f"Before that it {doubt.was}."}
    subject = "{name}: {page} is back"
    return _about_page(sentinel, user, f"page back:{key}:{doubt.since}", subject, body, place)


def history_lost(sentinel: Sentinel, user: str, key: str, place: Place, reason: str) -> tuple[Notice, ...]:
    """Returns the notices that a version of a page cannot be read any more, so that nobody knows what changed
    since."""
    body = {"event": "history lost", "reason": reason}
    subject = "{name}: part of the history of {page} is lost"
    return _about_page(sentinel, user, f"lost:{key}", subject, body, place)


def _about_page(
    sentinel: Sentinel,
    user: str,
    dedup: str,
    subject: str,
    body: dict[str, str],
    place: Place,
    said: str = "",
) -> tuple[Notice, ...]:
    """Returns the notices about a sentinel on a page. The sentinel is called by the title that it was given,
    or else by that of the page; a page whose title says nothing new is `the page`."""
    title = sentinel.title or place.title
    page = (_THIS_PAGE if title == place.title else place.title) if place.title else place.url
    line = subject.format(name=title or sentinel.name, page=page, said=said)
    return _to_all(replace(sentinel, title=title), user, dedup, line, {"url": place.url, **body})


def _to_all(
    sentinel: Sentinel, user: str, dedup: str, subject: str, body: dict[str, str]
) -> tuple[Notice, ...]:
    """Returns one notice for each contact of the sentinel."""
    who = {"sentinel": sentinel.name, "title": sentinel.title or "", "topic": topics_text(sentinel.topics)}
    return tuple(
        Notice(
            dedup=f"{dedup}:{number}",
            user=user,
            channel=contact.channel,
            address=contact.address,
            subject=subject,
            body={**who, **body},
            sentinel=sentinel.name,
        )
        for number, contact in enumerate(_contacts(sentinel))
    )


def _contacts(sentinel: Sentinel) -> Sequence[Contact]:
    """Returns the contacts to tell; none for an interactive sentinel, whose user reads the dashboard
    instead."""
    return () if sentinel.notify is NotifyAt.INTERACTIVE else sentinel.contacts
