"""Several servers share the work: a page is fetched once for all, and every change reaches each (B4, B5)."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.community.servers import Community, Server, announce, befriend
from tests.site import Site
from webvigil.app.operating.metrics import Metrics
from webvigil.app.operating.stores import repository
from webvigil.app.worker.process import measured
from webvigil.community.greeting import _invited
from webvigil.community.location import responsible
from webvigil.community.openness import OpenHosts
from webvigil.community.receiving import Kind
from webvigil.community.sharing import PAGE, Sharing, Wish
from webvigil.errors import PeerRefused
from webvigil.model.contact import Preferences
from webvigil.model.page import Page
from webvigil.model.peer import Peer
from webvigil.store.memory import MemoryKnowledge


def in_order(url: str, *servers: Server) -> list[Server]:
    """Returns the servers, the one that is responsible for the page first."""
    key = responsible(Page(url=url).key, [one.key for one in servers])
    return sorted(servers, key=lambda one: one.key != key)


def guarded(server: Server) -> Sharing:
    """Returns the sharing of a server on a machine whose `localhost` is in a private network."""
    hosts = OpenHosts(server.settings.share_networks, lookup=lambda _: ["10.0.0.1"])
    return Sharing(server.knowledge, repository(server.settings, server.knowledge.versions), hosts, 1_000)


class TestBecomingPeers:
    def test_both_must_say_yes(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a", "b") as (a, b):
                assert (await a.adds(b)).state == "invited"
                assert (a.peer(b).state, b.peer(a).state) == ("invited", "asking")
                assert b.peer(a).url == a.url
                assert (await b.adds(a)).state == "known"
                assert (a.peer(b).state, b.peer(a).state) == ("known", "known")

        asyncio.run(story())

    def test_another_fingerprint_is_another_server(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a", "b") as (a, b):
                with pytest.raises(PeerRefused, match=f"has the fingerprint {b.identity.fingerprint}, not"):
                    await a.adds(b, expected=a.identity.fingerprint)
                with pytest.raises(PeerRefused, match="our own server"):
                    await a.adds(a)
                assert a.knowledge.peers.all() == b.knowledge.peers.all() == []

        asyncio.run(story())

    def test_who_was_not_there_is_greeted_later(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a", "b") as (a, b):
                await a.adds(b)
                b.knowledge.peers.remove(a.key)  # as if the hello had been lost
                await a.turns()
                assert b.peer(a).state == "asking"
                await b.adds(a)
                assert a.peer(b).state == "known"

        asyncio.run(story())

    def test_who_removed_us_is_asked_again(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a", "b") as (a, b):
                await befriend(a, b)
                b.knowledge.peers.remove(a.key)
                await a.turns()
                assert (a.peer(b).state, a.peer(b).failures) == ("invited", 1)
                assert "not known here" in a.peer(b).reason
                a.clock.passes(seconds=15)
                await a.turns()
                assert b.peer(a).state == "asking"

        asyncio.run(story())

    def test_whoever_invites_again_by_hand_begins_without_failures_and_does_not_wait(self):
        knowledge = MemoryKnowledge(delay=0)
        tired = Peer(key="k", url="https://b.test", added_at=1, failures=3, rest_until=10**15, reason="away")
        knowledge.peers.put(tired)
        _invited(knowledge.peers, knowledge.schedule, "k", "https://b.test")
        again = knowledge.peers.get("k")
        assert again
        assert (again.failures, again.rest_until, again.reason) == (0, 0, "")


class TestOnePageForAll:
    def test_a_page_is_fetched_once_and_each_change_found_by_each_once(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b", "c") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, *others = in_order(page.url, *servers)
                await first.looks()
                for one in others:
                    await one.looks()
                assert page.hits == 1
                for number in range(2, 6):
                    page.becomes(f"<p>{number}")
                    first.clock.passes(seconds=61)
                    await first.looks()
                    assert page.hits == number
                    for one in others:  # a hint told them, before their next look was due
                        await one.looks()
                assert page.hits == 5
                for one in servers:
                    assert len(one.changes) == 4
                    assert len(await one.looks()) == 0
                assert "from peer" in others[0].log()[-1]["reason"]
                assert "which fetched it" in others[0].log()[-1]["reason"]
                assert others[0].log()[-1]["why"] == "a peer has news"
                assert first.peer(others[0]).figures.given == 5
                assert others[0].peer(first).figures.got == 5

        asyncio.run(story())

    def test_that_a_page_is_the_same_counts_as_one_answer(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, other = in_order(page.url, *servers)
                for given in (1, 2, 3):
                    await first.looks()
                    await other.looks()
                    assert first.peer(other).figures.given == other.peer(first).figures.got == given
                    first.clock.passes(seconds=61)

        asyncio.run(story())

    def test_what_came_from_a_peer_is_counted_as_saved(self, tmp_path: Path, site: Site):
        """B6: of two looks, only one was a fetch."""

        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                metrics = Metrics()
                for one in servers:
                    one.watches(page.url)
                    one.stages = measured(one.stages, metrics)  # type: ignore[assignment]
                await befriend(*servers)
                for one in in_order(page.url, *servers):
                    for result in await one.looks():
                        assert result.version
                        metrics.asked.inc()
                        metrics.fetches.inc()
                assert metrics.shared() == (2, 1)
                assert metrics.utilisation() == 1.0
                assert "webvigil_fetches_saved_total 1.0" in metrics.page().decode()

        asyncio.run(story())

    def test_what_has_not_changed_is_not_sent(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, other = in_order(page.url, *servers)
                for _ in range(4):
                    await first.looks()
                    await other.looks()
                    first.clock.passes(seconds=61)
                figures = other.peer(first).figures
                assert (figures.asked, figures.got, figures.same) == (4, 4, 3)
                assert [look["decision"] for look in other.log()] == ["new version", *["not modified"] * 3]
                assert page.hits == 4  # the looks of one server

        asyncio.run(story())

    def test_the_responsible_one_looks_as_often_as_the_most_eager_needs(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                first, other = in_order(page.url, *servers)
                first.watches(page.url, every="1 day")
                other.watches(page.url, every="10 second")
                await befriend(first, other)
                await first.looks()
                for _ in range(10):
                    await other.looks()
                    first.clock.passes(seconds=10)
                    await first.looks()
                assert page.hits == 11
                assert other.peer(first).figures.got == 10
                assert {look["why"] for look in first.log()[1:]} == {"a peer wants it"}

        asyncio.run(story())

    def test_on_change_is_on_change_of_the_peer(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                first, other = in_order(page.url, *servers)
                for one in servers:
                    one.watches(page.url, every="on change")
                await befriend(first, other)
                await first.looks()
                await other.looks()
                page.becomes("<p>two")
                first.knowledge.schedule.ask(first.knowledge.sentinels.pages()[0].id)
                await first.looks()
                await other.looks()
                assert page.hits == 2
                assert len(first.changes) == len(other.changes) == 1

        asyncio.run(story())

    def test_a_look_that_is_too_old_is_none(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                first, other = in_order(page.url, *servers)
                first.watches(page.url, every="1 day")
                other.watches(page.url, every="10 second")
                await befriend(first, other)
                await first.looks()
                first.clock.passes(seconds=3600)
                page.becomes("<p>two")
                await other.looks()
                assert page.hits == 2
                assert other.peer(first).figures.got == 0
                await first.looks()  # the other server's question made the page due at once
                assert page.hits == 3

        asyncio.run(story())

    def test_a_page_too_large_for_one_is_not_sent_and_the_peer_is_asked_for_others(
        self, tmp_path: Path, site: Site
    ):
        async def story() -> None:
            large = site.page("/large", "<p>" + "x" * 99_900)
            async with Community(tmp_path, "a", "b", fetch_bytes="100000") as servers:
                first, other = in_order(large.url, *servers)
                for one in servers:
                    one.watches(large.url)
                await befriend(first, other)
                await first.looks()
                (result,) = await other.looks()
                assert result.version
                assert large.hits == 2
                assert other.peer(first).shown_state == "known"

        asyncio.run(story())

    def test_who_asks_for_a_look_now_gets_one(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, other = in_order(page.url, *servers)
                await first.looks()
                await other.looks()
                other.knowledge.schedule.ask(other.knowledge.sentinels.pages()[0].id)
                page.becomes("<p>two")
                await other.looks()
                assert page.hits == 2
                assert len(other.changes) == 1

        asyncio.run(story())

    def test_what_came_from_a_peer_is_not_passed_on(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b", "c") as servers:
                for one in servers:
                    one.watches(page.url)
                first, second, third = in_order(page.url, *servers)
                await befriend(first, second)
                await first.looks()
                await second.looks()
                assert page.hits == 1
                await befriend(second, third)  # the third server does not know the first
                await third.looks()
                assert page.hits == 2

        asyncio.run(story())

    def test_after_a_page_of_a_peer_our_own_fetch_is_whole(self, tmp_path: Path, site: Site):
        """The validators of an older copy must not be used to ask about the copy that came from a peer."""

        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                first, other = in_order(page.url, *servers)
                other.watches(page.url)
                await other.looks()  # alone, with the validators of "one"
                first.watches(page.url)
                await befriend(first, other)
                page.becomes("<p>two")
                first.clock.passes(seconds=61)
                await first.looks()
                await other.looks()
                page.becomes("<p>one", modified=0)
                await first.close()
                first.clock.passes(seconds=61)
                await other.looks()
                assert len(other.changes) == 2

        asyncio.run(story())


class TestWhatIsNotShared:
    @pytest.mark.parametrize("reason", ["opted out", "private network", "password in the address"])
    def test_it_is_neither_announced_nor_asked_for(self, tmp_path: Path, site: Site, reason: str):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            url = page.url
            given = {"share_networks": ""} if reason == "private network" else {}
            if reason == "password in the address":
                url = url.replace("http://", "http://me:secret@")
            async with Community(tmp_path, "a", "b", **given) as servers:
                for one in servers:
                    one.watches(url)
                    if reason == "opted out":
                        one.knowledge.contacts.prefer("me", Preferences(share_pages=False))
                await befriend(*servers)
                for one in servers:
                    for other in servers:
                        assert one.knowledge.peers.announced(other.key) == {}
                    await one.looks()
                assert page.hits == 2
                for one, other in (servers, servers[::-1]):
                    assert one.peer(other).figures.asked == 0

        asyncio.run(story())

    @pytest.mark.parametrize("how", ["by its address", "by a redirect", "in a frame"])
    def test_what_is_in_a_private_network_is_not_given_to_one_who_guesses_it(
        self, tmp_path: Path, site: Site, how: str
    ):
        """B5: the digest of an address like http://intranet/ can be guessed."""

        async def story() -> None:
            page = site.page("/secret", "<p>ours")
            url = page.url
            if how != "by its address":  # in this test 127.0.0.1 counts as public, localhost does not
                inside = url.replace("127.0.0.1", "localhost")
                frame = site.page("/open", f"<p>x<iframe src={inside}></iframe>")
                url = site.page("/away").redirects_to(inside).url if how == "by a redirect" else frame.url
            given = {"share_networks": ""} if how == "by its address" else {}
            async with Community(tmp_path, "a", "b", **given) as (a, b):
                a.application.state.receiver._kinds[PAGE] = Kind(guarded(a).asked)
                a.watches(url)
                await befriend(a, b)
                assert (await a.looks())[0].version
                wish = Wish(page=Page(url=url).key, have="", age=60_000, interval=1_000)
                answer = await b.circle.agency._post.send(a.key, a.url, PAGE, wish.as_json())
                assert (answer.content, answer.body) == ({"is": "later"}, b"")
                assert a.peer(b).figures.given == 0

        asyncio.run(story())

    def test_who_changes_their_mind_is_forgotten(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as (a, b):
                a.watches(page.url)
                await befriend(a, b)
                key = Page(url=page.url).key
                assert b.knowledge.peers.announced(a.key) == {key: 60_000}
                a.knowledge.contacts.prefer("me", Preferences(share_pages=False))
                await announce(a)
                assert b.knowledge.peers.announced(a.key) == {}

        asyncio.run(story())


class TestAPeerInTrouble:
    def test_one_that_is_gone_costs_nothing_but_its_pages(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, other = in_order(page.url, *servers)
                await first.looks()
                await other.looks()
                await first.close()
                page.becomes("<p>two")
                other.clock.passes(seconds=61)
                await other.looks()
                assert page.hits == 2
                assert len(other.changes) == 1
                assert (other.peer(first).shown_state, other.peer(first).failures) == ("resting", 1)
                other.clock.passes(seconds=61)
                await other.looks()
                assert other.peer(first).figures.asked == 2  # the peer is not asked during its pause
                await other.turns()
                assert other.peer(first).failures == 2

        asyncio.run(story())

    def test_when_the_responsible_one_is_gone_another_one_is(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b", "c") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, *others = in_order(page.url, *servers)
                for one in (first, *others):
                    await one.looks()
                await first.close()
                second, third = in_order(page.url, *others)
                for number in range(2, 6):
                    page.becomes(f"<p>{number}")
                    second.clock.passes(seconds=61)
                    await second.looks()
                    await third.looks()
                # Each server finds out for itself that the first is gone; from then on they share again.
                assert page.hits <= 1 + 4 + 1
                assert len(second.changes) == len(third.changes) == 4
                assert third.peer(second).figures.got >= 3

        asyncio.run(story())

    def test_one_that_comes_back_is_asked_again(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            async with Community(tmp_path, "a", "b") as servers:
                for one in servers:
                    one.watches(page.url)
                await befriend(*servers)
                first, other = in_order(page.url, *servers)
                known = other.peer(first)
                other.knowledge.peers.put(replace(known, failures=3, rest_until=other.clock.now + 1000))
                await other.turns()
                assert other.peer(first).failures == 3
                other.clock.passes(seconds=2)
                await other.turns()
                assert other.peer(first).shown_state == "known"

        asyncio.run(story())

    def test_one_that_hangs_delays_nobody_for_long(self, tmp_path: Path, site: Site):
        async def story() -> None:
            pages = [site.page(f"/{number}", "<p>one") for number in range(6)]
            async with Community(tmp_path, "a", "b") as servers:
                for number, page in enumerate(pages):
                    for one in servers:
                        one.watches(page.url, name=f"s{number}")
                await befriend(*servers)
                first, other = in_order(pages[0].url, *servers)
                silence = socket.create_server(("127.0.0.1", 0))  # accepts connections and never answers
                place = f"http://127.0.0.1:{silence.getsockname()[1]}"
                other.knowledge.peers.put(replace(other.peer(first), url=place))
                other.circle.borrower._post._within = 0.3
                await other.looks()
                silence.close()
                assert all(page.hits == 1 for page in pages)
                assert other.peer(first).shown_state == "resting"
                assert other.peer(first).figures.asked == 1  # the other pages did not wait for the peer

        asyncio.run(story())
