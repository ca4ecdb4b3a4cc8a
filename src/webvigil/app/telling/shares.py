"""A change in, a secret link out that shows it for some days to somebody without an account.

Only a digest of the secret is stored. A link can therefore be listed and ended, but not shown again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.app.people.sign_in import SignInStore, digest_of, new_secret
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.model.moment import DAY
from webvigil.model.user import Token
from webvigil.store.promises import Changes, Users

DAYS = 7
MOST_DAYS = 365
OVER = "this link has expired, was ended, or was never one; ask whoever gave it to you for another"
_PURPOSE = "share"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link that opens a change. `used_at` is the time when somebody last opened it."""

    id: str
    user: str
    change: int
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


def share(knowledge: SignInStore, change: Change, days: int = DAYS) -> tuple[str, Share]:
    """Creates a link for a change. Returns its secret and the stored share."""
    secret = new_secret(
        knowledge.schedule, knowledge.users, change.user, _PURPOSE, days * DAY, name=str(change.id)
    )
    digest = digest_of(secret)
    return secret, next(one for one in shares(knowledge.users, change.user) if digest.startswith(one.id))


def shared(users: Users, changes: Changes, secret: str) -> tuple[Change, Share]:
    """Returns the change that a link opens, and the share. Raises NotFound if the link is not valid (any
    more)."""
    found = users.token(digest_of(secret), purpose=_PURPOSE)
    if found is None:
        raise NotFound(OVER)
    try:
        change = changes.get(int(found.name))
    except NotFound as error:
        raise NotFound(OVER) from error
    # The number of a deleted change may have been given to a later one, which this link must not open.
    if change.user != found.user.name or change.found_at > found.created_at:
        raise NotFound(OVER)
    return change, _share(found)


def shares(users: Users, user: str, change: int | None = None) -> list[Share]:
    """Returns the valid links of a user, newest first; only those of one change if `change` is given."""
    found = [_share(one) for one in users.tokens(user, purpose=_PURPOSE)]
    return [one for one in found if change in (None, one.change)]


def end_share(users: Users, user: str, share_id: str) -> None:
    """Makes a link invalid. Raises NotFound if the user has no such link."""
    try:
        users.drop_token(user, share_id, purpose=_PURPOSE)
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
