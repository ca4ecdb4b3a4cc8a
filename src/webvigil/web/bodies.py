"""Middleware that limits the size of request bodies: small for strangers, larger for signed-in users.

The framework reads a body before a route can check who sent it. Therefore this middleware stands around all
routes and stops a body that is too large while it arrives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import HTTPException
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Enough for the sign-in form and everything else that strangers may send.
FROM_ANYBODY = 100_000
# The form for imports takes fields of up to 60 MB (dashboard/moving.py); the rest is room for its other
# parts.
FROM_THE_KNOWN = 64_000_000
# The routes to which web archives are sent write them to the disk while they arrive.
FROM_ARCHIVES = 1_000_000_000
_LARGE = ("/import/archive", "/api/v1/archive")
# The routes below these paths read their bodies piece by piece with a limit of their own, or read no body.
_OF_THEIR_OWN = ("/websub/", "/push/", "/peer/")

IsKnown = Callable[[Request], bool]


class Bodies:
    """Middleware around the application. `is_known` tells whether a request comes from a signed-in user;
    `refuse` makes the answer to a request whose Content-Length is already too large."""

    def __init__(
        self, application: ASGIApp, is_known: IsKnown, refuse: Callable[[Request, str], Awaitable[Response]]
    ) -> None:
        self._application = application
        self._is_known = is_known
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_OF_THEIR_OWN):
            return await self._application(scope, receive, send)
        counted = _Counted(receive, Request(scope), self._is_known)
        try:
            await counted.judge(_announced(scope))
        except HTTPException as error:
            answer = await self._refuse(Request(scope), error.detail)
            await answer(scope, receive, send)
        else:
            await self._application(scope, counted, send)


class _Counted:
    """Hands on the messages of a request body and counts their bytes. Raises HTTPException 413 as soon as the
    body is larger than its sender may send; who the sender is, is looked up only for a body above the limit
    for strangers."""

    def __init__(self, receive: Receive, request: Request, is_known: IsKnown) -> None:
        self._receive = receive
        self._request = request
        self._is_known = is_known
        self._largest = FROM_ANYBODY
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        await self.judge(self._seen)
        return message

    async def judge(self, size: int) -> None:
        if size > self._largest and self._largest == FROM_ANYBODY:
            known = await run_in_threadpool(self._is_known, self._request)
            large = FROM_ARCHIVES if self._request.scope["path"] in _LARGE else FROM_THE_KNOWN
            self._largest = large if known else FROM_ANYBODY
        if size > self._largest:
            raise HTTPException(413, f"this is too much at once: at most {_readable(self._largest)}")


def _announced(scope: Scope) -> int:
    said = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(said[:18]) if said.isdigit() else 0


def _readable(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} KB"
