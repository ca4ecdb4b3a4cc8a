"""Answers of the API that are told as they are: a route returns what is JSON, and nobody judges it again.

The framework would check each value against the annotation and write it in another thread, which takes longer
than finding it. The schema is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool

from webvigil.web.access import admin, reader, writer
from webvigil.web.api.together import together

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Told(APIRoute):
    """A route whose answer to GET is found and written in one place."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        asks = set(more.get("methods") or ()) == {"GET"} and not iscoroutinefunction(endpoint)
        super().__init__(path, _told(endpoint) if asks else endpoint, **more)

    def get_route_handler(self) -> Handler:
        answer = super().get_route_handler()
        rules = [one for one in getattr(self.endpoint, "rules", ()) if one in (reader, writer, admin)]

        async def judged(request: Request) -> Response:
            try:
                return await answer(request)
            except RequestValidationError:
                # Whoever may not ask is not told what is wrong with the question.
                for rule in rules:
                    await run_in_threadpool(rule, request)
                raise

        return judged


def _told(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    if hasattr(endpoint, "rules"):
        return endpoint  # told already, by the router that it was first in
    found_by = together(endpoint)

    def told(**asked: Any) -> Response:
        found = found_by(**asked)
        if isinstance(found, Response):
            return found
        answer = Response(to_json(found), media_type="application/json")
        set_aside = asked.get("response")
        if isinstance(set_aside, Response):
            answer.headers.raw.extend(set_aside.headers.raw)
        return answer

    told.__dict__.update(found_by.__dict__)
    told.__name__, told.__doc__, told.__module__ = found_by.__name__, found_by.__doc__, found_by.__module__
    return told
