"""Middleware that compresses dashboard pages, style sheets and scripts.

API answers, feeds and streams stay as they are.
"""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

# Not compressed: answers whose ETag is made from the exact bytes (/api/, /feeds/), the live stream (/events),
# whose messages compression would hold back, and answers to hubs and peers, which are programs too.
_AS_THEY_ARE = ("/api/", "/feeds/", "/events", "/websub/", "/peer/")


class Light:
    """Compresses answers to GET alone. The answer to a form may show a secret beside a text that an attacker
    chose; the size of the two compressed together would let the attacker guess the secret (BREACH)."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressed = GZipMiddleware(app, minimum_size=1_000, compresslevel=5)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and not scope["path"].startswith(_AS_THEY_ARE)
        )
        await (self._compressed if page else self._plain)(scope, receive, send)
