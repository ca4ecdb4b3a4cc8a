"""Nodes or runs of words in, their paths and their text out, for the findings that people read.

A path is as long as its node is deep. On a page nested without end a path stops at an element that is deep
enough for any reader: the change is somewhere inside. If everything on a page changed, only the first of the
many thousand places get an exact path; the others get the path of an element around them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from webvigil.document import PageDigest, kept, kept_of_tree
from webvigil.document.arrays import Ints, Longs, enclosing, spread
from webvigil.document.fast import accelerated, native
from webvigil.model.memo import cached_property

# An object that is all over a long page is reported with its first places only.
MOST = 1_000
_IN_ALL = 20_000  # places of runs on one page; about 10 µs each
# Deeper than any page in a browser. Thousands of paths to the bottom of a page nested without end would be
# many times as long as the page.
_DEEPEST = 600


def paths(digest: PageDigest, nodes: Iterable[int], most: int = MOST) -> tuple[str, ...]:
    """Returns the paths of the elements at these nodes, each once, at most `most`. A text has the path of its
    element."""
    found: dict[int, None] = {}
    elements = _elements(digest)
    for node in dict.fromkeys(nodes):
        found[int(elements[node])] = None
        if len(found) == most:
            break
    return tuple(digest.whole.paths(list(found)))


def element(digest: PageDigest, node: int) -> int:
    """Returns the node itself, or the element around a text, as a node of the whole page; a line of plain
    text has no element around it. For a part of a page the element may be outside of the part."""
    page = digest.whole
    if page is not digest:
        node = int(digest.origin[node])
    return int(page.parents[node]) if page.is_text[node] and page.kind != "text" else node


def paths_of(digest: PageDigest, runs: Longs) -> list[tuple[str, ...]]:
    """Returns the paths of the elements that contain these runs (start, end) of words."""
    most = max(3, min(MOST, _IN_ALL // max(len(runs), 1)))
    words, begins = spread(runs)
    nodes = digest.words.nodes_at(words)
    if native is None or digest.kind == "json":
        return [paths(digest, nodes[start:end].tolist(), most) for start, end in pairwise(begins.tolist())]
    page = digest.whole
    numbers = page.places
    found: list[tuple[str, ...]] = native.run_paths(
        *(begins[:-1], begins[1:], nodes, _elements(digest), most),
        *(page.parents, page.tags, numbers.number, numbers.total, numbers.names),
    )
    return found


@kept_of_tree
def _elements(digest: PageDigest) -> Ints:
    """Returns for each node the element whose path is reported, by its number on the whole page."""
    page, nodes = digest.whole, digest.origin
    if page.kind != "text":
        elements = np.where(page.is_text, page.parents, np.arange(len(page)))
        nodes = elements if page is digest else elements[nodes]
    depths = page.depths
    if depths.max(initial=0) > _DEEPEST:
        nodes = np.where(depths[nodes] > _DEEPEST, enclosing(depths == _DEEPEST, page.sizes)[nodes], nodes)
    return nodes.astype(np.int32)


def texts_of(digest: PageDigest, runs: Longs) -> list[str | None]:
    """Returns runs (start, end) of words as they are on the page, with punctuation; None for an empty run."""
    words = digest.words
    if not len(words):
        return [None] * len(runs)
    first, last = runs[:, 0], runs[:, 1]
    starts = words.starts[np.minimum(first, len(words) - 1)]
    return squeezed(words.text, starts, np.where(first < last, words.ends[last - 1], 0))


@accelerated
def squeezed(text: str, starts: Longs, ends: Longs) -> list[str | None]:
    """Returns parts of a text, with each run of white space as one space; None for an empty part."""
    return [
        " ".join(text[start:end].split()) if start < end else None
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def text_of(digest: PageDigest, start: int, end: int) -> str:
    """Returns the text of one run of words, which must not be empty."""
    words = digest.words
    return " ".join(digest.reading.text[int(words.starts[start]) : int(words.ends[end - 1])].split())


@kept
def title(digest: PageDigest) -> tuple[str, tuple[str, ...]]:
    """Returns the title and its path, unless the title is among the words of the page anyway."""
    if digest.title and digest.is_html:
        for node in digest.nodes_of("title").tolist():
            if digest.hidden[node] and digest.text(node).split() == digest.title.split():
                return digest.title, (digest.path(node),)
    return "", ()


# No reader follows a longer path, and on a page nested without end paths would be as long as the page.
DEEPEST = 100
EXACT = 5_000  # places that get an exact path; about 10 µs each


class Where:
    """The paths of the nodes of one page. Neighbours share the path to their parent."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self._page = digest.whole
        self._origin = digest.origin
        self._is_json = digest.kind == "json"
        # The paths of the parents of the places reported so far.
        self._known: dict[int, str] = {0: "$" if self._is_json else "/"}
        self._left = EXACT

    def path(self, node: int) -> str:
        """Returns the path of a node of the digest, which may be a part of a page."""
        return self._path(int(self._origin[node]))

    def paths(self, *nodes: int) -> tuple[str, ...]:
        """Returns the paths of some nodes, each once. A text has the path of its element."""
        return tuple(dict.fromkeys([self._path(element(self._digest, node)) for node in nodes]))

    def _path(self, node: int) -> str:
        if self._is_json and self._page.is_text[node]:
            node = int(self._page.parents[node])
        if self._page.depths[node] > DEEPEST:
            node = int(self._at_deepest[node])
        if node in self._known:
            return self._known[node]
        if not self._left:
            return self._known[int(self._around[node])]
        self._left -= 1
        parent = int(self._page.parents[node])
        if parent not in self._known:
            self._known[parent] = self._page.path(parent)
        return self._page.path(node)

    @cached_property
    def _around(self) -> Longs:
        """For each node, the nearest element around it whose path was known when the last exact path was
        made."""
        known = np.zeros(len(self._page), dtype=np.bool_)
        known[list(self._known)] = True
        return enclosing(known, self._page.sizes)

    @cached_property
    def _at_deepest(self) -> Longs:
        """For each node, the element around it at the depth where paths stop."""
        return enclosing(np.asarray(self._page.depths == DEEPEST), self._page.sizes)
