"""One change for somebody without an account: a secret link that opens it for some days, until it is ended.

Only a digest of the secret is kept, as of every other; so a link can be listed and ended, not shown again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.app.people.sign_in import digest_of, new_secret
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.model.moment import Millis
from webvigil.model.user import Token
from webvigil.store.promises import Knowledge

DAYS = 7
MOST_DAYS = 365
OVER = "this link is over, was ended, or was never one; ask whoever gave it to you for another"
_PURPOSE = "share"
_DAY: Millis = 24 * 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link that opens a change. `used_at`: when somebody last looked at it."""

    id: str
    user: str
    change: int
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


def share(knowledge: Knowledge, change: Change, days: int = DAYS) -> tuple[str, Share]:
    """The secret of a new link, and what is kept of it."""
    secret = new_secret(knowledge, change.user, _PURPOSE, days * _DAY, name=str(change.id))
    digest = digest_of(secret)
    return secret, next(one for one in shares(knowledge, change.user) if digest.startswith(one.id))


def shared(knowledge: Knowledge, secret: str) -> tuple[Change, Share]:
    """NotFound where it opens nothing (any more)."""
    found = knowledge.users.token(digest_of(secret), purpose=_PURPOSE)
    if found is None:
        raise NotFound(OVER)
    try:
        change = knowledge.changes.get(int(found.name))
    except NotFound as error:
        raise NotFound(OVER) from error
    # The number of a change that is gone may have become that of a later one.
    if change.user != found.user.name or change.found_at > found.created_at:
        raise NotFound(OVER)
    return change, _share(found)


def shares(knowledge: Knowledge, user: str, change: int | None = None) -> list[Share]:
    """Those that still open something, newest first."""
    found = [_share(one) for one in knowledge.users.tokens(user, purpose=_PURPOSE)]
    return [one for one in found if change in (None, one.change)]


def end_share(knowledge: Knowledge, user: str, share_id: str) -> None:
    """NotFound if the user has none such."""
    try:
        knowledge.users.drop_token(user, share_id, purpose=_PURPOSE)
    except NotFound as error:
        raise NotFound(f"there is no link {share_id!r}") from error


def _share(token: Token) -> Share:
    return Share(
        id=token.id,
        user=token.user.name,
        change=int(token.name),
        created_at=token.created_at,
        expires_at=token.expires_at,
        used_at=token.used_at,
    )
