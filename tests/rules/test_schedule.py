"""Schedules against a model that goes through a year minute by minute and looks at the clock on the wall."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.language.strategies import hours as any_hours
from tests.pace.world import DAY, HOUR, MINUTE, ScriptedPage, World
from webvigil.language import parse
from webvigil.model.change import Change
from webvigil.model.moment import NEVER, as_datetime, as_millis
from webvigil.model.schedule import Schedule
from webvigil.model.sentinel import FetchAt, FetchCron, FetchEvery, FetchOnChange, Hours
from webvigil.model.wanted import WantedChanges
from webvigil.rules.schedule import is_open, next_look, next_looks, opening, shortest_wait, trouble_with_cron
from webvigil.store.sql.knowledge import SqlKnowledge

YEAR = 2024
MINUTES = 366 * 24 * 60
FIRST = as_millis(datetime(YEAR, 1, 1, tzinfo=UTC))
FIVE = "and a cron expression has five: minute, hour, day of the month, month, day of the week"
URL = "http://site.test/"
# Clocks that jump by an hour, by half an hour, at midnight, around a month of fasting, and not at all.
ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Beirut",
    "Africa/Casablanca",
    "America/Havana",
    "Asia/Kathmandu",
    "UTC",
]


@cache
def walls(zone: str) -> list[int]:
    """Returns what the clock shows in each minute of the year, in minutes since its first midnight, a Monday.
    All clocks of that year jump at quarters of an hour."""
    shown: list[int] = []
    for quarter in range(0, MINUTES, 15):
        at = datetime(YEAR, 1, 1, tzinfo=UTC) + timedelta(minutes=quarter)
        ahead = (at.astimezone(ZoneInfo(zone)).utcoffset() or timedelta(0)) // timedelta(minutes=1)
        shown += range(quarter + ahead, quarter + ahead + 15)
    return shown


def within(hours: Hours, shown: int) -> bool:
    """Returns whether the clock shows a time within these hours, by the rules of the reference: a span over
    midnight belongs to the day on which it begins."""
    day, minute = divmod(shown, 1440)
    today = not hours.days or day % 7 in hours.days
    yesterday = not hours.days or (day - 1) % 7 in hours.days
    if not hours.between:
        return today
    for start, end in hours.between:
        if start < end and today and start <= minute < end:
            return True
        if start > end and ((today and minute >= start) or (yesterday and minute < end)):
            return True
    return False


@cache
def jumps(zone: str) -> list[int]:
    return [at for at, (one, two) in enumerate(pairwise(walls(zone))) if two - one != 1]


@st.composite
def somewhere(draw):
    """Returns a zone and a minute of the year, often shortly before its clock jumps."""
    zone, minute = draw(st.sampled_from(ZONES)), draw(st.integers(0, MINUTES - 1))
    if jumps(zone) and draw(st.booleans()):
        minute = draw(st.sampled_from(jumps(zone))) - draw(st.integers(-200, 3000))
    return zone, min(MINUTES - 1, max(0, minute))


def minute_of(moment: int) -> int:
    return (moment - FIRST) // MINUTE


@settings(deadline=None)
@given(hours=any_hours, place=somewhere())
@example(hours=Hours((), ((150, 210),)), place=("Europe/Berlin", 90 * 1440))  # the clock leaves 2:30 out
@example(hours=Hours((), ((0, 170),)), place=("Europe/Berlin", 300 * 1440 + 55))  # from 2:59 back to 2:00
@example(hours=Hours((), ((1350, 1430),)), place=("America/Santiago", 97 * 1440 + 175))  # back to 23:00
@example(hours=Hours((6,), ((1320, 360),)), place=("UTC", 7 * 1440 + 180))  # the night after a Sunday
def test_hours_open_in_the_first_minute_in_which_the_clock_shows_them(hours, place):
    zone, start = place
    schedule = Schedule(FetchOnChange(hours), zone)
    expected = next((at for at in range(start, MINUTES) if within(hours, walls(zone)[at])), None)
    found = opening(schedule, FIRST + start * MINUTE)
    if expected is None:
        assert found >= FIRST + MINUTES * MINUTE
    else:
        assert minute_of(found) == expected
        assert is_open(schedule, found)
    assert is_open(schedule, FIRST + start * MINUTE) == within(hours, walls(zone)[start])


@settings(deadline=None)
@given(hours=any_hours, interval=st.sampled_from([7, 10, 60, 90, 1000]), place=somewhere(), days=st.just(10))
@example(hours=Hours((0, 1, 2, 3, 4), ((480, 1080),)), interval=10, place=("Europe/Berlin", 0), days=366)
@example(hours=Hours((6,), ((90, 210),)), interval=10, place=("Europe/Berlin", 0), days=366)
def test_an_interval_steps_through_the_hours(hours, interval, place, days):
    zone, start = place
    end = min(MINUTES, start + days * 1440)
    schedule = Schedule(FetchEvery(timedelta(minutes=interval), hours), zone)
    expected, at = [], start
    while at < end:
        if at > start and not within(hours, walls(zone)[at]):
            at += 1
            continue
        expected.append(at)
        at += interval
    found, planned = [], FIRST + start * MINUTE
    while planned < FIRST + end * MINUTE:
        found.append(minute_of(planned))
        planned = next_look(schedule, planned, planned)
    assert found == expected


@settings(deadline=None)
@given(
    times=st.sets(st.integers(0, 1439), min_size=1, max_size=3),
    days=st.sets(st.integers(0, 6), max_size=6),
    place=somewhere(),
    length=st.just(12),
)
@example(times={0, 119, 120, 150, 179, 180}, days=set(), place=("Europe/Berlin", 0), length=366)
@example(times={0, 15}, days=set(), place=("Asia/Beirut", 0), length=366)
def test_times_of_the_day_come_once_each_day_when_the_clock_reaches_them(times, days, place, length):
    zone, start = place
    end = min(MINUTES, start + length * 1440)
    reached, expected = walls(zone)[start], set()
    for minute in range(start + 1, end):
        shown = walls(zone)[minute]
        for moment in range(reached + 1, shown + 1):  # a clock that was put back has shown these before
            if moment % 1440 in times and (not days or moment // 1440 % 7 in days):
                expected.add(minute)
        reached = max(reached, shown)
    schedule = Schedule(FetchAt(tuple(sorted(times)), tuple(sorted(days))), zone)
    found, at = set(), FIRST + start * MINUTE
    while (at := next_look(schedule, at, at)) < FIRST + end * MINUTE:
        found.add(minute_of(at))
    assert found == expected or _begins_in_a_second_hour(zone, start)


def _begins_in_a_second_hour(zone: str, start: int) -> bool:
    """The model does not know what the clock showed before it began."""
    return walls(zone)[start] <= max(walls(zone)[max(0, start - 200) : start], default=-(10**9))


@settings(deadline=None)
@given(time=st.integers(0, 1439), days=st.sets(st.integers(0, 6), max_size=6), place=somewhere())
@example(time=150, days=set(), place=("Europe/Berlin", 80 * 1440))
def test_a_cron_expression_with_one_time_is_that_time_of_the_day(time, days, place):
    zone, at = place
    named = ",".join(str((day + 1) % 7) for day in sorted(days)) or "*"
    cron = Schedule(FetchCron(f"{time % 60} {time // 60} * * {named}"), zone)
    plain = Schedule(FetchAt((time,), tuple(sorted(days))), zone)
    moment = FIRST + at * MINUTE
    for _ in range(12):
        one, other = next_look(cron, moment, moment), next_look(plain, moment, moment)
        assert one == other, (as_datetime(one), as_datetime(other))
        moment = one


def test_a_cron_expression_with_a_star_goes_by_the_clock_on_the_wall():
    schedule = Schedule(FetchCron("*/15 8-17 * * 1-5"), "Europe/Berlin")
    expected = [
        at
        for at, shown in enumerate(walls("Europe/Berlin"))
        if at and shown // 1440 % 7 < 5 and 480 <= shown % 1440 < 1080 and shown % 15 == 0
    ]
    found, at = [], FIRST
    while (at := next_look(schedule, at, at)) < FIRST + MINUTES * MINUTE:
        found.append(minute_of(at))
    assert found == expected


def test_whole_days_keep_their_hour_when_the_clock_changes():
    schedule = Schedule(FetchEvery(timedelta(days=1), Hours((), ((480, 540),))), "Europe/Berlin")
    at = as_millis(datetime(2024, 3, 28, 7, 0, tzinfo=UTC))
    looks = next_looks(schedule, at, 250)
    shown = [as_datetime(one).astimezone(ZoneInfo("Europe/Berlin")) for one in looks]
    assert {one.strftime("%H:%M") for one in shown} == {"08:00"}
    assert [later.toordinal() - sooner.toordinal() for sooner, later in pairwise(shown)] == [1] * 249


def test_a_look_on_change_is_told_once_and_opens_with_its_hours():
    at = as_millis(datetime(2024, 3, 4, 12, tzinfo=UTC))
    free, bound = Schedule(FetchOnChange(), "UTC"), Schedule(FetchOnChange(Hours((), ((60, 120),))), "UTC")
    assert next_looks(free, at, 5) == [at]
    assert next_looks(bound, at, 5) == [at + 13 * HOUR]
    assert next_looks(free, NEVER, 5) == []


def test_the_first_look_is_not_before_its_page_is_due():
    noon = as_millis(datetime(2024, 3, 4, 12, tzinfo=UTC))
    schedule = Schedule(FetchAt((720,)), "UTC")
    assert next_looks(schedule, noon, 1) == [noon]
    assert next_looks(schedule, noon + 1, 2) == [noon + DAY, noon + 2 * DAY]


def test_a_cron_expression_that_cannot_be_read_is_never_due():
    schedule = Schedule(FetchCron("61 * * * *"), "UTC")
    assert next_look(schedule, FIRST, FIRST) == NEVER
    assert next_looks(schedule, FIRST, 3) == []


def test_hours_that_never_come_are_never():
    # 2:15 to 2:45 on the one Sunday that skips them comes a week later.
    schedule = Schedule(FetchOnChange(Hours((6,), ((135, 165),))), "Europe/Berlin")
    at = as_millis(datetime(2024, 3, 30, 12, tzinfo=UTC))
    assert as_datetime(opening(schedule, at)) == datetime(2024, 4, 7, 0, 15, tzinfo=UTC)
    assert opening(schedule, NEVER) == NEVER


@pytest.mark.parametrize(
    ("clause", "minutes"),
    [
        ("10 minute on weekdays", 10),
        ("at 7:30, 8:15", 45),
        ("at 7:30", 1440),
        ("at 23:50, 0:10", 20),
        ('cron "*/5 * * * *"', 5),
        ('cron "0 0 29 2 *"', 4 * 365.25 * 1440),
        ("on change on weekends", 0),
    ],
)
def test_the_shortest_wait(clause, minutes):
    fetch = parse(f"Create Sentinel s Using {URL} Fetch {clause}")[0].fetch
    assert fetch is not None
    assert shortest_wait(fetch) == minutes * MINUTE


@pytest.mark.parametrize(
    ("expression", "trouble"),
    [
        ("*/5 8-17 * * 1-5", ""),
        ("0 0 L * *", ""),
        (
            "@daily",
            f"it has 1 fields, {FIVE}",
        ),
        (
            "* * * * * *",
            f"it has 6 fields, {FIVE}",
        ),
        ("61 * * * *", "its minute cannot be read"),
        ("0 0 * * FUN", "its day of week cannot be read"),
        ("0 0 30 2 *", "its day of month cannot be read"),
        ("0 " + "9" * 5000 + " * * *", "it has a number that is too large"),
    ],
)
def test_what_is_wrong_with_a_cron_expression(expression, trouble):
    assert trouble_with_cron(expression) == trouble


# --- in the flow --------------------------------------------------------------------------------------


class Week(World):
    """Sentinels of a user in Berlin, whose page changes every minute, from Friday, 8 November 2024, 17:00."""

    def __init__(self, *clauses: str, **more: Any) -> None:
        super().__init__(now=as_millis(datetime(2024, 11, 8, 16, 0, tzinfo=UTC)), **more)
        self.knowledge.users.change("jill", zone="Europe/Berlin")
        self.pages[URL] = ScriptedPage([self.now + n * MINUTE for n in range(1, 10 * 1440)])
        for number, clause in enumerate(clauses, 1):
            text = f"Create Sentinel s{number} Using {URL}\nFetch {clause}\n"
            fetch = parse(text)[0].fetch
            assert fetch is not None
            self.watch(f"s{number}", URL, shortest_wait(fetch), text=text)

    def told(self) -> list[Change]:
        return self.knowledge.changes.some(WantedChanges(user="jill", limit=1000))

    @property
    def shown(self) -> list[str]:
        local = [as_datetime(at).astimezone(ZoneInfo("Europe/Berlin")) for at in self.looks_at(URL)]
        return [f"{one:%a %H:%M}" for one in local]


def test_a_page_is_looked_at_in_the_hours_of_its_sentinel():
    week = Week("20 minute on weekdays between 8:00 and 18:00")
    week.run(week.now + 3 * DAY)
    hours = [f"Mon {hour:02}:{minute}" for hour in range(8, 17) for minute in ("00", "20", "40")]
    assert week.shown == ["Fri 17:00", "Fri 17:20", "Fri 17:40", *hours]


def test_a_page_is_looked_at_at_the_times_of_its_sentinel():
    week = Week("at 7:30, 19:00 on monday, saturday")
    week.run(week.now + 5 * DAY)
    assert week.shown == ["Fri 17:00", "Sat 07:30", "Sat 19:00", "Mon 07:30", "Mon 19:00"]


@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_looks_on_change_stay_within_the_hours(store: str, tmp_path: Path):
    def sqlite(clock: Callable[[], int]) -> SqlKnowledge:
        return SqlKnowledge(f"sqlite:///{tmp_path / 'w.sqlite3'}", delay=0, clock=clock)

    week = Week("on change on weekdays between 8:00 and 18:00", store=None if store == "memory" else sqlite)
    week.run(week.now + 4 * DAY)
    week.knowledge.close()
    assert len(week.shown) > 10
    assert {one[:3] for one in week.shown} == {"Fri", "Mon", "Tue"}
    assert all("08:00" <= one[4:] < "18:00" for one in week.shown)
    assert week.shown[week.shown.index("Mon 08:00") - 1].startswith("Fri 17:")


def test_a_sentinel_without_hours_is_not_held_back_by_one_with_hours():
    week = Week("1 hour on weekdays between 8:00 and 18:00", "6 hour")
    week.run(week.now + DAY)
    assert week.shown == ["Fri 17:00", "Fri 23:00", "Sat 05:00", "Sat 11:00"]
    found = {one.sentinel for one in week.told()}
    assert found == {"s2"}


def test_on_change_takes_part_in_looks_of_others_only_in_its_hours():
    week = Week("on change between 8:00 and 18:00", "1 hour")
    week.run(week.now + DAY)
    told = [one.found_at.astimezone(ZoneInfo("Europe/Berlin")) for one in week.told() if one.sentinel == "s1"]
    assert told
    assert all(8 <= one.hour < 18 for one in told)


def test_a_hint_does_not_bring_a_look_outside_the_hours_and_a_person_does():
    week = Week("on change on weekdays between 8:00 and 18:00")
    week.run(week.now + 2 * HOUR)
    before = len(week.shown)
    week.knowledge.paces.hint(week.page_id(URL), week.now)
    week.run(week.now + HOUR)
    assert len(week.shown) == before
    postponed = week.looks[-1][2]
    assert postponed.look.reason == "outside the hours of its sentinels; looked at in 3 days"
    week.knowledge.schedule.ask(week.page_id(URL))
    week.run(week.now + HOUR)
    assert week.shown[before:] == ["Fri 20:00"]
    week.run(week.now + 3 * DAY)
    assert week.shown[before + 1] == "Mon 08:00"


def test_a_page_that_fails_is_tried_again_within_the_hours():
    week = Week("20 minute on weekdays between 8:00 and 18:00")
    friday_evening = week.now + 40 * MINUTE
    week.pages[URL].broken = (friday_evening, friday_evening + 2 * DAY)
    week.run(week.now + 3 * DAY)
    tried = [one for one in week.shown if one >= "Fri 17:40" or one.startswith("Mon")]
    assert all("08:00" <= one[4:] < "18:00" for one in tried)
    assert "Mon 08:00" in tried
