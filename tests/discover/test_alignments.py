"""Of twenty alignment services all are found, one by one and in one crawl; of nineteen look-alikes none
(S3-S7)."""

from __future__ import annotations

import asyncio

import pytest

from tests.browser import needs_chromium
from tests.discover.asking import analysed, asking
from tests.discover.crawling import crawl
from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from tests.zoo.alignments import Service, answers, services, settle, traps
from webvigil.discover.analyser import analyse
from webvigil.discover.analysis import Analysis, Outcome
from webvigil.discover.bounds import Bounds
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.report import analyses_in
from webvigil.discover.service import service_class
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.client import Cookies, Limits
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page
from webvigil.model.version import Answer

BLAST = service_class("dna-blast")
PLAIN = [one for one in services() if not one.scripted]


@pytest.fixture
def zoo(site: Site) -> Site:
    for one in (*services(), *traps()):
        settle(site, one)
    site.page("/cgi-bin/blast", answers).allows("GET", "POST").validators = "none"
    site.page("/blank", "<p>nothing")
    return site


def outcome_of(one: Service) -> Outcome:
    return "possible" if one.possible else "matched"


def asked_beside_the_form(site: Site, one: Service) -> list[str]:
    return [each.path for each in site.requests if each.path.startswith(one.path) and each.path != one.path]


def test_there_are_twenty_and_nineteen():
    assert (len(services()), len(traps())) == (20, 19)
    assert len({one.name for one in (*services(), *traps())}) == 39


def test_each_service_is_found_by_itself_and_no_look_alike_is(zoo: Site):
    async def all_of_them(ask) -> dict[str, list[Analysis]]:  # type: ignore[no-untyped-def]
        bounds = Bounds(post=True)
        return {
            one.name: await analysed(ask, zoo.url + one.path, BLAST, bounds) for one in (*PLAIN, *traps())
        }

    found = asyncio.run(asking(all_of_them))
    outcomes = {name: [one.outcome for one in analyses] for name, analyses in found.items()}
    reasons = {name: [one.reason for one in analyses] for name, analyses in found.items()}
    for one in PLAIN:
        assert outcomes[one.name] == [outcome_of(one)], (one.name, reasons[one.name])
    for one in traps():
        assert outcomes[one.name] in (["refused by manners"], ["unmatched"], ["filtered"]), one.name
        if one.acts:
            assert asked_beside_the_form(zoo, one) == [], (one.name, reasons[one.name])


def test_one_crawl_finds_all_services_and_no_look_alike(zoo: Site):
    seeds = [zoo.url + one.path for one in (*PLAIN, *traps())]
    _, steps = crawl(
        *seeds, analyse=analyse, service=BLAST, reach=Reach(pages=60, depth=0), bounds=Bounds(post=True)
    )
    found = {
        one["page"].removeprefix(zoo.url): one["outcome"] for one in analyses_in(steps) if one.get("profile")
    }
    assert found == {one.path: outcome_of(one) for one in PLAIN}
    assert [one.name for one in traps() if one.acts and asked_beside_the_form(zoo, one)] == []


@needs_chromium
@pytest.mark.parametrize("name", ["scripted-form", "scripted-answer"])
def test_what_scripts_make_is_found_with_a_browser(zoo: Site, name: str):
    (one,) = (each for each in services() if each.name == name)

    async def looked() -> list[Analysis]:
        limits = Limits(timeout=60)
        async with (
            HttpFetcher(user_agent="zoo", allowed=LOOPBACK, obey_robots=False) as fetcher,
            BrowserFetcher(allowed=LOOPBACK, limits=limits) as browser,
        ):

            async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
                by_browser = page.render == "browser"
                fetched = await (
                    browser.fetch(page) if by_browser else fetcher.fetch(page, {}, cookies=cookies)
                )
                assert fetched.answer is not None
                return fetched.answer

            return await analysed(ask, zoo.url + one.path, BLAST, Bounds(post=True, browser=True))

    (found,) = asyncio.run(looked())
    assert found.outcome == "matched", found.reason
    assert found.profile is not None
    assert found.profile.steps[0].method == ("FILL" if name == "scripted-answer" else "GET")
