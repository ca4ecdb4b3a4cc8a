"""Template filters for times: an instant in, an HTML element with the time in the reader's zone out.

The zone is the one given to the template, otherwise the signed-in user's, otherwise UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from webvigil.model.moment import name_of_zone, on_clock, zone_named

_FORMS = {
    "seconds": "%Y-%m-%d %H:%M:%S",
    "minutes": "%Y-%m-%d %H:%M",
    "short": "%m-%d %H:%M",
    "words": "%a %d %b %Y, %H:%M",
    "day": "%Y-%m-%d",
    "time": "%H:%M",
}
_EXACT = "%A, %d %B %Y, %H:%M:%S"
_DAY = 86_400
_TIME = Markup('<time datetime="{}" title="{}">{}</time>')
# The busy hours of a page as the package `pace` writes them. All users who watch the page share this text, so
# it is written in UTC.
_HOURS = re.compile(r"between (\d{1,2}) and (\d{1,2}) h UTC")


@pass_context
def clock(context: Context, time: datetime | str | None, form: str = "seconds") -> Markup:
    """Returns the element for an instant in one of the forms in `_FORMS`, or "never" for None. The forms
    "day" and "time" do not name the zone."""
    if time is None:
        return Markup("never")
    moment = datetime.fromisoformat(time) if isinstance(time, str) else time
    shown = on_clock(moment, _zone(context), _FORMS[form], named=form not in ("day", "time"))
    exact = on_clock(moment, zone_named("UTC"), "%Y-%m-%d %H:%M:%S")
    return _TIME.format(moment.isoformat(), exact, shown)


@pass_context
def ago(context: Context, time: datetime | str | None, none: str = "never") -> Markup:
    """Returns the element for an instant as a distance from now, such as "12 min ago" or "in 3 h". The exact
    time in the reader's zone stands in its tooltip. `none` is written for None."""
    if time is None:
        return Markup.escape(none)
    moment = datetime.fromisoformat(time) if isinstance(time, str) else time
    zone = _zone(context)
    return _TIME.format(moment.isoformat(), on_clock(moment, zone, _EXACT), distance(moment, zone))


@pass_context
def since(context: Context, time: datetime) -> Markup:
    """Returns the element for the span from an instant until now, such as "in the last 12 min" or "since
    yesterday"."""
    zone = _zone(context)
    return _TIME.format(time.isoformat(), on_clock(time, zone, _EXACT), span_until_now(time, zone))


def span_until_now(time: datetime, zone: tzinfo, now: datetime | None = None) -> str:
    words = distance(time, zone, now)
    if words.endswith(" ago"):
        return f"in the last {words.removesuffix(' ago')}"
    return "in the last minute" if words in ("now", "just now") else f"since {words}"


@pass_context
def moment(context: Context, time: datetime) -> str:
    """Returns an instant as plain text in the reader's zone, `16 Nov, 15:18`, where no element can stand."""
    local = time.astimezone(_zone(context))
    return f"{local.day} {local:%b, %H:%M}"


@pass_context
def soon(context: Context, due: datetime) -> Markup:
    """Returns the element for the time of a look that is still to come."""
    zone = _zone(context)
    return _TIME.format(due.isoformat(), on_clock(due, zone, _EXACT), in_time(due, zone))


def midnight(day: date, zone: tzinfo) -> datetime:
    """Returns the beginning of a day in a zone."""
    return datetime.combine(day, time(), zone)


def in_time(due: datetime, zone: tzinfo, now: datetime | None = None) -> str:
    """Returns when a look comes in words. What is overdue is due now."""
    return distance(due, zone, now) if due > (now or datetime.now(UTC)) else "now"


def distance(moment: datetime, zone: tzinfo, now: datetime | None = None) -> str:
    """Returns how far an instant is from now in words: minutes and hours within a day, then days by the
    reader's calendar, then the date."""
    here = (now or datetime.now(UTC)).astimezone(zone)
    there = moment.astimezone(zone)
    seconds = (there - here).total_seconds()
    days = (there.date() - here.date()).days
    if abs(seconds) < 45:
        return "now" if seconds > 0 else "just now"
    if abs(seconds) < _DAY and (abs(seconds) < _DAY / 2 or not days):
        amount = _amount(abs(seconds))
        return f"in {amount}" if seconds > 0 else f"{amount} ago"
    if abs(days) == 1:
        return "tomorrow" if days > 0 else "yesterday"
    if abs(days) < 7:
        return f"in {days} days" if days > 0 else f"{-days} days ago"
    return f"{there.day} {there:%b}" if there.year == here.year else f"{there.day} {there:%b %Y}"


def _amount(seconds: float) -> str:
    minutes = max(round(seconds / 60), 1)
    return f"{minutes} min" if minutes < 60 else f"{round(seconds / 3600)} h"


@pass_context
def hours(context: Context, text: str) -> str:
    """Returns the text with its UTC hours written in the reader's zone, by the offset that the zone has
    now."""
    return _HOURS.sub(lambda found: _between(found, _zone(context)), text)


def _between(found: re.Match[str], zone: ZoneInfo) -> str:
    now = datetime.now(zone)
    offset = now.utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    first, last = (_hour(int(hour) * 60 + minutes) for hour in found.groups())
    return f"between {first} and {last} h {name_of_zone(now)}"


def _hour(minutes: int) -> str:
    whole, rest = divmod(minutes % 1440, 60)
    return f"{whole}:{rest:02}" if rest else str(whole)


def _zone(context: Context) -> ZoneInfo:
    given = context.get("zone")
    if isinstance(given, ZoneInfo):
        return given
    user = context.get("user")
    return _known(user.zone) if user else _known("UTC")


_known = lru_cache(maxsize=1000)(zone_named)
