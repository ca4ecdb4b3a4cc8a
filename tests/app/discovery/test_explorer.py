"""The worker starts, resumes, cancels and fails searches for services; two workers never share one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.discover.little_web import blast_page
from tests.site import Site
from webvigil.app.discovery.explorer import Explorer
from webvigil.app.discovery.requests import (
    MOST_OPEN,
    cancel,
    class_text,
    discovery_as_json,
    service_as_json,
    start,
    tables_as_json,
)
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import MistakeInText, NotFound, SettingRefused
from webvigil.language import parse
from webvigil.model.discovery import Counted, WantedServices
from webvigil.model.work import HostAfter
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge

FORM = "<form action=/cgi/{0}><textarea name=sequence></textarea><button>Search</button></form>"


@pytest.fixture
def genomes(site: Site) -> Site:
    names = [f"{species}-blast" for species in ("mouse", "yeast", "frog")]
    site.page("/", "<title>Genomes</title>" + "".join(f"<a href=/{name}>{name}</a>" for name in names))
    for name in names:
        site.page(f"/{name}", f"<title>{name}</title><h1>{name}</h1>{FORM.format(name)}")
        site.page(f"/cgi/{name}", blast_page)
    return site


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    about = {"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
    return read_settings({"data": str(tmp_path)}, environment=about)


@pytest.fixture
def knowledge() -> Knowledge:
    made = MemoryKnowledge()
    made.users.add("jill")
    return made


def wanted(seed: str, **more: Any) -> WantedServices:
    about: dict[str, Any] = {"service": "dna-blast", "description": class_text("dna-blast"), "seeds": (seed,)}
    return WantedServices(**about | more)


def explore(
    knowledge: Knowledge,
    settings: Settings,
    until: Callable[[Explorer], Awaitable[bool]],
    within: float = 60.0,
) -> None:
    """Lets an explorer work, turn after turn, until the condition `until` holds."""

    async def work() -> None:
        async with http_fetcher(settings) as fetcher:
            explorer = Explorer(knowledge.discoveries, settings, fetcher, schedule=knowledge.schedule)
            running = asyncio.create_task(explorer.explore_for_ever())
            try:
                async with asyncio.timeout(within):
                    while not await until(explorer):
                        await asyncio.sleep(0.01)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())


def all_over(knowledge: Knowledge) -> Callable[[Explorer], Awaitable[bool]]:
    async def over(_: Explorer) -> bool:
        return not knowledge.discoveries.open()

    return over


def test_a_search_and_a_look_keep_one_pause_between_them(
    knowledge: Knowledge, settings: Settings, genomes: Site
):
    install_text(
        knowledge, replace(settings, user="jill"), f"Create Sentinel s1 Using {genomes.url}/elsewhere"
    )
    (claim,) = knowledge.schedule.claim("w1", hosts=1, pages=1, lease=60_000)
    start(knowledge, settings, "jill", wanted(genomes.url))

    async def a_while_later(_: Explorer) -> bool:
        await asyncio.sleep(2.5)
        return True

    explore(knowledge, settings, a_while_later)
    assert genomes.requests == [], "a worker looks at the host"
    knowledge.schedule.finish(claim, [], HostAfter(rest=0))
    explore(knowledge, settings, all_over(knowledge))
    assert genomes.requests


def test_what_a_user_asks_for_is_found_counted_and_told(
    knowledge: Knowledge, settings: Settings, genomes: Site
):
    made = start(knowledge, settings, "jill", wanted(genomes.url, hints=("blast",)))
    explore(knowledge, settings, all_over(knowledge))
    done = discovery_as_json(knowledge.discoveries.get("jill", made.id))
    assert (done["state"], done["why"]) == ("done", "there is nothing left to visit")
    assert (done["pages"], done["forms"], done["services"]) == (4, 3, 3)
    found = [service_as_json(one) for one in knowledge.discoveries.services("jill", made.id)]
    assert {one["url"] for one in found} == {
        f"{genomes.url}/{one}-blast" for one in ("mouse", "yeast", "frog")
    }
    assert sum(one["probes"] for one in found) == done["probes"] > 3
    assert parse(found[0]["sentinel"])
    tables = tables_as_json(knowledge.discoveries.steps(made.id))
    assert tables[-1]["rows"][-1] == ["4", "3"]


def test_a_search_that_was_cut_off_goes_on_where_it_was(
    knowledge: Knowledge, settings: Settings, genomes: Site
):
    last = genomes.page("/last", "<title>Last</title>").hangs()
    genomes.page("/frog-blast", "<title>frog</title>" + FORM.format("frog-blast") + "<a href=/last>last</a>")
    made = start(knowledge, settings, "jill", wanted(genomes.url))

    async def some_found(_: Explorer) -> bool:
        return knowledge.discoveries.get(None, made.id).counted.services >= 1

    explore(knowledge, settings, some_found)
    cut_off = knowledge.discoveries.get(None, made.id)
    assert cut_off.state == "running"
    last.answers_normally()
    explore(knowledge, settings, all_over(knowledge))
    assert knowledge.discoveries.get(None, made.id).state == "done"
    asked = Counter((one.path, one.query) for one in genomes.requests if one.path.startswith("/cgi"))
    assert set(asked.values()) == {1}
    assert knowledge.discoveries.get(None, made.id).counted.pages == 5


def test_a_cancelled_search_stops_and_keeps_what_it_found(
    knowledge: Knowledge, settings: Settings, site: Site
):
    site.page("*", lambda request: f"<title>{request.path}</title><a href={request.path}x>on</a>")
    made = start(knowledge, settings, "jill", wanted(site.url + "/a", pages=5_000, depth=100))

    async def some_pages(_: Explorer) -> bool:
        if knowledge.discoveries.get(None, made.id).counted.pages < 3:
            return False
        cancel(knowledge, "jill", made.id)
        return True

    explore(knowledge, settings, some_pages)
    seen = len(site.requests)
    explore(knowledge, settings, all_over(knowledge))
    assert len(site.requests) <= seen + 1
    ended = knowledge.discoveries.get("jill", made.id)
    assert (ended.state, ended.why) == ("cancelled", "cancelled by its owner")
    assert cancel(knowledge, "jill", made.id) == ended


def test_a_search_whose_steps_another_writes_is_left_to_them(
    knowledge: Knowledge, settings: Settings, genomes: Site
):
    made = start(knowledge, settings, "jill", wanted(genomes.url))
    knowledge.discoveries.begin(made.id)
    steps = knowledge.discoveries.steps

    def meanwhile(discovery: int) -> list[dict[str, Any]]:
        """Returns the steps as they were, after another worker has written the first one."""
        known = steps(discovery)
        knowledge.discoveries.append(
            discovery, 0, {"step": "started", "service": "x", "frontier": "x"}, Counted()
        )
        return known

    knowledge.discoveries.steps = meanwhile  # type: ignore[method-assign]

    async def tried(explorer: Explorer) -> bool:
        return bool(steps(made.id))

    explore(knowledge, settings, tried)
    assert len(steps(made.id)) == 1
    assert genomes.requests == []


def test_a_search_that_cannot_be_done_says_why(knowledge: Knowledge, settings: Settings):
    made = knowledge.discoveries.add("jill", wanted("http://a.test/", description="<serviceclass/>"))
    explore(knowledge, settings, all_over(knowledge))
    ended = knowledge.discoveries.get("jill", made.id)
    assert ended.state == "failed"
    assert "line 1" in ended.why


def test_what_cannot_be_done_is_refused_before_it_waits(knowledge: Knowledge, settings: Settings):
    def refused(**more: Any) -> None:
        start(knowledge, settings, "jill", wanted("http://a.test/", **more))

    for more, words in (
        ({"seeds": ()}, "at least one address"),
        ({"seeds": ("nowhere",)}, "not a web address"),
        ({"seeds": ("http://a.test/",) * 501}, "at most 500"),
        ({"frontier": "lucky"}, "no way to crawl"),
        ({"frontier": "hint"}, "--hint WORD"),
        ({"hints": ("=3",)}, "is no hint"),
        ({"pages": 0}, "between 1 and"),
        ({"probes_per_form": 10_000}, "200 times at most"),
    ):
        with pytest.raises(SettingRefused, match=words):
            refused(**more)
    with pytest.raises(MistakeInText):
        refused(description="no xml")
    assert knowledge.discoveries.all() == []


def test_one_user_has_a_few_searches_at_a_time(knowledge: Knowledge, settings: Settings):
    made = [start(knowledge, settings, "jill", wanted("http://a.test/")) for _ in range(MOST_OPEN)]
    with pytest.raises(SettingRefused, match="searches of yours are under way"):
        start(knowledge, settings, "jill", wanted("http://a.test/"))
    cancel(knowledge, "jill", made[0].id)
    start(knowledge, settings, "jill", wanted("http://a.test/"))
    with pytest.raises(NotFound):
        cancel(knowledge, "jack", made[1].id)


def test_who_has_not_the_duty_does_nothing(knowledge: Knowledge, settings: Settings, genomes: Site):
    start(knowledge, settings, "jill", wanted(genomes.url))

    async def work() -> None:
        async with http_fetcher(settings) as fetcher:
            await Explorer(knowledge.discoveries, settings, fetcher).turn(ours=False)

    asyncio.run(work())
    assert genomes.requests == []
    assert knowledge.discoveries.all()[0].state == "waiting"
