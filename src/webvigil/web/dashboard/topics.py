"""The page /topics: the clauses that a topic gives to those of its sentinels that leave them out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.topics import say_topic, topics_of
from webvigil.errors import WebVigilError
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.sentinels import LONGEST_TEXT
from webvigil.web.dashboard.add import said
from webvigil.web.templates import page

router = APIRouter()


@router.get("/topics")
def show(request: Request, caller: Reader) -> Response:
    return _page(request, caller)


@router.post("/topics")
def save(
    request: Request,
    caller: Writer,
    name: Annotated[str, Form(max_length=100)] = "",
    clauses: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    try:
        say_topic(knowledge_of(request), settings, name.strip(), clauses)
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=said(error), name=name, clauses=clauses)
    return RedirectResponse("/topics", status_code=303)


def _page(request: Request, caller: Caller, *, status: int = 200, **shown: Any) -> Response:
    found = topics_of(knowledge_of(request), caller.name)
    return page("topics.html", status=status, user=caller.user, found=found, **shown)
