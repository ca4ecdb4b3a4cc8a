"""Sentinels live as their texts say: in time, tied to each other, through any number of restarts (V5, E5,
E6)."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.model import history, lives
from webvigil.events import VirtualClock
from webvigil.model.life import Crossing, LifeEvent, LifeRecord, state_of
from webvigil.model.sentinel import AtEvent, AtTime, LifeSpan, Sentinel, State, WebPage
from webvigil.rules.life import A_YEAR, Life, in_vain, newborn, time_of, warning_time
from webvigil.rules.life_rules import Lives, Step

NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)
CROSSED = {Crossing.STARTED: "start", Crossing.ENDED: "end"}


class World:
    """Lives on a virtual clock, which can be stopped and continued from the stored records."""

    def __init__(self) -> None:
        self.clock = VirtualClock(NOW)
        self.kept: dict[str, Life] = {}
        self.events: list[LifeEvent] = []
        self.lives = Lives(self.clock, self.keep)

    def keep(self, step: Step) -> None:
        assert self.kept[step.after.name].record == step.before
        self.kept[step.after.name] = step.after
        self.events += step.events

    def install(self, name: str, *spans: LifeSpan) -> None:
        sentinel = Sentinel(name=name, target=WebPage("http://a/"), life=spans)
        life, events = newborn(sentinel, UTC, self.clock.now(), self.record)
        self.kept[name] = life
        self.events += events
        self.lives.take_up("jill", [life])

    def record(self, name: str) -> LifeRecord | None:
        return self.kept[name].record if name in self.kept else None

    def restart(self, *, asleep: timedelta = timedelta(0)) -> None:
        """Simulates the death of the process: the next process has the stored records and a clock that went
        on."""
        now = self.clock.now()
        now += asleep
        times = [time for life in self.kept.values() for time in (life.record.next_at, warning_time(life))]
        self.clock = VirtualClock(min([now, *filter(None, times)]))
        self.lives = Lives(self.clock, self.keep)
        self.lives.take_up("jill", list(self.kept.values()))
        self.clock.advance(to=now)

    def run(self, until: datetime) -> None:
        self.clock.advance(to=until)
        assert self.lives.failures == []

    def state(self, name: str) -> State:
        return state_of(self.kept[name].record, enabled=True)

    def history(self) -> list[tuple[datetime, str, str]]:
        return sorted((one.at, one.sentinel, CROSSED[one.what]) for one in self.events if one.what in CROSSED)


def at(days: float) -> AtTime:
    return AtTime(NOW + days * DAY)


def test_by_default_a_sentinel_lives_from_now_for_a_year():  # L4
    world = World()
    world.install("s")
    assert world.state("s") is State.ACTIVE
    world.run(NOW + A_YEAR)
    assert world.state("s") is State.EXPIRED
    assert [(one.what, one.at) for one in world.events] == [
        (Crossing.STARTED, NOW),
        (Crossing.EXPIRING, NOW + A_YEAR - timedelta(days=7)),
        (Crossing.ENDED, NOW + A_YEAR),
        (Crossing.EXPIRED, NOW + A_YEAR),
    ]


def test_a_sentinel_waits_for_its_time():
    world = World()
    world.install("s", LifeSpan(at(2), at(5)))
    assert world.state("s") is State.WAITING
    world.run(NOW + 2 * DAY)
    assert world.state("s") is State.ACTIVE
    world.run(NOW + 5 * DAY)
    assert world.state("s") is State.EXPIRED


def test_a_sentinel_tied_to_the_end_of_another_starts_that_much_later():
    world = World()
    world.install("s1", LifeSpan(None, at(3)))
    world.install("s2", LifeSpan(AtEvent("end", "s1", 2 * DAY), AtTime(None, 30 * DAY)))
    world.run(NOW + 40 * DAY)
    assert world.history() == [
        (NOW, "s1", "start"),
        (NOW + 3 * DAY, "s1", "end"),
        (NOW + 5 * DAY, "s2", "start"),
        (NOW + 30 * DAY, "s2", "end"),
    ]


def test_during_an_active_sentinel_means_now():
    world = World()
    world.install("s1", LifeSpan(None, at(3)))
    world.run(NOW + DAY)
    world.install("s2", LifeSpan(AtEvent("during", "s1"), AtEvent("end", "s1")))
    assert world.state("s2") is State.ACTIVE
    world.run(NOW + 3 * DAY)
    assert world.state("s2") is State.EXPIRED


def test_during_a_waiting_sentinel_means_when_it_starts():
    world = World()
    world.install("s1", LifeSpan(at(2), at(3)))
    world.install("s2", LifeSpan(AtEvent("during", "s1"), at(9)))
    assert world.state("s2") is State.WAITING
    world.run(NOW + 2 * DAY)
    assert world.state("s2") is State.ACTIVE


def test_a_sentinel_may_have_several_life_spans():
    world = World()
    world.install("s", LifeSpan(at(1), at(2)), LifeSpan(at(4), at(5)))
    states = []
    for day in range(7):
        world.run(NOW + day * DAY)
        states.append(str(world.state("s")))
    assert states == ["waiting", "active", "waiting", "waiting", "active", "expired", "expired"]


def test_the_start_of_this_moment_counts():
    """In one file the second sentinel is tied to the start of the first, which starts at once."""
    world = World()
    world.install("s1")
    world.install("s2", LifeSpan(AtEvent("start", "s1"), at(5)))
    assert world.state("s2") is State.ACTIVE


def test_an_end_that_has_passed_before_the_start_ends_it_at_once():
    world = World()
    world.install("s1", LifeSpan(None, at(1)))
    world.install("s2", LifeSpan(at(3), AtEvent("end", "s1")))
    world.run(NOW + 4 * DAY)
    assert world.history()[-2:] == [(NOW + 3 * DAY, "s2", "end"), (NOW + 3 * DAY, "s2", "start")]


def test_who_waits_for_a_removed_sentinel_fails_with_the_reason():
    world = World()
    world.install("s1", LifeSpan(at(2), at(3)))
    world.install("s2", LifeSpan(AtEvent("start", "s1"), at(9)))
    del world.kept["s1"]
    world.lives.remove("jill", "s1")
    assert world.state("s2") is State.FAILED
    assert "'s1' that it waits for was removed" in world.kept["s2"].record.failure


def test_removing_an_active_sentinel_is_its_end():
    world = World()
    world.install("s1")
    world.install("s2", LifeSpan(AtEvent("end", "s1"), at(9)))
    world.run(NOW + DAY)
    del world.kept["s1"]
    world.lives.remove("jill", "s1")
    assert world.state("s2") is State.ACTIVE


@pytest.mark.parametrize(("plus", "ends"), [(0, 4), (5, 6), (9, 10)])
def test_who_should_end_with_a_start_that_was_before_ends_by_that_start(plus: int, ends: int):
    """The other sentinel started on day 1 and is over on day 4."""
    day = [NOW + number * DAY for number in range(12)]
    waits = LifeSpan(at(0), AtEvent("start", "s1", plus * DAY))
    within = LifeRecord(installed_at=NOW, within=True, started_at=NOW)
    gone = LifeRecord(installed_at=NOW, over=True, started_at=day[1], ended_at=day[4])
    life, events = in_vain(
        Life("s2", (waits,), UTC, within), Life("s1", (LifeSpan(at(1), at(4)),), UTC, gone), day[4]
    )
    assert (life.record.next_at, events) == (day[ends], [])


def test_who_should_end_with_a_start_that_never_was_ends_that_much_later():
    waits = LifeSpan(at(0), AtEvent("start", "s1", 2 * DAY))
    within = LifeRecord(installed_at=NOW, within=True, started_at=NOW)
    never = LifeRecord(installed_at=NOW, over=True)
    life, _ = in_vain(Life("s2", (waits,), UTC, within), Life("s1", (), UTC, never), NOW + DAY)
    assert life.record.next_at == NOW + 3 * DAY


def test_users_with_the_same_names_do_not_disturb_each_other():
    world = World()
    world.install("s1", LifeSpan(at(1), at(2)))
    lives = []
    for name, span in (("s1", LifeSpan(at(3), at(4))), ("s2", LifeSpan(AtEvent("start", "s1"), at(9)))):
        sentinel = Sentinel(name=name, target=WebPage("http://a/"), life=(span,))
        lives.append(newborn(sentinel, UTC, NOW, lambda _: None)[0])
    started: list[datetime] = []
    world.lives = Lives(
        world.clock, lambda step: started.extend(e.at for e in step.events if e.sentinel == "s2")
    )
    world.lives.take_up("jill", [world.kept["s1"]])
    world.lives.take_up("jack", lives)
    world.run(NOW + 5 * DAY)
    assert started == [NOW + 3 * DAY]


def test_a_sentinel_removed_while_nobody_looked_is_missed_later():
    world = World()
    world.install("s1", LifeSpan(at(2), at(3)))
    world.install("s2", LifeSpan(AtEvent("start", "s1"), at(9)))
    world.install("s3", LifeSpan(None, AtEvent("end", "s1")))
    del world.kept["s1"]
    world.restart()
    assert (world.state("s2"), world.state("s3")) == (State.FAILED, State.EXPIRED)


def test_what_was_missed_happens_at_its_own_time():
    world = World()
    world.install("s1", LifeSpan(None, at(3)))
    world.install("s2", LifeSpan(AtEvent("end", "s1", DAY), at(9)))
    world.install("s3", LifeSpan(AtEvent("end", "s2", DAY), at(20)))
    world.restart(asleep=30 * DAY)
    assert [time for time, *_ in world.history()] == [NOW + days * DAY for days in (0, 3, 4, 9, 10, 20)]


def test_a_warning_is_given_once_however_often_we_restart():
    world = World()
    world.install("s", LifeSpan(None, at(10)))
    for _ in range(12):
        world.restart(asleep=DAY)
    assert [one.at for one in world.events if one.what is Crossing.EXPIRING] == [NOW + 9 * DAY]


@pytest.mark.parametrize(
    ("time", "zone", "expected"),
    [
        (datetime(2026, 7, 1), "UTC", datetime(2026, 7, 1, tzinfo=UTC)),
        (datetime(2026, 7, 1), "Europe/Berlin", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        (datetime(2026, 3, 29, 2, 30), "Europe/Berlin", datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
        (datetime(2026, 10, 25, 2, 30), "Europe/Berlin", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        (datetime(2028, 2, 29), "America/New_York", datetime(2028, 2, 29, 5, tzinfo=UTC)),
        (datetime(9999, 12, 31, 23, 59), "America/New_York", datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
    ],
)
def test_dates_are_meant_in_the_users_zone(time: datetime, zone: str, expected: datetime):  # L5
    assert time_of(AtTime(time), NOW, ZoneInfo(zone)) == expected


def test_the_end_of_time_is_no_trouble():
    world = World()
    world.install("s", LifeSpan(None, AtTime(datetime(9999, 12, 31, tzinfo=UTC), timedelta(days=400))))
    world.run(NOW + 10 * A_YEAR)
    assert world.state("s") is State.ACTIVE


# Small numbers of days are drawn often, so that boundaries of several sentinels fall on the same moment.
days = (st.integers(0, 60) | st.integers(0, 3)).map(lambda number: number * DAY)


def _at(day: int) -> AtTime:
    return AtTime(NOW + day * DAY)


def _when(event: str, sentinel: str, plus: int = 0) -> AtEvent:
    return AtEvent(event, sentinel, plus * DAY)


AT_ONE_MOMENT = {
    "it is not active any more at the moment of its end": [
        ("s0", (LifeSpan(_at(2), _at(3)),)),
        ("s1", (LifeSpan(_when("during", "s0", 1), _at(2)), LifeSpan(_when("during", "s0"), _at(2)))),
    ],
    "nor if it ends because another does": [
        ("s0", (LifeSpan(_at(1), _at(5)),)),
        ("s1", (LifeSpan(_when("during", "s0", 2), _when("end", "s0")),)),
        ("s2", (LifeSpan(_at(2), _at(0)),)),
        ("s3", (LifeSpan(None, _when("end", "s2", 3)), LifeSpan(_when("during", "s1", 1), _at(2)))),
    ],
    "the last end counts, not the one before": [
        ("s0", (LifeSpan(None, _at(0)), LifeSpan(None, _at(2)))),
        (
            "s1",
            (LifeSpan(_when("end", "s0", 1), _at(2)), LifeSpan(_when("end", "s0", 5), _when("end", "s0"))),
        ),
    ],
    "what waits for a start hears that there was one": [
        ("s0", (LifeSpan(_at(1), _at(1)),)),
        ("s1", (LifeSpan(_at(0), _when("start", "s0", 1)),)),
        (
            "s2",
            (
                LifeSpan(_when("during", "s0", 1), _at(1)),
                LifeSpan(_when("during", "s1", 2), _when("start", "s1", 5)),
            ),
        ),
    ],
}


@pytest.mark.parametrize("name", AT_ONE_MOMENT)
@pytest.mark.parametrize("asleep", [0, 1, 3])
def test_boundaries_at_one_moment_come_in_the_order_of_what_relies_on_what(name: str, asleep: int):  # E5, E6
    world = World()
    for sentinel, spans in AT_ONE_MOMENT[name]:
        world.install(sentinel, *spans)
    if asleep:
        world.run(NOW + DAY)
        world.restart(asleep=asleep * DAY)
    end = NOW + 2 * A_YEAR
    world.run(end)
    assert world.history() == history(lives(AT_ONE_MOMENT[name], NOW), end)


@st.composite
def related(draw: st.DrawFn) -> list[tuple[str, tuple[LifeSpan, ...]]]:
    """Draws sentinels with one or two life spans that name earlier sentinels."""
    count = draw(st.integers(1, 8))
    sentinels: list[tuple[str, tuple[LifeSpan, ...]]] = []
    for number in range(count):
        earlier = [name for name, _ in sentinels]
        spans = tuple(draw(_span(earlier)) for _ in range(draw(st.integers(1, 2))))
        sentinels.append((f"s{number}", spans))
    return sentinels


def _span(earlier: list[str]) -> st.SearchStrategy[LifeSpan]:
    times = days.map(lambda plus: AtTime(NOW + plus)) | days.map(lambda plus: AtTime(None, plus))
    if not earlier:
        return st.builds(LifeSpan, st.none() | times, st.none() | times)
    names = st.sampled_from(earlier)
    starts = st.builds(AtEvent, st.sampled_from(["start", "end", "during"]), names, days)
    ends = st.builds(AtEvent, st.sampled_from(["start", "end"]), names, days)
    return st.builds(LifeSpan, st.none() | times | starts, st.none() | times | ends)


@given(related())
@settings(max_examples=120, deadline=None)
def test_lives_follow_from_the_definitions(sentinels: list[tuple[str, tuple[LifeSpan, ...]]]):
    world = World()
    for name, spans in sentinels:
        world.install(name, *spans)
    end = NOW + 2 * A_YEAR
    world.run(end)
    assert world.history() == history(lives(sentinels, NOW), end)


@given(related(), st.lists(st.tuples(days, days), max_size=6))
@settings(max_examples=80, deadline=None)
def test_restarts_change_nothing(
    sentinels: list[tuple[str, tuple[LifeSpan, ...]]], naps: list[tuple[timedelta, timedelta]]
):
    undisturbed, restarted = World(), World()
    for world in (undisturbed, restarted):
        for name, spans in sentinels:
            world.install(name, *spans)
    for awake, asleep in naps:
        restarted.run(restarted.clock.now() + awake)
        restarted.restart(asleep=asleep)
    end = NOW + 3 * A_YEAR
    undisturbed.run(end)
    restarted.run(end)
    assert sorted(restarted.events, key=str) == sorted(undisturbed.events, key=str)
    assert restarted.kept == undisturbed.kept


def test_a_year_of_five_hundred_related_sentinels_with_restarts_is_the_same_year():
    dice = random.Random(2026)
    sentinels = [(f"s{number}", _some_spans(dice, number)) for number in range(500)]
    undisturbed, restarted = World(), World()
    for world in (undisturbed, restarted):
        for name, spans in sentinels:
            world.install(name, *spans)
    end = NOW + A_YEAR
    while restarted.clock.now() < end - 30 * DAY:
        restarted.run(restarted.clock.now() + dice.uniform(0, 10) * DAY)
        restarted.restart(asleep=dice.uniform(0, 3) * DAY)
    undisturbed.run(end)
    restarted.run(end)
    assert restarted.history() == undisturbed.history() == history(lives(sentinels, NOW), end)
    assert restarted.kept == undisturbed.kept
    assert len(undisturbed.history()) > 600


def _some_spans(dice: random.Random, number: int) -> tuple[LifeSpan, ...]:
    spans = []
    for _ in range(dice.choice([1, 1, 2, 3])):
        plus = dice.randrange(0, 40) * DAY
        tied = number > 0 and dice.random() < 0.7
        name = f"s{dice.randrange(max(0, number - 20), number)}" if tied else ""
        start = AtEvent(dice.choice(["start", "end", "during"]), name, plus) if tied else AtTime(NOW + plus)  # type: ignore[arg-type]
        end = AtTime(NOW + dice.randrange(1, 300) * DAY)
        if tied and dice.random() < 0.3:
            spans.append(LifeSpan(start, AtEvent("end", name, plus)))
        else:
            spans.append(LifeSpan(start, end))
    return tuple(spans)


def test_the_life_of_a_sentinel_is_known_by_its_owner_and_name():
    world = World()
    world.install("s", LifeSpan(at(2), at(5)))
    assert world.lives.life("jill", "s") is world.lives.all()[0][1]
    assert (world.lives.life("jack", "s"), world.lives.life("jill", "t")) == (None, None)


@pytest.mark.parametrize("order", ["abc", "acb", "bac", "bca", "cab", "cba"])
def test_what_ends_at_one_moment_ends_in_one_way_whichever_is_looked_at_first(order: str):
    """While c is active, b waits in vain for another start of c, and ends when c is over. So a, whose second
    span would begin while b is active, waits for a start that does not come."""
    world = World()
    world.install("c", LifeSpan(None, at(3)))
    world.run(NOW + DAY)
    world.install("b", LifeSpan(None, AtEvent("start", "c")))
    world.install("a", LifeSpan(None, at(3)), LifeSpan(AtEvent("during", "b"), at(9)))
    world.kept = {name: world.kept[name] for name in order}
    world.restart()
    world.events.clear()
    world.run(NOW + 4 * DAY)
    assert [(one.sentinel, one.what) for one in world.events if one.what is not Crossing.EXPIRING] == [
        ("c", Crossing.ENDED),
        ("c", Crossing.EXPIRED),
        ("b", Crossing.ENDED),
        ("b", Crossing.EXPIRED),
        ("a", Crossing.ENDED),
        ("a", Crossing.FAILED),
    ]
    assert world.record("a") is not None
    assert world.kept["a"].record.failure == "the sentinel 'b' that it waits for has ended"


def test_a_life_that_is_due_goes_on_though_a_sentinel_behind_it_was_removed_meanwhile():
    world = World()
    world.install("c", LifeSpan(at(2), at(9)))
    world.install("b", LifeSpan(AtEvent("start", "c")))
    world.install("a", LifeSpan(None, at(1)), LifeSpan(AtEvent("start", "b"), at(9)))
    del world.kept["c"]
    world.restart(asleep=2 * DAY)
    assert world.lives.failures == []
    assert (NOW + DAY, "a", "end") in world.history()
    assert world.kept["b"].record.failure == "the sentinel 'c' that it waits for was removed"


def test_a_year_has_365_days():
    assert timedelta(days=365) == A_YEAR
