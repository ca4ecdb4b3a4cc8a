"""API routes for watched pages: list them, their versions and their logs, and compare any two versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from webvigil.app.pages.compare import compare_versions, named_versions
from webvigil.app.pages.evidence import evidence_of
from webvigil.app.pages.view import SeenPage, seen_page
from webvigil.app.to_json import look_as_json, page_as_json, version_as_json
from webvigil.detect.edit_json import edits_as_json
from webvigil.model.shapes import DiffShape, EditsShape, LookShape, PageRunShape, PageShape, VersionShape
from webvigil.model.wanted import LARGEST_ID
from webvigil.store.repository import reading_version
from webvigil.web.access import Caller, Reader, Whose, Writer, knowledge_of, pages_of, settings_of
from webvigil.web.api.answers import (
    MOST,
    SOME,
    Before,
    Id,
    Limit,
    PastId,
    Words,
    file_answer,
    link_next,
    link_to_next,
)

router = APIRouter(tags=["pages"])
Which = Annotated[
    str,
    Query(max_length=60, description="A version's number, `latest`, `previous`, `first` or a time (UTC)."),
]
Picture = Annotated[str, Path(max_length=100, pattern=r"^[0-9a-f]+\.picture$")]
Expression = Annotated[str, Query(max_length=10_000, description="A change expression, as in a sentinel.")]
Selector = Annotated[str | None, Query(max_length=2_000, description="Only this part, by CSS or xpath:….")]


@router.get("/pages", summary="Watched pages, newest first")
def pages(
    request: Request,
    response: Response,
    whose: Whose,
    words: Words = "",
    before: Before = LARGEST_ID,
    limit: Limit = SOME,
) -> list[PageShape]:
    found = knowledge_of(request).sentinels.pages(whose, words=words, before=before, limit=limit)
    link_to_next(request, response, found, limit)
    return [page_as_json(one) for one in found]


@router.get("/pages/{page}/versions", summary="The versions that are kept, newest first")
def versions(
    request: Request,
    response: Response,
    caller: Reader,
    page: Id,
    before: Before = LARGEST_ID,
    limit: Limit = MOST,
) -> list[VersionShape]:
    found = watched(request, caller, page).some(before=before, limit=limit)
    if len(found) == limit:
        link_next(request, response, before=found[-1].number)
    return [version_as_json(one) for one in found]


@router.get(
    "/pages/{page}/versions/{version}/body",
    response_class=Response,
    responses=file_answer(),
    summary="A version: the bytes as they came",
)
def body(request: Request, caller: Reader, page: Id, version: PastId) -> Response:
    kept = watched(request, caller, page).version(version)
    with reading_version(version):
        answer = pages_of(request).answer(kept.object)
    return _to_keep(answer.body, f"page-{page}-version-{version}", "application/octet-stream")


@router.get(
    "/pages/{page}/versions/{version}/evidence",
    response_class=Response,
    responses=file_answer("application/zip"),
    summary="A version as a signed file (ZIP) that proves what the page said and when",
)
def evidence(request: Request, caller: Reader, page: Id, version: PastId) -> Response:
    knowledge, settings = knowledge_of(request), settings_of(request)
    kept = watched(request, caller, page).version(version)
    content = evidence_of(knowledge, settings, pages_of(request), kept)
    return _to_keep(content, f"page-{page}-version-{version}.zip", "application/zip")


def _to_keep(content: bytes, name: str, media_type: str) -> Response:
    """Returns foreign content as a file to save. The headers keep browsers from showing it, because its
    scripts would then run on our origin."""
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "content-security-policy": "default-src 'none'; sandbox",
    }
    return Response(content, media_type=media_type, headers=headers)


@router.get("/pages/{page}/log", summary="Every look at it, newest first, and why")
def log(request: Request, caller: Reader, page: Id, limit: Limit = SOME) -> list[LookShape]:
    return [look_as_json(one) for one in watched(request, caller, page).looks(limit)]


@router.get(
    "/pages/{page}/looks/{picture}",
    response_class=Response,
    responses=file_answer("image/png"),
    summary="What the browser showed when a step failed, as a picture (PNG)",
)
def look_picture(request: Request, caller: Reader, page: Id, picture: Picture) -> Response:
    key = watched(request, caller, page).picture_of_look(picture)
    content = pages_of(request).picture(key)
    return _to_keep(content, f"page-{page}-step.png", "image/png")


@router.get("/pages/{page}/compare", summary="Two versions compared")
def compare(
    request: Request,
    caller: Reader,
    page: Id,
    a: Which = "previous",
    b: Which = "latest",
    monitor: Expression = "any change",
    within: Selector = None,
    quiet: bool = False,
) -> DiffShape:
    seen = watched(request, caller, page)
    stored = pages_of(request)
    return compare_versions(seen, stored, a, b, monitor, within=within, quiet=quiet).as_json()


@router.get("/pages/{page}/edits", summary="What became of every node between two versions")
def edits(
    request: Request, caller: Reader, page: Id, a: Which = "previous", b: Which = "latest"
) -> EditsShape:
    """The marks of all nodes that changed, and the edits that turn version `a` into version `b`, for
    `webvigil patch`."""
    old, new = named_versions(watched(request, caller, page), pages_of(request), a, b)
    return edits_as_json(old, new)


@router.post("/pages/{page}/run", status_code=202, summary="Look at it now")
def run(request: Request, caller: Writer, page: Id) -> PageRunShape:
    watched(request, caller, page)
    knowledge_of(request).schedule.ask(page)
    return {"page": page}


def watched(request: Request, caller: Caller, page: int) -> SeenPage:
    """Returns the page as the caller may see it. Raises NotFound for a page that the caller does not watch;
    administrators see every page."""
    eyes = None if caller.is_admin else caller.name
    return seen_page(knowledge_of(request), settings_of(request), eyes, page)
