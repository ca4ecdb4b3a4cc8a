"""Findings and the kept history of a page in, what of it is not new out (Q4, `Only new`).

New is what was on no version that is kept. What only went is no news.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from webvigil.detect import all_images, all_links
from webvigil.detect.quiet.addresses import meant
from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.quiet import LeftOut, Why

_GOING = (Status.GONE, Status.FEWER)


def not_new(findings: Iterable[Finding], earlier: Iterable[PageDigest]) -> list[LeftOut]:
    """Returns the objects that some earlier version had, and those that only went. `earlier` are the versions
    before, the latest first; no more of them are asked for than needed."""
    objects = [one for finding in findings for one in finding.objects]
    known = [one for one in objects if one.status in _GOING]
    sought = [one for one in objects if one.status not in _GOING]
    versions = iter(earlier)
    while sought and (digest := next(versions, None)) is not None:
        page = _Page(digest)
        found = [one for one in sought if page.has(one)]
        known += found
        gone = set(map(id, found))
        sought = [one for one in sought if id(one) not in gone]
    return [LeftOut(Why.NOT_NEW, one) for one in known]


class _Page:
    """One version, asked whether something is on it."""

    def __init__(self, digest: PageDigest) -> None:
        self._text = " ".join(digest.reading.text.split())
        self._title = " ".join(digest.title.split())
        self._addresses = {meant(name) for name in all_links.placed(digest).names} | {
            meant(name, asset=True) for name in all_images.placed(digest).names
        }

    def has(self, one: ObjectChange) -> bool:
        if one.old is not None:
            return not self._addresses.isdisjoint({meant(one.object), meant(one.object, asset=True)})
        text = " ".join((one.after or one.object).split())
        return text == self._title or re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self._text) is not None
