"""The page that edits a sentinel: its basic fields, or its whole text. Its changes and versions stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.adding import EVERY
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.fields import Fields, fields_of, own_words, with_fields
from webvigil.app.telling.delivery import renderer_of
from webvigil.app.telling.messages import previewed
from webvigil.errors import WebVigilError
from webvigil.language import parse, print_sentinel
from webvigil.model.message import FIELDS, LONGEST_BODY, LONGEST_TITLE
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Name
from webvigil.web.api.sentinels import LONGEST_TEXT
from webvigil.web.dashboard.add import Field, field_offers, said
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page

router = APIRouter()
Title = Annotated[str, Form(max_length=LONGEST_TITLE)]
Body = Annotated[str, Form(max_length=LONGEST_BODY)]


@router.get("/sentinels/{name}/edit")
def ask(request: Request, caller: Reader, name: Name) -> Response:
    return _page(request, caller, name)


@router.post("/sentinels/{name}/edit")
def save(
    request: Request,
    caller: Writer,
    name: Name,
    title: Title = "",
    monitor: Field = "",
    within: Field = "",
    fetch: Field = "",
    hours: Field = "",
    topic: Field = "",
    notify: Field = "",
    depth: Field = "",
    message_title: Title = "",
    message_body: Body = "",
    means: Annotated[str, Form(max_length=2_000)] = "",
    summary: Annotated[Literal["", "on"], Form()] = "",
    offers_means: Annotated[bool, Form()] = False,
    offers_summary: Annotated[bool, Form()] = False,
) -> Response:
    """`offers_…` say that the form had these fields. A browser sends no box that is not ticked, and an empty
    text is none to the framework."""
    fields = Fields(
        title=title,
        monitor=monitor,
        within=within,
        fetch=fetch,
        hours=hours,
        topic=topic,
        notify=notify,
        depth=depth,
        message_title=message_title,
        message_body=message_body,
        means=means if offers_means else None,
        summary=summary == "on" if offers_summary else None,
    )
    try:
        present = parse(knowledge_of(request).sentinels.get(caller.name, name).written)[0]
        text = print_sentinel(with_fields(present, fields))
    except WebVigilError as error:
        return _page(request, caller, name, status=400, fields=fields, trouble=said(error))
    return _saved(request, caller, name, text, fields=fields)


@router.post("/sentinels/{name}/message")
def preview_message(
    request: Request, caller: Reader, name: Name, message_title: Title = "", message_body: Body = ""
) -> Response:
    """Shows what a message says about the last change, while the user writes it."""
    knowledge = knowledge_of(request)
    found = parse(knowledge.sentinels.get(caller.name, name).text)[0]
    try:
        own = own_words(message_title, message_body)
        renderer = renderer_of(settings_of(request), knowledge.users)
        told = previewed(knowledge.changes, renderer, caller.name, found, own)
    except WebVigilError as error:
        return page("message.html", trouble=said(error))
    return page("message.html", told=told)


@router.post("/sentinels/{name}/text")
def save_text(
    request: Request, caller: Writer, name: Name, text: Annotated[str, Form(max_length=LONGEST_TEXT)] = ""
) -> Response:
    return _saved(request, caller, name, text, text=text)


def _saved(request: Request, caller: Caller, name: str, wanted: str, **shown: Any) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    try:
        edit(knowledge_of(request), settings, name, wanted)
    except WebVigilError as error:
        return _page(request, caller, name, status=400, trouble=said(error), **shown)
    return RedirectResponse(place_of(name), status_code=303)


def _page(request: Request, caller: Caller, name: str, *, status: int = 200, **shown: Any) -> Response:
    found = knowledge_of(request).sentinels.get(caller.name, name)
    present = fields_of(parse(found.written)[0])
    now = {present.fetch: f"{present.fetch}, as now"} if present.fetch else {}
    every = {"": "the usual interval"} | now | EVERY
    values = {"fields": present, "text": found.written, "open": "text" in shown} | shown
    fields = field_offers(request, caller) | {"every": every, "message_fields": FIELDS}
    return page("edit.html", status=status, user=caller.user, sentinel=found, **fields, **values)
