"""A page in, what stands around its main part out: the blocks that `Within main` leaves out (Q5, Q7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document.arrays import Longs, Mask
from webvigil.document.main import main

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# Blocks that are shown, and words of each.
MOST = 20
_SAMPLE = 8
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# What a block is called by a word in its tag, role, id or class; the first that fits.
_CALLED = {
    "the question for consent": {"cookie", "cookies", "consent", "gdpr", "onetrust", "didomi"},
    "the navigation": {"nav", "navbar", "navigation", "menu", "submenu", "megamenu", "menubar", "tablist"},
    "the way to this page": {"breadcrumb", "breadcrumbs"},
    "the footer": {"footer", "contentinfo"},
    "the header": {"header", "masthead", "topbar", "banner"},
    "the search": {"search"},
    "recommendations": {"related", "recommended", "recommendations", "recommendation"},
    "links to share it": {"share", "sharing", "social"},
    "the newsletter": {"newsletter", "subscribe"},
    "advertising": {"advert", "advertisement", "ads", "adsense", "promo", "promotion", "banners"},
    "a dialog": {"dialog", "alertdialog", "modal", "popup", "popin", "overlay", "drawer", "toast", "alert"},
    "links to other pages of a list": {"pagination", "pager"},
    "the side column": {"aside", "sidebar", "complementary"},
}
# Blocks with this share of their words in links are lists of links.
_LINKS = 0.6


class Beside(NamedTuple):
    """A block that stands around the main part: what people call it, where it is, how many words it has and
    with which it begins."""

    called: str
    path: str
    words: int
    begins: str


def around(digest: PageDigest) -> list[Beside]:
    """Returns the blocks without a word of the main part in them, as large as possible; the largest `MOST` of
    them, in the order of the page."""
    kept = main(digest)
    if kept.all():
        return []
    words = digest.words
    found = [(node, *_words_in(words.nodes, digest, node)) for node in _outermost(digest, kept)]
    written = [one for one in found if one[2] > one[1]]
    largest = sorted(sorted(written, key=lambda one: one[1] - one[2])[:MOST])
    return [
        Beside(_called(digest, node), digest.path(node), last - first, _begins(digest, first, last))
        for node, first, last in largest
    ]


def _outermost(digest: PageDigest, kept: Mask) -> list[int]:
    """Returns the elements without a node of the main part, that stand in an element with one."""
    sums = np.concatenate([[0], np.cumsum(kept)])
    nodes = np.arange(len(digest))
    empty = (sums[nodes + digest.sizes] == sums[nodes]) & ~digest.is_text
    outside = empty.copy()
    outside[1:] &= ~empty[digest.parents[1:]]
    return [int(node) for node in np.flatnonzero(outside)]


def _words_in(nodes: Longs, digest: PageDigest, node: int) -> tuple[int, int]:
    """Returns the numbers of the first word in an element and of the first one behind it."""
    first, last = np.searchsorted(nodes, [node, node + int(digest.sizes[node])])
    return int(first), int(last)


def _begins(digest: PageDigest, first: int, last: int) -> str:
    words = digest.words
    end = int(words.ends[min(last, first + _SAMPLE) - 1])
    text = " ".join(words.text[int(words.starts[first]) : end].split())
    return text if last - first <= _SAMPLE else f"{text} …"


def _called(digest: PageDigest, node: int) -> str:
    """Returns what a block is called: by what it says of itself, or else by what the first element in it
    says."""
    for one in range(node, node + int(digest.sizes[node])):
        pieces = {*_pieces(digest, one)}
        for called, names in _CALLED.items():
            if not names.isdisjoint(pieces):
                return called
    return "a list of links" if _is_links(digest, node) else "a block beside the text"


def _pieces(digest: PageDigest, node: int) -> Iterator[str]:
    values = (digest.attribute(node, name) or "" for name in ("role", "id", "class"))
    for value in (digest.tag(node), *values):
        yield from (piece.lower() for piece in _PIECE.findall(value[:200]))


def _is_links(digest: PageDigest, node: int) -> bool:
    first, last = _words_in(digest.words.nodes, digest, node)
    nodes = digest.words.nodes[first:last]
    linked = [
        any(digest.tag(one) == "a" for one in digest.ancestors(int(text))) for text in set(nodes.tolist())
    ]
    return sum(linked) >= _LINKS * len(linked)
