"""The title of a page and its headings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        if not digest.is_html or digest.tag(int(digest.parents[node])) not in ("svg", "symbol", "g"):
            return " ".join(digest.text(node).split())
    return ""


def headings(digest: PageDigest) -> tuple[Heading, ...]:
    if not digest.is_html:
        return ()
    return tuple(
        Heading(int(digest.tag(node)[1]), " ".join(digest.text(node).split()), node)
        for node in digest.nodes_of(*LEVELS).tolist()
        if not digest.hidden[node]
    )
