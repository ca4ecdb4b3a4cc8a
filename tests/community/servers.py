"""Several servers in one test, each with its own knowledge base, repository and address on loopback.

    async with Community(tmp_path, "a", "b") as (a, b):
        await befriend(a, b)
        a.watches(page.url)

The tests drive their workers by hand, look by look, with one clock that moves only when told to.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn
from fastapi import FastAPI

from tests.store.conftest import Clock
from tests.store.making import claim_all
from webvigil.app.operating.stores import repository
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.peers.wiring import add_peer, circle_of, identity_of, receiver_of
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.community.keys import fingerprint
from webvigil.flow import check
from webvigil.model.change import Change
from webvigil.model.peer import Peer
from webvigil.model.work import CheckResult
from webvigil.store.memory import MemoryKnowledge
from webvigil.web import peer

USUAL = {
    "allow_networks": "127.0.0.0/8",
    "share_networks": "127.0.0.0/8",
    "host_delay": "0",
    "minimum_interval": "1",
    "peer_checks": "0",
    "peer_timeout": "60",
}


class Server:
    def __init__(self, folder: Path, clock: Clock, **given: str) -> None:
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        values = {**USUAL, "data": str(folder), "public_url": self.url, **given}
        self.settings = read_settings(values, environment={})
        self.clock = clock
        self.knowledge = MemoryKnowledge(delay=0, clock=clock)
        self.knowledge.users.add("me")
        self.identity = identity_of(self.settings)

    @property
    def key(self) -> str:
        return self.identity.key

    async def __aenter__(self) -> Server:
        self._stack = AsyncExitStack()
        self.fetcher = await self._stack.enter_async_context(http_fetcher(self.settings))
        circle = await self._stack.enter_async_context(
            circle_of(self.settings, self.knowledge, self.fetcher.client, self.fetcher.delay)
        )
        assert circle
        self.circle = circle
        circle.borrower._chance = lambda: 0.5  # rare checks are never made, frequent checks always
        self.stages = RealStages(
            self.fetcher,
            self.knowledge,
            repository(self.settings, self.knowledge.versions),
            borrower=circle.borrower,
        )
        # only the routes for peers: the whole application would take long to build
        self.application = FastAPI(openapi_url=None)
        self.application.include_router(peer.router)
        self.application.state.receiver = receiver_of(self.knowledge, self.settings)
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
        await self._stack.aclose()

    async def open(self) -> None:
        config = uvicorn.Config(self.application, log_config=None, access_log=False, lifespan="off")
        self._server = uvicorn.Server(config)
        self._serving = asyncio.create_task(self._server._serve([self._door]))
        while not self._server.started:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Stops the server as if it were switched off: nobody answers at its address any more."""
        if not self._serving.done():
            self._server.should_exit = self._server.force_exit = True
            await self._serving
        self._door.close()

    # --- what people do ----------------------------------------------------------------------------------

    def watches(self, url: str, every: str = "60 second", name: str = "s1") -> None:
        text = (
            f"Create Sentinel {name} Using {url}\nMonitor any change\nQuiet off\nFetch {every}\nNotify By log"
        )
        install_text(self.knowledge, self.settings, text)

    async def adds(self, other: Server, expected: str | None = None) -> Peer:
        return await add_peer(
            self.knowledge,
            self.settings,
            self.fetcher.client,
            other.url,
            expected or fingerprint(other.key),
        )

    def peer(self, other: Server) -> Peer:
        found = self.knowledge.peers.get(other.key)
        assert found
        return found

    def believes(self, other: Server) -> None:
        """Gives the other server the record of a peer whose answers were checked many times and were
        right."""
        self.knowledge.peers.count(other.key, checked=10**6, agreed=10**6)

    @property
    def changes(self) -> list[Change]:
        return self.knowledge.changes.all("me")

    def log(self) -> list[dict[str, Any]]:
        """Returns the looks at all pages of this server, oldest first."""
        looks = [
            one
            for page in self.knowledge.sentinels.pages()
            for one in self.knowledge.journal.fetch_log(page.id)
        ]
        return sorted(looks, key=lambda look: look["at"])

    # --- what its worker does --------------------------------------------------------------------------

    async def looks(self) -> list[CheckResult]:
        """Checks all due pages once, and returns the results."""
        self.circle.borrower._known_until = 0.0
        found: list[CheckResult] = []
        for claim in claim_all(self.knowledge, pages=100):
            results = [await check(due, claim.now, self.stages) for due in claim.pages]
            assert self.knowledge.schedule.finish(claim, results)
            self.circle.rounds.wrote(results)
            found += results
        await asyncio.gather(*self.circle.rounds._hinting)
        return found

    async def turns(self) -> None:
        self.circle.rounds._wanted_until = 0.0
        await self.circle.rounds.turn()


class Community:
    def __init__(self, folder: Path, *names: str, **given: str) -> None:
        self.clock = Clock()
        self._made = [Server(folder / name, self.clock, **given) for name in names]

    async def __aenter__(self) -> list[Server]:
        self._stack = AsyncExitStack()
        return [await self._stack.enter_async_context(one) for one in self._made]

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()


async def befriend(*servers: Server) -> None:
    """Makes all servers peers of each other, and lets each announce the pages it watches."""
    for one in servers:
        for other in servers:
            if one is not other:
                await one.adds(other)
    for one in servers:
        for other in servers:
            if one is not other:
                one.believes(other)
    await announce(*servers)


async def announce(*servers: Server) -> None:
    for one in servers:
        await one.turns()
