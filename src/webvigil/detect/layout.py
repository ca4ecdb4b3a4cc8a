"""Two pages in, the elements that came, went or moved out, whatever is written in them (C10).

An element is one object with everything in it. Texts, attributes and comments do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webvigil.detect.alignment import TOLD
from webvigil.detect.labels import element_label, shown_text
from webvigil.detect.pair import pair
from webvigil.detect.places import Where
from webvigil.detect.sdiff import Annotation, Mark
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if _same_skeleton(old, new):
        return []
    difference = pair(old, new).difference
    return [
        *_alone(old, difference.old, Status.GONE),
        *_moved(old, new, difference.new),
        *_alone(new, difference.new, Status.NEW),
    ]


def _same_skeleton(old: PageDigest, new: PageDigest) -> bool:
    """Returns True if the elements are equal in name, nesting and order."""
    if old.structure_hash == new.structure_hash and old.tags_hash == new.tags_hash:
        return True
    before, after = np.flatnonzero(old.content < 0), np.flatnonzero(new.content < 0)
    return np.array_equal(old.depths[before], new.depths[after]) and [
        old.tag_names[tag] for tag in old.tags[before].tolist()
    ] == [new.tag_names[tag] for tag in new.tags[after].tolist()]


def _alone(digest: PageDigest, annotation: Annotation, status: Status) -> Iterator[ObjectChange]:
    """Yields the elements that only this version has, but not those inside another such element."""
    where = Where(digest)
    alone = np.flatnonzero((annotation.partners < 0) & (digest.content < 0))
    outermost = alone[annotation.partners[digest.parents[alone]] >= 0]
    for node in outermost[:TOLD].tolist():
        text = shown_text(digest, node)
        yield ObjectChange(
            object=element_label(digest, node),
            status=status,
            before=text if status is Status.GONE else None,
            after=text if status is Status.NEW else None,
            where=where.paths(node),
        )
    yield from more_elements(len(outermost), status)


def more_elements(count: int, status: Status) -> Iterator[ObjectChange]:
    """Yields one object for all elements beyond those reported one by one."""
    if count > TOLD:
        yield ObjectChange(object=f"{count - TOLD:,} more elements", status=status, where=("/",))


def in_both(annotation: Annotation, nodes: list[int]) -> list[int]:
    """Returns the nodes to report, if there are too many: the same ones in either direction of comparing."""
    if len(nodes) <= TOLD:
        return nodes
    here, there = np.array(nodes), annotation.partners[nodes]
    order = np.lexsort((np.minimum(here, there), here + there))
    return sorted(here[order[:TOLD]].tolist())


def _moved(old: PageDigest, new: PageDigest, annotation: Annotation) -> Iterator[ObjectChange]:
    here, there = Where(new), Where(old)
    moved = [node for node in annotation.nodes(Mark.MOVED) if new.content[node] < 0]
    for node in in_both(annotation, moved):
        yield ObjectChange(
            object=element_label(new, node),
            status=Status.MOVED,
            before=there.path(int(annotation.partners[node])),
            after=here.path(node),
            where=here.paths(node),
        )
    yield from more_elements(len(moved), Status.MOVED)
