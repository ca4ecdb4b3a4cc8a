"""Tests that the changes a sentinel has counted are told when it stops (N1, V4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.notify.telling import MINUTE, Clock, Telling
from tests.store.making import remove_for_good
from webvigil.app.sentinels.by_hand import disable, enable
from webvigil.app.sentinels.edit import edit
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.model.notice import COUNTED
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge

DAY = 24 * 60
TEXT = """Create Sentinel s1 Using https://a.org/
Monitor all links
To Now + 10 day
Notify By log Every {count} changes"""


@pytest.fixture(params=["memory", "sqlite"])
def telling(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Telling]:
    clock = Clock()
    if request.param == "memory":
        knowledge: Knowledge = MemoryKnowledge(clock=clock)
    else:
        knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'k.sqlite3'}", clock=clock)
    made = Telling(knowledge, clock)
    install_text(knowledge, settings(), TEXT.format(count=5))
    Keeper(knowledge).turn()
    made.turn()
    made.channel.told.clear()
    yield made
    knowledge.close()


def settings() -> Settings:
    return read_settings({"user": "jill"}, environment={})


def count(telling: Telling, *names: str) -> None:
    for name in names:
        telling.add(name, lane=COUNTED, needs=5)
        telling.turn(minutes=1)


def changes(telling: Telling) -> list[list[str]]:
    """Returns the names of the changes in each message about changes."""
    told = [notice for _, notice in telling.channel.told]
    about = [one for one in told if one.body["event"] in ("change", "summary")]
    return [
        sorted(str(entry["name"]) for entry in one.body.get("entries", [one.body]) if "name" in entry)
        for one in about
    ]


def test_what_was_counted_when_the_life_ends_is_told_together(telling: Telling):
    count(telling, "1", "2", "3", "4", "5", "6", "7")
    assert changes(telling) == [["1", "2", "3", "4", "5"]], "each fifth time (T3)"
    telling.clock.passes(minutes=9 * DAY)
    telling.turn()
    assert len(changes(telling)) == 1, "it is not over yet"
    telling.clock.passes(minutes=2 * DAY)
    Keeper(telling.knowledge).turn()
    telling.turn()
    assert changes(telling)[1:] == [["6", "7"]]
    telling.turn(minutes=400 * DAY)
    assert len(changes(telling)) == 2, "once"
    assert telling.knowledge.outbox.all("jill", state="held") == []


def test_a_single_one_is_told_as_it_is(telling: Telling):
    count(telling, "1")
    telling.clock.passes(minutes=11 * DAY)
    Keeper(telling.knowledge).turn()
    telling.turn()
    assert changes(telling) == [["1"]]


def _disabled(telling: Telling) -> None:
    disable(telling.knowledge, "jill", "s1")


def _removed(telling: Telling) -> None:
    remove_for_good(telling.knowledge, "jill", "s1")


def _counted_otherwise(telling: Telling) -> None:
    edit(telling.knowledge, settings(), "s1", TEXT.format(count=3))


@pytest.mark.parametrize("stop", [_disabled, _removed, _counted_otherwise])
def test_counted_changes_are_told_when_a_sentinel_is_stopped_by_hand(
    telling: Telling, stop: Callable[[Telling], None]
):
    count(telling, "1", "2")
    stop(telling)
    telling.turn()
    assert changes(telling) == [["1", "2"]]


def test_a_change_that_is_written_after_the_end_is_told_at_once(telling: Telling):
    """The page was being checked while its sentinel was stopped."""
    _disabled(telling)
    count(telling, "1")
    assert changes(telling) == [["1"]]


def test_who_stops_and_goes_on_at_once_goes_on_counting(telling: Telling):
    count(telling, "1", "2")
    _disabled(telling)
    enable(telling.knowledge, "jill", "s1")
    telling.turn()
    assert changes(telling) == []
    count(telling, "3", "4", "5")
    assert changes(telling) == [["1", "2", "3", "4", "5"]]
    assert telling.clock.now - telling.channel.told[-1][0] < MINUTE
