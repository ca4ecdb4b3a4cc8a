"""Answers of the API that are told as they are: a route returns what is JSON, and nobody judges it again.

The framework would check each value against the annotation and write it in another thread, which takes longer
than finding it. The schema is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Response
from fastapi.routing import APIRoute
from pydantic_core import to_json


class Told(APIRoute):
    """A route whose answer to GET is written where it was found."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        asks = set(more.get("methods") or ()) == {"GET"} and not iscoroutinefunction(endpoint)
        super().__init__(path, _told(endpoint) if asks else endpoint, **more)


def _told(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(endpoint)
    def told(**asked: Any) -> Response:
        found = endpoint(**asked)
        if isinstance(found, Response):
            return found
        answer = Response(to_json(found), media_type="application/json")
        set_aside = asked.get("response")
        if isinstance(set_aside, Response):
            answer.headers.raw.extend(set_aside.headers.raw)
        return answer

    return told
