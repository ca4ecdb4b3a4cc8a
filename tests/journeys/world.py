"""The world of a journey: a server process, a browser for each user, and the webhooks that are told."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from tests.databases import migrated_postgres, migrated_sqlite
from tests.journeys.clock import VARIABLE, set_ahead
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil
from webvigil.web.access import COOKIE

PATIENCE = 45.0
"""Seconds after which an expected event counts as lost. On a busy machine an event takes a few seconds."""
HOUR = 3_600_000
LEASE = "3"
"""Seconds until the work of a killed server is taken over, and until a server sees that the clock was set."""


@dataclass(frozen=True)
class Told:
    """One delivery at a webhook."""

    id: str
    user: str
    event: str
    sentinel: str
    versions: tuple[int, int]


class World:
    """A server with its users. `kind` is the database: sqlite or postgresql."""

    def __init__(self, kind: str, site: Site, number: int) -> None:
        self.kind, self.site, self.number = kind, site, number
        self._open = ExitStack()
        self._root = Path(tempfile.mkdtemp(prefix="webvigil-journey-"))
        self._open.callback(shutil.rmtree, self._root, ignore_errors=True)
        self._clock = self._root / "clock"
        self.ahead = 0
        self.go(0)
        self._sessions: dict[str, str] = {}
        self._doors: dict[str, httpx2.Client] = {}
        self._stores = 0
        self._new_store(empty=True)
        self.start()
        self._enter("me", self.serving.link)

    # The server.

    def start(self) -> None:
        self.serving = Serving(self.data, **self._environment)
        self.address = self.serving.address

    def stop(self) -> None:
        self._close_doors()
        assert self.serving.stop() == 0
        self._no_traceback()

    def kill(self) -> None:
        self._close_doors()
        self.serving.kill()
        self._no_traceback()

    def move(self, *, with_key: bool) -> str:
        """Makes a backup, restores it into a new database, and starts the server there. Returns the output of
        `restore`."""
        file = self._root / f"{self._stores}.zip"
        self.command("backup", str(file))
        self.stop()
        self._key = self.data / "secret_key"
        self._new_store(empty=False)
        self.data.mkdir()
        if with_key:
            self.bring_key()
        said = self.command("restore", str(file), codes=(0,) if with_key else (0, 1))
        self.start()
        return said

    def bring_key(self) -> None:
        """Copies the key of the database from which the present one was moved."""
        shutil.copy(self._key, self.data)

    def go(self, hours: float) -> None:
        """Sets the server's clock forward, or back if `hours` is negative."""
        self.ahead += int(hours * HOUR)
        set_ahead(self._clock, self.ahead)

    def now(self) -> datetime:
        """Returns the time of the server's clock."""
        return datetime.now(UTC) + timedelta(milliseconds=self.ahead)

    def end(self) -> None:
        self._close_doors()
        if self.serving.process.poll() is None:
            self.serving.kill()
        self._open.close()

    def _new_store(self, *, empty: bool) -> None:
        self._stores += 1
        self.data = self._root / f"data-{self._stores}"
        self._database: dict[str, str] = {}
        if self.kind == "postgresql":
            self._database = {"WEBVIGIL_DATABASE": self._open.enter_context(migrated_postgres())}
        elif empty:
            self.data.mkdir()
            migrated_sqlite(self.data / "webvigil.sqlite3")

    @property
    def _environment(self) -> dict[str, str]:
        return {VARIABLE: str(self._clock), "WEBVIGIL_LEASE": LEASE, **self._database}

    def _no_traceback(self) -> None:
        output = "".join(self.serving.output)
        assert "Traceback" not in output, output

    # The users.

    def second_user(self, name: str) -> None:
        self.api("me", "POST", "/users", json={"name": name})
        self._enter(name, self.api("me", "POST", f"/users/{name}/link")["link"])

    def _enter(self, name: str, link: str) -> None:
        """Signs the user in and registers the user's webhook."""
        answer = httpx2.get(link, follow_redirects=False)
        assert COOKIE in answer.cookies, (answer.status_code, answer.text)
        self._sessions[name] = answer.cookies[COOKIE]
        self.api(name, "POST", "/contacts", json={"channel": "webhook", "address": self.hook(name)})

    def door(self, user: str) -> httpx2.Client:
        """Returns the browser of this user."""
        if user not in self._doors:
            self._doors[user] = httpx2.Client(
                base_url=self.address,
                headers={"origin": self.address, "accept": "text/html"},
                follow_redirects=False,
                timeout=PATIENCE,
            )
            self._doors[user].cookies.set(COOKIE, self._sessions[user], domain="127.0.0.1")
        return self._doors[user]

    def api(self, user: str, method: str, path: str, **more: Any) -> Any:
        answer = self.door(user).request(
            method, f"/api/v1{path}", headers={"accept": "application/json"}, **more
        )
        assert answer.status_code < 400, f"{method} {path} of {user}: {answer.text}"
        return answer.json() if answer.content else None

    def form(self, user: str, path: str, **fields: str) -> None:
        answer = self.door(user).post(path, data=fields)
        assert answer.status_code < 400, f"{path} of {user}: {answer.text}"

    def command(
        self, *arguments: str, user: str = "me", text: str = "", codes: tuple[int, ...] = (0,)
    ) -> str:
        """Runs a command and returns its output. Fails if its exit code is not one of `codes`."""
        store = ("--data", str(self.data), "--user", user)
        done = webvigil(*arguments, *store, text=text, **self._environment)
        assert done.returncode in codes, f"{arguments} of {user}: {done.stderr}{done.stdout}"
        return done.stdout + done.stderr

    def _close_doors(self) -> None:
        """Closes all browsers and keeps their session cookies, which the server renews from time to time."""
        while self._doors:
            user, door = self._doors.popitem()
            self._sessions[user] = door.cookies[COOKIE]
            door.close()

    # Who is told.

    def hook(self, user: str) -> str:
        return f"{self.site.url}{self._hook(user)}"

    def _hook(self, user: str) -> str:
        return f"/{self.kind}/{self.number}/hook/{user}"

    def told(self, user: str) -> list[Told]:
        bodies = [
            json.loads(one.body)
            for one in self.site.requests
            if one.path == self._hook(user) and one.status == 200
        ]
        return [
            Told(
                body["id"],
                body["user"],
                body["event"],
                body.get("sentinel", ""),
                (body.get("old_version", 0), body.get("new_version", 0)),
            )
            for body in bodies
        ]

    def comes(self, what: str, look: Callable[[], Any]) -> None:
        """Waits until `look` returns something true; fails with the notices and the server's output
        otherwise."""
        try:
            eventually(look, within=PATIENCE, every=0.05)
        except AssertionError:
            output = "".join(self.serving.output[-40:])
            notices = self.api("me", "GET", "/notices")
            raise AssertionError(f"never came: {what}\n{notices}\n{output}") from None
