"""Links that came, went, or stand there more or less often (C2).

A link is its absolute address; where it stands on the page and what it is called do not count.
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    names = counts.changed([link.url for link in old.links], [link.url for link in new.links])
    if not names:
        return []
    before = counts.places((link.url, link.node) for link in old.links)
    after = counts.places((link.url, link.node) for link in new.links)
    return counts.placed_changes(names, old, before, new, after)
