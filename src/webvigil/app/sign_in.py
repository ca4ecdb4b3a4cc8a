"""Sign-in links and sessions. Only digests of the secrets are stored."""

from __future__ import annotations

import hashlib
import secrets

from webvigil.model.moment import Millis
from webvigil.model.user import User
from webvigil.store.promises import Knowledge

LINK_LASTS: Millis = 24 * 3_600_000
SESSION_LASTS: Millis = 30 * 24 * 3_600_000


def new_link(knowledge: Knowledge, user: str, base_url: str) -> str:
    """A sign-in link for this user; those made before open nothing any more."""
    knowledge.users.drop_tokens(user, purpose="link")
    secret = _new_token(knowledge, user, "link", LINK_LASTS)
    return f"{base_url}/sign-in?token={secret}"


def session_from_link(knowledge: Knowledge, secret: str) -> str | None:
    """The secret of a new session; None if the link opens nothing."""
    user = knowledge.users.of_token(_digest(secret), purpose="link")
    return _new_token(knowledge, user.name, "session", SESSION_LASTS) if user else None


def user_of_session(knowledge: Knowledge, secret: str) -> User | None:
    return knowledge.users.of_token(_digest(secret), purpose="session")


def sign_out(knowledge: Knowledge, user: str) -> None:
    knowledge.users.drop_tokens(user, purpose="session")


def _new_token(knowledge: Knowledge, user: str, purpose: str, lasts: Millis) -> str:
    secret = secrets.token_urlsafe(24)
    expires = knowledge.schedule.now() + lasts
    knowledge.users.add_token(user, _digest(secret), purpose=purpose, expires=expires)
    return secret


def _digest(secret: str) -> str:
    """The secrets are long and random, so a plain digest is as good as a slow one."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
