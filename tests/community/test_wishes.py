"""A peer's wish for a page is read, answered from what was seen, and makes us look in time (B4)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.community.messages import Message
from webvigil.community.openness import OpenHosts
from webvigil.community.sharing import (
    LARGEST_HEAD,
    Given,
    Sharing,
    Wish,
    given_from,
    packed,
    unpacked,
    wish_from,
)
from webvigil.errors import MessageRefused, StoreError
from webvigil.model.page import Page
from webvigil.model.peer import Peer, Wanted
from webvigil.model.version import Answer, Frame
from webvigil.store.memory import MemoryKnowledge

PAGE = Page(url="http://site.test/")
PEER = Peer(key="k", url="http://peer.test", state="known")
ANSWER = Answer(url=PAGE.url, status=200, headers=(("a", "b"),), body=b"body")
EXACT = 2**53 - 1


def message(content: dict[str, Any], body: bytes = b"") -> Message:
    return Message(sender="k", receiver="h", kind="page", id="i", sent=1, content=content, body=body)


def wish(**more: Any) -> dict[str, Any]:
    return Wish(page=PAGE.key, have="", age=60_000, interval=60_000).as_json() | more


class Pages:
    """The stored answers of a server, of which there is one."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer = answer

    def answer(self, name: str) -> Answer:
        if self._answer is None:
            raise StoreError(f"{name} was removed")
        return self._answer


class Lender:
    """A server that saw the page some seconds ago and is asked for it."""

    def __init__(
        self,
        answer: Answer | None = ANSWER,
        *,
        shortest: int = 10_000,
        facts: dict[str, str] | None = None,
        inside: str = "",
    ) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.users.add("jill")
        self.knowledge.sentinels.add(sentinel("s1", PAGE.url, interval=10**9))
        self.knowledge.peers.put(PEER)
        (claim,) = claim_all(self.knowledge)
        (due,) = claim.pages
        result = checked(claim, due, due=claim.now + 10**9, version=new_version(1), validators=facts or {})
        assert self.knowledge.schedule.finish(claim, [result])
        hosts = OpenHosts(lookup=lambda name: ["10.0.0.1" if name == inside else "93.184.216.34"])
        self.sharing = Sharing(self.knowledge, Pages(answer), hosts, shortest)  # type: ignore[arg-type]

    def asked(self, age: int = 0, **more: Any) -> tuple[dict[str, Any], bytes]:
        """Returns the answer to a wish that comes `age` milliseconds after the look."""
        self.clock.now += age
        reply = self.sharing.asked(PEER, message(wish(**more)))
        return reply.content, reply.body

    @property
    def given(self) -> int:
        found = self.knowledge.peers.get("k")
        assert found
        return found.figures.given

    def looks_after(self, milliseconds: int) -> list[str]:
        """Returns why the page is looked at then; nothing if it is not."""
        self.clock.now += milliseconds
        return [due.wish for claim in claim_all(self.knowledge) for due in claim.pages]


LATER: tuple[dict[str, Any], bytes] = ({"is": "later"}, b"")


class TestAnswering:
    @pytest.mark.parametrize(
        ("age", "told", "expected"),
        [
            (0, {}, ({"is": "new", "age": 0}, packed(ANSWER))),
            (60_000, {}, ({"is": "new", "age": 60_000}, packed(ANSWER))),
            (60_001, {}, LATER),
            (5, {"have": "x"}, ({"is": "same", "age": 5}, b"")),
            (60_001, {"have": "x"}, LATER),
            (5, {"have": "y"}, ({"is": "new", "age": 5}, packed(ANSWER))),
            (0, {"largest": len(packed(ANSWER))}, ({"is": "new", "age": 0}, packed(ANSWER))),
            (0, {"largest": len(packed(ANSWER)) - 1}, LATER),
            (0, {"page": "0" * 40}, LATER),
        ],
    )
    def test_what_is_fresh_enough_and_fits_is_given(
        self, age: int, told: dict[str, Any], expected: tuple[dict[str, Any], bytes]
    ):
        lender = Lender()
        assert lender.asked(age, **told) == expected
        assert lender.given == int(expected != LATER)

    @pytest.mark.parametrize(
        "lender",
        [
            {"facts": {"peer": "another peer"}},
            {"inside": "site.test"},
            {"answer": None},
            {"answer": replace(ANSWER, url="http://intranet/"), "inside": "intranet"},
            {"answer": replace(ANSWER, headers=(("x", "y" * LARGEST_HEAD),))},
        ],
    )
    def test_what_is_not_ours_to_give_is_not_given(self, lender: dict[str, Any]):
        one = Lender(**lender)
        assert (one.asked(), one.given) == (LATER, 0)

    def test_the_version_that_the_peer_has_is_the_same_even_if_it_was_removed_here(self):
        assert Lender(None).asked(have="x")[0] == {"is": "same", "age": 0}

    @pytest.mark.parametrize(
        ("interval", "shortest", "waits"),
        [(60_000, 10_000, 60_000), (5_000, 10_000, 10_000), (0, 0, 1_000), (500, 999, 1_000)],
    )
    def test_we_look_as_often_as_the_peer_wants_within_our_limits(
        self, interval: int, shortest: int, waits: int
    ):
        lender = Lender(shortest=shortest)
        lender.asked(interval=interval)
        assert lender.looks_after(waits - 1) == []
        assert lender.looks_after(1) == ["a peer wants it"]

    @pytest.mark.parametrize(("peer", "page", "looks"), [("k", PAGE, 1), ("n", PAGE, 0), ("k", None, 0)])
    def test_a_hint_of_a_peer_that_watches_the_page_makes_us_look(
        self, peer: str, page: Page | None, looks: int
    ):
        lender = Lender()
        lender.knowledge.peers.announce("k", [Wanted(PAGE.key, 0)])
        key = page.key if page else "0" * 40
        assert lender.sharing.hinted(replace(PEER, key=peer), message({"page": key})).content == {}
        assert lender.looks_after(0) == ["a peer has news"] * looks

    def test_a_hint_without_a_page_is_refused(self):
        with pytest.raises(MessageRefused):
            Lender().sharing.hinted(PEER, message({"page": 7}))


