"""Who may wait to become a peer, what an invitation forgives, and what a hello brings (B5)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from webvigil.community.greeting import Greeting, _invited, address, greet, invite
from webvigil.community.keys import Identity
from webvigil.community.messages import Message
from webvigil.errors import MessageRefused, PeerRefused, PeerUnreachable
from webvigil.model.peer import Figures, Peer, PeerState
from webvigil.store.memory import MemoryKnowledge

HERE, THERE = Identity(b"here"), Identity(b"there")
DAY = 86_400_000
OTHER_KEY = (
    f"the server at https://vigil.test has the fingerprint {THERE.fingerprint}, "
    "not the one given; ask its operator which is right"
)


def message(**content: Any) -> Message:
    return Message(sender="k", receiver="h", kind="hello", id="i", sent=1, content=content)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    return MemoryKnowledge(delay=0, clock=clock)


def hello(knowledge: MemoryKnowledge, key: str, url: str = "http://a.test", *, listed: Any = True) -> str:
    greeting = Greeting(knowledge.peers, knowledge.schedule)
    state: str = greeting.greeted(Peer(key=key, url=""), message(url=url, listed=listed)).content["state"]
    return state


def asking(knowledge: MemoryKnowledge, *urls: str, **more: Any) -> None:
    """Lets servers wait that said hello one after the other."""
    for number, url in enumerate(urls):
        now = knowledge.schedule.now()
        values = {"added_at": now, "heard_at": now + number} | more
        knowledge.peers.put(Peer(key=f"n{number}", url=url, **values))


class TestHello:
    def test_a_stranger_waits_for_the_operator(self, knowledge: MemoryKnowledge, clock: Clock):
        assert hello(knowledge, "k", "HTTP://A.test/") == "asking"
        now = clock.now
        stranger = Peer(key="k", url="http://a.test", added_at=now, heard_at=now, listed=True)
        assert knowledge.peers.all() == [stranger]

    @pytest.mark.parametrize(
        ("before", "after"), [("asking", "asking"), ("invited", "known"), ("known", "known")]
    )
    def test_a_server_that_is_expected_becomes_a_peer(
        self, knowledge: MemoryKnowledge, clock: Clock, before: PeerState, after: PeerState
    ):
        tired = Peer(key="k", url="http://old.test", state=before, rest_until=9, reason="away", listed=True)
        knowledge.peers.put(tired)
        assert hello(knowledge, "k", listed=False) == after
        assert knowledge.peers.all() == [
            Peer(key="k", url="http://a.test", state=after, heard_at=clock.now, listed=False)
        ]

    def test_a_distrusted_server_is_not_heard(self, knowledge: MemoryKnowledge):
        bad = Peer(key="k", url="http://old.test", state="distrusted")
        knowledge.peers.put(bad)
        with pytest.raises(MessageRefused) as caught:
            hello(knowledge, "k")
        assert (caught.value.reason, knowledge.peers.all()) == ("sender", [bad])

    @pytest.mark.parametrize(("url", "listed"), [("", True), ("x", True), ("http://a.test", "yes")])
    def test_a_hello_says_where_and_whether_others_may_know(
        self, knowledge: MemoryKnowledge, url: str, listed: object
    ):
        with pytest.raises(MessageRefused) as caught:
            hello(knowledge, "k", url, listed=listed)
        assert (caught.value.reason, knowledge.peers.all()) == ("content", [])


class TestPlacesForStrangers:
    @pytest.mark.parametrize(("waiting", "gone"), [(19, set()), (20, {"n0"})])
    def test_twenty_wait_and_one_more_takes_the_place_of_the_most_silent(
        self, knowledge: MemoryKnowledge, waiting: int, gone: set[str]
    ):
        asking(knowledge, *(f"http://n{number}.test" for number in range(waiting)))
        before = {one.key for one in knowledge.peers.all()}
        hello(knowledge, "k")
        assert before - {one.key for one in knowledge.peers.all()} == gone

    @pytest.mark.parametrize(("waiting", "gone"), [(2, set()), (3, {"n0"})])
    def test_three_wait_of_one_host(self, knowledge: MemoryKnowledge, waiting: int, gone: set[str]):
        asking(knowledge, *(f"http://a.test:{number}/x" for number in range(1, waiting + 1)), "http://b.test")
        before = {one.key for one in knowledge.peers.all()}
        hello(knowledge, "k")
        assert before - {one.key for one in knowledge.peers.all()} == gone

    @pytest.mark.parametrize(("age", "waits"), [(7 * DAY, True), (7 * DAY + 1, False)])
    def test_a_stranger_waits_a_week(self, knowledge: MemoryKnowledge, clock: Clock, age: int, waits: bool):
        asking(knowledge, "http://b.test", added_at=clock.now - age)
        hello(knowledge, "k")
        assert bool(knowledge.peers.get("n0")) is waits

    def test_peers_take_no_place_of_strangers(self, knowledge: MemoryKnowledge):
        asking(knowledge, *["http://a.test"] * 20, state="known", added_at=0)
        hello(knowledge, "k")
        assert len(knowledge.peers.all()) == 21


class Post:
    """A post with one server at the other end; its state there, or the error of asking it."""

    def __init__(self, answer: str | Exception = "known", key: str = THERE.key) -> None:
        self.identity, self._answer, self._key = HERE, answer, key
        self.sent: list[tuple[Any, ...]] = []

    async def key_of(self, url: str) -> str:
        self.sent.append((url,))
        return self._key

    async def send(self, key: str, url: str, kind: str, content: dict[str, Any]) -> Message:
        self.sent.append((key, url, kind, content))
        if isinstance(self._answer, Exception):
            raise self._answer
        return message(state=self._answer)


def invited(knowledge: MemoryKnowledge, url: str, expected: str, key: str = THERE.key) -> Peer:
    post: Any = Post(key=key)
    return asyncio.run(invite(post, knowledge.peers, knowledge.schedule, url, expected))


class TestInviting:
    def test_an_invited_server_is_stored(self, knowledge: MemoryKnowledge, clock: Clock):
        one = invited(knowledge, "HTTPS://Vigil.test/", THERE.fingerprint)
        assert one == Peer(key=THERE.key, url="https://vigil.test", state="invited", added_at=clock.now)
        assert knowledge.peers.all() == [one]

    @pytest.mark.parametrize(
        ("url", "expected", "key", "refusal"),
        [
            (
                "vigil",
                THERE.fingerprint,
                THERE.key,
                "'vigil' is no address of a server; write https://vigil.example",
            ),
            ("x" * 90, "", THERE.key, f"'{'x' * 80}' is no address of a server; write https://vigil.example"),
            (
                "https://vigil.test",
                HERE.fingerprint,
                THERE.key,
                OTHER_KEY,
            ),
            (
                "https://vigil.test",
                HERE.fingerprint,
                HERE.key,
                "this is our own server; a peer is another one",
            ),
        ],
    )
    def test_a_wrong_invitation_says_what_is_wrong(
        self, knowledge: MemoryKnowledge, url: str, expected: str, key: str, refusal: str
    ):
        with pytest.raises(PeerRefused) as caught:
            invited(knowledge, url, expected, key)
        assert (str(caught.value), knowledge.peers.all()) == (refusal, [])

    @pytest.mark.parametrize(
        ("before", "after", "kept"),
        [
            ("asking", "invited", True),
            ("invited", "invited", True),
            ("known", "known", True),
            ("distrusted", "invited", False),
        ],
    )
    def test_inviting_again_ends_a_pause_and_forgives_a_distrusted_server(
        self, knowledge: MemoryKnowledge, before: PeerState, after: PeerState, kept: bool
    ):
        knowledge.peers.put(Peer(key="k", url="http://old.test", state=before, added_at=5, failures=2))
        record = {"checked": 4, "agreed": 3, "strikes": 2, "refused": 1}
        knowledge.peers.count("k", asked=9, **record)
        one = _invited(knowledge.peers, knowledge.schedule, "k", "http://new.test")
        figures = Figures(asked=9, **record) if kept else Figures(asked=9)
        assert one == Peer(key="k", url="http://new.test", state=after, added_at=5, figures=figures)


class TestGreeting:
    @pytest.mark.parametrize(
        ("answer", "state"), [("known", "known"), ("asking", "invited"), ("x", "invited")]
    )
    def test_the_answer_to_a_hello_says_whether_both_agree(
        self, knowledge: MemoryKnowledge, answer: str, state: PeerState
    ):
        peer = Peer(key="k", url="http://a.test", state="invited", failures=2, rest_until=9, reason="away")
        knowledge.peers.put(peer)
        post: Any = Post(answer)
        found = asyncio.run(greet(post, knowledge.peers, peer, "http://here.test", listed=True))
        assert found == Peer(key="k", url="http://a.test", state=state)
        assert knowledge.peers.all() == [found]
        assert post.sent == [("k", "http://a.test", "hello", {"url": "http://here.test", "listed": True})]

    def test_one_that_cannot_be_reached_is_greeted_later(self, knowledge: MemoryKnowledge):
        peer = Peer(key="k", url="http://a.test", state="invited")
        post: Any = Post(PeerUnreachable("away"))
        assert asyncio.run(greet(post, knowledge.peers, peer, "http://here.test", listed=True)) == peer

    def test_one_that_was_distrusted_or_removed_meanwhile_stays_so(self, knowledge: MemoryKnowledge):
        peer, post = Peer(key="k", url="http://a.test", state="invited"), Post()
        told: Any = post
        assert asyncio.run(greet(told, knowledge.peers, peer, "u", listed=True)) == peer
        bad = replace(peer, state="distrusted", reason="it lied")
        knowledge.peers.put(bad)
        assert asyncio.run(greet(told, knowledge.peers, peer, "u", listed=True)) == bad


@pytest.mark.parametrize(("length", "fits"), [(300, True), (301, False)])
def test_the_address_of_a_server_has_a_limit(length: int, fits: bool):
    text = "http://a.test/".ljust(length, "x")
    assert address(text) == (text if fits else "")
