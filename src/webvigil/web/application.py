"""Knowledge base and settings in, the web application out.

It holds all routes, the middleware around them, and one handler for each kind of error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from webvigil.app.operating.chosen import Present
from webvigil.app.operating.stores import repository
from webvigil.app.pages.cache import PageCache
from webvigil.app.pages.documents import Digests
from webvigil.app.pages.fetchers import browser_fetcher, http_fetcher
from webvigil.app.pages.logins import logins
from webvigil.app.people.passwords import Guesses
from webvigil.app.settings import Settings
from webvigil.errors import WebVigilError
from webvigil.store.promises import Knowledge
from webvigil.web import api, bulletin, contacts, dashboard, feeds, memento, peer, push
from webvigil.web.access import NotAllowed, NotSignedIn, is_known, somebody
from webvigil.web.api.answers import PROBLEMS, described, operation
from webvigil.web.bodies import Bodies
from webvigil.web.compression import Light
from webvigil.web.dashboard.sign_in import sign_in_page
from webvigil.web.forwarded import Forwarded
from webvigil.web.headers import API, Heads, SecurityHeaders, Tags
from webvigil.web.problem import about, misunderstood, problem, status_of, told_of
from webvigil.web.templates import page
from webvigil.web.unread import Counting

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig

# The version of the API. The version of WebVigil itself is shown to signed-in users only, because it would
# tell an attacker which known faults to try.
API_VERSION = "1"
_NO_ADDRESS = "there is no such address"
_NO_METHOD = "this cannot be done at this address"

# The server has metrics of its own (`app.operating.metrics`) and sends nothing elsewhere, whatever the
# environment says. FastAPI otherwise asks at every request whether somebody has set up OpenTelemetry, which
# takes about 30 µs. Older versions of FastAPI do not know the option and ignore it.
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_application(knowledge: Knowledge, settings: Settings) -> FastAPI:
    application = FastAPI(
        title="WebVigil",
        version=API_VERSION,
        docs_url=None,
        redoc_url=None,
        lifespan=_alive,
        servers=[{"url": "/"}],
        responses=PROBLEMS,
        generate_unique_id_function=operation,
        telemetry=_NO_TELEMETRY,
    )
    application.openapi = partial(described, application)  # type: ignore[method-assign]
    application.state.knowledge = knowledge
    # `settings` are those that the server started with, for what is opened once. Routes read `present`, in
    # which choices that count at once are up to date (`access.settings_of`).
    application.state.settings = settings
    application.state.present = Present(settings, knowledge.journal)
    application.state.guesses = Guesses()
    application.state.streams = Counter()
    application.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    application.include_router(api.health_router)
    api.include_in(application)
    for part in (push, peer, contacts, bulletin, feeds, memento, dashboard):
        application.include_router(part.router)
    # The middleware added last sees a request first. Bodies is the innermost: it raises while a route reads
    # the body, and this error must pass through the route to reach the error handlers.
    application.add_middleware(Bodies, is_known=is_known, refuse=_too_much)
    application.add_middleware(Counting, changes=knowledge.changes)
    application.add_middleware(Tags)
    application.add_middleware(SecurityHeaders)
    application.add_middleware(Light)
    application.add_middleware(Heads)
    application.add_middleware(Forwarded, trusted=application.state.settings.trusted_proxies)
    application.exception_handler(NotSignedIn)(_not_signed_in)
    application.exception_handler(NotAllowed)(_not_allowed)
    application.exception_handler(WebVigilError)(_trouble)
    application.exception_handler(RequestValidationError)(_not_understood)
    application.exception_handler(HTTPException)(_not_there)
    return application


@asynccontextmanager
async def _alive(application: FastAPI) -> AsyncIterator[None]:
    """Opens the fetchers, the page store and the page cache when the server starts, and closes the fetchers
    when it stops. Routes that show or preview pages use them."""
    state = application.state
    async with http_fetcher(state.settings) as fetcher, browser_fetcher(state.settings) as browser:
        known = logins(state.knowledge, state.settings)
        state.client = fetcher.client
        state.pages = repository(state.settings, state.knowledge.versions)
        state.digests = Digests(state.pages, memory=8_000_000)
        state.cache = PageCache(state.knowledge, state.pages, fetcher, browser, logins=known)
        yield


async def _not_signed_in(request: Request, _: Exception) -> Response:
    if _wants_page(request):
        return sign_in_page(status=401, to=_asked(request))
    answer = problem(
        401, "sign in, or send a token as Authorization: Bearer …; 'webvigil serve' prints a link"
    )
    answer.headers["www-authenticate"] = "Bearer"
    return answer


def _asked(request: Request) -> str:
    """Returns the path and query to open after sign-in; "" for a request that is no GET, because a form
    cannot be sent again by a redirect."""
    if request.method != "GET":
        return ""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


async def _not_allowed(request: Request, error: Exception) -> Response:
    return await _told(request, 403, str(error))


async def _trouble(request: Request, error: Exception) -> Response:
    assert isinstance(error, WebVigilError), "the handler of these alone"
    status = status_of(error)
    return await _told(request, status, told_of(error), **about(error))


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "the handler of these alone"
    first = error.errors()[0]
    if first["loc"][:1] == ("path",):
        # A malformed number in the path is answered like an unknown address, because no page can be there.
        return await _told(request, 404, _NO_ADDRESS)
    return await _told(request, 422, misunderstood(first))


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "the handler of these alone"
    detail = {404: _NO_ADDRESS, 405: _NO_METHOD}.get(error.status_code, str(error.detail))
    answer = await _told(request, error.status_code, detail)
    answer.headers.update(error.headers or {})
    return answer


async def _too_much(request: Request, detail: str) -> Response:
    return await _told(request, 413, detail)


async def _told(request: Request, status: int, detail: str, **more: object) -> Response:
    if _wants_page(request):
        user = await run_in_threadpool(somebody, request)
        return page("trouble.html", status=status, message=detail, user=user, missing=status == 404)
    return problem(status, detail, **more)


def _wants_page(request: Request) -> bool:
    return not request.url.path.startswith(API) and "text/html" in request.headers.get("accept", "")
