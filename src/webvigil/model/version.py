"""A version: one stored, immutable copy of a page; and the server's answer that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from webvigil.model.moment import DAY, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of a server: exact bytes (after transfer and content decoding) and headers in order.

    The documents in the frames of a page belong to the answer (F3). So do signatures of its pictures, by
    address, if a sentinel asks about pictures (C3).
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
    """A document inside a page: the address that the page names, and the answer that came from there."""

    address: str
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A stored version, numbered 1, 2, 3 … per page. `object` names the stored answer in the page repository,
    `picture` the stored screenshot ("" if none was made). `base` is the object that the answer is stored
    relative to ("" for a whole copy), `stored` the number of bytes it takes (0 if unknown)."""

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


LONGEST_WAIT: Millis = DAY
"""A server that asks for more than a day has probably miscounted; it is asked again after a day."""


def retry_after(answer: Answer, now: datetime | None = None) -> Millis:
    """Returns the wait in milliseconds, or 0 if the server asks for none. The header holds seconds or a date;
    a date is read by the server's own clock."""
    said = (answer.header("retry-after") or "").strip()
    if said.isascii() and said.isdigit():
        return min(int(said[:12]) * 1000, LONGEST_WAIT)
    until = date_of(said)
    if until is None:
        return 0
    clock = date_of(answer.header("date") or "") or now or datetime.now(UTC)
    return max(0, min(int((until - clock).total_seconds() * 1000), LONGEST_WAIT))


def date_of(text: str) -> datetime | None:
    """Reads a date as servers write it. Returns None if the text is not a date."""
    # Loaded when first used: most commands read no headers, and the module is slow to load.
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
