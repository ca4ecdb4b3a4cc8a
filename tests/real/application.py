"""What every application here is: something that is installed, started in a folder, edited and stopped."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import httpx2

from tests.real.cgi import CgiServer

_PATIENCE = 60.0
"""Seconds after which an application that does not answer counts as broken."""

HARBOUR = "The harbour master keeps a log of every ship that enters the bay at night"
"""The text that each application has on its content page before anything is edited."""
LANTERN = "Seventeen lanterns on the pier"
"""What `edit` writes; it is on no page before."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of an application. `edited` means that it shows the edit, `rendered` that it needs a browser."""

    name: str
    path: str
    edited: bool = True
    rendered: bool = False


class Application(ABC):
    """One real application. The order is: `install`, `start`, any number of `edit`, `stop`."""

    name: ClassVar[str]
    on_true_time: ClassVar[bool] = False
    """Whether it stays on the true clock, and its watcher with it: it goes by the times of its files, or a
    browser shows its times. Neither has another clock."""
    pages: ClassVar[tuple[Page, ...]]
    searches: ClassVar[tuple[tuple[tuple[str, str], ...], ...]] = ()
    """Its searches, each with the ways to ask it: where it is sent, and the field for the words."""
    forms: ClassVar[tuple[str, ...]] = ()
    """Pages with forms that write: to edit, to create, to comment, to upload, to register."""
    content: ClassVar[tuple[str, ...]]
    """What it keeps in its folder: patterns of files, or a database and its tables as `file#table,table`,
    where a table may have columns: `file#table:column+column`."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """`environment` has what its programs get besides the variables of this process, such as a clock."""
        self.environment = {
            **os.environ,
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            **(environment if environment and not self.on_true_time else {}),
        }
        self._processes: list[subprocess.Popen[bytes]] = []
        self._server: CgiServer | None = None

    @abstractmethod
    def install(self) -> None:
        """Brings the programs into the cache. Raises CannotInstall with the reason if they are not to be
        had."""

    @abstractmethod
    def start(self, folder: Path) -> str:
        """Starts the application with content of its own, kept in the folder, on a free port. Returns its
        address."""

    @abstractmethod
    def edit(self) -> None:
        """Writes LANTERN through the application's own interface."""

    def stop(self) -> None:
        for process in self._processes:
            _signal(process, signal.SIGTERM)
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            _signal(process, signal.SIGKILL)
            process.wait()
        self._processes.clear()
        if self._server:
            self._server.close()
            self._server = None

    # --- helpers for the applications ---------------------------------------------------------------

    def run(self, *command: str | Path, text: str = "", cwd: Path | None = None, **more: str) -> str:
        """Runs a command of the application to its end and returns its output."""
        done = subprocess.run(
            [*map(str, command)],
            env={**self.environment, **more},
            cwd=cwd,
            input=text,
            capture_output=True,
            text=True,
            timeout=_PATIENCE * 3,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}{done.stdout}"
        return done.stdout

    def launch(
        self,
        *command: str | Path,
        folder: Path,
        port: int,
        path: str = "/",
        cwd: Path | None = None,
        **more: str,
    ) -> str:
        """Starts a server and returns its address when it answers at the path."""
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*map(str, command)],
                env={**self.environment, **more},
                cwd=cwd or folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and process.poll() is None:
            if _answers(address + path):
                return address
            time.sleep(0.1)
        self.stop()
        raise AssertionError(f"{self.name} does not answer: {(folder / 'log').read_text()[-2000:]}")

    def serve_cgi(self, script: Path, **more: str) -> str:
        """Serves a CGI script and returns its address."""
        self._server = CgiServer(script, {**self.environment, **more})
        return self._server.address


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signals a server and the processes that it started, which may outlive it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=20, follow_redirects=False).status_code < 500
    except httpx2.TransportError:
        return False
