"""The chart of a value, to the pixel: strokes, labels, what is listed below it, and what is said of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from webvigil.app.sentinels.values import Series, Step
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.web.axis import Label
from webvigil.web.chart import (
    Chart,
    Move,
    Spark,
    Stroke,
    beginning,
    chart,
    like,
    moves,
    since_of,
    spark,
    stepped,
    value_name,
)

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def step(days: float, number: str, text: str = "") -> Step:
    return Step(NOW - days * DAY, text or number, Decimal(number))


def series(*numbers: str, **about: str) -> Series:
    """A value that had these numbers, one a day."""
    count = len(numbers)
    return Series(tuple(step(count - place, one) for place, one in enumerate(numbers)), **about)


def drawn(*numbers: str) -> Chart:
    return chart(series(*numbers), NOW, UTC)


def test_a_chart_has_everything_that_the_page_shows():
    first, then, last = (
        step(30, "1349", "€ 1,349.00"),
        step(15, "1299", "€ 1,299.00"),
        step(3, "1279", "€ 1,279.00"),
    )
    made = chart(Series((first, then, last), others=2, cut=True), NOW, UTC, "30")
    assert made == Chart(
        strokes=(
            Stroke(0, 50, 30.2, None, first.text, first.at),
            Stroke(50, 90, 142.2, 30.2, then.text, then.at),
            Stroke(90, 100, 187, 142.2, last.text, last.at),
        ),
        across=(
            Label(0, "17 Oct", "start"),
            Label(25, "25 Oct", thin=True),
            Label(50, "1 Nov"),
            Label(75, "9 Nov", thin=True),
            Label(100, "Now", "end"),
        ),
        upright=(Label(200, "1,275"), Label(144, "1,300"), Label(88, "1,325"), Label(32, "1,350")),
        first=first,
        last=last,
        lowest=last,
        highest=first,
        against="€\u00a070.00 (5.2\u00a0%) less than 30 days ago",
        rows=(last, then, first),
        moved=2,
        dots=True,
        cut=True,
        others=2,
        height=228,
        top=28,
        bottom=196,
    )
    assert [(one.width, one.depth) for one in made.strokes] == [(50, 165.8), (40, 53.8), (10, 9)]


def test_places_have_two_decimals_and_heights_have_one():
    (one, two, three) = drawn("1", "3", "2").strokes
    assert (one.right, two.left, two.right, three.left) == (33.33, 33.33, 66.67, 66.67)
    assert (two.width, three.width) == (33.34, 33.33)
    heights = drawn("1", "3", "2.7").strokes[2]
    assert (heights.y, heights.depth) == (53.2, 142.8)
    assert [one.at for one in drawn("0", "3").upright] == [200, 144, 88, 32]


def test_a_value_of_this_moment_has_a_second_of_room():
    made = chart(Series((Step(NOW - 3 * SECOND, "1", Decimal(1)), Step(NOW, "2", Decimal(2)))), NOW, UTC)
    assert [(one.left, one.right) for one in made.strokes] == [(0, 75), (75, 100)]
    later = stepped([step(0, "10"), Step(NOW + 3 * SECOND, "20", Decimal(20))], NOW, NOW, (96, 28))
    assert later == ("M2.0 24.0H71.0V3.0H94", 3.0)


def test_a_value_of_now_and_one_from_before_its_beginning_are_drawn_inside():
    assert stepped([step(8, "10"), step(4, "20")], NOW - 4 * DAY, NOW, (96, 28)) == (
        "M2.0 24.0H2.0V3.0H94",
        3.0,
    )
    third = stepped([step(3, "1"), step(2, "4"), step(1, "2")], NOW - 3 * DAY, NOW, (96, 28))
    assert third == ("M2.0 24.0H32.7V3.0H63.3V17.0H94", 17.0)
    assert stepped([step(3, "0"), step(2, "8"), step(1, "3")], NOW - 3 * DAY, NOW, (96, 28))[1] == 16.1


def test_a_small_line_stands_in_its_box():
    first, last = step(4, "10"), step(2, "20")
    assert spark(Series((first, last)), NOW) == Spark("M2.0 52.0H144.0V3.0H286", first, last)
    three = Series((first, step(3, "15"), last))
    assert spark(three, NOW) == Spark("M2.0 52.0H73.0V27.5H144.0V3.0H286", first, last)


@pytest.mark.parametrize(
    ("numbers", "labels"),
    [
        (("0",), "-1.0 -0.5 0.0 0.5 1.0"),
        (("7",), "6.0 6.5 7.0 7.5 8.0"),
        (("-20",), "-22 -21 -20 -19 -18"),
        (("100",), "90 95 100 105 110"),
        (("-5", "3"), "-5.0 -2.5 0.0 2.5 5.0"),
        (("1", "2"), "1.00 1.25 1.50 1.75 2.00"),
        (("0", "3"), "0 1 2 3"),
        (("0", "4"), "0 1 2 3 4"),
        (("0", "7"), "0 2 4 6 8"),
        (("0", "8"), "0 2 4 6 8"),
        (("0", "9"), "0.0 2.5 5.0 7.5 10.0"),
        (("1", "11"), "0 5 10 15"),
        (("0", "12"), "0 5 10 15"),
        (("0", "20"), "0 5 10 15 20"),
        (("0", "21"), "0 10 20 30"),
        (("21", "58"), "20 30 40 50 60"),
        (("19", "58"), "0 20 40 60"),
        (("9", "49"), "0 20 40 60"),
        (("0", "100"), "0 25 50 75 100"),
        (("0.001", "0.0012"), "0.00100 0.00105 0.00110 0.00115 0.00120"),
        (("0.000001", "0.000005"), "0.000001 0.000002 0.000003 0.000004 0.000005"),
        (("0.0000001", "0.0000005"), "1e-07 2e-07 3e-07 4e-07 5e-07"),
        (("9999996", "9999999"), "9,999,996 9,999,997 9,999,998 9,999,999"),
        (("0", "8000000"), "0 2,000,000 4,000,000 6,000,000 8,000,000"),
        (("0", "10000000"), "0 2.5e+06 5e+06 7.5e+06 1e+07"),
        (("-10000000", "0"), "-1e+07 -7.5e+06 -5e+06 -2.5e+06 0"),
        (("0.0000000000001",), "9e-14 9.5e-14 1e-13 1.05e-13 1.1e-13"),
        (
            ("9007199254740993", "9007199254740996"),
            "9,007,199,254,740,993 9,007,199,254,740,994 9,007,199,254,740,995 9,007,199,254,740,996",
        ),
        (
            ("1", "1.0000000000000003"),
            "1.0000000000000000 1.0000000000000001 1.0000000000000002 1.0000000000000003",
        ),
    ],
)
def test_an_axis_has_round_numbers_around_all_values(numbers: tuple[str, ...], labels: str):
    assert " ".join(one.text for one in drawn(*numbers).upright) == labels


def test_numbers_with_sixty_digits_are_drawn():
    made = drawn("1" * 60, "1" * 59 + "3")
    assert [one.y for one in made.strokes] == [196, 28]
    assert len({one.text for one in made.upright}) == len(made.upright)
    assert spark(series("1" * 60, "1" * 59 + "3"), NOW).path == "M2.0 52.0H144.0V3.0H286"


class TestManySteps:
    def test_sixty_steps_have_dots_and_sixty_one_have_none(self):
        assert drawn(*map(str, range(60))).dots
        assert not drawn(*map(str, range(61))).dots

    def test_the_newest_hundred_are_listed_and_the_others_are_counted(self):
        hundred = drawn(*map(str, range(100)))
        assert (len(hundred.rows), hundred.older, hundred.moved) == (100, 0, 99)
        more = drawn(*map(str, range(101)))
        assert (len(more.rows), more.older, more.rows[0].text, more.rows[-1].text) == (100, 1, "100", "1")

    def test_240_steps_are_drawn_one_by_one_and_more_by_their_column(self):
        crowded = [
            step(240, "0"),
            *(Step(NOW - n * SECOND, str(n % 9), Decimal(n % 9)) for n in range(239, 0, -1)),
        ]
        assert len(chart(Series(tuple(crowded)), NOW, UTC).strokes) == 240
        assert len(chart(Series((*crowded, step(0, "3"))), NOW, UTC).strokes) == 4
        evenly = [Step(NOW - (480 - place) * DAY, str(place % 7), Decimal(place % 7)) for place in range(480)]
        assert len(chart(Series(tuple(evenly)), NOW, UTC).strokes) == 480, "two steps in each column"
        hasty = [Step(NOW - 240 * DAY, "0", Decimal(0))]
        hasty += [Step(NOW - DAY / 2 + n * SECOND, str(n), Decimal(n)) for n in (5, 3, 9, 1, 4, 6)]
        calm = [step(days, "2") for days in range(239, 0, -1)]
        made = chart(Series((hasty[0], *calm, *hasty[1:])), NOW, UTC)
        assert [one.text for one in made.strokes[-3:]] == ["9", "1", "6"], "the highest, the lowest, the last"

    def test_a_column_is_a_240th_of_the_time(self):
        """Ten steps a column: the lowest, the highest and the last of each, which here is the highest."""
        many = [
            Step(NOW - (2400 - place) * DAY, str(place % 10), Decimal(place % 10)) for place in range(2400)
        ]
        texts = [one.text for one in chart(Series(tuple(many)), NOW, UTC).strokes]
        assert texts == ["0", "9"] * 240


class TestMoves:
    def test_the_largest_fall_comes_first_and_what_stayed_last(self):
        every = [
            series("5", "5", label="stayed", place="p1"),
            series("10", "30", "15", label="rose", place="p2"),
            series("10", "50", "8", label="fell", place="p3"),
            series("10", "9", "2", place="p4"),
            series("0", "3", label="from nothing", place="p5"),
            series("-10", "-5", label="below zero", place="p6"),
        ]
        assert moves(every) == [
            Move("p4", "p4", "10", "2", "−8 (−80.0\u00a0%)"),
            Move("fell", "p3", "10", "8", "−2 (−20.0\u00a0%)"),
            Move("from nothing", "p5", "0", "3", "+3"),
            Move("rose", "p2", "10", "15", "+5 (+50.0\u00a0%)"),
            Move("below zero", "p6", "-10", "-5", "+5 (+50.0\u00a0%)"),
            Move("stayed", "p1", "5", "5", ""),
        ]

    def test_less_than_one_more_is_more(self):
        (one,) = moves([series("1", "1.5")])
        assert one.step == "+0.5 (+50.0\u00a0%)"
        assert drawn("1", "1.5").against == "0.5 (50.0\u00a0%) more than at the first look"

        (one,) = moves([series("1", "0.5")])
        assert one.step == "−0.5 (−50.0\u00a0%)"

    def test_a_share_that_is_too_small_has_no_sign(self):
        (one,) = moves([series("10000", "9999")])
        assert one.step == "−1 (under 0.1\u00a0%)"

    def test_thirty_values_are_listed(self):
        assert len(moves([series("1", str(number + 2)) for number in range(30)])) == 30
        assert [one.last for one in moves([series("1", str(n + 2)) for n in range(31)])] == [
            str(number + 2) for number in range(30)
        ]


def value(label: str, where: tuple[str, ...] = ()) -> Finding:
    one = ObjectChange(object="b", status=Status.UPDATED, before="1", after="2", label=label, where=where)
    return Finding(type="value", objects=(one,))


@pytest.mark.parametrize(
    ("findings", "place", "name"),
    [
        ([], "", "Value"),
        ([value("")], "", "Value"),
        ([value("Price")], "", "Price"),
        ([value("Polaris sofa · Price")], "", "Price"),
        ([value("Shop · Polaris sofa · Price")], "", "Price"),
        ([value("Sofa · Price"), value("Lamp · Price")], "", "Sofa · Price"),
        ([value("Sofa · Price"), value("Lamp · Price")], "Lamp · Price", "Lamp · Price"),
        ([value("Sofa · Price", ("#a",)), value("Lamp · Price", ("#b", "#c"))], "#c", "Lamp · Price"),
        ([value("Sofa · Price", ("#a",)), value("Lamp · Price", ("#b",))], "#x", "Sofa · Price"),
        ([value("", ("#a",)), value("Lamp · Price", ("#b",))], "#a", "Value"),
        ([value(""), value("Lamp · Price")], "#x", "Lamp · Price"),
    ],
)
def test_a_value_is_called_by_its_label(findings: list[Finding], place: str, name: str):
    assert value_name(findings, place) == name


@pytest.mark.parametrize(
    ("first", "range_", "words"),
    [
        (NOW - 30 * DAY, "30", "30 days ago"),
        (NOW - 30 * DAY + SECOND, "30", "at the first look"),
        (NOW - 31 * DAY, "30", "30 days ago"),
        (NOW - 365 * DAY, "365", "1 year ago"),
        (NOW - 7 * DAY, "7", "7 days ago"),
        (NOW - 999 * DAY, "all", "at the first look"),
        (NOW - 999 * DAY, "8", "at the first look"),
    ],
)
def test_the_beginning_of_a_chart_is_told(first: datetime, range_: str, words: str):
    assert beginning(Step(first, "1", Decimal(1)), NOW, range_) == words


@pytest.mark.parametrize(
    ("range_", "days"), [("7", 7), ("30", 30), ("365", 365), ("8", None), ("all", None), ("", None)]
)
def test_only_the_offered_ranges_have_a_beginning(range_: str, days: int | None):
    assert since_of(range_, NOW) == (days and NOW - days * DAY)


@pytest.mark.parametrize(
    ("text", "number", "written"),
    [
        ("no number", "1234.5", "1,234.5"),
        ("1.279 €", "1270", "1.270\u00a0€"),
        ("1.279", "1270.25", "1.270,25"),
        ("1,5 kg", "2", "2,0\u00a0kg"),
        ("1.5 kg", "1000.25", "1,000.25\u00a0kg"),
        ("5", "10", "10"),
        ("5", "1.23456", "1.2346"),
        ("5 BTC", "0.00000012", "0.00000012\u00a0BTC"),
        ("5 BTC", "0.000123456", "0.00012\u00a0BTC"),
        ("5 BTC", "0.0012345", "0.0012\u00a0BTC"),
        ("+5 %", "3", "3\u00a0%"),
        ("−5 %", "3", "3\u00a0%"),
        ("twelve long 5", "3", "twelve\u00a0long\u00a03"),
        ("thirteen abc 5", "3", "3"),
        ("5 thirteen abc", "3", "3"),
        ("5 twelve long", "3", "3\u00a0twelve\u00a0long"),
        ("  €  5.00  ", "1", "€\u00a01.00"),
        ("1,234.567 m", "1", "1\u00a0m"),
    ],
)
def test_a_difference_is_written_as_the_text_writes_its_number(text: str, number: str, written: str):
    assert like(text, Decimal(number)) == written
