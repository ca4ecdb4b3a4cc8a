"""A peer that lies is found out, and no user is told its lies (B5)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from tests.community.servers import Community, Server, befriend
from tests.community.test_sharing import in_order
from tests.site import Site, SitePage
from webvigil.app.operating.stores import repository
from webvigil.community.borrowing import NOT_BELIEVED
from webvigil.community.keys import Identity
from webvigil.community.messages import Message, written
from webvigil.community.receiving import Kind, Reply
from webvigil.community.sharing import PAGE, packed
from webvigil.model.page import Page
from webvigil.model.version import Answer

FORGED = Answer(url="http://x/", status=200, headers=(("Content-Type", "text/html"),), body=b"<p>forged")


def says(liar: Server, reply: Reply) -> None:
    liar.application.state.receiver._kinds[PAGE] = Kind(lambda *_: reply)


class Door:
    """Replaces the receiver of a server, and answers whatever the test wants."""

    def __init__(self, server: Server, answer: Callable[[bytes], bytes]) -> None:
        self._real = server.application.state.receiver
        self.identity, self.received = self._real.identity, answer
        server.application.state.receiver = self

    def honest(self, wire: bytes) -> bytes:
        answer: bytes = self._real.received(wire)
        return answer


async def watch_together(
    site: Site, servers: list[Server], pages: int
) -> tuple[Server, Server, list[SitePage]]:
    """Makes so many pages that the first server is responsible for; both servers watch them."""
    first, other = servers
    numbers: Iterator[int] = count()
    found: list[SitePage] = []
    while len(found) < pages:
        page = site.page(f"/{next(numbers)}", "<p>true")
        if in_order(page.url, first, other)[0] is first:
            found.append(page)
    for number, page in enumerate(found):
        for one in servers:
            one.watches(page.url, name=f"s{number}")
    await befriend(first, other)
    return first, other, found


def doubt(server: Server, peer: Server) -> None:
    """Clears the record of a peer, as if none of its answers had been checked."""
    figures = server.peer(peer).figures
    server.knowledge.peers.count(peer.key, checked=-figures.checked, agreed=-figures.agreed)


def test_a_peer_that_makes_pages_up_is_found_out_and_nothing_is_told(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            liar, other, pages = await watch_together(site, servers, pages=4)
            await liar.looks()
            await other.looks()
            doubt(other, liar)
            says(liar, Reply({"is": "new", "age": 0}, packed(FORGED)))
            for _ in range(3):
                other.clock.passes(seconds=61)
                await other.looks()
                await asyncio.sleep(0.01)
            found = other.peer(liar)
            assert found.state == "distrusted"
            assert "not as we see them ourselves" in found.reason
            assert other.changes == []
            (event,) = [one for one in other.knowledge.journal.events() if one.name == "PeerDistrusted"]
            assert event.details["pages"] == len(pages)
            asked = found.figures.asked
            await other.looks()
            assert other.peer(liar).figures.asked == asked
            assert NOT_BELIEVED in {look["why"] for look in other.log()}

    asyncio.run(story())


def test_a_peer_that_keeps_changes_to_itself_is_found_out(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            liar, other, pages = await watch_together(site, servers, pages=3)
            await liar.looks()
            await other.looks()
            doubt(other, liar)
            answers = {}
            for page in pages:
                key = Page(url=page.url).key
                seen = liar.knowledge.peers.seen(key)
                assert seen
                answers[key] = repository(liar.settings, liar.knowledge.versions).answer(seen.object)

            def old_body(_: object, message: Message) -> Reply:
                return Reply({"is": "new", "age": 0}, packed(answers[message.content["page"]]))

            liar.application.state.receiver._kinds[PAGE] = Kind(old_body)
            for page in pages:
                page.becomes("<p>changed")
            for _ in range(3):
                other.clock.passes(seconds=61)
                await other.looks()
                await asyncio.sleep(0.01)
            assert len(other.changes) == len(pages)  # found by our own fetch, at the first look
            assert other.peer(liar).state == "distrusted"

    asyncio.run(story())


def test_one_lie_costs_one_page(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b") as servers:
            liar, other, _ = await watch_together(site, servers, pages=1)
            doubt(other, liar)
            await liar.looks()
            says(liar, Reply({"is": "new", "age": 0}, packed(FORGED)))
            for _ in range(4):
                await other.looks()
                other.clock.passes(seconds=61)
                await asyncio.sleep(0.01)
            found = other.peer(liar)
            assert (found.state, found.figures.strikes, found.figures.asked) == ("known", 1, 2)
            assert other.changes == []
            assert "fetched here from now on" in " ".join(look["reason"] for look in other.log())

    asyncio.run(story())


def test_a_peer_that_looked_before_the_page_changed_is_no_liar(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            first, other, (page,) = await watch_together(site, servers, pages=1)
            doubt(other, first)
            for number in range(4):
                await first.looks()
                page.becomes(f"<p>{number}")  # right after the peer looked
                await other.looks()
                other.clock.passes(seconds=61)
            found = other.peer(first)
            assert (found.state, found.figures.strikes) == ("known", 0)
            assert len(other.changes) == 3

    asyncio.run(story())


def test_a_second_look_that_fails_costs_nothing(tmp_path: Path, site: Site):
    """A host that gets two requests in a row may refuse the second; the first answer still counts."""

    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            peer, other, (page,) = await watch_together(site, servers, pages=1)
            await peer.looks()
            await other.looks()
            doubt(other, peer)
            says(peer, Reply({"is": "new", "age": 0}, packed(FORGED)))
            page.becomes("<p>two")

            def busy(host: str) -> float:
                page.answers(429)
                return 0.0

            other.circle.borrower._pause = busy
            other.clock.passes(seconds=61)
            (result,) = await other.looks()
            assert result.look.decision == "new version"
            assert len(other.changes) == 1
            assert other.peer(peer).figures.strikes == 0

    asyncio.run(story())


def test_a_host_that_wants_its_rest_has_it_between_two_looks(tmp_path: Path, site: Site):
    """F4: the pause is kept also when a peer's answer is checked."""
    site.robots("User-agent: *\nCrawl-delay: 2")

    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            _, other, (page,) = await watch_together(site, servers, pages=1)
            await other.looks()
            assert other.circle.borrower._pause(Page(url=page.url).host) == 2.0
            assert other.circle.borrower._pause("elsewhere.test") == 0.0

    asyncio.run(story())


