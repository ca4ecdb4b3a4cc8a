"""The home of personal agents: which go, which come back, and what becomes of their letters (B1, B2)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import remove_for_good, sentinel
from webvigil.app.sentinels.by_hand import disable
from webvigil.community.homes import Home
from webvigil.community.letters import AGENT, LETTER, RECALL, goals_as_json, letter_of
from webvigil.community.messages import Message
from webvigil.errors import PeerError, PeerRefused, PeerUnreachable
from webvigil.model.agent import Agent, AgentState, Goals
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.peer import Peer, PeerState
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

AWAY = Peer(key="away", url="http://away.test", state="known")
ID = "0123456789abcdef" * 2
TEXT = "Create Sentinel s1 Using http://site.test/ Monitor all links Notify By webhook http://a.test/, log"
GOALS = Goals(name="s1", text=TEXT)
ONE = Agent(id=ID, side="away", peer="away", user="jill", goals=GOALS, state="at work", at=5)
LINK = ObjectChange("/a", Status.NEW, old=0, new=1, where=("/html/body/a",))
CHANGE = Change(
    id=3,
    sentinel="s1",
    user="guest",
    page=9,
    url="http://site.test/",
    old_version=4,
    new_version=5,
    found_at=datetime(2026, 3, 1, tzinfo=UTC),
    findings=(Finding(type="all links", objects=(LINK,), score=256, share=0.5),),
)


def answer(number: int) -> Answer:
    return Answer(url="http://site.test/", status=200, headers=(), body=b"version %d" % number)


def letter(change: Change | None = CHANGE, *, state: AgentState = "at work", agent: str = ID) -> Message:
    """Returns a letter as the peer writes it."""
    content, body = letter_of(replace(ONE, id=agent, state=state), change, lambda _, number: answer(number))
    content = json.loads(json.dumps(content)) | {"reason": "why"}
    return Message(sender="away", receiver="h", kind=LETTER, id="i", sent=1, content=content, body=body)


class House:
    """A server with one sentinel, which an agent of it watches at a peer. `done` says what became of the
    sentinel."""

    def __init__(self, agent: Agent | None = ONE, *, enabled: bool = False, peer: Peer | None = AWAY) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        self.knowledge.sentinels.add(sentinel("s1", text=TEXT))
        if not enabled:
            disable(self.knowledge, "jill", "s1")
        if peer:
            self.knowledge.peers.put(peer)
        if agent:
            self.knowledge.agents.put(agent)
        self.done: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None
        self.objects = MemoryObjects()
        self.pages = PageRepository(self.objects)
        self.home = Home(self.knowledge, self.pages, lambda one: one.body.decode(), self._again, self._rest)

    def _again(self, one: Agent) -> None:
        self.done.append(f"again {one.state}")

    def _rest(self, one: Agent) -> None:
        self.done.append(f"rest {one.state}")
        self.meanwhile()

    def receives(self, message: Message, sender: Peer = AWAY) -> object:
        return self.home.received(sender, message).content["wanted"]

    @property
    def agents(self) -> list[Agent]:
        return self.knowledge.agents.all()

    @property
    def changes(self) -> list[Change]:
        return self.knowledge.changes.all("jill")


class TestReceiving:
    def test_a_letter_becomes_a_change_with_both_versions(self):
        house = House()
        assert house.receives(letter()) is True
        (change,) = house.changes
        assert (change.sentinel, change.url, change.findings) == ("s1", CHANGE.url, CHANGE.findings)
        assert (change.old_version, change.new_version, change.found_at) == (4, 5, CHANGE.found_at)
        versions = house.knowledge.versions.of(change.page)
        assert [(one.number, one.signature, one.size) for one in versions] == [
            (5, "version 5", 9),
            (4, "version 4", 9),
        ]
        assert [house.pages.answer(one.object) for one in versions] == [answer(5), answer(4)]
        assert house.knowledge.versions.page(change.page).login == f"agent:{ID}"
        assert house.agents == [replace(ONE, reason="why", heard_at=house.clock.now, letters=3)]

    def test_each_contact_is_told_once_by_an_id_that_never_changes(self):
        house = House()
        house.receives(letter())
        told = [one.notice for one in house.knowledge.outbox.all("jill")]
        assert sorted((one.dedup, one.channel) for one in told) == [
            (f"agent:{ID}:3:0", "webhook"),
            (f"agent:{ID}:3:1", "log"),
        ]
        assert {one.body["at"] for one in told} == {"2026-03-01T00:00:00+00:00"}
        assert {(one.user, one.body["sentinel"], one.body["page"]) for one in told} == {("jill", "s1", 0)}
        assert {(one.body["old_version"], one.body["new_version"]) for one in told} == {(4, 5)}

    def test_what_a_peer_found_in_the_future_was_found_now(self):
        house = House()
        house.receives(letter(replace(CHANGE, found_at=as_datetime(house.clock.now + 1))))
        assert [as_millis(one.found_at) for one in house.changes] == [house.clock.now]
        told = house.knowledge.outbox.all("jill")
        assert {one.notice.body["at"] for one in told} == {as_datetime(house.clock.now).isoformat()}

    @pytest.mark.parametrize(("letters", "found"), [(2, 1), (3, 0), (4, 0)])
    def test_each_letter_arrives_once(self, letters: int, found: int):
        house = House(replace(ONE, letters=letters))
        assert house.receives(letter()) is True
        assert (len(house.changes), len([*house.objects.keys()])) == (found, 2 * found)

    def test_a_letter_without_a_change_tells_the_state(self):
        house = House(replace(ONE, state="waiting"))
        assert house.receives(letter(None)) is True
        assert (house.changes, house.done) == ([], [])
        assert house.agents == [replace(ONE, reason="why", heard_at=house.clock.now)]

    @pytest.mark.parametrize(
        ("agent", "message"),
        [
            (None, letter()),
            (ONE, letter(agent="f" * 32)),
            (replace(ONE, side="guest"), letter()),
            (replace(ONE, peer="another"), letter()),
            (replace(ONE, state="recalling"), letter()),
        ],
    )
    def test_an_agent_that_is_not_there_is_not_wanted(self, agent: Agent | None, message: Message):
        house = House(agent)
        assert house.receives(message) is False
        assert (house.changes, house.agents, house.done) == ([], [agent] if agent else [], [])

    @pytest.mark.parametrize(("before", "done"), [("waiting", ["again refused"]), ("refused", [])])
    def test_a_sentinel_watches_here_again_when_its_agent_is_refused(
        self, before: AgentState, done: list[str]
    ):
        house = House(replace(ONE, state=before))
        house.receives(letter(None, state="refused"))
        assert house.done == done
        assert [(one.state, one.reason) for one in house.agents] == [("refused", "why")]

    def test_a_letter_for_a_sentinel_that_was_removed_tells_nobody(self):
        house = House()
        remove_for_good(house.knowledge, "jill", "s1")
        assert house.receives(letter()) is True
        assert (house.changes, house.knowledge.outbox.all("jill")) == ([], [])


class Post:
    """A post to a peer that takes agents in, or fails. Before it answers, something may happen here."""

    def __init__(self, error: PeerError | None = None, state: str = "waiting") -> None:
        self._error, self._state = error, state
        self.sent: list[tuple[Any, ...]] = []
        self.meanwhile: Callable[[], object] = lambda: None

    async def send(self, key: str, url: str, kind: str, content: dict[str, Any]) -> Message:
        self.sent.append((key, url, kind, content))
        self.meanwhile()
        if self._error:
            raise self._error
        said = {"state": self._state, "reason": "soon"}
        return Message(sender=key, receiver="h", kind=kind, id="i", sent=1, content=said)


def turned(house: House, post: Post | None = None) -> Post:
    post = post or Post()
    made: Any = post
    asyncio.run(house.home.turn(made))
    return post


GOES = replace(ONE, state="sending")
COMES = replace(ONE, state="recalling")
SENT = ("away", "http://away.test", AGENT, goals_as_json(ONE))
CALLED = ("away", "http://away.test", RECALL, {"agent": ID})


class TestGoing:
    @pytest.mark.parametrize("state", ["known", "invited"])
    def test_an_agent_goes_when_its_sentinel_rests(self, state: PeerState):
        house = House(GOES, enabled=True, peer=replace(AWAY, state=state))
        assert turned(house).sent == [SENT]
        assert house.done == ["rest sending"]
        assert house.agents == [replace(ONE, state="waiting", reason="soon", heard_at=house.clock.now)]

    @pytest.mark.parametrize("peer", [None, replace(AWAY, state="asking"), replace(AWAY, state="distrusted")])
    def test_an_agent_does_not_go_to_a_server_that_is_no_peer(self, peer: Peer | None):
        house = House(GOES, peer=peer)
        assert turned(house).sent == []
        assert house.done == ["again refused"]
        reason = "the server is no peer of ours any more"
        assert house.agents == [replace(ONE, state="refused", reason=reason, heard_at=house.clock.now)]

    def test_an_agent_that_the_peer_refuses_is_refused_and_its_sentinel_watches_here(self):
        house = House(GOES)
        turned(house, Post(PeerRefused("no room")))
        assert house.done == ["rest sending", "again refused"]
        assert [(one.state, one.reason) for one in house.agents] == [("refused", "no room")]

    @pytest.mark.parametrize(("agent", "sent", "done"), [(GOES, SENT, ["rest sending"]), (COMES, CALLED, [])])
    def test_an_agent_waits_for_a_peer_that_is_away(
        self, agent: Agent, sent: tuple[Any, ...], done: list[str], caplog: pytest.LogCaptureFixture
    ):
        caplog.set_level("INFO", "webvigil.agents")
        house = House(agent)
        assert turned(house, Post(PeerUnreachable("away"))).sent == [sent]
        assert (house.agents, house.done) == ([agent], done)
        assert caplog.messages == ["The agent of the sentinel s1 waits: away"]

    def test_an_agent_that_is_recalled_before_it_goes_leaves_its_sentinel_at_work(self):
        house = House(GOES)
        house.meanwhile = lambda: house.knowledge.agents.put(COMES)
        turned(house)
        assert house.done == ["rest sending", "again sending"]
        assert house.agents == [COMES]

    def test_an_agent_that_is_recalled_while_it_goes_stays_recalled(self):
        house, post = House(GOES), Post()
        post.meanwhile = lambda: house.knowledge.agents.put(COMES)
        turned(house, post)
        assert house.agents == [COMES]

    def test_an_agent_that_is_gone_when_it_is_refused_starts_nothing(self):
        house, post = House(GOES), Post(PeerRefused("no room"))
        post.meanwhile = lambda: house.knowledge.agents.remove(ID)
        turned(house, post)
        assert (house.agents, house.done) == ([], ["rest sending"])


class TestComing:
    def test_an_agent_is_gone_when_the_peer_knows_of_its_recall(self):
        house = House(COMES)
        assert turned(house).sent == [CALLED]
        assert (house.agents, house.done) == ([], [])

    @pytest.mark.parametrize("peer", [None, replace(AWAY, state="asking"), replace(AWAY, state="distrusted")])
    def test_a_server_that_is_no_peer_is_not_told_of_a_recall(self, peer: Peer | None):
        house = House(COMES, peer=peer)
        assert (turned(house).sent, house.agents, house.done) == ([], [], [])

    @pytest.mark.parametrize(
        ("state", "enabled", "sent"),
        [
            ("waiting", False, []),
            ("at work", False, []),
            ("refused", False, []),
            ("refused", True, []),
            ("waiting", True, [CALLED]),
            ("at work", True, [CALLED]),
        ],
    )
    def test_an_agent_comes_back_when_its_sentinel_watches_here(
        self, state: AgentState, enabled: bool, sent: list[tuple[Any, ...]]
    ):
        house = House(replace(ONE, state=state), enabled=enabled)
        assert turned(house).sent == sent

    @pytest.mark.parametrize("state", ["sending", "waiting", "at work", "refused"])
    def test_an_agent_comes_back_when_its_sentinel_is_gone(self, state: AgentState):
        house = House(replace(ONE, state=state))
        remove_for_good(house.knowledge, "jill", "s1")
        assert turned(house, Post(PeerUnreachable("away"))).sent == [CALLED]
        assert house.agents == [COMES]

    def test_a_guest_is_not_sent_nor_called_back(self):
        house = House(replace(ONE, side="guest", state="waiting"), enabled=True)
        assert turned(house).sent == []
