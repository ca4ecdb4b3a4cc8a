"""An edit script: what turns the old document into the new one, and nothing else (C11).

Nodes are named by their number in the old document; an inserted node gets the next free number. A
place is the final one among the children of the parent. So the edits need no order: after all of
them, the children of a node are those that an edit placed, at their places, and in the places between
the ones that nobody deleted or moved, in the order they had.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from webvigil.detect.sdiff import Difference, Mark, sdiff
from webvigil.document import PageDigest
from webvigil.document.sink import Sink


@dataclass(frozen=True, slots=True)
class Delete:
    """The node goes, and all below it that does not move elsewhere."""

    node: int


@dataclass(frozen=True, slots=True)
class Insert:
    """One new node; what belongs below it has edits of its own."""

    node: int
    parent: int
    place: int
    name: str
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """The node goes elsewhere with all below it."""

    node: int
    parent: int
    place: int


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The text at a node becomes another one."""

    node: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """An attribute comes (before is None), goes (after is None) or gets another value."""

    node: int
    name: str
    before: str | None
    after: str | None


Edit = Delete | Insert | Move | Rewrite | SetAttribute


def edit_script(old: PageDigest, new: PageDigest) -> list[Edit]:
    """The edits in document order of what they concern: first what stayed or goes, then what comes."""
    difference = sdiff(old, new)
    if not difference.changed:
        return []
    return [*_in_place(old, new, difference), *_placed(old, new, difference)]


def apply(old: PageDigest, edits: Iterable[Edit]) -> PageDigest:
    """The document after the edits."""
    draft = _Draft(old)
    for edit in edits:
        draft.take(edit)
    return draft.finished()


def _in_place(old: PageDigest, new: PageDigest, difference: Difference) -> Iterator[Edit]:
    marks, partners = difference.old.marks, difference.old.partners
    for node in np.flatnonzero(marks).tolist():
        mark, partner = int(marks[node]), int(partners[node])
        if mark & Mark.DELETED and not int(marks[old.parents[node]]) & Mark.DELETED:
            yield Delete(node)
        if mark & Mark.CONTENT:
            yield Rewrite(node, old.own_text(node), new.own_text(partner))
        if mark & Mark.ATTRIBUTE:
            yield from attribute_edits(node, old.attributes(node), new.attributes(partner))


def attribute_edits(node: int, before: dict[str, str], after: dict[str, str]) -> Iterator[SetAttribute]:
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            yield SetAttribute(node, name, before.get(name), after.get(name))


def _placed(old: PageDigest, new: PageDigest, difference: Difference) -> Iterator[Edit]:
    inserted = difference.new.partners < 0
    numbers = np.where(inserted, len(old) + np.cumsum(inserted) - 1, difference.new.partners)
    for node in difference.new.nodes(Mark.INSERTED | Mark.MOVED):
        number, parent = int(numbers[node]), int(numbers[new.parents[node]])
        if not inserted[node]:
            yield Move(number, parent, int(new.ranks[node]))
            continue
        text = new.own_text(node) if new.content[node] >= 0 else None
        attributes = tuple(new.attributes(node).items())
        yield Insert(number, parent, int(new.ranks[node]), new.tag(node), text, attributes)


class _Draft:
    """A document while it is edited; what the edits do not name is read from the old one."""

    def __init__(self, old: PageDigest) -> None:
        self.old = old
        self.away: set[int] = set()
        self.placed: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self.inserted: dict[int, Insert] = {}
        self.texts: dict[int, str] = {}
        self.attributes: dict[int, dict[str, str]] = {}

    def take(self, edit: Edit) -> None:
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
                known = self.attributes.setdefault(node, self.old.attributes(node))
                known.pop(name, None)
                if after is not None:
                    known[name] = after

    def finished(self) -> PageDigest:
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
