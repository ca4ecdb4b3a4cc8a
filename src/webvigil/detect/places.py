"""Where objects stand, as paths a reader can follow, and what is written there."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webvigil.detect.remembered import kept
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs

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
    return tuple([page.path(node) for node in elements])


def element(digest: PageDigest, node: int) -> int:
    """The node itself, or the element around a text, as a node of the whole page; a line of plain text
    has none. Of a part of a page the element may be outside."""
    page = digest.whole
    if page is not digest:
        node = int(digest.origin[node])
    return int(page.parents[node]) if page.is_text[node] and page.kind != "text" else node


def paths_of(digest: PageDigest, runs: Longs) -> list[tuple[str, ...]]:
    """The paths of the elements that runs (start, end) of words stand in; most stand in one."""
    nodes = digest.words.nodes
    first, last = nodes[runs[:, 0]], nodes[runs[:, 1] - 1]
    page = digest.whole
    homes = first if page is digest else digest.origin[first]
    within = homes if page.kind == "text" else np.where(page.is_text[homes], page.parents[homes], homes)
    elements: list[int] = within.tolist()
    known = {node: (page.path(node),) for node in {*elements}}
    most = max(3, min(MOST, _IN_ALL // max(len(runs), 1)))
    return [
        known[one] if alone else paths(digest, nodes[start:end].tolist(), most)
        for one, alone, (start, end) in zip(elements, (first == last).tolist(), runs.tolist(), strict=True)
    ]


def texts_of(digest: PageDigest, runs: Longs) -> list[str | None]:
    """Runs (start, end) of words as they stand on the page, punctuation too; None for an empty one."""
    words, text = digest.words, digest.reading.text
    if not len(words):
        return [None] * len(runs)
    firsts = words.starts[np.minimum(runs[:, 0], len(words) - 1)].tolist()
    lasts = words.ends[runs[:, 1] - 1].tolist()
    return [
        " ".join(text[first:last].split()) if start < end else None
        for first, last, (start, end) in zip(firsts, lasts, runs.tolist(), strict=True)
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
