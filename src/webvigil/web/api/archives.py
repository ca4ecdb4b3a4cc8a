"""API routes for web archives: the versions of a page, of a sentinel's pages or of all pages as a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from webvigil.app.moving.archives import ENDINGS, MEDIA_TYPES, ArchiveKind, write_archive
from webvigil.app.moving.captures import Chosen
from webvigil.web.access import Reader, knowledge_of, settings_of
from webvigil.web.api.answers import Id, Name

router = APIRouter(tags=["archives"])
Kind = Annotated[
    ArchiveKind, Query(description="`wacz` is signed and has an index; `warc` is records alone.")
]


@router.get(
    "/pages/{page}/archive", response_class=Response, summary="All versions of a page as a web archive"
)
def of_page(request: Request, caller: Reader, page: Id, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name, page_id=page), format, f"page-{page}")


@router.get(
    "/sentinels/{name}/archive",
    response_class=Response,
    summary="All versions of a sentinel's pages as a web archive",
)
def of_sentinel(request: Request, caller: Reader, name: Name, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name, sentinel=name), format, "sentinel")


@router.get("/archive", response_class=Response, summary="All versions of all your pages as a web archive")
def of_all(request: Request, caller: Reader, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name), format, "webvigil")


def archive(request: Request, chosen: Chosen, kind: ArchiveKind, name: str) -> Response:
    """Returns the archive as a file to save. It is written to the disk first, so that memory stays bounded,
    and removed when it was sent."""
    settings = settings_of(request)
    folder = settings.data if settings.data.is_dir() else None
    with tempfile.NamedTemporaryFile(dir=folder, prefix="archive-", delete=False) as file:
        place = Path(file.name)
        try:
            write_archive(knowledge_of(request), settings, chosen, kind, file)
        except BaseException:
            place.unlink()
            raise
    return FileResponse(
        place,
        media_type=MEDIA_TYPES[kind],
        filename=name + ENDINGS[kind],
        headers={"content-security-policy": "default-src 'none'; sandbox"},
        background=BackgroundTask(place.unlink, missing_ok=True),
    )
