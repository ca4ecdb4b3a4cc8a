"""A text in, the first date in it out, as people and machines write dates.

2026-03-12   2026-03-12T10:30:00Z   12.03.2026   03/12/2026   12 March 2026   March 12, 2026
2026年3月12日   Thu, 12 Mar 2026 10:30:00 GMT   12 de marzo de 2026   12. März 2026
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

# The names of each month in several languages, without accents.
_MONTHS: tuple[str, ...] = (
    "january jan januar januari janvier janv enero ene gennaio gen janeiro января январь",
    "february feb februar februari fevrier fevr febrero febbraio fevereiro fev февраля февраль",
    "march mar marz mrz maart mrt mars marzo marco марта март",
    "april apr avril avr abril abr aprile апреля апрель",
    "may mai mei mayo maggio mag maio мая май",
    "june jun juni juin junio giugno giu junho июня июнь",
    "july jul juli juillet juil julio luglio lug julho июля июль",
    "august aug augustus aout agosto ago августа август",
    "september sep sept septembre septiembre settembre set setembro сентября сентябрь",
    "october oct oktober okt octobre octubre ottobre ott outubro out октября октябрь",
    "november nov novembre noviembre novembro ноября ноябрь",
    "december dec dezember dez decembre diciembre dic dicembre dezembro декабря декабрь",
)
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_UNACCENTED = str.maketrans("äáàâéèêëíîóôöúûüç", "aaaaeeeeiiooouuuc")

_MONTH = r"(?P<name>[^\W\d_]{3,10})\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_TIME = r"""
    (?:(?:,?\s+(?:at\s+|um\s+|à\s+)?|T)(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?
    (?:\s?(?P<half>[AaPp])\.?[Mm]\b\.?)? (?:\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}))? (?:\s+(?:Uhr|h)\b)?)?
"""
_FORMS = tuple(
    re.compile(rf"(?<![\w.,/-]){form}{_TIME}(?!\d|[./-]\d)", re.VERBOSE)
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
        r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
        r"(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})",
        r"(?P<day>\d{1,2})-(?P<month>\d{1,2})-(?P<year>\d{4})",
        rf"{_DAY}\.?(?:\s+|-)(?:de\s+|of\s+)?{_MONTH}(?:,?\s+|-)(?:de\s+)?{_YEAR}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date, and where it is in the text."""

    start: int
    end: int
    value: date | datetime


def find_date(text: str) -> Dated | None:
    """Returns the first date, as a datetime if a time is written, which has a zone only if one is written."""
    found = [
        Dated(match.start(), match.end(), value)
        for form in _FORMS
        for match in form.finditer(text)
        if (value := _value(match.groupdict())) is not None
    ]
    return min(found, key=lambda one: (one.start, -one.end), default=None)


def is_month(word: str) -> bool:
    return _named(word) > 0


def _value(parts: dict[str, str | None]) -> date | datetime | None:
    """Returns the date that a match means, or None if there is no such day. If the month is above 12, day and
    month are exchanged: 25/12/2026 is not written the American way."""
    month = _month(parts)
    day, year = int(parts["day"] or 0), int(parts["year"] or 0)
    if month > 12 and day <= 12:
        month, day = day, month
    try:
        found = date(year, month, day)
        return found if parts["hour"] is None else _with_time(found, parts)
    except ValueError:
        return None


def _month(parts: dict[str, str | None]) -> int:
    name = parts.get("name")
    return int(parts["month"] or 0) if name is None else _named(name)


def _named(name: str) -> int:
    return _NUMBER_OF.get(name.lower().translate(_UNACCENTED), 0)


def _with_time(day: date, parts: dict[str, str | None]) -> datetime:
    hour = int(parts["hour"] or 0)
    if parts["half"]:
        hour = hour % 12 + (12 if parts["half"] in "Pp" else 0)
    return datetime(
        day.year,
        day.month,
        day.day,
        hour,
        int(parts["minute"] or 0),
        int(parts["second"] or 0),
        tzinfo=_zone(parts["zone"]),
    )


def _zone(written: str | None) -> tzinfo | None:
    if written is None:
        return None
    if written[0] not in "+-":
        return UTC
    digits = written[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if written[0] == "-" else offset)
