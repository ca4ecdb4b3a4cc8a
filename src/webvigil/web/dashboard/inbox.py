"""The inbox: lists changes as cards, marks them, keeps notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from functools import partial
from itertools import groupby
from typing import Annotated, Any, Protocol
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.quiet import mark_as_noise, propose
from webvigil.app.sentinels.values import FOLLOWED
from webvigil.errors import WebVigilError
from webvigil.model.change import Change
from webvigil.model.change_types import change_types_called
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.topics import topics_in
from webvigil.model.user import User
from webvigil.model.wanted import FROM_THE_PAST_ON, LARGEST_ID, WantedChanges, WantedSentinels
from webvigil.notify.amounts import amounts
from webvigil.store.promises import Changes, Schedule, Versions
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, pages_of, settings_of
from webvigil.web.activity import pulses
from webvigil.web.api.answers import Before, PastId
from webvigil.web.api.changes import LONGEST_NOTE, change_of
from webvigil.web.dashboard.agents import standing
from webvigil.web.dashboard.sentinels import place_of
from webvigil.web.templates import page
from webvigil.web.times import midnight

router = APIRouter()

SHOWN = 30
AMONG = 2000
"""The order "largest" sorts this many of the newest changes; the size of a change is computed when it is
shown."""
MANY = 1000
_SHOW = {"unread": False, "seen": True, "all": None}
Show = Annotated[str, Query(pattern="^(unread|seen|all)$")]
Word = Annotated[str, Query(max_length=200)]
Field = Annotated[str, Form(max_length=200)]


@dataclass(frozen=True, slots=True)
class Day:
    """The changes of one day in a list. Without a name the list goes on with the day before. `is_whole` says
    that all changes of the day are here."""

    name: str
    changes: tuple[Change, ...]
    is_today: bool = False
    is_whole: bool = True

    @property
    def unread(self) -> int:
        return sum(not one.seen for one in self.changes)


@router.get("/inbox")
def inbox(
    request: Request,
    caller: Reader,
    show: Show = "all",
    topic: Word = "",
    type_: Annotated[str, Query(alias="type", max_length=200)] = "",
    sentinel: Word = "",
    day: Annotated[date | None, Query()] = None,
    order: Annotated[str, Query(pattern="^(newest|largest)$")] = "newest",
    before: Before = LARGEST_ID,
    going_on: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """`going_on` is the day with which the list before this piece ended."""
    knowledge, zone = knowledge_of(request), zone_named(caller.user.zone)
    begin = midnight(day, zone) if day else None
    wanted = WantedChanges(
        user=caller.name,
        seen=_SHOW[show],
        topic=topic or None,
        type=type_ or None,
        sentinel=sentinel or None,
        since=begin,
        until=begin + timedelta(days=1) if begin else None,
        after=FROM_THE_PAST_ON,
        before=before,
        limit=SHOWN if order == "newest" else AMONG,
    )
    found = knowledge.changes.some(wanted)
    filters = {
        "show": show,
        "topic": topic,
        "type": type_,
        "sentinel": sentinel,
        "day": day.isoformat() if day else "",
        "order": order,
    }
    filtered = any((topic, type_, sentinel, day)) or show != "all" or order != "newest"
    more = len(found) == SHOWN and order == "newest"
    today = as_datetime(knowledge.schedule.now()).astimezone(zone).date()
    values: dict[str, Any] = {
        "days": days_of(found, zone, today, more=more, going_on=going_on, live=not filtered)
        if order == "newest"
        else [Day("", tuple(sorted(found, key=_size, reverse=True)[:SHOWN]))],
        "older": _older(filters, found[-1], zone) if more else "",
        **beside(knowledge, caller.user, found[:SHOWN]),
    }
    if before != LARGEST_ID and request.headers.get("hx-request"):
        return page("days.html", user=caller.user, **values)
    unread = WantedChanges(user=caller.name, seen=False)
    return page(
        "inbox.html",
        user=caller.user,
        filters=filters,
        filtered=filtered,
        link=partial(_link, filters),
        among=AMONG,
        show_amounts=order == "largest",
        changes=found,
        topics=knowledge.sentinels.topics(caller.name),
        types=change_types_called(),
        count=knowledge.sentinels.count(WantedSentinels(user=caller.name)),
        unread=knowledge.changes.count(unread, most=MANY),
        unread_by=Counter(
            topic
            for one in knowledge.changes.outlines(replace(unread, limit=MANY))
            for topic in topics_in(one.topic)
        ),
        many=MANY,
        newest=found[0].id if found else 0,
        broadcasts=standing(request),
        **values,
    )


def days_of(
    changes: Iterable[Change],
    zone: tzinfo,
    today: date,
    *,
    more: bool,
    going_on: str = "",
    live: bool = False,
) -> list[Day]:
    """Returns the changes by days of the reader's zone, newest first. With `live` the present day is there
    even if it is empty, because new changes arrive in it."""
    grouped = [
        (day, tuple(mine))
        for day, mine in groupby(changes, key=lambda one: one.found_at.astimezone(zone).date())
    ]
    if live and not going_on and (not grouped or grouped[0][0] != today):
        grouped.insert(0, (today, ()))
    return [
        Day(
            _name_of_day(day, today) if mine and day.isoformat() != going_on else "",
            mine,
            is_today=day == today,
            is_whole=not (more and number == len(grouped)),
        )
        for number, (day, mine) in enumerate(grouped, start=1)
    ]


def _name_of_day(day: date, today: date) -> str:
    before = (today - day).days
    if before in (0, 1):
        return "Yesterday" if before else "Today"
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%A}, {day.day} {day:%B}{year}"


def _link(filters: dict[str, str], **other: str) -> str:
    """Returns the query for the same list with another filter."""
    return urlencode({name: text for name, text in (filters | other).items() if text not in ("", "newest")})


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
def seen(request: Request, caller: Writer, change: PastId, seen: Annotated[bool, Form()] = True) -> Response:
    knowledge = knowledge_of(request)
    knowledge.changes.mark(change_of(knowledge.changes, caller, change).user, [change], seen=seen)
    return _card_or_page(request, caller, change)


@router.post("/changes/{change}/note")
def note(
    request: Request, caller: Writer, change: PastId, note: Annotated[str, Form(max_length=LONGEST_NOTE)] = ""
) -> Response:
    knowledge = knowledge_of(request)
    knowledge.changes.note(change_of(knowledge.changes, caller, change).user, change, note.strip())
    return RedirectResponse(f"/changes/{change}", status_code=303)


@router.post("/changes/{change}/noise")
def noise(
    request: Request, caller: Writer, change: PastId, apply: Annotated[bool, Form()] = False
) -> Response:
    """Marks a change as noise at once. The sentinel gets the clause when its user has seen what it does."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    found = change_of(knowledge.changes, caller, change)
    mark_as_noise(knowledge.changes, found)
    try:
        proposal = propose(knowledge, pages_of(request), found)
        if apply:
            edit(knowledge, replace(settings, user=found.user), found.sentinel, proposal.text)
            return RedirectResponse(place_of(found.sentinel), status_code=303)
    except WebVigilError as error:
        return page("noise.html", user=caller.user, change=found, trouble=str(error))
    return page("noise.html", user=caller.user, change=found, proposal=proposal)


