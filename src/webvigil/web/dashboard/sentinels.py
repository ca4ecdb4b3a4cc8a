"""The list of sentinels: state, the last looks as a bar, the next one, and what to do with many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.enabling import disable, enable
from webvigil.app.running import run
from webvigil.errors import WebVigilError
from webvigil.model.installed import InstalledSentinel
from webvigil.model.sentinel import State
from webvigil.model.wanted import LARGEST_ID, WantedSentinels
from webvigil.store.promises import Knowledge
from webvigil.web.access import Reader, Writer, knowledge_of
from webvigil.web.api.answers import Before, Words
from webvigil.web.templates import page

router = APIRouter()

SHOWN = 50
LOOKS = 30
REASONS = 10
Action = Literal["enable", "disable", "run", "remove"]
_KINDS = {"new version": "new", "failed": "failed", "postponed": "waited"}


@dataclass(frozen=True, slots=True)
class Look:
    """One stroke of the bar."""

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
        "rows": _listed(knowledge, found),
        "older": _older(filters, found[-1].id) if len(found) == SHOWN else "",
    }
    if before != LARGEST_ID and request.headers.get("hx-request"):
        return page("sentinel_rows.html", **values)
    return page(
        "sentinels.html",
        user=caller.user,
        filters=filters,
        filtered=any(filters.values()),
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
) -> Response:
    """One that cannot be done does not hold up the others; it is told afterwards which, and why."""
    reasons = [
        reason for one in name or () if (reason := _why_not(knowledge_of(request), caller.name, one, action))
    ]
    if not reasons:
        return RedirectResponse("/sentinels", status_code=303)
    more = f"; and {len(reasons) - REASONS} more" if len(reasons) > REASONS else ""
    message = f"{len(reasons)} of {len(name or ())} could not be done: {'; '.join(reasons[:REASONS])}{more}"
    return page("trouble.html", status=400, user=caller.user, message=message, back="/sentinels")


def _why_not(knowledge: Knowledge, user: str, name: str, action: Action) -> str:
    try:
        act(knowledge, user, name, action)
    except WebVigilError as error:
        return str(error)
    return ""


def place_of(name: str) -> str:
    """Where the page of a sentinel is; a name may hold what means something in an address."""
    return f"/sentinels/{quote(name, safe='')}"


def act(knowledge: Knowledge, user: str, name: str, action: Action) -> None:
    if action == "enable":
        enable(knowledge, user, name)
    elif action == "disable":
        disable(knowledge, user, name)
    elif action == "remove":
        knowledge.sentinels.remove(user, name)
        knowledge.journal.record("SentinelRemoved", name, {"user": user})
    else:
        run(knowledge, user, name)


def _listed(knowledge: Knowledge, found: list[InstalledSentinel]) -> list[Listed]:
    first = {one.id: one.pages[0].id for one in found if one.pages}
    logs = knowledge.journal.fetch_logs(first.values(), limit=LOOKS)
    return [_row(one, logs.get(first.get(one.id, 0), [])) for one in found]


def _row(one: InstalledSentinel, log: list[dict[str, Any]]) -> Listed:
    looks = tuple(
        Look(_KINDS.get(look["decision"], "same"), f"{look['at']:%Y-%m-%d %H:%M} UTC: {look['decision']}")
        for look in reversed(log)
    )
    return Listed(one, looks, log[0]["reason"] if log else "")


def _older(filters: dict[str, str], last: int) -> str:
    query = {name: text for name, text in filters.items() if text} | {"before": str(last)}
    return "/sentinels?" + urlencode(query)
