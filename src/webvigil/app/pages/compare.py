"""Any two versions of a page compared by hand (R6), by the names that `versions` knows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo

from webvigil.app.pages.documents import Digests
from webvigil.app.pages.versions import chosen
from webvigil.document import PageDigest
from webvigil.errors import NotFound
from webvigil.library import Diff, diff
from webvigil.model.moment import as_datetime
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository


def compare_versions(
    knowledge: Knowledge,
    stored: PageRepository,
    page: int,
    a: str,
    b: str,
    monitor: str = "any change",
    *,
    within: str | None = None,
    quiet: bool = False,
) -> Diff:
    try:
        old, new = digests_of(knowledge, stored, page, (a, b))
    except ValueError as error:
        raise NotFound(str(error)) from error
    return diff(old, new, monitor, within=within, quiet=quiet)


def digests_of(
    knowledge: Knowledge, stored: PageRepository, page: int, names: Sequence[str], zone: tzinfo = UTC
) -> list[PageDigest]:
    """NotFound where there is no such version; ValueError where that is no name of one."""
    versions = knowledge.versions.of(page)
    now = as_datetime(knowledge.schedule.now())
    found = [chosen(versions, name, now, zone) for name in names]
    digests = Digests(stored)
    return [digests.of(one.object) for one in found]
