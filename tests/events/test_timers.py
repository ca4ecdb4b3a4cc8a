"""The heap of timers: which goes first, what is left after cancelling, and when somebody is woken."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.events.timers import FEW, Rank, Timer, TimerQueue

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def owner(rank: Rank = Rank.RELATIVE, number: int = 1) -> Any:
    return SimpleNamespace(rank=rank, number=number)


def since(moment: datetime) -> Any:
    """Returns a window that was opened at this moment."""
    return SimpleNamespace(since=moment)


def all_of(queue: TimerQueue, now: datetime = NOON + timedelta(days=1)) -> list[Timer]:
    found = []
    while (timer := queue.pop(now)) is not None:
        found.append(timer)
    return found


def test_timers_go_off_by_time_then_kind_then_definition_then_start_then_order():
    queue = TimerQueue()
    expected = [
        queue.set(NOON - SECOND, owner(Rank.PERIODIC, 9)),
        queue.set(NOON, owner(Rank.ABSOLUTE, 3)),
        queue.set(NOON, owner(Rank.RELATIVE, 2), since(NOON - SECOND)),
        queue.set(NOON, owner(Rank.RELATIVE, 2), since(NOON)),
        queue.set(NOON, owner(Rank.RELATIVE, 2), since(NOON)),
        queue.set(NOON, owner(Rank.RELATIVE, 3), since(NOON - 9 * SECOND)),
        queue.set(NOON, owner(Rank.PERIODIC, 1)),
    ]
    assert list(queue) == expected
    assert all_of(queue) == expected


def test_the_order_of_setting_does_not_matter_otherwise():
    queue = TimerQueue()
    late = queue.set(NOON + SECOND, owner(Rank.ABSOLUTE))
    periodic = queue.set(NOON, owner(Rank.PERIODIC))
    relative = queue.set(NOON, owner(Rank.RELATIVE))
    absolute = queue.set(NOON, owner(Rank.ABSOLUTE))
    assert all_of(queue) == [absolute, relative, periodic, late]


def test_a_timer_goes_off_at_its_time_and_not_before():
    queue = TimerQueue()
    assert (queue.next_due(), queue.pop(NOON)) == (None, None)
    timer = queue.set(NOON, owner())
    assert queue.pop(NOON - timedelta(microseconds=1)) is None
    assert queue.next_due() == NOON
    assert queue.pop(NOON) is timer
    assert queue.pop(NOON) is None


def test_a_cancelled_timer_is_passed_over():
    queue = TimerQueue()
    timers = [queue.set(NOON + number * SECOND, owner(), since(NOON)) for number in range(4)]
    for number in (0, 2):
        queue.cancel(timers[number])
        assert (timers[number].owner, timers[number].window) == (None, None)
    assert list(queue) == [timers[1], timers[3]]
    assert queue.next_due() == NOON + SECOND
    assert all_of(queue) == [timers[1], timers[3]]
    assert queue.next_due() is None


def test_who_sleeps_is_woken_for_an_earlier_timer_only():
    queue, woken = TimerQueue(), list[int]()
    queue.set(NOON, owner())
    queue.on_sooner = lambda: woken.append(1)
    for due, times in ((NOON + SECOND, 0), (NOON, 0), (NOON - SECOND, 1), (NOON - SECOND, 1), (NOON, 1)):
        queue.set(due, owner())
        assert len(woken) == times


@pytest.mark.parametrize(
    ("timers", "cancelled", "kept"),
    [
        (FEW, FEW, FEW),
        (FEW + 1, FEW + 1, 0),
        (2 * (FEW + 1) - 1, FEW + 1, FEW),
        (2 * (FEW + 1), FEW + 1, 2 * (FEW + 1)),
        (2 * (FEW + 1), FEW + 2, FEW),
    ],
)
def test_the_heap_is_rebuilt_when_more_than_half_of_many_timers_are_cancelled(
    timers: int, cancelled: int, kept: int
):
    queue = TimerQueue()
    made = [queue.set(NOON + number * SECOND, owner()) for number in range(timers)]
    for timer in made[timers - cancelled :]:
        queue.cancel(timer)
    assert len(queue._heap) == kept
    assert all_of(queue) == made[: timers - cancelled]


def test_the_count_of_cancelled_timers_begins_anew_after_a_rebuild_and_sinks_with_each_that_is_dropped():
    queue = TimerQueue()
    for round_ in range(2):
        made = [queue.set(NOON + number * SECOND, owner()) for number in range(FEW + 1)]
        for timer in made[:-1]:
            queue.cancel(timer)
        assert len(queue._heap) == FEW + 1, f"round {round_}"
        queue.cancel(made[-1])
        assert len(queue._heap) == 0
    made = [queue.set(NOON + number * SECOND, owner()) for number in range(3)]
    for timer in made[:2]:
        queue.cancel(timer)
    assert (queue._cancelled, queue.next_due()) == (2, made[2].due)
    assert queue._cancelled == 0
