"""Pictures that came, went, or stand there more or less often (C3).

A picture is its absolute address.
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    names = counts.changed([image.url for image in old.images], [image.url for image in new.images])
    if not names:
        return []
    before = counts.places((image.url, image.node) for image in old.images)
    after = counts.places((image.url, image.node) for image in new.images)
    return counts.placed_changes(names, old, before, new, after)
