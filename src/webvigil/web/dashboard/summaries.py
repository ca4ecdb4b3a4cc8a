"""The page /summaries: the changes of each day, week or topic, in a chosen order (N2, N3)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.telling.delivery import zone_of
from webvigil.app.telling.summaries import By, summaries
from webvigil.model.contact import Order
from webvigil.model.moment import as_datetime
from webvigil.model.wanted import WantedSentinels
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.standing import standing_of
from webvigil.web.templates import page

router = APIRouter()

ENTRIES_SHOWN = 20
BY = {"day": "Days", "week": "Weeks", "topic": "Topics"}
ORDERS = {"time": "newest first", "priority": "by priority", "topic": "by topic"}
_STEP = {"day": 7, "week": 28, "topic": 28}
_OLDEST = date(1990, 1, 1)


@router.get("/summaries")
def show(
    request: Request,
    caller: Reader,
    by: By = "day",
    order: Annotated[Order | None, Query()] = None,
    topic: Annotated[str, Query(max_length=200)] = "",
    until: Annotated[date | None, Query(ge=_OLDEST, le=date(2900, 1, 1))] = None,
) -> Response:
    knowledge = knowledge_of(request)
    zone = zone_of(knowledge.users, caller.name)
    today = as_datetime(knowledge.schedule.now()).astimezone(zone).date()
    last = min(until or today, today)
    chosen = order or knowledge.contacts.preferences(caller.name).order
    found = summaries(knowledge, caller.name, by, chosen, zone, last, topic)
    names = tuple(one.sentinel for one in found.records)
    wanted = WantedSentinels(user=caller.name, names=names, limit=len(names))
    sentinels = knowledge.sentinels.some(wanted) if names else []
    at = {"by": by, "order": chosen, "topic": topic, "until": last.isoformat() if last < today else ""}
    return page(
        "summaries.html",
        user=caller.user,
        found=found,
        standings={one.name: standing_of(one, zone) for one in sentinels},
        titles={one.sentinel: one.title for one in found.records},
        at=at,
        today=today,
        zone=zone,
        to=lambda **more: _address(at | more),
        earlier=_address(at | {"until": found.first - timedelta(days=1)}) if found.first > _OLDEST else "",
        later=_address(at | {"until": _later(last, _STEP[by], today)}) if last < today else "",
        topics=knowledge.sentinels.topics(caller.name),
        count=knowledge.sentinels.count(WantedSentinels(user=caller.name)),
        entries_shown=ENTRIES_SHOWN,
        all_by=BY,
        orders=ORDERS,
    )


def _later(last: date, step: int, today: date) -> str:
    later = last + timedelta(days=step)
    return later.isoformat() if later < today else ""


def _address(at: dict[str, Any]) -> str:
    return "/summaries?" + urlencode({name: str(value) for name, value in at.items() if value})