class TestReadingAWish:
    @pytest.mark.parametrize(
        "told",
        [
            {},
            {"page": "x" * 128},
            {"have": "x" * 128},
            {"age": 0, "interval": 0, "largest": 0},
            {"age": EXACT, "interval": EXACT, "largest": EXACT},
        ],
    )
    def test_a_wish_arrives_as_it_was_sent(self, told: dict[str, Any]):
        assert wish_from(message(wish(**told))).as_json() == wish(**told)

    def test_who_names_no_limit_has_none(self):
        told = wish()
        del told["largest"]
        assert wish_from(message(told)).largest == EXACT

    @pytest.mark.parametrize(
        "wrong",
        [
            *({name: value} for name in ("page", "have") for value in ("x" * 129, 7, None)),
            *(
                {name: value}
                for name in ("age", "interval", "largest")
                for value in (-1, EXACT + 1, "1", None)
            ),
        ],
    )
    def test_a_wish_that_makes_no_sense_is_refused(self, wrong: dict[str, Any]):
        with pytest.raises(MessageRefused) as caught:
            wish_from(message(wish(**wrong)))
        assert caught.value.reason == "content"


class TestReadingAnAnswer:
    @pytest.mark.parametrize(
        ("content", "given"),
        [
            ({"is": "later"}, Given(what="later")),
            ({"is": "same", "age": EXACT}, Given(what="same", age=EXACT)),
            ({"is": "new", "age": 1}, Given(what="new", age=1, answer=ANSWER)),
        ],
    )
    def test_an_answer_arrives_as_it_was_sent(self, content: dict[str, Any], given: Given):
        assert given_from(message(content, packed(ANSWER))) == given

    @pytest.mark.parametrize(
        "content",
        [
            {},
            {"is": "other"},
            {"is": "same", "age": -1},
            {"is": "same", "age": EXACT + 1},
            {"is": "same", "age": 1.0},
        ],
    )
    def test_an_answer_that_makes_no_sense_is_refused(self, content: dict[str, Any]):
        with pytest.raises(MessageRefused):
            given_from(message(content))

    @pytest.mark.parametrize(
        ("status", "taken"),
        [
            (0, True),
            (200, True),
            (303, True),
            (304, False),
            (305, True),
            (399, True),
            (400, False),
            (401, False),
            (999, False),
        ],
    )
    def test_a_page_that_we_would_not_store_is_refused(self, status: int, taken: bool):
        told = message({"is": "new"}, packed(replace(ANSWER, status=status)))
        if taken:
            assert given_from(told).answer == replace(ANSWER, status=status)
        else:
            with pytest.raises(MessageRefused):
                given_from(told)

    @pytest.mark.parametrize(("status", "read"), [(-1, False), (0, True), (999, True), (1_000, False)])
    def test_a_status_has_three_digits_at_most(self, status: int, read: bool):
        assert _is_read(_head(status=status) + b"\n") is read

    @pytest.mark.parametrize(("deep", "read"), [(4, True), (5, False)])
    def test_frames_are_nested_to_a_limit(self, deep: int, read: bool):
        answer = replace(ANSWER, headers=())
        for _ in range(deep):
            answer = replace(answer, frames=(Frame(address=PAGE.url, answer=answer),))
        assert _is_read(packed(answer)) is read

    @pytest.mark.parametrize(("size", "read"), [(LARGEST_HEAD, True), (LARGEST_HEAD + 1, False)])
    def test_the_head_of_an_answer_has_a_limit(self, size: int, read: bool):
        head = _head()
        assert _is_read(head + b" " * (size - len(head)) + b"\n") is read

    def test_an_answer_has_a_line_and_exactly_its_bodies(self):
        assert _is_read(_head(size=1) + b"\nx")
        assert not _is_read(_head(size=0))
        assert not _is_read(_head(size=1) + b"\nxy")
        assert not _is_read(_head(size=2) + b"\nx")

    def test_each_frame_gets_its_own_body_back(self):
        frames = tuple(
            Frame(address=f"http://f.test/{body}", answer=replace(ANSWER, body=body.encode()))
            for body in ("one", "", "three")
        )
        answer = replace(ANSWER, frames=frames)
        assert unpacked(packed(answer)) == answer
        assert packed(answer).endswith(b"\nbodyonethree")


def _head(**more: Any) -> bytes:
    head = {"url": PAGE.url, "status": 200, "headers": [], "size": 0, "frames": []} | more
    return json.dumps(head).encode()


def _is_read(wire: bytes) -> bool:
    try:
        unpacked(wire)
    except MessageRefused as error:
        return error.reason != "content"
    return True
