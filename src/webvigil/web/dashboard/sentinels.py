"""The list of sentinels with a bar of their last checks, and actions on many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Annotated, Any, Literal, Protocol
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.pages.view import logs_seen
from webvigil.app.sentinels.by_hand import HandStore, disable, enable, run
from webvigil.errors import WebVigilError
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import on_clock, zone_named
from webvigil.model.sentinel import State
from webvigil.model.wanted import LARGEST_ID, WantedSentinels
from webvigil.store.promises import Schedule, Sentinels
from webvigil.web.access import Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import Before, Words
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()

# Sentinels per piece of the list, checks per bar, and failures that one message names.
SHOWN = 50
LOOKS = 30
REASONS = 10
Action = Literal["enable", "disable", "run", "remove"]
_KINDS = {
    "new version": "new",
    "failed": "failed",
    "no page": "failed",
    "postponed": "waited",
    "doubted": "waited",
}


class _Store(HandStore, Protocol):
    """The parts of the knowledge base that the buttons of a sentinel need."""

    schedule: Schedule


@dataclass(frozen=True, slots=True)
class Look:
    """One check of a page, drawn as one stroke of the bar: its kind sets the colour, its title the
    tooltip."""

    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Listed:
    sentinel: InstalledSentinel
    looks: tuple[Look, ...]
    why: str


@router.get("/sentinels")
def sentinels(
    request: Request,
    caller: Reader,
    words: Words = "",
    state: Annotated[str, Query(max_length=20)] = "",
    topic: Annotated[str, Query(max_length=200)] = "",
    trouble: bool = False,
    before: Before = LARGEST_ID,
) -> Response:
    knowledge = knowledge_of(request)
    wanted = WantedSentinels(
        user=caller.name,
        words=words,
        state=state or None,
        topic=topic or None,
        trouble=trouble,
        before=before,
        limit=SHOWN,
    )
    found = knowledge.sentinels.some(wanted)
    filters = {"words": words, "state": state, "topic": topic, "trouble": "true" if trouble else ""}
    values: dict[str, Any] = {
        "rows": _listed(request, caller, found),
        "older": _older(filters, found[-1].id) if len(found) == SHOWN else "",
    }
    if before != LARGEST_ID and request.headers.get("hx-request"):
        return page("sentinel_rows.html", user=caller.user, **values)
    return page(
        "sentinels.html",
        user=caller.user,
        filters=filters,
        filtered=any(filters.values()),
        query=_query(filters),
        count=knowledge.sentinels.count(wanted),
        topics=knowledge.sentinels.topics(caller.name),
        states=[str(one) for one in State],
        **values,
    )


@router.post("/sentinels/many")
def many(
    request: Request,
    caller: Writer,
    action: Annotated[Action, Form()],
    name: Annotated[list[str] | None, Form()] = None,
    everything: Annotated[bool, Form()] = False,
    filters: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Does the action for each chosen sentinel. A failure does not stop the others; the answer names up to
    `REASONS` failures with their reasons.

    `everything` chooses all sentinels that match the filters of the list, also those not on the screen.
    """
    knowledge, said = knowledge_of(request), dict(parse_qsl(filters))
    back = f"/sentinels?{_query(said)}" if said else "/sentinels"
    chosen = list(_all_of(knowledge.sentinels, caller.name, said)) if everything else name or []
    if not chosen:
        message = "No sentinel is chosen: tick the box in front of at least one."
        return page("trouble.html", status=400, user=caller.user, message=message, back=back)
    reasons = [reason for one in chosen if (reason := _why_not(knowledge, caller.name, one, action))]
    if not reasons:
        return RedirectResponse(back, status_code=303)
    more = f"; and {len(reasons) - REASONS} more" if len(reasons) > REASONS else ""
    message = f"{len(reasons)} of {len(chosen)} could not be done: {'; '.join(reasons[:REASONS])}{more}"
    return page("trouble.html", status=400, user=caller.user, message=message, back=back)


def _all_of(sentinels: Sentinels, user: str, said: dict[str, str]) -> Iterator[str]:
    wanted = WantedSentinels(
        user=user,
        words=said.get("words", ""),
        state=said.get("state"),
        topic=said.get("topic"),
        trouble="trouble" in said,
    )
    while found := sentinels.some(wanted):
        yield from (one.name for one in found)
        wanted = replace(wanted, before=found[-1].id)


def _why_not(knowledge: _Store, user: str, name: str, action: Action) -> str:
    try:
        act(knowledge, user, name, action)
    except WebVigilError as error:
        return told_of(error)
    return ""


def place_of(name: str) -> str:
    """Returns the path of a sentinel's page. The name is quoted, because it may hold characters such as
    `?`."""
    return f"/sentinels/{quote(name, safe='')}"


def act(knowledge: _Store, user: str, name: str, action: Action) -> None:
    if action == "enable":
        enable(knowledge, user, name)
    elif action == "disable":
        disable(knowledge, user, name)
    elif action == "remove":
        knowledge.sentinels.remove(user, name)
        knowledge.journal.record("SentinelRemoved", name, {"user": user})
    else:
        run(knowledge.schedule, knowledge.sentinels, user, name)


def _listed(request: Request, caller: Caller, found: list[InstalledSentinel]) -> list[Listed]:
    first = {one.id: one.pages[0].id for one in found if one.pages}
    logs = logs_seen(knowledge_of(request), settings_of(request), caller.name, first.values(), LOOKS)
    zone = zone_named(caller.user.zone)
    return [_row(one, logs.get(first.get(one.id, 0), []), zone) for one in found]


def _row(one: InstalledSentinel, log: list[dict[str, Any]], zone: tzinfo) -> Listed:
    looks = tuple(
        Look(_KINDS.get(look["decision"], "same"), f"{on_clock(look['at'], zone)}: {look['decision']}")
        for look in reversed(log)
    )
    why = [log[0]["error"], log[0]["reason"]] if log else []
    return Listed(one, looks, "; ".join(filter(None, why)))


def _older(filters: dict[str, str], last: int) -> str:
    return f"/sentinels?{_query(filters | {'before': str(last)})}"


def _query(filters: dict[str, str]) -> str:
    return urlencode({name: text for name, text in filters.items() if text})
