"""The REST API under /api/v1: what the dashboard shows, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from webvigil.app.plain import change_as_json, sentinel_as_json
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.store.promises import Knowledge
from webvigil.web.sign_in import SignedIn

router = APIRouter()


def knowledge_of(request: Request) -> Knowledge:
    knowledge: Knowledge = request.app.state.knowledge
    return knowledge


@router.get("/changes", summary="Changes, newest first")
def changes(
    request: Request,
    user: SignedIn,
    sentinel: str | None = None,
    since: datetime | None = None,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[dict[str, Any]]:
    since = since.astimezone() if since else None
    found = knowledge_of(request).changes.all(
        user.name, sentinel=sentinel, since=since, after=after, limit=limit
    )
    return [change_as_json(change) for change in found]


@router.get("/changes/{change_id}", summary="One change with all its findings")
def one_change(request: Request, user: SignedIn, change_id: int) -> dict[str, Any]:
    return change_as_json(change_of(knowledge_of(request), user.name, change_id))


@router.get("/sentinels", summary="The user's sentinels, newest first")
def sentinels(request: Request, user: SignedIn) -> list[dict[str, Any]]:
    return [sentinel_as_json(one) for one in knowledge_of(request).sentinels.all(user.name)]


@router.get("/sentinels/{name}", summary="One sentinel")
def sentinel(request: Request, user: SignedIn, name: str) -> dict[str, Any]:
    return sentinel_as_json(knowledge_of(request).sentinels.get(user.name, name))


def change_of(knowledge: Knowledge, user: str, change_id: int) -> Change:
    """Other people's changes are not there."""
    if not 0 <= change_id <= 2**53:
        raise NotFound(f"there is no change {change_id}")
    change = knowledge.changes.get(change_id)
    if change.user != user:
        raise NotFound(f"there is no change {change_id}")
    return change
