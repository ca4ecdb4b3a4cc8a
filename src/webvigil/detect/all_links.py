"""Links that came, went, or stand there more or less often (C2).

A link is its absolute address; where it stands on the page and what it is called do not count.
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.detect.pair import pair
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return list(pair(old, new).once("all links", _detect))


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    before, after = (
        [(link.url, link.node) for link in old.links],
        [(link.url, link.node) for link in new.links],
    )
    return counts.changes(old, before, new, after)
