"""An answer in, how long the server asks us to stay away out (Retry-After)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from webvigil.model.moment import Millis
from webvigil.model.version import Answer

LONGEST: Millis = 24 * 3_600_000
"""A server that asks for more than a day has probably miscounted; it is asked again after a day."""


def retry_after(answer: Answer, now: datetime | None = None) -> Millis:
    """Returns the wait in milliseconds, or 0 if the server asks for none. The header holds seconds or a date;
    a date is read by the server's own clock."""
    said = (answer.header("retry-after") or "").strip()
    if said.isascii() and said.isdigit():
        return min(int(said[:12]) * 1000, LONGEST)
    until = date_of(said)
    if until is None:
        return 0
    clock = date_of(answer.header("date") or "") or now or datetime.now(UTC)
    return max(0, min(int((until - clock).total_seconds() * 1000), LONGEST))


def date_of(text: str) -> datetime | None:
    """Reads a date as servers write it. Returns None if the text is not a date."""
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
