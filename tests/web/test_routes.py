"""Every route with all that it takes, and the limits of each value, stays as it is, letter for letter.

After a change that is meant, write them anew and read what git says is different:
`.venv/bin/python -m tests.web.test_routes`
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

KEPT = Path(__file__).with_name("routes.txt")


def routes() -> str:
    """Returns a line for each route, below it one for each value it takes, and then the bodies by name."""
    application = create_application(MemoryKnowledge(delay=0), read_settings({}, environment={}))
    every = FastAPI(generate_unique_id_function=lambda route: f"{min(route.methods)} {route.path}")
    for path, route in _all(application.routes):
        every.add_api_route(path, route.endpoint, methods=sorted(route.methods))
    told = get_openapi(title="all", version="1", routes=every.routes)
    lines: list[str] = []
    for path, methods in told["paths"].items():
        for method, route in methods.items():
            lines += [f"{method.upper()} {path}", *_taken(route)]
    for name, shape in told["components"]["schemas"].items():
        if not name.endswith("Shape"):
            lines += [name, *(f"  {field}: {_line(one)}" for field, one in _fields(shape).items())]
    return "\n".join(lines) + "\n"


def _all(some: Iterable[BaseRoute], prefix: str = "") -> Iterator[tuple[str, APIRoute]]:
    """Yields the routes of an application with their paths, also those of the parts that it includes."""
    for one in some:
        if isinstance(one, APIRoute):
            yield prefix + one.path, one
        elif inner := getattr(one, "original_router", None):
            yield from _all(inner.routes, prefix + one.include_context.prefix)


def _taken(route: dict[str, Any]) -> Iterator[str]:
    for one in route.get("parameters", ()):
        need = " (needed)" if one.get("required") else ""
        yield f"  {one['in']} {one['name']}{need}: {_line(one['schema'])}"
    for kind, body in route.get("requestBody", {}).get("content", {}).items():
        yield f"  {kind}: {_line(body['schema'])}"


def _fields(shape: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = shape.get("properties") or {"": shape}
    return fields


def _line(schema: dict[str, Any]) -> str:
    return json.dumps({name: one for name, one in schema.items() if name not in ("title", "examples")})


def test_every_route_takes_what_it_took():
    assert routes() == KEPT.read_text("utf-8"), "if this is meant: .venv/bin/python -m tests.web.test_routes"


if __name__ == "__main__":
    KEPT.write_text(routes(), "utf-8")
