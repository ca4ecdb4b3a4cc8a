"""All applications of a test process share their routes, and their templates misspell nothing.

FastAPI works out each route when the first request comes near it. An application has some two hundred routes,
so the first request of every test took a tenth of a second. A route takes the application from the request
and keeps nothing of it.
"""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.testclient import TestClient
from jinja2 import Undefined
from jinja2.utils import missing
from starlette.routing import BaseRoute

from webvigil.app.settings import Settings, read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.web import application, templates

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


def work_out_routes() -> None:
    """Makes an application and asks it for the last of its routes, so that no other has to work them out."""
    made = application.create_application(MemoryKnowledge(), read_settings({}, environment={}))
    assert TestClient(made).get("/nowhere").status_code == 404


class Misspelt(Undefined):
    """What a template gets for an attribute that its object does not have. It cannot be printed, so that a
    renamed field fails a test instead of leaving a gap on the page. A name that was not given to the template
    is still empty."""

    def __str__(self) -> str:
        return "" if self._undefined_obj is missing else self._fail_with_undefined_error()


def refuse_misspelt() -> None:
    templates._environment.undefined = Misspelt
