"""Two documents in, an edit script out that turns the old one into the new one and does nothing else (C11).

Nodes are identified by their number in the old document; an inserted node gets the next free number. A place
is the final one among the children of the parent. So the edits need no order: after all of them, the children
of a node are the placed ones at their places and, in the places between, the children that were neither
deleted nor moved, in their old order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from webvigil.detect.sdiff import Difference, Mark, sdiff
from webvigil.document import PageDigest
from webvigil.document.sink import Sink


class Delete(NamedTuple):
    """Deletes the node, with everything below it that does not move elsewhere."""

    node: int


class Insert(NamedTuple):
    """Inserts one node. The nodes below it have edits of their own."""

    node: int
    parent: int
    place: int
    name: str
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()


class Move(NamedTuple):
    """Moves the node, with everything below it."""

    node: int
    parent: int
    place: int


class Rewrite(NamedTuple):
    """Replaces the text at a node."""

    node: int
    before: str
    after: str


class SetAttribute(NamedTuple):
    """Adds an attribute (before is None), removes it (after is None) or changes its value."""

    node: int
    name: str
    before: str | None
    after: str | None


# Plain numbers, because the mark of every node is tested and an enum would be slow.
_DELETED, _CONTENT, _ATTRIBUTE = int(Mark.DELETED), int(Mark.CONTENT), int(Mark.ATTRIBUTE)

Edit = Delete | Insert | Move | Rewrite | SetAttribute


def edit_script(old: PageDigest, new: PageDigest) -> list[Edit]:
    """Returns the edits in document order: first those of old nodes, then those of inserted and moved
    nodes."""
    return edits_of(old, new, sdiff(old, new))


def edits_of(old: PageDigest, new: PageDigest, difference: Difference) -> list[Edit]:
    """Returns the edits for a difference that is already known."""
    if not difference.changed:
        return []
    return [*_in_place(old, new, difference), *_placed(old, new, difference)]


def apply(old: PageDigest, edits: Iterable[Edit]) -> PageDigest:
    """Returns the document after the edits."""
    draft = _Draft(old)
    for edit in edits:
        draft.take(edit)
    return draft.finished()


def _in_place(old: PageDigest, new: PageDigest, difference: Difference) -> Iterator[Edit]:
    """Yields the edits of old nodes: deletions, new texts, attributes. A node below a deleted one needs no
    edit."""
    marks = difference.old.marks
    nodes = np.flatnonzero(marks)
    partners = difference.old.partners[nodes]
    goes_with_its_home = (marks[old.parents[nodes]] & np.uint8(Mark.DELETED)) > 0
    rows = zip(
        nodes.tolist(),
        marks[nodes].tolist(),
        partners.tolist(),
        goes_with_its_home.tolist(),
        old.content[nodes].tolist(),
        new.content[partners].tolist(),
        strict=True,
    )
    for node, mark, partner, is_told, before, after in rows:
        if mark & _DELETED and not is_told:
            yield Delete(node)
        if mark & _CONTENT:
            yield Rewrite(node, old.texts[before], new.texts[after])
        if mark & _ATTRIBUTE:
            yield from attribute_edits(node, old.attributes(node), new.attributes(partner))


def attribute_edits(node: int, before: dict[str, str], after: dict[str, str]) -> Iterator[SetAttribute]:
    """Yields an edit for each attribute that differs."""
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            yield SetAttribute(node, name, before.get(name), after.get(name))


def _placed(old: PageDigest, new: PageDigest, difference: Difference) -> Iterator[Edit]:
    """Yields an insertion or a move for each node of the new document that is new or elsewhere."""
    inserted = difference.new.partners < 0
    numbers = np.where(inserted, len(old) + np.cumsum(inserted) - 1, difference.new.partners)
    nodes = np.array(difference.new.nodes(Mark.INSERTED | Mark.MOVED), dtype=np.int64)
    owns = new.attribute_start[nodes] < new.attribute_start[nodes + 1]
    rows = zip(
        nodes.tolist(),
        numbers[nodes].tolist(),
        numbers[new.parents[nodes]].tolist(),
        new.ranks[nodes].tolist(),
        inserted[nodes].tolist(),
        new.tags[nodes].tolist(),
        new.content[nodes].tolist(),
        owns.tolist(),
        strict=True,
    )
    for node, number, parent, place, is_new, tag, text, has_attributes in rows:
        if not is_new:
            yield Move(number, parent, place)
        elif text >= 0:
            yield Insert(number, parent, place, new.tag_names[tag], new.texts[text])
        else:
            attributes = tuple(new.attributes(node).items()) if has_attributes else ()
            yield Insert(number, parent, place, new.tag_names[tag], None, attributes)


class _Draft:
    """A document while it is edited. What the edits do not mention is read from the old document."""

    def __init__(self, old: PageDigest) -> None:
        self.old = old
        self.away: set[int] = set()
        self.placed: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self.inserted: dict[int, Insert] = {}
        self.texts: dict[int, str] = {}
        self.attributes: dict[int, dict[str, str]] = {}

    def take(self, edit: Edit) -> None:
        """Takes one edit into account."""
        match edit:
            case Delete(node):
                self.away.add(node)
            case Move(node, parent, place):
                self.away.add(node)
                self.placed[parent][place] = node
            case Insert(node, parent, place):
                self.inserted[node] = edit
                self.placed[parent][place] = node
            case Rewrite(node, _, after):
                self.texts[node] = after
            case SetAttribute(node, name, _, after):
                # A changed attribute goes to the end; the order of attributes means nothing.
                known = self.attributes.setdefault(node, self.old.attributes(node))
                known.pop(name, None)
                if after is not None:
                    known[name] = after

    def finished(self) -> PageDigest:
        """Returns the edited document. The tree is walked with a list and not by recursion, because it may be
        deep."""
        sink = Sink()
        waiting = [(child, False) for child in reversed(self._children(0))]
        while waiting:
            node, is_over = waiting.pop()
            name = self._name(node)
            text = self._text(node)
            if is_over:
                sink.end_element(name)
            elif text is not None:
                sink.leaf(name, text)
            else:
                sink.start_element(name, self._attributes_of(node).items())
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(self._children(node))]
        return sink.digest(self.old.kind, self.old.source_url)

    def _children(self, node: int) -> list[int]:
        kept = [] if node in self.inserted else self.old.children(node)
        if self.away:
            kept = [child for child in kept if child not in self.away]
        if node not in self.placed:
            return kept
        placed, rest = self.placed[node], iter(kept)
        return [placed[place] if place in placed else next(rest) for place in range(len(kept) + len(placed))]

    def _name(self, node: int) -> str:
        return self.inserted[node].name if node in self.inserted else self.old.tag(node)

    def _text(self, node: int) -> str | None:
        if node in self.inserted:
            return self.inserted[node].text
        if node in self.texts:
            return self.texts[node]
        return self.old.own_text(node) if self.old.content[node] >= 0 else None

    def _attributes_of(self, node: int) -> dict[str, str]:
        if node in self.inserted:
            return dict(self.inserted[node].attributes)
        return self.attributes[node] if node in self.attributes else self.old.attributes(node)
