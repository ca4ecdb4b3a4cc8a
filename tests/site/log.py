"""The requests that the site received, from their first line on, including those that were never answered.

A request is logged before anything is answered, and its end before the last byte is sent. So a test that has
its answer finds the entry finished, and a client that sends one request after the other never seems to send
two at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email import policy
from email.parser import BytesParser
from itertools import pairwise
from typing import Any, Literal
from urllib.parse import parse_qsl

from multidict import CIMultiDictProxy

Outcome = Literal["under way", "complete", "cut", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as the site saw it. The outcome `cut` means that the site ended it, `left` that the client
    did."""

    number: int
    at: float  # seconds of time.monotonic
    concurrent: int  # requests under way, including this one
    connection: int  # the client's port: equal on one kept connection
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: CIMultiDictProxy[str]
    body: bytes = b""
    status: int | None = None  # None while no status line was sent
    bytes: int = 0  # bytes of the body as sent
    outcome: Outcome = "under way"
    seconds: float | None = None

    @property
    def target(self) -> str:
        """Returns path and query, which pages are found by."""
        return self.path + "".join(("&" if n else "?") + f"{k}={v}" for n, (k, v) in enumerate(self.query))

    @property
    def fields(self) -> dict[str, str]:
        """Returns the fields of a form: the query of a GET, the body of a POST, urlencoded or in parts."""
        kind = self.headers.get("Content-Type", "")
        if self.method == "POST" and kind.startswith("multipart/form-data"):
            return dict(_parts(kind, self.body))
        if self.method == "POST":
            return dict(parse_qsl(self.body.decode(), keep_blank_values=True))
        return dict(self.query)


def _parts(kind: str, body: bytes) -> Iterator[tuple[str, str]]:
    whole = BytesParser(policy=policy.HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
    for part in whole.iter_parts():
        name = part.get_param("name", header="content-disposition")
        yield str(name), part.get_payload(decode=True).decode()


class Log:
    """The requests in order of arrival. The server's thread writes them, the test's thread reads them and
    waits for them."""

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
        """Notes the end of a request. The first end counts; a cut or a last byte is always followed by
        further events."""
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
        """Waits until there are enough requests and returns them. Raises TimeoutError with the requests that
        came instead."""
        with self._changed:
            if not self._changed.wait_for(lambda: enough(self._requests), within):
                raise TimeoutError(f"within {within:g} s there came only:{shown(self._requests)}")
            return list(self._requests)


class Entry:
    """Writes to the log what becomes known of one request while it is under way."""

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
    """Returns the seconds between the starts of consecutive requests."""
    return [later.at - earlier.at for earlier, later in pairwise(requests)]


def shown(requests: list[Request]) -> str:
    lines = [f"{r.method} {r.target} → {r.status} ({r.outcome}, {r.bytes} bytes)" for r in requests]
    return "".join(f"\n  {line}" for line in lines) or " nothing"
