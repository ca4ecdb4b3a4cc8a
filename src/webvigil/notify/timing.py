"""A user's preferences in, the time of a notification out: quiet hours, summaries, hourly limit (N1, N6).

Times of day are on the user's clock and days are those of the user's calendar, also when the clock is put
forward or back. A time that the clock skips counts as the moment of the skip. A time that the clock shows
twice counts as the first of both moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from webvigil.model.contact import Preferences
from webvigil.model.moment import DAY, HOUR, Millis, as_datetime, as_millis
from webvigil.model.wall_clock import moment_of

# Summaries over several days are counted from this day. It is a Monday, so weekly summaries come on Mondays.
_FIRST_DAY = date(2024, 1, 1)


def quiet_until(now: Millis, preferences: Preferences, zone: ZoneInfo) -> Millis:
    """Returns when the present quiet hours end, or `now` if these are no quiet hours."""
    if not _is_quiet(now, preferences, zone):
        return now
    today = _local(now, zone).date()
    ends = (
        end
        for days in (0, 1)
        for end in _shown(today + timedelta(days=days), preferences.quiet_to, zone)
        if end > now and not _is_quiet(end, preferences, zone)
    )
    return min(ends)


def next_summary(since: Millis, every: Millis, preferences: Preferences, zone: ZoneInfo) -> Millis:
    """Returns the first time for a summary after `since`. Intervals of whole days end at the user's hour;
    other intervals are counted from that hour of the first day.

    The times depend on the interval and the user alone, so that all daily notices of a user come together.
    """
    if every % DAY:
        first = _moment(_FIRST_DAY, preferences.summary_at, zone)
        return first + ((since - first) // every + 1) * every
    days = every // DAY
    passed = (_local(since, zone).date() - _FIRST_DAY).days // days * days
    candidates = (
        _moment(_FIRST_DAY + timedelta(days=passed + more), preferences.summary_at, zone)
        for more in (0, days, 2 * days)
    )
    return min(moment for moment in candidates if moment > since)


def free_at(now: Millis, sent: Sequence[Millis], rate: int) -> Millis:
    """Returns when one more notice may be sent so that no hour has more than `rate`. `sent` holds the times
    of the notices sent, in order. A `rate` of 0 means no limit."""
    if not rate or len(sent) < rate:
        return now
    return max(now, sent[-rate] + HOUR)


def _is_quiet(moment: Millis, preferences: Preferences, zone: ZoneInfo) -> bool:
    begin, end = preferences.quiet_from, preferences.quiet_to
    shown = _local(moment, zone)
    minute = shown.hour * 60 + shown.minute
    return begin <= minute < end if begin <= end else minute >= begin or minute < end


def _local(moment: Millis, zone: ZoneInfo) -> datetime:
    return as_datetime(moment).astimezone(zone)


def _moment(day: date, minute: int, zone: ZoneInfo) -> Millis:
    return min(_shown(day, minute, zone))


def _shown(day: date, minute: int, zone: ZoneInfo) -> set[Millis]:
    """Returns the moments at which the clock shows this time, two if the clock was put back."""
    wall = datetime.combine(day, time(minute // 60, minute % 60))
    return {as_millis(moment_of(wall, zone, fold)) for fold in (0, 1)}
