"""Where objects stand, as paths a reader can follow, and what is written there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from webvigil.detect.remembered import remembered
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs

MOST = 1_000


def paths(digest: PageDigest, nodes: Iterable[int]) -> tuple[str, ...]:
    """The paths of the elements at these nodes, each once; a text stands where its element is.

    Of an object that is all over a long page the first places will do.
    """
    elements = dict.fromkeys([element(digest, node) for node in dict.fromkeys(nodes)])
    return tuple([digest.path(node) for node in islice(elements, MOST)])


def element(digest: PageDigest, node: int) -> int:
    """The node itself, or the element around a text; a line of plain text has none."""
    return int(digest.parents[node]) if digest.is_text[node] and digest.kind != "text" else node


def paths_of(digest: PageDigest, runs: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """The paths of the elements that runs of words stand in; most stand in one."""
    nodes, edges = digest.words.nodes, _edges(runs)
    first, last = nodes[edges[:, 0]].tolist(), nodes[edges[:, 1] - 1].tolist()
    known = {node: paths(digest, (node,)) for node in {*first}}
    return [
        known[one] if one == other else paths(digest, nodes[start:end].tolist())
        for one, other, (start, end) in zip(first, last, runs, strict=True)
    ]


def texts_of(digest: PageDigest, runs: Sequence[tuple[int, int]]) -> list[str | None]:
    """Runs of words as they stand on the page, with the punctuation inside; None for an empty one."""
    words, text, edges = digest.words, digest.reading.text, _edges(runs)
    if not len(words):
        return [None] * len(runs)
    firsts = words.starts[np.minimum(edges[:, 0], len(words) - 1)].tolist()
    lasts = words.starts[edges[:, 1] - 1].tolist()
    return [
        " ".join(text[first : last + len(words.words[end - 1])].split()) if start < end else None
        for first, last, (start, end) in zip(firsts, lasts, runs, strict=True)
    ]


def text_of(digest: PageDigest, start: int, end: int) -> str:
    """One run of words that is not empty."""
    return texts_of(digest, [(start, end)])[0] or ""


def _edges(runs: Sequence[tuple[int, int]]) -> Longs:
    return np.array(runs, dtype=np.int64).reshape(-1, 2)


@remembered
def title(digest: PageDigest) -> tuple[str, tuple[str, ...]]:
    """The title and where it stands, if it is not among the words of the page anyway."""
    if digest.title and digest.is_html:
        for node in digest.nodes_of("title").tolist():
            if digest.hidden[node] and digest.text(node).split() == digest.title.split():
                return digest.title, (digest.path(node),)
    return "", ()
