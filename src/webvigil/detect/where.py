"""Paths of many nodes of one page: neighbours share the way to their parent.

A path is as long as its node is deep. On a page nested without end the way stops at an element that is
deep enough for any reader: what changed is somewhere inside. Of the many thousand places of a page of
which everything changed only the first are told exactly, the others by an element around them.
"""

from __future__ import annotations

import numpy as np

from webvigil.detect.places import element
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, enclosing
from webvigil.document.derived import cached_property

DEEPEST = 100
EXACT = 5_000  # places told exactly; about 10 µs each


class Where:
    """The paths of one page."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self._page = digest.whole
        self._origin = digest.origin
        self._is_json = digest.kind == "json"
        # The ways to what is around the places that were told.
        self._known: dict[int, str] = {0: "$" if self._is_json else "/"}
        self._left = EXACT

    def path(self, node: int) -> str:
        """The path of a node of the digest, which may be a part of a page."""
        return self._path(int(self._origin[node]))

    def paths(self, *nodes: int) -> tuple[str, ...]:
        """The paths of some nodes, each once; a text stands where its element is."""
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
        """Per node: the nearest element around it whose way was known when the last exact place was told."""
        known = np.zeros(len(self._page), dtype=np.bool_)
        known[list(self._known)] = True
        return enclosing(known, self._page.sizes)

    @cached_property
    def _at_deepest(self) -> Longs:
        """Per node: the element around it at the depth where ways stop."""
        return enclosing(np.asarray(self._page.depths == DEEPEST), self._page.sizes)
