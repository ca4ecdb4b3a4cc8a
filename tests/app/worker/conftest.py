"""A user whose pages are looked at, on both kinds of knowledge base."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fetch.fetching import LOOPBACK
from tests.store.conftest import Clock
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.fetch.http import HttpFetcher
from webvigil.flow import check
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge


class Watching:
    """A user with sentinels, and looks at their pages as a worker makes them.

    As in a worker, there is one event loop and one fetcher. A loop and a fetcher for each look would take a
    third of the time of these tests.
    """

    def __init__(self, knowledge: Knowledge, clock: Clock) -> None:
        self.clock = clock
        self._objects = MemoryObjects()
        self.works_with(knowledge)
        self.knowledge.users.add("jill")
        self._runner = asyncio.Runner()
        self._fetcher = HttpFetcher(user_agent="test", allowed=LOOPBACK)
        self._runner.run(self._fetcher.__aenter__())

    def works_with(self, knowledge: Knowledge) -> None:
        """Goes on with a knowledge base that was opened anew; the stored pages stay."""
        self.knowledge = knowledge
        self.pages = PageRepository(self._objects, knowledge.versions.deltas)

    def installs(self, text: str) -> None:
        allowed = {"user": "jill", "allow_networks": "127.0.0.0/8"}
        install_text(self.knowledge, read_settings(allowed, environment={}), text)
        self.looks()

    def looks(self, *, errors: bool = False, after: int = 3600) -> None:
        """Looks at all due pages, `after` so many seconds. With `errors`, a look may end in trouble."""
        self.clock.passes(seconds=after)
        self._runner.run(self._look(errors))

    async def _look(self, errors: bool) -> None:
        stages = RealStages(self._fetcher, self.knowledge, self.pages)
        for claim in self.knowledge.schedule.claim("w", hosts=9, pages=9, lease=30_000):
            results = [await check(due, claim.now, stages) for due in claim.pages]
            assert errors or [one.look.error for one in results] == [""] * len(results)
            assert self.knowledge.schedule.finish(claim, results)

    def close(self) -> None:
        self._runner.run(self._fetcher.__aexit__(None, None, None))
        self._runner.close()
        self.knowledge.close()

    def told(self) -> list[tuple[int, int]]:
        """Returns the two versions of each change, oldest first."""
        return [(one.old_version, one.new_version) for one in reversed(self.knowledge.changes.all())]


@pytest.fixture(params=["memory", "sqlite"])
def watching(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watching]:
    clock = Clock()
    if request.param == "memory":
        knowledge: Knowledge = MemoryKnowledge(delay=0, clock=clock)
    else:
        knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'k.sqlite3'}", delay=0, clock=clock)
    watching = Watching(knowledge, clock)
    yield watching
    watching.close()
