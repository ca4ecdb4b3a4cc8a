"""Tests of who is notified when, on a clock that the tests set (N1, N5, N6, T3)."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.notify.telling import MINUTE, Clock, Telling, names_in
from tests.notify.test_timing import dial, shown
from webvigil.errors import ChannelBusy, ChannelRefused
from webvigil.model.contact import Preferences
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.notice import BEST_EFFORT, COUNTED, GATHERED
from webvigil.notify.deliver import MOST_ATTEMPTS

HOUR = 60 * MINUTE
DAY = 24 * HOUR
NIGHT = Preferences(quiet_from=22 * 60, quiet_to=7 * 60, rate=0)


@pytest.fixture
def telling() -> Telling:
    return Telling(clock=Clock(as_millis(datetime(2026, 5, 4, 12, 0, tzinfo=UTC))))


class TestWhen:
    def test_at_once(self, telling: Telling):
        telling.add("1")
        telling.turn()
        assert telling.channel.names == [["1"]]
        telling.turn(minutes=60)
        assert telling.channel.names == [["1"]], "and once"

    def test_every_day(self, telling: Telling):
        """The changes come together at the user's hour, as one summary (N1)."""
        for name in "123":
            telling.add(name, lane=GATHERED, every=DAY, sentinel=f"s{name}")
            telling.turn(minutes=30)
        assert telling.channel.told == []
        for _ in range(24 * 2):
            telling.turn(minutes=30)
        ((at, notice),) = telling.channel.told
        assert as_datetime(at) == datetime(2026, 5, 5, 8, 0, tzinfo=UTC)
        assert names_in(notice) == ["1", "2", "3"]
        assert notice.subject == "3 sentinels: 3 changes"

    def test_days_and_weeks_that_end_together_are_one_summary(self, telling: Telling):
        telling.add("1", lane=GATHERED, every=DAY)
        telling.add("2", lane=GATHERED, every=7 * DAY)
        telling.turn()
        telling.turn(minutes=24 * 60)
        assert telling.channel.names == [["1"]], "one alone is told as it is"
        telling.clock.now = as_millis(datetime(2026, 5, 11, 7, 59, tzinfo=UTC))
        telling.add("3", lane=GATHERED, every=DAY)
        telling.turn()
        telling.turn(minutes=1)
        assert telling.channel.names == [["1"], ["2", "3"]]

    def test_every_third_change(self, telling: Telling):
        """Each third change brings a message with all three (T3)."""
        telling.counts("s1", 3)
        for number in range(1, 8):
            telling.add(str(number), lane=COUNTED, needs=3)
            telling.turn(minutes=1)
        assert telling.channel.names == [["1", "2", "3"], ["4", "5", "6"]]

    def test_changes_of_other_sentinels_do_not_count(self, telling: Telling):
        telling.counts("s1", 2)
        telling.counts("s2", 2)
        telling.add("1", lane=COUNTED, needs=2, sentinel="s1")
        telling.add("2", lane=COUNTED, needs=2, sentinel="s2")
        telling.turn()
        assert telling.channel.told == []

    def test_best_effort_lets_others_go_first(self, telling: Telling):
        telling.add("1", lane=BEST_EFFORT)
        telling.add("2")
        telling.turn()
        assert {tuple(names) for names in telling.channel.names} == {("1",), ("2",)}


class TestQuietHours:
    def test_what_comes_in_the_night_is_told_in_the_morning_as_one(self, telling: Telling):
        telling.knowledge.contacts.prefer("jill", NIGHT)
        telling.clock.now = as_millis(datetime(2026, 5, 4, 23, 0, tzinfo=UTC))
        for name in "123":
            telling.add(name)
            telling.turn(minutes=10)
        telling.add("9", channel="webhook", to="https://example.org/hook")
        telling.turn()
        assert telling.channel.names == [["9"]], "programs do not sleep"
        telling.turn(minutes=7 * 60)
        assert telling.channel.names == [["9"]]
        telling.turn(minutes=60)
        assert telling.channel.names == [["9"], ["1", "2", "3"]]

    def test_who_changes_their_mind_is_told_at_the_new_time(self, telling: Telling):
        telling.knowledge.contacts.prefer("jill", NIGHT)
        telling.clock.now = as_millis(datetime(2026, 5, 4, 23, 0, tzinfo=UTC))
        telling.add("1")
        telling.turn()
        telling.knowledge.contacts.prefer("jill", Preferences(quiet_from=22 * 60, quiet_to=8 * 60))
        telling.turn(minutes=8 * 60 + 30)
        assert telling.channel.told == []
        telling.turn(minutes=30)
        assert telling.channel.names == [["1"]]


