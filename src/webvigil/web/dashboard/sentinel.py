"""The page of one sentinel: its state, its value over time, its changes, its words, pages and logs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.meaning.asking import allowance_of, model_of, unasked, use_as_json
from webvigil.app.meaning.trial import in_words, planned, tried
from webvigil.app.pages.view import seen_page
from webvigil.app.peers.agents import agent_as_json
from webvigil.app.sentinels.outside import watch_no_more, watch_too
from webvigil.app.sentinels.plain_words import Sentence, plain_words
from webvigil.app.sentinels.portrait import scheduled_looks
from webvigil.app.sentinels.preview import watched_now
from webvigil.app.sentinels.quiet import leave_out, left_places, tell_again, told_places
from webvigil.app.sentinels.removal import remove
from webvigil.app.sentinels.timeline import Entry, next_for, timeline_of
from webvigil.app.sentinels.topic_clauses import origins
from webvigil.app.sentinels.twins import twins_of
from webvigil.app.sentinels.values import all_values_of, as_csv
from webvigil.app.to_json import trial_as_json
from webvigil.errors import NotFound, WebVigilError
from webvigil.language import parse
from webvigil.model.change import Change
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import is_endless
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.portrait import WatchedNow
from webvigil.model.quiet import LeftPlace
from webvigil.model.sentinel import Part
from webvigil.model.shapes import AgentShape
from webvigil.model.wanted import FROM_THE_PAST_ON, WantedChanges, WantedSentinels
from webvigil.present.story import habit_of, pace_changes
from webvigil.store.promises import Agents, Changes, Peers, Sentinels, Versions
from webvigil.trigger.reasons import where
from webvigil.web.access import Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Name
from webvigil.web.calendar import Calendar, calendar
from webvigil.web.calendar import since_of as year_before
from webvigil.web.chart import MOST_VALUES, RANGES, beginning, chart, moves, since_of, value_name
from webvigil.web.dashboard.sentinels import OneAction, act, place_of, removing, saying
from webvigil.web.dashboard.sign_in import way
from webvigil.web.problem import told_of
from webvigil.web.standing import standing_of
from webvigil.web.templates import page

router = APIRouter()

# The newest changes of the sentinel, and the newest checks and versions of each page, that are shown.
CHANGES = 10
PACES = 3
JUDGED = 5
LOOKS = 30
VERSIONS = 60
_PAGES = 10
# What has happened to a sentinel, by the words of its timeline.
HAPPENED = {
    "is installed": "Installed",
    "starts": "Began",
    "ends": "Ended",
    "has ended": "Ended",
    "is near its end": "Told that it ends soon",
    "fails": "Failed",
}
_ICONS = {"what": "tag", "when": "clock", "tell": "bell", "until": "end"}
Range = Annotated[str, Query(alias="range", max_length=10)]
# The place of the value whose chart is wanted, of several that the sentinel follows.
Place = Annotated[str, Query(max_length=2000)]


@router.get("/sentinels/{name}")
def sentinel(
    request: Request,
    caller: Reader,
    name: Name,
    range_: Range = "30",
    value: Place = "",
    again: Place = "",
    too: Place = "",
) -> Response:
    """`again` and `too` name the place that a form has just brought back, which is told in words."""
    knowledge, settings = knowledge_of(request), settings_of(request)
    found = knowledge.sentinels.get(caller.name, name)
    zone, now = zone_named(caller.user.zone), as_datetime(knowledge.schedule.now())
    seen = [(one, seen_page(knowledge, settings, caller.name, one.id)) for one in found.pages[:_PAGES]]
    pages: list[dict[str, Any]] = [
        {"page": one, "versions": view.some(limit=VERSIONS), "log": view.looks(LOOKS)} for one, view in seen
    ]
    try:
        watched = list(watched_now(knowledge.versions, settings, found))
    except WebVigilError:
        watched = []
    chosen = range_ if range_ in RANGES else "30"
    changes = knowledge.changes.some(
        WantedChanges(user=caller.name, sentinel=name, after=FROM_THE_PAST_ON, limit=CHANGES)
    )
    timeline = timeline_of(knowledge, caller.name, name)
    told = told_places(knowledge.habits, found)
    error = next((one["log"][0]["error"] for one in pages if one["page"].failures and one["log"]), "")
    return page(
        "sentinel.html",
        user=caller.user,
        sentinel=found,
        standing=standing_of(found, zone, error=error, now=now),
        twins=_twins(knowledge.sentinels, found),
        coming=next_for(caller.user, found),
        endless=is_endless(found.life),
        timeline=timeline,
        happened=HAPPENED,
        changes=changes,
        line=_line(
            changes,
            pages[0]["log"] if len(pages) == 1 else [],
            timeline if len(changes) >= found.changes else [],
        ),
        pages=pages,
        watched=watched,
        words=_in_words(found, zone, pages, watched),
        word_icons=_ICONS,
        restless=left_places(knowledge.habits, found),
        told_places=told,
        takes_back=_takes_back(found, told, again, too),
        from_topics=origins(knowledge.users, found),
        calendar=_calendar(knowledge.changes, found, now, zone),
        linked=knowledge.sentinels.linked(caller.name, name) if found.linked else [],
        most_linked=settings.linked_pages,
        agent=_agent(knowledge.agents, knowledge.peers, caller.name, name),
        peers=any(one.state == "known" for one in knowledge.peers.all()),
        has_feed=knowledge.contacts.get(caller.name, "feed", f"sentinel:{name}") is not None,
        model=model_of(settings),
        unasked=unasked(settings, parse(found.text)[0]),
        judged=knowledge.questions.judged(caller.name, name, limit=JUDGED),
        use=use_as_json(knowledge.questions.spent(caller.name), allowance_of(settings)),
        ranges=RANGES,
        range=chosen,
        **_values(knowledge.changes, knowledge.versions, found, watched, now, zone, chosen, value),
    )


@router.get("/sentinels/{name}/values.csv")
def values(request: Request, caller: Reader, name: Name, value: Place = "") -> Response:
    """Sends the steps of a value that the sentinel follows as a file, oldest first, with times in UTC. Of
    several values the one at the place `value` is sent, or else the one that changed most often."""
    knowledge = knowledge_of(request)
    found = knowledge.sentinels.get(caller.name, name)
    every = all_values_of(knowledge.changes, knowledge.versions, found)
    series = next((one for one in every if value and one.place == value), every[0] if every else None)
    headers = {"content-disposition": 'attachment; filename="values.csv"'}
    return Response(as_csv(series), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/sentinels/{name}")
def act_on(
    request: Request,
    caller: Writer,
    name: Name,
    action: Annotated[OneAction, Form()],
    back: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Does the action. `back` is the page of the dashboard that the button stood on."""
    if action == "remove":
        gone = remove(knowledge_of(request), caller.name, name)
        return RedirectResponse(removing("/sentinels", [gone]), status_code=303)
    act(knowledge_of(request), settings_of(request), caller.name, name, action)
    if back == "/sentinels":
        return RedirectResponse(saying("/sentinels", action, 1), status_code=303)
    return RedirectResponse(way(back) if back else place_of(name), status_code=303)


