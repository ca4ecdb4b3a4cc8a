"""The page /search: finds changes by words, sentinel, topic, type and time (N2)."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.telling.delivery import zone_of
from webvigil.model.change_types import change_types_called
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.dashboard.inbox import Word, beside
from webvigil.web.templates import page
from webvigil.web.times import midnight

router = APIRouter()

SHOWN = 50
Day = Annotated[str, Query(max_length=20)]


@router.get("/search")
def search(
    request: Request,
    caller: Reader,
    q: Annotated[str, Query(max_length=1000)] = "",
    sentinel: Word = "",
    topic: Word = "",
    type_: Annotated[str, Query(alias="type", max_length=200)] = "",
    since: Day = "",
    until: Day = "",
) -> Response:
    knowledge = knowledge_of(request)
    asked = {"q": q.strip(), "sentinel": sentinel.strip(), "topic": topic, "type": type_}
    asked |= {"since": since, "until": until}
    values: dict[str, Any] = {
        "user": caller.user,
        "asked": asked,
        "topics": knowledge.sentinels.topics(caller.name),
        "types": change_types_called(),
    }
    if not any(asked.values()):
        return page("search.html", **values)
    try:
        between = _between(since, until, zone_of(knowledge.users, caller.name))
    except (ValueError, OverflowError):
        return page("search.html", status=400, trouble="Write days like 2026-12-31.", **values)
    found = knowledge.search.find(
        caller.name,
        asked["q"],
        sentinel_name=asked["sentinel"] or None,
        topic=topic or None,
        kind=type_ or None,
        since=between[0],
        until=between[1],
        limit=SHOWN + 1,
    )
    shown = found[:SHOWN]
    values |= beside(knowledge, caller.user, shown)
    return page("search.html", changes=shown, more=len(found) > SHOWN, searched=True, **values)


def _between(since: str, until: str, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """Returns the times from the beginning of the day `since` to the end of the day `until`, in the user's
    zone."""
    return _midnight(since, zone), _midnight(until, zone, timedelta(days=1))


def _midnight(text: str, zone: tzinfo, plus: timedelta = timedelta(0)) -> datetime | None:
    return midnight(date.fromisoformat(text) + plus, zone) if text else None
