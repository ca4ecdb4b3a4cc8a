"""Tests of politeness: robots.txt, rests that hosts ask for, and hosts that do not answer (F4)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.fetching import LOOPBACK, as_page, body, fetch
from tests.site import Site
from webvigil.errors import HostBusy, HostUnreachable, PageRefused, PageUnreachable
from webvigil.fetch.http import HttpFetcher
from webvigil.fetch.manners import FIRST_REST, LONGEST_REST, Visit, rest_after, spread
from webvigil.fetch.robots import Robots
from webvigil.model.version import LONGEST_WAIT as LONGEST
from webvigil.model.version import Answer, retry_after
from webvigil.model.work import CheckResult, Look


class TestRobots:
    def test_a_page_that_robots_may_not_visit_is_not_visited(self, site: Site):
        site.robots("User-agent: *\nDisallow: /private\n")
        private = site.page("/private/a", "<p>one")
        with pytest.raises(PageRefused, match="does not want robots to visit this page"):
            fetch(private)
        assert private.hits == 0
        assert body(site.page("/public", "<p>two")) == b"<p>two"

    def test_rules_for_us_come_before_rules_for_all(self, site: Site):
        site.robots("User-agent: *\nDisallow: /\n\nUser-agent: WebVigil\nAllow: /\n")
        page = site.page("/a", "<p>one")
        assert body(page, user_agent="WebVigil/0.1 (+https://example.org)") == b"<p>one"
        with pytest.raises(PageRefused):
            fetch(page, user_agent="Other/1")

    @pytest.mark.parametrize("status", [401, 403, 404, 410])
    def test_no_robots_txt_means_welcome(self, site: Site, status: int):
        site.page("/robots.txt").answers(status)
        assert body(site.page("/a", "<p>one")) == b"<p>one"

    @pytest.mark.parametrize("status", [500, 503])
    def test_a_robots_txt_that_cannot_be_read_keeps_us_away(self, site: Site, status: int):
        site.page("/robots.txt").answers(status)
        page = site.page("/a", "<p>one")
        with pytest.raises(PageUnreachable, match=f"robots.txt cannot be read .*{status}"):
            fetch(page)
        assert page.hits == 0

    def test_it_is_asked_for_once_also_by_a_hundred(self, site: Site):
        robots = site.robots("User-agent: *\nDisallow: /private\n").slow(first_byte=0.05)
        pages = [site.page(f"/{n}", "<p>one") for n in range(100)]

        async def all_of_them() -> None:
            async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
                await asyncio.gather(*(fetcher.fetch(as_page(page), {}) for page in pages))

        asyncio.run(all_of_them())
        assert robots.hits == 1

    def test_it_is_asked_for_again_after_a_day_and_an_old_one_is_better_than_none(self, site: Site):
        robots = site.robots("User-agent: *\nDisallow: /private\n")
        private = site.page("/private", "<p>one").url
        time = [0.0]

        async def days() -> None:
            async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
                rules = Robots(fetcher.client, now=lambda: time[0])
                for status in (200, 500):
                    with pytest.raises(PageRefused, match="does not want robots"):
                        await rules.judge(private)
                    time[0] += 25 * 3600
                    if status == 200:
                        robots.answers(500)
                robots.answers_normally()
                site.robots("")
                time[0] += 25 * 3600
                await rules.judge(private)

        asyncio.run(days())
        assert site.hits("/robots.txt") == 3

    def test_the_delay_it_asks_for_is_known(self, site: Site):
        site.robots("User-agent: *\nCrawl-delay: 2.5\n")
        page = site.page("/a", "<p>one")

        async def delay() -> tuple[int, int]:
            async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
                before = fetcher.delay(site.host)
                await fetcher.fetch(as_page(page), {})
                return before, fetcher.delay(site.host)

        assert asyncio.run(delay()) == (0, 2500)

    def test_frames_are_visited_only_where_robots_may(self, site: Site):
        site.robots("User-agent: *\nDisallow: /frame\n")
        frame = site.page("/frame", "<p>two")
        fetch(site.page("/a", '<p>one<iframe src="/frame"></iframe>'))
        assert frame.hits == 0

    @pytest.mark.parametrize(
        "noise", [b"\x00\xff\xfe" * 100, b"Disallow: /\n", b"User-agent: *\nDisallow: [(*$"]
    )
    def test_noise_is_no_rule(self, site: Site, noise: bytes):
        site.page("/robots.txt", noise)
        assert body(site.page("/a", "<p>one")) == b"<p>one"

    def test_the_operator_may_switch_it_off(self, site: Site):
        site.robots("User-agent: *\nDisallow: /\n")
        assert body(site.page("/a", "<p>one"), obey_robots=False) == b"<p>one"
        assert site.hits("/robots.txt") == 0

    def test_a_host_that_is_not_there_is_not_mistaken_for_welcome(self, site: Site):
        page = site.page("/a", "<p>one")
        site.page("/robots.txt").breaks(after_bytes=None)
        with pytest.raises(PageUnreachable):
            fetch(page)
        assert page.hits == 0


def answer(**headers: str) -> Answer:
    return Answer(url="http://a/", status=429, body=b"", headers=tuple(headers.items()))


class TestRetryAfter:
    def test_in_seconds(self):
        assert retry_after(answer(**{"Retry-After": "90"})) == 90_000

    def test_until_a_date_by_the_servers_own_clock(self):
        date = datetime(2001, 1, 1, tzinfo=UTC)
        headers = {"Retry-After": _http(date + timedelta(minutes=5)), "Date": _http(date)}
        assert retry_after(answer(**headers)) == 300_000
        now = date + timedelta(minutes=1)
        assert retry_after(answer(**{"Retry-After": headers["Retry-After"]}), now) == 240_000

    @pytest.mark.parametrize("said", ["", "soon", "-5", "1.5", "Mon, 99 Foo 2001", "٣"])
    def test_what_cannot_be_read_is_not_said(self, said: str):
        assert retry_after(answer(**{"Retry-After": said})) == 0

    def test_never_longer_than_a_day(self):
        assert retry_after(answer(**{"Retry-After": "9" * 40})) == LONGEST

    @pytest.mark.parametrize("status", [429, 503])
    def test_both_forms_from_a_real_server(self, site: Site, status: int):
        page = site.page("/a").answers(status, retry_after=datetime.now(UTC) + timedelta(seconds=60))
        with pytest.raises(HostBusy) as caught:
            fetch(page)
        assert 55_000 <= caught.value.wait <= 61_000


def _http(date: datetime) -> str:
    return date.strftime("%a, %d %b %Y %H:%M:%S GMT")


def check(**more: Any) -> CheckResult:
    return CheckResult(page=1, asked=0, due=0, failures=0, look=Look(why="due", decision="x"), **more)


class TestVisit:
    FINE, DOWN = check(), check(host_down=True)

    def test_a_host_that_is_there_rests_for_its_delay(self):
        visit = Visit()
        for result in (self.FINE, self.DOWN, self.FINE):
            visit.saw(result)
        assert not visit.over
        assert (visit.after(1000, 0.5).rest, visit.after(1000, 0.5).failures) == (1000, 0)

    def test_twice_in_a_row_is_enough(self):
        visit = Visit()
        visit.saw(self.DOWN)
        assert not visit.over
        visit.saw(self.DOWN)
        assert visit.over
        assert visit.after(1000, 0).rest == FIRST_REST
        assert visit.after(1000, 0).failures == 1

    def test_one_who_was_missing_gets_one_chance(self):
        visit = Visit(failures_before=3)
        visit.saw(self.DOWN)
        assert visit.over
        assert (visit.after(1000, 0).rest, visit.after(1000, 0).failures) == (8 * FIRST_REST, 4)

    def test_one_who_is_back_is_forgiven(self):
        visit = Visit(failures_before=7)
        visit.saw(self.FINE)
        assert not visit.over
        assert visit.after(1000, 0).failures == 0

    def test_a_rest_that_is_asked_for_is_given_at_once(self):
        visit = Visit()
        visit.saw(check(host_down=True, host_wait=120_000))
        assert visit.over
        assert visit.after(1000, 0).rest == 120_000

    @given(st.integers(1, 10_000), st.floats(0, 1))
    def test_rests_grow_and_stay_within_bounds(self, failures: int, chance: float):
        assert rest_after(failures) <= rest_after(failures + 1) <= LONGEST_REST
        assert rest_after(failures) <= spread(rest_after(failures), chance) <= 1.25 * LONGEST_REST


def test_a_whole_host_in_trouble_is_told_apart_from_a_page_in_trouble(site: Site):
    with pytest.raises(PageUnreachable) as caught:
        fetch(site.page("/a").answers(500))
    assert not isinstance(caught.value, HostUnreachable | HostBusy)


def saw(*results: tuple[bool, int], before: int = 0) -> Visit:
    """Returns a visit after results that say whether the host was down, and the rest that it asked for."""
    visit = Visit(before)
    for down, wait in results:
        look = Look(why="due", decision="same")
        visit.saw(CheckResult(page=1, asked=0, due=0, failures=0, look=look, host_down=down, host_wait=wait))
    return visit


DOWN, UP = (True, 0), (False, 0)


@pytest.mark.parametrize(
    ("visit", "over", "failures", "rest"),
    [
        (saw(), False, 0, 7),
        (saw(UP), False, 0, 7),
        (saw(DOWN), False, 1, 7),
        (saw(DOWN, DOWN), True, 1, 10_000),
        (saw(DOWN, UP, DOWN), False, 1, 7),
        (saw(DOWN, before=1), True, 2, 20_000),
        (saw(UP, DOWN, before=3), False, 1, 7),
        (saw((False, 1)), True, 0, 7),
        (saw((False, 60_000)), True, 0, 60_000),
        (saw((True, 60_000)), True, 1, 60_000),
        (saw((True, 60_000), (True, 5)), True, 1, 60_000),
        (saw(DOWN, before=30), True, 31, LONGEST_REST),
    ],
)
def test_the_course_of_a_visit(visit: Visit, over: bool, failures: int, rest: int):
    after = visit.after(7, 0.0)
    assert (visit.over, after.failures, after.rest) == (over, failures, rest)