class TestFlood:
    def test_more_than_the_rate_becomes_a_summary(self, telling: Telling):
        telling.knowledge.contacts.prefer("jill", Preferences(rate=2))
        for number in range(1, 11):
            telling.add(str(number))
            telling.turn(minutes=1)
        assert telling.channel.names == [["1"], ["2"]]
        telling.turn(minutes=52)
        assert telling.channel.names[2:] == [["3", "4", "5", "6", "7", "8", "9", "10"]]

    def test_the_operators_rate_counts_for_who_has_none(self):
        telling = Telling(notices_per_hour=1)
        for name in "123":
            telling.add(name)
        telling.turn()
        assert telling.channel.names == [["1"]]
        telling.turn(minutes=61)
        assert telling.channel.names == [["1"], ["2", "3"]]

    def test_a_summary_that_had_to_wait_is_taken_apart_again(self, telling: Telling):
        telling.knowledge.contacts.prefer("jill", Preferences(rate=1))
        telling.add("1")
        telling.turn()
        for name in "23":
            telling.add(name, lane=COUNTED, needs=2)
        telling.turn()
        telling.add("4")
        telling.turn(minutes=61)
        assert telling.channel.names == [["1"], ["2", "3", "4"]]


class TestUnverified:
    def test_an_address_that_nobody_confirmed_gets_nothing_but_the_question(self, telling: Telling):
        """V4."""
        telling.add("1", to="who@example.org")
        telling.add("2", to="who@example.org")
        telling.add("0", to="who@example.org", body={"event": "verify"}, lane="verify")
        for _ in range(5):
            telling.turn(minutes=600)
        assert [notice.body["event"] for _, notice in telling.channel.told] == ["verify"]
        telling.verify("who@example.org")
        telling.knowledge.outbox.wake("jill", "email", "who@example.org")
        telling.turn()
        assert telling.channel.names[1:] == [["1", "2"]]


class TestTrouble:
    def test_the_order_is_kept_when_the_receiver_is_away(self, telling: Telling):
        telling.channel.troubles = [ChannelBusy("away"), ChannelBusy("still away")]
        for name in "123":
            telling.add(name)
        for _ in range(10):
            telling.turn(minutes=1)
        assert telling.channel.names == [["1"], ["2"], ["3"]]

    def test_one_that_is_refused_is_kept_and_the_others_go_on(self, telling: Telling):
        telling.channel.troubles = [ChannelRefused("no such address")]
        for name in "12":
            telling.add(name)
        telling.turn()
        assert telling.channel.names == [["2"]]
        (dead,) = telling.knowledge.outbox.given_up()
        assert (dead.notice.dedup, dead.error) == ("1", "no such address")
        assert telling.knowledge.outbox.revive("jill", notice=dead.id) == 1
        telling.turn()
        assert telling.channel.names == [["2"], ["1"]]

    def test_a_receiver_that_stays_away_is_given_up(self, telling: Telling):
        telling.channel.troubles = [ChannelBusy("away")] * 99
        telling.add("1")
        for _ in range(12 * 24):
            telling.turn(minutes=30)
        (dead,) = telling.knowledge.outbox.given_up()
        assert dead.attempts == MOST_ATTEMPTS

    def test_the_wait_that_a_receiver_asks_for_is_kept(self, telling: Telling):
        telling.channel.troubles = [ChannelBusy("slow down", wait=30 * MINUTE)]
        telling.add("1")
        telling.turn()
        telling.turn(minutes=29)
        assert telling.channel.told == []
        telling.turn(minutes=2)
        assert telling.channel.names == [["1"]]

    def test_a_channel_that_breaks_harms_no_other(self, telling: Telling):
        telling.channel.troubles = [ZeroDivisionError()]  # type: ignore[list-item]
        telling.add("1")
        telling.add("2", channel="webhook", to="https://example.org/")
        telling.turn()
        assert len(telling.channel.names) == 1, "the other one is told"
        telling.turn(minutes=1)
        assert sorted(telling.channel.names) == [["1"], ["2"]]


