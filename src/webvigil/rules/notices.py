"""What users are told about the life of their sentinels (V4): installed, near its end, over, failed, and a
page that keeps failing, shows something else in its place, or is back."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.model.doubt import Doubt
from webvigil.model.life import Crossing, LifeEvent
from webvigil.model.moment import as_datetime
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Contact, NotifyAt, Sentinel

FAILURES_BEFORE_TELLING = 5

_SUBJECTS = {
    Crossing.EXPIRING: "{name} will end soon",
    Crossing.EXPIRED: "{name} has ended",
    Crossing.FAILED: "{name} cannot go on",
}


def installed(sentinel: Sentinel, user: str, key: str) -> tuple[Notice, ...]:
    return _to_all(
        sentinel, user, f"installed:{key}", f"{sentinel.name} is installed", {"event": "installed"}
    )


def happened(sentinel: Sentinel, user: str, key: str, event: LifeEvent) -> tuple[Notice, ...]:
    if event.what not in _SUBJECTS:
        return ()
    body = {"event": str(event.what), "at": event.at.isoformat(), "reason": event.reason}
    subject = _SUBJECTS[event.what].format(name=sentinel.name)
    return _to_all(sentinel, user, f"{event.what}:{key}:{event.at.isoformat()}", subject, body)


def page_failing(sentinel: Sentinel, user: str, key: str, url: str, error: str) -> tuple[Notice, ...]:
    body = {"event": "page failing", "url": url, "reason": error}
    return _to_all(sentinel, user, f"failing:{key}", f"{sentinel.name}: {url} keeps failing", body)


def no_page(sentinel: Sentinel, user: str, key: str, url: str, doubt: Doubt) -> tuple[Notice, ...]:
    """The page shows something else in its place."""
    at = as_datetime(doubt.since).isoformat()
    body = {"event": "no page", "url": url, "at": at, "reason": f"It {doubt.said} since then."}
    return _to_all(
        sentinel, user, f"no page:{key}:{doubt.since}", f"{sentinel.name}: {url} {doubt.said}", body
    )


def page_back(sentinel: Sentinel, user: str, key: str, url: str, doubt: Doubt) -> tuple[Notice, ...]:
    body = {"event": "page back", "url": url, "reason": f"Before that it {doubt.was}."}
    return _to_all(sentinel, user, f"page back:{key}:{doubt.since}", f"{sentinel.name}: {url} is back", body)


def _to_all(
    sentinel: Sentinel, user: str, dedup: str, subject: str, body: dict[str, str]
) -> tuple[Notice, ...]:
    return tuple(
        Notice(
            dedup=f"{dedup}:{number}",
            user=user,
            channel=contact.channel,
            address=contact.address,
            subject=subject,
            body={"sentinel": sentinel.name, "topic": sentinel.topic or "", **body},
            sentinel=sentinel.name,
        )
        for number, contact in enumerate(_contacts(sentinel))
    )


def _contacts(sentinel: Sentinel) -> Iterable[Contact]:
    return () if sentinel.notify is NotifyAt.INTERACTIVE else sentinel.contacts
