"""The API route for the summary: how each of the caller's sentinels stands (N2)."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.telling.standings import ordered, records_of
from webvigil.model.contact import Order
from webvigil.model.shapes import StandingShape
from webvigil.model.wanted import LARGEST_PIECE, WantedSentinels
from webvigil.notify.summary import record_as_json
from webvigil.web.access import Reader, knowledge_of
from webvigil.web.api.answers import Limit, Skip

router = APIRouter(tags=["sentinels"])


@router.get("/summary", summary="How the user's sentinels stand")
def summary(
    request: Request,
    response: Response,
    user: Reader,
    order: Order = "time",
    topic: Annotated[str, Query(max_length=200)] = "",
    skip: Skip = 0,
    limit: Limit = LARGEST_PIECE,
) -> list[StandingShape]:
    knowledge = knowledge_of(request)
    wanted = WantedSentinels(user=user.name, topic=topic or None, order=order, skip=skip, limit=limit)
    found = records_of(knowledge, user.name, knowledge.sentinels.some(wanted))
    if len(found) == limit:
        query = {**request.query_params, "skip": skip + limit}
        response.headers["link"] = f'<{request.url.path}?{urlencode(query)}>; rel="next"'
    return [record_as_json(one) for one in ordered(found.values(), order)]
