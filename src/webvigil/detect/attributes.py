"""Two pages in, the attributes that came, went or changed at an element out (C10).

A new element brings its attributes, and an element that is gone takes them away. An element that only moved
keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from webvigil.detect.alignment import TOLD
from webvigil.detect.edits import SetAttribute, attribute_edits
from webvigil.detect.layout import in_both, more_elements
from webvigil.detect.pair import pair
from webvigil.detect.places import Where
from webvigil.detect.sdiff import Annotation, Mark
from webvigil.document import PageDigest
from webvigil.document.arrays import distinct
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if old.attributes_hash == new.attributes_hash and old.tags_hash == new.tags_hash:
        return []
    difference = pair(old, new).difference
    return [
        *_alone(old, difference.old, Status.GONE),
        *_changed(old, new, difference.new),
        *_alone(new, difference.new, Status.NEW),
    ]


def updated(
    old: PageDigest,
    new: PageDigest,
    names: Container[str],
    counts: Callable[[SetAttribute], bool] = lambda edit: True,
) -> list[ObjectChange]:
    """Returns only the attributes with one of these names whose value changed at an element that stayed, as
    far as the change `counts`. The nodes of the edits are those of the new version."""
    if old.attributes_hash == new.attributes_hash and old.tags_hash == new.tags_hash:
        return []
    both = frozenset(name for name in old.attribute_names if name in names and name in new.attribute_index)
    if not len(old.rows_of(*both)) or not len(new.rows_of(*both)):
        return []
    found = _changed(old, new, pair(old, new).difference.new, both, counts)
    return [one for one in found if one.status is Status.UPDATED and "@" in one.object]


def _changed(
    old: PageDigest,
    new: PageDigest,
    annotation: Annotation,
    names: Container[str] | None = None,
    counts: Callable[[SetAttribute], bool] = lambda edit: True,
) -> Iterator[ObjectChange]:
    """Yields the changes of attributes at elements that both versions have."""
    where = Where(new)
    changed = annotation.nodes(Mark.ATTRIBUTE)
    edits = [
        edit
        for node in in_both(annotation, changed)
        for edit in attribute_edits(
            node, old.attributes(int(annotation.partners[node])), new.attributes(node)
        )
        if (names is None or edit.name in names) and counts(edit)
    ]
    for edit in _told(edits, annotation):
        yield ObjectChange(
            object=_name(new, edit.node, edit.name),
            status=_status(edit.before, edit.after),
            before=edit.before,
            after=edit.after,
            where=where.paths(edit.node),
        )
    yield from _more_attributes(len(edits), Status.UPDATED)
    yield from more_elements(len(changed), Status.UPDATED)


def _told(edits: list[SetAttribute], annotation: Annotation) -> list[SetAttribute]:
    """Returns as many edits as anybody reads, the same ones in either direction of comparing."""
    if len(edits) <= TOLD:
        return edits

    def by_both(edit: SetAttribute) -> tuple[int, int, str]:
        partner = int(annotation.partners[edit.node])
        return edit.node + partner, min(edit.node, partner), edit.name

    chosen = {(edit.node, edit.name) for edit in sorted(edits, key=by_both)[:TOLD]}
    return [edit for edit in edits if (edit.node, edit.name) in chosen]


def _more_attributes(count: int, status: Status) -> Iterator[ObjectChange]:
    if count > TOLD:
        yield ObjectChange(object=f"{count - TOLD:,} more attributes", status=status, where=("/",))


def _status(before: str | None, after: str | None) -> Status:
    if before is None:
        return Status.NEW
    return Status.GONE if after is None else Status.UPDATED


def _alone(digest: PageDigest, annotation: Annotation, status: Status) -> Iterator[ObjectChange]:
    """Yields the attributes of elements that only this version has."""
    where = Where(digest)
    owners = distinct(digest.attribute_node)
    alone = owners[annotation.partners[owners] < 0]
    pairs = [(node, *pair) for node in alone[:TOLD].tolist() for pair in digest.attribute_pairs(node)]
    for node, name, value in pairs[:TOLD]:
        yield ObjectChange(
            object=_name(digest, node, name),
            status=status,
            before=value if status is Status.GONE else None,
            after=value if status is Status.NEW else None,
            where=where.paths(node),
        )
    yield from _more_attributes(len(pairs), status)
    yield from more_elements(len(alone), status)


def _name(digest: PageDigest, node: int, attribute: str) -> str:
    """Returns the name of an attribute as XPath writes it, such as `a@href`."""
    return f"{digest.tag(node)}@{attribute}"
