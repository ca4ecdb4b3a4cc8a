"""A page in, its products out: the one that the page is about, or else all that it lists.

What the data for programs say comes first: JSON-LD, then microdata, RDFa and OpenGraph. What the first of
them leaves out (often the availability) is taken from the next, and at last from what the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from webvigil.detect.shop.linked import linked_data
from webvigil.detect.shop.marked import microdata, open_graph, rdfa
from webvigil.detect.shop.money import Price
from webvigil.detect.shop.offers import MOST_PRODUCTS, Described, Offer, best_of, described
from webvigil.detect.shop.shown import Shown, shown
from webvigil.document import PageDigest

_WAYS: tuple[Callable[[PageDigest], Iterable[Any]], ...] = (linked_data, microdata, rdfa, open_graph)


class Product(NamedTuple):
    """A product: what it is called, what it costs and whether it can be had; None and "" for what is not
    known. `key` finds it again in another version of a list. `told` says that data for programs describe
    it."""

    name: str
    price: Price | None = None
    availability: str = ""
    node: int = 0
    key: str = ""
    told: bool = True


def products(digest: PageDigest) -> tuple[Product, ...]:
    """Returns the product that a page is about, or the products that it lists; () for a page without any."""
    return digest.once("products", _products)


def variants(digest: PageDigest) -> tuple[Product, ...]:
    """Returns the variants of the product of a page, each as a product; products without variants as they
    are."""
    return digest.once("variants", _variants)


def _products(digest: PageDigest) -> tuple[Product, ...]:
    found = _about(digest)
    if len(found) != 1:
        return tuple(found)
    product = _completed(digest, found[0])
    is_known = product.price is not None or bool(product.availability)
    return (product,) if is_known and product.name else ()


def _variants(digest: PageDigest) -> tuple[Product, ...]:
    merged = _merged(digest, _described_first(digest))
    several = [one for one in merged if len({offer.name for offer in one.offers}) > 1]
    if not several or len(merged) > 1:
        return products(digest)
    return tuple(_of_variants(several[0]))


def _of_variants(one: Described) -> Iterator[Product]:
    by_name: dict[str, list[Offer]] = {}
    for offer in one.offers:
        by_name.setdefault(offer.name, []).append(offer)
    for name, offers in by_name.items():
        alone = one._replace(
            name=f"{one.name} · {name}" if name else one.name, offers=tuple(offers), ids=(name,)
        )
        yield _product(alone)


def _about(digest: PageDigest) -> list[Product]:
    """Returns the products that the first way to describe them describes. A page without any may show one."""
    found = _merged(digest, _described_first(digest))
    return [_product(one) for one in found] if found else [Product("", told=False)]


def _described_first(digest: PageDigest) -> list[Described]:
    return next((found for way in _WAYS if (found := _by(digest, way))), [])


def _by(digest: PageDigest, way: Callable[[PageDigest], Iterable[Any]]) -> list[Described]:
    return digest.once(f"products by {way.__name__}", lambda page: described(way(page)))


def _merged(digest: PageDigest, found: list[Described]) -> list[Described]:
    """Returns the products of a page: variants and repetitions as one, and of several the one that the page
    is about, if that is clear."""
    alone = [one for one in found if not one.listed] or found
    groups: dict[str, list[Described]] = {}
    for one in alone:
        groups.setdefault(one.group or one.name.casefold() or str(one.ids[:1]), []).append(one)
    merged = [_joined(some) for some in groups.values()]
    main = [one for one in merged if _is_about(digest, one)]
    return main if len(merged) > 1 and len(main) == 1 else merged[:MOST_PRODUCTS]


def _joined(some: list[Described]) -> Described:
    if len(some) == 1:
        return some[0]
    first = min(some, key=lambda one: len(one.name) or 10_000) if some[0].group else some[0]
    offers = []
    for one in some:
        different = one.name.removeprefix(first.name).strip(" -–·,/|")
        offers += [offer if offer.name else offer._replace(name=different) for offer in one.offers]
    return first._replace(offers=tuple(dict.fromkeys(offers)))


def _is_about(digest: PageDigest, one: Described) -> bool:
    """Returns True if the heading, the title or the address of the page names the product."""
    path = urlsplit(one.url).path.rstrip("/")
    if path and path == urlsplit(digest.source_url).path.rstrip("/"):
        return True
    name = one.name.casefold()
    return len(name) > 2 and any(name == text or name in text for text in _heads(digest))


def _heads(digest: PageDigest) -> list[str]:
    whole = digest.whole
    headings = [one.text for one in whole.headings if one.level == 1] if whole.is_html else []
    return [" ".join(text.casefold().split()) for text in (*headings[:3], whole.title)]


def _product(one: Described) -> Product:
    return Product(
        name=one.name,
        price=_range(offer.price for offer in one.offers if offer.price),
        availability=best_of(offer.availability for offer in one.offers),
        node=one.node,
        key=one.group or next(iter(one.ids), "") or one.name,
    )


def _range(prices: Iterable[Price]) -> Price | None:
    """Returns the range of several prices. Of several currencies the first one counts."""
    several = list(prices)
    if not several:
        return None
    currency = next((one.currency for one in several if one.currency), "")
    same = [one for one in several if one.currency in ("", currency)]
    return Price(min(one.low for one in same), max(one.high for one in same), currency)


def _completed(digest: PageDigest, product: Product) -> Product:
    """Returns the only product of a page, with what its description leaves out."""
    for way in _WAYS:
        others = _merged(digest, _by(digest, way)) if _lacks(product) else []
        if len(others) == 1:
            product = _filled(product, _product(others[0]))
    if _lacks(product):
        seen = digest.once("shown product", shown)
        if not product.told and seen.price is None and not seen.availability:
            return product
        product = _filled(product, _as_product(digest, seen))
    return product


def _lacks(product: Product) -> bool:
    return product.price is None or not product.availability or not product.name


def _filled(product: Product, other: Product) -> Product:
    return product._replace(
        name=product.name or other.name,
        price=product.price or other.price,
        availability=product.availability or other.availability,
        node=product.node or other.node,
        key=product.key or other.key,
    )


def _as_product(digest: PageDigest, seen: Shown) -> Product:
    name = (
        seen.name or next((one.text for one in digest.whole.headings if one.text), "") or digest.whole.title
    )
    return Product(name, seen.price, seen.availability, seen.node, name, told=False)
