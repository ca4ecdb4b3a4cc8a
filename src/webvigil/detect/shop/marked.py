"""A page in, what its attributes say about things out: microdata, RDFa and the `meta` elements of OpenGraph.

The result has the form of JSON-LD, so that it is understood in one place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from webvigil.detect.shop.linked import NODE, Data
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, below, distinct, enclosing

# Bounds the work on a page that is full of marks.
_MOST = 20_000
# Texts of longer elements are descriptions, of which nothing is needed.
_LONGEST = 300
# An element with more nodes than this is a part of the page, not the value of a property.
_NODES = 200
STRUCK = ("del", "s", "strike")
_VALUES = {"time": "datetime", "data": "value", "meter": "value", "link": "href", "a": "href", "img": "src"}


class _Way(NamedTuple):
    """The names of the attributes that begin a thing, that name its type, and that name its properties."""

    begin: str
    type: str
    property: str


_MICRODATA = _Way("itemscope", "itemtype", "itemprop")
_RDFA = _Way("typeof", "typeof", "property")


def microdata(digest: PageDigest) -> Iterator[Data]:
    return _things(digest, _MICRODATA)


def rdfa(digest: PageDigest) -> Iterator[Data]:
    return _things(digest, _RDFA)


def _things(digest: PageDigest, way: _Way) -> Iterator[Data]:
    """Yields the things that stand in no other thing, with those in them."""
    begins = _nodes(digest, way.begin)
    if not len(begins):
        return
    marked = np.zeros(len(digest), dtype=np.bool_)
    marked[begins] = True
    around = enclosing(marked, digest.sizes)
    things: dict[int, Data] = {
        node: {NODE: node, "@type": (digest.attribute(node, way.type) or "").split()}
        for node in begins[:_MOST].tolist()
    }
    inside: set[int] = set()
    for node in _nodes(digest, way.property)[:_MOST].tolist():
        home = things.get(int(around[node]))
        if home is None:
            continue
        value = things.get(node) or _value(digest, node)
        inside.add(node)
        for name in (digest.attribute(node, way.property) or "").split():
            home.setdefault(name, []).append(value)
    yield from (thing for node, thing in things.items() if node not in inside)


def _nodes(digest: PageDigest, attribute: str) -> Longs:
    return distinct(digest.attribute_node[digest.rows_of(attribute)]).astype(np.int64)


def _value(digest: PageDigest, node: int) -> str:
    """Returns the value of a property: what is written for programs, or else the text of the element."""
    for name in ("content", _VALUES.get(digest.tag(node), "resource")):
        said = digest.attribute(node, name)
        if said is not None:
            return said
    size = int(digest.sizes[node])
    if size > _NODES:
        return ""
    text = digest.text(node) if size <= 2 else _text_now(digest, slice(node, node + size))
    return " ".join(text.split()) if len(text) <= 4 * _LONGEST else ""


def _text_now(digest: PageDigest, run: slice) -> str:
    """Returns the text of some nodes without what is struck through: a price before its discount."""
    struck = below(digest.is_tag(STRUCK)[run], digest.sizes[run])
    kept = digest.content[run][digest.is_text[run] & ~struck]
    return "".join([digest.texts[index] for index in kept.tolist()])


# --- OpenGraph -------------------------------------------------------------------------------------

_PRICE = ("product:sale_price", "product:price", "og:price")
_AVAILABILITY = ("product:availability", "og:availability")


def open_graph(digest: PageDigest) -> Iterator[Data]:
    """Yields the product that the `meta` elements of a page describe, if they describe one."""
    said: dict[str, str] = {}
    for node in digest.nodes_of("meta").tolist()[:_MOST]:
        about = digest.attributes(node)
        name = (about.get("property") or about.get("name") or "").strip().lower()
        if name.startswith(("og:", "product:")) and about.get("content"):
            said.setdefault(name, about["content"])
    by = next((name for name in _PRICE if f"{name}:amount" in said), "")
    available = next((said[name] for name in _AVAILABILITY if name in said), "")
    if not by and not available:
        return
    offer = {
        "@type": "Offer",
        "price": said.get(f"{by}:amount"),
        "priceCurrency": said.get(f"{by}:currency"),
        "availability": available,
    }
    ids = {"sku": said.get("product:retailer_item_id"), "url": said.get("og:url")}
    yield {NODE: 0, "@type": "Product", "name": said.get("og:title", ""), "offers": offer, **ids}
