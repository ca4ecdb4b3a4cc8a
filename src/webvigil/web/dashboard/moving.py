"""The pages for import, with a dry run first, and the downloads for export."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from webvigil.app.moving.exports import export
from webvigil.app.moving.imports import Plan, install_plan, plan_import, secrets_as_json, with_secrets
from webvigil.errors import WebVigilError
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api import archives
from webvigil.web.problem import status_of, told_of
from webvigil.web.templates import page

router = APIRouter()

LARGEST = 20_000_000
_FILES = {
    "sentinels": ("webvigil.sentinels", "text/plain"),
    "urls": ("webvigil-urls.txt", "text/plain"),
    "opml": ("webvigil.opml", "text/x-opml"),
    "json": ("webvigil.json", "application/json"),
}


@router.get("/import")
def ask(caller: Reader) -> Response:
    return page("import.html", user=caller.user)


@router.post("/import")
async def bring(request: Request, caller: Writer) -> Response:
    """Shows what an import would install. The same form with `really` installs it.

    The form is read here and not by the framework, because its fields may be larger than those of other
    forms.
    """
    async with request.form(max_files=1, max_fields=10, max_part_size=3 * LARGEST) as form:
        data, pasted = await _given(form)
        really, resting = bool(form.get("really")), str(form.get("resting", ""))
        secrets = str(form.get("secrets", ""))
    if len(data) > LARGEST:
        message = f"The file is larger than {LARGEST // 1_000_000} MB; import it with 'webvigil import'."
        return page("import.html", status=413, user=caller.user, trouble=message)
    wanted = _Wanted(set(resting.splitlines()), secrets, really)
    return await run_in_threadpool(_brought, request, caller, data, pasted, wanted)


@router.post("/import/archive")
async def bring_archive(request: Request, caller: Writer) -> Response:
    """Makes an archive the past of the user's pages, and shows what was brought and what was left out."""
    async with request.form(max_files=1, max_fields=10) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            return page("import.html", status=400, user=caller.user, trouble="Choose a file first.")
        again, dry_run = bool(form.get("again")), bool(form.get("dry_run"))
        try:
            done = await run_in_threadpool(
                archives.brought,
                request,
                caller,
                file.file,
                file.filename[-200:],
                again=again,
                dry_run=dry_run,
            )
        except WebVigilError as error:
            status = status_of(error)
            return page("import.html", status=status, user=caller.user, trouble=told_of(error))
    return page("import.html", user=caller.user, brought=done, dry_run=dry_run)


async def _given(form: FormData) -> tuple[bytes, str]:
    """Returns the bytes to import and, if the user pasted them, their text. The page shows a pasted text
    again, so that the user can correct it."""
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return await file.read(LARGEST + 1), ""
    text = str(form.get("text", ""))
    return text.encode("utf-8", "surrogatepass"), text


class _Wanted(NamedTuple):
    """What the form carries beside the sentinels: which of them rest, their secrets, and whether the user has
    agreed to install them."""

    resting: set[str]
    secrets: str
    really: bool


def _brought(request: Request, caller: Caller, data: bytes, pasted: str, wanted: _Wanted) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    knowledge = knowledge_of(request)
    try:
        plan = plan_import(knowledge, settings, data)
        if wanted.really:
            plan = with_secrets(_with_resting(plan, wanted.resting), wanted.secrets)
            install_plan(knowledge, settings, plan)
            return RedirectResponse("/sentinels", status_code=303)
    except WebVigilError as error:
        return page("import.html", status=400, user=caller.user, trouble=told_of(error), pasted=pasted)
    fine = "\n".join(row.text for row in plan.fine)
    off = "\n".join(row.name for row in plan.fine if not row.enabled)
    secrets = secrets_as_json(plan)
    return page(
        "import.html", user=caller.user, plan=plan, fine=fine, resting=off, pasted=pasted, secrets=secrets
    )


def _with_resting(plan: Plan, names: set[str]) -> Plan:
    """Returns the plan with the named sentinels disabled. The form carries their names apart, because the
    text of a sentinel does not say that it is disabled."""
    return replace(plan, rows=tuple(replace(row, enabled=row.name not in names) for row in plan.rows))


@router.get("/export/{kind}")
def give(
    request: Request, caller: Reader, kind: Literal["sentinels", "urls", "opml", "json", "warc", "wacz"]
) -> Response:
    if kind == "warc" or kind == "wacz":
        return archives.of_all(request, caller, kind)
    name, media_type = _FILES[kind]
    content = export(knowledge_of(request).sentinels, caller.name, kind)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
