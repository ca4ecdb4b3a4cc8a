"""Two pages in, changed comments out, also processing instructions and the doctype: invisible source (C10).

Comments are compared in the order of the source, wherever they are. A comment that is like another at the
same place is an update; a comment that is gone at one place and new at another has moved.
"""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

from webvigil.detect.alignment import TOLD, Gap, fewer, gaps, paired
from webvigil.detect.labels import shortened
from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.document.markup import BINARY, COMMENT, DOCTYPE
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    before, after = _Comments(old), _Comments(new)
    found = gaps(before.texts, after.texts)
    if sum([gap.old_end - gap.old_start + gap.new_end - gap.new_start for gap in found]) > 2 * TOLD:
        return [_together(before, after, gap) for gap in fewer(found, TOLD)]
    pairs = [
        (
            one if one is None else one + gap.old_start,
            other if other is None else other + gap.new_start,
        )
        for gap in found
        for one, other in paired(
            before.texts[gap.old_start : gap.old_end], after.texts[gap.new_start : gap.new_end]
        )
    ]
    return [_change(before, after, one, other) for one, other in _moves_joined(before, after, pairs)]


class _Comments:
    """The comments of a page in the order of the source."""

    def __init__(self, digest: PageDigest) -> None:
        written = (digest.content >= 0) & ~digest.is_text & ~digest.is_tag((BINARY,))
        self.nodes: list[int] = np.flatnonzero(written).tolist()
        self.texts = [_source(digest, node) for node in self.nodes]
        self.where = Where(digest)


def _source(digest: PageDigest, node: int) -> str:
    """Returns a comment, processing instruction or doctype as it is written in the source."""
    name, text = digest.tag(node), digest.own_text(node)
    if name == COMMENT:
        return text
    return f"<!DOCTYPE {text}>" if name == DOCTYPE else f"<{name} {text}?>"


_Pairs = list[tuple[int | None, int | None]]


def _moves_joined(before: _Comments, after: _Comments, pairs: _Pairs) -> _Pairs:
    """Joins a comment that went and one that came with the same text into one pair, the first with the
    first."""
    come: defaultdict[str, deque[int]] = defaultdict(deque)
    for one, other in pairs:
        if one is None and other is not None:
            come[after.texts[other]].append(other)
    joined: _Pairs = []
    taken: set[int] = set()
    for one, other in pairs:
        if one is not None and other is None and come.get(before.texts[one]):
            other = come[before.texts[one]].popleft()
            taken.add(other)
            joined.append((one, other))
        elif one is not None:
            joined.append((one, other))
    return [*joined, *((None, other) for one, other in pairs if one is None and other not in taken)]


def _together(before: _Comments, after: _Comments, gap: Gap) -> ObjectChange:
    """Returns one change for all comments that went and came at one place, when there are too many to read
    one by one."""
    was, is_now = before.texts[gap.old_start : gap.old_end], after.texts[gap.new_start : gap.new_end]
    status = Status.NEW if not was else Status.GONE if not is_now else Status.UPDATED
    side, node = (after, after.nodes[gap.new_start]) if is_now else (before, before.nodes[gap.old_start])
    return ObjectChange(
        object=shortened((was or is_now)[0]) or "comment",
        status=status,
        before="\n".join(was) if was else None,
        after="\n".join(is_now) if is_now else None,
        where=side.where.paths(node),
    )


def _change(before: _Comments, after: _Comments, one: int | None, other: int | None) -> ObjectChange:
    was = None if one is None else before.texts[one]
    is_now = None if other is None else after.texts[other]
    if was is None:
        status = Status.NEW
    elif is_now is None:
        status = Status.GONE
    else:
        status = Status.MOVED if was == is_now else Status.UPDATED
    return ObjectChange(
        object=shortened(was or is_now or "") or "comment",
        status=status,
        before=was,
        after=is_now,
        where=after.where.paths(after.nodes[other])
        if other is not None
        else before.where.paths(before.nodes[one or 0]),
    )
