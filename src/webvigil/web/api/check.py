"""API routes that check the text of a sentinel and preview what it would watch, without installing it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request

from webvigil.app.sentinels.check import checked_for
from webvigil.app.sentinels.preview import would_watch
from webvigil.language import mistake_as_json, print_sentinel
from webvigil.model.change import finding_as_json
from webvigil.model.shapes import CheckShape, PreviewShape
from webvigil.web.access import Reader, knowledge_of, settings_of
from webvigil.web.api.sentinels import SentinelText

router = APIRouter(tags=["sentinels"])
Edited = Annotated[str, Query(max_length=200, description="The name of a sentinel that is to get this text.")]


@router.post("/check", summary="Verify a text without installing it")
def check(request: Request, caller: Reader, body: SentinelText, edited: Edited = "") -> CheckShape:
    settings = replace(settings_of(request), user=caller.name)
    checked = checked_for(knowledge_of(request), settings, body.text, edited=edited)
    return {
        "correct": not checked.mistakes,
        "sentinels": [{"name": one.name, "text": print_sentinel(one)} for one in checked.sentinels],
        "mistakes": [mistake_as_json(one) for one in checked.mistakes],
        "warnings": list(checked.warnings),
    }


@router.post("/preview", summary="What would be watched on the pages as they are now")
async def preview(request: Request, caller: Reader, body: SentinelText) -> list[PreviewShape]:
    """Pages that were not fetched a short time ago are fetched now. `missing` lists what the sentinel names
    and the page does not contain."""
    settings = replace(settings_of(request), user=caller.name)
    found = await would_watch(knowledge_of(request), settings, request.app.state.cache, body.text)
    return [
        {
            "sentinel": one.sentinel,
            "url": one.url,
            "findings": [finding_as_json(f) for f in one.findings],
            "missing": list(one.missing),
        }
        for one in found
    ]
