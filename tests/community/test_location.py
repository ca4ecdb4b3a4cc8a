"""Which server watches and fetches which page, which peers are trusted, what strangers may send (B4, B2)."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.community.servers import Community, befriend
from tests.site import Site
from webvigil.community import sharing
from webvigil.community.greeting import MOST_ASKING, MOST_OF_A_HOST, address
from webvigil.community.keys import Identity
from webvigil.community.location import announcement, packed, responsible, unpacked
from webvigil.community.messages import written
from webvigil.community.openness import OpenHosts
from webvigil.community.receiving import Kind, Receiver
from webvigil.community.trust import agree, chance_of_check, distance, failed, is_liar, well_again
from webvigil.errors import MessageRefused, PeerRefused
from webvigil.model.page import Page
from webvigil.model.peer import Figures, Peer, Wanted
from webvigil.model.version import Answer, Frame

NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=6)
MEMBERS = st.lists(NAMES, min_size=1, max_size=8, unique=True)
KEYS = st.binary(min_size=20, max_size=20).map(bytes.hex)
PAGES = st.dictionaries(KEYS, st.integers(0, 10**9), max_size=20)
TEXTS = st.text(max_size=10)
HEADERS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)


class TestResponsible:
    @given(NAMES, MEMBERS, st.randoms())
    def test_everybody_names_the_same_one(self, page: str, members: list[str], chance: object):
        chosen = responsible(page, members)
        chance.shuffle(members)  # type: ignore[attr-defined]
        assert responsible(page, members) == chosen in members

    @given(NAMES, MEMBERS, NAMES)
    def test_who_comes_or_goes_moves_only_their_own_pages(self, page: str, members: list[str], other: str):
        before, after = responsible(page, members), responsible(page, {*members, other})
        assert after in (before, other)

    def test_the_work_is_shared_evenly(self):
        members = [f"member {number}" for number in range(4)]
        shares = [responsible(f"page {number}", members) for number in range(4000)]
        assert all(800 < shares.count(one) < 1200 for one in members)


class TestAnnouncing:
    @given(PAGES, PAGES)
    def test_what_is_told_in_pieces_is_known_in_the_end(self, before: dict[str, int], now: dict[str, int]):
        known = dict(before)
        for content, body in announcement(before, now):
            assert not content.get("all")
            wanted, gone = unpacked(body, content["wanted"])
            known.update({one.page: one.interval for one in wanted})
            known = {page: interval for page, interval in known.items() if page not in gone}
        assert known == now

    def test_there_is_always_a_sign_of_life(self):
        assert announcement({}, {}) == [({"wanted": 0, "all": False}, b"")]
        assert announcement(None, {}) == [({"wanted": 0, "all": True}, b"")]

    def test_much_is_told_in_several_messages(self):
        pages = {f"{number:040x}": 60_000 for number in range(12_001)}
        pieces = announcement(None, pages)
        assert [content["wanted"] for content, _ in pieces] == [5_000, 5_000, 2_001]
        assert [content.get("all", False) for content, _ in pieces] == [True, False, False]
        assert max(len(body) for _, body in pieces) < 200_000

    @given(st.binary(max_size=120), st.none() | st.integers() | st.text(max_size=3) | st.booleans())
    def test_no_bytes_break_it(self, body: bytes, count: object):
        with suppress(MessageRefused):
            assert packed(*unpacked(body, count)) == body

    @pytest.mark.parametrize("count", [-1, None, "1", 2**40])
    def test_a_number_that_counts_nothing_is_refused(self, count: object):
        with pytest.raises(MessageRefused):
            unpacked(bytes(200), count)

    def test_an_interval_has_bounds(self):
        body = bytes(20) + b"\xff" * 8
        with pytest.raises(MessageRefused):
            unpacked(body, 1)
        assert unpacked(packed([Wanted("00" * 20, 2**60)]), 1)[0][0].interval < 2**40


class TestAnswersOnTheWire:
    PLACES = st.text("ab/?é=", max_size=5).map(lambda path: f"http://x.test/{path}")
    FRAME: ClassVar = {"url": "http://x/", "status": 200, "headers": [], "size": 0, "frames": []}
    ANSWERS = st.builds(
        Answer, url=PLACES, status=st.integers(0, 999), headers=HEADERS, body=st.binary(max_size=60)
    )
    FRAMED = st.builds(
        Answer,
        url=PLACES,
        status=st.integers(0, 999),
        headers=HEADERS,
        body=st.binary(max_size=60),
        frames=st.lists(st.builds(Frame, address=PLACES, answer=ANSWERS), max_size=3).map(tuple),
    )

    @given(FRAMED)
    def test_exact_to_the_byte(self, answer: Answer):
        assert sharing.unpacked(sharing.packed(answer)) == answer

    @given(st.binary(max_size=100))
    def test_no_bytes_break_it(self, wire: bytes):
        with pytest.raises(MessageRefused):
            sharing.unpacked(wire)

    @pytest.mark.parametrize(
        "change",
        [
            {"size": -1},
            {"size": 99},
            {"size": "1"},
            {"size": 1.0},
            {"status": True},
            {"status": 10_000},
            {"url": 1},
            {"url": ""},
            {"url": "javascript:alert(1)"},
            {"url": "http://x/\x00"},
            {"url": "http://x/\ud800"},
            {"headers": [["a"]]},
            {"headers": [[1, 2]]},
            {"headers": 7},
            {"headers": [["", ""]] * 200_000},
            {"frames": [["a", {}]]},
            {"frames": [["a", FRAME]]},
            {"frames": "ab"},
        ],
    )
    def test_what_is_not_as_it_says_is_refused(self, change: dict[str, object]):
        head = {"url": "http://x/", "status": 200, "headers": [], "size": 1, "frames": []} | change
        with pytest.raises(MessageRefused):
            sharing.unpacked(json.dumps(head).encode() + b"\nx")

    def test_frames_in_frames_end_somewhere(self):
        head: dict[str, object] = {"url": "http://x/", "status": 200, "headers": [], "size": 0, "frames": []}
        for _ in range(200):
            head = {**head, "frames": [["http://x/", head]]}
        with pytest.raises(MessageRefused):
            sharing.unpacked(json.dumps(head).encode() + b"\n")


class TestTrust:
    def test_a_peer_rests_longer_each_time_it_fails(self):
        peer, rests = Peer(key="k", url="u", state="known"), []
        for _ in range(12):
            peer = failed(peer, 0, "no answer")
            rests.append(peer.rest_until)
        assert rests[:3] == [10_000, 20_000, 40_000]
        assert rests[-1] == 3_600_000
        assert well_again(peer, 5).failures == 0

    def test_news_of_one_who_is_new_is_always_checked_and_later_less_and_less(self):
        chances = [chance_of_check(Figures(agreed=number), True, 5) for number in (0, 20, 200, 20_000)]
        assert chances[:2] == [1, 0.5]
        assert sorted(chances, reverse=True) == chances
        assert chances[-1] == chance_of_check(Figures(), False, 5) == 0.05

    def test_one_page_that_differs_makes_no_liar_and_three_among_hundreds_neither(self):
        assert not is_liar(Figures(strikes=1, checked=1))
        assert is_liar(Figures(strikes=3, checked=5))
        assert is_liar(Figures(strikes=3, checked=29))
        assert not is_liar(Figures(strikes=3, checked=30))
        assert not is_liar(Figures(strikes=3, checked=500))
        assert not is_liar(Figures(strikes=2, checked=2))

    @given(st.binary(max_size=60), st.binary(max_size=60))
    def test_distance_is_one(self, one: bytes, other: bytes):
        assert distance(one, one) == 0
        assert 0 <= distance(one, other) == distance(other, one) <= 1

    def test_pages_that_vary_may_vary_a_little_more(self):
        words = b" ".join(b"w%d" % number for number in range(100))
        assert agree(words + b" t1", words + b" t2", distance(words + b" t3", words + b" t4"))
        assert not agree(b"something else entirely", words, 0.02)
        assert not agree(words + b" x", words, 0.0)


class TestOpenHosts:
    @pytest.mark.parametrize(
        ("host", "is_open"),
        [
            ("93.184.216.34", True),
            ("93.184.216.34:8080", True),
            ("[2606:2800:220:1::1]:81", True),
            ("127.0.0.1:80", False),
            ("[::1]", False),
            ("10.1.2.3", False),
            ("public.test", True),
            ("both.test", False),
            ("intranet", False),
            ("nowhere.test", False),
        ],
    )
    def test_only_public_ones_are_everybodys(self, host: str, is_open: bool):
        known = {"public.test": ["93.184.216.34"], "both.test": ["93.184.216.34", "10.0.0.1"]}

        def lookup(name: str) -> list[str]:
            if name == "intranet":
                return ["192.168.0.1"]
            if name not in known:
                raise OSError("no such host")
            return known[name]

        async def story() -> bool:
            hosts = OpenHosts(lookup=lookup)
            try:
                return await hosts.is_open(host)
            finally:
                await hosts.close()

        assert asyncio.run(story()) is is_open
        assert OpenHosts(lookup=lookup).are_open([f"http://{host}/"]) is is_open
        inside = OpenHosts(lookup=lookup).lead_inside(["http://public.test/", f"http://me@{host}/"])
        assert inside is (not is_open and host != "nowhere.test")


class TestGreeting:
    def test_strangers_wait_but_not_too_many_of_them(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a") as (a,):
                receiver: Receiver = a.application.state.receiver

                def hello(name: str) -> bytes:
                    content = {"url": f"http://{name}.test", "listed": True}
                    sent = receiver._now()
                    return receiver.received(
                        written(Identity(name.encode()), a.key, "hello", content, sent=sent)[1]
                    )

                for number in range(MOST_ASKING):
                    hello(f"n{number}")
                    hello(f"n{number}")  # a second hello counts as the same one
                assert len(a.knowledge.peers.all()) == MOST_ASKING
                a.clock.passes(seconds=1)
                for number in range(1, MOST_ASKING):
                    hello(f"n{number}")  # all but the first one say hello again
                hello("one-more")
                asking = {one.url for one in a.knowledge.peers.all()}
                assert len(asking) == MOST_ASKING
                assert "http://one-more.test" in asking
                assert "http://n0.test" not in asking, "the one that was silent for the longest time"
                a.clock.passes(seconds=8 * 86_400)
                hello("last")
                assert [one.url for one in a.knowledge.peers.all()] == ["http://last.test"]

        asyncio.run(story())

    def test_one_host_does_not_take_all_places_of_those_who_ask(self, tmp_path: Path):
        async def story() -> None:
            async with Community(tmp_path, "a") as (a,):
                receiver: Receiver = a.application.state.receiver
                for number in range(MOST_ASKING):
                    content = {"url": f"http://many.test/{number}", "listed": True}
                    sent = receiver._now()
                    identity = Identity(f"k{number}".encode())
                    receiver.received(written(identity, a.key, "hello", content, sent=sent)[1])
                assert len(a.knowledge.peers.all()) == MOST_OF_A_HOST

        asyncio.run(story())

    @pytest.mark.parametrize(
        "content", [{}, {"url": "x", "listed": True}, {"url": "http://a.test"}, {"url": 1}]
    )
    def test_a_hello_says_where_it_comes_from(self, tmp_path: Path, content: dict[str, object]):
        async def story() -> None:
            async with Community(tmp_path, "a") as (a,):
                receiver: Receiver = a.application.state.receiver
                with pytest.raises(MessageRefused) as refusal:
                    receiver.received(
                        written(Identity(b"x"), a.key, "hello", content, sent=receiver._now())[1]
                    )
                assert refusal.value.reason == "content"
                assert a.knowledge.peers.all() == []

        asyncio.run(story())

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("HTTPS://Vigil.example/", "https://vigil.example"),
            ("https://vigil.example/below/?x", "https://vigil.example/below"),
            ("ftp://x/", ""),
            ("javascript:alert(1)", ""),
            ("http://" + "x" * 400, ""),
            (None, ""),
        ],
    )
    def test_an_address_is_one_of_a_server(self, text: object, expected: str):
        assert address(text) == expected


class TestNavigator:
    def test_where_else_a_page_is_watched(self, tmp_path: Path, site: Site):
        async def story() -> None:
            page = site.page("/news", "<p>one")
            key = Page(url=page.url).key
            async with Community(tmp_path, "a", "b", "c") as (a, b, c):
                c.watches(page.url)
                await befriend(a, b)
                await befriend(b, c)
                post = a.circle.borrower._post
                found = await post.send(b.key, b.url, "locate", {"pages": [key, "0" * 40]})
                place = {"fingerprint": c.identity.fingerprint, "url": c.url}
                assert found.content == {"found": {key: [place]}}
                others = await post.send(b.key, b.url, "communities")
                assert others.content == {"communities": [place]}
                b.knowledge.peers.put(replace(b.peer(c), listed=False))
                found = await post.send(b.key, b.url, "locate", {"pages": [key]})
                assert found.content == {"found": {}}
                with pytest.raises(PeerRefused, match="does not say"):
                    await post.send(b.key, b.url, "locate", {"pages": ["x"]})

        asyncio.run(story())


def test_a_kind_is_one_line():
    kind = Kind(lambda peer, message: sharing.Reply({"hello": peer.url}))
    assert not kind.strangers
