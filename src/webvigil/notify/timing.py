"""When somebody is told (N1, N6): quiet hours, the times of summaries, and no more than so many an hour.

Times of day are those on the user's clock, and a day is a day of their calendar, also when the clock is put
forward or back. A time that the clock skips is the moment at which it skips it; one that it shows twice is
the first of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from webvigil.model.contact import Preferences
from webvigil.model.moment import Millis, as_datetime, as_millis

HOUR: Millis = 3_600_000
_DAY: Millis = 24 * HOUR
# Summaries of several days are counted from here: a Monday, so that weekly ones come with the week.
_FIRST_DAY = date(2024, 1, 1)


def quiet_until(now: Millis, preferences: Preferences, zone: ZoneInfo) -> Millis:
    """When the quiet hours end that it is now; `now` if it is not quiet."""
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
    """The first time for a summary after `since`: whole days at the user's hour, others counted from it.

    The times depend on the interval and the user alone, so that all that is told daily comes together.
    """
    if every % _DAY:
        first = _moment(_FIRST_DAY, preferences.summary_at, zone)
        return first + ((since - first) // every + 1) * every
    days = every // _DAY
    passed = (_local(since, zone).date() - _FIRST_DAY).days // days * days
    candidates = (
        _moment(_FIRST_DAY + timedelta(days=passed + more), preferences.summary_at, zone)
        for more in (0, days, 2 * days)
    )
    return min(moment for moment in candidates if moment > since)


def free_at(now: Millis, sent: Sequence[Millis], rate: int) -> Millis:
    """When one more may be sent: no hour has more than `rate` of them. `sent` is in order."""
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


def _shown(day: date, minute: int, zone: ZoneInfo) -> list[Millis]:
    """The moments at which the clock shows this time: one, two where it was put back; where it was put
    forward past it, the moment at which that happened."""
    wanted = datetime.combine(day, time(minute // 60, minute % 60))
    both = [wanted.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    there = [one for one in both if one.astimezone(zone).replace(tzinfo=None) == wanted]
    if not there:
        return [_jump(as_millis(min(both)), as_millis(max(both)), zone)]
    return [as_millis(one) for one in there]


def _jump(before: Millis, after: Millis, zone: ZoneInfo) -> Millis:
    """The moment between the two at which the clock was put forward."""
    offset = _local(before, zone).utcoffset()
    while after - before > 1:
        middle = (before + after) // 2
        if _local(middle, zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
