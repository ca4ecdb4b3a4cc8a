"""What a peer may announce and ask for, and how many of it (B4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from webvigil.community import location
from webvigil.community.keys import Identity
from webvigil.community.location import Location, announcement, packed, responsible, unpacked
from webvigil.community.messages import Message
from webvigil.errors import MessageRefused
from webvigil.model.peer import Peer, Wanted
from webvigil.store.memory import MemoryKnowledge

NOW = 1_800_000_000_000
YEAR = 366 * 86_400_000
PAGES = [f"{number:040x}" for number in range(10)]
KEYS = {name: Identity(name.encode()) for name in ("asker", "listed", "other")}
ASKER = Peer(key=KEYS["asker"].key, url="http://asker.test", state="known", rest_until=9)


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(clock=lambda: NOW)
    made.peers.put(ASKER)
    return made


def message(content: dict[str, Any], body: bytes = b"") -> Message:
    return Message(sender=ASKER.key, receiver="h", kind="k", id="i", sent=1, content=content, body=body)


def told(knowledge: MemoryKnowledge, pages: list[str], *gone: str, **more: Any) -> dict[str, Any]:
    content = {"wanted": len(pages), **more}
    body = packed([Wanted(page, 60_000) for page in pages], gone)
    place = Location(knowledge.peers, knowledge.schedule)
    return place.announced(ASKER, message(content, body)).content


class TestAnnouncing:
    def test_pages_come_and_go_and_are_counted(self, knowledge: MemoryKnowledge):
        assert told(knowledge, PAGES[:3]) == {"pages": 3}
        assert told(knowledge, PAGES[3:4], PAGES[0]) == {"pages": 3}
        assert list(knowledge.peers.announced(ASKER.key)) == PAGES[1:4]
        assert told(knowledge, PAGES[5:6], all=True) == {"pages": 1}
        assert told(knowledge, PAGES[6:7], all=1) == {"pages": 2}, "only True is true"

    @pytest.mark.parametrize(
        ("said", "url", "listed"),
        [
            ({"url": "http://new.test/", "listed": True}, "http://new.test", True),
            ({"url": "nothing", "listed": 1}, "http://asker.test", False),
            ({}, "http://asker.test", False),
        ],
    )
    def test_an_announcement_says_where_the_peer_is_and_ends_its_pause(
        self, knowledge: MemoryKnowledge, said: dict[str, Any], url: str, listed: bool
    ):
        told(knowledge, [], **said)
        assert knowledge.peers.all() == [replace(ASKER, url=url, listed=listed, heard_at=NOW, rest_until=0)]

    @pytest.mark.parametrize(("most", "fits"), [(3, True), (2, False)])
    def test_a_peer_announces_so_many_pages(
        self, knowledge: MemoryKnowledge, most: int, fits: bool, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(location, "MOST_PAGES", most)
        if fits:
            assert told(knowledge, PAGES[:3]) == {"pages": 3}
        else:
            with pytest.raises(MessageRefused) as caught:
                told(knowledge, PAGES[:3])
            assert (caught.value.reason, knowledge.peers.how_many(ASKER.key)) == ("size", 0)

    @pytest.mark.parametrize(
        ("before", "now", "messages"),
        [
            (5_000, 0, [(0, 5_000)]),
            (5_001, 0, [(0, 5_000), (0, 1)]),
            (0, 5_000, [(5_000, 0)]),
            (0, 5_001, [(5_000, 0), (1, 0)]),
        ],
    )
    def test_a_message_tells_of_five_thousand_pages(
        self, before: int, now: int, messages: list[tuple[int, int]]
    ):
        some, others = ({f"{n:040x}": 1 for n in range(count)} for count in (before, now))
        read = [unpacked(body, content["wanted"]) for content, body in announcement(some, others)]
        assert [(len(wanted), len(gone)) for wanted, gone in read] == messages

    def test_only_what_changed_is_told(self):
        before = {PAGES[0]: 1, PAGES[1]: 1, PAGES[2]: 1}
        (first, second) = announcement(before, {PAGES[1]: 1, PAGES[2]: 2, PAGES[3]: 3})
        assert first[0] == {"wanted": 2, "all": False}
        assert unpacked(first[1], 2) == ([Wanted(PAGES[2], 2), Wanted(PAGES[3], 3)], [])
        assert second == ({"wanted": 0}, bytes.fromhex(PAGES[0]))


class TestReading:
    @pytest.mark.parametrize("interval", [0, YEAR])
    def test_an_interval_of_up_to_a_year_is_read(self, interval: int):
        assert unpacked(packed([Wanted(PAGES[1], interval)]), 1) == ([Wanted(PAGES[1], interval)], [])

    def test_a_longer_interval_is_a_year_and_is_refused_from_others(self):
        assert unpacked(packed([Wanted(PAGES[1], YEAR + 1)]), 1)[0] == [Wanted(PAGES[1], YEAR)]
        with pytest.raises(MessageRefused):
            unpacked(bytes(20) + (YEAR + 1).to_bytes(8), 1)

    @pytest.mark.parametrize(
        ("size", "count", "fits"),
        [
            (0, 0, True),
            (28, 1, True),
            (27, 1, False),
            (29, 1, False),
            (48, 1, True),
            (68, 1, True),
            (20, 0, True),
            (19, 0, False),
            (0, -1, False),
            (12, -1, False),
            (0, "0", False),
            (28 * 5_000, 5_000, True),
            (28 * 5_001, 5_001, False),
        ],
    )
    def test_a_body_has_the_size_that_its_count_says(self, size: int, count: object, fits: bool):
        if fits:
            wanted, gone = unpacked(bytes(size), count)
            assert len(wanted) * 28 + len(gone) * 20 == size
        else:
            with pytest.raises(MessageRefused) as caught:
                unpacked(bytes(size), count)
            assert caught.value.reason == "content"


class TestLocating:
    @pytest.fixture
    def place(self, knowledge: MemoryKnowledge) -> Location:
        for name, listed in (("listed", True), ("other", False)):
            knowledge.peers.put(
                Peer(key=KEYS[name].key, url=f"http://{name}.test", state="known", listed=listed)
            )
        for one in knowledge.peers.all():
            knowledge.peers.announce(one.key, [Wanted(PAGES[1], 1)])
        return Location(knowledge.peers, knowledge.schedule)

    FOUND = ({"fingerprint": KEYS["listed"].fingerprint, "url": "http://listed.test"},)

    def test_those_who_want_to_be_known_are_told_and_never_the_asker(self, place: Location):
        found = place.located(ASKER, message({"pages": PAGES[:2]})).content
        assert found == {"found": {PAGES[1]: [*self.FOUND]}}
        assert place.communities(ASKER, message({})).content == {"communities": [*self.FOUND]}

    def test_the_asker_is_not_told_of_itself_nor_of_one_that_is_no_peer(
        self, place: Location, knowledge: MemoryKnowledge
    ):
        knowledge.peers.change(ASKER.key, lambda one: replace(one, listed=True))
        knowledge.peers.change(KEYS["listed"].key, lambda one: replace(one, state="distrusted"))
        assert place.located(ASKER, message({"pages": PAGES[:2]})).content == {"found": {}}
        assert place.communities(ASKER, message({})).content == {"communities": []}

    @pytest.mark.parametrize(
        ("pages", "fits"),
        [
            ([], True),
            (["0" * 40] * 500, True),
            (["0" * 40] * 501, False),
            (["0" * 39], False),
            (["0" * 41], False),
            (["g" * 40], False),
            (["A" * 40], False),
            ([7], False),
            ("0" * 40, False),
            (None, False),
        ],
    )
    def test_five_hundred_pages_may_be_asked_for_by_their_digests(
        self, place: Location, pages: object, fits: bool
    ):
        if fits:
            assert place.located(ASKER, message({"pages": pages})).content == {"found": {}}
        else:
            with pytest.raises(MessageRefused) as caught:
                place.located(ASKER, message({"pages": pages}))
            assert caught.value.reason == "content"


def test_the_one_who_fetches_is_the_same_in_every_version():
    assert [responsible(page, ["a", "b", "c"]) for page in ("x", "y", "z", "w")] == ["b", "a", "b", "b"]
