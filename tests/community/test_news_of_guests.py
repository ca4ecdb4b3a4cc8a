"""What a guest found is sent to its home: in order, once, and nothing of a private network (B2, B5)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.community.test_guests import HOME, ID, USER, guest
from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.community.letters import found_from
from webvigil.community.mediator import House, PostOffice
from webvigil.community.messages import Message
from webvigil.community.openness import OpenHosts
from webvigil.errors import PeerRefused
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

URL = "http://site.test/"
INSIDE = "http://intranet/"


class Mediator:
    """A server with one guest, and the home of the guest, which reads the letters that it gets."""

    def __init__(self, *, letters: int = 100, address: str = URL) -> None:
        self.clock = Clock()
        self.knowledge = MemoryKnowledge(delay=0, clock=self.clock)
        self.knowledge.peers.put(HOME)
        self.knowledge.users.add(USER)
        self.knowledge.sentinels.add(sentinel("s1", address, user=USER))
        self.knowledge.agents.put(guest(state="at work", told=True))
        self.objects = MemoryObjects()
        self.pages = PageRepository(self.objects)
        self.answers: list[Any] = []
        self.sent: list[Message] = []
        post: Any = self
        hosts = OpenHosts(lookup=lambda name: ["10.0.0.1" if name == "intranet" else "93.184.216.34"])
        house = House(agents=2, letters=letters, silence=10**9)
        self._office = PostOffice(post, self.knowledge, self.pages, hosts, house)

    def finds(self, *numbers: int, url: str = URL) -> None:
        """Lets the guest see versions of its page; from the second on, each is a change."""
        for number in numbers:
            self.clock.passes(seconds=60)
            (claim,) = claim_all(self.knowledge)
            (due,) = claim.pages
            kept = self.pages.keep(Answer(url=url, status=200, headers=(), body=b"%d" % number))
            version = replace(new_version(number), object=kept.object)
            change = new_change(due.watches[0].sentinel, number - 1, number)
            changes = (change,) if number > 1 else ()
            result = checked(claim, due, version=version, changes=changes)
            assert self.knowledge.schedule.finish(claim, [result])

    async def send(self, key: str, url: str, kind: str, content: dict[str, Any], body: bytes) -> Message:
        told = Message(sender="h", receiver=key, kind=kind, id="i", sent=1, content=content, body=body)
        self.sent.append(told)
        answer = self.answers.pop(0) if self.answers else True
        if isinstance(answer, Exception):
            raise answer
        return replace(told, content={"wanted": answer})

    def brings(self, *, seconds: float = 5) -> list[int]:
        """Sends what waits, and returns the newer version of each change that was sent."""
        self.clock.passes(seconds=seconds)
        self.sent.clear()
        asyncio.run(self._office.turn())
        return [self.read(place)[0] for place in range(len(self.sent))]

    def read(self, place: int) -> tuple[int, dict[int, bytes]]:
        """Returns the newer version of a change as its home reads it, and the bodies of both versions."""
        found = found_from(self.sent[place])
        assert found
        return found.new, {number: one.body for number, one in found.answers.items()}

    @property
    def letters(self) -> int:
        (one,) = self.knowledge.agents.all()
        return one.letters


def test_changes_are_sent_in_order_and_once():
    one = Mediator()
    one.finds(1, 2, 3, 4)
    assert one.brings() == [2, 3, 4]
    assert [one.read(place)[1] for place in (0, 2)] == [{1: b"1", 2: b"2"}, {3: b"3", 4: b"4"}]
    (change, *_) = one.knowledge.changes.all(USER)
    assert one.knowledge.agents.all() == [
        guest(state="at work", told=True, heard_at=one.clock.now, letters=change.id)
    ]
    assert one.brings() == []
    one.finds(5)
    assert one.brings() == [5]


def test_a_change_comes_before_the_state_that_goes_with_it():
    one = Mediator()
    one.finds(1, 2)
    one.knowledge.agents.put(guest(state="at work", told=False))
    assert one.brings() == [2]
    assert one.sent[0].content["state"] == "at work"
    assert one.knowledge.agents.all()[0].told


@pytest.mark.parametrize(("seconds", "sent"), [(4.999, []), (5, [2])])
def test_a_change_waits_until_all_before_it_are_written(seconds: float, sent: list[int]):
    one = Mediator()
    one.finds(1, 2)
    assert one.brings(seconds=seconds) == sent


def test_a_change_that_is_too_new_does_not_delay_those_before_it():
    one = Mediator()
    one.finds(1, 2, 3)
    assert one.brings(seconds=4) == [2]
    assert one.brings(seconds=1) == [3]


def test_twenty_letters_of_an_agent_are_sent_at_a_time():
    one = Mediator()
    one.finds(*range(1, 23))
    assert one.brings() == list(range(2, 22))
    assert one.brings() == [22]


@pytest.mark.parametrize(("most", "sent"), [(2, [3, 4]), (3, [2, 3, 4])])
def test_the_newest_letters_wait_and_older_ones_are_lost(most: int, sent: list[int]):
    one = Mediator(letters=most)
    one.finds(1, 2, 3, 4)
    assert one.brings() == sent


def test_a_letter_that_is_refused_is_sent_again_before_the_next():
    one = Mediator()
    one.finds(1, 2, 3)
    one.answers = [True, PeerRefused("no")]
    assert one.brings() == [2, 3]
    assert one.brings() == [3]


def test_after_a_letter_that_is_not_wanted_no_other_is_sent():
    one = Mediator()
    one.finds(1, 2, 3)
    one.answers = [False]
    assert one.brings() == [2]
    assert (one.knowledge.agents.all(), one.knowledge.users.all()) == ([], [])


def test_what_came_from_a_private_network_on_either_side_is_left_out():
    one = Mediator()
    one.finds(1, 2)
    one.finds(3, url=INSIDE)
    one.finds(4, 5)
    assert one.brings() == [2, 5]
    inside = Mediator(address=INSIDE)
    inside.finds(1, 2)
    assert (inside.brings(), inside.letters) == ([], inside.knowledge.changes.all(USER)[0].id)


def test_a_version_that_was_removed_is_left_out_of_its_letter():
    one = Mediator()
    one.finds(1, 2)
    (page,) = {change.page for change in one.knowledge.changes.all(USER)}
    one.objects.delete([one.knowledge.versions.get(page, 1).object])
    assert one.brings() == [2]
    assert one.read(0)[1] == {2: b"2"}


def test_a_letter_names_its_agent():
    one = Mediator()
    one.finds(1, 2)
    one.brings()
    assert (one.sent[0].receiver, one.sent[0].kind, one.sent[0].content["agent"]) == ("home", "letter", ID)
