"""The live stream: sends each new change to the open dashboards of its user as soon as it is found (N4)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from webvigil.model.change import Change
from webvigil.model.user import User
from webvigil.model.wanted import LARGEST_ID, WantedChanges
from webvigil.web.access import Anyone, Reader, knowledge_of
from webvigil.web.dashboard.inbox import beside
from webvigil.web.problem import problem
from webvigil.web.templates import piece

router = APIRouter()

SHOWN = 50
# Seconds between two looks for new changes.
LIVE_EVERY = 1.0
# After so many seconds without a change the stream sends a comment, so that proxies do not close a silent
# connection.
STILL_THERE_EVERY = 15
# The stream ends after this many seconds, and the browser opens it again by itself. Somebody who was signed
# out in the meantime is then refused; an endless stream would go on showing changes to them.
LASTS = 600.0
# The most open streams of one user, because each of them asks the database once per LIVE_EVERY.
MOST = 30


@router.get("/events")
async def events(
    request: Request, caller: Reader, after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0
) -> Response:
    """Streams new changes, each as a card. A browser that connects again sends the id of the last change it
    got (Last-Event-ID), and the stream goes on after it."""
    seen = request.headers.get("last-event-id", "")
    open_streams: Counter[str] = request.app.state.streams
    if open_streams[caller.name] >= MOST:
        return problem(429, f"{MOST} windows of yours are live already; close some of them")
    start = int(seen[:20]) if seen.isascii() and seen.isdigit() else after
    stream = _live(request, caller.user, min(start, LARGEST_ID))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get("/favicon.ico")
def favicon(_: Anyone) -> Response:
    picture = (Path(__file__).parents[1] / "static" / "eye.svg").read_bytes()
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def _live(request: Request, user: User, seen: int) -> AsyncIterator[str]:
    open_streams: Counter[str] = request.app.state.streams
    open_streams[user.name] += 1
    try:
        async for message in _messages(request, user, seen):
            yield message
    finally:
        open_streams[user.name] -= 1


async def _messages(request: Request, user: User, seen: int) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    quiet, over = 0.0, time.monotonic() + LASTS
    knowledge = knowledge_of(request)
    while time.monotonic() < over and not await _is_over(request):
        wanted = WantedChanges(user=user.name, after=seen, limit=SHOWN)
        fresh = await asyncio.to_thread(knowledge.changes.some, wanted)
        shown = await asyncio.to_thread(beside, knowledge, user, fresh) if fresh else {}
        for one in reversed(fresh):
            seen = one.id
            yield _message(user, one, shown)
        quiet = 0 if fresh else quiet + LIVE_EVERY
        if quiet >= STILL_THERE_EVERY:
            quiet = 0
            yield ": still here\n\n"
        await asyncio.sleep(LIVE_EVERY)


async def _is_over(request: Request) -> bool:
    return getattr(request.app.state, "stopping", False) or await request.is_disconnected()


def _message(user: User, one: Change, shown: dict[str, Any]) -> str:
    card = piece("card.html", user=user, change=one, **shown)
    data = "".join(f"data: {line}\n" for line in card.splitlines())
    return f"event: change\nid: {one.id}\n{data}\n"
