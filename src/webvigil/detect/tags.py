"""Two pages in, the tags that are used more or less often out, wherever they are on the page (C10)."""

from __future__ import annotations

import numpy as np

from webvigil.detect.counts import count_change, first, together
from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.model.change import ObjectChange
from webvigil.model.memo import cached_property
from webvigil.model.sentinel import ChangeType

# A page may have thousands of a tag, but a reader looks at a few places.
_PLACES = 20


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if old.tags_hash == new.tags_hash:
        return []
    before, after = _counts(old), _counts(new)
    changed = [name for name in before | after if before.get(name, 0) != after.get(name, 0)]
    told, others = first(changed, str)
    here, there = _Places(new), _Places(old)
    found = []
    for name in told:
        now = after.get(name, 0)
        places = here.of(name) if now else there.of(name)
        found.append(count_change(name, before.get(name, 0), now, places))
    return found + together((before.get(name, 0), after.get(name, 0)) for name in others)


class _Places:
    """Returns the places of the elements of a name. All nodes are sorted by name once."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self._where = Where(digest)

    @cached_property
    def _by_name(self) -> tuple[Longs, Longs]:
        """The nodes, those of one name together, and where each name begins."""
        tags = self._digest.tags
        return np.argsort(tags, kind="stable"), np.searchsorted(
            np.sort(tags), np.arange(len(self._digest.tag_names) + 1)
        )

    def of(self, name: str) -> tuple[str, ...]:
        nodes, starts = self._by_name
        number = self._digest.tag_index[name]
        return self._where.paths(*nodes[starts[number] : starts[number + 1]][:_PLACES].tolist())


def _counts(digest: PageDigest) -> dict[str, int]:
    """Returns how often each tag is used, in the order of first use; texts and comments do not count."""
    numbers = np.bincount(digest.tags, minlength=len(digest.tag_names)).tolist()
    return {
        name: count
        for name, count in zip(digest.tag_names, numbers, strict=True)
        if count and name[0] not in "#?"
    }
