"""The bulletin: a user's own page of reports, how all sentinels stand and what was found last (N2, N4)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.records import ordered, records
from webvigil.app.telling import zone_of
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.model.contact import Order
from webvigil.notify.summary import record_as_json
from webvigil.store.promises import Knowledge
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.templates import page

pages = APIRouter(include_in_schema=False)
api = APIRouter()

REPORTS_SHOWN = 50


@pages.get("/bulletin")
def bulletin(
    request: Request,
    user: Reader,
    order: Annotated[Order | None, Query()] = None,
    topic: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The user's own page of reports: how all sentinels stand, and what was found last."""
    knowledge = knowledge_of(request)
    chosen = order or knowledge.contacts.preferences(user.name).order
    found = records(knowledge, user.name)
    rows = ordered(found.values(), chosen, topic)
    return page(
        "bulletin.html",
        user=user.user,
        order=chosen,
        topic=topic,
        topics=sorted({one.topic for one in found.values()} - {""}),
        records=rows,
        reports=_reports(knowledge, user.name, [one.sentinel for one in rows] if topic else None),
        zone=zone_of(knowledge, user.name),
    )


@pages.get("/reports/{sentinel}/{page}/{old}-{new}")
def report(request: Request, user: Reader, sentinel: str, page: int, old: int, new: int) -> Response:
    """Where the links in messages lead: they were written before the change had a number."""
    found = knowledge_of(request).changes.all(user.name, sentinel=sentinel, limit=1000)
    wanted = (page, old, new)
    for change in found:
        if (change.page, change.old_version, change.new_version) == wanted:
            return RedirectResponse(f"/changes/{change.id}", status_code=303)
    raise NotFound("this report is not there any more")


@api.get("/summary", summary="How the user's sentinels stand")
def summary(
    request: Request,
    user: Reader,
    order: Order = "time",
    topic: Annotated[str, Query(max_length=200)] = "",
) -> list[dict[str, Any]]:
    found = records(knowledge_of(request), user.name)
    return [record_as_json(one) for one in ordered(found.values(), order, topic)]


def _reports(knowledge: Knowledge, user: str, names: list[str] | None) -> list[Change]:
    if names is None:
        return knowledge.changes.all(user, limit=REPORTS_SHOWN)
    found = [
        change for name in names for change in knowledge.changes.all(user, sentinel=name, limit=REPORTS_SHOWN)
    ]
    return sorted(found, key=lambda change: -change.id)[:REPORTS_SHOWN]
