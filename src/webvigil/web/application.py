"""The web application: routes put together, security headers on every answer, trouble in plain words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from webvigil import __version__
from webvigil.errors import NotFound, WebVigilError
from webvigil.store.promises import Knowledge
from webvigil.web import api, bulletin, contacts, feeds, notices, pages, push
from webvigil.web.sign_in import NotSignedIn

_SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def create_application(knowledge: Knowledge) -> FastAPI:
    application = FastAPI(title="WebVigil", version=__version__, docs_url=None, redoc_url=None)
    application.state.knowledge = knowledge
    application.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    application.include_router(api.health)
    application.include_router(api.router, prefix="/api/v1")
    application.include_router(push.router)
    for part in (notices, contacts, bulletin):
        application.include_router(part.api, prefix="/api/v1")
    for part in (contacts, bulletin):
        application.include_router(part.pages)
    application.include_router(feeds.router)
    application.include_router(pages.router)
    application.middleware("http")(_with_security_headers)
    application.exception_handler(NotSignedIn)(_not_signed_in)
    application.exception_handler(WebVigilError)(_trouble)
    return application


async def _with_security_headers(
    request: Request, go_on: Callable[[Request], Awaitable[Response]]
) -> Response:
    response = await go_on(request)
    for name, value in _SECURITY.items():
        response.headers.setdefault(name, value)
    return response


async def _not_signed_in(request: Request, _: Exception) -> Response:
    if _wants_page(request):
        return pages.sign_in_page(request, status=401)
    return _problem(401, "Not signed in", "sign in with the link that 'webvigil serve' prints")


async def _trouble(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, NotFound) else 503 if getattr(error, "transient", False) else 400
    if _wants_page(request):
        return pages.trouble_page(request, str(error), status=status)
    return _problem(status, "Not found" if status == 404 else "Refused", str(error))


def _wants_page(request: Request) -> bool:
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def _problem(status: int, title: str, detail: str) -> JSONResponse:
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(content, status_code=status, media_type="application/problem+json")
