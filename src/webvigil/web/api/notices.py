"""API routes for notices: list those sent, waiting or failed, and try failed ones again (N5)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from webvigil.app.to_json import notice_as_json
from webvigil.errors import NotFound
from webvigil.model.shapes import NoticeShape, RetriedShape
from webvigil.web.access import Reader, Writer, knowledge_of

router = APIRouter(tags=["notices"])


@router.get("/notices", summary="What was told, waits, or could not be delivered, newest first")
def notices(
    request: Request,
    user: Reader,
    state: Literal["pending", "held", "merged", "delivered", "given up"] | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[NoticeShape]:
    found = knowledge_of(request).outbox.all(user.name, state=state, limit=limit)
    return [notice_as_json(one) for one in found]


@router.post("/notices/retry", summary="Try again everything that was given up")
def retry_all(request: Request, user: Writer) -> RetriedShape:
    return {"retried": knowledge_of(request).outbox.revive(user.name)}


@router.post("/notices/{notice}/retry", summary="Try again one notice that was given up")
def retry(request: Request, user: Writer, notice: Annotated[int, Path(ge=0, le=2**53)]) -> RetriedShape:
    if not knowledge_of(request).outbox.revive(user.name, notice=notice):
        raise NotFound(f"no notice {notice} was given up")
    return {"retried": 1}
