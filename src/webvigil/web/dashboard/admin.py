"""Pages for administrators: the health of the server and its users."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil import __version__
from webvigil.app.operating.health import health as health_of
from webvigil.app.people.accounts import add_user, change_role, remove_user
from webvigil.app.people.sign_in import new_link
from webvigil.app.sentinels.names import title_of
from webvigil.errors import WebVigilError
from webvigil.model.event import Event
from webvigil.model.user import Role
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Sentinels
from webvigil.web.access import Admin, Caller, home_of_request, knowledge_of
from webvigil.web.api.answers import Name
from webvigil.web.problem import told_of
from webvigil.web.standing import error_of, in_dashboard
from webvigil.web.templates import page

router = APIRouter()


@router.get("/health")
def health(request: Request, caller: Admin) -> Response:
    knowledge = knowledge_of(request)
    in_trouble = knowledge.sentinels.some(WantedSentinels(trouble=True, limit=20))
    failing = [one.id for sentinel in in_trouble for one in sentinel.pages if one.failures]
    logs = knowledge.journal.fetch_logs(failing, limit=1)
    events = knowledge.journal.events(limit=30)
    found = health_of(knowledge, getattr(request.app.state, "metrics", None))
    return page(
        "health.html",
        user=caller.user,
        version=__version__,
        trouble=found.trouble,
        counts=knowledge.journal.counts(),
        waiting=knowledge.schedule.next_at(),
        in_trouble=in_trouble,
        errors={number: in_dashboard(error_of(log[0])) for number, log in logs.items() if log},
        undelivered=knowledge.outbox.given_up(limit=20),
        events=events,
        titles=_titles(knowledge.sentinels, events),
    )


def _titles(sentinels: Sentinels, events: Iterable[Event]) -> dict[tuple[str, str], str]:
    """Returns what people call the sentinels that these events are about, by user and name. A sentinel that
    was removed has no title any more."""
    told = {(user, one.subject) for one in events if (user := one.details.get("user")) and _is_life(one)}
    return {
        (user, one.name): title_of(one)
        for user, some in groupby(sorted(told), key=itemgetter(0))
        for one in sentinels.some(WantedSentinels(user=user, names=tuple(name for _, name in some), limit=30))
    }


def _is_life(event: Event) -> bool:
    return event.name.startswith("Sentinel")


@router.get("/users")
def users(request: Request, caller: Admin) -> Response:
    return _users(request, caller)


@router.post("/users")
def add(
    request: Request,
    caller: Admin,
    name: Annotated[str, Form(max_length=200)],
    role: Annotated[Role, Form()] = "user",
) -> Response:
    try:
        added = add_user(knowledge_of(request).users, name, role)
    except WebVigilError as error:
        return _users(request, caller, status=400, trouble=told_of(error), wanted=name, wanted_role=role)
    return _link(request, caller, added.name)


@router.post("/users/{name}/link")
def link(request: Request, caller: Admin, name: Name) -> Response:
    return _link(request, caller, knowledge_of(request).users.get(name).name)


@router.post("/users/{name}/role")
def role(request: Request, caller: Admin, name: Name, role: Annotated[Role, Form()]) -> Response:
    return _done(request, caller, lambda: change_role(knowledge_of(request).users, name, role))


@router.post("/users/{name}/remove")
def remove(request: Request, caller: Admin, name: Name) -> Response:
    return _done(request, caller, lambda: remove_user(knowledge_of(request), name))


def _done(request: Request, caller: Caller, act: Any) -> Response:
    try:
        act()
    except WebVigilError as error:
        return _users(request, caller, status=400, trouble=told_of(error))
    return RedirectResponse("/users", status_code=303)


def _link(request: Request, caller: Caller, name: str) -> Response:
    link = new_link(knowledge_of(request), name, home_of_request(request))
    return _users(request, caller, link=link, link_for=name)


def _users(request: Request, caller: Caller, *, status: int = 200, **values: str) -> Response:
    knowledge = knowledge_of(request)
    rows = [(one, knowledge.sentinels.count(WantedSentinels(user=one.name))) for one in knowledge.users.all()]
    return page("users.html", status=status, user=caller.user, rows=rows, **values)
