"""A secret address at which others may tell us that a page has changed (F8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.model.moment import NEVER, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """`ping`: whoever knows the address. `websub`: a hub, which was asked to tell us of `topic` until then.

    Only the digest of the address is kept as it is; what must be known again is sealed.
    """

    digest: str
    page: int
    kind: Literal["ping", "websub"] = "ping"
    hub: str = ""
    topic: str = ""
    sealed: str = ""
    state: Literal["asked", "active", "refused"] = "active"
    until: Millis = NEVER
