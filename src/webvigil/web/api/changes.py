"""API routes for changes: list them, show one, mark them as seen, write a note."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.pages.others import other_changes
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.quiet import mark_as_noise, propose
from webvigil.app.to_json import change_as_json, news_as_json, proposal_as_json
from webvigil.detect.headline import headline
from webvigil.errors import NotFound
from webvigil.model.change import Change, finding_as_json
from webvigil.model.shapes import ChangeShape, MarkedShape, OthersShape, ProposalShape, UnreadShape
from webvigil.model.wanted import FROM_THE_PAST_ON, LARGEST_ID, WantedChanges
from webvigil.store.promises import Changes
from webvigil.web.access import (
    Caller,
    Reader,
    Whose,
    Writer,
    home_of_request,
    knowledge_of,
    pages_of,
    settings_of,
)
from webvigil.web.api.answers import SOME, Before, Limit, PastId, aware, link_to_next

router = APIRouter(tags=["changes"])
Text = Annotated[str | None, Query(max_length=200)]
LONGEST_NOTE = 10_000
MOST_COUNTED = 1_000


class Marks(BaseModel):
    model_config = ConfigDict(extra="forbid")
    ids: list[Annotated[int, Field(gt=FROM_THE_PAST_ON, lt=LARGEST_ID)]] = Field(
        max_length=1000, examples=[[4, 7]]
    )
    seen: bool = True


class Remarks(BaseModel):
    """A new mark or note for a change. A field that is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")
    seen: bool | None = None
    note: str | None = Field(None, max_length=LONGEST_NOTE, examples=["Call them on Monday."])


class Noise(BaseModel):
    model_config = ConfigDict(extra="forbid")
    apply: bool = Field(False, description="Add the clause to the sentinel.")


@router.get("/changes", summary="Changes, newest first")
def changes(
    request: Request,
    response: Response,
    whose: Whose,
    sentinel: Text = None,
    topic: Text = None,
    kind: Annotated[str | None, Query(alias="type", max_length=200)] = None,
    seen: bool | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    after: Annotated[
        int, Query(ge=FROM_THE_PAST_ON, le=LARGEST_ID, description="Only those after this id; 0: no past.")
    ] = FROM_THE_PAST_ON,
    before: Before = LARGEST_ID,
    limit: Limit = SOME,
) -> list[ChangeShape]:
    wanted = WantedChanges(
        user=whose,
        sentinel=sentinel,
        topic=topic,
        type=kind,
        seen=seen,
        since=aware(since),
        until=aware(until),
        after=after,
        before=before,
        limit=limit,
    )
    found = knowledge_of(request).changes.some(wanted)
    link_to_next(request, response, found, limit)
    return [change_as_json(change) for change in found]


@router.get("/unread", summary="How many changes are unread, and the newest of them")
def unread(
    request: Request,
    caller: Reader,
    newest: Annotated[int, Query(ge=0, le=50, description="How many are told.")] = 5,
) -> UnreadShape:
    """For programs that ask often: small, and with the ETag of the last answer it is answered by 304 while
    nothing is new."""
    wanted = WantedChanges(user=caller.name, seen=False, limit=newest)
    found, home = knowledge_of(request).changes, home_of_request(request)
    count = found.count(wanted, most=MOST_COUNTED + 1)
    return {
        "count": min(count, MOST_COUNTED),
        "more": count > MOST_COUNTED,
        "newest": [news_as_json(one, home) for one in found.some(wanted)] if newest else [],
    }


@router.post("/changes/mark", summary="Mark as seen, or as not seen")
def mark(request: Request, caller: Writer, body: Marks) -> MarkedShape:
    return {"marked": knowledge_of(request).changes.mark(caller.name, body.ids, seen=body.seen)}


@router.get("/changes/{change}", summary="One change with all its findings")
def one_change(request: Request, caller: Reader, change: PastId) -> ChangeShape:
    return change_as_json(change_of(knowledge_of(request).changes, caller, change))


@router.get("/changes/{change}/others", summary="What else changed on the page between the same versions")
def others(request: Request, caller: Reader, change: PastId) -> OthersShape:
    """What the sentinel itself found is left out. Answers 404 if one of the versions is no longer kept."""
    knowledge = knowledge_of(request)
    found = change_of(knowledge.changes, caller, change)
    beside = other_changes(knowledge.versions, pages_of(request), found)
    return {
        "count": len(beside.objects),
        "headline": headline([beside]) if beside.changed else "",
        "finding": finding_as_json(beside),
    }


@router.patch("/changes/{change}", summary="Mark it, or note something")
def remark(request: Request, caller: Writer, change: PastId, body: Remarks) -> ChangeShape:
    knowledge = knowledge_of(request)
    owner = change_of(knowledge.changes, caller, change).user
    if body.seen is not None:
        knowledge.changes.mark(owner, [change], seen=body.seen)
    if body.note is not None:
        knowledge.changes.note(owner, change, body.note)
    return change_as_json(change_of(knowledge.changes, caller, change))


@router.post("/changes/{change}/noise", summary="Mark it as noise; the clause that would have left it out")
def noise(request: Request, caller: Writer, change: PastId, body: Noise | None = None) -> ProposalShape:
    """What the clause would have done to the changes that are kept is said with it. The sentinel gets it only
    with `apply`."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    found = change_of(knowledge.changes, caller, change)
    mark_as_noise(knowledge.changes, found)
    proposal = propose(knowledge, pages_of(request), found)
    applied = body is not None and body.apply
    if applied:
        edit(knowledge, replace(settings, user=found.user), found.sentinel, proposal.text)
    return proposal_as_json(proposal, applied=applied)


def change_of(changes: Changes, caller: Caller, change_id: int) -> Change:
    """Returns the change. Raises NotFound also for another user's change, unless the caller is an
    administrator."""
    change = changes.get(change_id)
    if change.user != caller.name and not caller.is_admin:
        raise NotFound(f"there is no change {change_id}")
    return change
