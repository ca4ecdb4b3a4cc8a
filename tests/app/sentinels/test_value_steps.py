"""Steps of followed values: where a range begins, what belongs to a change, and how many changes are read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from webvigil.app.sentinels.values import Series, Step, all_values_of, as_csv, followed, moves_of, rows_of
from webvigil.errors import NotFound
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.life import LifeRecord
from webvigil.model.sentinel import State
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_PIECE, WantedChanges

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def step(hours: float, number: int, change: int = 0) -> Step:
    return Step(NOW - hours * HOUR, f"€ {number}", Decimal(number), change)


STEPS = Series((step(4, 1), step(3, 2, 11), step(2, 3, 12), step(1, 4, 13)), cut=True, label="Price")


class TestSeries:
    @pytest.mark.parametrize(
        ("since", "steps"),
        [
            (None, [(4, 1, 0), (3, 2, 11), (2, 3, 12), (1, 4, 13)]),
            (5, [(4, 1, 0), (3, 2, 11), (2, 3, 12), (1, 4, 13)]),
            (4, [(4, 1, 0), (3, 2, 11), (2, 3, 12), (1, 4, 13)]),
            (3, [(3, 2, 11), (2, 3, 12), (1, 4, 13)]),
            (2.5, [(2.5, 2, 11), (2, 3, 12), (1, 4, 13)]),
            (0, [(0, 4, 13)]),
        ],
    )
    def test_a_range_begins_with_the_value_that_held(
        self, since: float | None, steps: list[tuple[float, int, int]]
    ):
        made = STEPS.within(None if since is None else NOW - since * HOUR)
        assert made.steps == tuple(step(*one) for one in steps)
        assert made.cut is (since in (None, 4, 5)), "what is cut off by the range is not missing"
        assert made.label == "Price"

    def test_nothing_has_no_beginning(self):
        assert Series(()).within(NOW) == Series(())

    @pytest.mark.parametrize(
        ("number", "hours", "left"),
        [(12, 2, 3), (12, 2.5, 3), (12, 3, 3), (11, 3, 2), (9, 1.5, 3), (9, 1, 4)],
    )
    def test_a_change_ends_with_the_step_that_it_told(self, number: int, hours: float, left: int):
        told = replace(change(number), found_at=NOW - hours * HOUR)
        assert STEPS.until(told).steps == STEPS.steps[:left]

    def test_a_change_belongs_to_the_series_that_has_its_step(self):
        assert [STEPS.is_of(change(number)) for number in (11, 13, 14)] == [True, True, False]

    def test_steps_are_rows(self):
        vienna = timezone(HOUR)
        made = Series((step(2, 1), Step(NOW.astimezone(vienna), "1,5 €", Decimal("1.50"), 7)))
        assert rows_of(made) == [
            {"from": "2026-11-16T10:00:00+00:00", "number": "1", "text": "€ 1", "change": None},
            {"from": "2026-11-16T12:00:00+00:00", "number": "1.50", "text": "1,5 €", "change": 7},
        ]
        assert as_csv(made).splitlines()[2].endswith('12:00:00+00:00,1.50,"1,5 €"')
        assert (rows_of(None), as_csv(None).splitlines()) == ([], ["from,number,text"])


def price(before: str | None, after: str | None, place: str = "#a", label: str = "") -> ObjectChange:
    status = Status.NEW if before is None else Status.GONE if after is None else Status.UPDATED
    return ObjectChange(object="b", status=status, before=before, after=after, where=(place,), label=label)


def change(number: int, *prices: ObjectChange, sentinel: str = "tea", page: int = 1, old: int = 1) -> Change:
    """A change that was found at the hour of its number."""
    return Change(
        id=number,
        sentinel=sentinel,
        user="jill",
        page=page,
        url="u",
        old_version=old,
        new_version=2,
        found_at=NOW + number * HOUR,
        findings=(Finding(type="value", objects=prices),),
    )


def test_all_values_and_the_prices_of_products_are_followed():
    cost = ObjectChange(object="price", status=Status.NEW, after="€ 5")
    stock = ObjectChange(object="availability", status=Status.NEW, after="yes")
    assert followed(Finding(type="product", objects=(stock, cost))) == (cost,)
    assert followed(Finding(type="value", objects=(stock, cost))) == (stock, cost)
    assert followed(Finding(type="all links", objects=(cost,))) == ()


class Recorded:
    """Recorded changes, and what was asked for. `versions` are fetched half an hour before the hour of their
    number."""

    def __init__(self, *changes: Change) -> None:
        self._changes = sorted(changes, key=lambda one: -one.id)
        self.asked: list[WantedChanges] = []

    def some(self, wanted: WantedChanges | int, **_: Any) -> list[Any]:
        if isinstance(wanted, int):
            return []
        self.asked.append(wanted)
        found = [
            one
            for one in self._changes
            if wanted.type in (None, one.findings[0].type)
            and wanted.sentinel in (None, one.sentinel)
            and (wanted.sentinels is None or one.sentinel in wanted.sentinels)
            and (wanted.since is None or one.found_at >= wanted.since)
            and (wanted.until is None or one.found_at < wanted.until)
        ]
        return found[: wanted.limit]

    def get(self, page: int, number: int) -> Version:
        if number == 99:
            raise NotFound("collected")
        at = NOW + (number - 0.5) * HOUR
        return Version(
            page=page, number=number, fetched_at=at, url="", status=200, signature="", object="", size=0
        )


INSTALLED = InstalledSentinel(
    id=1,
    user="jill",
    enabled=True,
    name="tea",
    text="",
    state=State.ACTIVE,
    installed_at=NOW - 9 * HOUR,
    pages=(WatchedPage(id=1, url="u", due=None, latest=1, checks=1, failures=0),),
    changes=0,
    life=LifeRecord(installed_at=NOW - 9 * HOUR),
)


def values(*changes: Change, shown: tuple[ObjectChange, ...] = ()) -> list[Series]:
    known: Any = Recorded(*changes)
    return all_values_of(known, known, INSTALLED, [Finding(type="value", objects=shown)])


def told(some: list[Series]) -> list[str]:
    """Each value as its texts, with the hours from which on they hold."""
    return [" ".join(f"{(one.at - NOW) / HOUR:g}:{one.text}" for one in each.steps) for each in some]


@pytest.mark.parametrize(
    ("changes", "shown", "expected"),
    [
        ((), (), []),
        ((), (price(None, "7"),), ["-9:7"]),
        ((), (price(None, "7"), price(None, "8", "#b")), ["-9:7", "-9:8"]),
        ((), (price(None, "none"),), []),
        ((change(1, price("5", "6")),), (), ["-9:5 1:6"]),
        ((change(1, price("5", "6")),), (price(None, "6"),), ["-9:5 1:6"]),
        ((change(1, price("5", "6")),), (price(None, "6", "#moved"),), ["-9:5 1:6"]),
        ((change(1, price("5", "6")),), (price(None, "6"), price(None, "8", "#b")), ["-9:5 1:6", "-9:8"]),
        ((change(1, price(None, "6")),), (), ["1:6"]),
        ((change(1, price("5", "6")), change(4, price("9", "7"), old=3)), (), ["-9:5 1:6 2.5:9 4:7"]),
        ((change(1, price("5", "6")), change(4, price("6", "7"), old=3)), (), ["-9:5 1:6 4:7"]),
        ((change(1, price("5", "6")), change(4, price("9", "7"), old=99)), (), ["-9:5 1:6 4:7"]),
        ((change(1, price("5", "6")), change(4, price("9", "7"), old=1)), (), ["-9:5 1:6 4:7"]),
        (
            (change(1, price("5", "6"), price("1", "2", "#b")), change(2, price("2", "3", "#b"))),
            (),
            ["-9:1 1:2 2:3", "-9:5 1:6"],
        ),
        ((change(1, price("5", "6"), price("1", "2", "#b")),), (), ["-9:5 1:6", "-9:1 1:2"]),
        ((change(1, price("5", "6"), price("1", None, "#b")),), (), ["-9:5 1:6"]),
        (
            (
                change(1, price("5", "6", label="Tea"), price("1", "2", "#b", "Cake")),
                change(2, price("6", "7", "#c", "Tea")),
            ),
            (),
            ["-9:5 1:6 2:7", "-9:1 1:2"],
        ),
        (
            (
                change(1, price("5", "6", label="Price"), price("1", "2", "#b", "Price")),
                change(2, price("2", "3", "#b", "Price"), price("6", "7", "#a", "Price")),
            ),
            (),
            ["-9:5 1:6 2:7", "-9:1 1:2 2:3"],
        ),
    ],
)
def test_each_value_is_told_from_its_first_look_on(
    changes: tuple[Change, ...], shown: tuple[ObjectChange, ...], expected: list[str]
):
    made = values(*changes, shown=shown)
    assert told(made) == expected
    assert {one.others for one in made} <= {len(expected) - 1}


def test_a_value_from_an_archive_begins_there():
    assert told(values(change(1, price("5", "6"), old=-20))) == ["-20.5:5 1:6"]
    assert told(values(change(1, price("5", "6"), old=0))) == ["-9:5 1:6"]


def test_what_is_older_than_the_changes_that_are_read_is_cut():
    many = [change(number, price(str(number - 1), str(number))) for number in range(1, LARGEST_PIECE + 1)]
    (whole,) = values(*many[1:])
    assert (whole.cut, whole.steps[0].at) == (False, NOW - 9 * HOUR)
    (cut,) = values(*many)
    assert (cut.cut, cut.steps[0].at) == (True, NOW + HOUR)


class TestLines:
    """The small lines of a list: few changes are read for all sentinels together."""

    def test_the_value_before_the_first_move_is_the_first_step(self):
        known: Any = Recorded(change(1, price("5", "6")), change(2, price("6", "4")))
        (line,) = moves_of(known, "jill", {"tea": 2}, NOW).values()
        assert [(one.text, one.at, one.change) for one in line.steps] == [
            ("5", NOW + HOUR, 0),
            ("6", NOW + HOUR, 1),
            ("4", NOW + 2 * HOUR, 2),
        ]
        assert not line.cut

    def test_what_did_not_move_or_is_several_has_no_line(self):
        known: Any = Recorded(
            change(1, price(None, "6"), sentinel="new"),
            change(2, price("1", "2"), price("3", "4", "#b"), sentinel="two"),
            change(3, price("1", "2"), sentinel="one"),
            change(4, price("a", "b"), sentinel="text"),
        )
        assert list(moves_of(known, "jill", dict.fromkeys(("new", "two", "one", "text"), 1), NOW)) == ["one"]

    @pytest.mark.parametrize(("busy", "each"), [(1, 48), (6, 48), (7, 42), (25, 12), (26, 12)])
    def test_busy_sentinels_are_read_apart_and_share_what_is_read(self, busy: int, each: int):
        known: Any = Recorded()
        moves_of(known, "jill", {f"s{number}": 201 for number in range(busy)}, NOW)
        assert [(one.sentinel, one.limit) for one in known.asked] == [
            (f"s{number}", each) for number in range(busy)
        ]

    def test_two_hundred_changes_are_read_together(self):
        known: Any = Recorded()
        moves_of(known, "jill", {"many": 150, "few": 20, "some": 30, "one": 1}, NOW)
        together, apart = known.asked
        assert (together.sentinels, together.limit, apart.sentinel) == (("one", "few", "some"), 200, "many")
        known.asked.clear()
        moves_of(known, "jill", {"many": 150, "few": 20, "some": 30}, NOW)
        assert [one.sentinels for one in known.asked] == [("few", "some", "many")]
        known.asked.clear()
        assert moves_of(known, "jill", {}, NOW) == {}
        assert known.asked == []

    @pytest.mark.parametrize(("number", "cut"), [(47, False), (48, True)])
    def test_a_line_tells_that_there_are_older_changes(self, number: int, *, cut: bool):
        known: Any = Recorded(*(change(one, price(str(one), str(one + 1))) for one in range(1, number + 1)))
        assert moves_of(known, "jill", {"tea": 201}, NOW)["tea"].cut is cut
