"""Where objects stand, as paths a reader can follow."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.document import PageDigest


def paths(digest: PageDigest, nodes: Iterable[int]) -> tuple[str, ...]:
    """The paths of the elements at these nodes, each once; a text stands where its element is."""
    return tuple(dict.fromkeys([digest.path(element(digest, node)) for node in dict.fromkeys(nodes)]))


def element(digest: PageDigest, node: int) -> int:
    """The node itself, or the element around a text."""
    return int(digest.parents[node]) if digest.is_text[node] else node
