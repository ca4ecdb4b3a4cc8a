"""Which notices a change calls for: one for each contact, known by a name that never changes."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.model.change import Finding, finding_as_json
from webvigil.model.notice import Notice
from webvigil.model.sentinel import NotifyAt, Sentinel
from webvigil.model.work import DuePage, Watch


def notices_for(
    sentinel: Sentinel, watch: Watch, due: DuePage, new_version: int, findings: Iterable[Finding]
) -> tuple[Notice, ...]:
    if sentinel.notify is NotifyAt.INTERACTIVE:
        return ()
    body = {
        "sentinel": watch.name,
        "url": due.page.url,
        "old_version": watch.reference,
        "new_version": new_version,
        "findings": [finding_as_json(finding) for finding in findings],
    }
    return tuple(
        Notice(
            dedup=f"{due.id}:{watch.sentinel}:{watch.reference}-{new_version}:{number}",
            user=watch.user,
            channel=contact.channel,
            address=contact.address,
            subject=f"{watch.name}: {due.page.url} has changed",
            body=body,
        )
        for number, contact in enumerate(sentinel.contacts)
    )
