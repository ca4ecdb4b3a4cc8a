"""Everything in one process: the worker, the dashboard and, if wanted, the demo site."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from importlib import import_module

import uvicorn
from fastapi import FastAPI

from webvigil.app.demo import demo_sentinels, start_demo
from webvigil.app.fetching import browser_fetcher, http_fetcher
from webvigil.app.installing import install
from webvigil.app.logins import logins, seal_of
from webvigil.app.news import News
from webvigil.app.opening import opened, repository, sole_worker
from webvigil.app.pacing import Pace, budget_of, pacing_of
from webvigil.app.settings import Settings
from webvigil.app.stages import RealStages
from webvigil.app.worker import Worker
from webvigil.errors import NameTaken, ServerRefused
from webvigil.language import parse
from webvigil.notify.channels import CHANNELS
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository

_LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
_GOODBYE_SECONDS = 3

# By name, as web servers do it: the web layer stands above this one.
_APPLICATION = ("webvigil.web.application", "create_application")

Announce = Callable[[Knowledge, str], None]


async def serve(settings: Settings, announce: Announce, *, demo: bool, work: bool) -> None:
    """Runs until it is told to stop. `announce` is called when the dashboard answers."""
    if demo:
        settings = replace(settings, allow_networks=(*settings.allow_networks, _LOOPBACK))
    with (
        _listening(settings.host, settings.port) as door,
        opened(settings) as knowledge,
        sole_worker(settings, knowledge) if work else contextlib.nullcontext(),
    ):
        pages = repository(settings)
        async with _demo(settings, knowledge) if demo else contextlib.nullcontext():
            web = _WebServer(
                _application(knowledge, settings), door, lambda: announce(knowledge, _address(door))
            )
            workers: list[Worker] = []
            working = asyncio.create_task(_work(settings, knowledge, pages, workers.append)) if work else None
            await _run(web, working, workers)


def _application(knowledge: Knowledge, settings: Settings) -> FastAPI:
    module, name = _APPLICATION
    made = getattr(import_module(module), name)(knowledge, settings)
    assert isinstance(made, FastAPI)
    made.state.seal = seal_of(settings)
    return made


async def _work(
    settings: Settings, knowledge: Knowledge, pages: PageRepository, ready: Callable[[Worker], None]
) -> None:
    """The worker alone; `ready` gets it, to be able to stop it."""
    async with http_fetcher(settings) as fetcher, browser_fetcher(settings) as browser:
        pace = Pace(knowledge, pacing_of(settings), budget_of(settings))
        news = News(knowledge, fetcher.client, seal_of(settings), settings.public_url, pace.pacing)
        stages = RealStages(fetcher, knowledge, pages, logins(knowledge, settings), browser, news)
        worker = Worker(
            knowledge,
            stages,
            {name: channel() for name, channel in CHANNELS.items()},
            concurrency=settings.concurrency,
            lease=int(settings.lease * 1000),
            delay=fetcher.delay,
            pace=pace,
        )
        ready(worker)
        renewing = asyncio.create_task(news.renew_for_ever())
        try:
            await worker.run()
        finally:
            renewing.cancel()


async def _run(web: _WebServer, working: asyncio.Task[None] | None, workers: list[Worker]) -> None:
    """Until Ctrl-C, SIGTERM, or the end of one of them; then all finish what they are at."""
    tasks = {asyncio.create_task(web.run())} | ({working} if working else set())
    with _told_to_stop() as told:
        waiting = asyncio.create_task(told.wait())
        await asyncio.wait({*tasks, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        for worker in workers:
            worker.stop()
        web.stop()
        await asyncio.gather(*tasks)


@contextmanager
def _told_to_stop() -> Iterator[asyncio.Event]:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    try:
        yield told
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


class _QuietServer(uvicorn.Server):
    """Leaves the signals to us."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _WebServer:
    """uvicorn on a socket that is already ours."""

    def __init__(self, application: FastAPI, door: socket.socket, when_ready: Callable[[], None]) -> None:
        self._application = application
        self._door = door
        self._when_ready = when_ready
        config = uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GOODBYE_SECONDS,
        )
        self._server = _QuietServer(config)

    async def run(self) -> None:
        telling = asyncio.create_task(self._tell_when_ready())
        try:
            await self._server.serve(sockets=[self._door])
        finally:
            telling.cancel()

    def stop(self) -> None:
        """Open streams end, too: nobody waits for a browser to go away."""
        self._server.should_exit = True
        self._application.state.stopping = True

    async def _tell_when_ready(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.02)
        self._when_ready()


@asynccontextmanager
async def _demo(settings: Settings, knowledge: Knowledge) -> AsyncIterator[None]:
    demo = await start_demo("127.0.0.1", settings.demo_port)
    try:
        for sentinel in parse(demo_sentinels(demo.url)):
            with contextlib.suppress(NameTaken):
                install(knowledge, settings, [sentinel])
        yield
    finally:
        await demo.stop()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        door = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServerRefused(f"{host!r} is no address to listen on: {error.strerror}") from error
    with door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(address)
            door.listen(128)
        except OSError as error:
            raise _cannot_listen(host, port, error) from error
        yield door


def _cannot_listen(host: str, port: int, error: OSError) -> ServerRefused:
    if error.errno == errno.EADDRINUSE:
        return ServerRefused(f"port {port} on {host} is in use; choose another with --port")
    return ServerRefused(f"cannot listen on port {port} of {host}: {error.strerror}")


def _address(door: socket.socket) -> str:
    host, port = door.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  (shown, not bound)
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
