"""What changes mean, under /api/v1: what a language model judged, what it took, and a trial of a sentence."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.meaning.asking import allowance_of, model_of, use_as_json
from webvigil.app.meaning.trial import LAST, MOST, planned, tried
from webvigil.app.to_json import judged_as_json, trial_as_json
from webvigil.model.sentinel import LONGEST_QUESTION
from webvigil.model.shapes import JudgedShape, MeaningShape, TrialShape
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import SOME, Limit, Name, Skip, in_pieces

router = APIRouter(tags=["meaning"])
# Nobody has more judged changes than this: they are forgotten after a while.
MOST_SKIPPED = 1_000_000


class Sentence(BaseModel):
    """A sentence to try. Without `ask` nothing is asked: the answer says what it would take."""

    model_config = ConfigDict(extra="forbid")
    means: str = Field(max_length=LONGEST_QUESTION, examples=["the price of the sofa went down"])
    last: int = Field(default=LAST, ge=1, le=MOST)
    ask: bool = False


@router.get("/meaning", summary="The language model, and what your questions took today")
def meaning(request: Request, caller: Reader) -> MeaningShape:
    """`model` is empty if no model is set up. A limit of 0 is none. Days are those of UTC."""
    settings = settings_of(request)
    spent = knowledge_of(request).questions.spent(caller.name)
    return {"model": model_of(settings), "today": use_as_json(spent, allowance_of(settings))}


@router.get("/sentinels/{name}/judged", summary="Changes that a language model was asked about")
def judged(
    request: Request, response: Response, caller: Reader, name: Name, skip: Skip = 0, limit: Limit = SOME
) -> list[JudgedShape]:
    """The newest first, also those that were not told."""
    knowledge = knowledge_of(request)
    knowledge.sentinels.get(caller.name, name)
    found = knowledge.questions.judged(caller.name, name, limit=min(skip, MOST_SKIPPED) + limit + 1)
    return [judged_as_json(one) for one in in_pieces(request, response, found, skip, limit)]


@router.post("/sentinels/{name}/meaning", summary="Try a sentence on its last changes")
async def try_it(request: Request, caller: Writer, name: Name, body: Sentence) -> TrialShape:
    """Tells which of the last changes `When means "…"` would have told. Nothing is changed. With `ask` the
    model is asked, and what that takes counts for your day; what was asked before costs nothing."""
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    plan = await asyncio.to_thread(planned, knowledge, settings, name, body.means, body.last)
    results = await tried(knowledge, settings, plan) if body.ask else None
    return trial_as_json(plan, results)
