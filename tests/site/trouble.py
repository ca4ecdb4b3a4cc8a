"""What goes wrong with a page, on command. Troubles add up until the page answers normally again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime

BEFORE_HEAD = -1  # a place in the answer: before the status line


class Gate:
    """Holds answers until the test lets them continue."""

    def __init__(self, in_loop: Callable[[Callable[[], object]], object]) -> None:
        self._in_loop = in_loop
        self._open = asyncio.Event()

    async def passed(self) -> None:
        await self._open.wait()

    def open(self) -> None:
        self._in_loop(self._open.set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """The faults of a page. A place is a number of body bytes already sent, or BEFORE_HEAD."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    first_byte: float = 0.0  # seconds
    per_chunk: float = 0.0
    chunk: int = 1 << 16
    cut_at: int | None = None
    reset: bool = False  # ends the connection with RST instead of FIN
    hang_at: int | None = None
    gate: Gate | None = None
    length_off: int = 0
    raw: bytes | None = None
    endless: bytes = b""
    answers_left: int | None = None  # None: until the page is told to answer normally

    def after_one_answer(self) -> Trouble:
        """Returns the troubles that remain after one answer."""
        if self.answers_left is None:
            return self
        return replace(self, answers_left=self.answers_left - 1) if self.answers_left > 1 else NONE


NONE = Trouble()


def retry_header(when: int | datetime) -> tuple[str, str]:
    """Returns a Retry-After header in either form: seconds, or a time in UTC."""
    return ("Retry-After", str(when) if isinstance(when, int) else format_datetime(when, usegmt=True))
