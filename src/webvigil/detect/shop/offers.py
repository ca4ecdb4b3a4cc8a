"""Data about things in, the products among them out, with their offers (the vocabulary of schema.org).

A product may have one offer, several, or a range of prices that stands for offers elsewhere; variants have
offers of their own. Things that a page names beside (related products, reviews, what a price would be without
a discount) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from html import unescape
from itertools import islice
from typing import Any, NamedTuple

from webvigil.detect.shop.availability import ORDER, OUT_OF_STOCK, availability_named
from webvigil.detect.shop.linked import NODE, Data
from webvigil.detect.shop.money import Price, currency_of, price_of
from webvigil.document.naming import cut

# Objects that are looked at on one page, and products that are taken from it.
_MOST_LOOKED_AT, MOST_PRODUCTS, _MOST_OFFERS = 200_000, 1_000, 2_000
_PRODUCTS = frozenset(
    """
    product productgroup productmodel individualproduct someproducts vehicle car motorcycle busorcoach
    motorizedbicycle drug dietarysupplement
    """.split()  # noqa: SIM905
)
_GROUPS = frozenset(("productgroup", "productmodel"))
_OFFERS = frozenset(("offer", "aggregateoffer"))
# What stands under these keys is beside the product of the page.
_BESIDE = frozenset(
    """
    isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor review reviews itemReviewed
    aggregateRating isVariantOf hasVariant offers itemOffered brand manufacturer seller breadcrumb
    """.split()  # noqa: SIM905
)
_LISTS = ("itemListElement", "itemList", "dataFeedElement")
_BEFORE_DISCOUNT = re.compile(r"ListPrice|Strikethrough|SRP|MSRP|RegularPrice|InvoicePrice", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)", re.IGNORECASE)
_IDS = ("sku", "productID", "gtin", "gtin13", "gtin14", "gtin12", "gtin8", "mpn", "isbn", "url", "@id")
_DIFFERENCES = ("name", "size", "color", "sku", "mpn", "gtin", "url")


class Offer(NamedTuple):
    """One way to buy a product. `name` tells it from the other offers of the product."""

    name: str
    price: Price | None
    availability: str = ""


class Described(NamedTuple):
    """A product as the data of a page describe it. `listed`: it is one of a list, so that the page may be
    about something else. `ids` are what shops call it by, `group` is what variants of one product share."""

    name: str
    offers: tuple[Offer, ...]
    node: int
    ids: tuple[str, ...] = ()
    group: str = ""
    url: str = ""
    listed: bool = False


def described(values: Iterable[Any]) -> list[Described]:
    """Returns the products that data describe, in their order. If there are none, things of another type that
    are offered count (tickets, books, courses), and then offers that do not say of what."""
    web = _Web(values)
    products = [one for one in web.found if web.types(one.data) & _PRODUCTS]
    variants = web.variants(products)
    alone = [one for one in products if one.data.get("@id") not in variants]
    others = (one for one in web.found if one.data.get("offers") and not one.data.get("itemOffered"))
    offers = (
        one._replace(data={**one.data, "name": ""}) for one in web.found if web.types(one.data) & _OFFERS
    )
    for several in (alone, others, offers):
        found = [web.product(one) for one in islice(several, MOST_PRODUCTS)]
        if several is alone and found:
            return _worth(found)
        if found := [one for one in found if _is_offered(one)]:
            return found
    return []


def _worth(found: list[Described]) -> list[Described]:
    """Returns the products that are offered; if none is, all of them: the page may show the rest."""
    return [one for one in found if _is_offered(one)] or found


def _is_offered(one: Described) -> bool:
    return any(offer.price or offer.availability for offer in one.offers)


class _Found(NamedTuple):
    data: Data
    node: int
    listed: bool


class _Web:
    """All objects of a page's data. Objects refer to each other by `@id`."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.found: list[_Found] = []
        self._by_id: dict[str, Data] = {}
        self._walk(values)

    def _walk(self, values: Iterable[Any]) -> None:
        waiting: list[tuple[Any, int, bool, bool]] = [(value, 0, False, False) for value in values][::-1]
        for _ in range(_MOST_LOOKED_AT):
            if not waiting:
                return
            value, node, listed, beside = waiting.pop()
            if isinstance(value, list):
                waiting += [(one, node, listed, beside) for one in reversed(value)]
            elif isinstance(value, dict):
                data = {_PREFIX.sub("", str(key)): inner for key, inner in value.items()}
                node = data.get(NODE, node)
                self._note(data, node, listed, beside)
                waiting += [
                    (inner, node, listed or key in _LISTS, beside or key in _BESIDE)
                    for key, inner in reversed(data.items())
                    if isinstance(inner, dict | list)
                ]

    def _note(self, data: Data, node: int, listed: bool, beside: bool) -> None:
        name = data.get("@id")
        if isinstance(name, str) and len(data) > len(self._by_id.get(name, ())):
            self._by_id[name] = data
        is_reference = data.keys() <= {"@id", "@type", NODE}
        is_thing = "@type" in data or "offers" in data
        if is_thing and not beside and not is_reference and len(self.found) < 4 * MOST_PRODUCTS:
            self.found.append(_Found(data, node, listed))

    # --- products ---------------------------------------------------------------------------------

    def variants(self, products: Iterable[_Found]) -> set[str]:
        """Returns the names by which products refer to their variants, which are no products of their own."""
        return {
            name
            for one in products
            for inner in self._objects(one.data.get("hasVariant"))
            if isinstance(name := inner.get("@id"), str) and name != one.data.get("@id")
        }

    def product(self, one: _Found) -> Described:
        data = one.data
        name = cut(self.text(data.get("name")), 200)
        variants = list(self._objects(data.get("hasVariant")))
        offers = [*self._offers(data, "")]
        for variant in variants[:_MOST_OFFERS]:
            offers += self._offers(variant, self._difference(variant, name))
        group = self._group(data)
        return Described(
            name=name,
            offers=tuple(offers[:_MOST_OFFERS]),
            node=one.node,
            ids=tuple(text for key in _IDS if (text := self.text(data.get(key)))),
            group=group,
            url=self.text(data.get("url")),
            listed=one.listed,
        )

    def _group(self, data: Data) -> str:
        parent = next(iter(self._objects(data.get("isVariantOf"))), {})
        said = (data.get("inProductGroupWithID"), parent.get("productGroupID"), parent.get("@id"))
        own = (data.get("productGroupID"), data.get("@id")) if self.types(data) & _GROUPS else ()
        return next((text for one in (*said, *own) if (text := self.text(one))), "")

    def _difference(self, data: Data, name: str) -> str:
        """Returns what tells a variant or an offer from the others of its product."""
        said = (self.text(data.get(key)) for key in _DIFFERENCES)
        text = next((one for one in said if one and one != name), "")
        return cut(text.removeprefix(name).strip(" -–·,/|") or text)

    def _offers(self, data: Data, variant: str) -> Iterator[Offer]:
        for offer in self._objects(data.get("offers")):
            inner = list(self._objects(offer.get("offers")))
            whole = self._offer(offer, variant, data)
            prices = [
                self._offer({"priceCurrency": offer.get("priceCurrency"), **one}, variant, data)
                for one in inner
            ]
            if not inner or (whole.price is not None and not any(one.price for one in prices)):
                yield whole
            yield from prices
        if not data.get("offers") and self._has_price(data):
            yield self._offer(data, variant, data)

    def _has_price(self, data: Data) -> bool:
        return any(data.get(key) for key in ("price", "lowPrice", "availability"))

    def _offer(self, offer: Data, variant: str, product: Data) -> Offer:
        item = next(iter(self._objects(offer.get("itemOffered"))), {})
        product_name = self.text(product.get("name"))
        name = variant or self._difference(offer, product_name) or self._difference(item, product_name)
        availability = self._availability(offer) or self._availability(product)
        price = self._price(offer)
        if price and price.high == 0 and availability in OUT_OF_STOCK:
            price = None  # nobody gives away what cannot be had: the shop writes 0 where it has no price
        return Offer(name, price, availability)

    def _price(self, offer: Data) -> Price | None:
        currency = currency_of(self.text(offer.get("priceCurrency")))
        low, high = (price_of(self.plain(offer.get(key)), currency) for key in ("lowPrice", "highPrice"))
        if single := price_of(self.plain(offer.get("price")), currency):
            return single
        if low or high:
            ends = [one for one in (low, high) if one]
            return Price(ends[0].low, max(ends[0].low, ends[-1].high), ends[0].currency)
        return self._specified(offer, currency)

    def _specified(self, offer: Data, currency: str) -> Price | None:
        """Returns the price of the specification that a buyer pays: not the one before a discount, for
        members, or for a litre."""
        for specified in self._objects(offer.get("priceSpecification")):
            kind = f"{self.text(specified.get('priceType'))} {self.text(specified.get('name'))}"
            if _BEFORE_DISCOUNT.search(kind) or specified.get("validForMemberTier"):
                continue
            if specified.get("referenceQuantity"):
                continue
            found = self._price({"priceCurrency": currency, **specified, "priceSpecification": None})
            if found:
                return found
        return None

    def _availability(self, data: Data) -> str:
        named = availability_named(self.text(data.get("availability")))
        if named:
            return named
        for level in self._objects(data.get("inventoryLevel")):
            amount = price_of(self.plain(level.get("value")))
            if amount is not None:
                return "in stock" if amount.low > 0 else "out of stock"
        return ""

    # --- values -----------------------------------------------------------------------------------

    def types(self, data: Data) -> set[str]:
        said = data.get("@type")
        named = said if isinstance(said, list) else [said]
        return {_PREFIX.sub("", one).lower() for one in named if isinstance(one, str)}

    def _objects(self, value: Any) -> Iterator[Data]:
        """Yields the objects that a value holds; those that are named by their `@id` are looked up."""
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, dict):
                continue
            name = one.get("@id")
            whole = self._by_id.get(name, one) if isinstance(name, str) else one
            yield {_PREFIX.sub("", str(key)): inner for key, inner in whole.items()}

    def plain(self, value: Any) -> str | int | Decimal | None:
        """Returns the first text or number that a value holds."""
        for _ in range(4):
            if isinstance(value, list):
                value = value[0] if value else None
            elif isinstance(value, dict):
                value = value.get("@value", value.get("@id", value.get("name")))
            else:
                break
        return value if isinstance(value, str | int | Decimal) and not isinstance(value, bool) else None

    def text(self, value: Any) -> str:
        said = self.plain(value)
        if isinstance(said, str):
            return " ".join(unescape(said[:2_000]).split())
        return "" if said is None else str(said)[:40]


def best_of(availabilities: Iterable[str]) -> str:
    """Returns the best of several: a product can be had if one of its offers can."""
    return min((one for one in availabilities if one), key=ORDER.index, default="")
