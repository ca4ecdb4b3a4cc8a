"""API routes for forms that make a sentinel: what a page offers, what a click on it means, its text (U8).

The browser extension uses them. None of them installs anything.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.pages.documents import document_of
from webvigil.app.sentinels.adding import (
    ABOUT,
    EVERY,
    MARK,
    MarkedPage,
    Render,
    as_seen,
    composed,
    recommended,
    ways_of,
    wished_name,
    wished_topic,
)
from webvigil.app.sentinels.fields import Fields
from webvigil.app.sentinels.offers import OnPage, on_page
from webvigil.app.sentinels.pick import Choice
from webvigil.document import read
from webvigil.errors import PageRefused, SettingRefused
from webvigil.model.page import normal_url, with_scheme
from webvigil.model.shapes import ChoiceShape, ComposedShape, OfferShape, OffersShape, PickedShape
from webvigil.present.pickable import can_be_picked_from
from webvigil.web.access import Reader, knowledge_of

router = APIRouter(tags=["sentinels"])
LONGEST_PAGE = 8_000_000
Address = Annotated[str, Field(max_length=2_000, examples=["https://example.org/news"])]
Short = Annotated[str, Field(max_length=10_000)]


class Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid")
    url: Address
    render: Render = Field("", description="`browser`: as a browser renders the page.")
    look: bool = Field(True, description="Whether the page is fetched; without, there are no offers.")
    title: Short = Field("", description="The title of the page, if it is not fetched.")


class Clicked(BaseModel):
    """A page as a browser shows it, whose elements carry numbers, and the number of the clicked one."""

    model_config = ConfigDict(extra="forbid")
    url: Address
    html: str = Field(
        max_length=LONGEST_PAGE,
        description=f"Each element that can be clicked has a number in its attribute {MARK}.",
        examples=[f'<p {MARK}="0">Tea costs <b {MARK}="1">3 €</b></p>'],
    )
    at: int | None = Field(None, ge=0, lt=10**8, description="The element that was clicked.")


class Described(BaseModel):
    """Each field holds a clause without its first word. `within` may be a plain CSS selector."""

    model_config = ConfigDict(extra="forbid")
    url: Address
    name: str = Field(max_length=200, examples=["news"])
    monitor: Short = Field("", examples=["all links"])
    within: Short = Field("", examples=["main"])
    fetch: Short = Field("", examples=["2 hour"])
    notify: Short = Field("", examples=["email jill@example.org"])
    topic: Short = ""
    render: Render = ""


@router.post("/offers", summary="What can be watched on a page, and what else a form offers")
async def offers(request: Request, caller: Reader, body: Wanted) -> OffersShape:
    """A page that was not fetched a short time ago is fetched now, with the log-in of the user for it."""
    knowledge, url = knowledge_of(request), _normal(body.url)
    looked = OnPage(body.title, ())
    if body.look:
        wanted = await asyncio.to_thread(as_seen, knowledge.logins, caller.name, url, body.render)
        answer = await request.app.state.cache.get(wanted, fresh=60_000)
        looked = await asyncio.to_thread(lambda: on_page(document_of(answer)))
    sentinels = knowledge.sentinels
    return {
        "url": url,
        "title": looked.title,
        "name": await asyncio.to_thread(wished_name, sentinels, caller.name, looked.title, url),
        "topic": await asyncio.to_thread(wished_topic, sentinels, caller.name, url),
        "offers": list(_offered(looked)),
        "every": [{"value": value, "label": label} for value, label in EVERY.items()],
        "tell": [
            {"value": value, "label": label}
            for value, label in ways_of(knowledge.contacts, caller.name).items()
        ],
    }


@router.post("/pick", summary="What a click on a page means: the choices of the dashboard's picker")
async def pick(_: Reader, body: Clicked) -> PickedShape:
    """Answers for the page as it is sent, which may differ from the page that a sentinel sees: `/preview`
    tells whether a choice is found there. Nothing is stored."""
    return await asyncio.to_thread(_picked, body)


@router.post("/compose", summary="The text of a sentinel that a form describes; nothing is installed")
def compose(_: Reader, body: Described) -> ComposedShape:
    fields = Fields(
        monitor=body.monitor, within=body.within, fetch=body.fetch, notify=body.notify, topic=body.topic
    )
    return {"text": composed(_normal(body.url), body.name, fields, body.render)}


def _picked(body: Clicked) -> PickedShape:
    digest = read(body.html.encode("utf-8", "replace"), "text/html; charset=utf-8", _normal(body.url))
    if not can_be_picked_from(digest):
        raise PageRefused("This page is too large to be clicked on. Choose from what is on it")
    marked = MarkedPage(digest)
    if body.at is not None:
        found = marked.picked(body.at)
        return {"kinds": {}, "choices": [_choice(one) for one in found.choices], "chosen": found.chosen}
    return {"kinds": {str(at): kind for at, kind in marked.kinds().items()}, "choices": [], "chosen": 0}


def _choice(one: Choice) -> ChoiceShape:
    return {
        "kind": one.kind,
        "label": one.label,
        "monitor": one.monitor,
        "within": one.within,
        "sample": one.sample,
        "times": one.times,
    }


def _offered(looked: OnPage) -> list[OfferShape]:
    best = recommended(looked.offers)
    return [
        {
            "kind": one.kind,
            "label": one.label,
            "about": ABOUT.get(one.kind, ""),
            "monitor": one.monitor,
            "within": one.within,
            "sample": one.sample,
            "now": one.now,
            "recommended": one.kind == best,
        }
        for one in looked.offers
        if not one.url
    ]


def _normal(url: str) -> str:
    try:
        return normal_url(with_scheme(url.strip()))
    except ValueError as error:
        raise SettingRefused(str(error)) from error
