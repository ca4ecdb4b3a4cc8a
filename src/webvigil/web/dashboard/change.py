"""The page of a change: the page with its marks, the list of what was found, and the time machine."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Annotated, Any, Protocol
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.pages.view import SeenPage, seen_page
from webvigil.app.sentinels.quiet import left_places
from webvigil.app.sentinels.values import Series, all_values_of, followed
from webvigil.detect.gist import quantity
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, WantedChanges
from webvigil.present.claimed import MOST_OBJECTS
from webvigil.store.promises import Changes, HabitStore, Schedule, Sentinels, Versions
from webvigil.web.access import Caller, Reader, knowledge_of, settings_of
from webvigil.web.api.answers import PastId
from webvigil.web.api.changes import change_of
from webvigil.web.chart import spark, value_name
from webvigil.web.found import found_in
from webvigil.web.frame import VIEWS, frame_of
from webvigil.web.templates import page
from webvigil.web.times import distance
from webvigil.web.track import NEWER, OLDER, Track, track

router = APIRouter()

SPARK_DAYS = timedelta(days=30)
"""The time that the small chart beside a change shows."""
View = Annotated[str, Query(max_length=20)]


@router.get("/changes/{change}")
def one_change(request: Request, caller: Reader, change: PastId, view: View = "auto") -> Response:
    knowledge = knowledge_of(request)
    shown = change_of(knowledge.changes, caller, change)
    seen = _seen(request, caller, shown)
    zone = zone_named(caller.user.zone)
    versions = {one.number: one for one in around(seen, shown.new_version)} if seen else {}
    return page(
        "change.html",
        user=caller.user,
        change=shown,
        found=found_in(shown.findings, MOST_OBJECTS),
        frame=frame_of(request, shown, view, rendered=False, captions=captions(versions, shown, zone)),
        track=_track(knowledge.changes, seen, shown, list(versions.values()), zone, view) if seen else None,
        **views(),
        **_figures(knowledge, shown),
    )


def views() -> dict[str, Any]:
    """Returns what the row of tabs needs: the views of a shown page, with their words and icons."""
    return {"views": VIEWS}


def captions(versions: dict[int, Version], change: Change, zone: tzinfo) -> tuple[str, str]:
    """Returns how the panes of a change name the two versions: `version 40, yesterday`."""
    numbers = change.old_version, change.new_version
    old, new = (caption(versions.get(number), number, zone) for number in numbers)
    return old, new


def caption(version: Version | None, number: int, zone: tzinfo) -> str:
    return f"version {number}, {distance(version.fetched_at, zone)}" if version else f"version {number}"


def machine(
    changes: Changes,
    seen: SeenPage,
    versions: list[Version],
    zone: tzinfo,
    *,
    user: str | None,
    sentinel: str,
    old: int,
    new: int,
    view: str,
) -> Track | None:
    """Returns the time machine of a page around version `new`. Filled dots stand where the sentinel, or
    without one any sentinel of the user, found something. None if there is nothing to step to."""
    if len(versions) < 2:
        return None
    first, last = versions[0].number, versions[-1].number
    wanted = WantedChanges(user=user, sentinel=sentinel or None, page=seen.id)
    brought = changes.at_versions(wanted, after=first - 1, before=last + 1)
    newest = seen.some(limit=1)
    return track(
        versions,
        brought,
        zone,
        page=seen.id,
        old=old,
        new=new,
        query=f"&{urlencode({'sentinel': sentinel})}" if sentinel else "",
        view=view if view in VIEWS and view != "auto" else "single",
        newest=newest[0].number if newest else 0,
        more=max(seen.count() - len(versions), 0),
    )


def around(seen: SeenPage, number: int) -> list[Version]:
    """Returns a piece of the visible versions around one of them, oldest first."""
    older = seen.some(before=min(number + 1, LARGEST_ID), limit=OLDER)
    newer = seen.some(after=number, oldest_first=True, limit=NEWER)
    return [*reversed(older), *newer]


def _seen(request: Request, caller: Caller, change: Change) -> SeenPage | None:
    """Returns the page of a change as its owner sees it, or None if the owner no longer watches it."""
    eyes = None if caller.is_admin else change.user
    try:
        return seen_page(knowledge_of(request), settings_of(request), eyes, change.page)
    except NotFound:
        return None


def _track(
    changes: Changes, seen: SeenPage, change: Change, versions: list[Version], zone: tzinfo, view: str
) -> Track | None:
    return machine(
        changes,
        seen,
        versions,
        zone,
        user=change.user,
        sentinel=change.sentinel,
        old=change.old_version,
        new=change.new_version,
        view=view,
    )


class _Store(Protocol):
    """The parts of the knowledge base that the figures beside a change need."""

    changes: Changes
    habits: HabitStore
    schedule: Schedule
    sentinels: Sentinels
    versions: Versions


def _figures(knowledge: _Store, change: Change) -> dict[str, Any]:
    """Returns the small chart of a followed value or whether prices could be followed, and how many places of
    the page are left out as noise."""
    try:
        sentinel = knowledge.sentinels.get(change.user, change.sentinel)
    except NotFound:
        return {}
    is_drawn = any(map(followed, change.findings))
    now: datetime = as_datetime(knowledge.schedule.now())
    since = now - SPARK_DAYS
    every = all_values_of(knowledge.changes, knowledge.versions, sentinel, (), since) if is_drawn else []
    series = next((one for one in every if one.is_of(change)), every[0] if every else None)
    return {
        **_drawn(change, series, now),
        "restless": len(left_places(knowledge.habits, sentinel)),
        "priced": not is_drawn and _tells_prices(change),
    }


def shared_figures(knowledge: _Store, change: Change) -> dict[str, Any]:
    """Returns the small chart of the value that a shared change is about: the 30 days before the change. What
    the value became later, and other values of the sentinel, are not shared."""
    try:
        sentinel = knowledge.sentinels.get(change.user, change.sentinel)
    except NotFound:
        return {}
    if not any(map(followed, change.findings)):
        return {}
    since = change.found_at - SPARK_DAYS
    every = all_values_of(knowledge.changes, knowledge.versions, sentinel, (), since)
    series = next((one.until(change) for one in every if one.is_of(change)), None)
    return _drawn(change, series, change.found_at)


def _drawn(change: Change, series: Series | None, now: datetime) -> dict[str, Any]:
    """Returns the chart of a value and its name; no chart of a value that has not moved."""
    moved = series is not None and len(series.steps) > 1
    return {
        "spark": spark(series, now) if series and moved else None,
        "value_name": value_name(change.findings),
    }


def _tells_prices(change: Change) -> bool:
    """Tells whether a price is among the first objects of a change."""
    objects = (one for finding in change.findings for one in finding.objects)
    return any(quantity(one) == "price" for one in islice(objects, MOST_OBJECTS))
