"""The best-effort rule of a page in the flow: it learns, remembers and explains (A3, F1, F8, F10)."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pace.world import DAY, HOUR, MINUTE, MONDAY, SECOND, ScriptedPage, World
from tests.store.making import remove_for_good
from webvigil import flow
from webvigil.app.pages.pushes import new_ping, pinged
from webvigil.app.worker.hints import give_hints
from webvigil.model.moment import Millis
from webvigil.model.pace import PaceRecord
from webvigil.pace.hints import Hints
from webvigil.pace.memory import Memory, read, written
from webvigil.pace.pacing import Pacing, Seen
from webvigil.pace.policy import Bounds
from webvigil.rules.fetch import first_of
from webvigil.store.sql.knowledge import SqlKnowledge

URL = "http://site.test/"
BOUNDS = Bounds(MINUTE, 2 * DAY)


def every(gap: Millis, days: int, first: Millis = 0) -> list[Millis]:
    return list(range(MONDAY + (first or gap), MONDAY + days * DAY, gap))


def watched(page: ScriptedPage, days: int, pacing: Pacing | None = None, **more: Any) -> World:
    world = World(pacing or Pacing(bounds=BOUNDS), **more)
    world.pages[URL] = page
    world.watch("s1", URL)
    world.run(MONDAY + days * DAY)
    return world


def mean_delay(world: World, after: Millis = 0) -> float:
    """Returns the mean time from a change to the look that showed it, of changes before the last look."""
    looks = world.looks_at(URL)
    changes = [one for one in world.pages[URL].changes if MONDAY + after <= one <= looks[-1]]
    return sum(next(at for at in looks if at >= change) - change for change in changes) / len(changes)


class TestLearning:
    def test_a_page_on_the_clock_is_looked_at_right_after_its_time(self):
        world = watched(ScriptedPage(every(6 * HOUR, 30)), 30)
        assert mean_delay(world, after=10 * DAY) < 5 * MINUTE
        assert len(world.looks_at(URL)) < 10 * 30

    def test_a_silent_page_is_looked_at_ever_more_rarely(self):
        world = watched(ScriptedPage([]), 30)
        waits = [later - earlier for earlier, later in pairwise(world.looks_at(URL))]
        assert waits[0] <= 2 * MINUTE
        assert waits == sorted(waits)
        assert waits[-1] == 2 * DAY

    @pytest.mark.parametrize("name", ["learned", "bea", "naive"])
    def test_another_policy_can_be_chosen(self, name: str):
        pacing = Pacing(name=name, bounds=BOUNDS, interval=HOUR)
        world = watched(ScriptedPage(every(6 * HOUR, 5)), 5, pacing)
        waits = {later - earlier for earlier, later in pairwise(world.looks_at(URL))}
        assert (waits == {HOUR}) == (name == "naive")
        assert world.log(URL)[0]["plan"].startswith("looked at" if name != "learned" else "changes")

    def test_an_interval_that_was_there_before_does_not_deceive_a_rule_that_comes_back(self):
        """Changes seen by other sentinels while the rule was disabled do not count as a long silence."""
        world = World(Pacing(bounds=BOUNDS))
        world.pages[URL] = ScriptedPage(every(HOUR, 40))
        world.watch("eager", URL)
        world.watch("often", URL, HOUR)
        world.at(MONDAY + 5 * DAY, lambda: world.knowledge.sentinels.enable("jill", "eager", enabled=False))
        world.at(MONDAY + 35 * DAY, lambda: world.knowledge.sentinels.enable("jill", "eager", enabled=True))
        world.at(MONDAY + 35 * DAY + 1, lambda: remove_for_good(world.knowledge, "jill", "often"))
        world.run(MONDAY + 36 * DAY)
        assert sum(at > MONDAY + 35 * DAY for at in world.looks_at(URL)) >= 8


class TestMemory:
    def test_it_survives_a_restart_at_any_moment(self, tmp_path: Path):
        """With a store that is reopened every ten hours, the same looks are made as without a pause."""
        page = ScriptedPage(every(5 * HOUR, 12))
        steady = watched(page, 12)
        looks: list[Millis] = []
        now = MONDAY
        while now < MONDAY + 12 * DAY:
            world = World(Pacing(bounds=BOUNDS), now=now, store=lambda clock: _sqlite(tmp_path, clock))
            world.pages[URL] = page
            if now == MONDAY:
                world.watch("s1", URL)
            world.run(min(now + 10 * HOUR, MONDAY + 12 * DAY))
            looks += world.looks_at(URL)
            now = world.now
            world.knowledge.close()
        assert looks == steady.looks_at(URL)

    def test_it_is_small(self):
        random.seed(4)
        moments = sorted(MONDAY + random.randrange(60 * DAY) for _ in range(800))
        world = watched(ScriptedPage(moments), 60)
        record = world.knowledge.paces.get(world.page_id(URL))
        assert record is not None
        assert len(record.memory) < 2500

    def test_what_was_written_is_read(self):
        memory = Memory(policy="learned", state={"a": [1.5]}, version=7, hints=Hints(1, 2, 3, 4))
        assert read(written(memory)) == memory

    def test_one_that_an_older_version_packed_is_read(self):
        memory = read(_learnt())
        assert memory is not None
        text = zlib.decompress(written(memory)[1:])
        assert read(b"\x01" + zlib.compress(text, 1)) == memory

    @settings(max_examples=60, deadline=None)
    @given(
        damage=st.binary(max_size=200)
        | st.binary(max_size=100).map(lambda text: b"\x01" + zlib.compress(text))
        | st.text(max_size=50).map(lambda text: b"\x01" + zlib.compress(text.encode()))
    )
    def test_one_that_is_damaged_is_learnt_anew(self, damage: bytes):
        pacing, seen = Pacing(bounds=BOUNDS), Seen(now=MONDAY, version=3)
        fresh = pacing.after_look(PaceRecord(), seen, host="h")
        assert pacing.after_look(PaceRecord(memory=damage), seen, host="h") == fresh
        assert pacing.hinted(PaceRecord(memory=damage), MONDAY, host="h") == MONDAY

    @settings(max_examples=100, deadline=None)
    @given(data=st.data())
    def test_one_whose_values_make_no_sense_never_stops_the_looks(self, data: st.DataObject):
        pacing, now = Pacing(bounds=BOUNDS), MONDAY + 40 * DAY
        memory = read(_learnt())
        assert memory is not None
        key = data.draw(st.sampled_from(sorted(memory.state)))
        wild = (
            st.none() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.floats(), max_size=6)
        )
        state = {**memory.state, key: data.draw(wild)}
        kept = PaceRecord(memory=written(Memory(policy="learned", state=state, version=1)))
        new, habit = pacing.after_look(kept, Seen(now=now, version=data.draw(st.integers(1, 2))), host="h")
        assert now <= new.next_at <= now + BOUNDS.longest
        assert habit

    @pytest.mark.parametrize("wild", [float("nan"), float("inf"), -1, -1e300, 1e300, 0, 10**400])
    @pytest.mark.parametrize("key", ["rate", "weights", "gaps", "clock", "hour"])
    def test_one_with_a_wild_number_never_stops_the_looks(self, key: str, wild: float):
        """A rate below 0 once made the search for the next look endless."""
        pacing, now = Pacing(bounds=BOUNDS), MONDAY + 40 * DAY
        memory = read(_learnt())
        assert memory is not None
        for place in range(len(memory.state[key])):
            values = [*memory.state[key][:place], wild, *memory.state[key][place + 1 :]]
            state = {**memory.state, key: values}
            kept = PaceRecord(memory=written(Memory(policy="learned", state=state, version=1)))
            for version in (1, 2):
                new, _ = pacing.after_look(kept, Seen(now=now, version=version), host="h")
                assert now < new.next_at <= now + BOUNDS.longest
                assert isinstance(new.share, float)

    @pytest.mark.parametrize(
        "text", ["[" * 90_000, '["learned",Infinity,null,{}]', '["learned",1,null,{"looked":']
    )
    def test_one_of_hostile_json_is_learnt_anew(self, text: str):
        assert read(b"\x01" + zlib.compress(text.encode())) is None

    @pytest.mark.parametrize("interval", [0, -1, float("nan")])
    def test_one_of_bea_without_an_interval_is_learnt_anew(self, interval: float):
        pacing, seen = Pacing(name="bea", bounds=BOUNDS), Seen(now=MONDAY, version=3)
        state = {"looked": MONDAY - DAY, "changed": MONDAY - DAY, "interval": interval, "history": []}
        kept = PaceRecord(memory=written(Memory(policy="bea", state=state, version=3)))
        assert pacing.after_look(kept, seen, host="h")[0].next_at == MONDAY + BOUNDS.shortest

    def test_one_of_another_policy_is_not_misread(self):
        seen = Seen(now=MONDAY + 40 * DAY, version=3)
        bea = Pacing(name="bea", bounds=BOUNDS)
        fresh = bea.after_look(PaceRecord(), seen, host="h")
        assert bea.after_look(PaceRecord(memory=_learnt()), seen, host="h") == fresh

    def test_one_from_a_clock_that_was_ahead_does_not_put_looks_off(self):
        pacing, back = Pacing(bounds=BOUNDS), MONDAY - 300 * DAY
        new, _ = pacing.after_look(PaceRecord(memory=_learnt()), Seen(now=back, version=3), host="h")
        assert back < new.next_at <= back + BOUNDS.longest


class TestTrouble:
    """Servers that tell wrong times, pages that fail, and hosts that go away."""

    HONEST = ScriptedPage(every(6 * HOUR, 40))

    @pytest.mark.parametrize("years", [-10, 10])
    def test_a_servers_clock_may_be_years_off(self, years: int):
        wrong = ScriptedPage(every(6 * HOUR, 40), clock_off=years * 365 * DAY)
        honest, other = watched(self.HONEST, 40), watched(wrong, 40)
        assert mean_delay(other, after=15 * DAY) == pytest.approx(mean_delay(honest, after=15 * DAY), rel=0.1)

    @pytest.mark.parametrize(
        "lie",
        [
            pytest.param(lambda made, now: now, id="made just now, each time"),
            pytest.param(lambda made, now: MONDAY - 400 * DAY, id="the same for ever"),
            pytest.param(lambda made, now: now + DAY, id="tomorrow"),
            pytest.param(lambda made, now: None, id="nothing"),
        ],
    )
    def test_a_last_modified_that_lies_is_as_good_as_none(self, lie: Any):
        none = watched(ScriptedPage(every(6 * HOUR, 40), says=lambda made, now: None), 40)
        world = watched(ScriptedPage(every(6 * HOUR, 40), says=lie), 40)
        assert world.looks_at(URL) == none.looks_at(URL)
        assert mean_delay(world, after=15 * DAY) < HOUR

    def test_failures_teach_nothing(self):
        """A page that answers 500 for two days is looked at as before when it is back."""
        broken = (MONDAY + 10 * DAY + HOUR, MONDAY + 12 * DAY + HOUR)
        world = watched(ScriptedPage(every(6 * HOUR, 40), broken=broken), 40)
        failures = [at for at, _, result in world.looks if result.look.decision == "failed"]
        assert 5 < len(failures) < 20
        assert mean_delay(world, after=20 * DAY) < 15 * MINUTE

    def test_a_host_gone_for_a_day_is_noticed_within_the_hour_and_its_rhythm_is_not_forgotten(self):
        down = (MONDAY + 20 * DAY, MONDAY + 21 * DAY + 30 * MINUTE)
        world = watched(ScriptedPage(every(6 * HOUR, 40), down=down), 40)
        back = next(at for at, _, result in world.looks if at >= down[1] and not result.look.error)
        assert back - down[1] <= 75 * MINUTE
        assert mean_delay(world, after=23 * DAY) < 15 * MINUTE


class TestHints:
    @pytest.fixture
    def world(self) -> World:
        """Returns a world with a page that changes about once a day, watched on change."""
        random.seed(1)
        moments = sorted(MONDAY + random.randrange(60 * DAY) for _ in range(60))
        world = watched(ScriptedPage(moments), 30)
        del world.looks[:]
        return world

    def test_a_first_hint_is_followed_at_once(self, world: World):
        assert give_hints(world.knowledge, [URL], "feed.test", world.pace.pacing) == 1
        world.run(world.now + MINUTE)
        assert [result.look.why for _, _, result in world.looks] == ["a hint of feed.test"]

    def test_one_who_cries_wolf_is_not_followed_for_long(self, world: World):
        for _ in range(30):
            give_hints(world.knowledge, [URL], "feed.test", world.pace.pacing)
            world.run(world.now + MINUTE)
        followed = [result for _, _, result in world.looks if result.look.why == "a hint of feed.test"]
        assert 1 <= len(followed) < 15

    def test_a_page_that_pings_at_each_change_is_looked_at_hardly_without(self, world: World):
        before = len(world.looks_at(URL))
        silent, pinging = World(Pacing(bounds=BOUNDS)), World(Pacing(bounds=BOUNDS))
        for one in (silent, pinging):
            one.pages[URL] = world.pages[URL]
            one.watch("s1", URL)
        secret = new_ping(pinging.knowledge.pushes, pinging.page_id(URL))
        for moment in world.pages[URL].changes:
            pinging.at(moment + SECOND, lambda: pinged(pinging.knowledge, secret))
        for one in (silent, pinging):
            one.run(MONDAY + 60 * DAY)
        assert before == 0
        assert mean_delay(pinging, after=5 * DAY) <= 2 * SECOND
        own = [result for _, _, result in pinging.looks if result.look.why == "due"]
        assert len(own) < 0.5 * len(silent.looks_at(URL))

    def test_a_page_that_is_watched_in_intervals_is_asked_for(self):
        world = World()
        world.pages[URL] = ScriptedPage([])
        world.watch("s1", URL, DAY)
        world.run(MONDAY + HOUR)
        give_hints(world.knowledge, [URL], "feed.test")
        world.run(MONDAY + 2 * HOUR)
        assert world.looks_at(URL) == [MONDAY, MONDAY + HOUR]


class TestWords:
    def plan(self, moments: list[Millis], days: int) -> str:
        return str(watched(ScriptedPage(moments), days).log(URL)[0]["plan"])

    def test_of_a_page_on_the_clock(self):
        assert self.plan(every(6 * HOUR, 30), 30).startswith("changes every 6 hours like clockwork; ")

    def test_of_a_page_in_office_hours(self):
        random.seed(2)
        hours = [day * DAY + hour * HOUR for day in range(90) if day % 7 < 5 for hour in range(9, 17)]
        moments = sorted(MONDAY + hour + random.randrange(HOUR) for hour in hours)
        told = self.plan(moments, 90)
        assert re.search(r", mostly on workdays between (9|10) and 17 h UTC; next look in ", told), told

    def test_of_a_morning_paper(self):
        random.seed(5)
        moments = [MONDAY + day * DAY + 6 * HOUR + random.randrange(20 * MINUTE) for day in range(60)]
        told = self.plan(moments, 60)
        assert told.startswith("changes every day like clockwork, mostly between 6 and 7 h UTC; next look")

    def test_of_a_page_that_changes_at_random(self):
        random.seed(3)
        moments = sorted(MONDAY + random.randrange(60 * DAY) for _ in range(60 * 4))
        told = self.plan(moments, 60)
        assert told.startswith("changes about every "), told
        assert "hours" in told
        assert "mostly" not in told

    def test_of_a_page_that_fell_silent(self):
        told = self.plan([MONDAY + hour * HOUR for hour in range(1, 40, 3)], 20)
        assert "but not for " in told, told

    def test_of_a_page_that_never_changed(self):
        assert self.plan([], 10).startswith("no change seen in ")

    def test_of_a_page_looked_at_in_intervals(self):
        world = World()
        world.pages[URL] = ScriptedPage([])
        world.watch("s1", URL, 2 * HOUR)
        world.run(MONDAY + DAY)
        assert world.log(URL)[0]["plan"] == "looked at every 2 hours; next look in 2 hours"

    def test_of_a_page_at_which_nobody_looks_any_more(self):
        assert flow._plan(first_of([]), MONDAY, "changes about every 2 hours") == ""


@lru_cache
def _learnt() -> bytes:
    world = watched(ScriptedPage(every(6 * HOUR, 30)), 30)
    record = world.knowledge.paces.get(world.page_id(URL))
    assert record is not None
    return record.memory


def _sqlite(folder: Path, clock: Callable[[], Millis]) -> SqlKnowledge:
    return SqlKnowledge(f"sqlite:///{folder / 'w.sqlite3'}", delay=0, clock=clock)
