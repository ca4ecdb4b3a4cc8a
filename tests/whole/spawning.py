"""Fast starts of `webvigil`: each process is a copy (fork) of one that has already imported everything.

Importing takes a second, and the tests start `webvigil` a thousand times. A copy is a process of its own with
its own environment, folder and streams, and it can be killed; after its start it does the same as a normal
process. One process per test run waits for requests (`_wait_for_wishes`). For each request it forks a minder.
The minder forks the wanted process, sends its process number, and later how it ended.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import posix
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent.parent
_LARGEST = 1 << 20
_INHERITED = "WEBVIGIL_TEST_SPAWNER"
_IMPORTED_LATE = (
    "sqlalchemy.dialects.sqlite",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)
"""Modules of others that are imported when a store is opened and a server starts."""
_COMMAND = """#!/bin/sh
exec {python} -S {file} as-command "$@"
"""


class Spawned:
    """The part of `subprocess.Popen` that the tests use."""

    def __init__(self, arguments: Sequence[str], streams: tuple[int, int, int], env: dict[str, str]) -> None:
        wish = {"arguments": [*arguments], "env": env, "folder": str(Path.cwd())}
        self._minder, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(_spawner(), [b"w"], [theirs.fileno(), *streams])
        self._minder.sendall(json.dumps(wish).encode() + b"\n")
        self.pid = int(_line(self._minder))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._ended(0.0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("webvigil", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            self._minder.settimeout(timeout)
            try:
                told = self._minder.recv(64)
            except (TimeoutError, BlockingIOError):
                return None
            self.returncode = int(told)
            self._minder.close()
        return self.returncode


def _line(said: socket.socket) -> bytes:
    """Returns the next line that a socket says, and takes nothing behind it: how a quick process ended may
    stand there already."""
    line = b""
    while not line.endswith(b"\n") and (more := said.recv(1)):
        line += more
    return line


@cache
def command_folder() -> Path:
    """Returns a folder for the PATH of a shell. The `webvigil` in it asks the spawner that the shell
    inherits."""
    folder = Path(tempfile.mkdtemp(prefix="webvigil-command-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = folder / "webvigil"
    command.write_text(_COMMAND.format(python=sys.executable, file=Path(__file__)))
    command.chmod(0o755)
    return folder


def inherited() -> tuple[int, dict[str, str]]:
    """Returns the file descriptor of the spawner that a shell inherits, and the variable that tells its
    number."""
    number = _spawner().fileno()
    return number, {_INHERITED: str(number)}


def _as_command() -> int:
    env = {name: value for name, value in os.environ.items() if name != _INHERITED}
    return Spawned(sys.argv[2:], (0, 1, 2), env).wait()


@cache
def _spawner() -> socket.socket:
    """Returns the socket for requests. The process behind it ends with this one."""
    if inherited := os.environ.get(_INHERITED):
        return socket.socket(fileno=int(inherited))
    from tests.migrating import empty_store

    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.whole.spawning", str(theirs.fileno()), str(empty_store())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            stdin=subprocess.DEVNULL,
        )
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def _wait_for_wishes(wishes: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Serves requests for ever. Returns only in the process that was asked for."""
    while True:
        said, streams, _, _ = socket.recv_fds(wishes, 1, 4)
        if not said:
            os._exit(0)
        if os.fork() == 0:
            wishes.close()
            return _mind(socket.socket(fileno=streams[0]), streams[1:])
        for stream in streams:
            os.close(stream)


def _mind(client: socket.socket, streams: list[int]) -> tuple[dict[str, Any], list[int]]:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with client.makefile("rb") as told:
        wish = json.loads(told.readline(_LARGEST))
    process = os.fork()
    if process == 0:
        client.close()
        return wish, streams
    for stream in streams:
        os.close(stream)
    client.sendall(b"%d\n" % process)
    _, status = os.waitpid(process, 0)
    with suppress(BrokenPipeError):  # the test does not wait for the process any more
        client.sendall(b"%d" % os.waitstatus_to_exitcode(status))
    posix._exit(0)


def _become(wish: dict[str, Any], streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(wish["env"])
    os.chdir(wish["folder"])
    sys.argv = ["webvigil", *wish["arguments"]]
    at_once = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = _text(0, "r", "strict")
    sys.stdout = _text(1, "w", "strict", at_once)
    sys.stderr = _text(2, "w", "backslashreplace", at_once=True)


def _text(number: int, mode: str, errors: str, at_once: bool = False) -> io.TextIOWrapper:
    raw = os.fdopen(number, mode + "b", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, write_through=at_once)


def _import_all() -> None:
    import webvigil

    for module in pkgutil.walk_packages(webvigil.__path__, "webvigil."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:
            importlib.import_module(module.name)
    for name in _IMPORTED_LATE:
        importlib.import_module(name)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests; this process ends when they do
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    from tests.applications import share_routes, work_out_routes
    from tests.migrating import repeat_migrations
    from tests.power import do_without_disk

    share_routes()
    with socket.socket(fileno=int(sys.argv[1])) as wishes:
        _import_all()
        repeat_migrations(Path(sys.argv[2]))
        do_without_disk()
        work_out_routes()
        _keep_coverage()
        gc.freeze()  # a garbage search would touch shared memory and so copy it into each process
        wish, streams = _wait_for_wishes(wishes)
    _become(wish, streams)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from tests.journeys.clock import VARIABLE, go_by
    from webvigil.cli.main import main as webvigil

    if clock := os.environ.get(VARIABLE):
        go_by(Path(clock))
    try:
        webvigil()
    except SystemExit as end:
        if isinstance(end.code, int | None):
            _leave(end.code or 0)
        raise


def _keep_coverage() -> None:
    """Saves which lines were traced until now. Each copy would save them again, which takes seconds.

    Coverage begins anew in each copy, and replaces `os._exit` by a function that saves also the lines of the
    processes before it. `posix._exit` is the true one: who calls it has saved its own lines, or has none.
    """
    coverage = sys.modules.get("coverage")
    if running := coverage and coverage.Coverage.current():
        running.stop()
        running.save()
        atexit.unregister(running._atexit)


def _leave(code: int) -> NoReturn:
    """Ends the process as Python does, but leaves its memory to the system.

    Python takes every module apart at its end. A copy would first copy all that memory, which takes longer
    than most commands.
    """
    threading._shutdown()  # waits for threads that are no daemons
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    posix._exit(code)


if __name__ == "__main__":
    if sys.argv[1] == "as-command":
        sys.exit(_as_command())
    main()
