"""What numbers, dates, prices, stock, times, addresses and offers mean in many small texts stays as it is.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_kept_texts`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product as all_of
from pathlib import Path

from tests.detect.keeping import Kept
from tests.lots import Lot
from webvigil.detect.dates import find_date, is_month
from webvigil.detect.quantities import amounts_in, difference, parse_value
from webvigil.detect.quiet.addresses import is_token, meant, momentless
from webvigil.detect.quiet.advance import advances, shrank
from webvigil.detect.quiet.calm import differing
from webvigil.detect.quiet.ticking import may_tick, spanless, ticks, timeless
from webvigil.detect.shop.availability import availability_in, availability_named, is_buying
from webvigil.detect.shop.money import currency_of, price_of
from webvigil.detect.shop.offers import described

KEPT = Kept(Path(__file__).with_name("kept") / "texts")


BEFORE = ("", "€", "€ ", "$", "EUR ", "kr ", "CHF ", "-", "+", "−", "x", "about ", "Nr.", "%", "£-", "- ")
NUMBERS = (
    *("0", "7", "12", "007", "999", "1000", "1,234", "1.234", "1,23", "1.5", "1,234.56", "1.234,56"),
    *("1 234", "1 234 567,8", "1'234.5", "12,34,567", "1,2345", "0.123", "0,123", ".99", "1.2.3", "1,23,4"),
    *("1e3", "1E-2", "1e400", "19,-", "10:30", "3/4", "٣٤", "9" * 60, "9" * 61, "1234.567", "12.", "1,,2"),
)
BEHIND = (
    "",
    "€",
    " €",
    " EUR",
    " kr",
    "%",
    " %",
    " k",
    "k €",
    " million",
    " m",
    " m €",
    " km/h",
    " x",
    "x",
    "°C",
)
DATES = (
    *("2026-03-12", "2026-03-12T10:30", "2026-03-12 10:30:15Z", "2026-03-12T10:30+02:00", "2026/3/12"),
    *("2026.3.12", "2026年3月12日", "03/12/2026", "12/31/2026", "31/12/2026", "13/13/2026", "12.3.2026"),
    *("12. 3. 2026", "31.2.2026", "12-3-2026", "12 March 2026", "12th of March, 2026", "12 de marzo de 2026"),
    *("12. März 2026 um 9:05", "March 12, 2026", "March 12 2026 at 12:05 am", "March 12 2026 12:05 PM"),
    *("12 Mar 2026 10:30:00 GMT", "12 Mar 2026 10:30:00 -0330", "12 Mar 2026 24:00", "0 March 2026"),
    *("12 Foo 2026", "on 1 May 2026 and 2 May 2026", "March 2026", "12 March", "2026-03-12-5", "a2026-03-12"),
    *("12.03.2026, 9.05 Uhr", "12.03.2026 9h05", "32 March 2026", "2026-00-10", "2026-13-10", "2026-10-13"),
)


@KEPT
def values() -> Iterator[object]:
    texts = [f"{one}{number}{other}" for one, number, other in all_of(BEFORE, NUMBERS, BEHIND)][::7]
    for text in (*texts, *DATES):
        value = parse_value(text)
        found = [(one.start, one.end, str(one.number), one.unit) for one in amounts_in(text)]
        yield text, value.kind, str(value.number), str(value.date), value.unit, value.canonical, found
    for text in DATES:
        dated = find_date(text)
        yield text, dated and (dated.start, dated.end, repr(dated.value))
    yield [word for word in ("May", "mai", "März", "FÉVRIER", "foo", "сентября", "sept") if is_month(word)]


@KEPT
def differences() -> Iterator[object]:
    texts = (
        *(
            "7",
            "0",
            "-4",
            "7.5",
            "8 €",
            "$8",
            "8.25 €",
            "90 %",
            "91%",
            "1000000",
            "1e12",
            "text",
            "3 m",
            "2026",
        ),
        *("2026-03-12", "2026-03-13", "2026-03-12T10:30", "2026-03-14T10:30", "2026-03-12T11:45"),
        *("2026-03-12T10:30Z", "2026-03-11T10:30Z", "2026-03-13T09:00Z", "12 March", "3 of 4", "3 of  4"),
    )
    for old, new in all_of(texts, texts):
        before, after = parse_value(old), parse_value(new)
        yield old, new, before.same_as(after), difference(before, after)


@KEPT
def prices() -> Iterator[object]:
    texts = [f"{one}{number}{other}" for one, number, other in all_of(BEFORE, NUMBERS[:24], BEHIND)][::23]
    more = ("10 – 20 €", "€10-€20", "from 3 to 5 €", "5", "1.234", "12.5 - 3", "1 - 2 - 3", "x", "", "€ 1e12")
    for text, currency in all_of((*more, *texts), ("", "EUR", "usd", "JPY", "??")):
        if price := price_of(text, currency):
            yield text, currency, str(price.low), str(price.high), price.currency, str(price)
    numbers: tuple[object, ...] = (0, 3, -1, 10**12 - 1, 10**12, True, None, 4.5)
    yield [str(price_of(number)) for number in numbers]
    for low, currency in all_of(
        ("0", "5", "5.5", "5.25", "5.125", "5.1234", "5.123456789", "1234.5"), ("", "JPY")
    ):
        yield low, currency, str(price_of(low, currency))
    names = ("eur", " € ", "kr", "euro", "EURO", "EU", "€€", "kg", "x" * 19, "US$", "x" * 20)
    yield [(name, currency_of(name)) for name in names]


@KEPT
def stocks() -> Iterator[object]:
    for text in (
        *(
            "In stock",
            "not in stock",
            "https://schema.org/InStock",
            "schema:OutOfStock",
            "out_of_stock",
            "oos",
        ),
        *(
            "http://x.test/LimitedAvailability/",
            "Pre-Order",
            "pre order",
            "backordered",
            "#SoldOut",
            "pending",
        ),
        *(
            "Add to cart",
            "Buy now!",
            "buy  now",
            "In den Warenkorb",
            "カートに入れる",
            "在庫切れ",
            "有货",
            "售罄",
        ),
        *(
            "available in store",
            "pickup in stock",
            "Ausverkauft",
            "nicht lieferbar",
            "lieferbar",
            "unlieferbar",
        ),
        *("disponible", "indisponible", "Not available", "unavailable", "available now", "", "x", "stock"),
    ):
        yield text, availability_named(text), availability_in(text), is_buying(text)


@KEPT
def times() -> Iterator[object]:
    lines = (
        *(
            "3 minutes ago",
            "5 minutes ago",
            "4 hours ago",
            "an hour ago",
            "2 days ago",
            "1 hour, 5 minutes ago",
        ),
        *(
            "just now",
            "a few minutes ago",
            "a moment ago",
            "yesterday",
            "today",
            "Yesterday, 14:05",
            "last week",
        ),
        *(
            "vor 3 Minuten",
            "vor einer Stunde",
            "il y a 5 heures",
            "hace 2 días",
            "3 分前",
            "5분 전",
            "2小时前",
        ),
        *(
            "1/2 hour ago",
            "½ hour ago",
            "1.5 hours ago",
            "90 seconds ago",
            "14:05",
            "14:35",
            "2:05 pm",
            "2:05",
        ),
        *(
            "9:00",
            "9:30",
            "2026-03-12 14:05",
            "2026-03-13 14:05",
            "14:05:10",
            "Server time 14:05:10",
            "12:05 am",
        ),
        *(
            "Page generated in 0.12 s",
            "Page generated in 0.35 s",
            "rendered in 12 ms",
            "took 30 seconds",
            "0:30",
        ),
        *(
            "Within an hour",
            "Past 24 hours",
            "This week",
            "Last 7 days",
            "3 min",
            "3 Std. 5 Min.",
            "3 m",
            "5 m",
        ),
        *(
            "It takes 3 minutes to walk",
            "3 years 2 months 1 week 4 days 5 hours 6 minutes 7 seconds",
            "3 apples",
        ),
        *(
            "Posted 3 minutes ago by Ann",
            "Posted 9 minutes ago by Ann",
            "updated 3 min. ago",
            "0 seconds ago",
        ),
    )
    for old, new in all_of(lines, lines):
        was, now = differing(old, new)
        found = advances(old, was, new, now)
        ticking = ticks(old, was, new, now), ticks(old, was, new, now, lambda: True)
        if found or any(ticking):
            yield old, new, ticking, shrank(found), [tuple(one) for one in found]
    for line in lines:
        first = next((at for at, sign in enumerate(line) if sign.isdigit()), 0)
        yield line, timeless(line), spanless(line), may_tick(line, (first, first + 3))


@KEPT
def addresses() -> Iterator[object]:
    paths = (
        *(
            "/",
            "/a/b.html",
            "/a;jsessionid=1A2B/b",
            "/a/b.js?v=12",
            "/img/logo.3f2a9c1d.png",
            "/a/20260519/x.css",
        ),
        *(
            "https://a.test/x/v1778558569242/a.png",
            "https://a.test/v1.2.3/app.min.js",
            "/12345678.png",
            "/a.b.png",
        ),
        *(
            "/cdn-cgi/l/email-protection#5a3b1a3b742e3f292e",
            "/x#:~:text=word",
            "/x#part",
            "mailto:a@b.test",
            "x",
        ),
        *(
            "https://a.test/img/1.2.3-rc4/x.png",
            "https://a.test/a/b/0a1b2c3/x.png",
            "/x.png?12345",
            "/x.png?small",
        ),
        *(
            "https://a.test/.png",
            "/2026.5.19/x.png",
            "ftp://a.test/x?utm_source=b",
            "javascript:void(0)",
            "/y?",
        ),
    )
    queries = (
        *("", "?utm_source=a", "?b=2&a=1", "?a=1&fbclid=x&b", "?since=2026-11-17T12:13", "?t=20261117121302"),
        *(
            "?token=aB3dE5fG7hI9jK1lM3nO",
            "?id=aB3dE5fG7hI9jK1lM3nO",
            "?v=3",
            "?q=12:13, 17 November 2026&x=1",
        ),
        *("?at=17 Nov 2026, 9:05#x", "?sessionkey=aB3dE5fG7hI9jK1lM3nO", "?v=", "?a=%C3%A4&a=b"),
    )
    for path, query in all_of(paths, queries):
        address = path + query
        yield address, meant(address), meant(address, asset=True), momentless(address)
    for token in (
        "aB3dE5fG7hI9jK1lM3nO",
        "aB3dE5fG7hI9jK1lM3n",
        "abcdefghijklmnopqrst12",
        "a1" * 10,
        "x" * 40,
    ):
        yield token, is_token(token), is_token(token[:-1]), is_token(f"{token}1")


def thing_by(lot: Lot, depth: int = 0) -> object:
    kind = lot.one_of(
        ("Product", "Offer", "https://schema.org/Product", "ProductGroup", "Event", "AggregateOffer", "Book")
    )
    made: dict[str, object] = {"@type": kind if lot.happens(85) else [kind, "Thing"]}
    facts: dict[str, Callable[[], object]] = {
        "@id": lambda: f"#{lot.below(4)}",
        "name": lambda: lot.one_of(
            (lot.words(2), [lot.word()], {"@value": lot.word()}, "Lamp", "Lamp &amp; Co")
        ),
        "sku": lambda: lot.below(5),
        "url": lambda: f"/{lot.below(3)}",
        "price": lambda: lot.one_of((lot.below(50), f"{lot.below(50)}.90", "", None, [7], 0)),
        "priceCurrency": lambda: lot.one_of(("EUR", "USD", "")),
        "lowPrice": lambda: lot.below(9),
        "highPrice": lambda: 9 + lot.below(9),
        "availability": lambda: lot.one_of(("https://schema.org/InStock", "OutOfStock", "sold out", "x")),
        "inventoryLevel": lambda: {"value": lot.below(2)},
        "size": lambda: lot.one_of(("S", "M", "L")),
        "inProductGroupWithID": lambda: "g1",
        "productGroupID": lambda: "g2",
        "validForMemberTier": lambda: "gold",
        "priceType": lambda: lot.one_of(("https://schema.org/ListPrice", "SalePrice")),
        "referenceQuantity": lambda: 1,
    }
    for name, fact in facts.items():
        if lot.happens(12 if name in ("validForMemberTier", "referenceQuantity", "priceType") else 32):
            made[name] = fact()
    if depth < 3:
        for name in (
            "offers",
            "hasVariant",
            "isVariantOf",
            "itemOffered",
            "priceSpecification",
            "isRelatedTo",
            "itemListElement",
        ):
            if lot.happens(45 if name == "offers" else 14):
                some = [thing_by(lot, depth + 1) for _ in range(1 + lot.below(3))]
                made[name] = some if lot.happens(60) else some[0]
    return made


@KEPT
def offers() -> Iterator[object]:
    lot = Lot(19)
    for _ in range(220):
        found = described([thing_by(lot) for _ in range(1 + lot.below(3))])
        yield [
            (
                one.name,
                [(offer.name, str(offer.price), offer.availability) for offer in one.offers],
                (one.node, one.ids, one.group, one.url, one.listed),
            )
            for one in found
        ]


def test_what_numbers_and_dates_mean_stays_as_it_was():
    KEPT.check("values")


def test_by_how_much_values_differ_stays_as_it_was():
    KEPT.check("differences")


def test_what_prices_mean_stays_as_it_was():
    KEPT.check("prices")


def test_what_is_said_of_stock_stays_as_it_was():
    KEPT.check("stocks")


def test_how_far_times_went_on_stays_as_it_was():
    KEPT.check("times")


def test_which_addresses_mean_the_same_stays_as_it_was():
    KEPT.check("addresses")


def test_the_offers_in_data_by_lot_stay_as_they_were():
    KEPT.check("offers")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
