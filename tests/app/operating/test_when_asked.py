"""A web application is made with its first request, once, and its life ends with that of the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

import pytest
from fastapi import FastAPI
from httpx2 import ASGITransport, AsyncClient

from webvigil.app.operating.when_asked import WhenAsked


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs the test in an event loop of its own."""

    @wraps(test)
    def run(*given: Any, **more: Any) -> None:
        asyncio.run(test(*given, **more))

    return run


class Maker:
    """Makes a small application, and notes when it is made, opened and closed. The first `failures` attempts
    fail."""

    def __init__(self, failures: int = 0) -> None:
        self.noted: list[str] = []
        self._fates: Iterator[bool] = iter([True] * failures)

    def make(self) -> FastAPI:
        if next(self._fates, False):
            raise RuntimeError("cannot be made")
        self.noted.append("made")
        application = FastAPI(lifespan=self._alive)
        application.get("/")(lambda: "there")
        return application

    @asynccontextmanager
    async def _alive(self, _: FastAPI) -> AsyncIterator[None]:
        self.noted.append("opened")
        yield
        self.noted.append("closed")


async def asked(application: WhenAsked) -> str:
    async with AsyncClient(transport=ASGITransport(application), base_url="http://server.test") as client:
        return str((await client.get("/")).json())


@awaited
async def test_requests_that_come_at_once_wait_for_one_application():
    maker = Maker()
    application = WhenAsked(maker.make)
    assert maker.noted == []
    assert await asyncio.gather(*(asked(application) for _ in range(3))) == ["there"] * 3
    assert maker.noted == ["made", "opened"]


@awaited
async def test_an_application_that_could_not_be_made_is_made_with_the_next_request():
    maker = Maker(failures=1)
    application = WhenAsked(maker.make)
    with pytest.raises(RuntimeError, match="cannot be made"):
        await asked(application)
    assert await asked(application) == "there"


@pytest.mark.parametrize("opened", [False, True])
@awaited
async def test_what_the_application_opened_is_closed_when_the_server_stops(opened: bool):
    maker = Maker()
    application = WhenAsked(maker.make)
    told: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    answers: asyncio.Queue[str] = asyncio.Queue()

    async def send(message: dict[str, str]) -> None:
        await answers.put(message["type"])

    life = asyncio.create_task(application({"type": "lifespan"}, told.get, send))
    await told.put({"type": "lifespan.startup"})
    assert await answers.get() == "lifespan.startup.complete"
    if opened:
        await asked(application)
    await told.put({"type": "lifespan.shutdown"})
    assert await answers.get() == "lifespan.shutdown.complete"
    await life
    assert maker.noted == (["made", "opened", "closed"] if opened else [])


@awaited
async def test_an_application_is_told_to_end_its_streams():
    application = WhenAsked(Maker().make)
    made = await application.made()
    assert not made.state.stopping
    application.stop()
    assert made.state.stopping


@awaited
async def test_an_application_that_is_made_while_the_server_stops_keeps_no_stream_open():
    application = WhenAsked(Maker().make)
    application.stop()
    made = await application.made()
    assert made.state.stopping
