"""A page in, the part that matters out: without navigation, header, footer, banners, consent, offers (Q5).

A page says what is around its text: by elements (`nav`, `footer`), by roles (`banner`), by names in `id` and
`class`. What is left is followed downwards as long as one element holds nearly all of its running text, that
is words outside of links in texts of some length. Blocks in there that are nearly all links (lists of other
pages) are left out as well, unless the page as a whole consists of such lists. All of it is arithmetic on
the arrays of the digest.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document.arrays import Longs, Mask, below, distinct

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_AROUND = ("nav", "aside", "menu", "dialog", "search")
_EDGES = ("header", "footer")
# A header or footer inside of these is that of a section, not that of the page (as HTML defines it).
_SECTIONS = ("main", "article", "section", "aside", "nav")
_ROLES = frozenset(
    [
        "navigation",
        "banner",
        "contentinfo",
        "complementary",
        "search",
        "dialog",
        "alertdialog",
        "alert",
        "menu",
        "menubar",
        "toolbar",
        "tablist",
    ]
)
# Words in names of elements. One alone never decides: an element that holds much of the text stays.
_NAMES = frozenset(
    [
        "nav",
        "navbar",
        "navigation",
        "menu",
        "submenu",
        "megamenu",
        "topbar",
        "header",
        "masthead",
        "footer",
        "sidebar",
        "breadcrumb",
        "breadcrumbs",
        "cookie",
        "cookies",
        "consent",
        "gdpr",
        "onetrust",
        "didomi",
        "banner",
        "banners",
        "newsletter",
        "subscribe",
        "related",
        "recommended",
        "recommendations",
        "recommendation",
        "share",
        "sharing",
        "social",
        "modal",
        "popup",
        "popin",
        "overlay",
        "drawer",
        "offcanvas",
        "toolbar",
        "pagination",
        "pager",
        "advert",
        "advertisement",
        "ads",
        "adsense",
        "promo",
        "promotion",
        "skip",
        "skiplink",
        "toast",
    ]
)
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MAIN = ("main", "article")
# A heading is named after what follows it: that on cookies in a privacy policy asks for no consent.
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# A single paragraph is not followed into: what stands above it belongs to it.
_CONTAINERS = frozenset(
    {"html", "body", "div", "section", "main", "article", "center", "form", "table", "tbody", "tr", "td"}
)

# Words in one text that make it running text rather than a label.
_RUNNING = 5
# An element with so large a share of the running text is followed downwards, or is no shell whatever its name
# is.
_NEARLY_ALL = 0.8
_MUCH = 0.3
# Chosen on 40 histories by what is told and missed; see `bench quiet`.
_LINKS = 0.7
_FEW_WORDS = 4


def main(digest: PageDigest) -> Mask:
    """Returns the nodes of the part that matters. A page without running text, or one that is no HTML, is all
    of it."""
    everything = np.ones(len(digest), dtype=np.bool_)
    if not digest.is_html or not len(digest.words):
        return everything
    amounts = _Amounts(digest)
    around = _shell(digest, amounts)
    text = amounts.running(~around)
    if not text[-1]:
        around, text = ~everything, amounts.running(everything)
    if not text[-1]:
        return everything
    top = _followed(digest, text)
    inside = np.zeros(len(digest), dtype=np.bool_)
    inside[top : top + int(digest.sizes[top])] = True
    inside &= ~around
    return inside & ~_lists_of_links(digest, amounts, inside, top)


def shell(digest: PageDigest) -> Mask:
    """Returns the nodes that are around the text: navigation, header, footer and the like."""
    if not digest.is_html or not len(digest.words):
        return np.zeros(len(digest), dtype=np.bool_)
    return _shell(digest, _Amounts(digest))


class _Amounts:
    """How much is written where: per node the words before it, so that a subtree is one subtraction."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self.per_node = np.bincount(digest.words.nodes, minlength=len(digest))
        self.in_links = below(digest.is_tag(("a", "button", "select", "option")), digest.sizes)

    def running(self, among: Mask) -> Longs:
        """Returns how many running words stand before each node, and their number in the whole page at the
        end."""
        counted = among & ~self.in_links & (self.per_node >= _RUNNING)
        return _sums(np.where(counted, self.per_node, 0))

    def words(self, among: Mask) -> Longs:
        return _sums(np.where(among, self.per_node, 0))


