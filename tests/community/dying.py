"""Two servers and an agent between them, in a process that kills itself with SIGKILL after the n-th write.

    python -m tests.community.dying FOLDER URL

The page at URL shows the content of the file FOLDER/page. An agent is sent out, finds a change, reports it
and is recalled. The process is killed after a write; the next copy is killed after a later write, and so
on, until one copy runs to the end. After each kill both servers are started again, and the resulting state
is printed as a line of JSON. Each run is a fork of this process, so that nothing has to be imported again.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import event

from tests.community.servers import Server, befriend
from tests.databases import migrated_sqlite
from tests.store.conftest import Clock
from webvigil.app.peers.agents import recall_agent, send_agent
from webvigil.app.sentinels.install import install_text
from webvigil.errors import NameTaken
from webvigil.fetch.client import tls_context
from webvigil.language import parse
from webvigil.model.change import finding_as_json
from webvigil.store.sql.knowledge import SqlKnowledge

WRITES = {
    "agents": ("put", "remove", "arrived", "posted"),
    "users": ("add", "remove"),
    "sentinels": ("add", "enable"),
}
BEFORE, AFTER = "alpha", "omega"
Part = Callable[[Server, Server, Path], Coroutine[Any, Any, None]]


class Steps:
    def __init__(self, fatal: int) -> None:
        self.left = fatal

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """Passes every call on to the wrapped object, and counts a step after each call that writes."""

    def __init__(self, inner: Any, step: Steps, writes: tuple[str, ...]) -> None:
        self._inner = inner
        self._step = step
        self._writes = writes

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in self._writes:
            return found

        def call(*arguments: Any, **more: Any) -> Any:
            answer = found(*arguments, **more)
            self._step()
            return answer

        return call


def server(folder: Path, clock: Clock, step: Steps) -> Server:
    """Returns a server whose knowledge base is a file, which survives the process."""
    made = Server(folder, clock, agent_interval="1")
    knowledge = SqlKnowledge(f"sqlite:///{folder / 'webvigil.sqlite3'}", delay=0, clock=clock)
    event.listen(knowledge.database.engine, "connect", unhurried)
    knowledge.database.engine.dispose()
    with suppress(NameTaken):
        knowledge.users.add("me")
    for part, writes in WRITES.items():
        setattr(knowledge, part, Deadly(getattr(knowledge, part), step, writes))
    made.knowledge = knowledge  # type: ignore[assignment]
    return made


def unhurried(connection: Any, _: object) -> None:
    """Turns waiting for the disk off: what was written survives a kill, and this test does not switch off the
    power."""
    connection.execute("PRAGMA synchronous = OFF")


async def settle(home: Server, away: Server, turns: int = 2) -> None:
    for _ in range(turns):
        home.clock.passes(seconds=6)
        await home.circle.agency.turn()
        await away.circle.agency.turn()


async def shows(home: Server, away: Server, page: Path, word: str) -> None:
    page.write_text(f"<p>The word is {word}.")
    home.clock.passes(seconds=3600)
    await home.looks()
    await away.looks()
    await settle(home, away, 1)


async def life(home: Server, away: Server, page: Path) -> None:
    send_agent(home.knowledge, home.settings, "s1", away.url)
    await settle(home, away)
    await away.looks()
    await shows(home, away, page, AFTER)
    recall_agent(home.knowledge, "me", "s1")
    await settle(home, away)


async def afterlife(home: Server, away: Server, page: Path) -> None:
    before = AFTER in page.read_text()
    await settle(home, away)
    await shows(home, away, page, "one")
    await shows(home, away, page, "two")
    guests = [one.state for one in away.knowledge.agents.all("guest")]
    changes = home.changes
    told = [one for one in home.knowledge.outbox.all("me") if one.notice.body.get("event") == "change"]
    found = [json.dumps([finding_as_json(finding) for finding in one.findings]) for one in changes]
    shown = {
        "at home": home.knowledge.sentinels.get("me", "s1").enabled,
        "away": [one.state for one in home.knowledge.agents.all("away")],
        "guests": guests,
        "users": len(away.knowledge.users.all()) - 1,
        "changed before": before,
        "then": sum(BEFORE in one and AFTER in one for one in found),
        "last": sum("two" in one for one in found),
        "changes": len(changes),
        "told": len(told),
    }
    sys.stdout.write(json.dumps(shown) + "\n")
    sys.stdout.flush()


async def play(part: Part, folder: Path, page: Path, fatal: int, now: int) -> None:
    clock, step = Clock(), Steps(0)
    clock.passes(seconds=now)
    async with server(folder / "home", clock, step) as home, server(folder / "away", clock, step) as away:
        await befriend(home, away)
        step.left = fatal
        await part(home, away, page)
        os._exit(0)  # ends the process without any clean-up, like a crash


def lived(part: Part, folder: Path, page: Path, fatal: int = 0, now: int = 0) -> bool:
    """Runs a part in a process of its own. Returns False if the process was killed."""
    child = os.fork()
    if not child:
        try:
            asyncio.run(play(part, folder, page, fatal, now))
        except Exception:  # noqa: BLE001  (whatever it is, it is shown)
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return False
    assert os.waitstatus_to_exitcode(status) == 0, "see above"
    return True


def begin(folder: Path, url: str) -> None:
    for name in ("home", "away"):
        (folder / name).mkdir(parents=True)
        migrated_sqlite(folder / name / "webvigil.sqlite3")

    async def install(home: Server, away: Server, page: Path) -> None:
        text = f"Create Sentinel s1 Using {url}\nMonitor all words\nQuiet off\nFetch 1 hour\nNotify By log\n"
        install_text(home.knowledge, home.settings, text)

    assert lived(install, folder, folder)


def main(folder: Path, url: str) -> None:
    parse(f"Create Sentinel s1 Using {url}")  # slow set-up is done once, before the copies are forked
    tls_context(None)
    page, first = folder / "page", folder / "first"
    begin(first, url)
    fatal, ended = 0, False
    while not ended:
        fatal += 2  # after every other write: trying all writes would take a minute
        copy = folder / str(fatal)
        shutil.copytree(first, copy)
        page.write_text(f"<p>The word is {BEFORE}.")
        ended = lived(life, copy, page, fatal, now=60)
        assert lived(afterlife, copy, page, now=86_400)
        shutil.rmtree(copy)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
