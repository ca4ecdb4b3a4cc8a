"""API routes for sentinels: list, install, edit, enable, disable, run and remove them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.sentinels.by_hand import disable, enable
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.first_look import look_now, with_warnings
from webvigil.app.sentinels.install import install, same_as_installed
from webvigil.app.sentinels.outside import watch_too
from webvigil.app.sentinels.portrait import portrait_of
from webvigil.app.sentinels.preview import watched_now
from webvigil.app.sentinels.quiet import tell_again
from webvigil.app.sentinels.removal import KEPT, remove, restore
from webvigil.app.sentinels.timeline import next_for, timeline_for, timeline_of
from webvigil.app.sentinels.values import Series, as_csv, rows_of, values_of
from webvigil.app.telling.delivery import renderer_of
from webvigil.app.telling.messages import previewed
from webvigil.app.to_json import (
    entry_as_json,
    portrait_as_json,
    removed_as_json,
    sentinel_as_json,
    watched_as_json,
    with_warnings_as_json,
)
from webvigil.language import parse
from webvigil.model.message import LONGEST_BODY, LONGEST_TITLE, Message
from webvigil.model.sentinel import State
from webvigil.model.shapes import (
    EnabledShape,
    EntryShape,
    MadeShape,
    PortraitShape,
    RemovedShape,
    RunShape,
    SaidShape,
    SentinelShape,
    ValueShape,
    WatchedShape,
)
from webvigil.model.wanted import LARGEST_ID, WantedSentinels
from webvigil.web.access import Caller, Reader, Whose, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import (
    MOST,
    SOME,
    Before,
    Id,
    Limit,
    Name,
    Skip,
    Words,
    aware,
    file_answer,
    in_pieces,
    link_to_next,
)

router = APIRouter(tags=["sentinels"])
OnlyNew = Annotated[bool, Query(description="Refuse what is there already, also to the letter.")]
OfOne = Annotated[str | None, Query(max_length=200, description="Of this sentinel only.")]
Topic = Annotated[str | None, Query(max_length=200)]
# A life is foretold in a third of a millisecond: the largest piece takes less than a tenth of a second.
FewSentinels = Annotated[int, Query(ge=1, le=200, description="Of how many sentinels at most.")]

EXAMPLE = "Create Sentinel news Using https://example.org/news Monitor all links Fetch 2 hour"
LONGEST_TEXT = 2_000_000


class OwnWords(BaseModel):
    """A message in the user's own words, with fields such as `{{ headline }}`."""

    model_config = ConfigDict(extra="forbid")
    title: str = Field(default="", max_length=LONGEST_TITLE, examples=["{{ label }}: {{ after }}"])
    body: str = Field(default="", max_length=LONGEST_BODY, examples=["{{ changes }}"])


