"""What else follows from a new version: hubs to subscribe to, and hints for other pages (F8).

Whatever goes wrong here is logged; the check that found the version goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from webvigil.app.pages.pushes import Subscriber
from webvigil.app.worker.hints import give_hints, spoken_of
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.fetch.client import Client
from webvigil.fetch.login import Seal
from webvigil.model.version import Answer
from webvigil.model.work import DuePage
from webvigil.pace.pacing import Pacing
from webvigil.store.promises import Knowledge

_log = logging.getLogger("webvigil.push")
_RENEW_EVERY = 600.0


class News:
    def __init__(
        self,
        knowledge: Knowledge,
        client: Client,
        seal: Seal,
        public_url: str,
        pacing: Pacing | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._pacing = pacing or Pacing()
        self._subscriber = Subscriber(knowledge, client, seal, public_url) if public_url else None

    async def of(self, due: DuePage, answer: Answer, old: PageDigest | None, new: PageDigest) -> None:
        try:
            spoken = spoken_of(old, new)
            others = [address for address in spoken if address != due.page.url]
            if others:
                await asyncio.to_thread(give_hints, self._knowledge, others, due.page.host, self._pacing)
            if self._subscriber:
                await self._subscriber.noticed(due.id, answer)
        except WebVigilError as error:
            _log.warning("%s: %s", due.page.url, error)

    async def renew_for_ever(self, ours: Callable[[], bool] = lambda: True) -> None:
        """`ours` tells whether it is for us to do, and not for another worker."""
        while self._subscriber:
            try:
                if await asyncio.to_thread(ours):
                    await self._subscriber.renew()
            except WebVigilError as error:
                _log.warning("subscriptions are not renewed now: %s", error)
            await asyncio.sleep(_RENEW_EVERY)
