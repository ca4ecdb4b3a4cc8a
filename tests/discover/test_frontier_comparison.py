"""As the thesis measured (M8), a random walk finds next to nothing where a directed crawl finds services.

All crawls have the same pages, the same class and the same budget, and use the real analyser.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.discover.crawling import crawl, services_found, visited
from tests.discover.little_web import SERVICES, SITES, little_web
from tests.site import Site
from webvigil.discover.analyser import analyse
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.report import curve_of, found_after
from webvigil.discover.crawler.steps import Step
from webvigil.discover.service import service_class

BUDGET = 180


@pytest.fixture(scope="module")
def sites() -> Iterator[list[Site]]:
    with little_web() as running:
        yield running


def found(sites: list[Site], frontier: str, *hints: str, chance: int = 0, **more: object) -> list[Step]:
    seeds = [f"{site.url}{path}" for site in sites for path in ("/papers/a.html", "/news/b.html")]
    _, steps = crawl(
        *seeds,
        f"{sites[0].url}/",
        frontier=frontier,
        hints=hints,
        chance=chance,
        reach=Reach(pages=BUDGET, depth=50),
        analyse=analyse,
        service=service_class("dna-blast"),
        **more,
    )
    assert len(visited(steps)) == BUDGET
    return steps


def test_a_crawl_by_a_hint_finds_what_a_random_walk_does_not(sites: list[Site]):  # M8
    walks = [services_found(found(sites, "random", chance=chance)) for chance in range(2)]
    directed = found(sites, "hint", "blast")
    assert services_found(directed) >= 12
    assert sum(walks) / len(walks) <= 2
    assert services_found(directed) <= SITES * SERVICES


def test_a_crawl_that_learns_needs_no_hint_and_goes_straight_on_after_the_first(sites: list[Site]):
    steps = found(sites, "learned")
    curve = curve_of(steps)
    first = curve[0][0]
    assert services_found(steps) >= 12
    assert found_after(curve, first + 20) >= 8


def test_the_way_of_a_crawl_is_walked_again_by_its_record(sites: list[Site]):
    way = visited(found(sites, "hint", "blast"))
    again = [url for url in way if url.startswith(sites[0].url)][:30]
    _, steps = crawl(*again, frontier="trace", at_a_time=4)
    assert visited(steps) == again
