"""Two XML or JSON pages in, the leaves that came, went, changed or moved out (C13, CX-Diff)."""

from __future__ import annotations

from webvigil.detect.alignment import TOLD
from webvigil.detect.leaves import Change, Leaf, Pair, change_between, first_told, nodes_of
from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    found, here, there = change_between(old, new), Where(new), Where(old)
    differing, rewritten = found.differing(TOLD)
    told, more = first_told(differing, _status, nodes_of, rewritten)
    moved, more_moved = first_told(found.moved, lambda _: Status.MOVED, lambda move: move.nodes)
    changes = [_change(found, here, there, one, other) for one, other in told]
    moves = [
        ObjectChange(
            object=found.new.signature(Leaf(move.new_node, "", "")),
            status=Status.MOVED,
            before=there.path(move.old_node),
            after=here.path(move.new_node),
            where=here.paths(move.new_node),
        )
        for move in moved
    ]
    return [*changes, *moves, *more, *more_moved]


def _status(pair: Pair) -> Status:
    one, other = pair
    return Status.NEW if one is None else Status.GONE if other is None else Status.UPDATED


def _change(found: Change, here: Where, there: Where, one: Leaf | None, other: Leaf | None) -> ObjectChange:
    if one is not None:
        name = found.old.signature(one)
    else:
        assert other is not None
        name = found.new.signature(other)
    where = here.paths(other.node) if other is not None else there.paths(one.node if one else 0)
    return ObjectChange(
        object=name,
        status=_status((one, other)),
        before=None if one is None else one.text,
        after=None if other is None else other.text,
        where=where,
    )
