"""Middleware for headers: security, caches, the session cookie, ETags of the API and of feeds, HEAD requests.

The classes change the messages of the server interface (ASGI) directly. The framework's own base class for
middleware wraps each request, which takes longer than most answers of the API.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webvigil.web.origin import shown_origin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
API = "/api/"
FEEDS = "/feeds/"
STATIC = "/static/"
_CSP = b"content-security-policy"
_CACHE = b"cache-control"


class SecurityHeaders:
    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_missing(scope, message)]
            await send(message)

        await self._application(scope, receive, sent if scope["type"] == "http" else send)


def _missing(scope: Scope, message: Message) -> Iterable[tuple[bytes, bytes]]:
    """Yields the headers that an answer lacks. A route that sets one of them keeps its own value."""
    said = {name for name, _ in message.get("headers", ())}
    if _CSP not in said:
        yield _CSP, _policy(scope)
    for name, value in _SECURITY:
        if name not in said:
            yield name, value
    if _CACHE not in said and not scope["path"].startswith(STATIC):
        yield _CACHE, b"no-store"
    if renewed := scope.get("state", {}).get("new_session"):
        yield b"set-cookie", _cookie(Request(scope), renewed)


def _cookie(request: Request, session: str) -> bytes:
    # Imported here, because `probes` uses this module without the dashboard; who has a session has opened it.
    from webvigil.web.dashboard.sign_in import set_session

    carrier = Response()
    set_session(request, carrier, session)
    return carrier.headers["set-cookie"].encode("latin-1")


def _policy(scope: Scope) -> bytes:
    """Returns the Content-Security-Policy: dashboard pages may show the second origin in a frame, answers of
    the API may not."""
    if scope["path"].startswith(API):
        return POLICY.encode()
    origin = shown_origin(Request(scope))
    return (f"{POLICY}; frame-src {origin}" if origin else POLICY).encode("latin-1")


class Tags:
    """Gives answers of the API and feeds an ETag, and answers 304 without a body if the program that asks
    sent this ETag."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = (
            scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith((API, FEEDS))
        )
        await self._application(scope, receive, _Tagged(send, _known(scope)) if asked else send)


def _known(scope: Scope) -> list[bytes]:
    said = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
    return [one.strip().removeprefix(b"W/") for one in said.split(b",")] if said else []


class _Tagged:
    """Holds an answer back until its body is complete, because the ETag is the hash of the whole body and
    must be sent before it."""

    def __init__(self, send: Send, known: list[bytes]) -> None:
        self._send = send
        self._known = known
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._tell(self._start)

    async def _tell(self, start: Message) -> None:
        tag = f'"{hashlib.blake2b(self._body, digest_size=12).hexdigest()}"'.encode()
        ours = {b"etag": tag, _CACHE: b"private, no-cache", b"vary": b"cookie, authorization"}
        dropped = {*ours}
        if tag in self._known:
            start["status"], self._body = 304, b""
            dropped.add(b"content-length")
        kept = [(name, value) for name, value in start["headers"] if name not in dropped]
        start["headers"] = [*kept, *ours.items()]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._body})


class Heads:
    """Answers HEAD like GET, without the body. The live stream (/events) is left out: its GET would run for
    minutes."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"] == "/events":
            await self._application(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._application({**scope, "method": "GET"}, receive, send_head)
