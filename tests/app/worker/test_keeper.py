"""The keeper starts and ends sentinels in every knowledge base, through restarts, told once (V4, V5)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, new_version, remove_for_good
from webvigil.app.sentinels.by_hand import disable, enable
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import install_text
from webvigil.app.sentinels.timeline import next_of, timeline_of
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker import keeper as keeper_module
from webvigil.app.worker.keeper import Keeper
from webvigil.errors import SentinelRefused
from webvigil.language import parse
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import Sentinel
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge

DAY = 86_400


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings() -> Settings:
    return read_settings({"user": "jill"}, environment={})


@pytest.fixture(params=["memory", "sqlite"])
def knowledge(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Knowledge]:
    if request.param == "memory":
        made: Knowledge = MemoryKnowledge(clock=clock)
    else:
        made = SqlKnowledge(f"sqlite:///{tmp_path / 'k.sqlite3'}", clock=clock)
    made.users.add("jill")
    yield made
    made.close()


def states(knowledge: Knowledge) -> dict[str, str]:
    return {one.name: str(one.state) for one in knowledge.sentinels.all("jill")}


CHAIN = """
Create Sentinel first Using https://a.org/ To Now + 10 day Notify By log
Create Sentinel second Using https://b.org/ From end(first) + 2 day To Now + 30 day
Create Sentinel third Using https://c.org/ From during(first) To end(second)
"""


def test_sentinels_start_and_end_at_their_times(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    keeper = Keeper(knowledge)
    seen = []
    for _ in range(32):
        keeper.turn()
        seen.append(tuple(states(knowledge)[name][0] for name in ("first", "second", "third")))
        clock.passes(seconds=DAY)
    days = [seen.index(state) for state in dict.fromkeys(seen)]
    assert list(dict.fromkeys(seen)) == [
        ("a", "w", "a"),
        ("e", "w", "a"),
        ("e", "a", "a"),
        ("e", "e", "e"),
    ]
    assert days == [0, 10, 12, 30]


def test_only_active_sentinels_are_looked_at(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    keeper = Keeper(knowledge)
    keeper.turn()
    claimed = {claim.name for claim in knowledge.schedule.claim("w", hosts=9, pages=9, lease=1000)}
    assert claimed == {"a.org", "c.org"}
    clock.passes(seconds=13 * DAY)
    keeper.turn()
    claimed = {claim.name for claim in knowledge.schedule.claim("w", hosts=9, pages=9, lease=1000)}
    assert claimed == {"b.org", "c.org"}


def test_what_was_missed_is_written_at_its_own_time(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    start = clock.now
    clock.passes(seconds=100 * DAY)
    Keeper(knowledge).turn()
    events = [
        (event.subject, event.name, (event.at - as_datetime(start)).days)
        for event in knowledge.journal.events()
    ]
    assert ("second", "SentinelStarted", 12) in events
    assert ("third", "SentinelEnded", 30) in events


def test_an_end_is_told_by_the_title_of_the_page(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, "Create Sentinel s Using https://a.org/ To Now + 10 day Notify By log")
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(
        claim, [checked(claim, claim.pages[0], version=replace(new_version(1), title="Prices today"))]
    )
    clock.passes(seconds=11 * DAY)
    Keeper(knowledge).turn()
    told = [one.notice for one in knowledge.outbox.all("jill")]
    assert {"Prices today will end soon", "Prices today has ended"} <= {one.subject for one in told}
    ended = next(one for one in knowledge.journal.events() if one.name == "SentinelExpired")
    assert (ended.subject, ended.details) == ("s", {"user": "jill"})


def test_restarts_at_any_moment_change_nothing(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    dice = random.Random(7)
    keeper = Keeper(knowledge)
    start = clock.now
    while clock.now < start + 40 * DAY * 1000:
        if dice.random() < 0.5:
            keeper = Keeper(knowledge)
        keeper.turn()
        clock.passes(seconds=dice.uniform(0, 2 * DAY))
    keeper.turn()
    events = [
        (event.subject, event.name.removeprefix("Sentinel"), (event.at - as_datetime(start)).days)
        for event in reversed(knowledge.journal.events())
        if event.name != "SentinelInstalled"
    ]
    assert sorted(events) == [
        ("first", "Ended", 10),
        ("first", "Expired", 10),
        ("first", "Expiring", 9),
        ("second", "Ended", 30),
        ("second", "Expired", 30),
        ("second", "Expiring", 28),
        ("second", "Started", 12),
        ("third", "Ended", 30),
        ("third", "Expired", 30),
    ]


def test_two_keepers_write_everything_once(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    keepers = [Keeper(knowledge), Keeper(knowledge)]
    for _ in range(80):
        clock.passes(seconds=DAY / 2)
        for keeper in keepers:
            keeper.turn()
    events = [(event.subject, event.name) for event in knowledge.journal.events()]
    assert len(events) == len(set(events))
    assert states(knowledge) == {"first": "expired", "second": "expired", "third": "expired"}


def test_users_are_told_of_installation_approaching_end_and_end(
    knowledge: Knowledge, settings: Settings, clock: Clock
):  # V4
    install_text(knowledge, settings, CHAIN)
    keeper = Keeper(knowledge)
    for _ in range(12):
        keeper.turn()
        keeper = Keeper(knowledge)
        clock.passes(seconds=DAY)
    told = [item.notice.subject for item in knowledge.outbox.claim("w", count=99, lease=1000)]
    assert told == ["first is installed", "first will end soon", "first has ended"]


def test_removing_a_sentinel_is_its_end_for_those_who_wait(
    knowledge: Knowledge, settings: Settings, clock: Clock
):
    install_text(knowledge, settings, CHAIN)
    keeper = Keeper(knowledge)
    keeper.turn()
    remove_for_good(knowledge, "jill", "first")
    keeper.turn()
    clock.passes(seconds=2 * DAY)
    keeper.turn()
    assert states(knowledge)["second"] == "active"


def test_a_sentinel_added_while_it_runs_is_kept_too(knowledge: Knowledge, settings: Settings, clock: Clock):
    keeper = Keeper(knowledge)
    keeper.turn()
    install_text(
        knowledge, settings, "Create Sentinel late Using https://l.org/ From Now + 1 day To Now + 2 day"
    )
    keeper.turn()
    assert states(knowledge) == {"late": "waiting"}
    clock.passes(seconds=DAY)
    keeper.turn()
    assert states(knowledge) == {"late": "active"}


def test_disabling_lets_life_go_on_and_enabling_after_the_end_is_refused(
    knowledge: Knowledge, settings: Settings, clock: Clock
):  # V2
    install_text(knowledge, settings, CHAIN)
    keeper = Keeper(knowledge)
    keeper.turn()
    disable(knowledge, "jill", "first")
    assert states(knowledge)["first"] == "disabled"
    assert str(enable(knowledge, "jill", "first").state) == "active"
    disable(knowledge, "jill", "first")
    clock.passes(seconds=12 * DAY)
    keeper.turn()
    assert states(knowledge)["second"] == "active", "the end came although it was disabled"
    with pytest.raises(SentinelRefused, match="its life span ended"):
        enable(knowledge, "jill", "first")


def test_what_comes_next_is_told_with_the_reason(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    Keeper(knowledge).turn()
    assert "(To Now + 10 days)" in next_of(knowledge.sentinels, knowledge.users, "jill", "first")
    assert next_of(knowledge.sentinels, knowledge.users, "jill", "second") == (
        "starts with end(first) + 2 days, which has not happened yet"
    )
    assert next_of(knowledge.sentinels, knowledge.users, "jill", "third").startswith("ends with end(second)")


def test_the_time_line_foretells_what_will_happen(knowledge: Knowledge, settings: Settings, clock: Clock):
    install_text(knowledge, settings, CHAIN)
    start = as_datetime(clock.now)
    foretold = [(e.at, e.sentinel, e.what) for e in timeline_of(knowledge, "jill") if not e.past]
    keeper = Keeper(knowledge)
    for _ in range(40):
        clock.passes(seconds=DAY)
        keeper.turn()
    words = {"Started": "starts", "Ended": "ends", "Expiring": "is near its end", "Expired": "has ended"}
    happened = [
        (event.at, event.subject, words[event.name.removeprefix("Sentinel")])
        for event in knowledge.journal.events()
        if event.name != "SentinelInstalled"
    ]
    assert sorted(foretold) == sorted(happened)
    assert all(at >= start for at, *_ in foretold)
    assert max(at for at, *_ in foretold) == start + timedelta(days=30)


def test_after_the_clock_was_set_back_lives_go_by_the_new_one(
    knowledge: Knowledge, settings: Settings, clock: Clock
):
    keeper = Keeper(knowledge)
    clock.passes(seconds=10 * DAY)
    keeper.turn()
    clock.passes(seconds=-10 * DAY)
    install_text(knowledge, settings, "Create Sentinel late Using https://a.org/ From Now + 1 day")
    keeper.turn()
    assert states(knowledge) == {"late": "waiting"}
    clock.passes(seconds=DAY + 1)
    keeper.turn()
    assert states(knowledge) == {"late": "active"}


MANY = """
Create Sentinel far{n} Using https://a.org/{n}
"""


def test_the_texts_of_lives_that_rest_are_not_read(
    knowledge: Knowledge, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    install_text(knowledge, settings, "".join(MANY.format(n=n) for n in range(20)))
    install_text(knowledge, settings, "Create Sentinel soon Using https://b.org/ From Now + 1 hour")
    read: list[str] = []

    def noted(text: str) -> list[Sentinel]:
        read.append(text)
        return parse(text)

    monkeypatch.setattr(keeper_module, "parse", noted)
    keeper = Keeper(knowledge)
    keeper.turn()
    assert len(read) == 1
    assert 0 < keeper.rest() <= 3600
    clock.passes(seconds=3601)
    keeper.turn()
    assert states(knowledge)["soon"] == "active"
    assert not any("far" in text for text in read)
    clock.passes(seconds=366 * DAY)
    keeper.turn()
    assert set(states(knowledge).values()) == {"expired"}


def test_a_life_that_rests_is_known_to_those_that_wait_for_it(
    knowledge: Knowledge, settings: Settings, clock: Clock
):
    install_text(knowledge, settings, "Create Sentinel first Using https://a.org/ To Now + 300 day")
    keeper = Keeper(knowledge)
    keeper.turn()
    install_text(knowledge, settings, "Create Sentinel second Using https://b.org/ From end(first)")
    keeper.turn()
    assert states(knowledge) == {"first": "active", "second": "waiting"}
    remove_for_good(knowledge, "jill", "first")
    keeper.turn()
    assert states(knowledge) == {"second": "active"}


def test_a_life_that_others_wait_for_may_change_while_it_rests(
    knowledge: Knowledge, settings: Settings, clock: Clock
):
    install_text(knowledge, settings, "Create Sentinel first Using https://a.org/ To Now + 300 day")
    install_text(knowledge, settings, "Create Sentinel second Using https://b.org/ From end(first)")
    keeper = Keeper(knowledge)
    keeper.turn()
    edit(knowledge, settings, "first", "Create Sentinel first Using https://a.org/ To Now + 200 day")
    keeper.turn()
    clock.passes(seconds=200 * DAY + 1)
    keeper.turn()
    assert states(knowledge) == {"first": "expired", "second": "active"}
