"""A user's log-in for a part of the web, as it is kept: sealed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedLogin:
    """For the pages at and below `url`. What it says to the server is for `fetch.login` to open."""

    id: int
    user: str
    url: str
    sealed: str
