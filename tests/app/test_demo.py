"""The pages of the demo town change by themselves, steadily, and in the same way in each run."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from itertools import pairwise
from urllib.parse import urljoin

import aiohttp
import html5lib
import pytest
from lxml import etree, html

from webvigil.app.demo import Demo, demo_sentinels, start_demo
from webvigil.app.demo.pages import PAGES
from webvigil.app.demo.town import LINKS_SHOWN, STORIES_SHOWN, places, stories, wares
from webvigil.errors import ServerRefused, SettingRefused

A_DAY = 24 * 60 * 3  # steps of 20 seconds
NOON = 1_800_000_000.0


@dataclass
class HandClock:
    """A clock that moves only when the test moves it."""

    now: float = NOON

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Got:
    status: int
    headers: Mapping[str, str]
    text: str


class Visitor:
    """A demo site with a clock that the test moves, and a client for the site."""

    def __init__(self, demo: Demo, clock: HandClock, session: aiohttp.ClientSession) -> None:
        self.demo, self.clock, self._session = demo, clock, session

    async def get(self, path: str, method: str = "GET", **headers: str) -> Got:
        asked = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.request(method, urljoin(self.demo.url, path), headers=asked) as answer:
            return Got(answer.status, answer.headers, await answer.text())


def visit(conversation: Callable[[Visitor], Awaitable[None]], period: float = 20.0) -> None:
    async def whole() -> None:
        clock = HandClock()
        demo = await start_demo("127.0.0.1", 0, period=period, clock=clock)
        try:
            async with aiohttp.ClientSession() as session:
                await conversation(Visitor(demo, clock, session))
        finally:
            await demo.stop()

    asyncio.run(whole())


class TestPages:
    @pytest.mark.parametrize("page", PAGES)
    def test_a_page_depends_on_seed_and_step_alone(self, page: str) -> None:
        assert PAGES[page](1, 7) == PAGES[page](1, 7)
        assert PAGES[page](2, 7) != PAGES[page](1, 7)

    @pytest.mark.parametrize("page", PAGES)
    def test_every_step_of_hours_is_new(self, page: str) -> None:
        seen = [PAGES[page](1, step) for step in range(600)]
        assert len(set(seen)) == len(seen)

    @pytest.mark.parametrize("step", [0, 1, 5, 1000, A_DAY])
    @pytest.mark.parametrize("page", PAGES)
    def test_pages_are_well_formed_and_need_nothing_from_elsewhere(self, page: str, step: int) -> None:
        text = PAGES[page](1, step)
        html5lib.HTMLParser(strict=True).parse(text)
        used = _addresses(text)
        assert used
        assert all(address.startswith(("/", "data:")) for address in used)
        assert "http" not in text
        assert "url(" not in text

    def test_each_step_brings_a_story_drops_one_and_updates_one(self) -> None:
        for step in range(1, 200):
            before, after = stories(1, step - 1), stories(1, step)
            assert len(after) == STORIES_SHOWN
            assert [story.number for story in after[1:]] == [story.number for story in before[:-1]]
            changed = [new for new, old in zip(after[1:], before, strict=False) if new != old]
            assert [" Update: " in story.text for story in changed] == [True]

    def test_headlines_do_not_repeat_for_hours(self) -> None:
        headlines = [stories(1, step)[0].headline for step in range(17 * 19)]
        assert max(Counter(headlines).values()) == 1

    def test_each_step_one_link_enters_and_one_leaves(self) -> None:
        entered_at = set()
        for step in range(1, 200):
            before, after = places(1, step - 1), places(1, step)
            [entered] = set(after) - set(before)
            assert len(set(before) - set(after)) == 1
            assert len({place.title for place in after}) == LINKS_SHOWN
            entered_at.add(after.index(entered))
        assert {0, LINKS_SHOWN - 1} < entered_at  # at both ends of the list, and between them

    def test_prices_wander_within_reason_and_each_at_its_own_pace(self) -> None:
        shop = [wares(1, step) for step in range(A_DAY)]
        for shelf in range(10):
            cents = [goods[shelf].cents for goods in shop]
            assert 1.1 < max(cents) / min(cents) < 1.3
            assert all(abs(new - old) <= 0.12 * old for old, new in pairwise(cents))
        moves = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in pairwise(shop)]
        assert min(moves) >= 1
        assert sum(moves) / len(moves) < 7  # of eleven rows

    def test_shelves_empty_and_fill_again(self) -> None:
        stocks = [wares(1, step)[0].stock for step in range(40)]
        assert {new - old for old, new in pairwise(stocks)} == {-1, 12}
        assert "sold out" in PAGES["prices"](1, stocks.index(0))

    def test_offers_come_and_go(self) -> None:
        names = [wares(1, step)[-1].name for step in range(40)]
        assert len(set(names)) == 7
        assert all(wares(1, step)[-1].stock > 0 for step in range(40))


def _addresses(text: str) -> list[str]:
    return [str(value) for _, _, value, _ in html.fromstring(text).iterlinks()]


def _conditions(*validators: str) -> list[dict[str, str]]:
    """Returns the headers of conditional requests. A validator with a comma, which follows the week day, is a
    time; others are ETags."""
    return [{"If_Modified_Since" if "," in known else "If_None_Match": known} for known in validators]


class TestSite:
    def test_pages_change_with_the_clock_and_not_all_at_once(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            changed = []
            before = {page: (await visitor.get(page)).text for page in PAGES}
            for second in range(1, 21):
                visitor.clock.now = NOON + second
                now = {page: (await visitor.get(page)).text for page in PAGES}
                changed += [(page, second) for page in PAGES if now[page] != before[page]]
                before = now
            assert changed == [("links", 7), ("prices", 14), ("news", 20)]

        visit(conversation)

    @pytest.mark.parametrize("page", PAGES)
    def test_a_known_page_is_not_sent_again(self, page: str) -> None:
        async def conversation(visitor: Visitor) -> None:
            first = await visitor.get(page)
            etag, modified = first.headers["ETag"], first.headers["Last-Modified"]
            for condition in _conditions(etag, "*", modified):
                same = await visitor.get(page, **condition)
                assert (same.status, same.text, same.headers["ETag"]) == (304, "", etag)
                assert same.headers["Last-Modified"] == modified
            visitor.clock.now += 20
            for condition in _conditions(etag, modified):
                new = await visitor.get(page, **condition)
                assert (new.status, new.text != first.text) == (200, True)
            assert (await visitor.get(page, If_None_Match=etag, If_Modified_Since=modified)).status == 200

        visit(conversation)

    @pytest.mark.parametrize("page", PAGES)
    def test_last_modified_is_the_moment_of_the_change(self, page: str) -> None:
        async def conversation(visitor: Visitor) -> None:
            times = set()
            for second in range(60):
                visitor.clock.now = NOON + second
                header = (await visitor.get(page)).headers["Last-Modified"]
                times.add(parsedate_to_datetime(header).timestamp())
                assert max(times) <= visitor.clock.now
            assert {round(later - earlier) for earlier, later in pairwise(sorted(times))} == {20}

        visit(conversation)

    def test_steps_shorter_than_a_second_are_told_by_etag_alone(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            first = await visitor.get("news")
            visitor.clock.now += 0.25
            second = await visitor.get("news", If_Modified_Since="Fri, 01 Jan 2100 00:00:00 GMT")
            assert "Last-Modified" not in first.headers
            assert (second.status, first.headers["ETag"] != second.headers["ETag"]) == (200, True)

        visit(conversation, period=0.25)

    def test_every_address_on_every_page_leads_somewhere(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            waiting, seen = ["/"], set()
            while waiting:
                address = waiting.pop()
                seen.add(address)
                got = await visitor.get(address)
                assert got.status == 200, address
                if address.endswith(".svg"):
                    assert got.headers["Content-Type"].startswith("image/svg+xml")
                    etree.fromstring(got.text.encode())
                else:
                    found = set(_addresses(got.text))
                    waiting += [link for link in found - seen - {*waiting} if link.startswith("/")]
            assert len(seen) == 1 + 3 + 2 * STORIES_SHOWN + LINKS_SHOWN

        visit(conversation)

    def test_the_index_tells_what_it_is_for(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            text = (await visitor.get("/")).text
            assert "changes by itself every 2.5 seconds" in text
            assert set(re.findall(r'href="/(\w+)"', text)) == set(PAGES)

        visit(conversation, period=2.5)

    def test_head_and_strange_requests_get_proper_answers(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            head, whole = await visitor.get("news", "HEAD"), await visitor.get("news")
            assert (head.status, head.text) == (200, "")
            assert head.headers["Content-Length"] == str(len(whole.text.encode()))
            for path in ("nothing", "story/x", "story/" + "9" * 5000, "picture/1", "news/"):
                assert (await visitor.get(path)).status == 404
            assert (await visitor.get("news", "POST")).status == 405
            assert (await visitor.get("news", If_Modified_Since="soon", If_None_Match="odd")).status == 200

        visit(conversation)

    def test_a_clock_set_back_does_no_harm(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            visitor.clock.now -= 3600
            assert (await visitor.get("news")).text == PAGES["news"](1, 0)

        visit(conversation)

    def test_a_taken_port_is_told_in_one_sentence(self) -> None:
        async def conversation(visitor: Visitor) -> None:
            with pytest.raises(
                ServerRefused, match=rf"port {visitor.demo.port} on 127.0.0.1 is in use; .* demo_port"
            ):
                await start_demo("127.0.0.1", visitor.demo.port)

        visit(conversation)

    @pytest.mark.parametrize("period", [0, -1, float("nan")])
    def test_a_period_must_be_above_zero(self, period: float) -> None:
        with pytest.raises(SettingRefused, match="above zero"):
            asyncio.run(start_demo("127.0.0.1", 0, period=period))

    @pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("localhost", "localhost")])
    def test_its_address_can_be_visited_whatever_it_listens_on(self, host: str, shown: str) -> None:
        async def whole() -> None:
            demo = await start_demo(host, 0)
            try:
                assert demo.url == f"http://{shown}:{demo.port}"
                async with aiohttp.ClientSession() as session, session.get(demo.url) as answer:
                    assert answer.status == 200
            finally:
                await demo.stop()

        asyncio.run(whole())


def test_there_is_a_sentinel_for_each_page() -> None:  # L1
    text = demo_sentinels("http://127.0.0.1:8421/")
    assert text.startswith(
        "Create Sentinel demo-news Using http://127.0.0.1:8421/news\nMonitor any change\nFetch 5 second\n"
    )
    found = re.findall(r"Create Sentinel demo-(\w+) Using http://127\.0\.0\.1:8421/(\w+)\n", text)
    assert found == [(page, page) for page in PAGES]
    assert 'Monitor value css "main > table > tbody > tr:not(:last-child) > td:nth-of-type(1)"' in text
