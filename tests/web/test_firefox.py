"""The dashboard in a real Firefox: every page opens without an error, fits a phone, and reacts."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from tests.firefox import firefox
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from webvigil.app.people.sign_in import new_session
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application

PAGES = (
    "/",
    "/inbox",
    "/sentinels",
    "/sentinels/alpha",
    "/pages",
    "/search?q=links",
    "/add",
    "/settings",
    "/users",
)


@contextmanager
def served(application: FastAPI) -> Iterator[str]:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning"))
        thread = threading.Thread(target=lambda: server.run(sockets=[door]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        server.should_exit = True
        application.state.stopping = True
        thread.join(20)


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("root", role="admin", zone="Europe/Berlin")
    for name in ("alpha", "beta"):
        made.sentinels.add(sentinel(name, f"http://{name}.test/", user="root"))
    for claim in claim_all(made):
        due = claim.pages[0]
        change = new_change(due.watches[0].sentinel, 1, 2)
        made.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return made


@pytest.mark.slow
def test_every_page_opens_fits_and_reacts(knowledge: MemoryKnowledge, tmp_path: Path):
    settings = read_settings({"data": str(tmp_path)}, environment={})
    with served(create_application(knowledge, settings)) as address:
        asyncio.run(visited(address, new_session(knowledge, "root")))


async def visited(address: str, session: str) -> None:
    async with firefox() as window:
        await window.cookie(COOKIE, session, "127.0.0.1")
        for width, height in ((390, 844), (1280, 900)):
            await window.size(width, height)
            for path in PAGES:
                await window.open(address + path)
                assert await window.value("document.querySelector('h1') !== null"), path
                wide = await window.value("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{path} is {wide} px wider than {width}"
        assert window.troubles == []
        await window.open(f"{address}/sentinels")
        shown = "document.querySelectorAll('.roster .row').length"
        assert await window.value(shown) == 2
        await window.value(
            "(() => { const box = document.querySelector('[name=words]'); box.value = 'alpha';"
            " box.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )
        async with asyncio.timeout(20):
            while await window.value(shown) != 1:
                await asyncio.sleep(0.1)
