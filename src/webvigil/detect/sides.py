"""One of two documents that are being matched, as plain lists.

The search goes node by node, and reading one element is faster from a list than from an array.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Ints, Longs, Mask
from webvigil.model.memo import cached_property

# A subtree with so many nodes or characters is not found twice by chance.
_NODES, _CHARACTERS = 4, 32
# So many nodes, and characters of each text, are examined to compute what a subtree is like.
_PARTS, _PART_CHARACTERS = 60, 500


class Side:
    """A document, and for each node its partner in the other one (-1 for none yet)."""

    def __init__(self, digest: PageDigest, numbers: dict[str, int]) -> None:
        """`numbers` is shared by both sides, so that equal names have equal numbers."""
        self.digest = digest
        self.hashes: Hashes = digest.subtree_hashes
        self.partner = [-1] * len(digest)
        table = [numbers.setdefault(name, len(numbers)) for name in digest.tag_names]
        self.name: list[int] = np.array(table, dtype=np.int32)[digest.tags].tolist()
        self.size: list[int] = digest.sizes.tolist()
        self.hash: list[int] = digest.subtree_hashes.tolist()

    @cached_property
    def shape(self) -> list[int]:
        found: list[int] = self.digest.shape_hashes.tolist()
        return found

    @cached_property
    def parent(self) -> list[int]:
        found: list[int] = self.digest.parents.tolist()
        return found

    @cached_property
    def identifier(self) -> dict[int, str]:
        """What distinguishes some nodes from their siblings: the id, or the key in JSON."""
        digest = self.digest
        rows = digest.rows_of("key" if digest.kind == "json" else "id")
        nodes, values = digest.attribute_node[rows].tolist(), digest.attribute_value[rows].tolist()
        return {node: digest.attribute_values[value] for node, value in zip(nodes, values, strict=True)}

    def children(self, node: int) -> list[int]:
        found, child, end = [], node + 1, node + self.size[node]
        while child < end:
            found.append(child)
            child += self.size[child]
        return found

    def free(self) -> Longs:
        """Returns the nodes without a partner."""
        return np.flatnonzero(np.array(self.partner) < 0)

    def telling(self, node: int) -> bool:
        """Returns True if a subtree is worth finding elsewhere. A blank text or a lone `br` is not."""
        digest = self.digest
        if self.size[node] == 1 and digest.content[node] >= 0:
            return any(map(str.isalnum, digest.own_text(node)))
        return self.size[node] > 1 or bool(digest.attribute_start[node] < digest.attribute_start[node + 1])

    def features(self, node: int) -> Counter[int | str]:
        """Returns what a subtree is made of: the signatures of its parts, and its words."""
        end = node + min(self.size[node], _PARTS)
        found: Counter[int | str] = Counter(self.hash[node:end])
        for place in range(node, end):
            if self.digest.content[place] >= 0:
                found.update(self.digest.own_text(place)[:_PART_CHARACTERS].split())
        return found


def substantial(digest: PageDigest, nodes: Longs) -> Mask:
    """Returns for each of these nodes whether its subtree is large enough not to be equal to another by
    chance."""
    lengths = np.fromiter(map(len, digest.texts), dtype=np.int64, count=len(digest.texts))
    own = np.append(lengths, 0)[digest.content]  # -1 (no text) is the index of the last one
    before = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=before[1:])
    sizes = digest.sizes[nodes]
    characters = before[nodes + sizes] - before[nodes]
    return np.asarray((sizes >= _NODES) | (characters >= _CHARACTERS), dtype=np.bool_)


def outermost(roots: Longs, sizes: Ints) -> Mask:
    """Returns which of these ascending nodes are not inside another of them."""
    ends = np.maximum.accumulate(roots + sizes[roots])
    inside = np.zeros(len(roots), dtype=np.bool_)
    inside[1:] = roots[1:] < ends[:-1]
    return ~inside
