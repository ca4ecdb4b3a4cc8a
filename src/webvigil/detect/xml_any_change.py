"""Two XML or JSON pages in, the leaves that came, went, changed or moved out (C13, CX-Diff)."""

from __future__ import annotations

from webvigil.detect.leaf_changes import Change, change_between
from webvigil.detect.leaves import Leaf
from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    found, here, there = change_between(old, new), Where(new), Where(old)
    told, more = found.told()
    moved, more_moved = found.moved()
    changes = [_change(found, here, there, one, other) for one, other in told]
    moves = [
        ObjectChange(
            object=found.new.signature(Leaf(node, "", "")),
            status=Status.MOVED,
            before=there.path(old_node),
            after=here.path(node),
            where=here.paths(node),
        )
        for old_node, node in moved
    ]
    return [*changes, *moves, *more, *more_moved]


def _change(found: Change, here: Where, there: Where, one: Leaf | None, other: Leaf | None) -> ObjectChange:
    if one is not None:
        name = found.old.signature(one)
        status = Status.UPDATED if other is not None else Status.GONE
    else:
        assert other is not None
        name, status = found.new.signature(other), Status.NEW
    where = here.paths(other.node) if other is not None else there.paths(one.node if one else 0)
    return ObjectChange(
        object=name,
        status=status,
        before=None if one is None else one.text,
        after=None if other is None else other.text,
        where=where,
    )
