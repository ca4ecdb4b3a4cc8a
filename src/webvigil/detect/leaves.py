"""Two XML or JSON documents in, their leaves and what became of each out (C13).

In XML the names say what a text means, so the same words at another place are something else. A leaf is an
element without elements in it (with all its text), a text between elements, or an attribute. Its signature is
the path to it without numbers: `/catalog/item/price`, `/catalog/item/@id`, `$.items[*].price`. A leaf follows
its element (`sdiff`): it is the same leaf if its element's partner has a leaf with the same signature.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, NamedTuple, TypeVar

import numpy as np

from webvigil.detect.alignment import TOLD
from webvigil.detect.pair import pair
from webvigil.detect.places import DEEPEST
from webvigil.detect.sdiff import Mark
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.string_tables import reworded
from webvigil.document.words import borders
from webvigil.model.change import ObjectChange, Status
from webvigil.model.memo import cached_property, remembered

T = TypeVar("T")

# Documents with at most so many levels are numbered level by level; for deeper ones that would take longer.
_LEVELS = 1_000
# If more leaves than this, of both documents in all, have no partner, they are not searched one by one.
_LOOKED_FOR = 30_000


class Leaf(NamedTuple):
    """A leaf. `attribute` is empty for the text of an element. `text` is on one line."""

    node: int
    attribute: str
    text: str


# An old and a new leaf; None for a missing side.
Pair = tuple[Leaf | None, Leaf | None]


# What identifies a leaf without a partner: a word for the kind of key, a node, and further values.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """An element with leaves in it that is elsewhere, with the same signature."""

    old_node: int
    new_node: int

    @property
    def nodes(self) -> tuple[int, int]:
        return self.old_node, self.new_node


class Leaves:
    """The leaves of one of two documents. Equal signatures have the same number in both."""

    def __init__(self, digest: PageDigest, signatures: Ints) -> None:
        self.digest = digest
        self.signatures = signatures
        self._ways: dict[int, str] = {}
        self._steps: dict[int, str] = {}  # deep leaves share most of their way

    @cached_property
    def nodes(self) -> Mask:
        """For each node, True if it is a leaf."""
        digest = self.digest
        elements = digest.content < 0
        holds_elements = np.zeros(len(digest), dtype=np.bool_)
        holds_elements[digest.parents[1:][elements[1:]]] = True
        alone = elements & ~holds_elements
        alone[0] = False
        stray = digest.is_text & self._not_blank & ~self._of_attributes
        # A part of a document may consist of texts alone, which are then leaves.
        holds_elements[0] = True
        stray[1:] &= holds_elements[digest.parents[1:]]
        return np.asarray(alone | stray, dtype=np.bool_)

    @cached_property
    def _of_attributes(self) -> Mask:
        """For each node, True if it is a text that stands for an attribute, which is a leaf already."""
        digest = self.digest
        if digest.kind == "json":
            return np.zeros(len(digest), dtype=np.bool_)
        elements = digest.whole.content[digest.origin] < 0
        return np.asarray(digest.is_text & elements, dtype=np.bool_)

    @cached_property
    def _not_blank(self) -> Mask:
        blank = np.array([not text or text.isspace() for text in self.digest.texts] + [True], dtype=np.bool_)
        return ~blank[self.digest.content]

    @cached_property
    def owners(self) -> Mask:
        """For each node, True if it has attributes that are leaves. The key of a JSON member is part of its
        path instead."""
        found = np.zeros(len(self.digest), dtype=np.bool_)
        if self.digest.kind != "json":
            found[self.digest.attribute_node] = True
        return found

    def at(self, nodes: Longs) -> Iterator[Leaf]:
        """Yields the leaves at these nodes."""
        owned, pairs = self._attributes(nodes)
        rows = zip(nodes.tolist(), self.nodes[nodes].tolist(), self.texts(nodes), owned, strict=True)
        for node, is_leaf, text, owns in rows:
            if is_leaf:
                yield Leaf(node, "", " ".join(text.split()))
            for name, value in islice(pairs, owns):
                if not name.startswith("xmlns"):
                    yield Leaf(node, name, " ".join(value.split()))

    def _attributes(self, nodes: Longs) -> tuple[list[int], Iterator[tuple[str, str]]]:
        """Returns how many attributes of each node are leaves, and all of them in order."""
        digest = self.digest
        starts = digest.attribute_start[nodes].astype(np.int64)
        owned = np.where(self.owners[nodes], digest.attribute_start[nodes + 1] - starts, 0)
        rows = np.arange(owned.sum()) + np.repeat(starts - np.cumsum(owned) + owned, owned)
        names, values = digest.attribute_name[rows].tolist(), digest.attribute_value[rows].tolist()
        return owned.tolist(), zip(
            map(digest.attribute_names.__getitem__, names),
            map(digest.attribute_values.__getitem__, values),
            strict=True,
        )

    def texts(self, nodes: Longs) -> Iterator[str]:
        """Yields the text of each node. Mostly that is one text, in the node or right below it, which is
        quick to read."""
        digest = self.digest
        one, several = self.one_text(nodes)
        for node, index, many in zip(nodes.tolist(), one.tolist(), several.tolist(), strict=True):
            yield digest.text(node) if many else digest.texts[index] if index >= 0 else ""

    def one_text(self, nodes: Longs) -> tuple[Ints, Mask]:
        """Returns for each node its only text (-1 for none), and whether it has several."""
        digest = self.digest
        sizes = digest.sizes[nodes]
        home = np.where(sizes == 2, nodes + 1, nodes)
        one = np.where(digest.is_text[home] | (sizes == 1), digest.content[home], -1)
        # Texts below an element that is not a leaf do not count.
        return one.astype(np.int32), np.asarray((sizes > 2) & self.nodes[nodes], dtype=np.bool_)

    def all(self) -> Iterator[Leaf]:
        return self.at(np.flatnonzero(self.nodes | self.owners))

    def keys(self, leaf: Leaf) -> Iterator[Key]:
        """Yields what identifies a leaf whose node has no partner: its text within its element, and its name
        within its JSON object."""
        node, parent = leaf.node, self.parents[leaf.node]
        yield "text", parent if self._written[node] else node, leaf.attribute, leaf.text
        if self.is_member[node]:
            yield "member", parent, self.numbers[node]

    @cached_property
    def parents(self) -> list[int]:
        parents: list[int] = self.digest.parents.tolist()
        return parents

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the signatures, as a list."""
        numbers: list[int] = self.signatures.tolist()
        return numbers

    @cached_property
    def _written(self) -> list[bool]:
        written: list[bool] = (self.digest.content >= 0).tolist()
        return written

    @cached_property
    def is_member(self) -> list[bool]:
        """For each node, True if it is a member of a JSON object."""
        found = np.zeros(len(self.digest), dtype=np.bool_)
        if self.digest.kind == "json":
            found[self.digest.attribute_node[self.digest.rows_of("key")]] = True
        members: list[bool] = found.tolist()
        return members

    def signature(self, leaf: Leaf) -> str:
        """Returns the path to a leaf without numbers. Leaves with equal signature numbers have equal
        paths."""
        if self._written[leaf.node] and self.parents[leaf.node] == 0:
            return self._way_outside(leaf.node)
        number = self.numbers[leaf.node]
        way = self._ways.get(number)
        if way is None:
            way = self._ways[number] = self._way(leaf.node)
        return f"{way}/@{leaf.attribute}" if leaf.attribute else way

    def _way(self, node: int) -> str:
        digest, known, written, parents = self.digest, self._steps, self._written, self.parents
        steps: list[str] = []
        while node > 0 and len(steps) < DEEPEST:
            if not written[node]:
                if node not in known:
                    known[node] = _step(digest, node)
                steps.append(known[node])
            node = parents[node]
        return _joined(digest.kind, steps, whole=node == 0)

    def _way_outside(self, node: int) -> str:
        """Returns the path to a text that is a part by itself, whose elements are on the page around it."""
        page = self.digest.whole
        steps: list[str] = []
        node = int(self.digest.origin[node])
        while node > 0 and len(steps) < DEEPEST:
            if page.content[node] < 0:
                steps.append(_step(page, node))
            node = int(page.parents[node])
        return _joined(page.kind, steps, whole=node == 0)


