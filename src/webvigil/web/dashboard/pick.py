"""Picking: the page in a frame, and what a click on it means, in words (U1).

The frame says a token and the number of an element, nothing else (DESIGN 7). The token tells which page it
was, as it was; the number is looked up in our own tree of that page.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request, Response

from webvigil.app.documents import document_of
from webvigil.app.passes import Passes
from webvigil.app.picking import followed, picked
from webvigil.document import PageDigest
from webvigil.errors import NotFound, PageRefused, WebVigilError
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.present.pickable import can_be_picked_from
from webvigil.web.access import Caller, Reader
from webvigil.web.dashboard.add import EVERY, PHRASE, addresses, said, wished_name
from webvigil.web.showing import pick_frame
from webvigil.web.templates import page

router = APIRouter()

LONGEST_ADDRESS = 2_000  # it stands in the token
Token = Annotated[str, Form(max_length=8_000)]
Node = Annotated[int, Form(ge=0, le=10**7)]


class Looked(NamedTuple):
    digest: PageDigest
    kept: str


@router.get("/add/pick")
async def pick(
    request: Request,
    caller: Reader,
    url: Annotated[str, Query(max_length=100_000)] = "",
    plain: bool = False,
) -> Response:
    """The page to click on, and what has been chosen beside it."""
    try:
        address = _only(url)
        looked = await _look(request, address)
        frame = pick_frame(request, caller.name, address, looked.kept, plain=plain)
        if frame is None:
            raise PageRefused("Pages cannot be shown here: the setting shown_port or shown_url says where")
    except (ValueError, WebVigilError) as error:
        return page("add.html", status=400, user=caller.user, url=url, trouble=said(error))
    name = await wished_name(request, caller.name, looked.digest.title, address)
    return page(
        "add_pick.html",
        user=caller.user,
        url=address,
        title=looked.digest.title,
        plain=plain,
        frame=frame[0],
        token=frame[1],
        name=name,
        every=EVERY,
    )


@router.post("/add/pick/node")
async def chosen(request: Request, caller: Reader, token: Token, node: Node) -> Response:
    """What may be meant by an element."""
    try:
        digest = await asyncio.to_thread(_seen, request, caller, token)
        found = await asyncio.to_thread(picked, digest, node)
    except WebVigilError as error:
        return page("picked.html", status=404, trouble=said(error))
    return page("picked.html", picked=found, phrase=PHRASE)


@router.post("/add/pick/follow")
async def follow(request: Request, caller: Reader, token: Token, node: Node) -> Response:
    """The way to the page behind a link, to pick from that."""
    try:
        digest = await asyncio.to_thread(_seen, request, caller, token)
        url = followed(digest, node)
    except WebVigilError as error:
        return page("picked.html", status=404, trouble=said(error))
    if not url:
        return page("picked.html", status=404, trouble="There is no link here that leads to a page.")
    return Response(status_code=200, headers={"HX-Redirect": f"/add/pick?url={quote(url, safe='')}"})


def _only(text: str) -> str:
    found = addresses(text)
    if len(found) > 1:
        raise ValueError("Pick on one page at a time: give one address")
    if len(found[0]) > LONGEST_ADDRESS:
        raise ValueError("This address is too long to pick on its page; choose from what is on it instead")
    return found[0]


async def _look(request: Request, url: str) -> Looked:
    answer = await request.app.state.cache.get(Page(url=url), fresh=60_000)
    return await asyncio.to_thread(_keep, request, answer)


def _keep(request: Request, answer: Answer) -> Looked:
    """As it came, so that a number means the same element later, wherever it is asked. Nobody's version: the
    collector removes it after a day."""
    digest = document_of(answer)
    if not can_be_picked_from(digest):
        raise PageRefused(
            "This page cannot be clicked on: it is no HTML, or too large. Choose from what is on it"
        )
    return Looked(digest, request.app.state.pages.keep(answer).object)


def _seen(request: Request, caller: Caller, token: str) -> PageDigest:
    passes: Passes | None = getattr(request.app.state, "passes", None)
    told = passes.read("pick", token) if passes else None
    if told is None or told["user"] != caller.name:
        raise NotFound("This view is over. Load the page again to go on picking.")
    digest: PageDigest = request.app.state.digests.of(str(told["object"]))
    return digest
