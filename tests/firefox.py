"""A real Firefox for tests, driven by WebDriver BiDi; without one they are skipped, and `./test` says how to
get it."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import aiohttp
import pytest

_NAMES = ("firefox-esr", "firefox")
_LISTENS = re.compile(r"ws://[\d.]+:\d+")
_SECONDS = 60.0


class Firefox:
    """One window. `troubles` are the errors that scripts of its pages have raised."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = count(1)
        self._context = ""
        self.troubles: list[str] = []

    async def begin(self) -> None:
        await self.ask("session.new", capabilities={})
        await self.ask("session.subscribe", events=["log.entryAdded"])
        tree = await self.ask("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]

    async def size(self, width: int, height: int) -> None:
        wanted = {"width": width, "height": height}
        await self.ask("browsingContext.setViewport", context=self._context, viewport=wanted)

    async def cookie(self, name: str, value: str, domain: str) -> None:
        said = {"name": name, "value": {"type": "string", "value": value}, "domain": domain, "path": "/"}
        await self.ask("storage.setCookie", cookie=said)

    async def open(self, url: str) -> None:
        await self.ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def value(self, script: str) -> Any:
        target = {"context": self._context}
        asked = {"expression": script, "target": target, "awaitPromise": True}
        answer = await self.ask("script.evaluate", **asked)
        return answer["result"].get("value")

    async def ask(self, method: str, **params: Any) -> Any:
        """Sends a command and returns its answer. Events that come in between are noted."""
        number = next(self._ids)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(_SECONDS):
            while True:
                said = await self._socket.receive_json()
                if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                    self.troubles.append(str(said["params"]["text"]))
                if said.get("id") == number:
                    assert said["type"] == "success", f"{method}: {said.get('message')}"
                    return said["result"]


@asynccontextmanager
async def firefox() -> AsyncIterator[Firefox]:
    executable = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if executable is None:
        pytest.skip("there is no Firefox here; apt-get install firefox-esr")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
        process = await asyncio.create_subprocess_exec(
            executable, *options, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        try:
            address = await _address(process)
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"{address}/session", max_msg_size=0) as socket,
            ):
                window = Firefox(socket)
                await window.begin()
                yield window
        finally:
            process.kill()
            await process.wait()


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    async with asyncio.timeout(_SECONDS):
        async for line in process.stderr:
            if found := _LISTENS.search(line.decode(errors="replace")):
                return found[0]
    raise AssertionError("Firefox ended before it listened")
