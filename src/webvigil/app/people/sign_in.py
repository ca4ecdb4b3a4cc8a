"""A link, password, cookie or API token in, the user out. Only digests of these secrets are stored."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Protocol

from webvigil.app.people.passwords import is_right
from webvigil.errors import SettingRefused
from webvigil.model.moment import DAY, Millis, as_millis
from webvigil.model.user import Scope, Token, User
from webvigil.store.promises import Schedule, Users

LINK_LASTS: Millis = DAY
# A link that was used is valid only this much longer, because it stays in histories and logs.
USED_LINK_LASTS: Millis = 10 * 60_000
SESSION_LASTS: Millis = 30 * DAY
# A session gets a new secret this often, so that a stolen one is of little use. The old secret is valid a
# little longer, because other requests of the same browser may be under way with it.
SESSION_ROTATES: Millis = DAY // 2
ROTATED_LASTS: Millis = 60_000
TOKEN_LASTS: Millis = 3650 * DAY
TOKEN_MARK = "wv_"  # noqa: S105  (every API token begins with this, so that leaked tokens can be found)
LONGEST_NAME = 100


class SignInStore(Protocol):
    """The parts of the knowledge base that signing in needs."""

    users: Users
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class Session:
    """A valid session. `renewed` is the secret that replaces the one that came, if that was old."""

    token: Token
    renewed: str = ""


def new_link(knowledge: SignInStore, user: str, base_url: str) -> str:
    """Creates a sign-in link for this user. Links made before become invalid."""
    knowledge.users.drop_tokens(user, purpose="link")
    secret = new_secret(knowledge.schedule, knowledge.users, user, "link", LINK_LASTS)
    return f"{base_url}/sign-in?token={secret}"


def session_from_link(knowledge: SignInStore, secret: str) -> str | None:
    """Returns the secret of a new session, or None if the link is not valid.

    A link stays in browser histories and logs, so it expires soon after it was used.
    """
    link = knowledge.users.token(digest_of(secret), purpose="link")
    if link is None:
        return None
    over = min(as_millis(link.expires_at), knowledge.schedule.now() + USED_LINK_LASTS)
    knowledge.users.end_token(digest_of(secret), expires=over)
    return new_session(knowledge, link.user.name)


def session_from_password(knowledge: SignInStore, name: str, password: str) -> str | None:
    """Returns the secret of a new session, or None if name and password do not belong together. Both take
    equally long."""
    return new_session(knowledge, name) if is_right(knowledge.users, name, password) else None


def new_session(knowledge: SignInStore, user: str) -> str:
    return new_secret(knowledge.schedule, knowledge.users, user, "session", SESSION_LASTS)


def session_of(knowledge: SignInStore, secret: str) -> Session | None:
    """Returns the session that a cookie's secret opens, or None. An old session gets a new secret; a session
    that was ended or replaced, and only lasts a little longer, does not."""
    digest = digest_of(secret)
    found = knowledge.users.token(digest, purpose="session")
    if found is None:
        return None
    now = knowledge.schedule.now()
    ends_by_itself = as_millis(found.expires_at) - as_millis(found.created_at) >= SESSION_LASTS
    if not ends_by_itself or now - as_millis(found.created_at) < SESSION_ROTATES:
        return Session(found)
    knowledge.users.end_token(digest, expires=now + ROTATED_LASTS)
    return Session(found, new_session(knowledge, found.user.name))


def sign_out(users: Users, secret: str) -> None:
    users.end_token(digest_of(secret), expires=0)


def sign_out_elsewhere(knowledge: SignInStore, user: str) -> str:
    """Ends all sessions and links of a user, and returns the secret of a new session for the browser that
    asked."""
    for purpose in ("session", "link"):
        knowledge.users.drop_tokens(user, purpose=purpose)
    return new_session(knowledge, user)


def sign_out_everywhere(users: Users, user: str) -> None:
    users.drop_tokens(user, purpose="session")


def new_api_token(knowledge: SignInStore, user: User, name: str, scope: Scope) -> str:
    """Returns the secret of a new API token, to be shown once. Raises SettingRefused if the token would allow
    more than its user may do, or has no proper name."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise SettingRefused(
            f"a token needs a name of up to {LONGEST_NAME} characters that tells what it is for"
        )
    if scope == "admin" and user.role != "admin":
        raise SettingRefused("only an administrator can have a token with the scope admin")
    return new_secret(knowledge.schedule, knowledge.users, user.name, "api", TOKEN_LASTS, name.strip(), scope)


def api_token(users: Users, secret: str) -> Token | None:
    return users.token(digest_of(secret), purpose="api") if secret.startswith(TOKEN_MARK) else None


def new_secret(
    schedule: Schedule,
    users: Users,
    user: str,
    purpose: str,
    lasts: Millis,
    name: str = "",
    scope: Scope = "admin",
) -> str:
    """Creates and stores a secret that opens something of a user for a while, and returns it."""
    secret = (TOKEN_MARK if purpose == "api" else "") + secrets.token_urlsafe(24)
    expires = schedule.now() + lasts
    users.add_token(user, digest_of(secret), purpose=purpose, expires=expires, name=name, scope=scope)
    return secret


def digest_of(secret: str) -> str:
    """Returns the digest that is stored of a secret. A fast hash is enough, because the secrets are long and
    random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
