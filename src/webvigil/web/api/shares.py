"""API routes for links that show a single change to people without an account: make, list and end them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.telling.shares import DAYS, MOST_DAYS, end_share, share, shares
from webvigil.app.to_json import share_as_json
from webvigil.model.shapes import NewShareShape, ShareShape
from webvigil.model.wanted import LARGEST_ID
from webvigil.web.access import Reader, Writer, home_of_request, knowledge_of
from webvigil.web.api.answers import MOST, Limit, PastId, Skip, in_pieces
from webvigil.web.api.changes import change_of

router = APIRouter(tags=["changes"])
ShareId = Annotated[str, Path(max_length=40)]


class NewShare(BaseModel):
    model_config = ConfigDict(extra="forbid")
    days: int = Field(DAYS, ge=1, le=MOST_DAYS, description="How long the link opens the change.")


@router.get("/shares", summary="My links that still open a change, newest first")
def all_shares(
    request: Request,
    response: Response,
    caller: Reader,
    change: Annotated[int | None, Query(ge=0, lt=LARGEST_ID)] = None,
    skip: Skip = 0,
    limit: Limit = MOST,
) -> list[ShareShape]:
    every = shares(knowledge_of(request).users, caller.name, change)
    return [share_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.post(
    "/changes/{change}/share", status_code=201, summary="Make a link to one change; it is shown once"
)
def add_share(
    request: Request, caller: Writer, change: PastId, body: NewShare | None = None
) -> NewShareShape:
    """Whoever has the link sees the findings of this change, and nothing else."""
    knowledge = knowledge_of(request)
    secret, made = share(knowledge, change_of(knowledge.changes, caller, change), body.days if body else DAYS)
    return {**share_as_json(made), "link": link_of(request, secret)}


@router.delete("/shares/{share_id}", status_code=204, summary="End a link: it opens nothing from now on")
def drop_share(request: Request, caller: Writer, share_id: ShareId) -> None:
    end_share(knowledge_of(request).users, caller.name, share_id)


def link_of(request: Request, secret: str) -> str:
    return f"{home_of_request(request)}/shared/{secret}"