class _Store(Protocol):
    """The parts of the knowledge base that stand beside a change in a list."""

    changes: Changes
    schedule: Schedule
    versions: Versions


def beside(knowledge: _Store, user: User, changes: Sequence[Change]) -> dict[str, Any]:
    """Returns what cards show beside the changes: which versions have a picture, and how busy the sentinels
    were. The changes belong to the user."""
    zone, now = zone_named(user.zone), as_datetime(knowledge.schedule.now())
    names = {one.sentinel for one in changes}
    valued = {one.sentinel for one in changes if any(finding.type in FOLLOWED for finding in one.findings)}
    return {
        "pictured": knowledge.versions.pictured((one.page, one.new_version) for one in changes),
        "pulses": pulses(knowledge.changes, user.name, names, valued, zone, now),
    }


def _card_or_page(request: Request, caller: Caller, change: int) -> Response:
    if request.headers.get("hx-request"):
        found = change_of(knowledge_of(request).changes, caller, change)
        return page(
            "card.html", user=caller.user, change=found, **beside(knowledge_of(request), caller.user, [found])
        )
    return RedirectResponse(f"/changes/{change}", status_code=303)


def _size(change: Change) -> tuple[float, int]:
    """Returns the key for the order "largest": the share of the page that changed, then the score (T2)."""
    counted = amounts(change.findings)
    return counted["share"], counted["score"]


def _older(filters: dict[str, str], last: Change, zone: tzinfo) -> str:
    day = last.found_at.astimezone(zone).date().isoformat()
    return "/inbox?" + _link(filters, before=str(last.id), going_on=day)
