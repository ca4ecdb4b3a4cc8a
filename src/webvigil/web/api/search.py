"""The API route for full-text search over all changes (N2)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request

from webvigil.app.to_json import change_as_json
from webvigil.model.shapes import ChangeShape
from webvigil.web.access import Whose, knowledge_of
from webvigil.web.api.answers import SOME, Limit, aware

router = APIRouter(tags=["changes"])
Text = Annotated[str | None, Query(max_length=200)]


@router.get("/search", summary="Changes with all these words, newest first")
def search(
    request: Request,
    whose: Whose,
    q: Annotated[str, Query(max_length=1000, description="Words; several in quotes belong together.")] = "",
    sentinel: Text = None,
    topic: Text = None,
    kind: Annotated[str | None, Query(alias="type", max_length=200)] = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: Limit = SOME,
) -> list[ChangeShape]:
    found = knowledge_of(request).search.find(
        whose,
        q,
        sentinel_name=sentinel,
        topic=topic,
        kind=kind,
        since=aware(since),
        until=aware(until),
        limit=limit,
    )
    return [change_as_json(change) for change in found]
