"""What every answer carries: security headers, nothing for caches, a session's new secret; tags in the API.

Both stand directly in the way of the messages: the usual wrapping of requests takes longer than most answers
of the API.
"""

from __future__ import annotations

import hashlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webvigil.web.dashboard.door import set_session
from webvigil.web.showing import shown_origin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
API = "/api/"
STATIC = "/static/"


class SecurityHeaders:
    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                _secure(Request(scope), MutableHeaders(scope=message))
            await send(message)

        await self._application(scope, receive, sent if scope["type"] == "http" else send)


def _secure(request: Request, headers: MutableHeaders) -> None:
    origin = shown_origin(request)
    headers.setdefault("Content-Security-Policy", f"{POLICY}; frame-src {origin}" if origin else POLICY)
    for name, value in SECURITY.items():
        headers.setdefault(name, value)
    if not request.scope["path"].startswith(STATIC):
        headers.setdefault("Cache-Control", "no-store")
    renewed = getattr(request.state, "new_session", "")
    if renewed:
        carrier = Response()
        set_session(request, carrier, renewed)
        headers.append("Set-Cookie", carrier.headers["set-cookie"])


class Tags:
    """What a program asked for before need not be sent again (API, GET)."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith(API)
        tagged = _Tagged(send, Headers(scope=scope).get("if-none-match", "")) if asked else send
        await self._application(scope, receive, tagged)


class _Tagged:
    """Holds an answer back until it is whole."""

    def __init__(self, send: Send, known: str) -> None:
        self._send = send
        self._known = [one.strip().removeprefix("W/") for one in known.split(",")]
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
        tag = f'"{hashlib.blake2b(self._body, digest_size=12).hexdigest()}"'
        headers = MutableHeaders(scope=start)
        headers["etag"] = tag
        headers["cache-control"] = "private, no-cache"
        headers["vary"] = "cookie, authorization"
        if tag in self._known:
            start["status"], self._body = 304, b""
            del headers["content-length"]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._body})
