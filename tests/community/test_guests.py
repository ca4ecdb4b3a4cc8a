"""Agents of peers are taken in, examined, and removed when nobody speaks for them any more (B2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from webvigil.community.letters import goals_as_json
from webvigil.community.mediator import Broker, House, PostOffice
from webvigil.community.messages import Message
from webvigil.community.openness import OpenHosts
from webvigil.errors import MessageRefused, PeerRefused, PeerUnreachable, SentinelRefused, StoreBusy
from webvigil.model.agent import Agent, Goals
from webvigil.model.peer import Peer
from webvigil.store.memory import MemoryKnowledge

HOME = Peer(key="home", url="http://home.test", state="known")
ID = "0123456789abcdef" * 2
USER = "guest-0123456789abcdef"
GOALS = Goals(name="s1", text="Create Sentinel s1 …")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.peers.put(HOME)
    return made


def guest(**more: Any) -> Agent:
    values = {"id": ID, "side": "guest", "peer": "home", "user": USER, "goals": GOALS, "state": "waiting"}
    return Agent(**values | more)


def message(agent: Agent | None = None) -> Message:
    content = goals_as_json(agent or guest())
    return Message(sender="home", receiver="h", kind="agent", id="i", sent=1, content=content)


class Admitting:
    """Lets agents in, or says why not."""

    def __init__(self, knowledge: MemoryKnowledge, error: Exception | None = None) -> None:
        self._knowledge, self._error = knowledge, error

    def __call__(self, one: Agent) -> None:
        self._knowledge.users.add(one.user)
        if self._error:
            raise self._error


def broker(knowledge: MemoryKnowledge, error: Exception | None = None, agents: int = 2) -> Broker:
    house = House(agents=agents, letters=100, silence=10_000)
    return Broker(knowledge, Admitting(knowledge, error), house)


class TestTakingIn:
    def test_an_agent_waits_to_be_examined(self, knowledge: MemoryKnowledge, clock: Clock):
        reply = broker(knowledge).asked(HOME, message())
        assert reply.content == {"state": "waiting", "reason": ""}
        assert knowledge.agents.all("guest") == [guest(at=clock.now, heard_at=clock.now, told=True)]

    def test_the_same_agent_sent_twice_is_one_and_that_of_another_is_refused(
        self, knowledge: MemoryKnowledge
    ):
        knowledge.agents.put(guest(state="refused", reason="why"))
        house = broker(knowledge)
        assert house.asked(HOME, message()).content == {"state": "refused", "reason": "why"}
        with pytest.raises(MessageRefused):
            house.asked(replace(HOME, key="another"), message())
        assert len(knowledge.agents.all()) == 1

    @pytest.mark.parametrize(
        ("room", "reason"),
        [(3, ""), (2, "there is room for 2 agents of a peer here"), (0, "no agents here")],
    )
    def test_there_is_room_for_so_many(self, knowledge: MemoryKnowledge, room: int, reason: str):
        knowledge.peers.put(replace(HOME, key="another"))
        for number in ("1", "2"):
            knowledge.agents.put(guest(id=number * 32, user=f"guest-{number}"))
        knowledge.agents.put(guest(id="3" * 32, peer="another", user="guest-3"))
        reply = broker(knowledge, agents=room).asked(HOME, message())
        assert reply.content == {"state": "refused" if reason else "waiting", "reason": reason}

    @pytest.mark.parametrize(("peer", "left"), [("home", 0), ("another", 1)])
    def test_only_its_home_calls_an_agent_back(self, knowledge: MemoryKnowledge, peer: str, left: int):
        knowledge.users.add(USER)
        knowledge.agents.put(guest(state="at work"))
        reply = broker(knowledge).recalled(replace(HOME, key=peer), message())
        assert reply.content == {"state": "gone"}
        assert (len(knowledge.agents.all()), len(knowledge.users.all())) == (left, left)


class TestExamining:
    def test_an_agent_that_may_begins_its_work(self, knowledge: MemoryKnowledge):
        knowledge.agents.put(guest(told=True))
        broker(knowledge).turn()
        assert knowledge.agents.all() == [guest(state="at work", told=False)]
        assert len(knowledge.users.all()) == 1

    def test_an_agent_that_may_not_is_told_why_and_leaves_nothing(self, knowledge: MemoryKnowledge):
        knowledge.agents.put(guest(told=True))
        broker(knowledge, SentinelRefused("x" * 501)).turn()
        assert knowledge.agents.all() == [guest(state="refused", reason="x" * 500, told=False)]
        assert knowledge.users.all() == []

    def test_an_agent_waits_while_the_database_is_busy(self, knowledge: MemoryKnowledge):
        knowledge.agents.put(guest())
        with pytest.raises(StoreBusy):
            broker(knowledge, StoreBusy("busy")).turn()
        assert knowledge.agents.all() == [guest()]

    @pytest.mark.parametrize(
        ("agent", "peer", "user", "stays"),
        [
            (0, 0, True, False),
            (10_000, 0, True, True),
            (9_999, 0, True, False),
            (0, 10_000, True, True),
            (0, 9_999, True, False),
            (20_000, 0, False, False),
        ],
    )
    def test_an_agent_whose_home_is_silent_or_whose_user_is_gone_is_removed(
        self, knowledge: MemoryKnowledge, clock: Clock, agent: int, peer: int, user: bool, stays: bool
    ):
        clock.now = 20_000
        knowledge.peers.put(replace(HOME, heard_at=peer))
        if user:
            knowledge.users.add(USER)
        knowledge.agents.put(guest(state="at work", heard_at=agent))
        broker(knowledge).turn()
        assert bool(knowledge.agents.all()) is stays
        assert bool(knowledge.users.all()) is stays

    def test_a_refused_agent_needs_no_user(self, knowledge: MemoryKnowledge, clock: Clock):
        knowledge.agents.put(guest(state="refused", heard_at=clock.now))
        broker(knowledge).turn()
        assert len(knowledge.agents.all()) == 1


class Post:
    """The post to a home, which wants its agents or does not."""

    def __init__(self, wanted: object = True, *errors: Exception) -> None:
        self._wanted, self._errors = wanted, list(errors)
        self.sent: list[str] = []

    async def send(self, key: str, url: str, kind: str, content: dict[str, Any], body: bytes) -> Message:
        self.sent.append(f"{key} {url} {kind} {content['agent'][0]} {content['state']}")
        if self._errors:
            raise self._errors.pop(0)
        return Message(sender=key, receiver="h", kind=kind, id="i", sent=1, content={"wanted": self._wanted})


def brought(knowledge: MemoryKnowledge, post: Post) -> list[str]:
    made: Any = post
    pages: Any = None
    office = PostOffice(made, knowledge, pages, OpenHosts(), House(agents=2, letters=100, silence=10_000))
    asyncio.run(office.turn())
    return post.sent


class TestLetters:
    def test_a_new_state_is_told_once(self, knowledge: MemoryKnowledge, clock: Clock):
        knowledge.agents.put(guest(state="at work"))
        clock.passes(seconds=1)
        assert brought(knowledge, Post()) == ["home http://home.test letter 0 at work"]
        assert knowledge.agents.all() == [guest(state="at work", told=True, heard_at=clock.now)]
        assert brought(knowledge, Post()) == []

    @pytest.mark.parametrize(
        ("state", "wanted", "stays"),
        [("at work", True, True), ("at work", 1, False), ("at work", False, False), ("refused", True, False)],
    )
    def test_an_agent_that_is_not_wanted_or_was_refused_is_removed(
        self, knowledge: MemoryKnowledge, state: Any, wanted: object, stays: bool
    ):
        knowledge.users.add(USER)
        knowledge.agents.put(guest(state=state))
        brought(knowledge, Post(wanted))
        assert bool(knowledge.agents.all()) is bool(knowledge.users.all()) is stays

    @pytest.mark.parametrize(
        ("peer", "letters"),
        [
            (HOME, 1),
            (replace(HOME, rest_until=1_800_000_000_000), 1),
            (replace(HOME, rest_until=1_800_000_000_001), 0),
            (replace(HOME, state="distrusted"), 0),
        ],
    )
    def test_a_home_that_is_a_peer_and_does_not_rest_gets_its_letters(
        self, knowledge: MemoryKnowledge, peer: Peer, letters: int
    ):
        knowledge.peers.put(peer)
        knowledge.agents.put(guest(state="at work"))
        assert len(brought(knowledge, Post())) == letters

    @pytest.mark.parametrize(
        ("error", "letters", "line"),
        [
            (PeerRefused("no"), 2, "The letters of the agent s1 to http://home.test wait: no"),
            (PeerUnreachable("away"), 1, "All letters to http://home.test wait: away"),
        ],
    )
    def test_a_home_that_refuses_one_letter_may_take_the_next(
        self,
        knowledge: MemoryKnowledge,
        error: Exception,
        letters: int,
        line: str,
        caplog: pytest.LogCaptureFixture,
    ):
        caplog.set_level("INFO", "webvigil.agents")
        for number in ("1", "2"):
            knowledge.agents.put(guest(id=number * 32, user=f"guest-{number}", state="at work"))
        assert len(brought(knowledge, Post(True, error))) == letters
        assert caplog.messages == [line]
