"""Starts, asks and kills real `webvigil` processes, as a person would run them."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Self, TypeVar

from tests.whole.spawning import Spawned

T = TypeVar("T")

ENVIRONMENT = {
    "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8",
    "WEBVIGIL_HOST_DELAY": "0",
    "WEBVIGIL_MINIMUM_INTERVAL": "1",
    "WEBVIGIL_PORT": "0",
    "WEBVIGIL_DEMO_PORT": "0",
}


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **ENVIRONMENT, **more}


def webvigil(*arguments: str, text: str | bytes = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Runs one command to its end and returns its exit code and output."""
    if any(name.startswith("PYTHON") for name in more):
        line = [sys.executable, "-m", "webvigil", *arguments]
        return subprocess.run(
            line, capture_output=True, text=True, timeout=120, env=environment(**more), check=False
        )
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(text.encode() if isinstance(text, str) else text)
        given.seek(0)
        process = Spawned(arguments, (given.fileno(), out.fileno(), err.fileno()), environment(**more))
        try:
            code = process.wait(timeout=120)
        finally:
            process.kill()
        printed, told = (_read(stream) for stream in (out, err))
    return subprocess.CompletedProcess(arguments, code, printed, told)


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode().replace("\r\n", "\n")


def webvigil_json(*arguments: str) -> Any:
    done = webvigil(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def eventually(look: Callable[[], T], *, within: float = 90.0, every: float = 0.1) -> T:
    """Returns the result of `look` as soon as it is true. Raises AssertionError when the time is over."""
    end = time.monotonic() + within
    while not (seen := look()):
        assert time.monotonic() < end, f"not seen within {within} seconds"
        time.sleep(every)
    return seen


class Serving:
    """A running `webvigil serve`. Use it with `with`, or start and kill it by hand."""

    def __init__(self, data: Path, *arguments: str, **more: str) -> None:
        self._link, self._more = "", more
        printed, stream = os.pipe()
        env = environment(PYTHONUNBUFFERED="1", **more)
        with Path(os.devnull).open() as nothing:
            streams = (nothing.fileno(), stream, stream)
            self.process = Spawned(["serve", "--data", str(data), *arguments], streams, env)
        os.close(stream)
        self._printed = os.fdopen(printed, encoding="utf-8")
        self.output: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        self.link  # noqa: B018  (waits until the server is up)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()

    @property
    def link(self) -> str:
        """Returns a link to sign in. Waits until the server has printed the command that makes one."""
        found = eventually(lambda: self._printed_link() or self._ended(), every=0.02)
        assert isinstance(found, str), f"it ended: {''.join(self.output)}"
        return found

    @property
    def address(self) -> str:
        return self.link.partition("/sign-in")[0]

    def stop(self) -> int:
        """Stops the server as Ctrl-C does, and returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._gone()

    def kill(self) -> None:
        self.process.kill()
        self._gone()

    def _gone(self) -> int:
        code = self.process.wait(timeout=300)
        self._reader.join(timeout=10)
        self._printed.close()
        return code

    def _printed_link(self) -> str:
        """Runs the command that the server prints if its output is no terminal, and returns the link."""
        found = re.search(r"Sign in with the link that this makes: webvigil (.+)\n", "".join(self.output))
        if found and not self._link:
            done = webvigil(*shlex.split(found[1]), **self._more)
            assert done.returncode == 0, done.stderr
            self._link = done.stdout.strip()
        return self._link

    def _ended(self) -> bool:
        return self.process.poll() is not None and not self._reader.is_alive()

    def _read(self) -> None:
        for line in self._printed:
            self.output.append(line)
