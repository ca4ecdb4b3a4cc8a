"""An XML or JSON document in, its leaves out (C13).

In XML the names say what a text means, so the same words at another place are something else. A leaf is an
element without elements in it (with all its text), a text between elements, or an attribute. Its signature is
the path to it without numbers: `/catalog/item/price`, `/catalog/item/@id`, `$.items[*].price`.

A document may have hundreds of thousands of leaves, of which few are ever shown. So many leaves are rows of
arrays (`Rows`), and a `Leaf` is made of those that somebody looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from webvigil.detect.places import DEEPEST
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs, Mask, distinct, spread
from webvigil.model.memo import cached_property, remembered

# Documents with at most so many levels are numbered level by level; for deeper ones that would take longer.
_LEVELS = 1_000


class Leaf(NamedTuple):
    """A leaf. `attribute` is empty for the text of an element. `text` is on one line."""

    node: int
    attribute: str
    text: str


# What identifies a leaf without a partner: a word for the kind of key, a node, and further values.
Key = tuple[Any, ...]


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

    def attributes_of(self, nodes: Longs) -> tuple[Longs, Longs]:
        """Returns the attributes of these nodes that are leaves: for each its node, and which of all
        attributes it is."""
        digest = self.digest
        owners = nodes[self.owners[nodes]]
        runs = np.stack([digest.attribute_start[owners], digest.attribute_start[owners + 1]], axis=1)
        rows, begins = spread(runs.astype(np.int64))
        meant = np.array([not name.startswith("xmlns") for name in digest.attribute_names], dtype=np.bool_)
        kept = meant[digest.attribute_name[rows]] if len(rows) else np.zeros(0, dtype=np.bool_)
        return np.repeat(owners, np.diff(begins))[kept], rows[kept]

    def one_text(self, nodes: Longs) -> tuple[Ints, Mask]:
        """Returns for each node its only text (-1 for none), and whether it has several."""
        digest = self.digest
        sizes = digest.sizes[nodes]
        home = np.where(sizes == 2, nodes + 1, nodes)
        one = np.where(digest.is_text[home] | (sizes == 1), digest.content[home], -1)
        # Texts below an element that is not a leaf do not count.
        return one.astype(np.int32), np.asarray((sizes > 2) & self.nodes[nodes], dtype=np.bool_)

    def at(self, nodes: Longs) -> Rows:
        """Returns the leaves at these nodes, which are in ascending order."""
        return Rows(self, nodes)

    @cached_property
    def all(self) -> Rows:
        """All leaves of the document."""
        return self.at(np.flatnonzero(self.nodes | self.owners))

    def keys(self, leaf: Leaf) -> Iterator[Key]:
        """Yields what identifies a leaf whose node has no partner: its text within its element, and its name
        within its JSON object."""
        node, parent = leaf.node, self.parents[leaf.node]
        yield "text", parent if self._written[node] else node, leaf.attribute, leaf.text
        if self.members[node]:
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
    def members(self) -> Mask:
        """For each node, True if it is a member of a JSON object."""
        found = np.zeros(len(self.digest), dtype=np.bool_)
        if self.digest.kind == "json":
            found[self.digest.attribute_node[self.digest.rows_of("key")]] = True
        return found

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


class Rows:
    """Some leaves of a document, in its order; the text of a node comes before its attributes."""

    def __init__(self, leaves: Leaves, nodes: Longs) -> None:
        self._leaves = leaves
        texts = nodes[leaves.nodes[nodes]]
        holders, attributes = leaves.attributes_of(nodes)
        both = np.concatenate([texts, holders])
        order = np.argsort(both, kind="stable")
        self.nodes: Longs = both[order]
        # For each leaf which of all attributes of the document it is; -1 for the text of a node.
        self.attributes: Longs = np.concatenate([np.full(len(texts), -1, dtype=np.int64), attributes])[order]

    def __len__(self) -> int:
        return len(self.nodes)

    def leaf(self, place: int) -> Leaf:
        texts, numbers = self.texts
        return Leaf(int(self.nodes[place]), self._name(int(self.attributes[place])), texts[numbers[place]])

    def leaves(self, places: Longs) -> list[Leaf]:
        """Returns the leaves at these places."""
        texts, numbers = self.texts
        rows = (self.nodes[places].tolist(), self.attributes[places].tolist(), numbers[places].tolist())
        return [Leaf(node, self._name(row), texts[text]) for node, row, text in zip(*rows, strict=True)]

    def _name(self, row: int) -> str:
        digest = self._leaves.digest
        return digest.attribute_names[digest.attribute_name[row]] if row >= 0 else ""

    @cached_property
    def texts(self) -> tuple[list[str], Longs]:
        """The texts, each on one line, and for each leaf which of them is its own. Leaves that share a text
        in the document share it here, so that it is read once."""
        digest = self._leaves.digest
        one, several = self._leaves.one_text(self.nodes)
        numbers = one.astype(np.int64)  # -1 for no text
        held, long = np.flatnonzero(self.attributes >= 0), np.flatnonzero(several & (self.attributes < 0))
        table = [*digest.texts, *digest.attribute_values] if len(held) else list(digest.texts)
        numbers[held] = len(digest.texts) + digest.attribute_value[self.attributes[held]]
        numbers[long] = len(table) + np.arange(len(long))
        table += [digest.text(node) for node in self.nodes[long].tolist()]
        used = distinct(numbers)
        texts = [" ".join(table[number].split()) if number >= 0 else "" for number in used.tolist()]
        return texts, np.searchsorted(used, numbers)


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


def signatures(*digests: PageDigest) -> list[Ints]:
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
    """Does the same as `signatures` for documents so deep that going level by level would take longer."""
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
