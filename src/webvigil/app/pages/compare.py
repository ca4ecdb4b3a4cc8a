"""Two versions of a page, named by a person, in; their differences out (R6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo

from webvigil.app.pages.documents import Digests
from webvigil.app.pages.versions import chosen
from webvigil.app.pages.view import SeenPage
from webvigil.document import PageDigest
from webvigil.errors import NotFound
from webvigil.library import Diff, diff
from webvigil.model.moment import as_datetime
from webvigil.model.version import Version
from webvigil.store.repository import PageRepository, reading_version


def compare_versions(
    seen: SeenPage,
    stored: PageRepository,
    a: str,
    b: str,
    monitor: str = "any change",
    *,
    within: str | None = None,
    quiet: bool = False,
) -> Diff:
    old, new = named_versions(seen, stored, a, b)
    return diff(old, new, monitor, within=within, quiet=quiet)


def named_versions(seen: SeenPage, stored: PageRepository, a: str, b: str) -> list[PageDigest]:
    """Returns two versions, ready to compare. Raises NotFound for a name that means no version."""
    try:
        return digests_of(seen, stored, (a, b))
    except ValueError as error:
        raise NotFound(str(error)) from error


def digests_of(
    seen: SeenPage, stored: PageRepository, names: Sequence[str], zone: tzinfo = UTC
) -> list[PageDigest]:
    """Returns the named versions, ready to compare. Raises NotFound if there is no such version, and
    ValueError if a name cannot mean a version."""
    versions = seen.versions()
    now = as_datetime(seen.knowledge.schedule.now())
    found = [chosen(versions, name, now, zone) for name in names]
    digests = Digests(stored)
    return [_digest(digests, one) for one in found]


def _digest(digests: Digests, version: Version) -> PageDigest:
    with reading_version(version.number):
        return digests.of(version.object)
