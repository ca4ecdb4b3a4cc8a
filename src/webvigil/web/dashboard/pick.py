"""The page /add/pick: shows a page in a frame, and turns a click on an element into offers to watch (U1).

The frame holds foreign content, so it sends a token and the number of an element and nothing else (DESIGN 7).
The token names the stored page; the number is looked up in our own tree of that page.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response

from webvigil.app.pages.documents import document_of
from webvigil.app.people.passes import Passes
from webvigil.app.sentinels.adding import Render, as_seen, wished_name
from webvigil.app.sentinels.pick import Choice, Picked, followed, picked, places
from webvigil.document import PageDigest
from webvigil.errors import NotFound, PageRefused, WebVigilError
from webvigil.model.version import Answer
from webvigil.present.pickable import can_be_picked_from
from webvigil.web.access import Caller, Reader, knowledge_of
from webvigil.web.dashboard.add import (
    PHRASE,
    Said,
    addresses,
    field_offers,
    login_of,
    said,
)
from webvigil.web.frame import pick_address, pick_frame
from webvigil.web.templates import page

router = APIRouter()

LONGEST_ADDRESS = 2_000  # The address is part of the token, which has at most 8,000 characters.
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
    render: Render = "",
) -> Response:
    """Shows the page to click on, with the form for the user's choice beside it."""
    try:
        address = _only(url)
        looked = await _look(request, caller.name, address, render)
        frame = pick_frame(request, caller.name, address, looked.kept, plain=plain, render=render)
        if frame is None:
            raise PageRefused("Pages cannot be shown here: the setting shown_port or shown_url says where")
    except (ValueError, WebVigilError) as error:
        return page("add.html", status=400, user=caller.user, url=url, render=render, trouble=said(error))
    title = looked.digest.title
    name = await asyncio.to_thread(wished_name, knowledge_of(request).sentinels, caller.name, title, address)
    form = Said(url=address, name=name, render=render, token=frame[1])
    return _page(request, caller, form, frame[0], title, plain=plain)


async def clicked(request: Request, caller: Caller, form: Said, trouble: str) -> Response:
    """Shows the same page again with the user's choice and the reason why it could not be saved. Raises
    NotFound if the token has expired."""
    told = _told(request, caller, form.token)
    digest = await asyncio.to_thread(request.app.state.digests.of, str(told["object"]))
    found = await asyncio.to_thread(_chosen_again, digest, form)
    frame = pick_address(request, form.token)
    values = {"picked": found, "phrase": PHRASE, "node": form.node, "status": 400, "trouble": trouble}
    return _page(request, caller, form, frame, digest.title, plain=bool(told["plain"]), **values)


def _page(
    request: Request, caller: Caller, form: Said, frame: str, title: str, *, plain: bool, **values: Any
) -> Response:
    query = {"url": form.url} | ({"render": form.render} if form.render else {})
    return page(
        "add_pick.html",
        user=caller.user,
        form=form,
        title=title,
        plain=plain,
        frame=frame,
        other_look="/add/pick?" + urlencode(query if plain else query | {"plain": "true"}),
        login=login_of(knowledge_of(request).logins, caller.name, form.url),
        **field_offers(request, caller),
        **values,
    )


def _chosen_again(digest: PageDigest, form: Said) -> Picked:
    """Returns the offers for the clicked element with the user's choice selected, and with the phrase as the
    user wrote it."""
    found = picked(digest, form.node)
    said_before = form.choice.replace("\r", "")
    values = [f"{PHRASE if one.kind == 'text' else one.monitor}\n{one.within}" for one in found.choices]
    chosen = values.index(said_before) if said_before in values else found.chosen
    return replace(
        found, chosen=chosen, choices=tuple(_with_words(digest, one, form.phrase) for one in found.choices)
    )


def _with_words(digest: PageDigest, one: Choice, phrase: str) -> Choice:
    if one.kind != "text" or not phrase.strip():
        return one
    around = next(iter(places(digest, phrase)), None)
    before, after = (around.before, around.after) if around else ((), ())
    return replace(one, phrase=" ".join(phrase.split()), before=before, after=after)


@router.post("/add/pick/node")
async def chosen(request: Request, caller: Reader, token: Token, node: Node) -> Response:
    """Shows what can be watched at the clicked element."""
    try:
        digest = await asyncio.to_thread(_seen, request, caller, token)
        found = await asyncio.to_thread(picked, digest, node)
    except WebVigilError as error:
        return page("picked.html", status=404, trouble=said(error))
    return page("picked.html", picked=found, phrase=PHRASE, node=node)


@router.post("/add/pick/follow")
async def follow(request: Request, caller: Reader, token: Token, node: Node) -> Response:
    """Sends the browser on to the page behind the clicked link, to pick an element there."""
    try:
        told = _told(request, caller, token)
        digest = await asyncio.to_thread(_seen, request, caller, token)
        url = followed(digest, node)
    except WebVigilError as error:
        return page("picked.html", status=404, trouble=said(error))
    if not url:
        return page("picked.html", status=404, trouble="There is no link here that leads to a page.")
    query = {"url": url} | ({"render": told["render"]} if told.get("render") else {})
    return Response(status_code=200, headers={"HX-Redirect": f"/add/pick?{urlencode(query)}"})


def _only(text: str) -> str:
    found = addresses(text)
    if len(found) > 1:
        raise ValueError("Pick on one page at a time: give one address")
    if len(found[0]) > LONGEST_ADDRESS:
        raise ValueError("This address is too long to pick on its page; choose from what is on it instead")
    return found[0]


async def _look(request: Request, user: str, url: str, render: Render) -> Looked:
    wanted = await asyncio.to_thread(as_seen, knowledge_of(request).logins, user, url, render)
    answer = await request.app.state.cache.get(wanted, fresh=60_000)
    return await asyncio.to_thread(_keep, request, answer)


def _keep(request: Request, answer: Answer) -> Looked:
    """Stores the answer as it came, so that a number means the same element in later requests. The stored
    object is no version of a page, so the collector removes it after a day. Raises PageRefused for a page
    that is no HTML or too large."""
    digest = document_of(answer)
    if not can_be_picked_from(digest):
        raise PageRefused(
            "This page cannot be clicked on: it is no HTML, or too large. Choose from what is on it"
        )
    return Looked(digest, request.app.state.pages.keep(answer).object)


def _seen(request: Request, caller: Caller, token: str) -> PageDigest:
    digest: PageDigest = request.app.state.digests.of(str(_told(request, caller, token)["object"]))
    return digest


def _told(request: Request, caller: Caller, token: str) -> dict[str, str | int]:
    """Returns what the token says. Raises NotFound if the token has expired or was given to another user."""
    passes: Passes | None = getattr(request.app.state, "passes", None)
    told = passes.read("pick", token) if passes else None
    if told is None or told["user"] != caller.name:
        raise NotFound("This view has expired. Load the page again to go on picking.")
    return told
