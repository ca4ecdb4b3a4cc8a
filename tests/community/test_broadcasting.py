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
