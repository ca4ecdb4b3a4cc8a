"""The bulletin: the state of a user's sentinels and their newest changes (N2, N4)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.telling.delivery import zone_of
from webvigil.app.telling.standings import ordered, records_of
from webvigil.errors import NotFound
from webvigil.model.contact import Order
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.standing import standing_of
from webvigil.web.templates import page

router = APIRouter(include_in_schema=False)

Skip = Annotated[int, Query(ge=0, le=10**6, description="How many to leave out: the next piece.")]
REPORTS_SHOWN = 50
RECORDS_SHOWN = 50


@router.get("/bulletin")
def bulletin(
    request: Request,
    user: Reader,
    order: Annotated[Order | None, Query()] = None,
    topic: Annotated[str, Query(max_length=200)] = "",
    skip: Skip = 0,
) -> Response:
    """Shows the state of each of the user's sentinels and their newest changes."""
    knowledge = knowledge_of(request)
    chosen = order or knowledge.contacts.preferences(user.name).order
    wanted = WantedSentinels(
        user=user.name, topic=topic or None, order=chosen, skip=skip, limit=RECORDS_SHOWN
    )
    zone = zone_of(knowledge.users, user.name)
    sentinels = knowledge.sentinels.some(wanted)
    found = records_of(knowledge, user.name, sentinels)
    count = knowledge.sentinels.count(wanted)
    return page(
        "bulletin.html",
        user=user.user,
        order=chosen,
        topic=topic,
        topics=knowledge.sentinels.topics(user.name),
        records=ordered(found.values(), chosen),
        count=count,
        more=skip + RECORDS_SHOWN if skip + RECORDS_SHOWN < count else 0,
        reports=knowledge.changes.some(
            WantedChanges(user=user.name, topic=topic or None, limit=REPORTS_SHOWN)
        ),
        standings={one.name: standing_of(one, zone) for one in sentinels},
        zone=zone,
    )


@router.get("/reports/{sentinel}/{page}/{old}-{new}")
def report(request: Request, user: Reader, sentinel: str, page: int, old: int, new: int) -> Response:
    """Redirects from the link in a message to the page of its change. The link names the sentinel, the page
    and the two versions, because the message is written before the change has a number."""
    found = knowledge_of(request).changes.all(user.name, sentinel=sentinel, limit=1000)
    wanted = (page, old, new)
    for change in found:
        if (change.page, change.old_version, change.new_version) == wanted:
            return RedirectResponse(f"/changes/{change.id}", status_code=303)
    raise NotFound("this report is not there any more")
