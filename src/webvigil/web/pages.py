"""The dashboard: the inbox that updates by itself, one change, the sentinels, and the door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from jinja2 import Environment, PackageLoader, select_autoescape

from webvigil.app.sign_in import SESSION_LASTS, session_from_link, sign_out
from webvigil.model.change import Change
from webvigil.present.lines import amounts, lines
from webvigil.web.api import change_of, knowledge_of
from webvigil.web.showing import VIEWS, frame_of
from webvigil.web.sign_in import COOKIE, SignedIn

router = APIRouter(include_in_schema=False)

SHOWN = 50
LINES_ON_A_CARD = 6
LIVE_EVERY = 1.0
STILL_THERE_EVERY = 15

_templates = Environment(
    loader=PackageLoader("webvigil.web", "templates"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["amounts"] = amounts
_templates.globals["lines"] = lines


@router.get("/")
def inbox(request: Request, user: SignedIn) -> Response:
    knowledge = knowledge_of(request)
    found = knowledge.changes.all(user.name, limit=SHOWN)
    sentinels = knowledge.sentinels.all(user.name)
    return _page(
        "inbox.html",
        user=user,
        changes=found,
        sentinels=sentinels,
        newest=found[0].id if found else 0,
        lines_on_a_card=LINES_ON_A_CARD,
    )


@router.get("/changes/{change_id}")
def change(request: Request, user: SignedIn, change_id: int, view: str = "auto") -> Response:
    found = change_of(knowledge_of(request), user.name, change_id)
    frame = frame_of(request, found, view, rendered=False)
    return _page("change.html", user=user, change=found, frame=frame, views=VIEWS)


@router.get("/sentinels")
def sentinels(request: Request, user: SignedIn) -> Response:
    return _page("sentinels.html", user=user, sentinels=knowledge_of(request).sentinels.all(user.name))


@router.get("/events")
async def events(request: Request, user: SignedIn, after: int = 0) -> Response:
    """New changes as they are found, each as a card. A reader that comes back tells what it has seen."""
    seen = request.headers.get("last-event-id", "")
    start = int(seen) if seen.isascii() and seen.isdigit() else after
    stream = _live(request, user.name, min(start, 2**53))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get("/sign-in")
def sign_in(request: Request, token: str = "") -> Response:
    session = session_from_link(knowledge_of(request), token)
    if session is None:
        return sign_in_page(request, status=401, expired=bool(token))
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(
        COOKIE,
        session,
        max_age=SESSION_LASTS // 1000,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/sign-out")
def leave(request: Request, user: SignedIn) -> Response:
    sign_out(knowledge_of(request), user.name)
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(COOKIE)
    return response


@router.get("/favicon.ico")
def favicon() -> Response:
    picture = (Path(__file__).parent / "static" / "eye.svg").read_bytes()
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def sign_in_page(_: Request, *, status: int, expired: bool = False) -> Response:
    return _page("sign_in.html", status=status, expired=expired)


def trouble_page(_: Request, message: str, *, status: int) -> Response:
    return _page("trouble.html", status=status, message=message)


async def _live(request: Request, user: str, seen: int) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    quiet = 0.0
    while not await request.is_disconnected() and not getattr(request.app.state, "stopping", False):
        fresh = await asyncio.to_thread(knowledge_of(request).changes.all, user, after=seen, limit=SHOWN)
        for one in reversed(fresh):
            seen = one.id
            yield _message(one)
        quiet = 0 if fresh else quiet + LIVE_EVERY
        if quiet >= STILL_THERE_EVERY:
            quiet = 0
            yield ": still here\n\n"
        await asyncio.sleep(LIVE_EVERY)


def _message(one: Change) -> str:
    card = _templates.get_template("card.html").render(change=one, lines_on_a_card=LINES_ON_A_CARD)
    data = "".join(f"data: {line}\n" for line in card.splitlines())
    return f"event: change\nid: {one.id}\n{data}\n"


def _page(name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    return HTMLResponse(_templates.get_template(name).render(**values), status_code=status)
