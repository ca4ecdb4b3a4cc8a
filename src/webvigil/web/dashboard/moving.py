"""Import with a dry run first, and export."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import RedirectResponse

from webvigil.app.exporting import export
from webvigil.app.importing import install_plan, plan_import
from webvigil.errors import WebVigilError
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
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
def bring(
    request: Request,
    caller: Writer,
    file: Annotated[UploadFile | None, File()] = None,
    text: Annotated[str, Form(max_length=LARGEST)] = "",
    really: Annotated[bool, Form()] = False,
) -> Response:
    """Shows what would be installed; the same again with `really` installs it."""
    settings = replace(settings_of(request), user=caller.name)
    knowledge = knowledge_of(request)
    data = file.file.read(LARGEST + 1) if file and file.filename else text.encode("utf-8", "surrogatepass")
    if len(data) > LARGEST:
        message = f"The file is larger than {LARGEST // 1_000_000} MB; import it with 'webvigil import'."
        return page("import.html", status=413, user=caller.user, trouble=message)
    try:
        plan = plan_import(knowledge, settings, data)
        if really:
            install_plan(knowledge, settings, plan)
            return RedirectResponse("/sentinels", status_code=303)
    except WebVigilError as error:
        return page("import.html", status=400, user=caller.user, trouble=str(error))
    fine = "\n".join(row.text for row in plan.fine)
    return page("import.html", user=caller.user, plan=plan, fine=fine)


@router.get("/export/{kind}")
def give(request: Request, caller: Reader, kind: Literal["sentinels", "urls", "opml", "json"]) -> Response:
    name, media_type = _FILES[kind]
    content = export(knowledge_of(request), caller.name, kind)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
