"""What a server tells its peers in a round and after a change: greetings, announcements, hints (B4)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.community.borrowing import Borrower
from webvigil.community.greeting import HELLO
from webvigil.community.keys import Identity
from webvigil.community.location import ANNOUNCE, Location
from webvigil.community.messages import Message
from webvigil.community.openness import OpenHosts
from webvigil.community.rounds import Rounds
from webvigil.community.sharing import HINT
from webvigil.errors import PeerError, PeerRefused, PeerUnreachable, StoreBusy
from webvigil.model.page import Page
from webvigil.model.peer import Peer, PeerState, Wanted
from webvigil.model.work import CheckResult
from webvigil.store.memory import MemoryKnowledge

HERE = Identity(b"here")
PEER = Peer(key="k", url="http://k.test", state="known")
OTHER = replace(PEER, key="n", url="http://n.test")
NEWS, PRICES, SECRET = (Page(url=f"http://{host}/") for host in ("news.test", "prices.test", "intranet"))
TOLD = {NEWS.key: 60_000, PRICES.key: 60_000}
OURS = {"url": "http://here.test", "listed": True}
WHOLE = {"wanted": 2, "all": True, **OURS}
NOTHING = {"wanted": 0, "all": False, **OURS}


def _far() -> MemoryKnowledge:
    made = MemoryKnowledge(clock=lambda: 0)
    made.peers.put(Peer(key=HERE.key, url="", state="known"))
    return made


class Post:
    """A post to peers who remember what is announced to them. `errors` come first, one for each message."""

    def __init__(self, *errors: PeerError | None) -> None:
        self.identity = HERE
        self.errors = list(errors)
        self.sent: list[tuple[str, str, dict[str, Any]]] = []
        self.far: dict[str, MemoryKnowledge] = defaultdict(_far)
        self.meanwhile: Callable[[], object] = lambda: None

    async def send(
        self, key: str, url: str, kind: str, content: dict[str, Any], body: bytes = b""
    ) -> Message:
        self.sent.append((url, kind, content))
        self.meanwhile()
        if self.errors and (error := self.errors.pop(0)):
            raise error
        told = Message(sender=HERE.key, receiver=key, kind=kind, id="i", sent=0, content=content, body=body)
        reply: dict[str, Any] = {"state": "known"} if kind == HELLO else {}
        if kind == ANNOUNCE:
            there = self.far[key]
            sender = Peer(key=HERE.key, url="")
            reply = Location(there.peers, there.schedule).announced(sender, told).content
        return replace(told, sender=key, receiver=HERE.key, content=reply)

    def announced(self, key: str = "k") -> dict[str, int]:
        return self.far[key].peers.announced(HERE.key)


class Circle:
    """A server that watches two public pages and one in its own network, and its peers."""

    def __init__(self, *peers: Peer, errors: tuple[PeerError | None, ...] = ()) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        for name, page in (("s1", NEWS), ("s2", PRICES), ("s3", SECRET)):
            self.knowledge.sentinels.add(sentinel(name, page.url))
        for one in peers:
            self.knowledge.peers.put(one)
        self.post = Post(*errors)
        post: Any = self.post
        hosts = OpenHosts(lookup=lambda name: ["10.0.0.1" if name == "intranet" else "93.184.216.34"])
        borrower = Borrower(post, self.knowledge, hosts, lambda one: "", largest=1_000, checks=0)
        self.rounds = Rounds(
            post, self.knowledge, hosts, borrower, url=lambda: "http://here.test", listed=True
        )

    def turn(self, *, seconds: float = 0) -> list[tuple[str, str, dict[str, Any]]]:
        """Does a round and returns what was sent in it."""
        self.clock.passes(seconds=seconds)
        self.post.sent.clear()
        asyncio.run(self.rounds.turn())
        return self.post.sent

    def peer(self, key: str = "k") -> Peer:
        found = self.knowledge.peers.get(key)
        assert found
        return found


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Returns a list with the time in seconds, which tests set."""
    now = [1_000.0]
    monkeypatch.setattr("webvigil.community.rounds.time.monotonic", lambda: now[0])
    return now


