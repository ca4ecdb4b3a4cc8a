"""Nodes of a page in, their paths out; neighbours share the path to their parent.

A path is as long as its node is deep. On a page nested without end the path stops at an element that is deep
enough for any reader: the change is somewhere inside. If everything on a page changed, only the first of the
many thousand places get an exact path; the others get the path of an element around them.
"""

from __future__ import annotations

import numpy as np

from webvigil.detect.places import element
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, enclosing
from webvigil.document.derived import cached_property

# No reader follows a longer path, and on a page nested without end paths would be as long as the page.
DEEPEST = 100
EXACT = 5_000  # places that get an exact path; about 10 µs each


class Where:
    """The paths of one page."""

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
