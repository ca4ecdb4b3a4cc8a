"""The regular work of one worker for all personal agents, those of its users and those of peers (B2)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from webvigil.app.operating.stores import repository
from webvigil.app.pages.documents import signature_of
from webvigil.app.peers.agents import admit, house_of, rest, watch_again
from webvigil.app.settings import Settings
from webvigil.app.worker.writings import Writings
from webvigil.community.broadcasting import Board
from webvigil.community.homes import Home
from webvigil.community.mediator import Broker, PostOffice
from webvigil.community.openness import OpenHosts
from webvigil.community.sending import Post
from webvigil.errors import WebVigilError
from webvigil.store.promises import Knowledge

_log = logging.getLogger("webvigil.agents")
# Seconds between two turns.
EVERY = 5.0


def broker_of(knowledge: Knowledge, settings: Settings) -> Broker:
    return Broker(knowledge, partial(admit, knowledge, settings), house_of(settings))


def home_of_agents(knowledge: Knowledge, settings: Settings) -> Home:
    pages, again = repository(settings, knowledge.versions), partial(watch_again, knowledge)
    return Home(knowledge, pages, signature_of, again, partial(rest, knowledge))


class Agency:
    """Sends and recalls agents and brings their letters, as long as this worker holds the duty."""

    def __init__(self, knowledge: Knowledge, settings: Settings, post: Post) -> None:
        self._post = post
        self._broker = broker_of(knowledge, settings)
        self._home = home_of_agents(knowledge, settings)
        self._board = Board(knowledge)
        hosts = OpenHosts(settings.share_networks)
        self._office = PostOffice(
            post, knowledge, repository(settings, knowledge.versions), hosts, house_of(settings)
        )

    async def turn(self) -> None:
        await asyncio.to_thread(self._broker.turn)
        await self._office.turn()
        await self._home.turn(self._post)
        await self._board.turn(self._post)

    async def for_ever(
        self, held: Callable[[], bool], every: float = EVERY, writings: Writings | None = None
    ) -> None:
        """Does a turn every few seconds until cancelled, if `held` tells that this worker holds the duty.
        With `writings` it sleeps longer while nothing is written."""
        while True:
            seen = writings.count if writings else 0
            try:
                if await asyncio.to_thread(held):
                    await self.turn()
            except WebVigilError as error:
                _log.warning("Cannot work for the personal agents now, trying again: %s", error)
            await asyncio.sleep(every)
            if writings:
                await writings.after(seen, writings.longest - every)
