"""What was asked of the site: every request, from its first line on, also those that never got an answer.

A request is noted before anything is answered, and its end before the last byte leaves. So a test that has
its answer in hand finds the entry finished, and one client asking in turn never seems to be two.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal
from urllib.parse import parse_qsl

from multidict import CIMultiDictProxy

Outcome = Literal["under way", "complete", "cut", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it was seen. `cut` is an end made by the site, `left` one made by the client."""

    number: int
    at: float  # seconds of time.monotonic
    concurrent: int  # requests under way, this one among them
    connection: int  # the client's port: equal on one kept connection
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: CIMultiDictProxy[str]
    body: bytes = b""
    status: int | None = None  # None while no status line was sent
    bytes: int = 0  # of the body, as sent
    outcome: Outcome = "under way"
    seconds: float | None = None

    @property
    def target(self) -> str:
        """Path and query, as pages are found by."""
        return self.path + "".join(("&" if n else "?") + f"{k}={v}" for n, (k, v) in enumerate(self.query))

    @property
    def fields(self) -> dict[str, str]:
        """What a form sent: the query of a GET, the urlencoded body of a POST."""
        if self.method == "POST":
            return dict(parse_qsl(self.body.decode(), keep_blank_values=True))
        return dict(self.query)


class Log:
    """The requests in order of arrival. Written by the server's thread, read and waited on by the test's."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._requests: list[Request] = []
        self._under_way = 0
        self._connections = 0

    def __getitem__(self, number: int) -> Request:
        with self._changed:
            return self._requests[number]

    def connected(self) -> None:
        with self._changed:
            self._connections += 1
            self._changed.notify_all()

    def begin(self, **seen: Any) -> Entry:
        with self._changed:
            self._under_way += 1
            number = len(self._requests)
            request = Request(number=number, at=time.monotonic(), concurrent=self._under_way, **seen)
            self._requests.append(request)
            self._changed.notify_all()
        return Entry(self, number)

    def now_known(self, number: int, **known: Any) -> None:
        with self._changed:
            self._requests[number] = replace(self._requests[number], **known)
            self._changed.notify_all()

    def ended(self, number: int, outcome: Outcome) -> None:
        """The first end counts: what follows a cut, or the last byte, is only its echo."""
        with self._changed:
            if (request := self._requests[number]).outcome == "under way":
                self._under_way -= 1
                self.now_known(number, outcome=outcome, seconds=time.monotonic() - request.at)

    @property
    def requests(self) -> list[Request]:
        with self._changed:
            return list(self._requests)

    @property
    def connections(self) -> int:
        with self._changed:
            return self._connections

    def wait(self, enough: Callable[[list[Request]], bool], within: float) -> list[Request]:
        """The requests as soon as there are enough of them; TimeoutError tells what came instead."""
        with self._changed:
            if not self._changed.wait_for(lambda: enough(self._requests), within):
                raise TimeoutError(f"within {within:g} s there came only:{shown(self._requests)}")
            return list(self._requests)


class Entry:
    """The pen for one request while it is under way."""

    def __init__(self, log: Log, number: int) -> None:
        self._log = log
        self._number = number

    @property
    def request(self) -> Request:
        return self._log[self._number]

    def read(self, body: bytes) -> Request:
        self._log.now_known(self._number, body=body)
        return self.request

    def answering(self, status: int) -> None:
        self._log.now_known(self._number, status=status)

    def sending(self, size: int) -> None:
        self._log.now_known(self._number, bytes=self.request.bytes + size)

    def ends(self, outcome: Outcome) -> None:
        self._log.ended(self._number, outcome)


def gaps(requests: list[Request]) -> list[float]:
    """Seconds between the starts of neighbouring requests."""
    return [later.at - earlier.at for earlier, later in pairwise(requests)]


def shown(requests: list[Request]) -> str:
    lines = [f"{r.method} {r.target} → {r.status} ({r.outcome}, {r.bytes} bytes)" for r in requests]
    return "".join(f"\n  {line}" for line in lines) or " nothing"
