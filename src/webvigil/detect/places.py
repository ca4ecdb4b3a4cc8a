"""Where objects stand, as paths a reader can follow, and what is written there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from webvigil.detect.remembered import remembered
from webvigil.document import PageDigest

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


def text_of(digest: PageDigest, start: int, end: int) -> str:
    """A run of words as it stands on the page, with the punctuation inside."""
    words = digest.words
    first, last = int(words.starts[start]), int(words.starts[end - 1]) + len(words.words[end - 1])
    return " ".join(digest.reading.text[first:last].split())


@remembered
def title(digest: PageDigest) -> tuple[str, tuple[str, ...]]:
    """The title and where it stands, if it is not among the words of the page anyway."""
    if digest.title and digest.is_html:
        for node in digest.nodes_of("title").tolist():
            if digest.hidden[node] and digest.text(node).split() == digest.title.split():
                return digest.title, (digest.path(node),)
    return "", ()
