"""An operator's broadcast reaches all dashboards of the community, and sends no notices (B2)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.community.servers import Community, Server, befriend
from webvigil.community.broadcasting import BROADCAST, LONGEST, Board
from webvigil.errors import MessageRefused, PeerRefused, SettingRefused
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
