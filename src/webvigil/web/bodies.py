"""How much a request may hold: little from anybody, more from people who are signed in.

What is sent is read before a route can say whose it is, so this is judged before everything else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import HTTPException
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FROM_ANYBODY = 100_000
# The largest import, written as a form.
FROM_THE_KNOWN = 64_000_000
# Those read what comes piece by piece and know how much it may be, or do not read it.
_OF_THEIR_OWN = ("/websub/", "/push/", "/peer/")

IsKnown = Callable[[Request], bool]


class Bodies:
    """`is_known`: whether the one who asks is signed in; `refuse` answers what is announced as too large."""

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
            await counted.judge(_announced(Headers(scope=scope)))
        except HTTPException as error:
            answer = await self._refuse(Request(scope), error.detail)
            await answer(scope, receive, send)
        else:
            await self._application(scope, counted, send)


class _Counted:
    """What is received, as long as it is not too much."""

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
            self._largest = FROM_THE_KNOWN if known else FROM_ANYBODY
        if size > self._largest:
            raise HTTPException(413, f"this is too much at once: at most {_readable(self._largest)}")


def _announced(headers: Headers) -> int:
    said = headers.get("content-length", "")
    return int(said[:18]) if said.isascii() and said.isdigit() else 0


def _readable(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} KB"
