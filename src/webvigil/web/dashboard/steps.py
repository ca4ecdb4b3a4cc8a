"""The page /add/steps: builds the steps in a browser from clicks on pictures of the page (K1).

The steps stand in a text, one on a line. A try runs them and shows a picture after each. A click on the
newest picture offers what can be done there; the choice is put behind the steps that were tried, and tried at
once.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel
from pydantic import Field as Limited

from webvigil.app.pages.documents import document_of
from webvigil.app.pages.logins import logins
from webvigil.app.people.passes import Passes, passes_of
from webvigil.app.sentinels.adding import as_seen
from webvigil.app.sentinels.next_steps import NextSteps, next_steps
from webvigil.document.screenshot import size_of, thumbnail
from webvigil.errors import NotFound, PageRefused, WebVigilError
from webvigil.fetch.browser import Rehearsal, Shot
from webvigil.language import parse_steps, print_steps
from webvigil.language.texts import quoted
from webvigil.model.approach import Step, shown
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.dashboard.add import addresses, said
from webvigil.web.templates import page

router = APIRouter()

WIDTH = 960
"""Pixels of the picture that is clicked on; the coordinates of a click are those of the shown picture."""
_SMALL = 320, 200
_KIND = "steps"
Short = Annotated[str, Limited(max_length=100_000)]
Token = Annotated[str, Query(max_length=2_000)]


class Tried(BaseModel):
    """The form: the steps, how many of them were tried (`at`), the pictures, and what was clicked."""

    url: Short = ""
    steps: Short = ""
    at: Annotated[int, Limited(ge=0, le=100)] = 0
    until: Annotated[int, Limited(ge=-1, le=100)] = -1
    shots: Annotated[list[Annotated[str, Limited(max_length=2_000)]], Limited(max_length=60)] = []
    add: Short = ""
    typed: Short = ""
    secret: Short = ""
    left: Annotated[int, Limited(ge=-1, le=100_000, alias="place.x")] = -1
    top: Annotated[int, Limited(ge=-1, le=100_000, alias="place.y")] = -1


@dataclass(frozen=True, slots=True)
class Line:
    """One step as the page shows it, with the token of its picture ("" if it was not tried)."""

    number: int
    text: str
    shot: str


@router.get("/add/steps")
def steps(request: Request, caller: Writer, url: Annotated[str, Query(max_length=100_000)] = "") -> Response:
    """Shows the page to make steps on; nothing is visited before the first try."""
    return _page(request, caller, Tried(url=url))


@router.post("/add/steps")
async def tried(request: Request, caller: Writer, form: Annotated[Tried, Form()]) -> Response:
    """Tries the steps, or offers what can be done at the place that was clicked."""
    try:
        if form.left >= 0 and form.shots:
            return await _offered(request, caller, form)
        form = _with_added(form)
        return await _rehearsed(request, caller, form)
    except (ValueError, WebVigilError) as error:
        return _page(request, caller, form, status=400, trouble=said(error))


@router.get("/add/steps/picture")
def picture(request: Request, caller: Reader, token: Token, small: bool = False) -> Response:
    """Sends the picture of a step, drawn anew from its pixels."""
    told = _told(request, caller, token)
    content: bytes = request.app.state.pages.picture(str(told["picture"]))
    width, height = size_of(content)
    size = _SMALL if small else (WIDTH, max(1, height * WIDTH // max(width, 1)))
    headers = {"Cache-Control": "private, max-age=600, immutable"}
    return Response(thumbnail(content, *size), media_type="image/jpeg", headers=headers)


def _with_added(form: Tried) -> Tried:
    """Returns the form with the chosen step behind those that were tried; up to that step is tried next."""
    if not form.add:
        return form
    ending = f" secret {form.secret}" if form.secret else f" {quoted(form.typed)}" if form.typed else ""
    before = list(parse_steps(form.steps))
    (new,) = parse_steps(form.add + (ending if form.add.startswith(("type ", "choose ")) else ""))
    at = min(form.at, len(before))
    return form.model_copy(
        update={"steps": print_steps([*before[:at], new, *before[at:]]), "until": at + 1, "add": ""}
    )


async def _rehearsed(request: Request, caller: Caller, form: Tried) -> Response:
    address = _only(form.url)
    found = parse_steps(form.steps)
    until = len(found) if form.until < 0 else min(form.until, len(found))
    for step in found[:until]:
        _refuse_script(request, step)
    wanted = await asyncio.to_thread(
        as_seen, knowledge_of(request).logins, caller.name, address, "browser", print_steps(found[:until])
    )
    seen: Rehearsal = await request.app.state.cache.rehearse(wanted)
    shots = await asyncio.to_thread(lambda: [_kept(request, caller, one) for one in seen.shots])
    form = form.model_copy(
        update={
            "url": address,
            "steps": print_steps(found),
            "at": len(shots) - 1,
            "shots": shots,
            "until": -1,
        }
    )
    failed = await asyncio.to_thread(_kept, request, caller, seen.failed) if seen.failed else ""
    return _page(request, caller, form, trouble=seen.trouble, failed=failed)


def _refuse_script(request: Request, step: Step) -> None:
    if step.do == "run" and not settings_of(request).step_scripts:
        raise PageRefused(f"{shown(step)}: scripts do not run here; the operator allows them (step_scripts)")


async def _offered(request: Request, caller: Caller, form: Tried) -> Response:
    told = _told(request, caller, form.shots[-1])
    offer = await asyncio.to_thread(_offer, request, told, form)
    return _page(request, caller, form, offer=offer)


def _offer(request: Request, told: dict[str, str | int], form: Tried) -> NextSteps:
    pages = request.app.state.pages
    content = pages.picture(str(told["picture"]))
    scale = size_of(content)[0] / WIDTH
    document = document_of(pages.answer(str(told["object"])))
    return next_steps(document, content, round(form.left * scale), round(form.top * scale))


def _page(request: Request, caller: Caller, form: Tried, status: int = 200, **values: Any) -> Response:
    known: tuple[str, ...] = ()
    try:
        lines = [print_steps([one]) for one in parse_steps(form.steps)]
        mine = logins(knowledge_of(request), settings_of(request))
        known = (form.url and mine.secrets_for(caller.name, _only(form.url))) or ()
    except (ValueError, WebVigilError):
        lines = [one for one in form.steps.splitlines() if one.strip()]
    shots = form.shots
    return page(
        "add_steps.html",
        status=status,
        user=caller.user,
        form=form,
        lines=[Line(at, text, shots[at] if at < len(shots) else "") for at, text in enumerate(lines, 1)],
        secrets=known,
        width=WIDTH,
        onward="/add?" + urlencode({"url": form.url, "render": "browser", "steps": "\n".join(lines)}),
        **values,
    )


def _kept(request: Request, caller: Caller, shot: Shot) -> str:
    """Stores a shot, and returns the token that names it. No version names these objects, so the collector
    removes them after a day."""
    pages = request.app.state.pages
    what = {
        "user": caller.name,
        "picture": pages.keep_picture(shot.picture) if shot.picture else "",
        "object": pages.keep(shot.answer).object if shot.answer else "",
    }
    return _passes(request).written(_KIND, what, lasts=3600)


def _told(request: Request, caller: Caller, token: str) -> dict[str, str | int]:
    told = _passes(request).read(_KIND, token)
    if told is None or told["user"] != caller.name:
        raise NotFound("This view has expired. Try the steps again to go on.")
    return told


def _passes(request: Request) -> Passes:
    passes: Passes | None = getattr(request.app.state, "passes", None)
    return passes or passes_of(settings_of(request))


def _only(text: str) -> str:
    found = addresses(text)
    if len(found) > 1:
        raise ValueError("Steps lead to one page: give one address")
    return found[0]
