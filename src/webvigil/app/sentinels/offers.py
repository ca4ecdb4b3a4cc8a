"""A page in, offers out: its text, tables, lists, values, links and feed, each ready to be watched.

Each offer is a change expression with a part of the page, and a sample that shows what would be watched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from webvigil.app.sentinels.selectors import selected, selector
from webvigil.detect.quantities import parse_value
from webvigil.detect.shop.products import Product, products
from webvigil.detect.units import CURRENCIES
from webvigil.document import PageDigest
from webvigil.document.arrays import distinct
from webvigil.document.links import absolute, base, images, links
from webvigil.document.lists import ItemList, Lists
from webvigil.document.masks import view
from webvigil.document.naming import JOINT, Naming, cut
from webvigil.document.reading import Heading, headings, title
from webvigil.document.tables import Table, tables
from webvigil.fetch.suspicion import is_login_form
from webvigil.model.sentinel import MAIN

# How many tables, lists or values are offered, so that a person can read the list.
MOST_OF_A_KIND = 5
# Characters of a sample.
SAMPLE = 160
# A longer text is no single value.
LONGEST_VALUE = 40
# A list with fewer items is not offered.
_SHORTEST_LIST = 3
_MAIN = "The main part"
_BESIDE = ("nav", "header", "footer", "aside")
# The number of a row, an item or a card in a selector: without it the selector finds all of them.
_IN_A_ROW = re.compile(r"\b(tr|li|article|section|div):nth-of-type\(\d+\)")
# The clause that finds a value of a document, by the kind of the document.
_BY = {"json": "json", "xml": "xpath"}
_RANK = re.compile(r"\[\d+\]")
_IDENTIFIERS = frozenset(("id", "_id", "uuid", "guid", "version"))
# Numbers of a document that are looked at, so that a very long one is read in time.
_MOST_NUMBERS = 300
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something on a page that can be watched. `monitor` and `within` are written as in a sentinel; `url` is
    set if another page, such as the feed, is offered instead. `now` says what or how much is there now: a
    price, `5 rows`. `kind` is product, prices, main, page, document, table, list, value, links, images or
    status."""

    label: str
    monitor: str
    sample: str
    within: str = ""
    url: str = ""
    now: str = ""
    kind: str = "text"


class _Amount(NamedTuple):
    """An element that shows an amount of money, and what the amount belongs to."""

    node: int
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class OnPage:
    title: str
    offers: tuple[Offer, ...]
    is_login: bool = False


def on_page(digest: PageDigest) -> OnPage:
    return OnPage(title(digest), tuple(_offers(digest)), is_login_form(digest))


def _offers(digest: PageDigest) -> Iterator[Offer]:
    values = [*_values(digest), *_numbers(digest)]
    product = _product_among(digest, values)
    if product:
        yield _product(product)
    yield from islice((one for one in values if one.kind == "prices"), MOST_OF_A_KIND)
    yield from _main_part(digest)
    yield _whole(digest)
    above = headings(digest)
    yield from islice(_tables(digest, above), MOST_OF_A_KIND)
    yield from islice(_lists(digest, above), MOST_OF_A_KIND)
    yield from islice((one for one in values if one.kind == "value"), MOST_OF_A_KIND)
    found = {one.url for one in links(digest)}
    if found:
        yield Offer(
            label=f"Links ({len(found)})",
            monitor="all links",
            sample=short(" ".join(sorted(found))),
            now=_count(len(found), "link"),
            kind="links",
        )
    pictures = {one.url for one in images(digest)}
    if pictures:
        yield Offer(
            label=f"Images ({len(pictures)})",
            monitor="all images",
            sample=short(" ".join(sorted(pictures))),
            now=_count(len(pictures), "image"),
            kind="images",
        )
    yield Offer(
        label="Whether it is up",
        monitor="status",
        sample="Its status, where it leads to, its certificate; nothing of what it shows",
        now="up",
        kind="status",
    )
    yield from islice(_feeds(digest), 1)


def _product(product: Product) -> Offer:
    told = [text for text in (str(product.price or ""), product.availability) if text]
    return Offer(
        label=f"The product{_named(product.name)}",
        monitor="product",
        sample=", ".join(told),
        now=told[0],
        kind="product",
    )


