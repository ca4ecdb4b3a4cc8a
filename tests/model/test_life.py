"""What is known of the life of a sentinel: its state, when it warns of its end, and how long it rests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from webvigil.model.life import LifeRecord, is_endless, rests_until, state_of, warning_before
from webvigil.model.sentinel import State

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
WAITING = LifeRecord(installed_at=START, next_at=START + 20 * DAY)
WITHIN = replace(WAITING, within=True, started_at=START)


@pytest.mark.parametrize(("days", "before"), [(10, DAY), (70, 7 * DAY), (71, 7 * DAY), (69, 6.9 * DAY)])
def test_the_end_is_warned_of_by_a_tenth_of_the_span_and_at_most_a_week(days: int, before: timedelta):
    end = START + days * DAY
    assert warning_before(replace(WITHIN, next_at=end)) == end - before


@pytest.mark.parametrize(
    "life",
    [WAITING, replace(WITHIN, warned=True), replace(WITHIN, next_at=None), replace(WITHIN, started_at=None)],
)
def test_no_warning_without_a_known_end_and_a_second_one(life: LifeRecord):
    assert warning_before(life) is None


@pytest.mark.parametrize(
    ("life", "days", "rests"),
    [
        (WITHIN, 17, True),  # it warns on the 18th day
        (WITHIN, 18, False),
        (replace(WITHIN, warned=True), 19, True),
        (replace(WITHIN, warned=True), 20, False),
        (WAITING, 19, True),
        (WAITING, 20, False),
        (replace(WAITING, next_at=None), 0, False),  # an event may come
        (replace(WAITING, over=True), 99, True),
        (replace(WAITING, failure="x"), 99, True),
    ],
)
def test_a_life_rests_until_its_next_boundary_or_warning(life: LifeRecord, days: int, rests: bool):
    assert rests_until(life, START + days * DAY) is rests


@pytest.mark.parametrize(
    ("life", "enabled", "state"),
    [
        (WITHIN, True, State.ACTIVE),
        (WAITING, True, State.WAITING),
        (WITHIN, False, State.DISABLED),
        (replace(WITHIN, over=True), False, State.EXPIRED),
        (replace(WITHIN, over=True, failure="x"), True, State.FAILED),
    ],
)
def test_the_state_of_a_life(life: LifeRecord, enabled: bool, state: State):
    assert state_of(life, enabled=enabled) is state


def test_a_life_is_endless_within_a_span_without_an_end():
    never = datetime.max.replace(tzinfo=UTC)
    assert [is_endless(replace(one, next_at=end)) for one in (WITHIN, WAITING) for end in (never, START)] == [
        True,
        False,
        False,
        False,
    ]
    assert not is_endless(replace(WITHIN, next_at=None))
