"""The form of `add` or `pick` in, an installed sentinel out.

If that fails, the form is shown again as it was filled in, with the reason and, if the name is taken, a free
name.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.first_look import looked_at
from webvigil.app.sentinels.install import install
from webvigil.app.sentinels.names import free_name
from webvigil.app.sentinels.offers import OnPage
from webvigil.errors import WebVigilError
from webvigil.web.access import Caller, Writer, knowledge_of, settings_of
from webvigil.web.dashboard.add import Said, addresses, choices, look, said, sentinel_of
from webvigil.web.dashboard.pick import clicked
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page

router = APIRouter()

_NOTHING = OnPage("", ())


@router.post("/add")
async def save(request: Request, caller: Writer, form: Annotated[Said, Form()]) -> Response:
    try:
        name = await asyncio.to_thread(_install, request, caller, form)
    except (ValueError, WebVigilError) as error:
        return await _again(request, caller, form, said(error))
    return RedirectResponse(place_of(name), status_code=303)


def _install(request: Request, caller: Caller, form: Said) -> str:
    sentinel = sentinel_of(form)
    settings = replace(settings_of(request), user=caller.name)
    knowledge = knowledge_of(request)
    return looked_at(
        knowledge.duties, knowledge.sentinels, settings, install(knowledge, settings, [sentinel])
    )[0].name


async def _again(request: Request, caller: Caller, form: Said, trouble: str) -> Response:
    knowledge = knowledge_of(request)
    name = form.name.strip()
    free = await asyncio.to_thread(free_name, knowledge.sentinels, caller.name, name) if name else ""
    if free != name:
        trouble = f"You have a sentinel “{name}” already. “{free}” is free, and stands below now."
        form = form.model_copy(update={"name": free})
    if form.token:
        try:
            return await clicked(request, caller, form, trouble)
        except WebVigilError:
            pass  # The token has expired. The page of choices below shows the user's choice as an expression.
    try:
        urls = addresses(form.url)
    except ValueError:
        return page("add.html", status=400, user=caller.user, url=form.url, trouble=trouble)
    try:
        looked = await look(request, caller.name, urls, form.render, form.steps, form.asking)
    except WebVigilError:
        looked = _NOTHING
    return choices(request, caller, urls, looked, _in_words(form), status=400, trouble=trouble)


def _in_words(form: Said) -> Said:
    """Returns the form with the choice written as an expression, or unchanged if the choice is incomplete."""
    try:
        return form.model_copy(update={"own": form.monitor, "within": form.part})
    except ValueError:
        return form
