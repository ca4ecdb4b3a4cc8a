"""The digest of a JSON page in, its values out: which node holds which key, item, number or text.

What a path may cost on a page is counted by a `Budget`, because any user may write a path and anybody a page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.digest import PageDigest
from webvigil.errors import PatternRefused

# Values of a page that one path may look at, about half a second. A filter that compares a member of each of
# 100,000 items looks at 300,000.
_MOST_LOOKS = 4_000_000
# A value that is made for Python costs as much as looking at so many in an array; one in an object or array
# costs more, because each is made by itself.
_MADE, _MADE_INSIDE = 3, 20
_LONGEST_NUMBER = 300


class TooLong(PatternRefused):
    """A path takes too long on one page; on another page it may be fine."""


class Budget:
    """What a path may still cost on one page."""

    def __init__(self, path: str, most: int = _MOST_LOOKS) -> None:
        self._path = path
        self._left = most

    def spend(self, looks: int) -> None:
        """Raises TooLong if that is more than what is left."""
        self._left -= looks
        if self._left < 0:
            raise TooLong(f"the JSON path {self._path!r} takes too long on this page")


@dataclass(frozen=True, eq=False)
class JsonTree:
    """The values of a JSON page as arrays. A text node is no value of its own."""

    digest: PageDigest
    is_value: Mask
    keys: Ints
    """For each node the number of its key among the values of attributes; -1 for none."""

    @property
    def size(self) -> int:
        return len(self.digest)

    def children(self, owners: Longs, nodes: Longs, budget: Budget) -> tuple[Longs, Longs]:
        """Returns the members and items of the nodes, each with the owner of its node."""
        counts = self.digest.structure[nodes].astype(np.int64)
        budget.spend(int(counts.sum()) + len(nodes))
        first, order = self._families
        at = np.repeat(first[nodes] - np.append(0, np.cumsum(counts)[:-1]), counts) + np.arange(counts.sum())
        found = order[at]
        values = self.is_value[found]
        return np.repeat(owners, counts)[values], found[values]

    def below(self, owners: Longs, nodes: Longs, budget: Budget) -> tuple[Longs, Longs]:
        """Returns the nodes and all values in them, each with the owner of its node."""
        sizes = self.digest.sizes[nodes].astype(np.int64)
        budget.spend(int(sizes.sum()) + len(nodes))
        at = np.repeat(nodes - np.append(0, np.cumsum(sizes)[:-1]), sizes) + np.arange(sizes.sum())
        values = self.is_value[at]
        return np.repeat(owners, sizes)[values], at[values]

    @property
    def _families(self) -> tuple[Longs, Longs]:
        return self.digest.once("json families", _families)

    def members(self, nodes: Longs, key: str) -> Longs:
        """Returns the members of the nodes with this key."""
        first, order = self._families
        counts = self.digest.structure[nodes].tolist()
        families = [
            order[start : start + many] for start, many in zip(first[nodes].tolist(), counts, strict=True)
        ]
        inside = np.concatenate([np.zeros(0, dtype=np.int64), *families])
        return inside[self.has_key(inside, key)]

    def items(self, nodes: Longs, place: int) -> Longs:
        """Returns the item at this place, counted from 0, of each of the nodes that is an array of so many
        items."""
        digest = self.digest
        first, order = self._families
        arrays = [node for node in nodes.tolist() if digest.tag(node) == "array"]
        return order[[first[node] + place for node in arrays if place < digest.structure[node]]]

    def has_key(self, nodes: Longs, key: str) -> Mask:
        values = self.digest.once("json keys", _keys).get(key, ())
        if len(values) == 1:
            return np.asarray(self.keys[nodes] == values[0], dtype=np.bool_)
        return np.isin(self.keys[nodes], values)

    def is_at(self, nodes: Longs, places: slice) -> Mask:
        """Returns which of the nodes are items of an array in a run of places. Negative places count from
        the end."""
        digest = self.digest
        parents = digest.parents[nodes]
        lengths, ranks = digest.structure[parents].astype(np.int64), digest.ranks[nodes].astype(np.int64)
        pace = 1 if places.step is None else places.step
        if not pace:
            return np.zeros(len(nodes), dtype=np.bool_)
        first, last = _ends(places, lengths, pace)
        steps = (ranks - first) * np.sign(pace)
        fits = (steps >= 0) & ((last - ranks) * np.sign(pace) > 0) & (steps % abs(pace) == 0)
        return np.asarray(fits & digest.is_tag(("array",))[parents], dtype=np.bool_)

    def values(self, nodes: Longs, budget: Budget) -> list[Any]:
        """Returns the values of several nodes as Python has them."""
        digest = self.digest
        budget.spend(_MADE * len(nodes))
        names = [_READ.get(name) for name in digest.tag_names]
        behind = np.minimum(nodes + 1, len(digest) - 1)
        places = np.where(digest.sizes[nodes] == 2, digest.content[behind], -1).tolist()
        answer = []
        for node, tag, place in zip(nodes.tolist(), digest.tags[nodes].tolist(), places, strict=True):
            read = names[tag]
            text = digest.texts[place] if place >= 0 else ""
            answer.append(read(text) if read else self._whole(node, budget))
        return answer

    def _whole(self, node: int, budget: Budget) -> Any:
        """Returns an object or array."""
        digest = self.digest
        budget.spend(_MADE_INSIDE * int(digest.sizes[node]))
        made: dict[int, Any] = {}
        for one in range(node + int(digest.sizes[node]) - 1, node - 1, -1):
            if self.is_value[one]:
                made[one] = self._made(one, made)
        return made[node]

    def _made(self, node: int, made: dict[int, Any]) -> Any:
        digest = self.digest
        tag = digest.tag_names[digest.tags[node]]
        if tag in ("object", "array"):
            first, order = self._families
            inner = order[first[node] : first[node] + digest.structure[node]].tolist()
            if tag == "array":
                return [made.pop(one) for one in inner]
            return {digest.attribute_values[self.keys[one]]: made.pop(one) for one in inner}
        return _READ[tag](digest.text(node))


def tree_of(digest: PageDigest) -> JsonTree:
    """Returns the values of a JSON page. Raises PatternRefused for a page of another kind."""
    if digest.kind != "json":
        raise PatternRefused(f"a JSON path finds parts of JSON; this page is {digest.kind}")
    is_value, keys = digest.once("json values", _values)
    return JsonTree(digest, is_value, keys)


def _values(digest: PageDigest) -> tuple[Mask, Ints]:
    keys = np.full(len(digest), -1, dtype=np.int32)
    rows = digest.rows_of("key")
    keys[digest.attribute_node[rows]] = digest.attribute_value[rows]
    is_value = np.asarray(digest.content < 0, dtype=np.bool_)
    is_value[:1] = False
    # An empty string is an element without a text in it, so only its name tells it from a text node.
    return is_value, keys


def _keys(digest: PageDigest) -> dict[str, list[int]]:
    """Returns for each value of an attribute its numbers."""
    found: dict[str, list[int]] = {}
    for number, value in enumerate(digest.attribute_values):
        found.setdefault(value, []).append(number)
    return found


def _families(digest: PageDigest) -> tuple[Longs, Longs]:
    """Returns for each node where its children begin, and the children, family by family."""
    order = np.argsort(digest.parents[1:], kind="stable").astype(np.int64) + 1
    counts = digest.structure.astype(np.int64)
    return np.append(0, np.cumsum(counts)[:-1]), order


def _ends(places: slice, lengths: Longs, pace: int) -> tuple[Longs, Longs]:
    """Returns the first place of each run and the place behind its last, in arrays of these lengths."""
    low, high = (0, lengths) if pace > 0 else (-1, lengths - 1)
    usual = (low, high) if pace > 0 else (high, low)
    ends = [
        usual[at]
        if given is None
        else np.clip(given + lengths if given < 0 else np.full_like(lengths, given), low, high)
        for at, given in enumerate((places.start, places.stop))
    ]
    return np.broadcast_to(ends[0], lengths.shape), np.broadcast_to(ends[1], lengths.shape)


def _number(text: str) -> int | float:
    """Returns a number as it is compared. Python refuses to read whole numbers of thousands of digits."""
    if len(text) > _LONGEST_NUMBER or not text.lstrip("-").isdigit():
        return float(text)
    return int(text)


_READ: dict[str, Callable[[str], Any]] = {
    "string": str,
    "number": _number,
    "boolean": lambda text: text == "true",
    "null": lambda text: None,
}
