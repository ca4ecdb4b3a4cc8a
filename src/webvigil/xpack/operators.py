"""The operators of XPack: pairs of functions that take one kind of redundancy out of a document (X1).

PagePack       the depth of each node        ↔ the number of children of each node
PathPack       the numbers of children       ↔ subpaths without a branch ⟨start, end, parent⟩
NamePack       the name of each node         ↔ the different names, sorted, and a number per node
URLPack        addresses                     ↔ sorted, each without the beginning it shares with the previous
AttributePack  attributes                    ↔ names as in NamePack, values as in URLPack
ContentPack    texts                         ↔ the different texts, in order of use, and a number per text
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs
from webvigil.errors import XPackError

# The length of a shared prefix is stored in one byte.
_LONGEST_PREFIX = 255


class Subpaths(NamedTuple):
    """Subpaths as parallel columns. Nodes count from 1 as in the paper; the parent of the root is 0."""

    start: Longs
    end: Longs
    parent: Longs

    def tuples(self) -> list[tuple[int, int, int]]:
        return list(zip(self.start.tolist(), self.end.tolist(), self.parent.tolist(), strict=True))


class Mapped(NamedTuple):
    """A table of different strings and, for each place, the number of its string in the table."""

    table: tuple[str, ...]
    numbers: Longs

    def strings(self) -> list[str]:
        return [self.table[number] for number in self.numbers.tolist()]


class SharedPrefixes(NamedTuple):
    """A table of sorted strings, each stored without its shared prefix, and a number per place.

    `shared` counts the characters that each string has in common with the string before it, `rest` holds the
    characters behind them, and `numbers` has the number of the string at each place.
    """

    shared: tuple[int, ...]
    rest: tuple[str, ...]
    numbers: Longs


class Attributes(NamedTuple):
    names: Mapped
    values: SharedPrefixes


def page_pack(depths: Ints) -> Ints:
    return arrays.structure_of(depths)


def page_unpack(children: Ints) -> Ints:
    """Returns the depth of each node. Raises XPackError for numbers of children that no tree has."""
    open_places = np.cumsum(children.astype(np.int64) - 1)
    if not len(children) or open_places[-1] != -1 or (open_places[:-1] < 0).any():
        raise XPackError("the packed file is damaged: its structure is not that of a tree")
    return arrays.node_depths(children)


def path_pack(children: Ints) -> Subpaths:
    """Cuts a tree into subpaths without a branch.

    A subpath ends at a leaf or a branch; the next one begins at the next node in document order.
    """
    ends = np.flatnonzero(children != 1)
    starts = np.concatenate([[0], ends[:-1] + 1])
    parents = arrays.node_parents(arrays.node_depths(children))
    return Subpaths(starts + 1, ends + 1, parents[starts].astype(np.int64) + 1)


def path_unpack(paths: Subpaths) -> Ints:
    """Returns the number of children of each node of these subpaths.

    A node inside a subpath has one child. The last node has as many children as subpaths begin below it.
    """
    children = np.ones(int(paths.end[-1]), dtype=np.int32)
    children[paths.end - 1] = np.bincount(paths.parent, minlength=len(children) + 1)[paths.end]
    return children


def name_pack(names: Sequence[str]) -> Mapped:
    table = tuple(sorted(set(names)))
    number = {name: index for index, name in enumerate(table)}
    return Mapped(table, np.fromiter(map(number.__getitem__, names), np.int64, len(names)))


def name_unpack(packed: Mapped) -> list[str]:
    return packed.strings()


def url_pack(urls: Sequence[str]) -> SharedPrefixes:
    sorted_once = name_pack(urls)
    shared = shared_prefixes(sorted_once.table)
    rest = tuple(url[count:] for url, count in zip(sorted_once.table, shared, strict=True))
    return SharedPrefixes(shared, rest, sorted_once.numbers)


def shared_prefixes(table: Sequence[str]) -> tuple[int, ...]:
    """Returns for each string how many characters it shares with the string before it; at most 255."""
    shared = [_shared(before, url) for before, url in pairwise(table)]
    return (0, *shared) if table else ()


def _shared(before: str, url: str) -> int:
    most = min(len(before), len(url), _LONGEST_PREFIX)
    return next((place for place in range(most) if before[place] != url[place]), most)


def url_unpack(packed: SharedPrefixes) -> list[str]:
    return Mapped(tuple(with_prefixes(packed.shared, packed.rest)), packed.numbers).strings()


def with_prefixes(shared: Sequence[int], rest: Sequence[str]) -> list[str]:
    """Returns the whole strings, given how many characters each shares with the previous one and the rest."""
    found, before = [], ""
    for count, ending in zip(shared, rest, strict=True):
        before = before[:count] + ending
        found.append(before)
    return found


def attribute_pack(pairs: Sequence[tuple[str, str]]) -> Attributes:
    return Attributes(name_pack([name for name, _ in pairs]), url_pack([value for _, value in pairs]))


def attribute_unpack(packed: Attributes) -> list[tuple[str, str]]:
    return list(zip(name_unpack(packed.names), url_unpack(packed.values), strict=True))


def content_pack(texts: Sequence[str]) -> Mapped:
    table = tuple(dict.fromkeys(texts))
    number = {text: index for index, text in enumerate(table)}
    return Mapped(table, np.fromiter(map(number.__getitem__, texts), np.int64, len(texts)))


def content_unpack(packed: Mapped) -> list[str]:
    return packed.strings()
