"""Where objects stand, as paths a reader can follow, and what is written there."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webvigil.detect.remembered import kept
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, Longs
from webvigil.document.fast import accelerated, native

MOST = 1_000
_IN_ALL = 20_000  # places of runs on one page; about 10 µs each


def paths(digest: PageDigest, nodes: Iterable[int], most: int = MOST) -> tuple[str, ...]:
    """The paths of the elements at these nodes, each once; a text stands where its element is.

    Of an object that is all over a long page the first places will do.
    """
    elements: dict[int, None] = {}
    page = digest.whole
    is_text, parents, within = page.is_text, page.parents, page.kind != "text"
    if page is not digest:
        nodes = (int(digest.origin[node]) for node in nodes)
    for node in dict.fromkeys(nodes):
        elements[int(parents[node]) if within and is_text[node] else node] = None
        if len(elements) == most:
            break
    return tuple(page.paths(list(elements)))


def element(digest: PageDigest, node: int) -> int:
    """The node itself, or the element around a text, as a node of the whole page; a line of plain text
    has none. Of a part of a page the element may be outside."""
    page = digest.whole
    if page is not digest:
        node = int(digest.origin[node])
    return int(page.parents[node]) if page.is_text[node] and page.kind != "text" else node


def paths_of(digest: PageDigest, runs: Longs) -> list[tuple[str, ...]]:
    """The paths of the elements that runs (start, end) of words stand in."""
    most = max(3, min(MOST, _IN_ALL // max(len(runs), 1)))
    nodes = digest.words.nodes
    if native is None or digest.kind == "json":
        return [paths(digest, nodes[start:end].tolist(), most) for start, end in runs.tolist()]
    page = digest.whole
    numbers = page.places
    found: list[tuple[str, ...]] = native.run_paths(
        *(runs[:, 0], runs[:, 1], nodes, _elements(digest), most),
        *(page.parents, page.tags, numbers.number, numbers.total, numbers.names),
    )
    return found


@kept
def _elements(digest: PageDigest) -> Ints:
    """Per node the element that tells where it is, as it is numbered on the whole page."""
    page, nodes = digest.whole, digest.origin
    if page.kind != "text":
        nodes = np.where(page.is_text[nodes], page.parents[nodes], nodes)
    return nodes.astype(np.int32)


def texts_of(digest: PageDigest, runs: Longs) -> list[str | None]:
    """Runs (start, end) of words as they stand on the page, punctuation too; None for an empty one."""
    words = digest.words
    if not len(words):
        return [None] * len(runs)
    first, last = runs[:, 0], runs[:, 1]
    starts = words.starts[np.minimum(first, len(words) - 1)]
    return squeezed(words.text, starts, np.where(first < last, words.ends[last - 1], 0))


@accelerated
def squeezed(text: str, starts: Longs, ends: Longs) -> list[str | None]:
    """Parts of a text, each run of white space in them as one space; None for a part that is empty."""
    return [
        " ".join(text[start:end].split()) if start < end else None
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def text_of(digest: PageDigest, start: int, end: int) -> str:
    """One run of words that is not empty."""
    words = digest.words
    return " ".join(digest.reading.text[int(words.starts[start]) : int(words.ends[end - 1])].split())


@kept
def title(digest: PageDigest) -> tuple[str, tuple[str, ...]]:
    """The title and where it stands, if it is not among the words of the page anyway."""
    if digest.title and digest.is_html:
        for node in digest.nodes_of("title").tolist():
            if digest.hidden[node] and digest.text(node).split() == digest.title.split():
                return digest.title, (digest.path(node),)
    return "", ()
