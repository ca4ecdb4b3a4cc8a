"""What one worker does for all personal agents, ours and those of peers, from time to time (B2)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from webvigil.app.operating.stores import repository
from webvigil.app.pages.documents import signature_of
from webvigil.app.peers.agents import admit, house_of, rest, watch_again
from webvigil.app.settings import Settings
from webvigil.community.broadcasting import Board
from webvigil.community.homes import Home
from webvigil.community.mediator import Broker, PostOffice
from webvigil.community.openness import OpenHosts
from webvigil.community.sending import Post
from webvigil.errors import WebVigilError
from webvigil.store.promises import Knowledge

_log = logging.getLogger("webvigil.agents")
EVERY = 5.0


def broker_of(knowledge: Knowledge, settings: Settings) -> Broker:
    return Broker(knowledge, partial(admit, knowledge, settings), house_of(settings))


def home_of_agents(knowledge: Knowledge, settings: Settings) -> Home:
    pages, again = repository(settings), partial(watch_again, knowledge)
    return Home(knowledge, pages, signature_of, again, partial(rest, knowledge))


class Agency:
    def __init__(self, knowledge: Knowledge, settings: Settings, post: Post) -> None:
        self._post = post
        self._broker = broker_of(knowledge, settings)
        self._home = home_of_agents(knowledge, settings)
        self._board = Board(knowledge)
        hosts = OpenHosts(settings.share_networks)
        self._office = PostOffice(post, knowledge, repository(settings), hosts, house_of(settings))

    async def turn(self) -> None:
        await asyncio.to_thread(self._broker.turn)
        await self._office.turn()
        await self._home.turn(self._post)
        await self._board.turn(self._post)

    async def for_ever(self, held: Callable[[], bool], every: float = EVERY) -> None:
        while True:
            try:
                if await asyncio.to_thread(held):
                    await self.turn()
            except WebVigilError as error:
                _log.warning("agents wait: %s", error)
            await asyncio.sleep(every)