class TestTelling:
    def test_a_peer_learns_which_public_pages_are_watched_and_then_what_changed(self, time: list[float]):
        circle = Circle(PEER)
        assert circle.turn() == [("http://k.test", ANNOUNCE, WHOLE)]
        assert circle.post.announced() == TOLD
        assert circle.turn() == [("http://k.test", ANNOUNCE, NOTHING)]
        circle.knowledge.sentinels.set_aside("jill", "s1")
        assert circle.turn() == [("http://k.test", ANNOUNCE, NOTHING)]
        assert circle.post.announced() == {PRICES.key: 60_000}

    def test_each_peer_is_told_everything_once(self):
        circle = Circle(PEER)
        circle.turn()
        circle.knowledge.peers.put(OTHER)
        assert sorted(circle.turn(), key=lambda one: one[0]) == [
            ("http://k.test", ANNOUNCE, NOTHING),
            ("http://n.test", ANNOUNCE, WHOLE),
        ]
        assert circle.post.announced("n") == TOLD

    def test_a_peer_that_counts_other_pages_is_told_everything_again(self):
        circle = Circle(PEER)
        circle.turn()
        circle.post.far["k"].peers.forget_pages(HERE.key)
        assert circle.turn() == [("http://k.test", ANNOUNCE, NOTHING)]
        assert circle.turn() == [("http://k.test", ANNOUNCE, WHOLE)]
        assert circle.turn() == [("http://k.test", ANNOUNCE, NOTHING)]

    def test_a_peer_that_failed_is_told_everything_again(self):
        circle = Circle(PEER, errors=(None, PeerUnreachable("away")))
        circle.turn()
        circle.turn()
        assert circle.turn(seconds=9.9) == []
        assert circle.turn(seconds=0.1) == [("http://k.test", ANNOUNCE, WHOLE)]

    def test_without_peers_no_page_is_listed(self, monkeypatch: pytest.MonkeyPatch):
        circle = Circle(replace(PEER, state="asking"))
        monkeypatch.setattr(circle.knowledge.peers, "shareable", lambda: pytest.fail("nobody asks"))
        assert circle.turn() == []

    @pytest.mark.parametrize(("passed", "pages"), [(99.9, 2), (100.0, 3)])
    def test_a_list_that_took_long_to_make_is_used_for_fifty_times_as_long(
        self, passed: float, pages: int, time: list[float], monkeypatch: pytest.MonkeyPatch
    ):
        circle = Circle(PEER)
        shareable = circle.knowledge.peers.shareable

        def slowly() -> Any:
            time[0] += 2
            return shareable()

        monkeypatch.setattr(circle.knowledge.peers, "shareable", slowly)
        circle.turn()
        circle.knowledge.sentinels.add(sentinel("s4", "http://fourth.test/"))
        time[0] += passed
        circle.turn()
        assert len(circle.post.announced()) == pages


