"""A request in, the signed-in user and their rights out; also the store, settings and address of the server.

Every route names one of four rules of access; a test fails for a route without a rule.

Anyone      no sign-in: the sign-in page, health, addresses that are a secret in themselves
Reader      a session, or a token of any scope
Writer      a session, or a token with the scope write or admin; changes the caller's own things
Admin       an administrator's session, or their token with the scope admin
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Query, Request

from webvigil.app.operating.chosen import Present
from webvigil.app.operating.stores import repository
from webvigil.app.people.accounts import add_user
from webvigil.app.people.sign_in import api_token, session_of
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import home_of
from webvigil.errors import NotFound, SettingRefused
from webvigil.fetch.login import Seal
from webvigil.model.user import Scope, User
from webvigil.store.promises import Knowledge, Users
from webvigil.store.repository import PageRepository
from webvigil.web.forwarded import is_among, peer_of

COOKIE = "webvigil_session"
SAFE = ("GET", "HEAD", "OPTIONS")
_REACH: dict[Scope, int] = {"read": 0, "write": 1, "admin": 2}


class NotSignedIn(Exception):
    pass


class NotAllowed(Exception):
    """The caller is known but lacks the right. The message is shown to the caller as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    user: User
    scope: Scope
    by_session: bool

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def is_admin(self) -> bool:
        return self.user.role == "admin" and self.scope == "admin"


def knowledge_of(request: Request) -> Knowledge:
    knowledge: Knowledge = request.app.state.knowledge
    return knowledge


def pages_of(request: Request) -> PageRepository:
    return repository(settings_of(request), knowledge_of(request).versions)


def settings_of(request: Request) -> Settings:
    present: Present = request.app.state.present
    return present.settings


def seal_of_request(request: Request) -> Seal:
    found = getattr(request.app.state, "seal", None)
    if not isinstance(found, Seal):
        raise SettingRefused("this server was started without a key")
    return found


def home_of_request(request: Request) -> str:
    """Returns the address of this server without a slash at the end: the setting `public_url` or, where it is
    empty, the address that the request was sent to."""
    settings = settings_of(request)
    return home_of(settings) if settings.public_url else str(request.base_url).rstrip("/")


def anyone() -> None:
    """Lets every request pass. A route that needs no sign-in names this rule, so that no route is open by
    mistake."""


def reader(request: Request) -> Caller:
    caller = _by_token(request) or _by_proxy(request) or _by_session(request)
    if caller is None:
        raise NotSignedIn
    return caller


def somebody(request: Request) -> User | None:
    """Returns the signed-in user whatever rights they have, or None for a request without a valid sign-in."""
    try:
        return reader(request).user
    except (NotSignedIn, NotAllowed):
        return None


def is_known(request: Request) -> bool:
    return somebody(request) is not None


def writer(request: Request) -> Caller:
    return _reaching("write", reader(request))


def admin(request: Request) -> Caller:
    caller = _reaching("admin", reader(request))
    if caller.user.role != "admin":
        raise NotAllowed("this is for administrators")
    return caller


Anyone = Annotated[None, Depends(anyone)]
Reader = Annotated[Caller, Depends(reader)]
Writer = Annotated[Caller, Depends(writer)]
Admin = Annotated[Caller, Depends(admin)]
RULES = (anyone, reader, writer, admin)


def whose(
    request: Request,
    caller: Reader,
    user: Annotated[
        str | None, Query(max_length=200, description="For administrators: whose; * for everybody's.")
    ] = None,
) -> str | None:
    """Returns the name of the user whose things the request asks for, or None for the things of all users.

    Raises NotFound if the caller is no administrator and names another user, so that the answer does not
    tell which users exist."""
    if user is None or user == caller.name:
        return caller.name
    if not caller.is_admin:
        raise NotFound(f"there is no user {user!r}")
    return None if user == "*" else knowledge_of(request).users.get(user).name


Whose = Annotated[str | None, Depends(whose)]


def refuse_strangers(request: Request) -> None:
    """Raises NotAllowed for a request that changes something and was caused by a page of another site (CSRF).

    Browsers tell the origin of such a request in the headers Sec-Fetch-Site and Origin. Without this check a
    foreign page could act in the name of the signed-in user, because the browser sends the cookie along."""
    if request.method in SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    ours = origin is not None and _is_ours(request, origin)
    if site is None and origin is None:
        raise NotAllowed("a request that changes something must say where it comes from, or carry a token")
    # A browser that sends no referrer writes "Origin: null" even for our own pages. Sec-Fetch-Site is then
    # the only header that still tells whether the request comes from our site.
    known = ours or (site is not None and origin in (None, "null"))
    if not known or site not in (None, "same-origin", "none"):
        raise NotAllowed("this request came from another site")


def _is_ours(request: Request, origin: str) -> bool:
    """Tells whether an origin names the host of this request, or the setting `public_url`."""
    public = urlsplit(settings_of(request).public_url)
    asked = origin.partition("://")[2] == request.headers.get("host", "")
    return asked or (bool(public.netloc) and origin == f"{public.scheme}://{public.netloc}")


def _by_token(request: Request) -> Caller | None:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer":
        return None
    found = api_token(knowledge_of(request).users, secret.strip())
    if found is None:
        raise NotSignedIn
    return Caller(user=found.user, scope=found.scope, by_session=False)


def _by_session(request: Request) -> Caller | None:
    secret = request.cookies.get(COOKIE)
    session = session_of(knowledge_of(request), secret) if secret else None
    if session is None:
        return None
    refuse_strangers(request)
    if session.renewed:
        request.state.new_session = session.renewed
    return Caller(user=session.token.user, scope="admin", by_session=True)


def _by_proxy(request: Request) -> Caller | None:
    """Returns the caller that a reverse proxy has signed in and names in the header `user_header`.

    The header counts only in requests from `trusted_proxies`: anybody else could write any name into it. A
    user that is not known yet is added."""
    settings = settings_of(request)
    name = request.headers.get(settings.user_header) if settings.user_header else None
    if not name or not is_among(peer_of(request), settings.trusted_proxies):
        return None
    refuse_strangers(request)
    return Caller(user=_known_or_new(knowledge_of(request).users, name), scope="admin", by_session=True)


def _known_or_new(users: Users, name: str) -> User:
    try:
        return users.get(name)
    except NotFound:
        pass
    try:
        return add_user(users, name)
    except SettingRefused as error:
        raise NotAllowed(str(error)) from error


def _reaching(scope: Scope, caller: Caller) -> Caller:
    if _REACH[caller.scope] < _REACH[scope]:
        raise NotAllowed(f"the token's scope is {caller.scope}; this needs {scope}")
    return caller
