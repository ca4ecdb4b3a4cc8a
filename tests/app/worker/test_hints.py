"""Feeds and sitemaps name pages that have news: which entries count, and who is told of them."""

from __future__ import annotations

import pytest

from tests.app.moving.kept import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.worker.hints import entries, give_hints, spoken_of
from webvigil.document import PageDigest, read
from webvigil.model.moment import HOUR
from webvigil.model.page import Page
from webvigil.store.memory import MemoryKnowledge

HOME = "http://site.test/"


def feed(*items: str, kind: str = "application/rss+xml") -> PageDigest:
    body = f"<rss><channel>{''.join(items)}</channel></rss>"
    return read(body.encode(), kind, f"{HOME}feed")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<item><link>/a</link><pubDate> 1 </pubDate></item>", [(f"{HOME}a", "1")]),
        ("<item><link>/a</link></item>", [(f"{HOME}a", "")]),
        ("<item><pubDate>1</pubDate></item>", []),
        ("<item><link>/a</link><guid>/b</guid></item>", [(f"{HOME}a", "")]),
        ("<item><guid>/b</guid><link>/a</link></item>", [(f"{HOME}b", "")]),
        (
            "<item><link>/a</link><pubDate>1</pubDate><updated>2</updated></item>",
            [(f"{HOME}a", "1")],
        ),
        ("<url><loc>/a</loc><lastmod>1</lastmod></url>", [(f"{HOME}a", "1")]),
        (
            '<entry><link rel="self" href="/s"/><link href="/a"/><published>1</published></entry>',
            [(f"{HOME}a", "1")],
        ),
        ('<entry><link rel="alternate" href="/a">/b</link></entry>', [(f"{HOME}a", "")]),
        ("<item><link>http://[x</link></item>", []),
        ("<other><link>/a</link></other>", []),
        ("<item><link>/a</link></item><item><link>/b</link></item>", [(f"{HOME}a", ""), (f"{HOME}b", "")]),
    ],
)
def test_an_entry_is_an_address_with_a_date(item: str, expected: list[tuple[str, str]]):
    assert list(entries(feed(item))) == expected


def item(name: str, date: str = "") -> str:
    return f"<item><link>/{name}</link><pubDate>{date}</pubDate></item>"


def test_new_entries_and_those_with_another_date_are_spoken_of():
    old = feed(item("a", "1"), item("b", "1"), item("c"))
    new = feed(item("d", "1"), item("a", "2"), item("b", "1"), item("c"), item("d", "2"))
    assert spoken_of(old, new) == [f"{HOME}d", f"{HOME}a"]
    assert spoken_of(None, new) == []
    assert spoken_of(old, old) == []
    page = read(b"<url><loc>/z</loc></url>", "text/html", HOME)
    assert spoken_of(old, page) == []


def watched(*urls: str) -> tuple[MemoryKnowledge, Clock]:
    clock = Clock()
    knowledge = MemoryKnowledge(delay=0, clock=clock)
    knowledge.users.add("jill")
    pages = tuple(Page(url=url) for url in urls)
    for number, page in enumerate(pages):
        knowledge.sentinels.add(sentinel(f"s{number}", page.url, interval=24 * HOUR))
    for claim in claim_all(knowledge, pages=1000):
        due = claim.now + 24 * HOUR
        knowledge.schedule.finish(
            claim, [checked(claim, page, version=new_version(1), due=due) for page in claim.pages]
        )
    clock.now += HOUR
    return knowledge, clock


def wishes(knowledge: MemoryKnowledge) -> dict[str, str]:
    claims = claim_all(knowledge, pages=1000)
    return {page.page.url: page.wish for claim in claims for page in claim.pages}


def test_watched_pages_are_looked_at_and_others_are_not():
    knowledge, _ = watched(f"{HOME}a", f"{HOME}b")
    assert give_hints(knowledge, [f"{HOME}a", f"{HOME}x"], "a feed") == 1
    assert wishes(knowledge) == {f"{HOME}a": "a hint of a feed"}
    assert give_hints(knowledge, [], "a feed") == 0


def test_a_reason_has_forty_letters():
    knowledge, _ = watched(HOME)
    assert give_hints(knowledge, [HOME], "x" * 50) == 1
    assert wishes(knowledge) == {HOME: "a hint of " + "x" * 30}


@pytest.mark.parametrize(("before", "told"), [(999, 1), (1000, 0)])
def test_one_feed_gives_a_thousand_hints(before: int, told: int):
    knowledge, _ = watched(HOME)
    others = [f"{HOME}{number}" for number in range(before)]
    assert give_hints(knowledge, [*others, HOME], "a feed") == told
