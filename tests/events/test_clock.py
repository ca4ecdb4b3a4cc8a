"""The virtual clock sets off what is attached to it, and times and intervals are checked on their way in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from webvigil.errors import EventRefused, NotFound
from webvigil.events import Context, Detector, Periodic, Plus, Primitive, Rule, VirtualClock
from webvigil.events.clock import SystemClock
from webvigil.events.detector import Pending
from webvigil.events.runner import LONGEST_SLEEP, SHORTEST_SLEEP, Runner
from webvigil.events.times import in_utc, later, positive

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
A, B = Primitive("a"), Primitive("b")


class Alarm:
    """Something with timers at fixed times, which notes when each of them goes off."""

    def __init__(self, clock: VirtualClock, name: str, *due: datetime, noted: list[Any]) -> None:
        self._clock, self._name, self._due, self._noted = clock, name, list(due), noted

    def next_due(self) -> datetime | None:
        return self._due[0] if self._due else None

    def catch_up(self) -> int:
        self._due.pop(0)
        self._noted.append((self._name, self._clock.now() - NOON))
        return 1


def test_timers_go_off_in_order_each_at_its_own_time_and_the_first_attached_first():
    clock, noted = VirtualClock(NOON), list[Any]()
    one = Alarm(clock, "one", NOON + SECOND, NOON + 3 * SECOND, noted=noted)
    two = Alarm(clock, "two", NOON - SECOND, NOON + SECOND, NOON + 4 * SECOND, noted=noted)
    assert clock.next_due() is None
    clock.attach(one)
    assert clock.next_due() == NOON + SECOND
    clock.attach(two)
    assert clock.next_due() == NOON - SECOND
    clock.advance(3 * SECOND)
    assert noted == [("two", 0 * SECOND), ("one", SECOND), ("two", SECOND), ("one", 3 * SECOND)]
    assert (clock.now(), clock.next_due()) == (NOON + 3 * SECOND, NOON + 4 * SECOND)
    clock.detach(two)
    clock.advance(to=NOON + 9 * SECOND)
    assert (len(noted), clock.now(), clock.next_due()) == (4, NOON + 9 * SECOND, None)


def test_a_clock_may_be_advanced_by_nothing_and_not_into_the_past():
    clock = VirtualClock(NOON)
    clock.advance()
    clock.advance(to=NOON)
    with pytest.raises(EventRefused) as caught:
        clock.advance(-SECOND)
    assert str(caught.value) == f"it is {NOON}: no way from there to {-SECOND}"
    with pytest.raises(EventRefused) as caught:
        clock.advance(to=NOON - SECOND)
    assert str(caught.value) == f"it is {NOON}: no way from there to {NOON - SECOND}"
    assert clock.now() == NOON


def test_the_machines_clock_is_in_utc():
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert abs(datetime.now(UTC) - now) < timedelta(minutes=1)


def test_times_and_intervals_are_checked():
    east = datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    assert (in_utc(east), in_utc(east).tzinfo) == (NOON, UTC)
    with pytest.raises(EventRefused) as caught:
        in_utc(datetime(2026, 1, 1))
    assert str(caught.value) == (
        "the time 2026-01-01 00:00:00 has no time zone; write it as 2026-01-01 00:00:00+00:00"
    )
    least = timedelta(microseconds=1)
    assert positive(least) == least
    for wrong in (timedelta(0), -least):
        with pytest.raises(EventRefused) as caught:
            positive(wrong)
        assert str(caught.value) == f"an interval must be longer than nothing, not {wrong}"
    assert later(NOON, SECOND) == NOON + SECOND
    assert later(NOON, timedelta.max) is None


@pytest.mark.parametrize(
    ("interval", "sleeps"),
    [
        (None, LONGEST_SLEEP),
        (timedelta(seconds=29), 29.0),
        (timedelta(seconds=31), LONGEST_SLEEP),
        (timedelta(seconds=0.01), SHORTEST_SLEEP),
        (timedelta(seconds=0.06), 0.06),
    ],
)
def test_the_runner_sleeps_until_the_next_timer_within_bounds(interval: timedelta | None, sleeps: float):
    detector = Detector(VirtualClock(NOON))
    if interval:
        detector.add(Rule(name="r", event=Plus(A, interval), action=str))
        detector.raise_event("a")
    assert Runner(detector)._until_next() == sleeps


def detector_with(event: Any) -> Detector:
    made = Detector(VirtualClock(NOON))
    made.add(Rule(name="r", event=event, action=str))
    return made


PERIOD = Periodic(A, SECOND, B)


@pytest.mark.parametrize(
    ("do", "error", "words"),
    [
        (lambda one: one.remove("x"), NotFound, "there is no rule 'x'"),
        (lambda one: one.enable("x"), NotFound, "there is no rule 'x'"),
        (
            lambda one: one.add(Rule(name="r", event=A, action=str)),
            EventRefused,
            "there is a rule 'r' already",
        ),
        (
            lambda one: one.retime(Periodic(B, SECOND, A), SECOND),
            NotFound,
            "no rule is on P(b, 0:00:01, a) in the context recent",
        ),
        (
            lambda one: one.resume(Pending(event=PERIOD)),
            EventRefused,
            "to resume P(a, 0:00:01, b) it must be said when it last occurred, or is due",
        ),
    ],
)
def test_what_a_detector_refuses_it_says(do: Callable[[Detector], None], error: type[Exception], words: str):
    with pytest.raises(error) as caught:
        do(detector_with(PERIOD))
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("pending", "due"),
    [
        (Pending(event=PERIOD, last=NOON), NOON + SECOND),
        (Pending(event=PERIOD, at=NOON + 7 * SECOND), NOON + 7 * SECOND),
        (Pending(event=PERIOD, last=NOON, at=NOON + 3 * SECOND), NOON + 3 * SECOND),
        (Pending(event=PERIOD, last=NOON, interval=5 * SECOND), NOON + 5 * SECOND),
    ],
)
def test_a_resumed_event_is_due_as_it_was(pending: Pending, due: datetime):
    detector = detector_with(PERIOD)
    detector.resume(pending)
    (again,) = detector.pending()
    assert (again.at, again.event, again.context) == (due, PERIOD, Context.RECENT)
    assert again.interval == (pending.interval or SECOND)
    assert again.last == (pending.last or due - SECOND)
    assert [one.name for one in again.starts] == ["a"]
