"""How a user is reached (contacts), and when the user wants to be left alone (preferences)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.model.moment import Millis

Order = Literal["time", "priority", "topic"]
_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContact:
    """A contact with stored facts about it. `digest` is the hash of the secret in a link: for e-mail the link
    that verifies the address until `expires`, for a feed the link that opens it.

    `sealed` is an encrypted secret of the contact: the key that signs a webhook's messages, or the address of
    a service.
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
    """When and how a user wants to be told. Times of day are minutes since midnight on the user's clock.
    `rate` is the most messages in an hour: 0 means no limit, None the setting of the server.

    Equal ends of the quiet hours mean that there are none. `share_pages` says whether peers may learn which
    pages this user watches.
    """

    quiet_from: int = 0
    quiet_to: int = 0
    rate: int | None = None
    summary_at: int = 8 * _HOUR
    order: Order = "time"
    share_pages: bool = True