@router.post("/sentinels/{name}/meaning")
async def try_a_sentence(
    request: Request,
    caller: Writer,
    name: Name,
    means: Annotated[str, Form(max_length=2_000)] = "",
    ask: Annotated[bool, Form()] = False,
) -> Response:
    """Shows what trying a sentence on the last changes takes, or with `ask` what it would have decided."""
    knowledge = knowledge_of(request)
    settings = replace(settings_of(request), user=caller.name)
    try:
        plan = await asyncio.to_thread(planned, knowledge, settings, name, means)
        results = await tried(knowledge, settings, plan) if ask and plan.changes else None
    except NotFound:  # somebody else's sentinel, or none
        raise
    except WebVigilError as error:
        return page("trial.html", trouble=told_of(error))
    said = in_words(trial_as_json(plan, results))
    place = f"{place_of(name)}/meaning"
    return page("trial.html", plan=plan, results=results, said=said, place=place)


@router.post("/sentinels/{name}/tell-again")
def tell_it_again(
    request: Request, caller: Writer, name: Name, place: Annotated[str, Form(max_length=2000)]
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    tell_again(knowledge_of(request), settings, name, place)
    return RedirectResponse(f"{place_of(name)}?{urlencode({'again': place})}#quiet", status_code=303)


@router.post("/sentinels/{name}/leave-out")
def leave_it_out(
    request: Request, caller: Writer, name: Name, place: Annotated[str, Form(max_length=2000)]
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    leave_out(knowledge_of(request), settings, name, place)
    return RedirectResponse(f"{place_of(name)}#quiet", status_code=303)


@router.post("/sentinels/{name}/watch-too")
def watch_it_too(
    request: Request, caller: Writer, name: Name, place: Annotated[str, Form(max_length=2000)]
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    watch_too(knowledge_of(request), settings, name, place)
    return RedirectResponse(f"{place_of(name)}?{urlencode({'too': place})}#outside", status_code=303)


@router.post("/sentinels/{name}/watch-no-more")
def watch_it_no_more(
    request: Request, caller: Writer, name: Name, place: Annotated[str, Form(max_length=2000)]
) -> Response:
    settings = replace(settings_of(request), user=caller.name)
    watch_no_more(knowledge_of(request), settings, name, place)
    return RedirectResponse(f"{place_of(name)}#outside", status_code=303)


def _takes_back(found: InstalledSentinel, told: Sequence[LeftPlace], again: str, too: str) -> dict[str, str]:
    """Returns what a form has just done, in words, with the action and the place that undo it; nothing if the
    sentinel does not say so: anybody can write an address."""
    if one := next((one for one in told if one.place == again), None):
        said = f"Told again: {where(one.place, one.label, one.form)}."
        return {"said": said, "action": "leave-out", "place": again}
    if too and Part("xpath", too) in parse(found.written)[0].within:
        return {"said": f"Watched, too: {too}.", "action": "watch-no-more", "place": too}
    return {}


def _agent(agents: Agents, peers: Peers, user: str, name: str) -> AgentShape | None:
    """Returns the agent that runs this sentinel at a peer, or None if the sentinel works here."""
    found = [one for one in agents.all("away", user=user) if one.goals.name == name]
    return agent_as_json(peers, found[0]) if found else None


def _twins(sentinels: Sentinels, found: InstalledSentinel) -> list[str]:
    """Returns the user's other sentinels that ask for the same; such a sentinel watches the same page."""
    if not found.pages:
        return []
    beside = sentinels.some(WantedSentinels(user=found.user, pages=(found.pages[0].id,)))
    return twins_of([found], beside)[0]


def _values(
    recorded: Changes,
    versions: Versions,
    found: InstalledSentinel,
    watched: Sequence[WatchedNow],
    now: datetime,
    zone: tzinfo,
    range_: str,
    place: str,
) -> dict[str, Any]:
    """Returns the chart of the value at `place`, or of the one that changed most often, with its name, and
    how all values of the sentinel moved; nothing if it follows none."""
    shown = [finding for one in watched for finding in one.findings]
    every = all_values_of(recorded, versions, found, shown, since_of(range_, now))
    if not every:
        return {"chart": None}
    series = next((one for one in every if place and one.place == place), every[0])
    return {
        "chart": chart(series, now, zone, range_),
        "value_name": value_name(shown, series.place),
        "drawn": series.place,
        "began": beginning(min(every, key=lambda one: one.steps[0].at).steps[0], now, range_),
        "values": moves(every) if len(every) > 1 else [],
        "more_values": max(len(every) - MOST_VALUES, 0),
    }


def _line(
    changes: Sequence[Change], looks: Sequence[Any], timeline: Sequence[Entry]
) -> list[tuple[datetime, Change | None, str]]:
    """Returns the changes and, between them, what was learnt about the pace of the page and what happened to
    the sentinel, newest first."""
    paces = [(at, None, f"Pace: {words}") for at, words in pace_changes(looks)[:PACES]]
    lived = [(one.at, None, HAPPENED.get(one.what, one.what)) for one in timeline if one.past]
    found = [(one.found_at, one, "") for one in changes]
    return sorted([*reversed(lived), *paces, *found], key=lambda one: one[0], reverse=True)


def _calendar(changes: Changes, found: InstalledSentinel, now: datetime, zone: tzinfo) -> Calendar:
    wanted = WantedChanges(user=found.user, sentinel=found.name, since=year_before(now))
    return calendar(changes.rhythm(wanted), found.installed_at, now, zone)


def _in_words(
    found: InstalledSentinel, zone: tzinfo, pages: Sequence[dict[str, Any]], watched: Sequence[WatchedNow]
) -> list[Sentence]:
    """Returns what the sentinel does in plain words. A text that this version cannot read has none."""
    try:
        said = parse(found.text)[0]
    except WebVigilError:
        return []
    habit = next((habit_of(one["log"]) for one in pages if one["log"]), "")
    values = [one.label for now in watched for finding in now.findings for one in finding.objects]
    words = plain_words(said, found, zone, labels=[one for one in values if one], habit=habit)
    if looks := scheduled_looks(found, str(zone), 3):
        words.append(
            Sentence("when", "Looks next on ", ", ".join(f"{one:%a %-d %b %H:%M}" for one in looks), ".")
        )
    return words
