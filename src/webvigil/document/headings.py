"""The title of a page and its headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webvigil.document.arrays import Longs

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    node: int


def title(digest: PageDigest) -> str:
    """The first title of the document, white space collapsed; that of a drawing inside does not count."""
    for node in digest.nodes_of("title").tolist():
        if not digest.is_html or digest.tag(digest.parent(node)) not in ("svg", "symbol", "g"):
            return " ".join(digest.text(node).split())
    return ""


def headings(digest: PageDigest) -> tuple[Heading, ...]:
    nodes = heading_nodes(digest)
    texts = digest.is_text.nonzero()[0]
    first, last = texts.searchsorted(nodes).tolist(), texts.searchsorted(nodes + digest.sizes[nodes]).tolist()
    levels = [int(tag[1]) if tag in LEVELS else 0 for tag in digest.tag_names]
    written: list[int] = digest.content[texts].tolist()
    return tuple(
        [
            Heading(levels[tag], _text(digest.texts, written[start:end]), node)
            for node, tag, start, end in zip(
                nodes.tolist(), digest.tags[nodes].tolist(), first, last, strict=True
            )
        ]
    )


def _text(table: Sequence[str], written: list[int]) -> str:
    text = table[written[0]] if len(written) == 1 else "".join([table[index] for index in written])
    return " ".join(text.split())


def heading_nodes(digest: PageDigest) -> Longs:
    """The headings that are shown."""
    nodes = digest.nodes_of(*LEVELS if digest.is_html else ())
    return nodes[~digest.hidden[nodes]]
