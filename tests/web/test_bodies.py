"""How large the body of a request may be, and when its sender is looked up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from webvigil.web.bodies import FROM_ANYBODY, FROM_ARCHIVES, FROM_THE_KNOWN, Bodies


class Door:
    """An application behind the middleware, which reads each request to its end."""

    def __init__(self, *, known: bool) -> None:
        self.known, self.looked_up, self.read = known, 0, 0
        self._bodies = Bodies(self._application, self._is_known, self._refuse)

    def takes(self, pieces: Sequence[int], path: str = "/api/v1/x", announced: int | None = None) -> int:
        """Sends pieces of so many bytes. Returns the status of the answer."""
        return asyncio.run(self._takes(pieces, path, announced))

    async def _takes(self, pieces: Sequence[int], path: str, announced: int | None) -> int:
        headers = [] if announced is None else [(b"content-length", str(announced).encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
        waiting = [
            {"type": "http.request", "body": b"x" * size, "more_body": number < len(pieces)}
            for number, size in enumerate(pieces, 1)
        ]
        sent: list[Any] = []

        async def receive() -> Any:
            return waiting.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        try:
            await self._bodies(scope, receive, send)
        except HTTPException as error:
            return error.status_code
        return int(sent[0]["status"])

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            message = await receive()
            self.read += len(message["body"])
            more = message["more_body"]
        await PlainTextResponse("read")(scope, receive, send)

    def _is_known(self, _: Request) -> bool:
        self.looked_up += 1
        return self.known

    async def _refuse(self, _: Request, reason: str) -> Response:
        return PlainTextResponse(reason, 413)


@pytest.mark.parametrize(
    ("known", "path", "most"),
    [
        (False, "/api/v1/x", FROM_ANYBODY),
        (True, "/api/v1/x", FROM_THE_KNOWN),
        (False, "/api/v1/archive", FROM_ANYBODY),
        (True, "/api/v1/archive", FROM_ARCHIVES),
    ],
)
def test_everybody_may_send_so_much_and_not_a_byte_more(known: bool, path: str, most: int):
    for size, status in ((most, 200), (most + 1, 413)):
        assert Door(known=known).takes([0], path, announced=size) == status
    if most < 10_000_000:
        half = most // 2
        assert Door(known=known).takes([half, most - half], path) == 200
        assert Door(known=known).takes([half, most - half, 1], path) == 413


def test_nobody_is_looked_up_for_what_anybody_may_send():
    door = Door(known=True)
    assert door.takes([FROM_ANYBODY], announced=FROM_ANYBODY) == 200
    assert door.looked_up == 0


def test_a_known_sender_is_looked_up_once_for_all_pieces():
    door = Door(known=True)
    assert door.takes([FROM_ANYBODY, 1, 2, 3, 4]) == 200
    assert (door.looked_up, door.read) == (1, FROM_ANYBODY + 10)


def test_what_is_announced_too_large_is_not_read():
    door = Door(known=False)
    assert door.takes([FROM_ANYBODY + 1], announced=FROM_ANYBODY + 1) == 413
    assert door.read == 0
