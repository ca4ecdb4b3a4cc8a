"""Fetch rules (F1): the flow looks, stores and compares exactly when a model on the event detector does."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pace.world import DAY, HOUR, MINUTE, MONDAY, ScriptedPage, World
from tests.store.making import remove_for_good
from webvigil.events import Detector, Periodic, Primitive, Rule, VirtualClock
from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis
from webvigil.model.work import Watch
from webvigil.pace.learned import Learned
from webvigil.pace.pacing import Pacing
from webvigil.pace.policy import Bounds, Observation
from webvigil.rules.fetch import FetchRule, first_of, next_step, rules_of

URL = "http://site.test/"
BOUNDS = Bounds(MINUTE, 6 * HOUR)


def watch(interval: Millis, next_at: Millis) -> Watch:
    return Watch(sentinel=1, user="jill", name="s", text="", interval=interval, next_at=next_at, reference=0)


def test_there_is_one_rule_for_each_interval_and_start_and_one_for_all_on_change():
    watches = [watch(60, 10), watch(60, 10), watch(60, 20), watch(90, 10), watch(0, 40), watch(0, 30)]
    assert rules_of(watches) == (
        FetchRule(10, 60),
        FetchRule(10, 90),
        FetchRule(20, 60),
        FetchRule(30, 0),
    )


def test_a_page_that_nobody_watches_is_never_due():
    assert first_of(rules_of([])).next_at == NEVER


def test_a_rule_keeps_its_grid_whatever_was_missed():
    rule = FetchRule(100, 60)
    assert rule.after_look(99, 0).next_at == 100
    assert rule.after_look(100, 0).next_at == 160
    assert rule.after_look(345, 0).next_at == 400
    assert FetchRule(100, 0).after_look(100, 777).next_at == 777


# --- The model -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Watcher:
    """A sentinel that is installed at minute `start` and removed half a minute after minute `end`; interval
    0: on change."""

    interval: int
    start: int
    end: int


@dataclass
class Model:
    """A model of the fetch rules: one periodic event per interval, and one whose interval changes after each
    look (E4)."""

    watchers: list[Watcher]
    changes: list[Millis]
    looks: list[Millis] = field(default_factory=list)
    found: list[tuple[int, Millis, int, int]] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)
    versions: list[int] = field(
        default_factory=list
    )  # for each version, how many changes of the page it contains
    alive: set[int] = field(default_factory=set)
    learnt: Any = None
    learnt_version: int = 0
    before: int = 0

    def run(self, until: Millis) -> None:
        self.policy = Learned(bounds=BOUNDS)
        self.clock = VirtualClock(as_datetime(MONDAY))
        self.detector = Detector(self.clock)
        self.effort = Periodic(Primitive("effort"), timedelta(days=365), Primitive("no effort"))
        self.detector.add(Rule(name="effort", event=self.effort, action=lambda _: self.look(None)))
        for number, one in enumerate(self.watchers):
            if one.interval:
                interval = timedelta(minutes=one.interval)
                event = Periodic(Primitive(f"start {number}"), interval, Primitive(f"end {number}"))
                self.detector.add(
                    Rule(name=f"every {number}", event=event, action=lambda _, n=number: self.look(n))
                )
        for at, number, name in sorted(life for life in self._lives() if life[0] < until):
            self.clock.advance(to=as_datetime(at))
            self._live(number, name)
        self.clock.advance(to=as_datetime(until - 1))

    def _lives(self):
        for number, one in enumerate(self.watchers):
            yield MONDAY + one.start * MINUTE, number, "start"
            yield MONDAY + one.end * MINUTE + MINUTE // 2, number, "end"

    def _live(self, number: int, name: str) -> None:
        on_change = not self.watchers[number].interval
        if name == "end":
            self.alive.discard(number)
            if on_change and not self.efforts:
                self.detector.raise_event("no effort")
        self.detector.raise_event(f"{name} {number}")
        if name == "start":
            self.alive.add(number)
            # A sentinel that is installed during a look has not seen the version that this look brings.
            looking = bool(self.looks) and self.looks[-1] == as_millis(self.clock.now())
            self.known[number] = self.before if looking else len(self.versions)
            if on_change and len(self.efforts) == 1:
                self.detector.raise_event("effort")
            self.look(number)

    @property
    def efforts(self) -> list[int]:
        return [number for number in self.alive if not self.watchers[number].interval]

    def look(self, by: int | None) -> None:
        now = as_millis(self.clock.now())
        if not self.looks or self.looks[-1] != now:
            self.looks.append(now)
            self.before = len(self.versions)
            if self.version(now) not in self.versions:
                self.versions.append(self.version(now))
        for number in {*([] if by is None else [by]), *self.efforts}:
            self.evaluate(number, now)
        if self.efforts:
            self.learn(now)

    def evaluate(self, number: int, now: Millis) -> None:
        newest = len(self.versions)
        if 0 < self.known[number] < newest:
            self.found.append((number, now, self.known[number], newest))
        self.known[number] = newest

    def learn(self, now: Millis) -> None:
        version = self.versions[-1]
        if self.learnt is None:
            self.learnt = self.policy.start(now)
        elif self.learnt.looked < now:
            changed = version != self.learnt_version
            told = self.changes[version - 2] if changed and version > 1 else None
            just_now = told is not None and now // 1000 * 1000 - told <= 2_000
            seen = Observation(now, changed, None if just_now else told)
            self.learnt = self.policy.observed(self.learnt, seen)
        self.learnt_version = version
        wait = self.policy.next_look(self.learnt, now) - now
        self.detector.retime(self.effort, timedelta(milliseconds=wait), since="now")

    def version(self, now: Millis) -> int:
        return 1 + sum(change <= now for change in self.changes)


watchers = st.builds(
    Watcher,
    interval=st.sampled_from((0, 0, 5, 30, 60, 90, 240)),
    start=st.integers(0, 600),
    end=st.integers(601, 1500),
)


@settings(max_examples=80, deadline=None)
@given(
    some=st.lists(watchers, min_size=1, max_size=5),
    changes=st.lists(st.integers(1, 1500), max_size=12, unique=True),
)
def test_the_flow_looks_and_compares_when_the_rules_say(some: list[Watcher], changes: list[int]):
    # Changes happen at whole seconds, because servers report whole seconds, and never at a full minute, at
    # which looks happen.
    moments = sorted(MONDAY + minute * MINUTE + 17_000 for minute in changes)
    end = MONDAY + DAY
    model = Model(some, moments)
    model.run(end)
    world = played(some, moments, end)
    assert world.looks_at(URL) == model.looks
    versions = [look for look in reversed(world.log(URL)) if look["decision"] == "new version"]
    assert len(versions) == len(model.versions)  # no version is fetched twice, whichever rule comes first
    assert found_by(world) == sorted(kept for kept in model.found if kept[0] in still_there(some))


def played(some: list[Watcher], moments: list[Millis], end: Millis) -> World:
    world = World(Pacing(bounds=BOUNDS))
    world.pages[URL] = ScriptedPage(moments)
    # A disabled sentinel keeps the page in the store after all others were removed.
    world.watch("rests", URL, 0)
    world.knowledge.sentinels.enable("jill", "rests", enabled=False)
    for number, one in enumerate(some):
        name, interval = f"s{number}", one.interval * MINUTE
        world.at(MONDAY + one.start * MINUTE, lambda n=name, i=interval: world.watch(n, URL, i))
        world.at(
            MONDAY + one.end * MINUTE + MINUTE // 2,
            lambda n=name: remove_for_good(world.knowledge, "jill", n),
        )
    world.run(end)
    return world


def still_there(some: list[Watcher]) -> set[int]:
    """Returns the watchers that remain at the end; the changes of removed sentinels are removed with them."""
    return {number for number, one in enumerate(some) if one.end * MINUTE + MINUTE // 2 >= DAY}


def found_by(world: World) -> list[tuple[int, Millis, int, int]]:
    changes = world.knowledge.changes.all(limit=10_000)
    return sorted(
        (int(one.sentinel[1:]), as_millis(one.found_at), one.old_version, one.new_version) for one in changes
    )


def test_a_longer_interval_is_evaluated_at_its_own_times_and_on_change_at_every_look():
    world = World(Pacing(bounds=Bounds(10 * HOUR, DAY)))
    world.pages[URL] = ScriptedPage([MONDAY + minutes * MINUTE + 1 for minutes in (30, 90, 150, 210)])
    world.watch("hourly", URL, HOUR)
    world.watch("slow", URL, 3 * HOUR)
    world.watch("eager", URL)
    world.run(MONDAY + 5 * HOUR)
    assert world.looks_at(URL) == [MONDAY + hours * HOUR for hours in range(5)]
    found = {
        name: [
            ((as_millis(one.found_at) - MONDAY) // HOUR, one.old_version, one.new_version)
            for one in reversed(world.knowledge.changes.all(sentinel=name))
        ]
        for name in ("hourly", "slow", "eager")
    }
    each = [(1, 1, 2), (2, 2, 3), (3, 3, 4), (4, 4, 5)]
    assert found == {"hourly": each, "slow": [(3, 1, 4)], "eager": each}


def test_where_an_interval_has_just_looked_the_best_effort_rule_has_nothing_to_find():
    alone, shared = World(Pacing(bounds=BOUNDS)), World(Pacing(bounds=BOUNDS))
    for world in (alone, shared):
        world.pages[URL] = ScriptedPage([MONDAY + hours * HOUR for hours in (5, 10, 15, 20)])
        world.watch("eager", URL)
    shared.watch("often", URL, 10 * MINUTE)
    for world in (alone, shared):
        world.run(MONDAY + 3 * DAY)
    often = {MONDAY + step * 10 * MINUTE for step in range(3 * 144)}
    assert len(set(shared.looks_at(URL)) - often) < 0.2 * len(alone.looks_at(URL))


@pytest.mark.parametrize(
    ("planned", "now", "expected"),
    [(100, 99, 100), (100, 100, 110), (100, 109, 110), (100, 110, 120), (100, 50, 100), (100, 89, 100)],
)
def test_the_next_step_lies_after_now_and_one_ahead_stays(planned: int, now: int, expected: int):
    assert next_step(planned, 10, now) == expected
