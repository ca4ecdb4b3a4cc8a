"""The pages for watched pages: their versions, any two compared, the log of checks."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.pages.versions import named
from webvigil.app.telling.delivery import zone_of
from webvigil.document.screenshot import thumbnail
from webvigil.errors import NotFound
from webvigil.model.installed import WatchedPage
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, WantedChanges
from webvigil.web.access import Caller, Reader, knowledge_of, pages_of
from webvigil.web.api import archives
from webvigil.web.api import pages as api
from webvigil.web.api.answers import Before, Id, PastId, Words
from webvigil.web.calendar import calendar, since_of
from webvigil.web.dashboard.change import around, caption, machine, views
from webvigil.web.frame import frame_of_versions
from webvigil.web.templates import page

router = APIRouter()

SHOWN = 50
VERSIONS = 50
LOOKS = 100
THUMBNAIL = 320, 200
LARGE = 1280, 800

Which = Annotated[str, Query(max_length=60)]


@router.get("/pages")
def pages(request: Request, caller: Reader, words: Words = "", before: Before = LARGEST_ID) -> Response:
    found = knowledge_of(request).sentinels.pages(caller.name, words=words, before=before, limit=SHOWN)
    older = urlencode({"words": words, "before": found[-1].id}) if len(found) == SHOWN else ""
    return page("pages.html", user=caller.user, pages=found, words=words, older=older)


@router.get("/pages/{number}")
def one_page(request: Request, caller: Reader, number: Id, before: Before = LARGEST_ID) -> Response:
    watched = _watched(request, caller, number)
    knowledge = knowledge_of(request)
    seen = api.watched(request, caller, number)
    versions = seen.some(before=before, limit=VERSIONS)
    zone, now = zone_named(caller.user.zone), as_datetime(knowledge.schedule.now())
    first = seen.some(oldest_first=True, limit=1)
    wanted = WantedChanges(user=caller.name, page=number, since=since_of(now))
    began = first[0].fetched_at if first else now
    return page(
        "page.html",
        user=caller.user,
        watched=watched,
        sentinels=[one.name for one in knowledge.sentinels.watching(number) if one.user == caller.name],
        versions=versions,
        kept=seen.count(),
        older=versions[-1].number if versions and first and versions[-1].number > first[0].number else 0,
        log=seen.looks(LOOKS),
        calendar=calendar(knowledge.changes.rhythm(wanted), began, now, zone) if first else None,
    )


@router.get("/pages/{number}/compare")
def compare(
    request: Request,
    caller: Reader,
    number: Id,
    a: Which = "previous",
    b: Which = "latest",
    view: Annotated[str, Query(max_length=20)] = "auto",
    sentinel: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Compares two versions of a page. The older one is shown as the old side, whichever is named first. The
    time machine fills the dots of versions in which `sentinel` found something."""
    watched = _watched(request, caller, number)
    query = f"&{urlencode({'sentinel': sentinel})}" if sentinel else ""
    values: dict[str, Any] = {
        "user": caller.user,
        "watched": watched,
        "a": a,
        "b": b,
        "query": query,
    } | views()
    try:
        old, new = sorted(_versions(request, caller, number, a, b), key=lambda one: one.number)
    except (ValueError, NotFound) as error:
        return page("compare.html", status=400, trouble=f"{error}.", **values)
    zone = zone_named(caller.user.zone)
    names = caption(old, old.number, zone), caption(new, new.number, zone)
    seen = api.watched(request, caller, number)
    user = (
        None
        if caller.is_admin and not knowledge_of(request).sentinels.watch(caller.name, number)
        else caller.name
    )
    shown = machine(
        knowledge_of(request).changes,
        seen,
        around(seen, new.number),
        zone,
        user=user,
        sentinel=sentinel,
        old=old.number,
        new=new.number,
        view=view,
    )
    frame = frame_of_versions(request, number, old.number, new.number, view, names)
    return page("compare.html", old=old, new=new, frame=frame, track=shown, sentinel=sentinel, **values)


@router.get("/pages/{number}/versions/{version}/thumbnail")
def small_picture(request: Request, caller: Reader, number: Id, version: PastId) -> Response:
    """Sends the upper part of the picture that a browser took of a version, made small. The picture is drawn
    anew from its pixels, so nothing of the foreign page but its look comes to our origin."""
    kept = api.watched(request, caller, number).version(version)
    if not kept.picture:
        raise NotFound(f"no browser took a picture of version {version}")
    picture = pages_of(request).picture(kept.picture)
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return Response(thumbnail(picture, *THUMBNAIL), media_type="image/jpeg", headers=headers)


@router.get("/pages/{number}/looks/{picture}")
def look_picture(request: Request, caller: Reader, number: Id, picture: api.Picture) -> Response:
    """Sends what the browser showed when a step failed, drawn anew from its pixels."""
    key = api.watched(request, caller, number).picture_of_look(picture)
    shown = thumbnail(pages_of(request).picture(key), *LARGE)
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return Response(shown, media_type="image/jpeg", headers=headers)


@router.get("/pages/{number}/versions/{version}")
def version(request: Request, caller: Reader, number: Id, version: PastId) -> Response:
    """Sends the bytes of a version as they came from the site, as a file to save."""
    return api.body(request, caller, number, version)


@router.get("/pages/{number}/versions/{version}/evidence")
def evidence(request: Request, caller: Reader, number: Id, version: PastId) -> Response:
    """Sends a signed record of what the page said and when, which the user can hand on as evidence."""
    return api.evidence(request, caller, number, version)


@router.get("/pages/{number}/archive")
def archive(request: Request, caller: Reader, number: Id, format: archives.Kind = "wacz") -> Response:  # noqa: A002
    """Sends all versions of the page as a web archive, which other programs replay."""
    return archives.of_page(request, caller, number, format)


def _versions(request: Request, caller: Caller, number: int, *names: str) -> list[Version]:
    knowledge = knowledge_of(request)
    seen = api.watched(request, caller, number)
    now = as_datetime(knowledge.schedule.now())
    return [named(seen, name, now, zone_of(knowledge.users, caller.name)) for name in names]


def _watched(request: Request, caller: Caller, number: int) -> WatchedPage:
    """Returns the watched page. Raises NotFound for a page that the caller does not watch; administrators see
    every page."""
    return knowledge_of(request).sentinels.page(None if caller.is_admin else caller.name, number)
