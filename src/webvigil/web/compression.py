"""Pages, style and scripts travel compressed; what holds a secret or has a tag of its own does not."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

# Programs compare tags of the exact bytes. The stream of changes is not to be held back.
_AS_THEY_ARE = ("/api/", "/feeds/", "/events", "/websub/", "/peer/")


class Light:
    """Only what is asked for by GET: an answer to a form may show a secret beside words of somebody else, and
    the size of the two together would tell."""

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
