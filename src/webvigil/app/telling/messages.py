"""A message in a user's own words in, what it says about the last change out."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from webvigil.errors import SentinelRefused
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.message import Message, trouble_with
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Sentinel
from webvigil.model.wanted import WantedChanges
from webvigil.notify.notices import report_of, subject_of, told_body
from webvigil.notify.render import Renderer
from webvigil.store.promises import Changes

_EXAMPLE = Finding(
    type="value",
    objects=(
        ObjectChange("price", Status.UPDATED, before="€ 49.90", after="€ 44.90", label="Aurora lamp · Price"),
    ),
)


class Previewed(NamedTuple):
    """A message as a reader would get it. `change` is the change it tells; None if the sentinel has none yet
    and an example is told instead."""

    title: str
    text: str
    change: Change | None


def previewed(
    changes: Changes, renderer: Renderer, user: str, sentinel: Sentinel, message: Message | None
) -> Previewed:
    """Returns what a notice would say about the last change of the sentinel, with this message or, if it is
    None, in our words. Raises SentinelRefused for a message that cannot be used."""
    if message and (trouble := trouble_with(message)):
        raise SentinelRefused(trouble)
    last = next(iter(changes.some(WantedChanges(user=user, sentinel=sentinel.name, limit=1))), None)
    body = _body(sentinel, last) | ({"message": asdict(message)} if message else {})
    subject = subject_of(body)
    notice = Notice(dedup="preview", user=user, channel="log", address="", subject=subject, body=body)
    rendered = renderer.render(notice)
    return Previewed(rendered.subject, rendered.text, last)


def _body(sentinel: Sentinel, change: Change | None) -> dict[str, Any]:
    findings = change.findings if change else (_EXAMPLE,)
    title = sentinel.title or (change.title if change else "")
    return told_body(
        replace(sentinel, title=title),
        report_of(findings),
        url=change.url if change else "https://shop.example/lamp",
        page=change.page if change else 0,
        versions=(change.old_version, change.new_version) if change else (1, 2),
        at=change.found_at if change else datetime.now(UTC),
    )
