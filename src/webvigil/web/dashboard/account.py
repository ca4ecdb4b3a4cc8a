"""The page /account of the user: time zone, password, tokens, log-ins; and the list of all other places."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.pages.logins import logins
from webvigil.app.people.passwords import LONGEST
from webvigil.errors import WebVigilError
from webvigil.model.user import Scope
from webvigil.web.access import Caller, NotAllowed, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api import account as api
from webvigil.web.api.logins import drop_login
from webvigil.web.dashboard.door import way
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()
Text = Annotated[str, Form(max_length=LONGEST)]


@router.get("/more")
def more(caller: Reader) -> Response:
    """Lists the places under *More*. A phone opens this page, because a menu would not fit there."""
    return page("more.html", user=caller.user)


@router.get("/account")
def account(request: Request, caller: Reader) -> Response:
    return _page(request, caller)


@router.post("/account/zone")
def change_zone(request: Request, caller: Writer, zone: Text, to: Text = "/account") -> Response:
    try:
        api.change_me(request, caller, api.NewZone(zone=zone[:60]))
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return RedirectResponse(way(to), status_code=303)


@router.post("/account/password")
def change_password(request: Request, caller: Writer, new: Text, old: Text = "") -> Response:
    try:
        api.change_password(request, caller, api.NewPassword(old=old, new=new))
    except (WebVigilError, NotAllowed) as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return _page(request, caller, done="The password is changed. You are signed out everywhere else.")


@router.post("/account/tokens")
def add_token(
    request: Request, caller: Writer, name: Text, scope: Annotated[Scope, Form()] = "read"
) -> Response:
    try:
        made = api.add_token(request, caller, api.NewToken(name=name[:200], scope=scope))
    except (WebVigilError, NotAllowed) as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return _page(request, caller, secret=made["token"])


@router.post("/account/tokens/{token}/end")
def end_token(request: Request, caller: Writer, token: api.TokenId) -> Response:
    api.end_token(request, caller, token)
    return RedirectResponse("/account", status_code=303)


@router.post("/account/logins/forget")
def forget_login(request: Request, caller: Writer, url: Annotated[str, Form(max_length=4_000)]) -> Response:
    try:
        drop_login(request, caller, url)
    except WebVigilError as error:
        return _page(request, caller, status=404, trouble=told_of(error))
    return RedirectResponse("/account#logins", status_code=303)


def _page(request: Request, caller: Caller, *, status: int = 200, **values: str) -> Response:
    users = knowledge_of(request).users
    return page(
        "account.html",
        status=status,
        user=users.get(caller.name),
        has_password=bool(users.password(caller.name)),
        tokens=users.tokens(caller.name, purpose="api"),
        logins=[
            {"url": url, "secrets": names}
            for url, names in logins(knowledge_of(request), settings_of(request)).with_secrets(caller.name)
        ],
        share_pages=knowledge_of(request).contacts.preferences(caller.name).share_pages,
        community=settings_of(request).community,
        zones=sorted(available_timezones()),
        **values,
    )