def test_a_page_that_is_never_the_same_twice_makes_nobody_a_liar(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b", peer_checks="100") as servers:
            first, other, (page,) = await watch_together(site, servers, pages=1)
            doubt(other, first)
            words = " ".join(f"word{number}" for number in range(200))
            numbers = count()
            page.becomes(lambda _: f"<p>{words} token{next(numbers)}")
            for _ in range(4):
                await first.looks()
                await other.looks()
                other.clock.passes(seconds=61)
            figures = other.peer(first).figures
            assert (figures.strikes, figures.agreed, figures.checked) == (0, 4, 4)

    asyncio.run(story())


class TestNoMessageAtAll:
    """Messages that are signed by somebody else, repeated or too large are refused, and the page is fetched
    here."""

    def played(self, tmp_path: Path, site: Site, make: Callable[[Server, Server], None]) -> None:
        async def story() -> None:
            async with Community(tmp_path, "a", "b", fetch_bytes="100000") as servers:
                liar, other, (page,) = await watch_together(site, servers, pages=1)
                await liar.looks()
                await other.looks()
                make(liar, other)
                page.becomes("<p>two")
                other.clock.passes(seconds=61)
                await other.looks()
                assert len(other.changes) == 1
                found = other.peer(liar)
                assert found.shown_state == "resting"
                assert found.reason
                self.found = found

        asyncio.run(story())

    def test_another_key(self, tmp_path: Path, site: Site):
        def make(liar: Server, other: Server) -> None:
            thief = Identity(b"a thief")
            reply = {"is": "same", "age": 0}
            Door(liar, lambda wire: written(thief, other.key, PAGE, reply, sent=_now(), answers="a" * 32)[1])

        self.played(tmp_path, site, make)
        assert "not to what was asked, or by somebody else" in self.found.reason
        assert self.found.figures.refused == 1

    def test_an_answer_of_before(self, tmp_path: Path, site: Site):
        kept: list[bytes] = []

        def make(liar: Server, other: Server) -> None:
            reply = {"is": "same", "age": 0}
            kept.append(written(liar.identity, other.key, PAGE, reply, sent=_now(), answers="a" * 32)[1])
            Door(liar, lambda wire: kept[0])

        self.played(tmp_path, site, make)
        assert "not to what was asked" in self.found.reason

    @pytest.mark.parametrize("answer", [b"", b"nonsense", b"webvigil/1 " + b"x" * 300, b"\x00" * 1000])
    def test_no_message(self, tmp_path: Path, site: Site, answer: bytes):
        self.played(tmp_path, site, lambda liar, other: (Door(liar, lambda _: answer), None)[1])
        assert self.found.figures.refused == 1

    def test_more_than_a_page_may_have(self, tmp_path: Path, site: Site):
        huge = Answer(url="http://x/", status=200, headers=(), body=b"x" * 400_000)
        self.played(
            tmp_path, site, lambda liar, other: says(liar, Reply({"is": "new", "age": 0}, packed(huge)))
        )
        assert "large" in self.found.reason

    @pytest.mark.parametrize(
        "reply",
        [
            Reply({}),
            Reply({"is": "new", "age": 0}),
            Reply({"is": "new", "age": -1}, packed(FORGED)),
            Reply({"is": "new", "age": 0}, b"{}\n"),
            Reply({"is": "new", "age": 0}, packed(FORGED) + b"more"),
            Reply({"is": "new", "age": 0}, packed(replace(FORGED, status=404))),
            Reply({"is": "new", "age": 0}, packed(replace(FORGED, url="javascript:alert(1)"))),
            Reply({"is": "same", "age": "old"}),
        ],
    )
    def test_a_signed_answer_that_is_none(self, tmp_path: Path, site: Site, reply: Reply):
        self.played(tmp_path, site, lambda liar, other: says(liar, reply))
        assert "does not say what one of its kind must say" in self.found.reason


def test_an_old_look_is_none_whatever_it_is_called(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b") as servers:
            liar, other, (page,) = await watch_together(site, servers, pages=1)
            await liar.looks()
            await other.looks()
            page.becomes("<p>two")
            for lie in (
                Reply({"is": "same", "age": 10**7}),
                Reply({"is": "new", "age": 10**7}, packed(FORGED)),
            ):
                says(liar, lie)
                other.clock.passes(seconds=61)
                await other.looks()
            assert len(other.changes) == 1
            assert other.peer(liar).figures.got == 1  # received before it lied
            assert page.hits == 1 + 2

    asyncio.run(story())


def test_what_nobody_has_cannot_be_the_same(tmp_path: Path, site: Site):
    async def story() -> None:
        async with Community(tmp_path, "a", "b") as servers:
            liar, other, (page,) = await watch_together(site, servers, pages=1)
            says(liar, Reply({"is": "same", "age": 0}))
            (result,) = await other.looks()
            assert result.version
            assert page.hits == 1
            assert other.peer(liar).figures.refused == 1

    asyncio.run(story())


def _now() -> int:
    return time.time_ns() // 1_000_000
