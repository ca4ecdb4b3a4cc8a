"""Sign-in by link or password, and sign-out. The browser keeps the session cookie and nothing else."""

from __future__ import annotations

import math
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.people.passwords import LONGEST
from webvigil.app.people.sign_in import SESSION_LASTS, session_from_link, session_from_password, sign_out
from webvigil.web.access import COOKIE, Anyone, Reader, knowledge_of, refuse_strangers, settings_of
from webvigil.web.templates import page

router = APIRouter(include_in_schema=False)

LONGEST_WAY = 10_000


@router.get("/sign-in")
def sign_in(request: Request, _: Anyone, token: str = "") -> Response:
    session = session_from_link(knowledge_of(request), token) if token else None
    if session is None:
        return sign_in_page(status=401 if token else 200, trouble=_OLD_LINK if token else "")
    return _entered(request, session)


@router.post("/sign-in")
def enter(
    request: Request,
    _: Anyone,
    name: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=LONGEST)] = "",
    to: Annotated[str, Form(max_length=LONGEST_WAY)] = "",
) -> Response:
    refuse_strangers(request)
    guesses = request.app.state.guesses
    keys = (f"name {name}", f"address {request.client.host if request.client else ''}")
    wait = guesses.wait(*keys)
    if wait:
        response = sign_in_page(
            status=429, trouble=f"Too many attempts; try again in {math.ceil(wait)} s.", name=name, to=to
        )
        response.headers["retry-after"] = str(math.ceil(wait))
        return response
    session = session_from_password(knowledge_of(request), name, password)
    if session is None:
        guesses.was_wrong(*keys)
        return sign_in_page(status=401, trouble="Name and password do not belong together.", name=name, to=to)
    guesses.was_right(*keys)
    return _entered(request, session, to)


@router.post("/sign-out")
def leave(request: Request, _: Reader) -> Response:
    sign_out(knowledge_of(request).users, request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(COOKIE)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def sign_in_page(*, status: int, trouble: str = "", name: str = "", to: str = "") -> Response:
    return page("sign_in.html", status=status, trouble=trouble, name=name, to=to[:LONGEST_WAY])


def set_session(request: Request, response: Response, secret: str) -> None:
    response.set_cookie(
        COOKIE,
        secret,
        max_age=SESSION_LASTS // 1000,
        httponly=True,
        samesite="lax",
        secure=_is_secret(request),
    )


def _is_secret(request: Request) -> bool:
    """Tells whether the cookie may be limited to https: the request came by https, as we or a trusted proxy
    see it, or its host is that of a `public_url` with https."""
    public = urlsplit(settings_of(request).public_url)
    named = public.scheme == "https" and public.netloc == request.url.netloc
    return named or request.url.scheme == "https"


def way(to: str) -> str:
    """Returns the path to open next if it is on this server, otherwise the inbox. A foreign address in the
    form would otherwise let somebody send a user to another site from our sign-in page."""
    ours = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    return to if ours else "/"


_OLD_LINK = "This link opens nothing any more. Make a new one with: webvigil user link"


def _entered(request: Request, session: str, to: str = "/") -> Response:
    response = RedirectResponse(way(to), status_code=303)
    set_session(request, response, session)
    return response
