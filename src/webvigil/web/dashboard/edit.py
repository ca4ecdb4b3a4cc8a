"""The page that edits a sentinel: its basic fields, or its whole text. Its changes and versions stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.adding import EVERY
from webvigil.app.sentinels.edit import edit, ending_at
from webvigil.app.sentinels.fields import Fields, fields_of, own_words, with_fields
from webvigil.app.sentinels.plain_words import until
from webvigil.app.telling.delivery import renderer_of
from webvigil.app.telling.messages import previewed
from webvigil.errors import MistakeInText, WebVigilError
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import is_endless
from webvigil.model.message import FIELDS, LONGEST_BODY, LONGEST_TITLE
from webvigil.model.moment import zone_named
from webvigil.model.sentinel import NEVER_ENDS
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
    end: Annotated[Literal["", "day", "never"], Form()] = "",
    end_day: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """`end` "" leaves the end as it is; `end_day` counts with `end` "day" alone. `offers_…` say that the form
    had these fields. A browser sends no box that is not ticked, and an empty text is none to the
    framework."""
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
        found = knowledge_of(request).sentinels.get(caller.name, name)
        wanted = with_fields(parse(found.written)[0], fields)
        chosen = _chosen_end(_end_of(found, caller), end, end_day)
        text = print_sentinel(ending_at(found, wanted, chosen) if chosen else wanted)
    except WebVigilError as error:
        return _page(
            request, caller, name, status=400, fields=fields, end=_End(end, end_day), trouble=said(error)
        )
    return _saved(request, caller, name, text, fields=fields, end=_End(end, end_day))


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


class _End(NamedTuple):
    """When a sentinel ends, as the form says it: "never", or "day" with that day, or "" for another end,
    which `words` tell."""

    kind: str
    day: str = ""
    words: str = ""


def _end_of(found: InstalledSentinel, caller: Caller) -> _End:
    zone = zone_named(caller.user.zone)
    if is_endless(found.life):
        return _End("never")
    if found.life.within and found.life.next_at and not found.life.over:
        return _End("day", found.life.next_at.astimezone(zone).date().isoformat())
    return _End("", "", until(found, zone))


def _chosen_end(present: _End, end: str, day: str) -> datetime | None:
    """Returns the end that was chosen, None if it is the present one. Raises MistakeInText for a day that
    cannot be read."""
    if end == "never":
        return None if present.kind == "never" else NEVER_ENDS
    if end != "day" or day == present.day != "":
        return None
    try:
        return datetime.combine(date.fromisoformat(day), time())
    except ValueError as error:
        raise MistakeInText(
            "the day of its end is missing; write it as 2027-11-30", line=1, column=1
        ) from error


def _page(request: Request, caller: Caller, name: str, *, status: int = 200, **shown: Any) -> Response:
    found = knowledge_of(request).sentinels.get(caller.name, name)
    present = fields_of(parse(found.written)[0])
    now = {present.fetch: f"{present.fetch}, as now"} if present.fetch else {}
    every = {"": "the usual interval"} | now | EVERY
    end = _end_of(found, caller)
    values = {"fields": present, "text": found.written, "open": "text" in shown, "end": end} | shown
    values["end_words"] = end.words
    fields = field_offers(request, caller) | {"every": every, "message_fields": FIELDS}
    return page("edit.html", status=status, user=caller.user, sentinel=found, **fields, **values)
