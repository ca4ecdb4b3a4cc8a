"""A secret address at which others may tell this server that a page has changed (F8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.model.moment import NEVER, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One such address. Kind `ping`: anybody who knows the address may use it. Kind `websub`: a hub uses it,
    which was asked to report on `topic` until `until`.

    Only a hash of the address is stored in the clear; secrets that must be read again are encrypted in
    `sealed`.
    """

    digest: str
    page: int
    kind: Literal["ping", "websub"] = "ping"
    hub: str = ""
    topic: str = ""
    sealed: str = ""
    state: Literal["asked", "active", "refused"] = "active"
    until: Millis = NEVER
