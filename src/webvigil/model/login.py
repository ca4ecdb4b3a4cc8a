"""A user's log-in for a part of the web, as stored: encrypted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedLogin:
    """A log-in for all pages at and below `url`. `fetch.login` decrypts the cookies and headers in
    `sealed`."""

    id: int
    user: str
    url: str
    sealed: str
