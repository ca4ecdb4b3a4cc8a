"""API routes for topics: the clauses that a topic gives to those of its sentinels that leave them out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.sentinels.topics import say_topic, topic_of, topics_of
from webvigil.app.to_json import topic_as_json
from webvigil.model.shapes import TopicShape
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces
from webvigil.web.api.sentinels import LONGEST_TEXT

router = APIRouter(tags=["sentinels"])
TopicName = Annotated[str, Path(max_length=100)]


class Clauses(BaseModel):
    """Clauses of the sentinel language: Fetch, Notify By, Every, Ignore, Quiet, Only, Message, Summary,
    Priority."""

    model_config = ConfigDict(extra="forbid")
    clauses: str = Field(max_length=LONGEST_TEXT, examples=["Fetch 1 day"])


@router.get("/topics", summary="My topics, what they say and how many sentinels they have")
def all_topics(
    request: Request, response: Response, caller: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[TopicShape]:
    found = in_pieces(request, response, topics_of(knowledge_of(request), caller.name), skip, limit)
    return [topic_as_json(one) for one in found]


@router.get("/topics/{topic}", summary="One topic")
def one_topic(request: Request, caller: Reader, topic: TopicName) -> TopicShape:
    return topic_as_json(topic_of(knowledge_of(request), caller.name, topic))


@router.put("/topics/{topic}", summary="Let a topic say clauses for its sentinels that leave them out")
def put_topic(request: Request, caller: Writer, topic: TopicName, body: Clauses) -> TopicShape:
    """The clauses take the place of what the topic said before, and count at once for all its sentinels or,
    if they do not fit one of them, for none. An empty text says nothing."""
    settings = replace(settings_of(request), user=caller.name)
    return topic_as_json(say_topic(knowledge_of(request), settings, topic, body.clauses))
