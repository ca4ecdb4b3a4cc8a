"""A page in, its title and its headings out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document.arrays import Longs
from webvigil.document.reading import owned_texts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Heading(NamedTuple):
    level: int
    text: str
    node: int


def title(digest: PageDigest) -> str:
    """Returns the first title of the document, white space collapsed. The title of an SVG drawing does not
    count."""
    for node in digest.nodes_of("title").tolist():
        if not digest.is_html or digest.tag(digest.parent(node)) not in ("svg", "symbol", "g"):
            return " ".join(digest.text(node).split())
    return ""


def headings(digest: PageDigest) -> tuple[Heading, ...]:
    nodes = heading_nodes(digest)
    texts = digest.is_text.nonzero()[0]
    starts, ends = texts.searchsorted(nodes), texts.searchsorted(nodes + digest.sizes[nodes])
    unbroken = np.zeros(len(texts), dtype=np.bool_)
    written = owned_texts(digest.texts, digest.content[texts], unbroken, starts, ends)
    levels = [int(tag[1]) if tag in LEVELS else 0 for tag in digest.tag_names]
    ranks = [levels[tag] for tag in digest.tags[nodes].tolist()]
    return tuple(map(Heading._make, zip(ranks, written, nodes.tolist(), strict=True)))


def heading_nodes(digest: PageDigest) -> Longs:
    """Returns the nodes of the visible headings."""
    nodes = digest.nodes_of(*LEVELS if digest.is_html else ())
    return nodes[~digest.hidden[nodes]]