def product_of(digest: PageDigest) -> Product | None:
    """Returns the product that a page is about, or None if there is none or several. Where no data for
    programs describe it, price and availability must both speak for it."""
    return _product_among(digest, _values(digest))


def _product_among(digest: PageDigest, values: Iterable[Offer]) -> Product | None:
    """Returns the product that a page is about. `values` are the offers of its amounts of money: what looks
    like one product is the first of a list where several things have a price of their own."""
    found = products(digest)
    if len(found) != 1:
        return None
    product = found[0]
    if product.told or not (product.price and product.availability):
        return product if product.told else None
    return None if any(one.kind == "prices" for one in values) else product


def _whole(digest: PageDigest) -> Offer:
    return Offer(
        label="The whole page" if digest.is_html else "The whole document",
        monitor="any change",
        sample=short(digest.visible_text),
        now=_count(len(digest.words), "word"),
        kind="page" if digest.is_html else "document",
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _main_part(digest: PageDigest) -> Iterator[Offer]:
    """Offers the main part of the page, if the page has anything around that part."""
    part = view(digest, (MAIN,))
    if 0 < len(part.words) < len(digest.words):
        sample = short(part.visible_text)
        now = _count(len(part.words), "word")
        yield Offer(label=_MAIN, monitor="any change", within="main", sample=sample, now=now, kind="main")


def _tables(digest: PageDigest, above: tuple[Heading, ...]) -> Iterator[Offer]:
    for number, table in enumerate(tables(digest), start=1):
        if table.rows and not digest.hidden[table.node]:
            yield table_offer(above, number, table)


def table_offer(above: tuple[Heading, ...], number: int, table: Table) -> Offer:
    name = table.caption or _heading_above(above, table.node)
    now = _count(len(table.rows), "row")
    label = f"Table{_named(name)} ({now})"
    return Offer(label=label, monitor=f"table: {{{number}}}", sample=_of_table(table), now=now, kind="table")


def _lists(digest: PageDigest, above: tuple[Heading, ...]) -> Iterator[Offer]:
    for number, found in enumerate(Lists(digest), start=1):
        if is_worth(digest, found):
            yield list_offer(above, number, found)


def list_offer(above: tuple[Heading, ...], number: int, found: ItemList) -> Offer:
    label = f"List{_named(_heading_above(above, found.node))} ({_count(len(found.items), 'item')})"
    sample = short(" · ".join(item.text for item in found.items))
    now = "1 entry" if len(found.items) == 1 else f"{len(found.items):,} entries"
    return Offer(label=label, monitor=f"list: {{{number}}}", sample=sample, now=now, kind="list")


def _named(name: str) -> str:
    return f" “{short(name, 60)}”" if name else ""


def is_worth(digest: PageDigest, found: ItemList) -> bool:
    """Tells whether a list is worth offering: long enough, visible, and no menu, because nobody waits for a
    menu to change."""
    beside = {digest.tag(node) for node in digest.ancestors(found.node)} & set(_BESIDE)
    return len(found.items) >= _SHORTEST_LIST and not beside and not digest.hidden[found.node]


def _values(digest: PageDigest) -> Iterator[Offer]:
    """Yields an offer for each amount of money, with a selector that finds it. Before them come amounts that
    belong together, such as the prices of a list of products or the cells of a column."""
    naming = Naming(digest)
    alone: dict[str, list[_Amount]] = {}
    together: dict[str, list[_Amount]] = {}
    for node, text in amounts(digest):
        amount = _Amount(node, naming.of(node).label, text)
        found = selector(digest, node)
        alone.setdefault(found, []).append(amount)
        together.setdefault(_IN_A_ROW.sub(r"\1", found), []).append(amount)
    lists = {found: some for found, some in together.items() if _is_list(digest, found, some)}
    for found, some in lists.items():
        yield Offer(
            label=f"All {len(some)} prices",
            monitor=f'value css "{found}"',
            sample=short(", ".join(f"{one.label} {one.text}" for one in some)),
            now=_count(len(some), "price"),
            kind="prices",
        )
    for found, (first, *_) in alone.items():
        if found not in lists:
            label = first.label or f"Value {first.text}"
            monitor, sample = f'value css "{found}"', f"Value {first.text}"
            yield Offer(label=label, monitor=monitor, sample=sample, now=first.text, kind="value")


def _numbers(digest: PageDigest) -> Iterator[Offer]:
    """Yields offers for the numbers of JSON or XML: those of all items of a list together, then each."""
    if digest.is_html or digest.kind not in _BY:
        return
    naming, by = Naming(digest), _BY[digest.kind]
    alone: dict[str, _Amount] = {}
    together: dict[str, list[_Amount]] = {}
    for node, text in islice(_numbers_in(digest), _MOST_NUMBERS):
        path, amount = digest.path(node), _Amount(node, naming.of(node).label, text)
        if '"' not in path and ":" not in path:
            alone[path] = amount
            together.setdefault(_RANK.sub("[*]" if by == "json" else "", path), []).append(amount)
    for path, some in together.items():
        if len(some) > 1 and len({one.label for one in some}) == len(some):
            key = some[0].label.rpartition(JOINT)[2]
            is_price = "price" in key.lower()
            yield Offer(
                label=f"All {len(some)} prices" if is_price else f"“{key}” of all {len(some)}",
                monitor=f'value {by} "{path}"',
                sample=short(", ".join(f"{one.label} {one.text}" for one in some)),
                now=_count(len(some), "price" if is_price else "value"),
                kind="prices" if is_price else "value",
            )
    for path, one in alone.items():
        sample = f"Value {one.text}"
        yield Offer(
            label=one.label, monitor=f'value {by} "{path}"', sample=sample, now=one.text, kind="value"
        )


def _numbers_in(digest: PageDigest) -> Iterator[tuple[int, str]]:
    """Yields the values of JSON or XML that are numbers, with their text. An identifier counts nothing."""
    for node in digest.parents[digest.is_text].tolist():
        text = " ".join(digest.text(node).split())
        name = digest.attribute(node, "key") if digest.kind == "json" else digest.tag(node)
        value = parse_value(text) if 0 < len(text) <= LONGEST_VALUE else None
        if value is not None and value.kind == "number" and (name or "").lower() not in _IDENTIFIERS:
            yield node, text


def _is_list(digest: PageDigest, found: str, some: Sequence[_Amount]) -> bool:
    """Returns True if several amounts have a name each, and the selector finds little beside them."""
    names = {one.label for one in some}
    return len(some) > 1 and len(names) == len(some) and len(selected(digest, found)) <= 2 * len(some)


def amounts(digest: PageDigest) -> Iterator[tuple[int, str]]:
    """Yields the elements whose text is an amount of money, with that text. Of a box such as "€ 9, in stock"
    that holds the amount in an element of its own, only that element is told."""
    if not digest.is_html:
        return
    holders = distinct(digest.parents[digest.is_text]).tolist()
    found = {node: text for node in holders if (text := _amount_in(digest, node))}
    for node, behind in pairwise([*found, len(digest)]):
        # Nodes stand in document order: one that holds another amount is followed by it.
        if behind >= node + int(digest.sizes[node]):
            yield node, found[node]


def _amount_in(digest: PageDigest, node: int) -> str:
    """Returns the text of an element if it is an amount of money, "" otherwise."""
    if digest.hidden[node] or digest.is_text[node]:
        return ""
    text = " ".join(digest.text(node).split())
    value = parse_value(text) if 0 < len(text) <= LONGEST_VALUE else None
    return text if value is not None and value.kind == "number" and value.unit in CURRENCIES else ""


def _feeds(digest: PageDigest) -> Iterator[Offer]:
    for node in digest.nodes_of("link").tolist():
        about = digest.attributes(node)
        if (about.get("type") or "").lower() in _FEEDS and about.get("href"):
            url = absolute(base(digest), about["href"])
            yield Offer(
                label="The feed of this site", monitor="any change", sample=about.get("title", ""), url=url
            )


def _heading_above(above: tuple[Heading, ...], node: int) -> str:
    return next((one.text for one in reversed(above) if one.node < node), "")


def _of_table(table: Table) -> str:
    head = " | ".join(name for name in table.header if name)
    first = " | ".join(table.rows[0].texts)
    return short(f"{head}: {first}" if head else first)


def short(text: str, longest: int = SAMPLE) -> str:
    """Returns a text on one line, cut to the length of a sample."""
    return cut(text, longest)
