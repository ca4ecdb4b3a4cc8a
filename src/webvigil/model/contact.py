"""How a user is reached, and when they want to be left alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.model.moment import Millis

Order = Literal["time", "priority", "topic"]
_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContact:
    """A contact that something is known about. `digest` is that of the secret in a link to it: the one that
    verifies an e-mail address until `expires`, or the one that opens a feed.

    `sealed` is a secret of it: what a webhook is signed with, where a service is.
    """

    user: str
    channel: str
    address: str
    sealed: str = ""
    digest: str = ""
    expires: Millis = 0
    verified_at: Millis | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Times of day in minutes, on the user's clock. `rate` is messages in an hour; 0: as many as there are.

    Equal ends of the quiet hours mean that there are none. `share_pages`: whether peers may be told of the
    pages that this user watches.
    """

    quiet_from: int = 0
    quiet_to: int = 0
    rate: int | None = None
    summary_at: int = 8 * _HOUR
    order: Order = "time"
    share_pages: bool = True