class TestAttending:
    @pytest.mark.parametrize(
        ("state", "rest", "kinds"),
        [
            ("known", 0, [ANNOUNCE]),
            ("known", 1, []),
            ("invited", 0, [HELLO]),
            ("invited", 1, []),
            ("asking", 0, []),
            ("distrusted", 0, []),
        ],
    )
    def test_peers_that_were_agreed_on_and_do_not_rest_are_contacted(
        self, state: PeerState, rest: int, kinds: list[str]
    ):
        circle = Circle()
        circle.knowledge.peers.put(replace(PEER, state=state, rest_until=circle.clock.now + rest))
        assert [kind for _, kind, _ in circle.turn()] == kinds

    def test_an_invited_server_is_greeted_with_our_address(self):
        circle = Circle(replace(PEER, state="invited"))
        assert circle.turn() == [("http://k.test", HELLO, OURS)]
        assert circle.peer() == PEER

    @pytest.mark.parametrize(
        ("error", "state"), [(PeerUnreachable("away"), "known"), (PeerRefused("away"), "invited")]
    )
    def test_a_peer_that_fails_rests_and_one_that_refuses_is_asked_anew(
        self, error: PeerError, state: PeerState
    ):
        circle = Circle(PEER, errors=(error,))
        circle.turn()
        rest = circle.clock.now + 10_000
        assert circle.peer() == replace(PEER, state=state, failures=1, rest_until=rest, reason="away")

    def test_a_peer_that_answers_is_well_again(self):
        circle = Circle(replace(PEER, failures=3, reason="away"))
        circle.turn()
        assert circle.peer() == replace(PEER, heard_at=circle.clock.now)

    @pytest.mark.parametrize("error", [None, PeerUnreachable("away")])
    def test_a_peer_that_is_distrusted_meanwhile_stays_as_it_is(self, error: PeerError | None):
        circle = Circle(replace(PEER, failures=1), errors=(error,))
        bad = replace(PEER, state="distrusted", reason="it lied", failures=5)
        circle.post.meanwhile = lambda: circle.knowledge.peers.put(bad)
        circle.turn()
        assert circle.peer() == bad


class Over(Exception):
    """Ends a loop that has no end."""


class Writings:
    """The writings to a database. `after` notes how long a task would sleep, and lets the test act then."""

    count = 7

    def __init__(self, *meanwhile: Callable[[], object]) -> None:
        self.slept: list[tuple[int, float | None]] = []
        self._meanwhile = list(meanwhile)

    async def after(self, seen: int, longest: float | None = None) -> None:
        self.slept.append((seen, longest))
        if not self._meanwhile:
            raise Over
        self._meanwhile.pop(0)()


def lives(circle: Circle, *meanwhile: Callable[[], object], held: Callable[[], bool] = lambda: True) -> Any:
    """Lets a server do its rounds; between them the given things happen. Returns how long it slept."""
    writings = Writings(*meanwhile)
    with pytest.raises(Over):
        asyncio.run(circle.rounds.for_ever(held, writings))
    return writings.slept


class TestForEver:
    def test_without_peers_it_sleeps_until_somebody_adds_one(self, time: list[float]):
        circle = Circle()
        slept = lives(circle, lambda: None, lambda: circle.knowledge.peers.put(PEER))
        assert slept == [(7, None), (7, None), (7, 10.0)]
        assert len(circle.post.sent) == 1

    def test_a_round_comes_every_ten_seconds_and_for_a_new_peer_at_once(self, time: list[float]):
        circle = Circle(PEER)
        rounds: list[int] = []

        def passes(seconds: float) -> None:
            rounds.append(len(circle.post.sent))
            time[0] += seconds

        def adds() -> None:
            passes(0)
            circle.knowledge.peers.put(OTHER)

        lives(circle, lambda: passes(9.9), lambda: passes(0.1), adds, lambda: passes(9.9))
        rounds.append(len(circle.post.sent))
        assert rounds == [1, 1, 2, 4, 4]

    def test_who_is_not_in_charge_sends_nothing(self, time: list[float]):
        circle = Circle(PEER)
        assert lives(circle, held=lambda: False) == [(7, None)]
        assert circle.post.sent == []

    def test_a_database_that_is_away_delays_a_round(
        self, time: list[float], caplog: pytest.LogCaptureFixture
    ):
        circle, away = Circle(PEER), [True]

        def held() -> bool:
            if away.pop() if away else False:
                raise StoreBusy("it does not answer")
            return True

        lives(circle, lambda: None, held=held)
        assert len(circle.post.sent) == 1
        assert caplog.messages == [
            "Could not tell the peers which pages are watched here: it does not answer"
        ]

    def test_without_writings_it_looks_at_intervals(self, monkeypatch: pytest.MonkeyPatch):
        circle, asked = Circle(PEER), list[int]()
        monkeypatch.setattr("webvigil.community.rounds._GLANCE", 0.0)

        def held() -> bool:
            asked.append(1)
            if len(asked) == 3:
                raise Over
            return True

        with pytest.raises(Over):
            asyncio.run(circle.rounds.for_ever(held))
        assert len(circle.post.sent) == 1


