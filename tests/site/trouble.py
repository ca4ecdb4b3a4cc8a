"""What goes wrong with a page, on command. Troubles add up until the page answers normally again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime

BEFORE_HEAD = -1  # as a place in the answer: not even a status line was sent


class Gate:
    """Where answers wait until the test lets them go on."""

    def __init__(self, in_loop: Callable[[Callable[[], object]], object]) -> None:
        self._in_loop = in_loop
        self._open = asyncio.Event()

    async def passed(self) -> None:
        await self._open.wait()

    def open(self) -> None:
        self._in_loop(self._open.set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A place is a number of body bytes already sent, or BEFORE_HEAD."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    first_byte: float = 0.0  # seconds
    per_chunk: float = 0.0
    chunk: int = 1 << 16
    cut_at: int | None = None
    reset: bool = False  # a cut by RST, not by FIN
    hang_at: int | None = None
    gate: Gate | None = None
    length_off: int = 0
    raw: bytes | None = None
    endless: bytes = b""
    answers_left: int | None = None  # None: until told otherwise

    def after_one_answer(self) -> Trouble:
        """What remains, where only so many answers were to be troubled."""
        if self.answers_left is None:
            return self
        return replace(self, answers_left=self.answers_left - 1) if self.answers_left > 1 else NONE


NONE = Trouble()


def retry_header(when: int | datetime) -> tuple[str, str]:
    """Both forms of the header: seconds, or a time in UTC."""
    return ("Retry-After", str(when) if isinstance(when, int) else format_datetime(when, usegmt=True))
