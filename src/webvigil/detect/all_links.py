"""Two pages in, the links that came, went, or occur more or less often out (C2).

A link is identified by its absolute address; its place on the page and its text do not count.
"""

from __future__ import annotations

from itertools import compress

from webvigil.detect import counts
from webvigil.detect.pair import pair
from webvigil.document import PageDigest, kept
from webvigil.document.links import all_absolute
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return list(pair(old, new).once("all links", _detect))


def count(digest: PageDigest) -> int:
    """Returns the number of links on the page."""
    return len(placed(digest).names)


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    if pair(old, new).same_markup:
        return []
    return [] if are_same(old, new) else counts.changes(old, placed(old), new, placed(new))


def are_same(old: PageDigest, new: PageDigest) -> bool:
    """Tells whether the links of both pages are surely the same, wherever they stand: they are written
    alike."""
    return old.url == new.url and old.link_sources[1] == new.link_sources[1]


@kept
def placed(digest: PageDigest) -> counts.Placed:
    """Returns the links of a page by their addresses."""
    nodes, written = digest.link_sources
    urls = all_absolute(digest.url, written)
    if all(urls):
        return counts.Placed(urls, nodes)
    return counts.Placed([url for url in urls if url], list(compress(nodes, urls)))
