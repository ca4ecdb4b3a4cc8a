"""Two versions of a shop's page in, what changed of its product out: price, availability, name.

How a price is written, in which order offers stand and where on the page does not count. On a page that lists
products each is followed by what its shop calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from webvigil.detect.pair import pair
from webvigil.detect.places import Where
from webvigil.detect.quantities import difference, parse_value
from webvigil.detect.shop.availability import OUT_OF_STOCK
from webvigil.detect.shop.products import Product, products, variants
from webvigil.detect.shop.shown import price_places, stock_places
from webvigil.document import PageDigest
from webvigil.document.naming import JOINT, cut
from webvigil.document.reading import visible_length
from webvigil.model.change import ObjectChange, Status
from webvigil.model.change_types import VARIANTS
from webvigil.model.memo import cached_property
from webvigil.model.sentinel import ChangeType

PRICE, AVAILABILITY, NAME = "price", "availability", "name"
_Both = tuple[Product | None, Product | None]


class _Fact(NamedTuple):
    """What is told of a product: how it is read, and whether two of it are the same."""

    name: str
    text: Callable[[Product], str]
    same: Callable[[Product, Product], bool]


_FACTS = (
    _Fact(PRICE, lambda one: str(one.price) if one.price else "", lambda one, other: _same_price(one, other)),
    _Fact(
        AVAILABILITY,
        lambda one: one.availability,
        lambda one, other: one.availability == other.availability,
    ),
    _Fact(NAME, lambda one: one.name, lambda one, other: one.name.casefold() == other.name.casefold()),
)


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    before, after = _found(old, new, change)
    here, there = _Places(new), _Places(old)
    return [
        _change(fact, one, other, here, there)
        for one, other in _pairs(before, after)
        for fact in _FACTS
        if _differs(fact, one, other)
    ]


def found(digest: PageDigest, change: ChangeType) -> tuple[Product, ...]:
    """Returns the products of a page, or with the option `variants` the variants of its product."""
    return variants(digest) if change.option == VARIANTS else products(digest)


def is_there(digest: PageDigest, change: ChangeType) -> bool:
    return bool(found(digest, change))


def letters(old: PageDigest, new: PageDigest, change: ChangeType) -> int:
    """Returns how many characters tell of the products, in both versions together."""
    both = _found(old, new, change)
    return sum(visible_length(fact.text(one)) for side in both for one in side for fact in _FACTS)


def note(change: ChangeType, objects: Sequence[ObjectChange]) -> str:
    """Returns by how much prices changed."""
    moved = [one for one in objects if one.object == PRICE and one.before and one.after]
    steps = [difference(parse_value(one.before or ""), parse_value(one.after or "")) for one in moved]
    told = [step for step in steps if step]
    return "; ".join(told[:10]) + ("; …" if len(told) > 10 else "")


def _found(
    old: PageDigest, new: PageDigest, change: ChangeType
) -> tuple[tuple[Product, ...], tuple[Product, ...]]:
    name = "products", change.option
    return pair(old, new).once(name, lambda old, new: (found(old, change), found(new, change)))


def _pairs(before: Sequence[Product], after: Sequence[Product]) -> Iterator[_Both]:
    """Yields the products that correspond. The only product of a page stays it, whatever it is called."""
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    gone = {one.key: one for one in reversed(before)}
    come = {one.key: one for one in reversed(after)}
    named = {one.name: one for one in before if one.key not in come}
    for key, other in reversed(come.items()):
        one = gone.pop(key, None) or named.pop(other.name, None)
        if one is not None:
            gone.pop(one.key, None)
        yield one, other
    yield from ((one, None) for one in reversed(gone.values()))


def _differs(fact: _Fact, one: Product | None, other: Product | None) -> bool:
    before, after = (fact.text(side) if side else "" for side in (one, other))
    if not before or not after or one is None or other is None:
        return before != after
    return not fact.same(one, other)


def _same_price(one: Product, other: Product) -> bool:
    return one.price is not None and other.price is not None and one.price.same_as(other.price)


def _change(
    fact: _Fact, one: Product | None, other: Product | None, here: _Places, there: _Places
) -> ObjectChange:
    before, after = (fact.text(side) or None if side else None for side in (one, other))
    where = here.of(fact, other) if other and after else there.of(fact, one) if one else ()
    name = (other or one or Product("")).name
    return ObjectChange(
        object=fact.name,
        status=Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED,
        before=before,
        after=after,
        where=where,
        label=f"{cut(name)}{JOINT}{fact.name.capitalize()}",
        section=cut(name),
    )


class _Places:
    """Where facts stand on a page: where a reader sees them, or else where the product is described."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest
        self._where = Where(digest)

    def of(self, fact: _Fact, product: Product) -> tuple[str, ...]:
        return self._where.paths(self._node(fact, product))

    def _node(self, fact: _Fact, product: Product) -> int:
        if fact.name == PRICE and product.price:
            return self._prices.get(product.price.low, product.node)
        if fact.name == AVAILABILITY:
            said = "out of stock" if product.availability in OUT_OF_STOCK else "in stock"
            return self._stocks.get(said, product.node)
        return product.node

    @cached_property
    def _stocks(self) -> dict[str, int]:
        return stock_places(self._digest)

    @cached_property
    def _prices(self) -> dict[Decimal, int]:
        return price_places(self._digest)