class SentinelText(BaseModel):
    """One or more sentinels in the sentinel language."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=LONGEST_TEXT, examples=[EXAMPLE])


class RestlessPlace(BaseModel):
    model_config = ConfigDict(extra="forbid")
    place: str = Field(max_length=2000, examples=["/html/body/p"])


class OutsidePlace(BaseModel):
    model_config = ConfigDict(extra="forbid")
    place: str = Field(max_length=2000, examples=["/html/body/nav"])


@router.get("/sentinels", summary="Sentinels, newest first")
def sentinels(
    request: Request,
    response: Response,
    whose: Whose,
    words: Words = "",
    state: State | None = None,
    topic: Topic = None,
    trouble: bool = False,
    before: Before = LARGEST_ID,
    limit: Limit = SOME,
) -> list[SentinelShape]:
    wanted = WantedSentinels(
        user=whose, words=words, state=state, topic=topic, trouble=trouble, before=before, limit=limit
    )
    found = knowledge_of(request).sentinels.some(wanted)
    link_to_next(request, response, found, limit)
    return [sentinel_as_json(one) for one in found]


@router.post(
    "/sentinels",
    status_code=201,
    responses={200: {"model": list[MadeShape], "description": "The same text is installed already"}},
    summary="Install sentinels, all or none",
)
def add(
    request: Request, response: Response, caller: Writer, body: SentinelText, new: OnlyNew = False
) -> list[MadeShape]:
    """A text that is sent twice is installed once: the second answer is 200 with the sentinels that are
    there. `warnings` list what a sentinel names and its pages do not contain; pages that could not be looked
    at before the answer are left out."""
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    given = parse(body.text)
    installed = None if new else same_as_installed(knowledge.sentinels, settings, given)
    if installed is None:
        installed = with_warnings(knowledge, settings, install(knowledge, settings, given))
    else:
        response.status_code = 200
    return [with_warnings_as_json(one) for one in installed]


@router.get("/sentinels/{name}", summary="One sentinel, and what happens next")
def sentinel(request: Request, caller: Reader, name: Name) -> PortraitShape:
    """`linked_pages` are the pages that the sentinel watches because of its `Depth`, the nearer ones first,
    at most `most_linked`. For each address `pace` says how often the page changes, and `trouble` why the
    newest check of the page failed. `left_out` says what was last left out and why; `restless` are the places
    whose usual changes the sentinel is not told."""
    return portrait_as_json(portrait_of(knowledge_of(request), settings_of(request), caller.user, name))


@router.get("/sentinels/{name}/watched", summary="What it watches on the newest versions of its pages")
def watched(
    request: Request, response: Response, caller: Reader, name: Name, skip: Skip = 0, limit: Limit = SOME
) -> list[WatchedShape]:
    """Each entry is a page that the sentinel names, read and evaluated for this answer."""
    knowledge = knowledge_of(request)
    found = knowledge.sentinels.get(caller.name, name)
    some = replace(found, pages=tuple(in_pieces(request, response, found.pages, skip, limit)))
    return [watched_as_json(one) for one in watched_now(knowledge.versions, settings_of(request), some)]


@router.get("/sentinels/{name}/values", summary="The value it follows over time, oldest first")
def values(
    request: Request,
    response: Response,
    caller: Reader,
    name: Name,
    since: datetime | None = None,
    skip: Skip = 0,
    limit: Limit = MOST,
) -> list[ValueShape]:
    """Each value holds from its time on until the next one. With `since`, the first one tells the value at
    that moment. A sentinel that follows no number has none."""
    return list(in_pieces(request, response, rows_of(_series(request, caller, name, since)), skip, limit))


@router.get(
    "/sentinels/{name}/values.csv",
    response_class=Response,
    responses=file_answer("text/csv"),
    summary="The same as a file for spreadsheets",
)
def values_as_csv(request: Request, caller: Reader, name: Name, since: datetime | None = None) -> Response:
    text = as_csv(_series(request, caller, name, since))
    return Response(text, media_type="text/csv; charset=utf-8")


def _series(request: Request, caller: Caller, name: str, since: datetime | None) -> Series | None:
    knowledge = knowledge_of(request)
    found = knowledge.sentinels.get(caller.name, name)
    pages = watched_now(knowledge.versions, settings_of(request), found)
    now = [one for page in pages for one in page.findings]
    return values_of(knowledge.changes, knowledge.versions, found, now, aware(since))


@router.post("/sentinels/{name}/message", summary="What a message of your own says about its last change")
def message(request: Request, caller: Reader, name: Name, body: OwnWords | None = None) -> SaidShape:
    """Without `title` and `body` the answer is what the sentinel says now. Nothing is saved or sent: the
    clause `Message` of the sentinel does that. A sentinel without changes tells an example."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    found = parse(knowledge.sentinels.get(caller.name, name).text)[0]
    own = Message(body.title, body.body) if body and (body.title or body.body) else found.message
    renderer = renderer_of(settings, knowledge.users)
    said = previewed(knowledge.changes, renderer, caller.name, found, own)
    return {"title": said.title, "text": said.text, "change": said.change.id if said.change else None}


