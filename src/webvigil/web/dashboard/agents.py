"""The page for agents at peers, guests from peers, and broadcasts to all users (B1, B2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.peers.agents import agent_as_json, recall_agent, send_agent
from webvigil.community.broadcasting import LONGEST, Board
from webvigil.errors import WebVigilError
from webvigil.model.sentinel import State
from webvigil.model.shapes import BroadcastShape
from webvigil.model.wanted import WantedSentinels
from webvigil.web.access import Admin, Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.agents import broadcast_as_json
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()
Text = Annotated[str, Form(max_length=1000)]
_PLACE = "/community/agents"
# The most sentinels in the list from which the user chooses one to send.
_OFFERED = 500


@router.get("/community/agents")
def agents(request: Request, caller: Reader) -> Response:
    return _page(request, caller)


@router.post("/community/agents")
def send(request: Request, caller: Writer, name: Text = "", peer: Text = "") -> Response:
    settings = replace(settings_of(request), user=caller.name)
    try:
        send_agent(knowledge_of(request), settings, name, peer)
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return RedirectResponse(_PLACE, status_code=303)


@router.post("/community/agents/recall")
def recall(request: Request, caller: Writer, name: Text = "") -> Response:
    recall_agent(knowledge_of(request), caller.name, name)
    return RedirectResponse(_PLACE, status_code=303)


@router.post("/community/broadcasts")
def say(
    request: Request, caller: Admin, text: Text = "", days: Annotated[int, Form(ge=1, le=30)] = 7
) -> Response:
    try:
        Board(knowledge_of(request)).say(text, days)
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error), words=text)
    return RedirectResponse(_PLACE, status_code=303)


@router.post("/community/broadcasts/end")
def end(request: Request, caller: Admin, id: Text = "") -> Response:  # noqa: A002
    Board(knowledge_of(request)).end(id)
    return RedirectResponse(_PLACE, status_code=303)


def standing(request: Request) -> list[BroadcastShape]:
    """Returns the broadcasts of operators that have not ended yet."""
    knowledge = knowledge_of(request)
    return [broadcast_as_json(knowledge.peers, one) for one in Board(knowledge).standing()]


def _page(request: Request, caller: Caller, *, status: int = 200, **values: Any) -> Response:
    knowledge = knowledge_of(request)
    away = [agent_as_json(knowledge.peers, one) for one in knowledge.agents.all("away", user=caller.name)]
    mine = knowledge.sentinels.some(
        WantedSentinels(user=caller.name, state=str(State.ACTIVE), limit=_OFFERED)
    )
    admin = caller.user.role == "admin"
    guests = knowledge.agents.all("guest") if admin else []
    return page(
        "community_agents.html",
        status=status,
        user=caller.user,
        away=away,
        guests=[agent_as_json(knowledge.peers, one) for one in guests],
        names=sorted(one.name for one in mine),
        peers=[one.url for one in knowledge.peers.all() if one.state == "known"],
        broadcasts=standing(request),
        admin=admin,
        longest=LONGEST,
        **values,
    )
