"""A page in, what a reader learns of its product out: name, price, and whether it can be had.

The name stands in the heading and the price near it; a button or a line says that the product can be had.

This is for pages that say nothing to programs. Only what follows the main heading is read, up to the next
large heading after something was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from webvigil.detect.shop.availability import availability_in, is_buying
from webvigil.detect.shop.marked import STRUCK
from webvigil.detect.shop.money import Price, price_of
from webvigil.document import PageDigest
from webvigil.document.arrays import Mask, below
from webvigil.document.reading import LEVELS

# Texts that are read after the main heading, and characters of a line that says one thing.
_MOST, _SHORT, _LINE = 400, 40, 60
# Headings that are tried until one has words, and nodes of an element that says one thing.
_HEADINGS, _SMALL = 20, 20
_FORMER = re.compile(
    r"(?:^|[\s_-])(?:old|was|former|regular|list|rrp|uvp|msrp|strike|crossed|compare|before|original|saving)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_UNSEEN = re.compile(r"(?:^|\s)(?:hidden|d-none|visually-hidden|sr-only|is-hidden|hide)(?:$|\s)")
_NO_DISPLAY = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHOICES = ("option", "select", "label")
_BUTTONS = ("button", "input", "a")


class Shown(NamedTuple):
    """What the page shows. `node` is the element with the price, or else the main heading."""

    name: str = ""
    price: Price | None = None
    availability: str = ""
    node: int = 0


def shown(digest: PageDigest) -> Shown:
    """Returns the product that a page shows. All is empty for a page without a heading."""
    head = _main_heading(digest)
    if head < 0:
        return Shown()
    reader = _Reader(digest, head)
    reader.read()
    name = " ".join(digest.text(head).split())[:200]
    return Shown(name, reader.price, reader.availability, reader.node or head)


def price_places(digest: PageDigest) -> dict[Decimal, int]:
    """Returns the visible elements that show a price, by its lowest amount. Of several with the same amount
    the first one after the main heading counts."""
    found: dict[Decimal, int] = {}
    if digest.is_html:
        former = _former(digest)
        for text in _texts(digest, max(0, _main_heading(digest))):
            price, node = _amount_at(digest, text, former) or (None, 0)
            if price:
                found.setdefault(price.low, node)
    return found


def stock_places(digest: PageDigest) -> dict[str, int]:
    """Returns the elements that say "in stock" and "out of stock", in whatever words: of each the first one
    after the main heading."""
    found: dict[str, int] = {}
    if digest.is_html:
        for text in _texts(digest, max(0, _main_heading(digest)))[:_MOST]:
            said = _stock_at(digest, text)
            if said and said not in found:
                found[said] = digest.parent(text)
    return found


def _main_heading(digest: PageDigest) -> int:
    if not digest.is_html:
        return -1
    for tags in (("h1",), ("h2",)):
        nodes = digest.nodes_of(*tags)
        for node in nodes[~digest.hidden[nodes]][:_HEADINGS].tolist():
            if digest.sizes[node] < _MOST and digest.text(node).strip():
                return int(node)
    return -1


class _Reader:
    """Goes through the texts and buttons after the main heading, in their order."""

    def __init__(self, digest: PageDigest, head: int) -> None:
        self._digest = digest
        self._head = head
        self._former = _former(digest)
        self.price: Price | None = None
        self.availability = ""
        self.node = 0

    def read(self) -> None:
        digest = self._digest
        ends = set(digest.nodes_of("h1", "h2").tolist())
        said: list[str] = []
        for node in _candidates(digest, self._head):
            if node in ends and node > self._head and (self.price or said):
                break
            if self._former[node]:
                continue
            if digest.is_text[node]:
                self._take_price(node)
            stock = _stock_at(digest, node)
            said += [stock] if stock else []
        self.availability = "out of stock" if "out of stock" in said else "in stock" if said else ""

    def _take_price(self, node: int) -> None:
        found = _amount_at(self._digest, node, self._former) if self.price is None else None
        if found:
            self.price, self.node = found


def _candidates(digest: PageDigest, head: int) -> list[int]:
    """Returns the visible texts, buttons and headings after the main heading, in document order."""
    after = digest.is_text | digest.is_tag(("input", *LEVELS))
    after = after & ~digest.hidden
    after[: head + int(digest.sizes[head])] = False
    found: list[int] = np.flatnonzero(after)[:_MOST].tolist()
    return found


def _texts(digest: PageDigest, head: int) -> list[int]:
    visible = digest.is_text & ~digest.hidden
    visible[:head] = False
    found: list[int] = np.flatnonzero(visible)[: 5 * _MOST].tolist()
    return found


def _former(digest: PageDigest) -> Mask:
    """Returns the nodes that do not tell what is so now: prices before a discount, choices that a reader has
    not made, and what styles hide."""
    out = digest.is_tag((*STRUCK, *_CHOICES)).copy()
    for name, hides in (("class", _is_former), ("style", _is_unseen)):
        rows = digest.rows_of(name)
        values, places = np.unique(digest.attribute_value[rows], return_inverse=True)
        hiding = np.array(
            [hides(digest.attribute_values[value]) for value in values.tolist()], dtype=np.bool_
        )
        out[digest.attribute_node[rows[hiding[places]]]] = True
    return below(out, digest.sizes)


def _is_former(classes: str) -> bool:
    return _UNSEEN.search(classes) is not None or _FORMER.search(classes) is not None


def _is_unseen(style: str) -> bool:
    return _NO_DISPLAY.search(style) is not None


def _amount_at(digest: PageDigest, text: int, former: Mask) -> tuple[Price, int] | None:
    """Returns the price at a text, and its element. A sign and its number may stand in elements of their own
    inside of one; beside a price before a discount, only the text itself counts."""
    if not any(map(str.isdigit, digest.own_text(text)[:_SHORT])):
        return None
    for node in _around(digest, text):
        mixed = not former[text] and former[node : node + int(digest.sizes[node])].any()
        written = " ".join((digest.own_text(text) if mixed else digest.text(node)).split())
        if len(written) > _SHORT:
            return None
        price = price_of(written)
        if price and price.currency:
            return price, node
    return None


def _around(digest: PageDigest, text: int) -> Iterator[int]:
    node = text
    for _ in range(3):
        node = digest.parent(node)
        if node <= 0 or digest.sizes[node] > _SMALL:
            return
        yield node


def _stock_at(digest: PageDigest, node: int) -> str:
    """Returns what a line says about availability, or "in stock" for a button that buys."""
    if digest.tag(node) == "input":
        return _button(digest, node, digest.attribute(node, "value") or "")
    if not digest.is_text[node]:
        return ""
    line = " ".join(digest.own_text(node)[: 4 * _LINE].split())
    if not line or len(line) > _LINE:
        return ""
    above = next((one for one in _upwards(digest, node) if digest.tag(one) in _BUTTONS), -1)
    if above >= 0 and is_buying(line):
        return _button(digest, above, line)
    return availability_in(line)


def _button(digest: PageDigest, node: int, said: str) -> str:
    attributes = digest.attributes(node)
    off = "disabled" in attributes or attributes.get("aria-disabled") == "true"
    if digest.tag(node) == "input" and attributes.get("type") not in ("submit", "button", "image"):
        return ""
    if off or not is_buying(said[:_LINE]):
        return availability_in(said) if not is_buying(said) else ""
    return "in stock"


def _upwards(digest: PageDigest, node: int) -> Iterator[int]:
    for _ in range(3):
        node = digest.parent(node)
        if node <= 0:
            return
        yield node
