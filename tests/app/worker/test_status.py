"""A sentinel on the state of a page, from its text to what its user is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from tests.store.making import claim_all
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.fetch.http import HttpFetcher
from webvigil.flow import check
from webvigil.model.wanted import WantedChanges
from webvigil.model.work import HostAfter
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

HOUR = 3_600_000


class Watching:
    def __init__(self, folder: Path, text: str) -> None:
        self.now = 1_800_000_000_000
        self.knowledge = MemoryKnowledge(clock=lambda: self.now, delay=0)
        self.knowledge.users.add("me")
        settings = read_settings({"data": str(folder), "allow_networks": "127.0.0.0/8"}, environment={})
        install_text(self.knowledge, settings, text)
        self._pages = PageRepository(MemoryObjects())

    def look(self) -> list[str]:
        """Looks once, and returns what was told: the object and what it is now."""
        before = len(self._changes())
        asyncio.run(self._look())
        self.now += 2 * HOUR
        return [
            f"{one.object}: {one.after}"
            for change in self._changes()[: len(self._changes()) - before]
            for finding in change.findings
            for one in finding.objects
        ]

    def _changes(self):
        return self.knowledge.changes.some(WantedChanges(user="me", limit=50))

    async def _look(self) -> None:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, self.knowledge, self._pages)
            for claim in claim_all(self.knowledge):
                results = [await check(due, self.now, stages) for due in claim.pages]
                assert self.knowledge.schedule.finish(claim, results, HostAfter(rest=0))
                states = [
                    one.failures
                    for one, due in zip(results, claim.pages, strict=True)
                    if due.page.render == "status"
                ]
                assert states == [0] * len(states)


def test_a_page_that_comes_and_goes(site: Site, tmp_path: Path):
    page = site.page("/next", "<p>soon").answers(404)
    watching = Watching(tmp_path, f"Create Sentinel s Using {page.url} Monitor status Fetch 1 hour")
    assert watching.look() == []
    assert watching.look() == []
    page.answers_normally()
    assert watching.look() == ["state: up", "status: 200 OK"]
    page.becomes("<p>another text is no other state")
    assert watching.look() == []
    site.goes_down()
    assert [one.partition(" (")[0] for one in watching.look()] == ["state: down"]
    assert watching.look() == []
    site.comes_back()
    assert watching.look() == ["state: up"]
    page.redirects_to(site.page("/other", "<p>x"))
    assert watching.look() == [f"address: {site.url}/other"]


def test_conditions_on_the_status(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>x").answers(404)
    watching = Watching(
        tmp_path, f"Create Sentinel s Using {page.url} Monitor status When becomes status 200 Fetch 1 hour"
    )
    assert watching.look() == []
    page.answers(500)
    assert watching.look() == []
    page.answers_normally()
    assert watching.look() == ["state: up", "status: 200 OK"]
    page.redirects_to(site.page("/other", "<p>x"))
    assert watching.look() == []


def test_a_sentinel_on_another_one_watches_the_state_or_the_page_as_it_says(site: Site, tmp_path: Path):
    page = site.page("/a", "<p>one")
    texts = [
        f"Create Sentinel page Using {page.url} Monitor any change Fetch 1 hour",
        "Create Sentinel alive Using sentinel page Monitor status Fetch 1 hour",
        "Create Sentinel words Using sentinel alive Monitor all words Fetch 1 hour",
    ]
    watching = Watching(tmp_path, "\n".join(texts))
    watching.look()
    page.becomes("<p>two")
    assert len(watching.look()) == 2
    site.page("/a").answers(503)
    told = watching.look()
    assert told == ["state: down", "status: 503 Service Unavailable"]
