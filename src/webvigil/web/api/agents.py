"""API routes for agents (sentinels that work at peers) and for broadcasts to all users (B1, B2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.peers.agents import agent_as_json, recall_agent, send_agent
from webvigil.community.broadcasting import LONGEST, MOST_DAYS, Board, Broadcast
from webvigil.model.moment import as_datetime
from webvigil.model.shapes import AgentShape, BroadcastShape
from webvigil.store.promises import Peers
from webvigil.web.access import Admin, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Name, Skip, in_pieces

router = APIRouter(tags=["agents"])
BroadcastId = Annotated[str, Path(max_length=40)]


class NewAgent(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sentinel: str = Field(max_length=200, examples=["news"])
    peer: str = Field(max_length=300, examples=["https://vigil.example"])


class Words(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=LONGEST, examples=["Our server moves on Friday"])
    days: int = Field(7, ge=1, le=MOST_DAYS)


@router.get("/agents", summary="Your agents that are away")
def agents(
    request: Request, response: Response, caller: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[AgentShape]:
    knowledge = knowledge_of(request)
    found = in_pieces(request, response, knowledge.agents.all("away", user=caller.name), skip, limit)
    return [agent_as_json(knowledge.peers, one) for one in found]


@router.get("/agents/guests", summary="Agents of peers that are guests here")
def guests(
    request: Request, response: Response, _: Admin, skip: Skip = 0, limit: Limit = MOST
) -> list[AgentShape]:
    knowledge = knowledge_of(request)
    found = in_pieces(request, response, knowledge.agents.all("guest"), skip, limit)
    return [agent_as_json(knowledge.peers, one) for one in found]


@router.post("/agents", status_code=201, summary="Send a sentinel to a peer; here it rests until it is back")
def send(request: Request, caller: Writer, body: NewAgent) -> AgentShape:
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    return agent_as_json(knowledge.peers, send_agent(knowledge, settings, body.sentinel, body.peer))


@router.delete("/agents/{name}", status_code=204, summary="Recall the agent of a sentinel")
def recall(request: Request, caller: Writer, name: Name) -> None:
    recall_agent(knowledge_of(request), caller.name, name)


@router.get("/broadcasts", summary="What operators of the community say to everybody")
def broadcasts(
    request: Request, response: Response, _: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[BroadcastShape]:
    knowledge = knowledge_of(request)
    found = in_pieces(request, response, Board(knowledge).standing(), skip, limit)
    return [broadcast_as_json(knowledge.peers, one) for one in found]


@router.post("/broadcasts", status_code=201, summary="Say something to everybody, on dashboards only")
def say(request: Request, _: Admin, body: Words) -> BroadcastShape:
    knowledge = knowledge_of(request)
    return broadcast_as_json(knowledge.peers, Board(knowledge).say(body.text, body.days))


@router.delete("/broadcasts/{broadcast}", status_code=204, summary="Show it here no longer")
def end(request: Request, _: Admin, broadcast: BroadcastId) -> None:
    Board(knowledge_of(request)).end(broadcast)


def broadcast_as_json(peers: Peers, one: Broadcast) -> BroadcastShape:
    peer = peers.get(one.sender) if one.sender else None
    return {
        "id": one.id,
        "text": one.text,
        "from": peer.url if peer else "",
        "until": as_datetime(one.until).isoformat(),
    }
