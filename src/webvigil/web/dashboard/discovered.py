"""The page of a discovered service: an answer of the user in, a sentinel out (S6).

The user says what to ask the service, sees what would be watched, and installs the sentinel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from webvigil.app.discovery.requests import profile_of
from webvigil.app.sentinels.install import install_text
from webvigil.app.sentinels.names import free_name
from webvigil.app.sentinels.preview import would_watch
from webvigil.discover.analysis import Profile
from webvigil.discover.sentinel import sentinel_for
from webvigil.errors import WebVigilError
from webvigil.language import parse, print_sentinel
from webvigil.model.discovery import FoundService
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Id
from webvigil.web.api.discoveries import Number
from webvigil.web.dashboard.add import said
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page

router = APIRouter()

_ASKED = "ask."
"""Stands before the names of the service's arguments in the form. An argument may have any name, so without
the prefix it could collide with our own fields."""
_LONGEST = 20_000


@router.get("/discover/{discovery}/services/{service}")
async def watch(request: Request, caller: Reader, discovery: Id, service: Number) -> Response:
    found, profile = await run_in_threadpool(_service, request, caller, discovery, service)
    asked = dict(profile.arguments)
    try:
        text = await run_in_threadpool(_written, request, caller, profile, asked)
    except WebVigilError as error:
        return _page(caller, found, profile, asked, "", trouble=said(error))
    return _page(caller, found, profile, asked, text)


@router.post("/discover/{discovery}/services/{service}/preview")
async def preview(request: Request, caller: Reader, discovery: Id, service: Number) -> Response:
    """Shows the sentinel for the arguments in the form, and what it would watch."""
    _, profile = await run_in_threadpool(_service, request, caller, discovery, service)
    form = await request.form(max_files=0, max_fields=200)
    settings = replace(settings_of(request), user=caller.name)
    text = ""
    try:
        text = await run_in_threadpool(_written, request, caller, profile, _asked(form, profile))
        found = await would_watch(knowledge_of(request), settings, request.app.state.cache, text)
    except (ValueError, WebVigilError) as error:
        return page("discovered_preview.html", text=text, trouble=said(error))
    return page("discovered_preview.html", text=text, found=found)


@router.post("/discover/{discovery}/services/{service}")
async def save(request: Request, caller: Writer, discovery: Id, service: Number) -> Response:
    """Installs the text in the form, which the user may have edited. Without a text the sentinel is made from
    the arguments in the form."""
    found, profile = await run_in_threadpool(_service, request, caller, discovery, service)
    form = await request.form(max_files=0, max_fields=200)
    asked = _asked(form, profile)
    text = str(form.get("text", ""))[:_LONGEST]
    settings = replace(settings_of(request), user=caller.name)
    try:
        text = text.strip() or await run_in_threadpool(_written, request, caller, profile, asked)
        installed = await run_in_threadpool(install_text, knowledge_of(request), settings, text)
    except (ValueError, WebVigilError) as error:
        return _page(caller, found, profile, asked, text, status=400, trouble=said(error))
    return RedirectResponse(place_of(installed[0].name), status_code=303)


def _service(request: Request, caller: Caller, discovery: int, number: int) -> tuple[FoundService, Profile]:
    found = knowledge_of(request).discoveries.service(caller.name, discovery, number)
    return found, profile_of(found)


def _written(request: Request, caller: Caller, profile: Profile, asked: dict[str, str]) -> str:
    """Returns the text of a sentinel that asks the service these arguments, under a free name. Raises
    MistakeInText if the text does not read back."""
    made = sentinel_for(profile, asked)
    name = free_name(knowledge_of(request).sentinels, caller.name, made.name)
    text = print_sentinel(replace(made, name=name))
    parse(text)
    return text


def _asked(form: FormData, profile: Profile) -> dict[str, str]:
    said = {name: form.get(_ASKED + name, value) for name, value in profile.arguments}
    return {name: str(value)[:_LONGEST] for name, value in said.items()}


def _page(
    caller: Caller,
    found: FoundService,
    profile: Profile,
    asked: dict[str, str],
    text: str,
    *,
    status: int = 200,
    **values: Any,
) -> Response:
    return page(
        "discovered.html",
        status=status,
        user=caller.user,
        service=found,
        profile=profile,
        asked=asked,
        prefix=_ASKED,
        text=text,
        **values,
    )
