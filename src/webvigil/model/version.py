"""A version: one stored copy of a page, immutable; and the answer it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sent: exact bytes (after transfer and content decoding) and headers in order.

    The documents in the frames of a page belong to it (F3); so do its pictures, of which only signatures by
    address are kept, where somebody wants to know (C3).
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    frames: tuple[Frame, ...] = ()
    pictures: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        return self.header("content-type") or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What is shown in a frame: the address that the page names, and what came from there."""

    address: str
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Numbered 1, 2, 3 … per page. `object` names the stored answer in the page repository,
    `picture` how it looked in a browser ("" where nobody looked). `base` is the object that it is stored
    relative to ("" for a whole copy), `stored` how many bytes it takes (0 where nobody counted)."""

    page: int
    number: int
    fetched_at: datetime
    url: str
    status: int
    signature: str
    object: str
    size: int
    picture: str = ""
    base: str = ""
    stored: int = 0
