"""The page /account of the user: time zone, scores, password, tokens, log-ins; and the list of places."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.pages.logins import logins
from webvigil.app.people.passwords import LONGEST
from webvigil.errors import SettingRefused, WebVigilError
from webvigil.model.user import Scope
from webvigil.trigger.scores import KINDS, new_taste, taste
from webvigil.web.access import Caller, NotAllowed, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api import account as api
from webvigil.web.api.logins import drop_login
from webvigil.web.dashboard.sign_in import way
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


async def _sent(request: Request) -> dict[str, str]:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


@router.post("/account/scores")
def change_scores(
    request: Request, caller: Writer, sent: Annotated[dict[str, str], Depends(_sent)]
) -> Response:
    """Sets the words of interest, one in each line, and the weights that the form has a field for."""
    words = [" ".join(line.split()) for line in sent.get("interests", "").splitlines() if line.strip()]
    try:
        weights = [(kind, _whole_number(kind, sent[kind])) for kind in KINDS if kind in sent]
        knowledge_of(request).users.prefer(caller.name, new_taste(weights, words).as_text())
    except SettingRefused as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return RedirectResponse("/account#scores", status_code=303)


def _whole_number(name: str, text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal()):
        raise SettingRefused(f"the weight of {name} must be a whole number, not {text[:40]!r}")
    return int(text)


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
    liking = taste(users.get(caller.name).taste)
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
        weights=asdict(liking.weights),
        interests=liking.interests,
        **values,
    )
