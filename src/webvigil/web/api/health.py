"""Is it alive?"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from webvigil import __version__
from webvigil.web.access import Anyone, knowledge_of

router = APIRouter()


@router.get("/healthz", summary="Is it alive, and can it reach its database?")
def healthz(request: Request, _: Anyone) -> dict[str, Any]:
    knowledge_of(request).schedule.now()
    return {"status": "ok", "version": __version__}