@router.get("/timeline", summary="What happened to sentinels and what will, in order")
def timeline(
    request: Request,
    response: Response,
    caller: Reader,
    sentinel: OfOne = None,
    before: Before = LARGEST_ID,
    limit: FewSentinels = SOME,
) -> list[EntryShape]:
    """Entries with `past` have happened; the others are expected. A piece tells of `limit` sentinels, the
    newest first; within a piece the entries are in order of time."""
    knowledge = knowledge_of(request)
    if sentinel is not None:
        return [entry_as_json(one) for one in timeline_of(knowledge, caller.name, sentinel)]
    some = knowledge.sentinels.some(WantedSentinels(user=caller.name, before=before, limit=limit))
    link_to_next(request, response, some, limit)
    return [entry_as_json(one) for one in timeline_for(knowledge, caller.name, some)]


@router.put("/sentinels/{name}", summary="Give it another text; its changes and versions stay")
def replace_text(request: Request, caller: Writer, name: Name, body: SentinelText) -> MadeShape:
    """The new text is verified like that of a new sentinel. A life span that is written as before goes on; a
    different life span begins now."""
    settings = replace(settings_of(request), user=caller.name)
    knowledge = knowledge_of(request)
    made = edit(knowledge, settings, name, body.text)
    return with_warnings_as_json(with_warnings(knowledge, settings, [made])[0])


@router.delete(
    "/sentinels/{name}",
    status_code=204,
    summary="Remove it and its changes",
    description=f"For {KEPT.days} days it is among those of `/removed` and can be brought back.",
)
def remove_one(request: Request, caller: Writer, name: Name) -> None:
    remove(knowledge_of(request), caller.name, name)


@router.get("/removed", summary="Removed sentinels that can be brought back, the last removed first")
def removed(
    request: Request, response: Response, caller: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[RemovedShape]:
    every = knowledge_of(request).sentinels.removed(caller.name)
    return [removed_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.post("/removed/{number}/restore", summary="Bring a removed sentinel back, with its changes")
def restore_one(request: Request, caller: Writer, number: Id) -> SentinelShape:
    """The pages of the sentinel are looked at soon. The answer is 409 if another sentinel has its name
    now."""
    return sentinel_as_json(restore(knowledge_of(request), caller.name, number))


@router.post("/sentinels/{name}/enable", summary="Let it watch again")
def enable_one(request: Request, caller: Writer, name: Name) -> EnabledShape:
    found = enable(knowledge_of(request), caller.name, name)
    return {**sentinel_as_json(found), "next": next_for(caller.user, found)}


@router.post("/sentinels/{name}/disable", summary="Let it rest until it is enabled")
def disable_one(request: Request, caller: Writer, name: Name) -> SentinelShape:
    return sentinel_as_json(disable(knowledge_of(request), caller.name, name))


@router.post("/sentinels/{name}/tell-again", summary="Be told again what happens at a restless place")
def tell_it_again(request: Request, caller: Writer, name: Name, body: RestlessPlace) -> SentinelShape:
    """The place is excepted from quiet: its text gets the clause that the place has in `restless`."""
    settings = replace(settings_of(request), user=caller.name)
    return sentinel_as_json(tell_again(knowledge_of(request), settings, name, body.place))


@router.post("/sentinels/{name}/watch-too", summary="Watch a block outside of the main part, too")
def watch_it_too(request: Request, caller: Writer, name: Name, body: OutsidePlace) -> SentinelShape:
    """`place` is that of a block in `outside` of `watched`; the text gets the clause that stands there."""
    settings = replace(settings_of(request), user=caller.name)
    return sentinel_as_json(watch_too(knowledge_of(request), settings, name, body.place))


@router.post("/sentinels/{name}/run", status_code=202, summary="Look at its pages now")
def run(request: Request, caller: Writer, name: Name) -> RunShape:
    """`warnings` list what the sentinel names and its pages do not contain, and say if no worker runs."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    pages, warnings = look_now(knowledge, settings, knowledge.sentinels.get(caller.name, name))
    return {"name": name, "pages": pages, "warnings": list(warnings)}
