"""A process that delivers the notices of an outbox, and kills itself by SIGKILL at the n-th step.

    python -m tests.notify.dying DATABASE TOLD STEP

There is a step before and after each call to the outbox, and before and after each sending. Each sent notice
is written to the file TOLD as one line of JSON, before the channel returns its receipt.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webvigil.app.telling.delivery import Teller
from webvigil.model.notice import Notice, Receipt
from webvigil.store.sql.knowledge import SqlKnowledge


class Steps:
    def __init__(self, fatal: int) -> None:
        self.left = fatal

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Dying:
    """Passes every call on, with a step before it and a step after it."""

    def __init__(self, inner: Any, step: Steps) -> None:
        self._inner = inner
        self._step = step

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)

        def call(*arguments: Any, **more: Any) -> Any:
            self._step()
            answer = found(*arguments, **more)
            self._step()
            return answer

        return call


class Teleprinter:
    def __init__(self, file: Path, step: Steps) -> None:
        self._file = file
        self._step = step

    async def send(self, notice: Notice) -> Receipt:
        self._step()
        entries = notice.body.get("entries") or [notice.body]
        line = json.dumps({"id": notice.dedup, "names": sorted(one["name"] for one in entries)})
        with self._file.open("a") as out:
            out.write(line + "\n")
            out.flush()
            os.fsync(out.fileno())
        self._step()
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))


def tell(database: str, told: Path, fatal: int) -> int:
    """Delivers all notices, and returns how many steps there were if the process survives."""
    knowledge = SqlKnowledge(f"sqlite:///{database}")
    knowledge.outbox.take_over()
    step = Steps(fatal)
    knowledge.outbox = Dying(knowledge.outbox, step)
    teller = Teller(knowledge, {"webhook": Teleprinter(told, step)})

    async def all_of_it() -> None:
        while await teller.turn("w"):
            pass

    asyncio.run(all_of_it())
    knowledge.close()
    return fatal - step.left


if __name__ == "__main__":
    tell(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
