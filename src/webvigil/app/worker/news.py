"""A new version in, hints for other pages and subscriptions to hubs out (F8).

An error here is logged, and the check that found the version goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from webvigil.app.pages.pushes import PushStore, Subscriber
from webvigil.app.worker.hints import HintStore, give_hints, spoken_of
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.fetch.client import Client
from webvigil.fetch.login import Seal
from webvigil.model.version import Answer
from webvigil.model.work import DuePage
from webvigil.pace.pacing import Pacing

_log = logging.getLogger("webvigil.push")
# Seconds between two rounds of renewing subscriptions.
_RENEW_EVERY = 600.0


class NewsStore(PushStore, HintStore, Protocol):
    """The parts of the knowledge base that pushes and hints need."""


class News:
    """Gives hints and subscribes to hubs when a page has a new version."""

    def __init__(
        self,
        knowledge: NewsStore,
        client: Client,
        seal: Seal,
        public_url: str,
        pacing: Pacing | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._pacing = pacing or Pacing()
        self._subscriber = Subscriber(knowledge, client, seal, public_url) if public_url else None

    async def of(self, due: DuePage, answer: Answer, old: PageDigest | None, new: PageDigest) -> None:
        """Gives hints to the pages that a new version names, and subscribes to its hub. Errors are only
        logged."""
        try:
            spoken = spoken_of(old, new)
            others = [address for address in spoken if address != due.page.url]
            if others:
                await asyncio.to_thread(give_hints, self._knowledge, others, due.page.host, self._pacing)
            if self._subscriber:
                await self._subscriber.noticed(due.id, answer)
        except WebVigilError as error:
            _log.warning("Cannot pass on the news of %s: %s", due.page.url, error)

    async def renew_for_ever(self, ours: Callable[[], bool] = lambda: True) -> None:
        """Renews subscriptions until cancelled. `ours` tells whether this worker holds the duty at the
        moment."""
        while self._subscriber:
            try:
                if await asyncio.to_thread(ours):
                    await self._subscriber.renew()
            except WebVigilError as error:
                _log.warning("Cannot renew subscriptions to hubs now, trying again: %s", error)
            await asyncio.sleep(_RENEW_EVERY)
