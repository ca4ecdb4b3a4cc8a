"""Values as plain data for programs: the JSON of the API and of `--json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from webvigil.app.telling.shares import Share
from webvigil.model.change import Change, finding_as_json
from webvigil.model.contact import KnownContact
from webvigil.model.installed import ToldSentinel, WatchedPage
from webvigil.model.notice import OutboxRecord
from webvigil.model.portrait import Portrait, WatchedNow
from webvigil.model.version import Version

if TYPE_CHECKING:
    from webvigil.app.sentinels.quiet import Proposal
    from webvigil.app.sentinels.timeline import Entry


def change_as_json(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "sentinel": change.sentinel,
        "url": change.url,
        "page": change.page,
        "old_version": change.old_version,
        "new_version": change.new_version,
        "found_at": change.found_at.isoformat(),
        "changed": True,
        "findings": [finding_as_json(finding) for finding in change.findings],
        "topic": change.topic,
        "seen": change.seen,
        "note": change.note,
    }


def share_as_json(share: Share) -> dict[str, Any]:
    return {
        "id": share.id,
        "change": share.change,
        "created_at": share.created_at.isoformat(),
        "expires_at": share.expires_at.isoformat(),
        "used_at": share.used_at.isoformat() if share.used_at else None,
    }


def sentinel_as_json(sentinel: ToldSentinel) -> dict[str, Any]:
    return {
        "name": sentinel.name,
        "state": str(sentinel.state),
        "installed_at": sentinel.installed_at.isoformat(),
        "changes": sentinel.changes,
        "pages": [page_as_json(page) for page in sentinel.pages],
        "linked": sentinel.linked,
        "full": sentinel.full,
        "text": sentinel.text,
    }


def portrait_as_json(portrait: Portrait) -> dict[str, Any]:
    return sentinel_as_json(portrait.sentinel) | {
        "next": portrait.next,
        "pace": dict(portrait.pace),
        "trouble": dict(portrait.trouble),
        "linked_pages": [page_as_json(page) for page in portrait.linked],
        "most_linked": portrait.most_linked,
        "restless": [asdict(one) for one in portrait.restless],
        "left_out": dict(portrait.left_out),
    }


def proposal_as_json(one: Proposal) -> dict[str, Any]:
    return asdict(one) | {"says": one.says}


def watched_as_json(watched: WatchedNow) -> dict[str, Any]:
    findings = [finding_as_json(finding) for finding in watched.findings]
    return {"url": watched.url, "version": watched.version, "findings": findings}


def entry_as_json(entry: Entry) -> dict[str, Any]:
    return {
        "at": entry.at.isoformat(),
        "sentinel": entry.sentinel,
        "what": entry.what,
        "past": entry.past,
    }


def notice_as_json(one: OutboxRecord) -> dict[str, Any]:
    return {
        "id": one.id,
        "notice": one.notice.dedup,
        "state": one.state,
        "sentinel": one.notice.sentinel,
        "channel": one.notice.channel,
        "address": one.notice.address,
        "subject": one.notice.subject,
        "created_at": one.created_at.isoformat(),
        "due": one.due.isoformat() if one.due else None,
        "settled_at": one.settled_at.isoformat() if one.settled_at else None,
        "attempts": one.attempts,
        "error": one.error,
        "merged_into": one.merged_into or None,
    }


def contact_as_json(one: KnownContact) -> dict[str, Any]:
    """Without its secrets."""
    verified = {"verified": one.verified_at is not None} if one.channel == "email" else {}
    return {"channel": one.channel, "address": one.address, **verified}


def version_as_json(version: Version) -> dict[str, Any]:
    return {
        "number": version.number,
        "fetched_at": version.fetched_at.isoformat(),
        "url": version.url,
        "status": version.status,
        "size": version.size,
        "signature": version.signature,
    }


def page_as_json(page: WatchedPage) -> dict[str, Any]:
    return {
        "id": page.id,
        "url": page.url,
        "next_look": page.due.isoformat() if page.due else None,
        "versions": page.latest,
        "looks": page.checks,
        "failures": page.failures,
        **({"level": page.level, "via": page.via} if page.level else {}),
    }


def look_as_json(look: dict[str, Any]) -> dict[str, Any]:
    return look | {"at": look["at"].isoformat()}
