"""The pages for watched pages: their versions, any two compared, the log of checks."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.pages.versions import chosen
from webvigil.app.telling.delivery import zone_of
from webvigil.errors import NotFound
from webvigil.model.installed import WatchedPage
from webvigil.model.moment import as_datetime
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID
from webvigil.web.access import Caller, Reader, knowledge_of
from webvigil.web.api import pages as api
from webvigil.web.api.answers import Before, Id, Words
from webvigil.web.frame import VIEWS, frame_of_versions
from webvigil.web.templates import page

router = APIRouter()

SHOWN = 50
VERSIONS = 200
LOOKS = 100

Which = Annotated[str, Query(max_length=60)]


@router.get("/pages")
def pages(request: Request, caller: Reader, words: Words = "", before: Before = LARGEST_ID) -> Response:
    found = knowledge_of(request).sentinels.pages(caller.name, words=words, before=before, limit=SHOWN)
    older = urlencode({"words": words, "before": found[-1].id}) if len(found) == SHOWN else ""
    return page("pages.html", user=caller.user, pages=found, words=words, older=older)


@router.get("/pages/{number}")
def one_page(request: Request, caller: Reader, number: Id) -> Response:
    watched = _watched(request, caller, number)
    knowledge = knowledge_of(request)
    seen = api.watched(request, caller, number)
    versions = seen.versions()
    return page(
        "page.html",
        user=caller.user,
        watched=watched,
        sentinels=[one.name for one in knowledge.sentinels.watching(number) if one.user == caller.name],
        versions=versions[:VERSIONS],
        more=max(len(versions) - VERSIONS, 0),
        log=seen.looks(LOOKS),
    )


@router.get("/pages/{number}/compare")
def compare(
    request: Request,
    caller: Reader,
    number: Id,
    a: Which = "previous",
    b: Which = "latest",
    view: Annotated[str, Query(max_length=20)] = "auto",
) -> Response:
    """Compares two versions of a page. The older one is shown as the old side, whichever is named first."""
    watched = _watched(request, caller, number)
    values: dict[str, Any] = {"user": caller.user, "watched": watched, "views": VIEWS, "a": a, "b": b}
    try:
        old, new = sorted(_versions(request, caller, number, a, b), key=lambda one: one.number)
    except (ValueError, NotFound) as error:
        return page("compare.html", status=400, trouble=f"{error}.", **values)
    frame = frame_of_versions(request, number, old.number, new.number, view)
    return page("compare.html", old=old, new=new, frame=frame, **values)


@router.get("/pages/{number}/versions/{version}")
def version(request: Request, caller: Reader, number: Id, version: Id) -> Response:
    """Sends the bytes of a version as they came from the site, as a file to save."""
    return api.body(request, caller, number, version)


@router.get("/pages/{number}/versions/{version}/evidence")
def evidence(request: Request, caller: Reader, number: Id, version: Id) -> Response:
    """Sends a signed record of what the page said and when, which the user can hand on as evidence."""
    return api.evidence(request, caller, number, version)


def _versions(request: Request, caller: Caller, number: int, *names: str) -> list[Version]:
    knowledge = knowledge_of(request)
    versions = api.watched(request, caller, number).versions()
    now = as_datetime(knowledge.schedule.now())
    return [chosen(versions, name, now, zone_of(knowledge.users, caller.name)) for name in names]


def _watched(request: Request, caller: Caller, number: int) -> WatchedPage:
    """Returns the watched page. Raises NotFound for a page that the caller does not watch; administrators see
    every page."""
    everybody = None if caller.is_admin else caller.name
    found = knowledge_of(request).sentinels.pages(everybody, before=number + 1, limit=1)
    if not found or found[0].id != number:
        raise NotFound(f"there is no page {number}")
    return found[0]
