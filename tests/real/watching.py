"""The real worker, wired as `webvigil worker` wires it, in a thread of its own and on the clock of a test."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from tests.real.application import Page
from webvigil.app.operating.metrics import Metrics
from webvigil.app.pages.logins import login_from, logins
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.process import work
from webvigil.model.change import Change, ObjectChange
from webvigil.model.moment import Millis
from webvigil.store.sql.knowledge import SqlKnowledge

_PATIENCE = 180.0
"""Seconds after which a look that did not happen is a failure."""


Install = Callable[[SqlKnowledge, Settings], dict[str, str]]


class Clock(Protocol):
    """A clock that a test moves. `per_second` says how many seconds pass where a test lets one pass."""

    per_second: float

    def __call__(self) -> Millis: ...

    def passes(self, seconds: int) -> None: ...


def on_pages(
    address: str, pages: Sequence[Page], every: int = 30, clauses: str = "", secrets: Sequence[str] = ()
) -> Install:
    """Returns what installs a sentinel for any change on each of these pages. `clauses` are further ones of
    each, `secrets` what its steps type (`name=value`)."""

    def install(knowledge: SqlKnowledge, settings: Settings) -> dict[str, str]:
        text = "\n".join(
            f"Create Sentinel s{number} Using {address}{page.path} Monitor any change "
            f"Fetch {every} second {clauses}" + (" Render browser" if page.rendered else "")
            for number, page in enumerate(pages)
        )
        if secrets:
            logins(knowledge, settings).put("jill", login_from(f"{address}/", (), (), secrets))
        install_text(knowledge, settings, text)
        return {f"s{number}": page.name for number, page in enumerate(pages)}

    return install


class Watching:
    """Sentinels on the pages of an application, with a worker that looks at them."""

    def __init__(self, folder: Path, clock: Clock, install: Install) -> None:
        """`install` installs the sentinels of jill, and returns for the name of each what its page is
        called."""
        self.clock = clock
        given = {"data": str(folder), "user": "jill", "allow_networks": "127.0.0.0/8", "lease": "600"}
        given |= {
            "second_look": str(int(20 * clock.per_second)),
            "confirm_after": str(int(60 * clock.per_second)),
        }
        given |= {"host_delay": "0", "fetch_timeout": "60", "log_level": "warning", "obey_robots": "off"}
        settings = read_settings(given, environment={})
        self._knowledge = SqlKnowledge(f"sqlite:///{folder / 'webvigil.sqlite3'}", delay=0, clock=clock)
        self._knowledge.users.add("jill")
        self._names = install(self._knowledge, settings)
        self._pages = {one.name: one.pages[0].id for one in self._knowledge.sentinels.all("jill")}
        self._last = 0
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(
            target=lambda: self._loop.run_until_complete(
                work(settings, self._knowledge, Metrics(self._knowledge), self._stop)
            ),
            daemon=True,
        )
        self._thread.start()
        self._wait_for(dict.fromkeys(self._pages, 1))

    def passes(self, seconds: int) -> None:
        """Lets time pass until the next look at each page has been made."""
        wanted = {name: count + 1 for name, count in self._looks().items()}
        self.clock.passes(seconds)
        self._wait_for(wanted)

    def told(self) -> dict[str, list[Change]]:
        """Returns what was told since it was last asked, by the name of the page."""
        news = self._knowledge.changes.all("jill", after=self._last)
        self._last = max([self._last, *(one.id for one in news)])
        return {page: [one for one in news if one.sentinel == name] for name, page in self._names.items()}

    def looks(self) -> dict[str, int]:
        return {self._names[name]: count for name, count in self._looks().items()}

    def log(self, page: str) -> list[dict[str, object]]:
        """Returns the log of a page, the newest look first."""
        (name,) = (name for name, known in self._names.items() if known == page)
        return self._knowledge.journal.fetch_log(self._pages[name])

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(60)
        self._loop.close()
        self._knowledge.close()

    def _looks(self) -> dict[str, int]:
        log = self._knowledge.journal.fetch_log
        return {name: len(log(page)) for name, page in self._pages.items()}

    def _wait_for(self, wanted: dict[str, int]) -> None:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and self._thread.is_alive():
            seen = self._looks()
            if all(seen[name] >= count for name, count in wanted.items()):
                return
            time.sleep(0.1)
        late = [self._names[name] for name, count in wanted.items() if self._looks()[name] < count]
        raise AssertionError(f"nobody looked at {late}")


def words_of(changes: Sequence[Change]) -> str:
    """Returns all that these changes tell, in one line."""
    return " | ".join(
        _shown(one) for change in changes for finding in change.findings for one in finding.objects
    )


def _shown(one: ObjectChange) -> str:
    if one.old is not None:
        return f"{one.status.value} {one.object}"
    return f"{one.before or ''} → {one.after or ''}"
