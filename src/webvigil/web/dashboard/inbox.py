"""The inbox: lists changes as cards, marks them, keeps notes."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.operating.stores import repository
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.quiet import mark_as_noise, propose
from webvigil.errors import WebVigilError
from webvigil.model.change import Change
from webvigil.model.change_types import KINDS
from webvigil.model.wanted import LARGEST_ID, WantedChanges, WantedSentinels
from webvigil.notify.amounts import amounts
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Before, Id
from webvigil.web.api.changes import LONGEST_NOTE, change_of
from webvigil.web.dashboard.agents import standing
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page

router = APIRouter()

SHOWN = 30
AMONG = 2000
"""The order "largest" sorts this many of the newest changes; the size of a change is computed when it is
shown."""
LINES_ON_A_CARD = 6
MANY = 1000
_SHOW = {"unread": False, "seen": True, "all": None}
Show = Annotated[str, Query(pattern="^(unread|seen|all)$")]
Word = Annotated[str, Query(max_length=200)]
Field = Annotated[str, Form(max_length=200)]


@router.get("/inbox")
def inbox(
    request: Request,
    caller: Reader,
    show: Show = "all",
    topic: Word = "",
    type_: Annotated[str, Query(alias="type", max_length=200)] = "",
    sentinel: Word = "",
    order: Annotated[str, Query(pattern="^(newest|largest)$")] = "newest",
    before: Before = LARGEST_ID,
) -> Response:
    knowledge = knowledge_of(request)
    wanted = WantedChanges(
        user=caller.name,
        seen=_SHOW[show],
        topic=topic or None,
        type=type_ or None,
        sentinel=sentinel or None,
        before=before,
        limit=SHOWN if order == "newest" else AMONG,
    )
    found = knowledge.changes.some(wanted)
    filters = {"show": show, "topic": topic, "type": type_, "sentinel": sentinel, "order": order}
    values: dict[str, Any] = {
        "changes": found if order == "newest" else sorted(found, key=_size, reverse=True)[:SHOWN],
        "older": _older(filters, found[-1].id) if len(found) == SHOWN and order == "newest" else "",
        "lines_on_a_card": LINES_ON_A_CARD,
    }
    if before != LARGEST_ID and request.headers.get("hx-request"):
        return page("cards.html", user=caller.user, **values)
    return page(
        "inbox.html",
        user=caller.user,
        filters=filters,
        filtered=any((topic, type_, sentinel)) or show != "all" or order != "newest",
        among=AMONG,
        topics=knowledge.sentinels.topics(caller.name),
        types=sorted(KINDS),
        count=knowledge.sentinels.count(WantedSentinels(user=caller.name)),
        in_trouble=knowledge.sentinels.count(WantedSentinels(user=caller.name, trouble=True)),
        unread=knowledge.changes.count(WantedChanges(user=caller.name, seen=False), most=MANY),
        many=MANY,
        newest=found[0].id if found else 0,
        broadcasts=standing(request),
        **values,
    )


@router.post("/changes/seen")
def all_seen(
    request: Request,
    caller: Writer,
    up_to: Annotated[int, Form(ge=0, le=LARGEST_ID)] = LARGEST_ID,
    topic: Field = "",
    type_: Annotated[str, Form(alias="type", max_length=200)] = "",
    sentinel: Field = "",
) -> Response:
    """Marks the changes that match the filters as seen, up to `up_to`, the newest change on the user's
    screen. The user has not seen changes that came after it."""
    wanted = WantedChanges(
        user=caller.name,
        seen=False,
        topic=topic or None,
        type=type_ or None,
        sentinel=sentinel or None,
        before=min(up_to + 1, LARGEST_ID),
    )
    knowledge_of(request).changes.mark_all(wanted)
    filters = {"topic": topic, "type": type_, "sentinel": sentinel}
    query = urlencode({name: text for name, text in filters.items() if text})
    return RedirectResponse(f"/inbox?{query}" if query else "/inbox", status_code=303)


@router.post("/changes/{change}/seen")
def seen(request: Request, caller: Writer, change: Id, seen: Annotated[bool, Form()] = True) -> Response:
    knowledge = knowledge_of(request)
    knowledge.changes.mark(change_of(knowledge.changes, caller, change).user, [change], seen=seen)
    return _card_or_page(request, caller, change)


@router.post("/changes/{change}/note")
def note(
    request: Request, caller: Writer, change: Id, note: Annotated[str, Form(max_length=LONGEST_NOTE)] = ""
) -> Response:
    knowledge = knowledge_of(request)
    knowledge.changes.note(change_of(knowledge.changes, caller, change).user, change, note.strip())
    return RedirectResponse(f"/changes/{change}", status_code=303)


@router.post("/changes/{change}/noise")
def noise(request: Request, caller: Writer, change: Id, apply: Annotated[bool, Form()] = False) -> Response:
    """Marked at once; the sentinel gets the clause when its user has seen what it does."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    found = change_of(knowledge.changes, caller, change)
    mark_as_noise(knowledge.changes, found)
    try:
        proposal = propose(knowledge, repository(settings), found)
        if apply:
            edit(knowledge, replace(settings, user=found.user), found.sentinel, proposal.text)
            return RedirectResponse(place_of(found.sentinel), status_code=303)
    except WebVigilError as error:
        return page("noise.html", user=caller.user, change=found, trouble=str(error))
    return page("noise.html", user=caller.user, change=found, proposal=proposal)


def _card_or_page(request: Request, caller: Caller, change: int) -> Response:
    if request.headers.get("hx-request"):
        found = change_of(knowledge_of(request).changes, caller, change)
        return page("card.html", user=caller.user, change=found, lines_on_a_card=LINES_ON_A_CARD)
    return RedirectResponse(f"/changes/{change}", status_code=303)


def _size(change: Change) -> tuple[float, int]:
    """Returns the key for the order "largest": the share of the page that changed, then the score (T2)."""
    counted = amounts(change.findings)
    return counted["share"], counted["score"]


def _older(filters: dict[str, str], last: int) -> str:
    return "/inbox?" + urlencode({name: text for name, text in filters.items() if text} | {"before": last})