# --- Everything together, against rules that are looked up minute by minute --------------------------

STEP = 10
kinds = st.sampled_from(["at once", "at once", "daily", "counted"])


@settings(max_examples=25, deadline=None)
@given(
    news=st.lists(st.tuples(st.integers(0, 36), kinds), max_size=40),
    quiet=st.tuples(st.integers(0, 1439), st.integers(0, 1439)),
    rate=st.integers(0, 3),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]),
    begin=st.sampled_from([datetime(2026, 3, 28, 12), datetime(2026, 10, 24, 12), datetime(2026, 11, 1, 2)]),
    faults=st.integers(0, 2**20),
)
def test_every_change_is_told_once_in_order_and_at_its_time(news, quiet, rate, zone, begin, faults):
    clock = Clock(as_millis(begin.replace(tzinfo=UTC)))
    telling = Telling(clock=clock, zone=zone)
    chosen = Preferences(quiet_from=quiet[0], quiet_to=quiet[1], rate=rate)
    telling.knowledge.contacts.prefer("jill", chosen)
    telling.counts("s1", 3)
    place, quiet_minutes = ZoneInfo(zone), dial(*quiet)
    lots = random.Random(faults)
    added: dict[str, tuple[int, str]] = {}
    telling_times: list[int] = []

    def is_closed(moment: int) -> bool:
        full = sum(moment - HOUR < at <= moment for at in telling_times) >= rate
        return shown(moment, place) in quiet_minutes or (rate > 0 and full)

    coming = sorted(news)
    for tick in range(3 * 24 * 60 // STEP):
        while coming and coming[0][0] * 60 <= tick * STEP:
            _, kind = coming.pop(0)
            name = str(len(added) + 1)
            waits = {"daily": {"lane": GATHERED, "every": DAY}, "counted": {"lane": COUNTED, "needs": 3}}
            telling.add(name, **waits.get(kind, {}))
            added[name] = (clock.now, kind)
        if lots.random() < 0.3:
            telling.knowledge.outbox.take_over()  # a worker died, and another one takes over its notices
        before = len(telling.channel.told)
        telling.turn()
        for at, _ in telling.channel.told[before:]:
            assert not is_closed(at), "not in quiet hours, nor more than the rate"
            telling_times.append(at)
        told = {name for names in telling.channel.names for name in names}
        waiting = [name for name, (_, kind) in added.items() if kind == "at once" and name not in told]
        assert not waiting or is_closed(clock.now), "nothing waits before an open gate"
        clock.passes(minutes=STEP)

    messages = telling.channel.names
    flat = [name for names in messages for name in names]
    assert len(flat) == len(set(flat)), "each once"
    counted = [name for name, (_, kind) in added.items() if kind == "counted"]
    left = set(counted[len(counted) // 3 * 3 :])
    never_open = len(quiet_minutes) >= 1439
    missing = set(added) - set(flat) - left
    assert not missing or never_open or is_closed(clock.now - STEP * MINUTE)
    at_once = [int(name) for name in flat if added[name][1] == "at once"]
    assert at_once == sorted(at_once), "in order"
    for at, notice in telling.channel.told:
        for name in names_in(notice):
            since, kind = added[name]
            if kind == "daily":
                assert _hour_passed(since, at, place), "not before the user's hour has come"


def _hour_passed(since: int, until: int, zone: ZoneInfo) -> bool:
    moment = since - since % MINUTE
    while moment < until:
        moment += MINUTE
        if shown(moment, zone) == 8 * 60:
            return True
    return False
