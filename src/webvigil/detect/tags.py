"""Tags: which elements the page uses, and how often; where they stand does not count (C10)."""

from __future__ import annotations

import numpy as np

from webvigil.detect.counts import count_change
from webvigil.detect.where import Where
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType

# A page has thousands of some tags; a reader follows a few.
_PLACES = 20


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if old.tags_hash == new.tags_hash:
        return []
    before, after = _counts(old), _counts(new)
    here, there = Where(new), Where(old)
    found = []
    for name in dict.fromkeys([*before, *after]):
        was, is_now = before.get(name, 0), after.get(name, 0)
        if was != is_now:
            digest, where = (new, here) if is_now else (old, there)
            places = where.paths(*digest.nodes_of(name)[:_PLACES].tolist())
            found.append(count_change(name, was, is_now, places))
    return found


def _counts(digest: PageDigest) -> dict[str, int]:
    """How often each element stands there, in order of first use; texts and comments are none."""
    numbers = np.bincount(digest.tags, minlength=len(digest.tag_names)).tolist()
    return {
        name: count
        for name, count in zip(digest.tag_names, numbers, strict=True)
        if count and name[0] not in "#?"
    }