class Change:
    """What became of the leaves that may have changed: those whose element changed or is elsewhere."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        before, after = _signatures(old, new)
        self.old, self.new = Leaves(old, before), Leaves(new, after)
        self._difference = pair(old, new).difference

    @cached_property
    def pairs(self) -> list[Pair]:
        """Pairs of old and new leaf, with None for a missing side. Some pairs may turn out to be equal."""
        ours, theirs = self._plain
        found: list[Pair] = [*zip(self.old.at(ours), self.new.at(theirs), strict=True), *self._others[0]]
        if len(self._others[0]) and len(ours):
            found.sort(key=lambda pair: nodes_of(pair)[0])
        return [*found, *self._others[1]]

    def differing(self, most: int) -> tuple[list[Pair], int]:
        """Returns the pairs that differ. Of leaves that only have another text, the first `most` are
        returned, and how many more there are, because a page may be full of them."""
        ours, theirs = self._plain
        if len(ours) <= most:
            return [pair for pair in self.pairs if _differ(pair)], 0
        other = self._reworded(ours, theirs)
        ours, theirs = ours[other], theirs[other]
        first = np.sort(np.lexsort((np.minimum(ours, theirs), ours + theirs))[:most])
        told = zip(self.old.at(ours[first]), self.new.at(theirs[first]), strict=True)
        others = [pair for part in self._others for pair in part if _differ(pair)]
        return [*told, *others], max(len(ours) - most, 0)

    def _reworded(self, ours: Longs, theirs: Longs) -> Mask:
        """Returns for each pair of leaves whether their words differ."""
        (before, many), (after, many_there) = self.old.one_text(ours), self.new.one_text(theirs)
        answer = np.zeros(len(ours), dtype=np.bool_)
        answer[reworded(self.old.digest.texts, before, self.new.digest.texts, after)] = True
        several = np.flatnonzero(many | many_there)
        texts = zip(self.old.texts(ours[several]), self.new.texts(theirs[several]), strict=True)
        answer[several] = [one.split() != other.split() for one, other in texts]
        return answer

    @cached_property
    def _suspected(self) -> tuple[Longs, Longs]:
        return (
            self._suspects(self.old, self.new, self._difference.old.partners),
            self._suspects(self.new, self.old, self._difference.new.partners),
        )

    @cached_property
    def _plain(self) -> tuple[Longs, Longs]:
        """The nodes, old and new, that are one leaf each and correspond to each other."""
        gone, _ = self._suspected
        ours = gone[self._plainly_paired(gone)]
        return ours, self._difference.old.partners[ours].astype(np.int64)

    @cached_property
    def _others(self) -> tuple[list[Pair], list[Pair]]:
        """The other pairs: those whose nodes correspond in one place, then those that are found in other
        ways."""
        gone, come = self._suspected
        ours, theirs = self._plain
        left, there_left = (np.ones(len(side.digest), dtype=np.bool_) for side in (self.old, self.new))
        left[ours], there_left[theirs] = False, False
        before, after = (
            {(leaf.node, leaf.attribute): leaf for leaf in side.at(nodes)}
            for side, nodes in ((self.old, gone[left[gone]]), (self.new, come[there_left[come]]))
        )
        found: list[Pair] = []
        alone: list[Leaf] = []
        for (node, attribute), leaf in before.items():
            there = self._leads[node]
            partner = after.get((there, attribute))
            if partner is None or not self._in_one_place(node, there):
                alone.append(leaf)
            else:
                found.append((leaf, after.pop((there, attribute))))
        return found, list(self._paired_otherwise(alone, list(after.values())))

    def _plainly_paired(self, nodes: Longs) -> Mask:
        """Returns for each old node whether it and its partner are one leaf each, in one place, as most
        are."""
        there = self._difference.old.partners[nodes]
        homes = self._difference.old.partners[self.old.digest.parents[nodes]]
        return np.asarray(
            (there >= 0)
            & (homes == self.new.digest.parents[there])
            & (self.old.signatures[nodes] == self.new.signatures[there])
            & self.old.nodes[nodes]
            & self.new.nodes[there]
            & ~self.old.owners[nodes]
            & ~self.new.owners[there],
            dtype=np.bool_,
        )

    @cached_property
    def _leads(self) -> list[int]:
        """For each old node, its partner."""
        leads: list[int] = self._difference.old.partners.tolist()
        return leads

    @property
    def gone(self) -> list[Leaf]:
        """The old leaves among the pairs."""
        return [one for one, _ in self.pairs if one is not None]

    @property
    def come(self) -> list[Leaf]:
        """The new leaves among the pairs."""
        return [other for _, other in self.pairs if other is not None]

    @cached_property
    def moved(self) -> list[Moved]:
        """The subtrees that are elsewhere with the same signature."""
        nodes = np.array(self._difference.new.nodes(Mark.MOVED), dtype=np.int64)
        partners = self._difference.new.partners[nodes]
        alike = (self.new.signatures[nodes] == self.old.signatures[partners]) & self._hold_leaves(nodes)
        return [
            Moved(there, node)
            for there, node in zip(partners[alike].tolist(), nodes[alike].tolist(), strict=True)
            # The order of the members of a JSON object means nothing.
            if not self.new.is_member[node] and (self._in_one_place(there, node) or not self.new.nodes[node])
        ]

    def _in_one_place(self, node: int, there: int) -> bool:
        """Returns True if a node has the same path, and its parent corresponds to the parent of its
        partner."""
        home, new_home = self.old.parents[node], self.new.parents[there]
        same_home = home < 0 or self._leads[home] == new_home
        return same_home and self.old.numbers[node] == self.new.numbers[there]

    def _suspects(self, ours: Leaves, theirs: Leaves, partners: Ints) -> Longs:
        """Returns the leaves that are not surely the same: those without a partner, changed, or with another
        signature."""
        nodes = np.flatnonzero(ours.nodes | ours.owners)
        there = partners[nodes]
        same = (
            (there >= 0)
            & (partners[ours.digest.parents[nodes]] == theirs.digest.parents[there])
            & (ours.digest.subtree_hashes[nodes] == theirs.digest.subtree_hashes[there])
            & (ours.signatures[nodes] == theirs.signatures[there])
            & (theirs.nodes[there] | ~ours.nodes[nodes])
        )
        return np.asarray(nodes[~same], dtype=np.int64)

    def _paired_otherwise(self, gone: list[Leaf], come: list[Leaf]) -> Iterator[Pair]:
        """Pairs leaves whose nodes are not partners. The same text in the same element is the same leaf, and
        a member of a JSON object that became another type of value is still that member. If there are too
        many leaves, none is paired."""
        if len(gone) + len(come) > _LOOKED_FOR:
            yield from ((leaf, None) for leaf in gone)
            yield from ((None, leaf) for leaf in come)
            return
        offers: defaultdict[Key, deque[Leaf]] = defaultdict(deque)
        for leaf in come:
            for key in self.new.keys(leaf):
                offers[key].append(leaf)
        taken: set[int] = set()
        for leaf in gone:
            keys = [key for key in map(self._in_new_terms, self.old.keys(leaf)) if key is not None]
            found = next(filter(None, (_first_free(offers[key], taken) for key in keys)), None)
            taken.add(id(found))
            yield leaf, found
        yield from ((None, leaf) for leaf in come if id(leaf) not in taken)

    def _in_new_terms(self, key: Key) -> Key | None:
        """Returns the key of an old leaf with its node replaced by the partner, or None if that is
        elsewhere."""
        what, node, *rest = key
        there = self._leads[node]
        return (what, there, *rest) if there >= 0 and self._in_one_place(node, there) else None

    def _hold_leaves(self, nodes: Longs) -> Mask:
        """Returns for each of these new nodes whether there is a leaf in it."""
        counted = np.append(0, np.cumsum(self.new.nodes | self.new.owners))
        return np.asarray(counted[nodes + self.new.digest.sizes[nodes]] > counted[nodes], dtype=np.bool_)


def change_between(old: PageDigest, new: PageDigest) -> Change:
    """Returns what became of the leaves, computed once for all change types that ask."""
    return pair(old, new).once(Change, Change)


def _first_free(offers: deque[Leaf], taken: set[int]) -> Leaf | None:
    while offers and id(offers[0]) in taken:
        offers.popleft()
    return offers[0] if offers else None


def first_told(
    found: list[T],
    status: Callable[[T], Status],
    nodes: Callable[[T], tuple[int, int]],
    updated: int = 0,
) -> tuple[list[T], list[ObjectChange]]:
    """Returns the changes to report one by one, and objects that say how many more there are. `updated` is
    the number of further updates that are not in `found`.

    Of each status as many are reported as anybody reads, chosen by the sum of their nodes, so that they are
    the same ones in either direction of comparing.
    """
    if len(found) + updated <= TOLD:
        return found, []
    groups: defaultdict[Status, list[T]] = defaultdict(list)
    for one in found:
        groups[status(one)].append(one)
    told = [one for group in groups.values() for one in _first(group, nodes)]
    sizes = {kind: len(group) for kind, group in groups.items()}
    if updated:
        sizes[Status.UPDATED] += updated
    more = [
        ObjectChange(object=f"{size - TOLD:,} more", status=kind, where=("/",))
        for kind, size in sizes.items()
        if size > TOLD
    ]
    return told, more


def _differ(pair: Pair) -> bool:
    one, other = pair
    return one is None or other is None or one.text != other.text


def _first(found: list[T], nodes: Callable[[T], tuple[int, int]]) -> list[T]:
    """Returns the first pairs by the sum of their nodes, in that order."""
    ours, theirs = np.array([nodes(one) for one in found], dtype=np.int64).reshape(-1, 2).T
    order = np.lexsort((np.minimum(ours, theirs), ours + theirs))
    return [found[place] for place in order[:TOLD].tolist()]


def nodes_of(pair: Pair) -> tuple[int, int]:
    """Returns the nodes of a pair, -1 for a missing side."""
    one, other = pair
    return -1 if one is None else one.node, -1 if other is None else other.node


def may_hold(digest: PageDigest, words: Iterable[str]) -> bool:
    """Returns False if surely no leaf contains these folded words, which is found out quickly, before pages
    are compared.

    This is sure for ASCII only, where a text is folded letter by letter. A word that continues from one text
    node into the next is found, because the texts are searched joined.
    """
    text = _all_written(digest)
    return not text.isascii() or all(word in text for word in words)


@remembered
def _all_written(digest: PageDigest) -> str:
    """Returns all texts and all values of attributes, in lower case."""
    pieces = [digest.texts[index] for index in digest.content[digest.is_text].tolist()]
    return "".join(["".join(pieces), "\n", "\n".join(digest.attribute_values)]).lower()


def words_of_leaves(leaves: list[Leaf]) -> tuple[list[str], list[int]]:
    """Returns the words of many leaves, with an empty word between two leaves, and for each word its leaf's
    place."""
    text = "\n".join([leaf.text for leaf in leaves])
    starts, ends = borders(text)
    lengths = np.fromiter((len(leaf.text) + 1 for leaf in leaves), dtype=np.int64, count=len(leaves))
    homes = np.searchsorted(np.cumsum(lengths), starts, side="right")
    # An empty word goes before the first word of each leaf except the first.
    cuts = np.flatnonzero(homes[1:] != homes[:-1]) + 1
    starts, ends, homes = (
        np.insert(starts, cuts, 0),
        np.insert(ends, cuts, 0),
        np.insert(homes, cuts, homes[cuts]),
    )
    words = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return words, homes.tolist()


def _signatures(*digests: PageDigest) -> list[Ints]:
    """Returns for each document and node a number for the names on the path to it. A text has that of its
    element."""
    numbers: dict[str, int] = {}
    steps = [_steps(digest, numbers) for digest in digests]
    if max(int(digest.depths.max()) for digest in digests) > _LEVELS:
        return _node_by_node(digests, steps)
    found = [np.zeros(len(digest), dtype=np.int32) for digest in digests]
    levels = [_levels(digest) for digest in digests]
    last = 0
    for level in zip_longest(*levels, fillvalue=np.zeros(0, dtype=np.int64)):
        # One number for each pair of parent's signature and own name.
        pairs = [
            above[digest.parents[nodes]].astype(np.int64) * (len(numbers) + 1) + step[nodes]
            for above, digest, nodes, step in zip(found, digests, level, steps, strict=True)
        ]
        kinds, own = np.unique(np.concatenate(pairs), return_inverse=True)
        own += 1 + last
        last += len(kinds)
        for above, digest, nodes, part in zip(
            found, digests, level, np.split(own, [len(pairs[0])]), strict=True
        ):
            above[nodes] = np.where(digest.content[nodes] >= 0, above[digest.parents[nodes]], part)
    return found


def _levels(digest: PageDigest) -> list[Longs]:
    """Returns the nodes of each level, the document first."""
    order = np.argsort(digest.depths, kind="stable")
    return np.split(order, np.cumsum(np.bincount(digest.depths))[:-1])


def _node_by_node(digests: Sequence[PageDigest], steps: Sequence[Ints]) -> list[Ints]:
    """Does the same as `_signatures` for documents so deep that going level by level would take longer."""
    numbers: dict[tuple[int, int], int] = {}
    answer = []
    for digest, names in zip(digests, steps, strict=True):
        found: list[int] = []
        rows = zip((digest.content >= 0).tolist(), digest.parents.tolist(), names.tolist(), strict=True)
        for is_written, parent, step in rows:
            above = found[parent] if found else -1
            found.append(above if is_written else numbers.setdefault((above, step), len(numbers)))
        answer.append(np.array(found, dtype=np.int32))
    return answer


def _steps(digest: PageDigest, numbers: dict[str, int]) -> Ints:
    """Returns for each node a number for its name; in JSON for its key, so that a value may change its
    type."""
    if digest.kind != "json":
        table = [numbers.setdefault(name, len(numbers)) for name in digest.tag_names]
        return np.array(table, dtype=np.int32)[digest.tags]
    keys = [numbers.setdefault(f".{value}", len(numbers)) for value in digest.attribute_values]
    names = np.full(len(digest), numbers.setdefault("[*]", len(numbers)), dtype=np.int32)
    names[digest.attribute_node] = np.array(keys, dtype=np.int32)[digest.attribute_value]
    return names


def _joined(kind: str, steps: list[str], *, whole: bool) -> str:
    """Returns a path from its steps, the last one first; `whole` says that they reach the top. The top of a
    JSON document is `$`."""
    if kind == "json":
        return "$" + "".join(reversed(steps[:-1] if whole else steps))
    return "/" + "/".join(reversed(steps))


def _step(digest: PageDigest, node: int) -> str:
    if digest.kind != "json":
        return digest.tag(node)
    key = digest.attribute(node, "key")
    return "[*]" if key is None else f".{key}"
