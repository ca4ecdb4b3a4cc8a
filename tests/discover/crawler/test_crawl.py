"""A crawl over a real site on loopback: what it visits, what it leaves alone, and how it is resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from tests.discover.crawling import crawl, failures, outcomes, read_of, services_found, visited
from tests.site import Site
from tests.site.log import Request
from webvigil.discover.bounds import Bounds
from webvigil.discover.crawler.progress import Progress
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.steps import Begun, Judged, Read, Started, Step, step_as_json, step_from_json
from webvigil.discover.crawler.trail import CrawlStopped, FileTrail, MemoryTrail, read_trail, recorded_visits
from webvigil.errors import SettingRefused

FORM = "<form action=/answer><input name=q value=x><button>Go</button></form>"
FILLER = "<p>" + "These words are the same wherever one comes to look at them. " * 6


def paths(site: Site, steps: list[Step]) -> list[str]:
    return [url.removeprefix(site.url) for url in visited(steps)]


def chain(site: Site, length: int) -> None:
    for number in range(length):
        more = f"<a href=/{number + 1}>on</a>" if number + 1 < length else ""
        site.page(f"/{number}", f"<title>{number}</title><p>Page {number} {'x' * number}</p>{more}")


class TestVisiting:
    def test_every_page_that_is_linked_is_visited_once(self, site: Site):
        site.page("/", "<a href=/a>a</a><a href=b#c>b</a>")
        site.page("/a", "<a href=/>home</a><a href=/b>b</a>")
        site.page("/b", "<a href=/a?sid=12>a</a><a href=/missing>m</a>")
        done, steps = crawl(site.url)
        assert sorted(paths(site, steps)) == ["/", "/a", "/b", "/missing"]
        assert done.why == "there is nothing left to visit"
        assert Counter(one.target for one in site.requests).most_common(1)[0][1] == 1

    def test_the_record_says_why_from_where_and_what_came(self, site: Site):
        site.page("/", "<title>Home</title><a href=/a>To A</a>")
        site.page("/a", "<title>A</title>" + FORM)
        site.page("/answer", "Found it")
        _, steps = crawl(site.url, frontier="hint", hints=("to",))
        begun = [step for step in steps if isinstance(step, Begun)]
        assert (begun[1].lead.source, begun[1].lead.words, begun[1].why) == (
            site.url + "/",
            "To A",
            "hint to",
        )
        page = read_of(steps, site.url + "/a")
        assert (page.status, page.media_type, page.title) == (200, "text/html", "A")
        assert (len(page.forms), page.parameters) == (1, 2)
        assert outcomes(steps) == [(site.url + "/a", "matched")]

    def test_what_robots_may_not_see_is_not_asked_for(self, site: Site):
        site.robots("User-agent: *\nDisallow: /private\n")
        site.page("/", "<a href=/private/x>p</a><a href=/open>o</a>")
        site.page("/open", "<form action=/private/search><input name=q></form>")
        _, steps = crawl(site.url)
        assert not any(one.path.startswith("/private") for one in site.requests)
        assert "robots.txt" in failures(steps)[site.url + "/private/x"]
        assert outcomes(steps) == [(site.url + "/open", "unreachable")]

    def test_a_page_that_is_reached_by_two_redirects_is_looked_at_once(self, site: Site):
        site.page("/", "<a href=/one>1</a><a href=/two>2</a>")
        site.page("/one").redirects_to("/there")
        site.page("/two").redirects_to("/there")
        site.page("/there", FORM)
        site.page("/answer", "")
        _, steps = crawl(site.url)
        assert len(outcomes(steps)) == 1
        assert "known" in {read_of(steps, site.url + one).dead_end[-5:] for one in ("/one", "/two")}

    def test_frames_and_refreshes_lead_on(self, site: Site):
        site.page("/", "<frameset><frame src=/left><frame src=/right></frameset>")
        site.page("/left", "<meta http-equiv=refresh content='0;url=/next'>")
        _, steps = crawl(site.url)
        assert set(paths(site, steps)) == {"/", "/left", "/right", "/next"}

    def test_pages_that_are_no_html_or_no_answer_lead_nowhere(self, site: Site):
        links = "<a href=/x>x</a>"
        site.page("/text", links, media_type="text/plain")
        site.page("/gone", links).answers(410)
        _, steps = crawl(site.url + "/text", site.url + "/gone")
        assert sorted(paths(site, steps)) == ["/gone", "/text"]

    def test_a_seed_that_is_no_address_is_refused(self):
        with pytest.raises(SettingRefused, match="not a web address"):
            crawl("nowhere")


class TestManners:
    def test_a_host_rests_between_two_requests(self, site: Site):
        chain(site, 4)
        crawl(site.url + "/0", delay=0.15, at_a_time=4)
        assert min(site.gaps[1:]) >= 0.14  # the first request is for robots.txt
        assert site.most_concurrent == 1

    def test_a_host_that_is_not_there_is_left_alone_and_delays_nobody(
        self, site: Site, another_site: Callable[..., Site]
    ):
        gone = another_site("127.0.0.2")
        links = "".join(f"<a href={gone.url}/{n}>x</a>" for n in range(20))
        gone.goes_down()
        site.page("/", links + "<a href=/here>here</a>")
        _, steps = crawl(site.url, at_a_time=4)
        assert site.url + "/here" in visited(steps)
        assert len([one for one in failures(steps).values() if "no connection" in one]) <= 2
        assert len(failures(steps)) < 8

    def test_a_host_that_asks_for_a_long_rest_gets_it(self, site: Site, another_site: Callable[..., Site]):
        busy = another_site("127.0.0.2")
        busy.page("*").answers(429, retry_after=3600)
        site.page("/", "".join(f"<a href={busy.url}/{n}>x</a>" for n in range(9)))
        crawl(site.url)
        assert len([one for one in busy.requests if one.path != "/robots.txt"]) <= 1

    def test_a_form_is_asked_once_however_many_pages_it_stands_on(self, site: Site):
        for number in range(6):
            own = f"<form action=/own/{number}><input name=a value={number}></form>"
            links = "".join(f"<a href=/{n}>{n}</a>" for n in range(6))
            site.page(f"/{number}", f"<title>{number}</title>{FORM}{own}{links}")
        answer = site.page("/answer", "Found it")
        _, steps = crawl(site.url + "/0", at_a_time=3)
        assert answer.hits == 1
        assert services_found(steps) == 1
        assert len(outcomes(steps)) == 7
        assert sum(one.path.startswith("/own/") for one in site.requests) == 6

    def test_a_site_is_not_asked_more_than_it_may_be_together(self, site: Site):
        seen: list[int] = []

        async def counting(page, answer, service, ask, bounds):  # type: ignore[no-untyped-def]
            from tests.discover.crawling import asks_once

            seen.append(bounds.probes_per_site)
            return await asks_once(page, answer, service, ask, bounds)

        for number in range(3):
            site.page(
                f"/{number}", f"<title>{number}</title><form action=/own/{number}><input name=a></form>"
            )
            site.page(f"/own/{number}", "")
        crawl(*(f"{site.url}/{n}" for n in range(3)), analyse=counting, bounds=Bounds(probes_per_site=2))
        assert seen == [2, 1, 0]

    def test_a_dry_run_asks_nothing_and_says_what_it_would_ask(self, site: Site):
        site.page("/", FORM)
        answer = site.page("/answer", "Found it")
        _, steps = crawl(site.url, dry_run=True)
        assert answer.hits == 0
        (judged,) = [step for step in steps if isinstance(step, Judged)]
        assert judged.asked == ({"method": "GET", "url": site.url + "/answer", "fields": {"q": "x"}},)


class TestTraps:
    """Each of these sites has endlessly many addresses; the crawl ends all the same."""

    def test_a_calendar(self, site: Site):
        def month(request: Request) -> str:
            number = int(request.path.rpartition("/")[2])
            return (
                f"<title>{number}</title><a href=/cal/{number + 1}>next</a><a href=/cal/{number - 1}>back</a>"
            )

        site.robots("")
        site.page("*", month)
        _, steps = crawl(site.url + "/cal/5000", reach=Reach(alike=10))
        assert len(visited(steps)) <= 11

    def test_a_folder_that_holds_itself(self, site: Site):
        site.page("*", lambda request: f"<p>{request.path}</p><a href=sub/>down</a>")
        done, steps = crawl(site.url + "/x/", reach=Reach(depth=1000))
        assert len(visited(steps)) <= 4
        assert done.why == "there is nothing left to visit"

    def test_a_number_for_every_visit(self, site: Site):
        chance = Random(1)

        def links(_: Request) -> str:
            number = chance.random()
            return f"<a href='/a?PHPSESSID={number}'>a</a><a href='/a;jsessionid={number}'>b</a>"

        site.page("*", links)
        _, steps = crawl(site.url)
        assert sorted(paths(site, steps)) == ["/", "/a"]

    def test_ever_new_addresses_for_the_same_text(self, site: Site):
        chance = Random(2)

        def page(_: Request) -> str:
            names = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(5)]
            return FILLER + "".join(f"<a href=/{name}>{chance.randrange(99)}</a>" for name in names)

        site.page("*", page)
        done, steps = crawl(site.url, reach=Reach(twins=3, depth=1000))
        assert done.why == "there is nothing left to visit"
        assert len(visited(steps)) <= 1 + 3 * 5

    def test_a_page_that_leads_to_ten_thousand_others(self, site: Site):
        site.page("/", "".join(f"<a href=/{chr(97 + n % 26)}{n}.html>{n}</a>" for n in range(10_000)))
        done, steps = crawl(site.url, reach=Reach(links_per_page=50, pages_per_host=20))
        assert len(visited(steps)) == 20
        assert done.why == "there is nothing left to visit"

    def test_a_web_without_end_stops_at_the_bound_of_pages_and_of_memory(self, site: Site):
        chance = Random(3)
        site.page("*", lambda _: "".join(f"<a href=/{chance.getrandbits(60):x}/p>{n}</a>" for n in range(30)))
        seen: list[Progress] = []
        done, _steps = crawl(
            site.url,
            reach=Reach(pages=25, known=100, alike=10_000, twins=10_000),
            watch=lambda step, progress: seen.append(progress),
        )
        assert done.why == "25 pages were visited"
        assert len(seen[-1].known) <= 100

    def test_time_is_a_bound_as_well(self, site: Site):
        chain(site, 100)
        done, steps = crawl(site.url + "/0", delay=0.1, reach=Reach(seconds=0.35))
        assert done.why == "0.35 seconds are over"
        assert len(visited(steps)) < 10


class Killed(Exception):
    pass


class CutOff(MemoryTrail):
    """Raises Killed before or after the n-th step is written."""

    def __init__(self, at: int, *, written: bool) -> None:
        super().__init__()
        self._at = at
        self._written = written

    async def append(self, step: Step) -> None:
        last = len(self.steps) + 1 == self._at
        if last and not self._written:
            raise Killed
        await super().append(step)
        if last:
            raise Killed


class TestGoingOn:
    def little_site(self, site: Site) -> None:
        site.page("/", "<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>")
        for number, name in enumerate("abc"):
            form = f"<form action=/answer/{name}><input name=q value=1></form>"
            site.page(
                f"/{name}", f"<title>{name}</title><p>{'y' * number}</p>{form}<a href=/{name}/deep>deep</a>"
            )
            site.page(f"/answer/{name}", "Found it")
            site.page(f"/{name}/deep", f"<title>{name}</title><p>deep</p>")

    @pytest.mark.parametrize("strategy", ["learned", "random", "hint"])
    @pytest.mark.parametrize("written", [True, False])
    def test_killed_at_any_step_it_visits_and_asks_nothing_twice(
        self, another_site: Callable[..., Site], strategy: str, written: bool
    ):
        whole = another_site()
        self.little_site(whole)
        _, all_steps = crawl(whole.url, frontier=strategy, hints=("b",))
        assert len(visited(all_steps)) == 7
        assert services_found(all_steps) == 3
        for at in range(1, len(all_steps) + 1, 2):
            site = another_site()
            self.little_site(site)
            trail = CutOff(at, written=written)
            with pytest.raises(Killed):
                crawl(site.url, trail=trail, frontier=strategy, hints=("b",))
            before = list(trail.steps)
            _, after = crawl(site.url, frontier=strategy, hints=("b",), steps=before)
            came = Counter(step.url for step in [*before, *after] if isinstance(step, Read))
            assert set(came.values()) == {1}
            assert len(came) == 7
            asked = Counter(one.path for one in site.requests if one.path.startswith("/answer"))
            assert set(asked.values()) <= {1}
            again = Counter(one.path for one in site.requests)
            assert sum(count - 1 for path, count in again.items() if path != "/robots.txt") <= 1
            assert services_found([*before, *after]) >= 2

    def test_one_that_has_ended_does_nothing_more(self, site: Site):
        chain(site, 2)
        done, steps = crawl(site.url + "/0")
        hits = len(site.requests)
        again, more = crawl(site.url + "/0", steps=steps)
        assert again == done
        assert more == []
        assert len(site.requests) == hits

    def test_a_recorded_crawl_is_followed_to_the_same_pages_in_the_same_order(
        self, site: Site, tmp_path: Path
    ):
        self.little_site(site)
        trail = FileTrail(tmp_path / "trail.jsonl", resume=False)
        crawl(site.url, trail=trail, frontier="random", chance=5)
        trail.close()
        way = recorded_visits((tmp_path / "trail.jsonl").read_text())
        assert len(way) == 7
        _, steps = crawl(*way, frontier="trace", at_a_time=4)
        assert visited(steps) == way

    def test_a_trail_that_was_cut_off_in_the_middle_of_a_line_is_whole_again(
        self, site: Site, tmp_path: Path
    ):
        chain(site, 3)
        file = tmp_path / "trail.jsonl"
        trail = FileTrail(file, resume=False)
        crawl(site.url + "/0", trail=trail)
        trail.close()
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[:4]) + lines[4][:20])
        again = FileTrail(file, resume=True)
        assert len(again.steps) == 4
        crawl(site.url + "/0", trail=again, steps=list(again.steps))
        again.close()
        assert len(set(visited(read_trail(file)))) == 3

    def test_a_file_that_is_no_trail_is_refused(self, tmp_path: Path):
        file = tmp_path / "notes.txt"
        for content in ("hello\n", "[1]\n", '{"step": "walked"}\n', '{"step": "read"}\n', '{"a": 1}\n'):
            file.write_text(content)
            with pytest.raises(SettingRefused, match="no step of a crawl"):
                FileTrail(file, resume=True)
        file.write_bytes(b"\xff\xfe\n")
        with pytest.raises(SettingRefused, match="no recorded crawl"):
            read_trail(file)

    def test_a_crawl_that_was_taken_away_stops_at_once(self, site: Site):
        class TakenAway(MemoryTrail):
            async def append(self, step: Step) -> None:
                if len(self.steps) > 3:
                    raise CrawlStopped
                await super().append(step)

        chain(site, 30)
        with pytest.raises(CrawlStopped):
            crawl(site.url + "/0", trail=TakenAway(), at_a_time=3)
        assert len(site.requests) < 6

    def test_steps_are_the_same_after_they_were_written_and_read(self, site: Site):
        self.little_site(site)
        _, steps = crawl(site.url, dry_run=True)
        assert [step_from_json(step_as_json(one)) for one in steps] == steps
        assert isinstance(steps[0], Started)


def test_a_crawl_has_limits_unless_others_are_given():
    limits = {"pages": 200, "pages_per_host": 100, "depth": 8, "links_per_page": 200, "alike": 30, "twins": 3}
    assert asdict(Reach()) == limits | {"known": 50_000, "seconds": 3_600.0}
