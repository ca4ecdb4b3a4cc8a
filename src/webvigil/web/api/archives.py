"""API routes for web archives: versions of pages as a file, and a file as the past of pages."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import IO, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool

from webvigil.app.moving.archives import ENDINGS, MEDIA_TYPES, ArchiveKind, write_archive
from webvigil.app.moving.captures import Chosen
from webvigil.app.moving.past import Brought, bring_past
from webvigil.app.moving.sources import opened_stream
from webvigil.errors import NotFound, StoreBusy
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Id, Name, file_answer

router = APIRouter(tags=["archives"])
_ARCHIVE = file_answer(*MEDIA_TYPES.values())
Kind = Annotated[
    ArchiveKind, Query(description="`wacz` is signed and has an index; `warc` is records alone.")
]


@router.get(
    "/pages/{page}/archive",
    response_class=Response,
    responses=_ARCHIVE,
    summary="All versions of a page as a web archive",
)
def of_page(request: Request, caller: Reader, page: Id, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name, page_id=page), format, f"page-{page}")


@router.get(
    "/sentinels/{name}/archive",
    response_class=Response,
    responses=_ARCHIVE,
    summary="All versions of a sentinel's pages as a web archive",
)
def of_sentinel(request: Request, caller: Reader, name: Name, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name, sentinel=name), format, "sentinel")


@router.get(
    "/archive",
    response_class=Response,
    responses=_ARCHIVE,
    summary="All versions of all your pages as a web archive",
)
def of_all(request: Request, caller: Reader, format: Kind = "wacz") -> Response:  # noqa: A002
    return archive(request, Chosen(user=caller.name), format, "webvigil")


_BODY = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
# Archives are read one at a time, because reading one keeps a processor busy.
_reading = threading.Lock()


@router.post(
    "/archive",
    summary="Bring a web archive (WARC or WACZ) as the past of your pages",
    openapi_extra={"requestBody": {"required": True, **_BODY}},
)
async def bring(
    request: Request,
    caller: Writer,
    page: Annotated[str | None, Query(max_length=8_000, description="Only the past of this page.")] = None,
    again: Annotated[bool, Query(description="Replace the past that a page has already.")] = False,
    dry_run: Annotated[bool, Query(description="Only tell what would be brought.")] = False,
) -> Brought:
    """The body is the file. Captures of pages that you do not watch are counted, and records that cannot be
    read are named."""
    with tempfile.TemporaryFile(dir=_folder(request)) as file:
        async for piece in request.stream():
            file.write(piece)
        return await run_in_threadpool(
            brought, request, caller, file, "the archive", page=page, again=again, dry_run=dry_run
        )


def brought(
    request: Request,
    caller: Caller,
    file: IO[bytes],
    name: str,
    *,
    page: str | None = None,
    again: bool = False,
    dry_run: bool = False,
) -> Brought:
    """Makes an archive the past of the caller's pages. Raises StoreBusy while another one is read."""
    settings = replace(settings_of(request), user=caller.name)
    if not _reading.acquire(blocking=False):
        raise StoreBusy("another archive is being read")
    try:
        with opened_stream(file, name, settings) as source:
            return bring_past(
                knowledge_of(request), settings, source, page=page, again=again, dry_run=dry_run
            )
    except ValueError as error:
        raise NotFound(str(error)) from error
    finally:
        _reading.release()


def archive(request: Request, chosen: Chosen, kind: ArchiveKind, name: str) -> Response:
    """Returns the archive as a file to save. It is written to the disk first, so that memory stays bounded,
    and removed when it was sent."""
    settings = settings_of(request)
    with tempfile.NamedTemporaryFile(dir=_folder(request), prefix="archive-", delete=False) as file:
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


def _folder(request: Request) -> Path | None:
    """Returns the folder for large temporary files: that of the data, which has room."""
    data = settings_of(request).data
    return data if data.is_dir() else None
