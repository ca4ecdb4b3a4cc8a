"""What the parts of the comparison say about many small inputs stays as it is.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_kept`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product as all_of
from pathlib import Path

import numpy as np
import pytest

from tests.detect.keeping import Kept
from tests.lots import Lot
from webvigil.detect import alignment, gist, lcs, rows
from webvigil.detect.dates import find_date, is_month
from webvigil.detect.headline import amounts, headline, links_told_by_text, titled, told_first, told_with
from webvigil.detect.pictures import regions
from webvigil.detect.quantities import amounts_in, difference, parse_value
from webvigil.detect.quiet.addresses import is_token, meant, momentless
from webvigil.detect.quiet.advance import advances, shrank
from webvigil.detect.quiet.calm import differing
from webvigil.detect.quiet.ticking import may_tick, spanless, ticks, timeless
from webvigil.detect.shop.availability import availability_in, availability_named, is_buying
from webvigil.detect.shop.money import currency_of, price_of
from webvigil.detect.shop.offers import described
from webvigil.document.fast import native, twins
from webvigil.document.hashes import string_hashes
from webvigil.model.change import CELL_JOINT, Finding, ObjectChange, Status, Surrounding

KEPT = Kept(Path(__file__).with_name("kept"))


# --- texts ------------------------------------------------------------------------------------------

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


# --- sentences --------------------------------------------------------------------------------------

PATHS = (
    *("/html/body/main/p[1]", "/html/body/main/p[2]", "/html/body/nav/a[1]", "/html/body/footer/p", "/"),
    *("/html/head/title", "/html/body/main/table/tbody/tr[2]", "/html/body/main/table/tbody/tr[2]/td[1]"),
    *(
        "/html/body/main/ul/li[1]",
        "/html/body/main/ul[2]/li[3]/a",
        "/html/body/main/h2[1]",
        "/html/body/aside[2]",
    ),
    *(
        "/html/body/main/img[1]",
        "/html/body/main/table",
        "/html/body/main/ol",
        "/html/body/main/th",
        "$.a[3].b",
    ),
    *("/rss/channel/item[2]/title", "/rss/channel/item[2]/link", "/feed/entry[1]/title", "$.a[3].name"),
)
KINDS = (
    *(
        "any change",
        "any change",
        "any change",
        "all links",
        "all images",
        "keywords",
        "value",
        "table",
        "list",
    ),
    *("content", "all words", "structure", "tags", "attributes", "comments", "visual", "appearance"),
    *("exact change", "phrase", "status", "product"),
)


def object_by(lot: Lot) -> ObjectChange:
    status = lot.one_of([*Status, Status.UPDATED, Status.UPDATED, Status.NEW, Status.GONE])
    path = lot.one_of(PATHS)
    label, section = lot.words(2), lot.one_of(("", "", "Prices", "News of today"))
    label = lot.one_of(("", label, f"{label} · Price", section, f"{label} from € 5"))
    if lot.happens(25):
        return ObjectChange(
            object=lot.one_of(("/a/b.html", "https://a.test/x/", "harbour", "12 more", "1,200 more", "/x/1")),
            status=status,
            old=lot.below(3),
            new=lot.below(4),
            where=(path, *(lot.one_of(PATHS) for _ in range(lot.below(2)))) if lot.happens(70) else (),
            label=label,
            section=section,
            link_text=lot.words(2) if lot.happens(60) else "",
        )
    before, after = line_by(lot), line_by(lot)
    if lot.happens(60):
        at = lot.below(len(before.split()) + 1)
        words = before.split()
        words[at : at + 1] = lot.fact().split() if lot.happens(70) else []
        after = " ".join(words)
    around = None
    if lot.happens(50):
        lead, more = (
            lot.one_of(("", f"{lot.words(3)} ", f"{lot.sentence()} ")),
            lot.one_of(("", f", {lot.words(3)}.")),
        )
        lead = lead if lot.happens(70) else f"{lot.words(2)}{CELL_JOINT}"
        marks = (((len(lead), len(lead) + len(side)),) if lot.happens(80) else () for side in (before, after))
        around = Surrounding(f"{lead}{before}{more}", f"{lead}{after}{more}", *marks)
    has_before, has_after = status is not Status.NEW, status is not Status.GONE
    return ObjectChange(
        object=lot.one_of((before, after, lot.words(2))),
        status=status,
        before=before if has_before else None,
        after=after if has_after else None,
        where=(path, *(lot.one_of(PATHS) for _ in range(lot.below(2)))),
        label=label,
        section=section,
        surrounding=around,
    )


def line_by(lot: Lot) -> str:
    return lot.one_of((lot.fact(), lot.fact(), lot.words(4), f"{lot.words(2)} {lot.fact()}", lot.sentence()))


def finding_by(lot: Lot, most: int) -> Finding:
    kind = lot.one_of(KINDS)
    objects = [object_by(lot) for _ in range(1 + lot.below(most))]
    if kind == "product":
        names = [lot.one_of(("Lamp", "Sofa", "Rug")) for _ in objects]
        facts = [lot.one_of(("price", "availability", "name")) for _ in objects]
        objects = [
            one._replace(object=fact, label=f"{name} · {fact.capitalize()}", section=name)
            for one, name, fact in zip(objects, names, facts, strict=True)
        ]
    share = lot.one_of((0.0, 0.004, 0.005, 0.0099, 0.01, 0.3, 1.0))
    note = "the watched part has vanished" if lot.happens(2) else ""
    return Finding(type="within" if note else kind, objects=tuple(objects), share=share, note=note)


@KEPT
def headlines() -> Iterator[object]:
    lot = Lot(7)
    for number in range(700):
        most = (1, 2, 3, 5, 9, 40)[number % 6]
        findings = [finding_by(lot, most) for _ in range(1 + (number % 5 == 4))]
        first = [[at.object[:9] for at in one.objects] for one in told_first(findings)]
        told = told_with(findings)
        line = headline(findings)
        assert told[0] == line
        assert told[2] == told_first(findings, 0)
        links = sum(one in found for found in [links_told_by_text(findings[0].objects)] for one in found)
        yield line, amounts(findings), first[0][:3], links
        if number % 10 == 0:
            title = lot.one_of((lot.words(3), line[:12], f"{line[:9]} – Shop", "", lot.sentence() * 2))
            yield titled(line, title)


@KEPT
def product_headlines() -> Iterator[object]:
    """Headlines of products, pictures and much changed text, which few findings have."""
    lot = Lot(61)
    for _ in range(150):
        found = finding_by(lot, 4)
        facts = [lot.one_of(("price", "availability", "name")) for _ in found.objects]
        names = [lot.one_of(("Lamp", "Sofa")) for _ in facts]
        objects = [
            one._replace(object=fact, label=f"{name} · {fact.capitalize()}", section=name)
            for one, name, fact in zip(found.objects, names, facts, strict=True)
        ]
        yield headline([Finding(type="product", objects=tuple(objects))])
    for many, share in all_of((1, 19, 20, 21), (0.0, 0.0099, 0.01, 0.5)):
        texts = [
            ObjectChange("x", Status.NEW, after=f"x {at}", where=("/html/body/p",)) for at in range(many)
        ]
        link = ObjectChange("/a", Status.NEW, old=0, new=1, where=("/html/body/a",))
        for kind in ("any change", "phrase", "content"):
            yield headline([Finding(type=kind, objects=(*texts, link), share=share)])
    for status, label in all_of((Status.NEW, Status.GONE, Status.UPDATED), ("", "Map")):
        one = ObjectChange("9×9 at 1,1", status, before="9×9 at 1,1", after="9×9 at 1,1", label=label)
        yield headline([Finding(type="visual", objects=(one,), share=0.2)])
        yield headline([Finding(type="visual", objects=(one, one._replace(object="8×8 at 1,1")))])


@KEPT
def long_headlines() -> Iterator[object]:
    """Headlines with texts, names and titles of every length at which something is cut."""
    for size in (*range(34, 52), *range(76, 84), *range(90, 170, 3)):
        word = "".join("word "[at % 5] for at in range(size)).strip()
        one = ObjectChange(object=word, status=Status.NEW, after=word, where=("/html/body/p",))
        more = one._replace(
            object="x", after="x", where=("/html/body/nav/p",), status=Status.GONE, before="x"
        )
        other = more._replace(where=("/html/body/ul/li",))
        link = ObjectChange(object="/a", status=Status.NEW, old=0, new=1, where=("/html/body/a",))
        new_price = ObjectChange("price", Status.UPDATED, before="€ 5", after="€ 6", section=word, label=word)
        around = Surrounding(after=f"low {word[:-6]}, risk", after_marks=((0, 3),))
        groups = (
            ("any change", (one,)),
            ("any change", (one, more, other)),
            ("any change", (one, more, other, link, link._replace(object="/b"))),
            ("any change", (one._replace(label=word, section="x"),)),
            ("any change", (one._replace(object="low", after="low", label="Fund", surrounding=around),)),
            ("list", (one._replace(object="x", section=word), more)),
            ("product", (new_price,)),
            ("value", (new_price,)),
        )
        for kind, objects in groups:
            yield headline([Finding(type=kind, objects=objects)])
        yield titled("A new harbour", word)
        yield titled(word, "The town")


@KEPT
def gists() -> Iterator[object]:
    lot = Lot(11)
    for _ in range(900):
        one = object_by(lot)
        if one.old is None:
            yield gist.quantity(one), f"{gist.moved_by(one):.3f}", [tuple(step) for step in gist.steps(one)]
    for _ in range(300):
        line = " ".join(lot.sentence() for _ in range(1 + lot.below(3)))
        words = line.split()
        first = lot.below(len(words))
        text = " ".join(words[first : first + 1 + lot.below(3)])
        at = line.find(text)
        marks = ((at, at + len(text)),) if lot.happens(50) else ()
        yield text, gist.in_clause(text, line, marks), [*gist.whole_words(text, line)]
    yield (
        gist.in_clause("", "a b"),
        gist.in_clause("x", ""),
        gist.in_clause("abc", "ab"),
        gist.in_clause("x", "ab"),
    )
    for size in (46, 47, 48, 49, 50):
        text = "ab " * 20
        yield gist.short(text[:size]), gist.short(text, size), gist.isolated("ابجد"), gist.isolated("abc")
        one = ObjectChange(
            object="x", status=Status.UPDATED, before=f"{'a' * (size - 3)} 12", after=f"{'a' * (size - 3)} 13"
        )
        yield gist.quantity(one), [tuple(step) for step in gist.steps(one)]


# --- sequences --------------------------------------------------------------------------------------


def letters_by(lot: Lot, most: int, kinds: int = 4) -> list[str]:
    return ["abcdefghij"[lot.below(kinds)] for _ in range(lot.below(most + 1))]


def edges_of(letters: list[str]) -> alignment.Edges:
    """Says that a line begins before each `b` behind an `a`, and a text before each other `b`."""
    behind = zip(["", *letters], [*letters, ""], strict=True)
    edges = [2 if (one, other) == ("a", "b") else int(other == "b") for one, other in behind]
    return lambda first, last: edges[first:last]


@KEPT
def sequences() -> Iterator[object]:
    lot = Lot(3)
    for _ in range(250):
        old, new = letters_by(lot, 12), letters_by(lot, 12)
        if lot.happens(40):
            at = lot.below(len(old) + 1)
            new = [*old[:at], *letters_by(lot, 3), *old[at + lot.below(3) :]]
        found = alignment.gaps(old, new)
        hashes = string_hashes(old), string_hashes(new)
        settled = alignment.settled(found, *hashes, edges_of(old), edges_of(new))
        yield (
            f"{''.join(old)} {''.join(new)}",
            [tuple(gap) for gap in found],
            [tuple(gap) for gap in settled],
            [tuple(gap) for gap in alignment.fewer(found, 2)],
            [tuple(gap) for gap in alignment.word_gaps(old, new)],
            [tuple(run) for run in lcs.common_runs(old, new)],
            alignment.shared(*hashes),
            [side.tolist() for side in lcs.once_in_both(*hashes)],
        )


@KEPT
def plain_sequences() -> Iterator[object]:
    """What the functions say that have a compiled twin, asked in their plain form."""
    lot = Lot(5)
    asked = ("exact_gaps", "trimmed_items", "shared", "once_in_both", "common_length", "in_common")
    named = {name: twins[name][0] for name in asked}
    for _ in range(150):
        old, new = letters_by(lot, 12), letters_by(lot, 12)
        sides = [np.array([ord(one) for one in side], dtype=np.uint64) for side in (old, new)]
        i, j = lot.below(len(old) + 1), lot.below(len(new) + 1)
        i_end, j_end = i + lot.below(len(old) - i + 1), j + lot.below(len(new) - j + 1)
        yield (
            f"{''.join(old)} {''.join(new)} {i}:{i_end} {j}:{j_end}",
            [tuple(gap) for gap in named["exact_gaps"](*sides, i, i_end, j, j_end)],
            tuple(map(int, named["trimmed_items"](*sides, i, i_end, j, j_end))),
            named["shared"](*sides),
            [side.tolist() for side in named["once_in_both"](*sides)],
            named["common_length"]("".join(old), "".join(new)),
            named["in_common"](Counter(old), Counter(new)),
        )


@KEPT
def chains() -> Iterator[object]:
    lot = Lot(9)
    for _ in range(200):
        numbers = [lot.below(9) for _ in range(1 + lot.below(9))]
        weights = [1 + lot.below(4) for _ in numbers]
        yield numbers, weights, lcs.increasing(numbers), lcs.increasing(numbers, weights)
    for _ in range(120):
        width = 1 + lot.below(4)
        likeness = [[lot.one_of((0.0, 0.5, 0.7, 1.0)) for _ in range(width)] for _ in range(lot.below(5))]
        yield likeness, alignment.best_pairs(likeness, width), alignment.heaviest_path(likeness, width)
    for _ in range(120):
        old, new = ([lot.words(5) for _ in range(lot.below(4))] for _ in range(2))
        new = [one if lot.happens(50) else f"{one} {lot.word()}" for one in [*old, *new][: lot.below(6)]]
        yield old, new, alignment.paired(old, new), alignment.in_step(old, new, alignment._likeness)


@KEPT
def matched_rows() -> Iterator[object]:
    lot = Lot(13)
    for number in range(400):
        width = 1 + lot.below(4)
        old = [tuple(cell_by(lot, at, place) for at in range(width)) for place in range(lot.below(6))]
        new = [
            tuple(cell if lot.happens(80) else cell_by(lot, at, place) for at, cell in enumerate(row))
            for place, row in enumerate(old)
            if lot.happens(80)
        ]
        if lot.happens(30):
            new = lot.shuffled(new)
        for _ in range(lot.below(3)):
            new.insert(lot.below(len(new) + 1), tuple(cell_by(lot, at, 7) for at in range(width)))
        columns = [[*zip(*side, strict=True)] for side in (old, new)]
        keys = rows.key_columns(*columns) if old and new else ()
        pairs = rows.match_rows(old, new, keys)
        yield old, new, keys, pairs, rows.in_order(pairs), rows.match_rows(old, new, ()) if number % 2 else ()


def cell_by(lot: Lot, column: int, place: int) -> str:
    if column == 0:
        return lot.one_of((lot.words(1), lot.words(2), lot.words(3), "", str(place + 1)))
    return lot.one_of((str(lot.below(30)), lot.word(), f"€ {lot.below(9)}", lot.fact(), ""))


# --- pictures ---------------------------------------------------------------------------------------


@KEPT
def pictures() -> Iterator[object]:
    lot = Lot(17)
    for _ in range(90):
        width, height = 60 + lot.below(60), 70 + lot.below(90)
        old = np.full((height, width, 3), 255, dtype=np.uint8)
        for _ in range(lot.below(5)):
            painted(lot, old)
        new = old.copy()
        for _ in range(1 + lot.below(4)):
            change = lot.below(5)
            if change <= 1:
                painted(lot, new)
            elif change == 2:
                at = lot.below(len(new))
                band = np.full((1 + lot.below(30), new.shape[1], 3), 255, dtype=np.uint8)
                painted(lot, band)
                new = np.concatenate([new[:at], band, new[at:]])
            elif change == 3:
                at = lot.below(len(new))
                new = np.concatenate([new[:at], new[at + 1 + lot.below(20) :]])
            else:
                new = new[:, : new.shape[1] - lot.below(9)].copy()
        yield old.shape, new.shape, [tuple(map(str, region)) for region in regions(old, new)]


def painted(lot: Lot, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    top, left = lot.below(len(pixels)), lot.below(pixels.shape[1])
    height, width = lot.one_of((1, 2, 7, 8, 9, 25)), lot.one_of((1, 2, 8, 9, 24, 40))
    pixels[top : top + height, left : left + width] = lot.one_of((0, 100, 246, 247, 248, 255))


# --- shops ------------------------------------------------------------------------------------------


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


# --- the tests --------------------------------------------------------------------------------------


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


def test_headlines_of_findings_by_lot_stay_as_they_were():
    KEPT.check("headlines")


def test_headlines_of_products_and_pictures_stay_as_they_were():
    KEPT.check("product_headlines")


def test_headlines_of_long_texts_stay_as_they_were():
    KEPT.check("long_headlines")


def test_the_gist_of_changes_by_lot_stays_as_it_was():
    KEPT.check("gists")


def test_where_sequences_differ_stays_as_it_was():
    KEPT.check("sequences")


@pytest.mark.skipif(native is None, reason="nothing was compiled")
def test_where_sequences_differ_stays_as_it_was_by_the_plain_functions():
    KEPT.check("plain_sequences")


def test_pairs_and_rising_chains_stay_as_they_were():
    KEPT.check("chains")


def test_which_rows_are_the_same_stays_as_it_was():
    KEPT.check("matched_rows")


def test_the_regions_of_pictures_stay_as_they_were():
    KEPT.check("pictures")


def test_the_offers_in_data_by_lot_stay_as_they_were():
    KEPT.check("offers")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
