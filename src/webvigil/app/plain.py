"""Values as plain data for programs: the JSON of the API and of `--json`."""

from __future__ import annotations

from typing import Any

from webvigil.model.change import Change, finding_as_json
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.version import Version


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


def sentinel_as_json(sentinel: InstalledSentinel) -> dict[str, Any]:
    return {
        "name": sentinel.name,
        "state": str(sentinel.state),
        "installed_at": sentinel.installed_at.isoformat(),
        "changes": sentinel.changes,
        "pages": [page_as_json(page) for page in sentinel.pages],
        "text": sentinel.text,
    }


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
    }


def look_as_json(look: dict[str, Any]) -> dict[str, Any]:
    return look | {"at": look["at"].isoformat()}
