"""The pictures of the dashboard: the value over time, the calendar of changes, the track of the time
machine."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from webvigil.app.sentinels.values import Series, Step
from webvigil.model.change import ChangeOutline, Finding, ObjectChange, Status
from webvigil.model.version import Version
from webvigil.web.activity import activity, per_day, pulse, sparkline, with_line
from webvigil.web.axis import axis, day
from webvigil.web.calendar import WEEKS, Square, calendar
from webvigil.web.calendar import since_of as first_moment
from webvigil.web.chart import BOTTOM, TOP, Chart, chart, like, since_of, stepped
from webvigil.web.drawn import address, things, tile, watched_things
from webvigil.web.track import track

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday
DAY = timedelta(days=1)


def step(days: float, number: str, text: str = "") -> Step:
    return Step(NOW - days * DAY, text or number, Decimal(number))


def drawn(*steps: Step, zone: str = "UTC", range_: str = "all") -> Chart:
    return chart(Series(steps), NOW, ZoneInfo(zone), range_)


class TestChart:
    def test_a_value_is_drawn_from_the_first_step_until_now(self):
        made = drawn(step(30, "1349"), step(15, "1299"), step(3, "1279"))
        assert [(one.left, one.right) for one in made.strokes] == [(0, 50), (50, 90), (90, 100)]
        assert made.strokes[0].from_y is None
        assert made.strokes[1].from_y == made.strokes[0].y < made.strokes[1].y < made.strokes[2].y
        assert (made.lowest.text, made.highest.text) == ("1279", "1349")

    @pytest.mark.parametrize(
        "numbers",
        [
            ("1", "2"),
            ("1349", "1279"),
            ("0", "0"),
            ("-5", "3"),
            ("0.001", "0.0012"),
            ("7", "7"),
            ("1e12", "1"),
        ],
    )
    def test_every_axis_has_few_labels_and_holds_all_values(self, numbers: tuple[str, ...]):
        made = drawn(*(step(10 - place, one) for place, one in enumerate(numbers)))
        assert 2 <= len(made.upright) <= 5
        assert len(made.across) == 5
        assert len({one.text for one in made.upright}) == len(made.upright)
        assert all(TOP <= one.y <= BOTTOM for one in made.strokes)

    @pytest.mark.parametrize("minutes", [0.5, 1, 3, 4, 5, 20, 600])
    def test_no_two_labels_of_time_are_the_same(self, minutes: float):
        made = axis(NOW - timedelta(minutes=minutes), NOW, UTC, "Now")
        assert len({one.text for one in made}) == 5

    def test_an_axis_of_a_second_has_its_ends(self):
        made = axis(NOW, NOW + timedelta(seconds=1), UTC, "Now")
        assert [one.text for one in made] == ["12:00:00", "Now"]

    def test_a_step_that_is_too_small_for_its_decimal_is_not_told_as_none(self):
        made = drawn(step(10, "673.80", "€ 673.80"), step(3, "673.70", "€ 673.70"))
        assert made.against == "€\u00a00.10 (under 0.1\u00a0%) less than at the first look"
        assert drawn(step(10, "100", "€ 100"), step(3, "99", "€ 99")).against.startswith(
            "€\u00a01 (1.0\u00a0%) less"
        )

    def test_the_axes_are_labelled_by_the_readers_clock(self):
        made = drawn(step(10, "1"), zone="Pacific/Apia")
        assert [one.text for one in made.across] == ["7 Nov", "9 Nov", "12 Nov", "14 Nov", "Now"]
        short = drawn(step(0.5, "1"), zone="Asia/Kolkata")
        assert short.across[0].text == "05:30"
        assert drawn(step(3000, "1")).across[0].text == "Aug 2018"

    def test_the_value_stands_against_the_beginning(self):
        fell = drawn(step(30, "1349", "€ 1,349.00"), step(1, "1279", "€ 1,279.00"), range_="30")
        assert fell.against == "€\u00a070.00 (5.2\u00a0%) less than 30 days ago"
        assert drawn(step(2, "4"), step(1, "5")).against == "1 (25.0\u00a0%) more than at the first look"
        assert drawn(step(2, "4")).against == "the same as at the first look"
        young = drawn(step(2, "4"), step(1, "5"), range_="30")
        assert young.against.endswith("more than at the first look"), "nothing is known from 30 days ago"
        assert drawn(step(2, "0"), step(1, "5")).against == "5 more than at the first look"

    def test_a_chart_of_very_many_steps_stays_light(self):
        many = [step(365 - number / 10, str(number % 97)) for number in range(3_000)]
        made = drawn(*many)
        assert len(made.strokes) <= 3 * 240
        assert len(made.rows) == 100
        assert made.older == 2_900
        assert not made.dots
        assert {one.y for one in made.strokes} >= {made.strokes[0].y}
        highest = min(one.y for one in made.strokes)
        assert highest == min(one.y for one in drawn(step(2, "96"), step(1, "0")).strokes)

    def test_a_range_begins_so_many_days_ago(self):
        assert since_of("7", NOW) == NOW - 7 * DAY
        assert since_of("all", NOW) is None
        assert since_of("-1", NOW) is None


@pytest.mark.parametrize(
    ("text", "number", "written"),
    [
        ("€ 1,279.00", "70", "€\u00a070.00"),
        ("1.279,50 €", "1270.5", "1.270,50\u00a0€"),
        ("7 pieces", "2", "2\u00a0pieces"),
        ("$5", "1.25", "$1.25"),
        ("-3 °C", "4", "4\u00a0°C"),
        ("a very long sentence with 5 in it", "2", "2\u00a0in\u00a0it"),
    ],
)
def test_a_number_is_written_as_its_text_writes_numbers(text: str, number: str, written: str):
    assert like(text, Decimal(number)) == written


class TestSmallLines:
    """The small line of a value on cards and in lists."""

    def test_a_value_holds_until_it_changes(self):
        path, ends = stepped([step(8, "10"), step(4, "20"), step(0, "15")], NOW - 8 * DAY, NOW, (96, 28))
        assert path == "M2.0 24.0H48.0V3.0H94.0V13.5H94"
        assert ends == 13.5

    def test_a_value_that_stayed_is_one_line(self):
        assert stepped([step(8, "10")], NOW - 8 * DAY, NOW, (96, 28)) == ("M2.0 24.0H94", 24.0)

    def test_it_says_from_what_to_what(self):
        moved = Series((step(8, "10", "€ 10.00"), step(8, "12", "€ 12.00"), step(1, "9", "€ 9.00")))
        busy = pulse({NOW - 8 * DAY: 1, NOW - DAY: 1}, UTC, NOW.date())
        drawn = with_line(busy, moved, NOW)
        assert drawn.words == "€ 10.00 → € 9.00; 2 changes in 24 days"
        assert drawn.line.startswith("M2.0 "), "the value before the first step is drawn"
        assert set(re.findall("[A-Z]", drawn.line)) == {"M", "H", "V"}, "no slopes"
        assert with_line(busy, None, NOW) == busy

    def test_the_value_before_the_first_step_is_drawn_for_an_eighth_of_the_time(self):
        busy = pulse({}, UTC, NOW.date())
        moved = with_line(busy, Series((step(8, "10"), step(4, "20"))), NOW)
        assert (moved.line, moved.ends) == ("M2.0 24.0H53.1V3.0H94", 3.0)
        assert moved.words == "10 → 20; 0 changes in 24 days"
        fresh = Series((step(0, "10"), Step(NOW + timedelta(seconds=30), "20", Decimal(20))))
        assert with_line(busy, fresh, NOW).line == "M2.0 24.0H93.0V3.0H94"

    def test_what_is_said_beside_a_line_is_short(self):
        busy = pulse({NOW: 1}, UTC, NOW.date())
        assert busy.words == "1 change in 24 days"
        same = Series((step(8, "10", "ten"), step(4, "20", "twenty"), step(1, "10", "ten")), cut=True)
        assert with_line(busy, same, NOW).words == "ten lately; 1 change in 24 days"
        twenty, more = "x" * 20, "x" * 21
        long = with_line(busy, Series((step(8, "1", twenty), step(1, "2", more))), NOW).words
        assert long == f"{twenty} → {'x' * 19}…; 1 change in 24 days"

    def test_looks_that_failed_are_told(self):
        failed = [False] * 21 + [True] * 3
        made = pulse({NOW - 22 * DAY: 2, NOW: 1}, UTC, NOW.date(), failed)
        assert made.words == "3 changes in 24 days; the last 3 failed"
        assert "".join(one.kind or "." for one in made.strokes) == "z." + "z" * 19 + "xx."

    def test_a_small_chart_of_bars_has_its_box(self):
        assert sparkline([0, 2, 4, 0], [True, True]) == (
            (0, 0, pytest.approx(14.88), 9, "x"),
            (24, 13, pytest.approx(14.88), 15, ""),
            (48, 2, pytest.approx(14.88), 26, ""),
            (72, 26, pytest.approx(14.88), 2, "z"),
        )
        assert sparkline([1])[0][:2] == (0, 2)
        assert sparkline([]) == ()

    def test_days_are_counted_from_the_oldest_to_today(self):
        rhythm = {NOW: 1, NOW - 2 * DAY: 2, NOW - 3 * DAY: 4, NOW + DAY: 8, NOW - timedelta(hours=1): 16}
        assert per_day(rhythm, UTC, NOW.date(), 3) == [2, 0, 17]


class TestActivity:
    def test_a_chart_has_its_bars_numbers_and_labels(self):
        found = [outline(0, "a"), outline(0, "a"), outline(0, "b"), outline(1, "b")]
        made = activity(found, UTC, NOW.date(), 3)
        assert (made.topics, made.totals, made.total) == (("a", "b"), (2, 2), 4)
        assert made.fills == ('class="f1"', 'fill="url(#p2)"')
        assert made.ticks == ((0, 180), (1, 126), (2, 72), (3, 18))
        assert [(one.first, one.last, one.counts, one.label) for one in made.bars] == [
            (date(2026, 11, 14), date(2026, 11, 14), (0, 0), "14 Nov"),
            (date(2026, 11, 15), date(2026, 11, 15), (0, 1), "15 Nov"),
            (date(2026, 11, 16), date(2026, 11, 16), (2, 1), "Today"),
        ]
        bar = made.bars[-1]
        assert (bar.slot, bar.width, bar.total, bar.name) == (
            pytest.approx(200 / 3),
            100 / 3,
            3,
            "Mon 16 Nov",
        )
        lower, upper = bar.parts
        assert lower == (
            'class="f1"',
            pytest.approx(71.1667, abs=1e-3),
            72,
            pytest.approx(24.3333, abs=1e-3),
            106.5,
        )
        assert (upper.fill, upper.y, upper.height) == ('fill="url(#p2)"', 18, 52.5)
        assert made.said(bar) == "a 2, b 1"
        assert made.said(made.bars[1]) == "b 1"

    def test_the_newest_of_the_busiest_days_is_the_most(self):
        made = activity([outline(0), outline(1), outline(2), outline(2)], UTC, NOW.date(), 7)
        assert made.most.first == date(2026, 11, 14)
        assert activity([outline(0), outline(1)], UTC, NOW.date(), 7).most.first == NOW.date()

    def test_the_oldest_day_belongs_to_the_chart_and_the_day_before_does_not(self):
        made = activity([outline(6), outline(7)], UTC, NOW.date(), 7)
        assert (made.total, made.bars[0].total) == (1, 1)

    def test_a_change_of_tomorrow_is_told_today(self):
        assert activity([outline(-1)], UTC, NOW.date(), 7).bars[-1].total == 1

    def test_weeks_are_named_by_their_ends_and_the_last_may_be_shorter(self):
        made = activity([outline(0)], UTC, NOW.date(), 30, 7)
        assert [one.name for one in made.bars] == [
            "18 Oct to 24 Oct",
            "25 Oct to 31 Oct",
            "1 Nov to 7 Nov",
            "8 Nov to 14 Nov",
            "15 Nov to 16 Nov",
        ]

    @pytest.mark.parametrize(
        ("days", "labels"),
        [
            (5, "12,Nov 13,Nov 14,Nov 15,Nov Today"),
            (6, "11,Nov - 13,Nov - 15,Nov Today"),
            (7, "10,Nov - 12,Nov - 14,Nov - Today"),
            (1, "Today"),
            (11, "6,Nov - - 9,Nov - - 12,Nov - - 15,Nov Today"),
            (18, "30,Oct - - - 3,Nov - - - 7,Nov - - - 11,Nov - - - - Today"),
            (16, "1,Nov - - - 5,Nov - - - 9,Nov - - - 13,Nov - - Today"),
        ],
    )
    def test_few_days_have_labels_and_none_runs_into_today(self, days: int, labels: str):
        made = activity([], UTC, NOW.date(), days)
        assert [one.label.replace(" ", ",") or "-" for one in made.bars] == labels.split()

    @pytest.mark.parametrize(
        ("most", "numbers"),
        [
            (0, (0, 1)),
            (1, (0, 1)),
            (3, (0, 1, 2, 3)),
            (4, (0, 2, 4)),
            (6, (0, 2, 4, 6)),
            (7, (0, 5, 10)),
            (15, (0, 5, 10, 15)),
            (16, (0, 10, 20)),
            (30, (0, 10, 20, 30)),
            (31, (0, 20, 40)),
            (61, (0, 50, 100)),
            (151, (0, 100, 200)),
        ],
    )
    def test_the_numbers_of_the_axis_are_round_and_few(self, most: int, numbers: tuple[int, ...]):
        made = activity([outline(0)] * most, UTC, NOW.date(), 7)
        assert tuple(number for number, _ in made.ticks) == numbers
        assert (made.ticks[0][1], made.ticks[-1][1]) == (180, 18)

    @pytest.mark.parametrize(
        ("topics", "told", "totals"),
        [
            ((), ("no topic",), (0,)),
            (("a",), ("a",), (1,)),
            (("a", ""), ("a", "no topic"), (1, 1)),
            (("a", "a", "b", "c"), ("a", "b", "c"), (2, 1, 1)),
            (("a", "a", "b", "b", "c", "c", "d"), ("a", "b", "c", "other topics"), (2, 2, 2, 1)),
            (("a, b", "b"), ("a", "b"), (1, 1)),
        ],
    )
    def test_the_most_frequent_topics_are_named(
        self, topics: tuple[str, ...], told: tuple[str, ...], totals: tuple[int, ...]
    ):
        made = activity([outline(0, topic) for topic in topics], UTC, NOW.date(), 7)
        assert (made.topics, made.totals) == (told, totals)
        fills = ['class="f1"', 'fill="url(#p2)"', 'fill="url(#p3)"', 'class="f4"']
        is_named = told[-1] not in ("no topic", "other topics")
        assert list(made.fills) == (fills[: len(told)] if is_named else [*fills[: len(told) - 1], fills[3]])

    def test_a_very_small_part_is_still_seen(self):
        made = activity([outline(0, "a")] * 300 + [outline(0, "b")], UTC, NOW.date(), 7)
        assert made.bars[-1].parts[1].height == 1


def outline(days: float, topic: str = "") -> ChangeOutline:
    return ChangeOutline(
        id=1, sentinel="s", page=1, url="http://s.test/", found_at=NOW - days * DAY, topic=topic, seen=False
    )


class TestCalendar:
    def test_a_day_with_more_changes_has_a_bigger_square(self):
        rhythm = {NOW - 2 * DAY: 1, NOW - DAY: 1, NOW - DAY + timedelta(hours=1): 1, NOW: 9}
        made = calendar(rhythm, NOW - 30 * DAY, NOW, UTC)
        assert [one.side for one in made.squares] == [5, 8, 11]
        assert made.rows == ((date(2026, 11, 16), 9), (date(2026, 11, 15), 2), (date(2026, 11, 14), 1))
        assert made.says == "12 changes on 3 days in the last year, most on Mondays"
        assert made.squares[-1].says == "Mon 16 Nov 2026: 9"

    def test_days_before_the_first_look_are_not_days_without_changes(self):
        made = calendar({}, NOW - 9 * DAY, NOW, UTC)
        assert made.empty.count("M") == 10
        assert made.unseen.count("M") == 7 * (WEEKS - 1) + 1 - 10
        assert made.says == "0 changes on 0 days in the last year"

    def test_days_are_those_of_the_reader(self):
        late = datetime(2026, 11, 15, 23, tzinfo=UTC)
        assert calendar({late: 1}, NOW, NOW, ZoneInfo("Asia/Tokyo")).rows[0][0] == date(2026, 11, 16)
        assert calendar({late: 1}, NOW, NOW, UTC).rows[0][0] == date(2026, 11, 15)

    def test_what_is_older_than_a_year_is_not_shown(self):
        made = calendar({NOW - 400 * DAY: 5, NOW: 1}, NOW - 500 * DAY, NOW, UTC)
        assert (made.changes, made.days, made.unseen) == (1, 1, "")

    def test_every_mark_has_its_place(self):
        made = calendar({NOW - 2 * DAY: 1, NOW - DAY: 2, NOW: 9}, NOW - 4 * DAY, NOW, UTC)
        assert made.squares == (
            Square(717, 91, 5, "Sat 14 Nov 2026: 1"),
            Square(715.5, 103.5, 8, "Sun 15 Nov 2026: 2"),
            Square(728, 18, 11, "Mon 16 Nov 2026: 9"),
        )
        assert made.empty == "M715 61h9v9h-9zM715 75h9v9h-9z"
        assert made.unseen.startswith("M5 23h1M5 37h1M5 51h1M5 65h1M5 79h1M5 93h1M5 107h1M19 23h1")
        assert made.unseen.endswith("M719 37h1M719 51h1")
        assert (made.today, made.width, made.height, made.first) == ((728, 18), 742, 118, date(2026, 11, 12))

    def test_a_change_before_the_first_look_is_where_the_days_begin(self):
        made = calendar({NOW - 3 * DAY: 1}, NOW - DAY, NOW, UTC)
        assert (made.first, made.empty.count("M")) == (date(2026, 11, 13), 3)

    def test_the_first_day_of_the_first_week_is_the_oldest(self):
        oldest = NOW - 52 * 7 * DAY
        made = calendar({oldest: 1, oldest - DAY: 1, NOW + DAY: 1}, NOW, NOW, UTC)
        assert [one.says for one in made.squares] == ["Mon 17 Nov 2025: 1"]
        assert (made.squares[0].x, made.squares[0].y) == (3, 21)
        assert first_moment(NOW) == NOW - 53 * 7 * DAY - DAY

    def test_the_newest_sixty_days_with_changes_are_listed(self):
        for days, listed in ((60, 60), (61, 60)):
            made = calendar({NOW - number * DAY: 1 for number in range(days)}, NOW, NOW, UTC)
            assert (len(made.rows), made.rows[0][0], made.days) == (listed, NOW.date(), days)
        assert made.rows[-1][0] == (NOW - 59 * DAY).date()

    def test_a_single_change_is_told_as_one(self):
        assert calendar({NOW: 1}, NOW, NOW, UTC).says == "1 change on 1 day in the last year"
        assert calendar({NOW: 2}, NOW, NOW, UTC).says == "2 changes on 1 day in the last year"
        many = calendar({NOW: 1_234}, NOW, NOW, UTC)
        assert many.says == "1,234 changes on 1 day in the last year, most on Mondays"

    @pytest.mark.parametrize(
        ("counts", "busiest"),
        [
            ({}, ""),
            ({0: 6}, ""),
            ({0: 7}, "Mondays"),
            ({0: 1, 1: 6}, "Sundays"),
            ({0: 3, 2: 4}, "Saturdays"),
            ({0: 4, 3: 4}, ""),
            ({0: 1, 4: 3, 5: 4}, "Wednesdays"),
            ({0: 2, 7: 2, 6: 3}, "Mondays"),
            ({0: 1, 1: 3, 2: 3}, ""),
        ],
    )
    def test_a_day_of_the_week_is_the_busiest_if_it_is_alone_and_seven_changes_are_known(
        self, counts: dict[int, int], busiest: str
    ):
        rhythm = {NOW - days * DAY: count for days, count in counts.items()}
        assert calendar(rhythm, NOW, NOW, UTC).busiest == busiest

    @pytest.mark.parametrize(
        ("today", "first", "last"),
        [
            (date(2026, 11, 16), [(28, "Dec"), (84, "Jan")], [(630, "Oct"), (686, "Nov")]),
            (date(2026, 12, 27), [(14, "Jan"), (70, "Feb")], [(616, "Nov"), (686, "Dec")]),
            (date(2027, 1, 3), [(0, "Jan"), (56, "Feb")], [(602, "Nov"), (672, "Dec")]),
            (date(2026, 12, 3), [(0, "Dec"), (56, "Jan")], [(602, "Oct"), (658, "Nov")]),
            (date(2026, 12, 10), [(42, "Jan"), (98, "Feb")], [(644, "Nov"), (714, "Dec")]),
        ],
    )
    def test_months_stand_above_their_first_day_if_their_name_has_room(
        self, today: date, first: list[tuple[int, str]], last: list[tuple[int, str]]
    ):
        noon = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
        made = calendar({}, noon, noon, UTC).months
        assert (list(made[:2]), list(made[-2:])) == (first, last)

    def test_every_square_lies_in_the_picture(self):
        rhythm = {NOW - number * DAY: 1 for number in range(400)}
        made = calendar(rhythm, NOW - 400 * DAY, NOW, UTC)
        assert all(0 <= one.x < made.width and 0 <= one.y < made.height for one in made.squares)
        assert 11 <= len(made.months) <= 13


def version(number: int, hours: float) -> Version:
    at = NOW + timedelta(hours=hours)
    return Version(page=3, number=number, fetched_at=at, url="u", status=200, signature="", object="", size=0)


class TestTrack:
    VERSIONS = (version(1, 0), version(2, 1), version(4, 8), version(5, 10))

    def test_versions_stand_at_their_true_distances_in_time(self):
        made = track(self.VERSIONS, {4: 77}, UTC, page=3, old=2, new=4)
        assert [one.place for one in made.dots] == [0, 10, 80, 100]
        assert [one.found for one in made.dots] == [False, False, True, False]
        assert (made.before and made.before.number, made.after and made.after.number) == (2, 4)
        assert made.thousandths == 800

    def test_a_version_is_compared_with_the_one_before_it_that_is_kept(self):
        made = track(self.VERSIONS, {2: 77}, UTC, page=3, old=2, new=4, query="&sentinel=tea", newest=5)
        assert [one.address for one in made.dots] == [
            "/pages/3/compare?a=1&b=1&view=single&sentinel=tea",
            "/changes/77?view=single",
            "/pages/3/compare?a=2&b=4&view=single&sentinel=tea",
            "/pages/3/compare?a=4&b=5&view=single&sentinel=tea",
        ]
        assert made.older == "/changes/77?view=single"
        assert made.newer == "/pages/3/compare?a=4&b=5&view=single&sentinel=tea"
        assert made.newest == "/pages/3/compare?a=previous&b=latest&view=single&sentinel=tea"

    def test_a_lone_version_has_no_neighbours(self):
        made = track(self.VERSIONS[:1], {}, UTC, page=3, old=1, new=1, newest=1)
        assert (made.older, made.newer, made.newest, made.before, made.labels) == ("", "", "", None, ())

    def test_the_ends_of_the_track_have_one_neighbour(self):
        first = track(self.VERSIONS, {}, UTC, page=3, old=1, new=1, view="dual", newest=5, more=7)
        assert (first.older, first.newer) == ("", "/pages/3/compare?a=1&b=2&view=dual")
        assert (first.thousandths, first.more, first.found, first.before) == (0, 7, 0, None)
        last = track(self.VERSIONS, {1: 6, 5: 9}, UTC, page=3, old=4, new=5, newest=5)
        assert (last.older, last.newer, last.newest) == ("/pages/3/compare?a=2&b=4&view=single", "", "")
        assert (last.thousandths, last.found) == (1000, 2)
        second = track(self.VERSIONS, {}, UTC, page=3, old=1, new=2)
        assert (second.older, second.newer) == (
            first.dots[0].address.replace("dual", "single"),
            second.dots[2].address,
        )

    def test_a_version_that_is_not_in_the_piece_is_not_marked(self):
        made = track(self.VERSIONS, {}, UTC, page=3, old=3, new=3, newest=4)
        assert (made.before, made.after, made.thousandths) == (None, None, 0)
        assert (made.older, made.newer) == (made.dots[2].address, ""), "the newest of the piece is meant"
        assert made.newest.startswith("/pages/3/compare?a=previous&b=latest")

    def test_a_lone_version_stands_at_the_right_and_two_stand_at_the_ends(self):
        lone = track(self.VERSIONS[:1], {}, UTC, page=3, old=1, new=1)
        assert ([one.place for one in lone.dots], lone.thousandths) == ([100], 1000)
        two = track(self.VERSIONS[:2], {}, UTC, page=3, old=1, new=2)
        assert ([one.place for one in two.dots], len(two.labels)) == ([0, 100], 5)
        assert [one.text for one in two.labels] == ["12:00", "12:15", "12:30", "12:45", "13:00"]

    def test_places_have_two_decimals(self):
        made = track((version(1, 0), version(2, 1), version(3, 3)), {}, UTC, page=3, old=1, new=2)
        assert [one.place for one in made.dots] == [0, 33.33, 100]
        assert made.thousandths == 333

    def test_versions_of_one_moment_stand_at_the_left(self):
        made = track((version(1, 0), version(2, 0)), {}, UTC, page=3, old=1, new=2)
        assert [one.place for one in made.dots] == [0, 0]
        assert [one.text for one in made.labels] == ["12:00:00"]


@pytest.mark.parametrize(
    ("span", "texts"),
    [
        (timedelta(minutes=5) - timedelta(seconds=4), "12:00:00 12:01:14 12:02:28 12:03:42 12:04:56"),
        (timedelta(minutes=5), "12:00 12:01 12:02 12:03 12:05"),
        (DAY - timedelta(minutes=4), "12:00 17:59 23:58 05:57 11:56"),
        (DAY, "Mon,12:00 Mon,18:00 Tue,00:00 Tue,06:00 Tue,12:00"),
        (5 * DAY - timedelta(hours=4), "Mon,12:00 Tue,17:00 Wed,22:00 Fri,03:00 Sat,08:00"),
        (5 * DAY, "16,Nov 17,Nov 19,Nov 20,Nov 21,Nov"),
        (400 * DAY, "16,Nov 24,Feb 4,Jun 12,Sep 21,Dec"),
        (404 * DAY, "Nov,2026 Feb,2027 Jun,2027 Sep,2027 Dec,2027"),
    ],
)
def test_an_axis_tells_time_as_finely_as_its_span_needs(span: timedelta, texts: str):
    made = list(axis(NOW, NOW + span, UTC))
    assert [one.text.replace(" ", ",") for one in made] == texts.split()
    assert [(one.at, one.anchor, one.thin) for one in made] == [
        (0, "start", False),
        (25, "middle", True),
        (50, "middle", False),
        (75, "middle", True),
        (100, "end", False),
    ]


def test_a_day_has_no_year_and_no_zero():
    assert day(date(2026, 4, 4)) == "4 April"


@pytest.mark.parametrize(
    ("url", "size", "shown"),
    [
        ("https://www.example.org/a", "", '<span class="tile h{}" aria-hidden="true">E</span>'),
        ("https://example.org:8080/b", "large", '<span class="tile h{} large" aria-hidden="true">E</span>'),
        ("example.org", "", '<span class="tile h{}" aria-hidden="true">E</span>'),
    ],
)
def test_a_host_always_has_the_same_letter_and_colour(url: str, size: str, shown: str):
    colour = re.findall(r"h(\d)", tile("https://example.org"))[0]
    assert tile(url, size) == shown.format(colour)


def test_a_host_without_a_name_has_a_globe_and_its_port_counts():
    globe = '<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#i-globe"/></svg>'
    colours = {
        re.sub(
            r'^<span class="tile h([0-7])" aria-hidden="true">' + re.escape(globe) + "</span>$",
            r"\1",
            tile(url),
        )
        for url in (f"http://jill:secret@127.0.0.1:{port}/" for port in range(8000, 8040))
    }
    assert colours == set("01234567")
    assert tile("http://jill@[::1]/") == tile("http://[::1]/")
    assert tile("http://---/").endswith(">?</span>")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.test/", "a.test"),
        ("http://a.test/b/", "a.test/b"),
        ("a.test/b", "a.test/b"),
        ("https://", "https://"),
    ],
)
def test_an_address_is_shown_as_people_read_it(url: str, shown: str):
    assert address(url) == shown


def watched(kind: str, *texts: str, label: str = "") -> Finding:
    return Finding(
        type=kind, objects=tuple(ObjectChange(one, Status.NEW, after=one, label=label) for one in texts)
    )


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (watched("table", "a\nb"), "2 rows"),
        (watched("table: 2", "a"), "1 row"),
        (watched("list", "a\nb\nc"), "3 entries"),
        (watched("list", "a"), "1 entry"),
        (watched("value: css", "5"), "1 value"),
        (watched("product", "a", "b"), "2 facts"),
        (watched("all links", "a", "b"), "2 links"),
        (watched("all images", "a"), "1 image"),
        (watched("text", "a"), "1 part"),
        (watched("any change"), "0 parts"),
        (watched("all links", *map(str, range(1_000))), "1,000 links"),
    ],
)
def test_what_is_watched_is_counted_by_its_kind(finding: Finding, said: str):
    assert things(finding) == said


def test_what_is_watched_is_named_by_its_label_and_its_text():
    assert watched_things(watched("value", "€ 5", label="Price")) == ["Price: € 5"]
    assert watched_things(watched("value", "Price", label="Price")) == ["Price"]
    link = ObjectChange("http://a.test/", Status.NEW, link_text="Tea")
    bare = ObjectChange("http://a.test/", Status.NEW)
    assert watched_things(Finding(type="all links", objects=(link, bare))) == ["Tea", "http://a.test/"]
    assert watched_things(watched("value", "5", label="x" * 80)) == ["x" * 80 + ": 5"]
    (cut,) = watched_things(watched("value", "5", label="x" * 81))
    assert len(cut) <= 83
    assert cut.endswith("…: 5")


def test_a_table_that_is_watched_whole_is_told_row_by_row():
    table = ObjectChange("Shop", Status.NEW, after="A | 1\nB | 2\nC | 3", label="Shop")
    finding = Finding(type="table", objects=(table,))
    assert (things(finding), watched_things(finding)) == ("3 rows", ["A | 1", "B | 2", "C | 3"])
    price = ObjectChange("css", Status.NEW, after="€ 5", label="Aurora lamp · Price")
    value = Finding(type="value", objects=(price,))
    assert (things(value), watched_things(value)) == ("1 value", ["Aurora lamp · Price: € 5"])
