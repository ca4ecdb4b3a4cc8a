"""Any two versions of a page compared by hand (R6)."""

from __future__ import annotations

from webvigil.app.documents import document_of
from webvigil.errors import NotFound
from webvigil.library import Diff, diff
from webvigil.model.version import Version
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
) -> Diff:
    old, new = (document_of(stored.answer(version_of(knowledge, page, one).object)) for one in (a, b))
    return diff(old, new, monitor, within=within)


def version_of(knowledge: Knowledge, page: int, which: str) -> Version:
    """By its number, or `latest`, or `previous`: the one before it."""
    if which in ("latest", "previous"):
        versions = knowledge.versions.of(page)
        place = int(which == "previous")
        if len(versions) <= place:
            raise NotFound(f"page {page} has no {which} version yet")
        return versions[place]
    if not (which.isascii() and which.isdigit() and len(which) < 10):
        raise NotFound(f"{which!r} is no version; give a number, latest or previous")
    return knowledge.versions.get(page, int(which))
