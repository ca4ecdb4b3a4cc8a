"""All applications of a test process share their routes.

FastAPI works out each route when the first request comes near it. An application has some two hundred routes,
so the first request of every test took a tenth of a second. A route takes the application from the request
and keeps nothing of it.
"""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import BaseRoute

from webvigil.app.settings import Settings
from webvigil.store.promises import Knowledge
from webvigil.web import application

_create = application.create_application
_routes: list[BaseRoute] = []


def share_routes() -> None:
    application.create_application = _with_shared_routes


def _with_shared_routes(knowledge: Knowledge, settings: Settings) -> FastAPI:
    made = _create(knowledge, settings)
    if not _routes:
        _routes.extend(made.router.routes)
    made.router.routes[:] = _routes
    return made
