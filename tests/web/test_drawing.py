"""The pictures of the dashboard: the value over time, the calendar of changes, the track of the time
machine."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from webvigil.app.sentinels.values import Series, Step
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.version import Version
from webvigil.web.activity import pulse, with_line
from webvigil.web.axis import axis
from webvigil.web.calendar import WEEKS, Square, calendar
from webvigil.web.calendar import since_of as first_moment
from webvigil.web.chart import BOTTOM, TOP, Chart, chart, like, since_of, stepped
from webvigil.web.drawn import things, watched_things
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


def test_a_table_that_is_watched_whole_is_told_row_by_row():
    table = ObjectChange("Shop", Status.NEW, after="A | 1\nB | 2\nC | 3", label="Shop")
    finding = Finding(type="table", objects=(table,))
    assert (things(finding), watched_things(finding)) == ("3 rows", ["A | 1", "B | 2", "C | 3"])
    price = ObjectChange("css", Status.NEW, after="€ 5", label="Aurora lamp · Price")
    value = Finding(type="value", objects=(price,))
    assert (things(value), watched_things(value)) == ("1 value", ["Aurora lamp · Price: € 5"])