def _sums(counts: Longs) -> Longs:
    return np.concatenate([[0], np.cumsum(counts)])


def _within(sums: Longs, nodes: Longs, digest: PageDigest) -> Longs:
    """Returns what stands in the subtrees of these nodes."""
    found: Longs = sums[nodes + digest.sizes[nodes]] - sums[nodes]
    return found


def _shell(digest: PageDigest, amounts: _Amounts) -> Mask:
    """Returns what the page itself says is around its text."""
    roots = digest.is_tag(_AROUND)
    roots |= digest.is_tag(_EDGES) & ~below(digest.is_tag(_SECTIONS), digest.sizes)
    named = _named(digest)
    text = amounts.running(np.ones(len(digest), dtype=np.bool_))
    for candidates in (np.flatnonzero(roots), named):
        much = _within(text, candidates, digest) > _MUCH * text[-1]
        roots[candidates[much]] = False
        roots[candidates[~much]] = True
    return below(roots, digest.sizes)


def _named(digest: PageDigest) -> Longs:
    """Returns the elements whose role, id or class says that they are around the text."""
    rows = digest.rows_of("role", "id", "class", "aria-label")
    values = digest.attribute_values
    says = np.zeros(len(values) or 1, dtype=np.bool_)
    for value in distinct(digest.attribute_value[rows]).tolist():
        says[value] = _says_shell(values[value])
    nodes = distinct(digest.attribute_node[rows[says[digest.attribute_value[rows]]]])
    keeps = digest.is_tag(("html", "body", *_MAIN, *_HEADINGS))
    found: Longs = nodes[~keeps[nodes]].astype(np.int64)
    return found


@lru_cache(16_384)
def _says_shell(value: str) -> bool:
    if value in _ROLES:
        return True
    return not _NAMES.isdisjoint(piece.lower() for piece in _PIECE.findall(value[:200]))


def _followed(digest: PageDigest, text: Longs) -> int:
    """Returns the smallest element that holds nearly all running text; `main` or an only `article` needs less
    of it."""
    total = int(text[-1])
    chosen = digest.nodes_of(*_MAIN)
    roles = digest.rows_of("role")
    is_main = [digest.attribute_values[value] == "main" for value in digest.attribute_value[roles].tolist()]
    chosen = np.concatenate([chosen, digest.attribute_node[roles[np.array(is_main, dtype=np.bool_)]]]).astype(
        np.int64
    )
    held = _within(text, chosen, digest)
    top = int(chosen[held.argmax()]) if len(chosen) and 2 * held.max() >= total else 0
    return _narrowed(digest, text, top)


def _narrowed(digest: PageDigest, text: Longs, top: int) -> int:
    enough = _NEARLY_ALL * int(text[top + int(digest.sizes[top])] - text[top])
    while True:
        below_it = np.array(digest.children(top), dtype=np.int64)
        if not len(below_it):
            return top
        held = _within(text, below_it, digest)
        best = int(held.argmax())
        if held[best] < enough or not _is_container(digest.tag(int(below_it[best]))):
            return top
        top = int(below_it[best])


def _lists_of_links(digest: PageDigest, amounts: _Amounts, inside: Mask, top: int) -> Mask:
    """Returns the blocks of links inside the main part, unless they are much of that part."""
    words, links = amounts.words(inside), amounts.words(inside & amounts.in_links)
    nodes = np.flatnonzero(inside & digest.is_tag(("ul", "ol", "div", "section", "table", "p", "dl", "form")))
    nodes = nodes[nodes > top]
    many = _within(words, nodes, digest)
    of_links = _within(links, nodes, digest)
    dense = nodes[(many >= _FEW_WORDS) & (of_links >= _LINKS * many)]
    chosen = np.zeros(len(digest), dtype=np.bool_)
    chosen[dense] = True
    chosen = below(chosen, digest.sizes)
    if amounts.per_node[chosen & inside].sum() > _MUCH * max(1, int(amounts.per_node[inside].sum())):
        return np.zeros(len(digest), dtype=np.bool_)
    return chosen


def _is_container(tag: str) -> bool:
    """Tells whether an element may hold the main part. Elements that authors name themselves have a hyphen in
    their names."""
    return tag in _CONTAINERS or "-" in tag
