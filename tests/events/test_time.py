"""Clocks, timers and temporal events (E1, E4, E6)."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.events.play import HOUR, NEW_YEAR, SECOND, Play
from webvigil.errors import EventRefused, NotFound
from webvigil.events import (
    At,
    Context,
    Detector,
    Not,
    Occurrence,
    Pattern,
    Pending,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Rule,
    VirtualClock,
)

A, B, C = Primitive("a"), Primitive("b"), Primitive("c")
START, END = Primitive("start"), Primitive("end")
DAY = 24 * HOUR


# --- The clock ---------------------------------------------------------------------------------------


def test_a_year_passes_in_a_second(play: Play) -> None:
    play.watch(Periodic(START, HOUR, END))
    play.raise_("start")
    began = time.process_time()
    play.clock.advance(365 * DAY)
    assert len(play.seen) == 365 * 24
    assert time.process_time() - began < 1


def test_time_stands_still_unless_it_is_advanced(play: Play) -> None:
    assert play.clock.now() == play.clock.now() == NEW_YEAR
    play.clock.advance(HOUR)
    play.clock.advance(to=NEW_YEAR + DAY)
    play.clock.advance()
    assert play.clock.now() == NEW_YEAR + DAY


@pytest.mark.parametrize("step", [{"by": -SECOND}, {"to": NEW_YEAR - SECOND}, {"by": timedelta.max}])
def test_time_runs_forward_only_and_not_beyond_the_calendar(play: Play, step: dict[str, timedelta]) -> None:
    with pytest.raises(EventRefused):
        play.clock.advance(**step)  # type: ignore[arg-type]
    assert play.clock.now() == NEW_YEAR


def test_a_clock_needs_a_time_zone_and_answers_in_utc() -> None:
    with pytest.raises(EventRefused, match="has no time zone"):
        VirtualClock(datetime(2026, 1, 1))
    clock = VirtualClock(datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now() == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert clock.now().tzinfo is UTC


def test_several_detectors_live_by_one_clock(play: Play) -> None:
    other = Detector(play.clock)
    other.add(Rule(name="other", event=At(NEW_YEAR + HOUR), action=play.seen.append))
    play.watch(At(NEW_YEAR + 2 * HOUR))
    other.add(Rule(name="more", event=At(NEW_YEAR + 3 * HOUR), action=play.seen.append))
    play.clock.advance(DAY)
    assert play.times() == [HOUR, 2 * HOUR, 3 * HOUR]
    play.clock.detach(other)
    other.add(Rule(name="late", event=At(NEW_YEAR + 2 * DAY), action=play.seen.append))
    play.clock.advance(7 * DAY)
    assert play.times() == []


class WallClock:
    """A clock that a test sets by hand; setting it sets off no timers."""

    def __init__(self) -> None:
        self.time = NEW_YEAR

    def now(self) -> datetime:
        return self.time


def test_a_clock_that_is_set_back_does_not_turn_the_order_of_events() -> None:
    clock, seen = WallClock(), list[Occurrence]()
    detector = Detector(clock)
    detector.add(Rule(name="watch", event=A, action=seen.append))
    detector.raise_event("a")
    clock.time -= HOUR
    detector.raise_event("a")
    assert [told.end for told in seen] == [NEW_YEAR, NEW_YEAR]
    assert seen[0].moment < seen[1].moment


# --- At, Plus, Periodic ------------------------------------------------------------------------------


def test_an_absolute_time_comes_once(play: Play) -> None:
    play.watch(At(datetime(2026, 1, 1, 5, tzinfo=timezone(timedelta(hours=2)))))
    play.clock.advance(DAY)
    assert play.times() == [3 * HOUR]


def test_a_time_that_has_passed_does_not_come(play: Play) -> None:
    play.watch(At(NEW_YEAR - SECOND), name="past")
    play.watch(At(NEW_YEAR), name="present")
    play.clock.advance(DAY)
    assert play.times() == []


def test_a_sentinel_lives_from_a_date_to_a_date(play: Play) -> None:
    """Fetch_s1 = P(12/02, 2 days, 01/02): the periods stop when the end comes (JIT 4.3)."""
    detector = play.detector
    for name, at in (("start", DAY), ("end", 7 * DAY)):
        rule = Rule(name=name, event=At(NEW_YEAR + at), action=lambda _, n=name: detector.raise_event(n))
        detector.add(rule)
    play.watch(Periodic(START, 2 * DAY, END))
    play.clock.advance(30 * DAY)
    assert play.times() == [3 * DAY, 5 * DAY]


def test_an_event_that_does_not_come_in_time(play: Play) -> None:
    """The event means: no answer b came within an hour of the question a."""
    play.watch(Not(A, B, Plus(A, HOUR)))
    play.raise_("a")
    play.clock.advance(30 * 60 * SECOND)
    play.raise_("b")
    play.clock.advance(DAY)
    assert play.times() == []
    play.raise_("a")
    play.clock.advance(DAY)
    assert play.times() == [30 * 60 * SECOND + DAY + HOUR]


def test_intervals_beyond_the_calendar_never_end(play: Play) -> None:
    for number, event in enumerate([Plus(A, timedelta.max), Periodic(A, timedelta.max, B)]):
        play.watch(event, name=f"{number}")
    play.raise_("a")
    assert play.detector.pending() == []


# --- Ties (documented in docs/decisions/event-semantics.md) ------------------------------------------


def test_what_is_raised_at_the_same_time_has_the_order_of_raising(play: Play) -> None:
    play.watch(A >> B)
    play.raise_("b")
    play.raise_("a")
    assert play.told() == []
    play.raise_("b")
    assert play.told() == ["a.1 b.2"]


def test_timers_go_off_before_what_is_raised_at_the_same_time(play: Play) -> None:
    play.watch(Periodic(A, HOUR, B))
    play.raise_("a")
    play.clock.advance(HOUR)
    play.raise_("b")
    play.clock.advance(DAY)
    assert play.times() == [HOUR]


def test_timers_due_together_go_off_absolute_first_then_relative_then_periodic(play: Play) -> None:
    order: list[str] = []
    for event in (
        Periodic(A, HOUR, B),
        Plus(A, HOUR),
        At(NEW_YEAR + HOUR),
        At(NEW_YEAR + HOUR) >> Plus(A, HOUR),
    ):
        play.detector.add(Rule(name=str(event), event=event, action=lambda it: order.append(it.name[:2])))
    play.raise_("a")
    play.clock.advance(HOUR)
    assert order == ["at", "(a", "(a", "P("]


def test_an_end_at_a_set_time_comes_before_the_period_of_that_time(play: Play) -> None:
    play.watch(Periodic(A, HOUR, At(NEW_YEAR + 3 * HOUR)))
    play.raise_("a")
    play.clock.advance(DAY)
    assert play.times() == [HOUR, 2 * HOUR]


# --- Another interval while it runs (E4) -------------------------------------------------------------


def test_a_new_interval_counts_from_the_last_occurrence(play: Play) -> None:
    fetch = Periodic(START, 4 * HOUR, END)
    play.watch(fetch)
    play.raise_("start")
    play.clock.advance(5 * HOUR)
    play.detector.retime(fetch, 3 * HOUR)
    play.clock.advance(to=NEW_YEAR + 10 * HOUR)
    assert play.times() == [4 * HOUR, 7 * HOUR, 10 * HOUR]


def test_before_the_first_occurrence_it_counts_from_the_start(play: Play) -> None:
    fetch = Periodic(START, 4 * HOUR, END)
    play.watch(fetch)
    play.raise_("start")
    play.clock.advance(HOUR)
    play.detector.retime(fetch, 2 * HOUR)
    play.clock.advance(4 * HOUR)
    assert play.times() == [2 * HOUR, 4 * HOUR]


def test_a_new_interval_that_is_over_already_is_over_at_once(play: Play) -> None:
    fetch = Periodic(START, 12 * HOUR, END)
    play.watch(fetch)
    play.raise_("start")
    play.clock.advance(5 * HOUR)
    play.detector.retime(fetch, 2 * HOUR)
    play.clock.advance(2 * HOUR)
    assert play.times() == [5 * HOUR, 7 * HOUR]


def test_a_new_interval_may_count_from_now(play: Play) -> None:
    fetch = Periodic(START, 4 * HOUR, END)
    play.watch(fetch)
    play.raise_("start")
    play.clock.advance(5 * HOUR)
    play.detector.retime(fetch, 3 * HOUR, since="now")
    play.clock.advance(6 * HOUR)
    assert play.times() == [4 * HOUR, 8 * HOUR, 11 * HOUR]


def test_a_rule_tunes_the_interval_of_its_own_event(play: Play) -> None:
    """A best-effort rule doubles the interval each time it finds nothing changed (VIG 4.6)."""
    fetch = Periodic(START, HOUR, END)
    waits = [2 * HOUR, 4 * HOUR, 8 * HOUR]

    def tune(occurrence: Occurrence) -> None:
        play.seen.append(occurrence)
        if waits:
            play.detector.retime(fetch, waits.pop(0))

    play.detector.add(Rule(name="tune", event=fetch, action=tune))
    play.raise_("start")
    play.clock.advance(DAY)
    assert play.times() == [HOUR, 3 * HOUR, 7 * HOUR, 15 * HOUR, 23 * HOUR]


@pytest.mark.parametrize("make", [Periodic, PeriodicStar])
def test_every_running_window_gets_the_new_interval(play: Play, make: type[Periodic]) -> None:
    fetch = make(START, 10 * HOUR, END)
    play.watch(fetch, Context.CONTINUOUS)
    play.raise_("start")
    play.clock.advance(HOUR)
    play.raise_("start")
    play.detector.retime(fetch, 3 * HOUR, context=Context.CONTINUOUS)
    play.raise_("start")
    due = [pending.at for pending in play.detector.pending()]
    assert due == [NEW_YEAR + hours * HOUR for hours in (3, 4, 4)]


def test_only_a_periodic_event_somebody_listens_to_has_an_interval(play: Play) -> None:
    fetch = Periodic(START, HOUR, END)
    with pytest.raises(NotFound, match="no rule is on P\\(start, 1:00:00, end\\) in the context recent"):
        play.detector.retime(fetch, HOUR)
    play.watch(fetch)
    with pytest.raises(EventRefused, match="longer than nothing"):
        play.detector.retime(fetch, timedelta(0))


# --- Late, and rebuilt (E6) --------------------------------------------------------------------------


def test_a_late_period_stands_for_all_that_were_missed(play: Play) -> None:
    clock, seen = WallClock(), list[Occurrence]()
    detector = Detector(clock)
    detector.add(Rule(name="watch", event=Periodic(START, HOUR, END), action=seen.append))
    detector.raise_event("start")
    clock.time += 7 * HOUR + 10 * SECOND
    assert detector.catch_up() == 1
    assert [told.end - NEW_YEAR for told in seen] == [HOUR]
    assert detector.next_due() == NEW_YEAR + 8 * HOUR


def test_a_late_calendar_event_does_so_too() -> None:
    clock, seen = WallClock(), list[Occurrence]()
    detector = Detector(clock)
    detector.add(Rule(name="watch", event=Pattern(hour=9), action=seen.append))
    clock.time += 5 * DAY
    assert detector.catch_up() == 1
    assert detector.next_due() == NEW_YEAR + 5 * DAY + 9 * HOUR


def test_for_a_late_rule_the_present_is_the_time_of_its_event() -> None:
    clock, seen = WallClock(), list[Occurrence]()
    detector = Detector(clock)

    def go_on(occurrence: Occurrence) -> None:
        detector.add(Rule(name="then", event=At(NEW_YEAR + 2 * HOUR), action=seen.append))

    detector.add(Rule(name="first", event=At(NEW_YEAR + HOUR), action=go_on))
    clock.time += DAY
    detector.catch_up()
    assert [told.end - NEW_YEAR for told in seen] == [2 * HOUR]


def test_what_is_due_can_be_done_in_portions(play: Play) -> None:
    clock, seen = WallClock(), list[Occurrence]()
    detector = Detector(clock)
    for number in range(10):
        detector.add(
            Rule(name=f"{number}", event=At(NEW_YEAR + number * SECOND + SECOND), action=seen.append)
        )
    clock.time += HOUR
    assert [detector.catch_up(4), len(seen), detector.catch_up(4), detector.catch_up(4)] == [4, 4, 4, 2]


def test_pending_lists_what_is_to_come(play: Play) -> None:
    fetch, delay, date = Periodic(START, 6 * HOUR, END, name="fetch"), Plus(A, DAY), At(NEW_YEAR + 9 * HOUR)
    for event in (fetch, delay, date):
        play.watch(event, name=str(event))
    play.tell("start a")
    play.detector.retime(fetch, 5 * HOUR)
    play.clock.advance(6 * HOUR)
    pending = play.detector.pending()
    assert [(one.event, one.at, one.last, one.interval) for one in pending] == [
        (date, NEW_YEAR + 9 * HOUR, None, None),
        (fetch, NEW_YEAR + SECOND + 10 * HOUR, NEW_YEAR + SECOND + 5 * HOUR, 5 * HOUR),
        (delay, NEW_YEAR + 2 * SECOND + DAY, NEW_YEAR + 2 * SECOND, None),
    ]


def test_a_period_goes_on_in_its_phase(play: Play) -> None:
    fetch = Periodic(START, 6 * HOUR, END)
    play.watch(fetch)
    play.detector.resume(Pending(event=fetch, last=NEW_YEAR - 2 * HOUR))
    play.clock.advance(DAY)
    assert play.times() == [4 * HOUR, 10 * HOUR, 16 * HOUR, 22 * HOUR]
    play.raise_("end")
    play.clock.advance(DAY)
    assert play.times() == []


def test_a_period_missed_meanwhile_comes_at_once_and_once(play: Play) -> None:
    fetch = Periodic(START, 6 * HOUR, END)
    play.watch(fetch)
    play.detector.resume(Pending(event=fetch, last=NEW_YEAR - 20 * HOUR))
    play.clock.advance()
    assert play.times() == [timedelta(0)]
    play.clock.advance(DAY)
    assert play.times() == [4 * HOUR, 10 * HOUR, 16 * HOUR, 22 * HOUR]


def test_a_delay_can_be_resumed_by_when_it_is_due(play: Play) -> None:
    play.watch(Plus(A, DAY))
    play.detector.resume(Pending(event=Plus(A, DAY), at=NEW_YEAR + HOUR))
    (told,) = play.detector.pending()
    assert told.last == NEW_YEAR + HOUR - DAY
    play.clock.advance(DAY)
    assert play.times() == [HOUR]


def test_nothing_is_resumed_without_a_time_or_a_listener(play: Play) -> None:
    with pytest.raises(NotFound):
        play.detector.resume(Pending(event=Plus(A, DAY), last=NEW_YEAR))
    play.watch(Plus(A, DAY))
    with pytest.raises(EventRefused, match="when it last occurred, or is due"):
        play.detector.resume(Pending(event=Plus(A, DAY)))


FETCH = Periodic(START, 3 * SECOND, END)
EVENTS = [
    FETCH,
    Periodic(A, 2 * SECOND, END, name="other"),
    Plus(A, 4 * SECOND),
    At(NEW_YEAR + 9 * SECOND),
    Pattern(minute=None, second=(0, 7, 20)),
]
steps = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["start", "end", "a"])), max_size=12)


@pytest.mark.parametrize("context", Context)
@settings(max_examples=60, deadline=None)
@given(before=steps, after=steps, other_interval=st.none() | st.integers(1, 5))
def test_a_rebuilt_detector_goes_on_as_if_it_had_never_stopped(
    context: Context, before: list[tuple[int, str]], after: list[tuple[int, str]], other_interval: int | None
) -> None:
    clock = VirtualClock(NEW_YEAR)
    kept: list[tuple[datetime, str]] = []
    rebuilt: list[tuple[datetime, str]] = []
    old = with_events(clock, context, kept)
    live(clock, old, before)
    running = FETCH in [pending.event for pending in old.pending()]
    if other_interval is not None and running:
        old.retime(FETCH, other_interval * SECOND, context=context)
        clock.advance()
    new = with_events(clock, context, rebuilt)
    for pending in old.pending():
        new.resume(pending)
    kept.clear()
    for gap, name in [*after, (10, "a")]:
        clock.advance(gap * SECOND)
        old.raise_event(name)
        new.raise_event(name)
    assert rebuilt == kept


def with_events(clock: VirtualClock, context: Context, seen: list[tuple[datetime, str]]) -> Detector:
    detector = Detector(clock)
    for event in EVENTS:
        rule = Rule(
            name=str(event),
            event=event,
            context=context,
            action=lambda it: seen.append((it.end, describe(it))),
        )
        detector.add(rule)
    return detector


def describe(occurrence: Occurrence) -> str:
    return f"{occurrence.name} from {[part.end for part in occurrence.constituents]}"


def live(clock: VirtualClock, detector: Detector, steps: list[tuple[int, str]]) -> None:
    for gap, name in steps:
        clock.advance(gap * SECOND)
        detector.raise_event(name)
