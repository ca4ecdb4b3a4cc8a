"""Notices about sentinels themselves (V4): installed, near its end, over, failed, and in trouble.

Trouble is anything that keeps a sentinel from seeing what it watches: a page that fails or shows something
else in its place, a part that is not there, a broken filter, a version that is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

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
    Why.FAILING: ("page failing", "{name}: {url} keeps failing"),
    Why.NOTHING: ("matches nothing", "{name} watches nothing on {url}"),
    Why.BROKEN: ("filter broken", "{name} cannot be compared on {url}"),
}
_ENDED = {
    Why.FAILING: ("page back", "{name}: {url} is back"),
    Why.NOTHING: ("matches again", "{name}: what it watches on {url} is there"),
    Why.BROKEN: ("filter mended", "{name} is compared again on {url}"),
}


def installed(sentinel: Sentinel, user: str, key: str) -> tuple[Notice, ...]:
    return _to_all(
        sentinel, user, f"installed:{key}", f"{_called(sentinel)} is installed", {"event": "installed"}
    )


def happened(sentinel: Sentinel, user: str, key: str, event: LifeEvent) -> tuple[Notice, ...]:
    """Returns the notices for an event in a sentinel's life; none for events that users are not told of."""
    if event.what not in _SUBJECTS:
        return ()
    body = {"event": str(event.what), "at": event.at.isoformat(), "reason": event.reason}
    subject = _SUBJECTS[event.what].format(name=_called(sentinel))
    return _to_all(sentinel, user, f"{event.what}:{key}:{event.at.isoformat()}", subject, body)


def troubles(sentinel: Sentinel, key: str, url: str, turn: Turn) -> tuple[Notice, ...]:
    """Returns the notices for the beginning or end of a sentinel's trouble with a page. `key` names the
    occasion."""
    told: list[Notice] = []
    before, now = turn.watch.trouble, turn.now
    # A silent turn comes with a change, and the notice of that change already says that something appeared or
    # vanished.
    if turn.ends and not (turn.silent and before.why is Why.NOTHING):
        told += _of_trouble(sentinel, turn, _ENDED[before.why], key, url, "")
    if turn.begins and not (turn.silent and now.why is Why.NOTHING):
        told += _of_trouble(sentinel, turn, _BEGUN[now.why], key, url, now.words)
    return tuple(told)


def _of_trouble(
    sentinel: Sentinel, turn: Turn, told: tuple[str, str], key: str, url: str, reason: str
) -> tuple[Notice, ...]:
    event, subject = told
    body = {"event": event, "url": url} | ({"reason": reason} if reason else {})
    # The reason is part of the identity: another reason on the same occasion is told as well.
    said = hashlib.sha256(reason.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    dedup = f"{event}:{turn.watch.sentinel}:{key}:{said}"
    return _to_all(sentinel, turn.watch.user, dedup, subject.format(name=_called(sentinel), url=url), body)


def no_page(sentinel: Sentinel, user: str, key: str, url: str, doubt: Doubt) -> tuple[Notice, ...]:
    """The page shows something else in its place."""
    at = as_datetime(doubt.since).isoformat()
    body = {"event": "no page", "url": url, "at": at, "reason": f"It {doubt.said} since then."}
    return _to_all(
        sentinel, user, f"no page:{key}:{doubt.since}", f"{_called(sentinel)}: {url} {doubt.said}", body
    )


def page_back(sentinel: Sentinel, user: str, key: str, url: str, doubt: Doubt) -> tuple[Notice, ...]:
    body = {"event": "page back", "url": url, "reason": f"Before that it {doubt.was}."}
    return _to_all(
        sentinel, user, f"page back:{key}:{doubt.since}", f"{_called(sentinel)}: {url} is back", body
    )


def history_lost(sentinel: Sentinel, user: str, key: str, url: str, reason: str) -> tuple[Notice, ...]:
    """Returns the notices that a version of a page cannot be read any more, so that nobody knows what changed
    since."""
    body = {"event": "history lost", "url": url, "reason": reason}
    return _to_all(
        sentinel, user, f"lost:{key}", f"{_called(sentinel)}: part of the history of {url} is lost", body
    )


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


def _called(sentinel: Sentinel) -> str:
    return sentinel.title or sentinel.name


def _contacts(sentinel: Sentinel) -> Iterable[Contact]:
    """Returns the contacts to tell; none for an interactive sentinel, whose user reads the dashboard
    instead."""
    return () if sentinel.notify is NotifyAt.INTERACTIVE else sentinel.contacts
