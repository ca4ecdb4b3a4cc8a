"""Queued searches for services in, their steps and found services in the database out.

The worker that holds the duty "discoveries" runs searches beside its page checks, a few at a time. A search
that was interrupted, by a restart or because another worker took the duty over, continues from its stored
steps. A cancelled search stops at its next step.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from webvigil.app.settings import Settings
from webvigil.app.worker.writings import Writings
from webvigil.errors import WebVigilError
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.http import HttpFetcher
from webvigil.store.promises import Discoveries, Schedule

if TYPE_CHECKING:
    from webvigil.app.discovery.searcher import Searcher

_log = logging.getLogger("webvigil.explorer")

# Searches that run at the same time. More would compete with the page checks of the same process.
AT_A_TIME = 2
# Seconds between two looks for new or cancelled searches.
_GLANCE = 1.0


class Explorer:
    """Runs the open searches of all users in the background of one worker."""

    def __init__(
        self,
        discoveries: Discoveries,
        settings: Settings,
        fetcher: HttpFetcher,
        browser: BrowserFetcher | None = None,
        schedule: Schedule | None = None,
    ) -> None:
        """`schedule` has the hosts that workers look at. A search and a look never ask a host closer together
        than its pause."""
        self._discoveries = discoveries
        self._settings = settings
        self._fetcher = fetcher
        self._browser = browser
        self._schedule = schedule
        self._under_way: dict[int, asyncio.Task[None]] = {}

    async def explore_for_ever(
        self, ours: Callable[[], bool] = lambda: True, writings: Writings | None = None
    ) -> None:
        """Runs searches until cancelled. `ours` tells whether this worker holds the duty at the moment.
        Without a search under way the explorer sleeps until something is written (`writings`)."""
        try:
            while True:
                seen = writings.count if writings else 0
                try:
                    await self.turn(await asyncio.to_thread(ours))
                except WebVigilError as error:
                    _log.warning("Cannot start searches for services now, trying again: %s", error)
                if writings and not self._under_way:
                    await writings.after(seen)
                else:
                    await asyncio.sleep(_GLANCE)
        finally:
            await self._stop(list(self._under_way))

    async def turn(self, ours: bool = True) -> None:
        """Starts waiting searches, and stops running ones that have ended or that belong to another worker
        now."""
        wanted = await asyncio.to_thread(self._discoveries.open) if ours else []
        open_ = {one.id for one in wanted}
        await self._stop([one for one in self._under_way if one not in open_])
        self._under_way = {one: task for one, task in self._under_way.items() if not task.done()}
        for one in wanted:
            if len(self._under_way) < AT_A_TIME and one.id not in self._under_way:
                self._under_way[one.id] = asyncio.create_task(self._searcher.search(one))

    async def _stop(self, discoveries: Sequence[int]) -> None:
        tasks = [self._under_way.pop(one) for one in discoveries]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @cached_property
    def _searcher(self) -> Searcher:
        """The crawler takes 2 MB, so it is loaded with the first search."""
        from webvigil.app.discovery.searcher import Searcher

        return Searcher(self._discoveries, self._settings, self._fetcher, self._browser, self._schedule)
