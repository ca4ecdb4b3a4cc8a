"""The page of one sentinel: its text, changes, pages, logs and a chart of its values."""

from __future__ import annotations

from dataclasses import replace
from datetime import tzinfo
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.pages.view import seen_page
from webvigil.app.peers.agents import agent_as_json
from webvigil.app.sentinels.preview import watched_now
from webvigil.app.sentinels.quiet import left_places, tell_again
from webvigil.app.sentinels.timeline import next_for, timeline_of
from webvigil.app.sentinels.twins import twins_of
from webvigil.errors import WebVigilError
from webvigil.model.change import Change
from webvigil.model.moment import zone_named
from webvigil.model.shapes import AgentShape
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Agents, Peers
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Name
from webvigil.web.chart import Chart, chart
from webvigil.web.dashboard.door import way
from webvigil.web.dashboard.sentinels import Action, act, place_of, saying
from webvigil.web.templates import page

router = APIRouter()

# The newest changes of the sentinel, and the newest checks and versions of each page, that are shown.
CHANGES = 20
LOOKS = 30
VERSIONS = 60


@router.get("/sentinels/{name}")
def sentinel(request: Request, caller: Reader, name: Name) -> Response:
    knowledge = knowledge_of(request)
    found = knowledge.sentinels.get(caller.name, name)
    changes = knowledge.changes.some(WantedChanges(user=caller.name, sentinel=name, limit=CHANGES))
    settings = settings_of(request)
    seen = [(one, seen_page(knowledge, settings, caller.name, one.id)) for one in found.pages[:10]]
    pages = [
        {"page": one, "versions": view.versions()[:VERSIONS], "log": view.looks(LOOKS)} for one, view in seen
    ]
    try:
        watched = list(watched_now(knowledge.versions, settings_of(request), found))
    except WebVigilError:
        watched = []
    return page(
        "sentinel.html",
        user=caller.user,
        sentinel=found,
        coming=next_for(caller.user, found),
        twins=twins_of(found, knowledge.sentinels.all(caller.name)),
        timeline=timeline_of(knowledge, caller.name, name),
        changes=changes,
        pages=pages,
        watched=watched,
        restless=left_places(knowledge.habits, found),
        chart=_values(
            knowledge.changes.some(WantedChanges(user=caller.name, sentinel=name, limit=200)),
            zone_named(caller.user.zone),
        ),
        linked=knowledge.sentinels.linked(caller.name, name) if found.linked else [],
        most_linked=settings_of(request).linked_pages,
        agent=_agent(knowledge.agents, knowledge.peers, caller.name, name),
        peers=any(one.state == "known" for one in knowledge.peers.all()),
        has_feed=knowledge.contacts.get(caller.name, "feed", f"sentinel:{name}") is not None,
        lines_on_a_card=3,
    )


@router.post("/sentinels/{name}")
def act_on(
    request: Request,
    caller: Writer,
    name: Name,
    action: Annotated[Action, Form()],
    back: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Does the action. `back` is the page of the dashboard that the button stood on."""
    act(knowledge_of(request), settings_of(request), caller.name, name, action)
    if action == "remove" or back == "/sentinels":
        return RedirectResponse(saying("/sentinels", action, 1), status_code=303)
    return RedirectResponse(way(back) if back else place_of(name), status_code=303)


@router.post("/sentinels/{name}/tell-again")
def tell_it_again(
    request: Request, caller: Writer, name: Name, place: Annotated[str, Form(max_length=2000)]
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    tell_again(knowledge_of(request), settings, name, place)
    return RedirectResponse(f"{place_of(name)}#quiet", status_code=303)


def _agent(agents: Agents, peers: Peers, user: str, name: str) -> AgentShape | None:
    """Returns the agent that runs this sentinel at a peer, or None if the sentinel works here."""
    found = [one for one in agents.all("away", user=user) if one.goals.name == name]
    return agent_as_json(peers, found[0]) if found else None


def _values(changes: list[Change], zone: tzinfo) -> Chart | None:
    """Returns a chart of the values that the sentinel followed, oldest first; None for fewer than two
    numbers."""
    points = [
        (change.found_at, one.after or "")
        for change in reversed(changes)
        for finding in change.findings
        if finding.type == "value"
        for one in finding.objects[:1]
    ]
    return chart(points, zone)
