"""Users are told when a page fails or lacks what they watch, and when that has ended (V4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.store.making import claim_all, sentinel
from webvigil.app.worker.stages import RealStages
from webvigil.errors import HostBusy, HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch.http import Fetched
from webvigil.flow import check
from webvigil.model.version import Answer
from webvigil.model.wanted import WantedSentinels
from webvigil.model.work import DuePage, HostAfter
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
START = 1_800_000_000_000
URL = "http://site.test/"


class _Stages(RealStages):
    """The real stages, except that the test decides what a fetch brings."""

    def __init__(self, world: World) -> None:
        super().__init__(None, world.knowledge, PageRepository(MemoryObjects()))  # type: ignore[arg-type]
        self._world = world

    async def fetch(self, due: DuePage) -> Fetched:
        self._world.looks.append(self._world.now - START)
        shown = self._world.shown
        if isinstance(shown, PageError):
            raise shown
        headers = (("Content-Type", "text/html"),)
        answer = Answer(url=due.page.url, status=200, headers=headers, body=shown.encode())
        return Fetched(answer=answer, status=200, validators={})


class World:
    """Sentinels on one page, with a clock that moves only in `goes_on`."""

    def __init__(self, *clauses: str, every: int = DAY, shown: str | PageError = "<p>one") -> None:
        self.now = START
        self.shown: str | PageError = shown
        self.looks: list[int] = []
        self.knowledge = MemoryKnowledge(clock=lambda: self.now)
        self.knowledge.users.add("jill")
        self._stages = _Stages(self)
        for number, one in enumerate(clauses, 1):
            text = f"Create Sentinel s{number} Using {URL}\nMonitor {one}\nNotify By log\n"
            self.knowledge.sentinels.add(sentinel(f"s{number}", URL, text=text, interval=every))

    def goes_on(self, span: int) -> World:
        """Makes all looks that are due within this time, each at its own time."""
        end = self.now + span
        while (wait := self.knowledge.schedule.next_at()) is not None and self.now + wait <= end:
            self.now += wait
            for claim in claim_all(self.knowledge):
                results = [asyncio.run(check(due, self.now, self._stages)) for due in claim.pages]
                rest = max((one.host_wait for one in results), default=0)
                assert self.knowledge.schedule.finish(claim, results, HostAfter(rest=rest))
        self.now = end
        return self

    @property
    def told(self) -> list[tuple[str, str]]:
        """Returns event and subject of every notice, except notices of changes."""
        rows = [one.notice for one in self.knowledge.outbox.all("jill", limit=100)]
        known = [(str(one.body["event"]), one.subject) for one in reversed(rows)]
        return [one for one in known if one[0] != "change"]

    @property
    def trouble(self) -> dict[str, str]:
        found = self.knowledge.sentinels.all("jill")
        return {one.name: one.pages[0].trouble for one in found if one.pages[0].trouble}

    def in_trouble(self) -> int:
        return self.knowledge.sentinels.count(WantedSentinels(user="jill", trouble=True))


PASSING = PageUnreachable("the server answered 500")
GONE = PageRefused("the server answered 404")


class TestAPageThatFails:
    def test_a_page_of_once_a_day_is_tried_again_within_minutes(self):
        world = World("any change", shown=PASSING).goes_on(HOUR)
        assert world.looks[0] == 0
        assert MINUTE <= world.looks[1] <= 5 * MINUTE
        world.shown = "<p>one"
        world.goes_on(2 * HOUR)
        assert world.knowledge.sentinels.all()[0].pages[0].latest == 1

    def test_the_tries_become_fewer_and_stay_a_few_a_day(self):
        world = World("any change", shown=PASSING).goes_on(7 * DAY)
        gaps = [later - one for one, later in zip(world.looks, world.looks[1:], strict=False)]
        assert gaps == sorted(gaps)
        assert gaps[-1] == 6 * HOUR

    def test_a_page_that_fails_is_never_tried_again_at_once(self):
        world = World("any change", every=SECOND, shown=PASSING).goes_on(HOUR)
        assert world.looks[1] >= 10 * SECOND
        assert len(world.looks) < 8

    def test_the_rest_that_a_host_asks_for_is_kept(self):
        world = World("any change", shown=HostBusy("the server answered 503", wait=2 * HOUR)).goes_on(DAY)
        assert world.looks[1] == 2 * HOUR

    def test_a_page_that_is_gone_is_not_asked_for_again_within_minutes(self):
        world = World("any change", shown=GONE).goes_on(2 * HOUR)
        assert world.looks == [0, HOUR]

    def test_its_notice_names_the_sentinel_and_the_page(self):
        world = World("any change", "all links", shown=PASSING).goes_on(DAY)
        assert world.told == [
            ("page failing", f"s1: {URL} keeps failing"),
            ("page failing", f"s2: {URL} keeps failing"),
        ]
        bodies = [one.notice.body for one in world.knowledge.outbox.all("jill", limit=9)]
        assert {(one["sentinel"], one["url"], one["reason"]) for one in bodies} == {
            ("s1", URL, "the server answered 500"),
            ("s2", URL, "the server answered 500"),
        }

    def test_a_page_with_a_title_is_told_by_its_title(self):
        world = World("any change", shown="<title>Prices {today}</title><p>one").goes_on(HOUR)
        text = f'Create Sentinel named Using {URL}\nMonitor any change\nTitle "My shop"\nNotify By log\n'
        world.knowledge.sentinels.add(sentinel("named", URL, text=text, interval=DAY))
        world.goes_on(HOUR)
        world.shown = PASSING
        world.goes_on(2 * DAY)
        assert sorted(subject for _, subject in world.told) == [
            "My shop: Prices {today} keeps failing",
            "Prices {today}: the page keeps failing",
        ]
        bodies = [one.notice.body for one in world.knowledge.outbox.all("jill", limit=9)]
        assert {(one["title"], one["sentinel"]) for one in bodies} == {
            ("My shop", "named"),
            ("Prices {today}", "s1"),
        }

    def test_it_is_told_after_three_failures(self):
        world = World("any change", shown=PASSING)
        while not world.told:
            world.goes_on(MINUTE)
        assert len(world.looks) == 3

    def test_one_failure_or_two_are_nobodys_business(self):
        world = World("any change", shown=PASSING).goes_on(3 * MINUTE)
        assert len(world.looks) == 2
        world.shown = "<p>one"
        assert world.goes_on(DAY).told == []

    @pytest.mark.parametrize("every", [10 * SECOND, 5 * MINUTE, HOUR, 3 * HOUR, DAY, 7 * DAY])
    @pytest.mark.parametrize("error", [PASSING, GONE, HostUnreachable("nobody is there")])
    def test_it_is_told_within_six_hours_and_within_the_interval_and_an_hour(
        self, every: int, error: PageError
    ):
        world = World("any change", every=every, shown=error).goes_on(min(6 * HOUR, every + HOUR))
        assert [event for event, _ in world.told] == ["page failing"]

    def test_a_host_that_wants_a_longer_rest_than_that_is_told_at_once(self):
        world = World("any change", shown=HostBusy("the server answered 503", wait=9 * HOUR)).goes_on(MINUTE)
        assert [event for event, _ in world.told] == ["page failing"]

    def test_it_is_told_once_and_so_is_that_it_is_back(self):
        world = World("any change").goes_on(HOUR)
        world.shown = PASSING
        world.goes_on(3 * DAY)
        assert [event for event, _ in world.told] == ["page failing"]
        assert (world.trouble, world.in_trouble()) == ({"s1": "the server answered 500"}, 1)
        world.shown = "<p>one"
        world.goes_on(DAY)
        assert world.told[1:] == [("page back", f"s1: {URL} is back")]
        assert (world.trouble, world.in_trouble()) == ({}, 0)
        world.shown = PASSING
        assert [event for event, _ in world.goes_on(2 * DAY).told[2:]] == ["page failing"]

    def test_who_begins_to_watch_a_failing_page_is_told_too(self):
        world = World("any change", shown=PASSING).goes_on(DAY)
        text = f"Create Sentinel late Using {URL}\nMonitor any change\nNotify By log\n"
        world.knowledge.sentinels.add(sentinel("late", URL, text=text, interval=DAY))
        assert world.goes_on(DAY).told[1:] == [("page failing", f"late: {URL} keeps failing")]

    def test_since_when_it_fails_is_known(self):
        world = World("any change").goes_on(HOUR)
        world.shown = PASSING
        world.goes_on(2 * DAY)
        page = world.knowledge.sentinels.all()[0].pages[0]
        assert page.failing_since is not None
        assert page.failing_since.timestamp() * 1000 == START + DAY


SHOP = "<h1>Shop</h1><p class=price>5 EUR</p><table><caption>Hours</caption><tr><td>9-5</table>"


class TestAPlaceThatIsNotThere:
    @pytest.mark.parametrize(
        ("clause", "words"),
        [
            ('any change\nWithin css ".preis"', 'Within css ".preis" matches nothing on the page'),
            ('any change\nWithin xpath "//h7"', 'Within xpath "//h7" matches nothing on the page'),
            ('value css ".preis"', 'there is no value at css ".preis" on the page'),
            ('value xpath "//h7"', 'there is no value at xpath "//h7" on the page'),
            ('value regex "USD (\\d+)"', 'there is no value at regex "USD (\\d+)" on the page'),
            ('table : {caption "Prices"}', 'there is no table with the caption "Prices" on the page'),
            ("table : {7}", 'there is no table that is meant by "7" on the page'),
            ("list : {2}", 'there is no list that is meant by "2" on the page'),
            ('all links OR value css ".preis"', 'there is no value at css ".preis" on the page'),
        ],
    )
    def test_it_is_told_after_the_first_look(self, clause: str, words: str):
        world = World(clause, shown=SHOP).goes_on(MINUTE)
        assert world.trouble == {"s1": words}
        assert world.in_trouble() == 1
        assert world.told == [("matches nothing", "Shop: what is watched is not on the page")]

    @pytest.mark.parametrize(
        "clause",
        [
            'any change\nWithin css ".price"',
            'any change\nWithin css ".price", css ".preis"',
            'value css ".price"',
            'table : {caption "Hours"}',
            "table : {1}",
            "keywords : {waiting list}",
            "phrase : {waiting list}",
            "regular expression : {USD \\d+}",
            'any change\nWhen appears "waiting list"',
            "all images",
        ],
    )
    def test_what_is_there_and_what_may_be_meant_to_appear_is_no_trouble(self, clause: str):
        world = World(clause, shown=SHOP).goes_on(DAY)
        assert (world.trouble, world.told, world.in_trouble()) == ({}, [], 0)

    def test_it_is_told_once_and_its_end_is_told(self):
        """If no change tells that the place is back, a notice of its own does."""
        world = World('value css ".preis"\nWhen value < 3', shown=SHOP).goes_on(3 * DAY)
        world.shown = SHOP + "<p>more"
        world.goes_on(3 * DAY)
        assert len(world.told) == 1
        world.shown = SHOP.replace("price", "preis")
        world.goes_on(DAY)
        assert world.told == [
            ("matches nothing", "Shop: what is watched is not on the page"),
            ("matches again", "Shop: what is watched is on the page"),
        ]
        assert (world.trouble, world.in_trouble()) == ({}, 0)

    def test_a_part_that_vanishes_is_told_as_a_change_and_counts_as_trouble_until_it_is_back(self):
        world = World('any change\nWithin css ".price"', shown=SHOP).goes_on(HOUR)
        world.shown = "<h1>Shop</h1><p>closed"
        world.goes_on(DAY)
        assert world.knowledge.changes.all()[0].findings[0].note.startswith("the watched part has vanished")
        assert (world.told, world.in_trouble()) == ([], 1)
        world.shown = SHOP
        world.goes_on(DAY)
        assert (world.told, world.in_trouble()) == ([], 0)
        assert len(world.knowledge.changes.all()) == 2

    def test_a_second_sentinel_on_a_page_that_never_changes_is_judged(self):
        world = World("any change", shown=SHOP).goes_on(HOUR)
        text = f'Create Sentinel late Using {URL}\nMonitor value css ".preis"\nNotify By log\n'
        world.knowledge.sentinels.add(sentinel("late", URL, text=text, interval=DAY))
        assert world.goes_on(DAY).trouble == {"late": 'there is no value at css ".preis" on the page'}

    def test_an_edited_sentinel_is_judged_again(self):
        world = World('value css ".preis"', shown=SHOP).goes_on(HOUR)
        text = f'Create Sentinel s1 Using {URL}\nMonitor value css ".prise"\nNotify By log\n'
        world.knowledge.sentinels.replace(sentinel("s1", URL, text=text, interval=DAY))
        assert world.trouble == {}
        world.goes_on(DAY)
        assert world.trouble == {"s1": 'there is no value at css ".prise" on the page'}
        assert [event for event, _ in world.told] == ["matches nothing"] * 2

    def test_a_page_that_is_back_without_the_place_is_told_as_both(self):
        world = World('value css ".price"', shown=SHOP).goes_on(HOUR)
        world.shown = PASSING
        world.goes_on(2 * DAY)
        world.shown = "<p>closed"
        world.goes_on(DAY)
        assert [event for event, _ in world.told] == ["page failing", "page back"]
        assert world.in_trouble() == 1


class TestABrokenFilter:
    def test_it_is_told_and_so_is_that_it_is_mended(self, monkeypatch: pytest.MonkeyPatch):
        from webvigil.errors import PatternRefused
        from webvigil.graph import evaluate

        world = World("all links").goes_on(HOUR)
        real = evaluate.find

        def refuses(*_: Any) -> Any:
            raise PatternRefused("the expression takes too long on this page")

        monkeypatch.setattr(evaluate, "find", refuses)
        world.shown = "<a href=/two>two</a>"
        world.goes_on(2 * DAY)
        assert world.told == [("filter broken", f"s1: {URL} cannot be compared")]
        assert world.trouble == {"s1": "the expression takes too long on this page"}
        monkeypatch.setattr(evaluate, "find", real)
        world.goes_on(DAY)
        assert world.told[1:] == [("filter mended", f"s1: {URL} is compared again")]
        assert len(world.knowledge.changes.all()) == 1


def test_a_sentinel_that_tells_nobody_has_its_trouble_all_the_same():
    world = World('value css ".preis"\nEvery interactive', shown=SHOP).goes_on(HOUR)
    assert (world.told, world.in_trouble()) == ([], 1)
