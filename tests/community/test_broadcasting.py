"""An operator's broadcast reaches all dashboards of the community, and sends no notices (B2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.community.servers import Community, Server, befriend
from webvigil.community.broadcasting import BROADCAST, BROADCASTS_STAND, LONGEST, Board, Broadcast
from webvigil.community.messages import Message
from webvigil.errors import MessageRefused, PeerRefused, PeerUnreachable, SettingRefused
from webvigil.model.peer import Peer, PeerState
from webvigil.store.memory import MemoryKnowledge


def played(folder: Path, play) -> None:
    async def run() -> None:
        async with Community(folder, "a", "b") as (a, b):
            await befriend(a, b)
            await play(a, b)

    asyncio.run(run())


def texts(server: Server) -> list[str]:
    return [one.text for one in Board(server.knowledge).standing()]


def test_what_one_operator_says_is_shown_at_the_peers_once(tmp_path: Path):
    async def play(a: Server, b: Server) -> None:
        Board(a.knowledge).say("We  move\non Friday", 2)
        for _ in range(3):
            await a.circle.agency.turn()
            await b.circle.agency.turn()
        assert texts(a) == texts(b) == ["We move on Friday"]
        assert a.knowledge.outbox.all() == b.knowledge.outbox.all() == []
        a.clock.passes(seconds=2 * 86_400 + 1)
        assert texts(a) == texts(b) == []

    played(tmp_path, play)


def test_what_was_taken_off_stays_off(tmp_path: Path):
    async def play(a: Server, b: Server) -> None:
        said = Board(a.knowledge).say("Hello", 2)
        await a.circle.agency.turn()
        Board(b.knowledge).end(said.id)
        await a.circle.agency.turn()
        assert (texts(a), texts(b)) == (["Hello"], [])

    played(tmp_path, play)


def test_a_peer_may_say_so_much_and_no_more(tmp_path: Path):
    async def play(a: Server, b: Server) -> None:
        for number in range(5):
            Board(a.knowledge).say(f"{number}", 2)
        for _ in range(2):
            await a.circle.agency.turn()
        assert (len(texts(a)), len(texts(b))) == (5, 3)
        post = a.circle.agency._post
        fine = {"id": "0" * 32, "text": "x", "until": 2**40}
        long = "x" * (LONGEST + 1)
        for wrong in ({"id": 7}, {"text": ""}, {"text": long}, {"text": "a\x1bb"}, {"until": "now"}):
            with pytest.raises((PeerRefused, MessageRefused)):
                await post.send(b.key, b.url, BROADCAST, fine | wrong)

    played(tmp_path, play)


@pytest.mark.parametrize(
    ("text", "days"), [("", 1), (" ", 1), ("x" * 501, 1), ("x", 0), ("x", 31), ("\x07", 1)]
)
def test_nonsense_is_not_said(text: str, days: int):
    with pytest.raises(SettingRefused):
        Board(MemoryKnowledge()).say(text, days)


@pytest.mark.parametrize(("words", "days"), [("x", 1), ("x" * 500, 30)])
def test_an_operator_may_say_so_much_for_so_long(words: str, days: int):
    knowledge = MemoryKnowledge()
    said = Board(knowledge).say(words, days)
    assert said.until - knowledge.schedule.now() == pytest.approx(days * 86_400_000, abs=60_000)
    assert [one.text for one in Board(knowledge).standing()] == [words]


@pytest.mark.parametrize(
    ("words", "days", "refusal"),
    [
        ("", 1, "say something, in up to 500 letters"),
        (" \n", 1, "say something, in up to 500 letters"),
        ("x" * 501, 1, "say something, in up to 500 letters"),
        ("a\x07", 1, "say something, in up to 500 letters"),
        ("x", 0, "it can stand from 1 to 30 days"),
        ("x", 31, "it can stand from 1 to 30 days"),
    ],
)
def test_an_operator_may_not_say_more_or_for_longer(words: str, days: int, refusal: str):
    with pytest.raises(SettingRefused) as caught:
        Board(MemoryKnowledge()).say(words, days)
    assert str(caught.value) == refusal


def test_ten_broadcasts_are_shown():
    board = Board(MemoryKnowledge())
    for number in range(11):
        board.say(f"{number}", 1)
    assert len(board.standing()) == 10


NOW = 1_800_000_000_000
DAY = 86_400_000
FINE = {"id": "0" * 32, "text": "Hello", "until": NOW + DAY}
PEER = Peer(key="k", url="http://k.test", state="known")


def heard(**more: object) -> tuple[Board, MemoryKnowledge]:
    """Returns the board of a server that a peer has sent a broadcast."""
    knowledge = MemoryKnowledge(clock=lambda: NOW)
    knowledge.peers.put(PEER)
    board = Board(knowledge)
    board.heard(PEER, sent(**more))
    return board, knowledge


def sent(**more: object) -> Message:
    return Message(sender="k", receiver="h", kind=BROADCAST, id="i", sent=1, content=FINE | more)


@pytest.mark.parametrize(
    ("text", "until", "shown_until"),
    [
        ("x", NOW + 1, NOW + 1),
        ("x" * LONGEST, NOW + 30 * DAY, NOW + 30 * DAY),
        ("x", NOW + 30 * DAY + 1, NOW + 30 * DAY),
    ],
)
def test_what_a_peer_says_is_shown_for_a_month_at_most(text: str, until: int, shown_until: int):
    board, _ = heard(text=text, until=until)
    assert board.standing() == [Broadcast(id="0" * 32, text=text, until=shown_until, sender="k")]


def test_what_has_ended_is_not_shown():
    board, _ = heard(until=NOW)
    assert board.standing() == []
    board.say("Ours", 1)
    board.end(board.standing()[0].id)
    assert board.standing() == []


@pytest.mark.parametrize(
    "wrong",
    [
        *({"id": id_} for id_ in (7, "0" * 31, "0" * 33)),
        *({"text": text} for text in (7, "", "x" * (LONGEST + 1), "a\x1bb")),
        *({"until": until} for until in ("now", None, True)),
    ],
)
def test_a_broadcast_that_makes_no_sense_is_refused(wrong: dict[str, object]):
    with pytest.raises(MessageRefused) as caught:
        heard(**wrong)
    assert caught.value.reason == "content"


def test_what_a_peer_says_twice_is_shown_once():
    board, _ = heard()
    assert board.heard(PEER, sent(text="Again")).content == {}
    assert [one.text for one in board.standing()] == ["Hello"]


def test_three_broadcasts_of_a_peer_are_shown_and_the_fourth_is_refused():
    board, knowledge = heard()
    other = Peer(key="n", url="http://n.test", state="known")
    knowledge.peers.put(other)
    for number in ("1", "2"):
        board.heard(PEER, sent(id=number * 32, text=number))
    with pytest.raises(PeerRefused) as caught:
        board.heard(PEER, sent(id="3" * 32))
    assert str(caught.value) == "enough of your words stand here already"
    board.heard(other, sent(id="4" * 32, text="other"))
    assert [one.text for one in board.standing()] == ["other", "2", "1", "Hello"]


@pytest.mark.parametrize("state", ["asking", "invited", "distrusted"])
def test_the_words_of_one_that_is_no_peer_any_more_are_not_shown(state: PeerState):
    board, knowledge = heard()
    knowledge.peers.put(replace(PEER, state=state))
    assert board.standing() == []


class Post:
    """A post that remembers whom it told what, and fails if told so."""

    def __init__(self, error: Exception | None = None) -> None:
        self.sent: list[tuple[str, ...]] = []
        self._error = error

    async def send(self, key: str, url: str, kind: str, content: dict[str, object]) -> None:
        self.sent.append((key, url, kind, str(content["text"])))
        if self._error:
            raise self._error


def told(post: Post, knowledge: MemoryKnowledge) -> list[tuple[str, ...]]:
    made: Any = post
    asyncio.run(Board(knowledge).turn(made))
    return post.sent


@pytest.mark.parametrize(
    ("error", "times", "line"),
    [
        (None, 1, None),
        (PeerRefused("no"), 1, "The peer http://k.test refused our broadcast: no"),
        (PeerUnreachable("away"), 2, "The peer http://k.test will get our broadcast later: away"),
    ],
)
def test_each_peer_is_told_until_it_has_answered(
    error: Exception | None, times: int, line: str | None, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO", "webvigil.agents")
    _, knowledge = heard()
    Board(knowledge).say("Ours", 1)
    post = Post(error)
    told(post, knowledge)
    assert told(post, knowledge) == [("k", "http://k.test", BROADCAST, "Ours")] * times
    assert caplog.messages == ([line] * times if line else [])


@pytest.mark.parametrize(
    ("peer", "is_told"),
    [
        (replace(PEER, rest_until=NOW), True),
        (replace(PEER, rest_until=NOW + 1), False),
        (replace(PEER, state="invited"), False),
    ],
)
def test_only_peers_that_can_be_reached_now_are_told(peer: Peer, is_told: bool):
    _, knowledge = heard()
    knowledge.peers.put(peer)
    Board(knowledge).say("Ours", 1)
    assert bool(told(Post(), knowledge)) is is_told


def test_the_journal_keeps_broadcasts_a_day_longer_than_any_is_shown():
    assert BROADCASTS_STAND == 31 * DAY
