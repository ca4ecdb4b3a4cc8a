"""A change in, what else changed on its page between the same versions out.

A sentinel that watches a table finds the changes of that table. Whatever else happened on the page is told
apart, so that nobody takes it for what the sentinel found.
"""

from __future__ import annotations

from dataclasses import replace

from webvigil.app.pages.documents import Digests
from webvigil.library import diff
from webvigil.model.change import Change, Finding, ObjectChange
from webvigil.store.promises import Versions
from webvigil.store.repository import PageRepository, reading_version


def other_changes(versions: Versions, stored: PageRepository, change: Change) -> Finding:
    """Returns what `any change` finds beside the findings of a change. Raises NotFound or ObjectLost if one
    of the two versions is no longer kept."""
    digests, pages = Digests(stored), []
    for number in (change.old_version, change.new_version):
        with reading_version(number):
            pages.append(digests.of(versions.get(change.page, number).object))
    (found,) = diff(pages[0], pages[1], "any change", quiet=True).findings
    return replace(found, objects=tuple(one for one in found.objects if not _is_own(one, change)))


def _is_own(one: ObjectChange, change: Change) -> bool:
    """Tells whether an object is one of those that the sentinel found, or stands in one of them or around
    it."""
    mine = [own for finding in change.findings for own in finding.objects]
    if one.old is not None and any(own.object == one.object for own in mine if own.old is not None):
        return True
    places = {path for own in mine for path in own.where}
    return one.old is None and any(_meet(path, place) for path in one.where for place in places)


def _meet(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/")