def results(circle: Circle, **more: Any) -> list[CheckResult]:
    """Returns the results of looks at all pages."""
    return [
        checked(claim, due, **more)
        for claim in claim_all(circle.knowledge)
        for due in sorted(claim.pages, key=lambda one: one.page.url)
    ]


def hints(circle: Circle, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    """Returns the hints after looks at all pages, each with the address of its receiver."""

    async def story() -> None:
        circle.rounds.wrote(results(circle, **more))
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.gather(*others)

    asyncio.run(story())
    assert {kind for _, kind, _ in circle.post.sent} <= {HINT}
    return sorted(((url, content) for url, _, content in circle.post.sent), key=str)


def watched_by(peer: Peer, *pages: Page) -> Circle:
    circle = Circle(PEER, OTHER)
    circle.knowledge.peers.announce(peer.key, [Wanted(page.key, 1) for page in pages])
    return circle


class TestHints:
    @pytest.mark.parametrize(
        ("more", "told"),
        [
            ({"version": new_version(2)}, True),
            ({"version": new_version(1)}, False),
            ({}, False),
            ({"version": new_version(2), "validators": {"peer": "k.test"}}, False),
        ],
    )
    def test_a_new_version_that_we_fetched_is_told(self, more: dict[str, Any], told: bool):
        circle = watched_by(PEER, NEWS)
        assert hints(circle, **more) == [("http://k.test", {"page": NEWS.key})] * told

    def test_all_who_watch_a_public_page_are_told(self):
        circle = watched_by(PEER, NEWS, PRICES, SECRET)
        circle.knowledge.peers.announce("n", [Wanted(NEWS.key, 1)])
        told = [("http://k.test", NEWS), ("http://k.test", PRICES), ("http://n.test", NEWS)]
        expected = [(url, {"page": page.key}) for url, page in told]
        assert hints(circle, version=new_version(2)) == sorted(expected, key=str)

    @pytest.mark.parametrize("peer", [replace(PEER, failures=1), replace(PEER, state="invited")])
    def test_a_peer_in_trouble_and_one_that_is_none_are_not_told(self, peer: Peer):
        circle = watched_by(PEER, NEWS)
        circle.knowledge.peers.announce("n", [Wanted(PRICES.key, 1)])
        circle.knowledge.peers.put(peer)
        expected = [("http://n.test", {"page": PRICES.key})]
        assert hints(circle, version=new_version(2)) == expected

    def test_without_peers_nothing_is_looked_up(self, monkeypatch: pytest.MonkeyPatch):
        circle = Circle()
        monkeypatch.setattr(circle.knowledge.peers, "wanting", lambda _: pytest.fail("nobody asks"))
        assert hints(circle, version=new_version(2)) == []

    def test_a_database_that_is_away_costs_the_hints(self, monkeypatch: pytest.MonkeyPatch):
        circle = watched_by(PEER, NEWS)

        def away(_: object) -> Any:
            raise StoreBusy("it does not answer")

        monkeypatch.setattr(circle.knowledge.peers, "wanting", away)
        assert hints(circle, version=new_version(2)) == []

    def test_a_hint_that_does_not_arrive_is_logged_and_costs_nothing(self, caplog: pytest.LogCaptureFixture):
        caplog.set_level("INFO", "webvigil.peers")
        circle = watched_by(PEER, NEWS)
        circle.post.errors = [PeerUnreachable("away")]
        assert len(hints(circle, version=new_version(2))) == 1
        assert caplog.messages == ["Could not send the peer http://k.test a hint about a new version: away"]
        assert circle.peer() == PEER
