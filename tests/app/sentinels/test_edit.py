"""A sentinel with a new text keeps its changes and versions, and its life if the life span is the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.conftest import Clock
from tests.store.making import claim_all
from webvigil.app.sentinels.edit import edit, end_in_a_year, never_end
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.errors import MistakeInText, NotFound, SentinelRefused
from webvigil.model.life import is_endless
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import State
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge

DAY = 86_400


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def knowledge(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Knowledge]:
    made: Knowledge
    if request.param == "memory":
        made = MemoryKnowledge(clock=clock)
    else:
        made = SqlKnowledge(f"sqlite:///{tmp_path / 'k.sqlite3'}", delay=0, clock=clock)
    made.users.add("me")
    yield made
    made.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path)}, environment={})


@pytest.fixture
def edited(knowledge: Knowledge, settings: Settings):
    def act(name: str, text: str):
        return edit(knowledge, settings, name, text)

    return act


@pytest.fixture
def add(knowledge: Knowledge, settings: Settings):
    return lambda text: install_text(knowledge, settings, text)


def test_the_life_goes_on_where_nothing_else_is_said(add, edited, clock: Clock):
    (old,) = add("Create Sentinel s Using http://a.test/ To Now + 2 week")
    clock.passes(seconds=DAY)
    new = edited("s", "Create Sentinel s Using http://a.test/ Monitor all links To Now + 2 week Topic t")
    assert new.life == old.life
    assert "Topic t" in new.text


def test_another_end_is_counted_from_now(add, edited, clock: Clock):
    add("Create Sentinel s Using http://a.test/ To Now + 2 week")
    clock.passes(seconds=DAY)
    new = edited("s", "Create Sentinel s Using http://a.test/ To Now + 3 week")
    assert new.life.next_at == as_datetime(clock.now) + timedelta(weeks=3)


def test_an_ended_sentinel_lives_again_with_another_life_span(
    add, edited, clock: Clock, knowledge: Knowledge
):
    add("Create Sentinel s Using http://a.test/ To Now + 1 day")
    clock.passes(seconds=2 * DAY)
    Keeper(knowledge).turn()
    same = edited("s", "Create Sentinel s Using http://a.test/ To Now + 1 day Topic t")
    assert same.state is State.EXPIRED, "its life goes on: it is over"
    assert edited("s", "Create Sentinel s Using http://a.test/").state is State.ACTIVE


def test_a_sentinel_whose_start_has_passed_can_still_be_edited(add, edited, clock: Clock):
    add("Create Sentinel a Using http://a.test/\nCreate Sentinel s Using http://b.test/ From start(a)")
    clock.passes(seconds=DAY)
    assert edited("s", "Create Sentinel s Using http://c.test/ From start(a)").state is State.ACTIVE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Create Sentinel t Using http://a.test/", "keeps its name"),
        ("Create Sentinel s Using http://a.test/ Create Sentinel t Using http://b.test/", "there are 2"),
        ("Create Sentinel s Using http://127.0.0.1/", "may not be watched"),
        ("Create Sentinel s Using http://a.test/ To 01/01/2020", "in the past"),
        ("Create Sentinel s Using http://a.test/ Fetch 1 second", "too often"),
        ("Create Sentinel s Using sentinel nobody", "no sentinel 'nobody'"),
        ("Create Sentinel s Using sentinel s", "s → s"),
        ("Create Sentinel s Using sentinel on", "s → on → s"),
        ("Create Sentinel s Using http://a.test/ From end(on)", "s → on → s"),
    ],
)
def test_what_speaks_against_it_is_told_and_nothing_changes(
    add, edited, knowledge: Knowledge, text: str, reason: str
):
    add("Create Sentinel s Using http://a.test/\nCreate Sentinel on Using sentinel s")
    before = knowledge.sentinels.all("me")
    with pytest.raises(SentinelRefused, match=reason):
        edited("s", text)
    assert knowledge.sentinels.all("me") == before


def test_a_text_that_cannot_be_read_changes_nothing(add, edited):
    add("Create Sentinel s Using http://a.test/")
    with pytest.raises(MistakeInText):
        edited("s", "Create Sentinel s Using http://a.test/ Moniter all links")
    with pytest.raises(NotFound):
        edited("t", "Create Sentinel t Using http://a.test/")


def test_sentinels_that_are_set_on_an_edited_one_follow_to_its_new_pages(add, edited, knowledge: Knowledge):
    add(
        "Create Sentinel s Using http://a.test/ Monitor all links\n"
        "Create Sentinel on Using sentinel s Topic t\n"
        "Create Sentinel further Using sentinel on AND http://x.test/\n"
        "Create Sentinel other Using http://a.test/"
    )
    edited("s", "Create Sentinel s Using http://b.test/ Monitor all images")
    pages = {one.name: {page.url for page in one.pages} for one in knowledge.sentinels.all("me")}
    assert pages == {
        "s": {"http://b.test/"},
        "on": {"http://b.test/"},
        "further": {"http://b.test/", "http://x.test/"},
        "other": {"http://a.test/"},
    }
    assert "Monitor all links" in knowledge.sentinels.get("me", "on").text, "what it inherited is its own"


def test_the_keeper_tells_the_end_to_whom_the_new_text_names(add, edited, clock: Clock, knowledge: Knowledge):
    add("Create Sentinel s Using http://a.test/ To Now + 1 day Notify By log")
    keeper = Keeper(knowledge)
    keeper.turn()
    edited("s", "Create Sentinel s Using http://a.test/ To Now + 1 day Notify By webhook https://h.test/")
    keeper.turn()
    clock.passes(seconds=2 * DAY)
    keeper.turn()
    assert knowledge.sentinels.get("me", "s").state is State.EXPIRED
    last = knowledge.outbox.all("me", limit=1)
    assert [one.notice.channel for one in last] == ["webhook"]


def test_an_edited_sentinel_is_looked_at_by_its_new_text(add, edited, knowledge: Knowledge):
    add("Create Sentinel s Using http://a.test/ Monitor all links")
    edited("s", "Create Sentinel s Using http://a.test/ Monitor all images")
    (claim,) = claim_all(knowledge)
    assert "all images" in claim.pages[0].watches[0].text


def test_other_hours_plan_the_next_look_anew_and_other_words_do_not(add, edited, clock, knowledge: Knowledge):
    (old,) = add("Create Sentinel s Using http://a.test/ Fetch 1 hour on weekdays")
    clock.passes(seconds=5)
    same = edited("s", "Create Sentinel s Using http://a.test/ Fetch 1 hour on weekdays Topic t")
    assert same.pages[0].due == old.pages[0].due
    other = edited("s", "Create Sentinel s Using http://a.test/ Fetch 1 hour on weekends")
    assert old.pages[0].due
    assert other.pages[0].due == old.pages[0].due + timedelta(seconds=5)


def test_the_end_is_taken_away_and_given_back(knowledge: Knowledge, settings: Settings, add, clock: Clock):

    add("Create Sentinel t Using http://site.test/ Monitor all links")
    add("Create Sentinel s Using http://site.test/ From start(t) To end(t)")
    never_end(knowledge, settings, "t")
    assert is_endless(knowledge.sentinels.get("me", "t").life)
    assert "To 12/31/9999" in knowledge.sentinels.get("me", "t").text
    assert "Monitor all links" in knowledge.sentinels.get("me", "t").text
    end_in_a_year(knowledge, settings, "t")
    found = knowledge.sentinels.get("me", "t")
    assert not is_endless(found.life)
    assert found.life.next_at is not None
    left = found.life.next_at - as_datetime(clock.now)
    assert timedelta(days=364) <= left <= timedelta(days=365)
    never_end(knowledge, settings, "s")
    assert "From start(t) To 12/31/9999" in knowledge.sentinels.get("me", "s").text, "its start stays"


@pytest.mark.parametrize("again", [never_end, end_in_a_year])
def test_an_ended_sentinel_begins_again(knowledge: Knowledge, settings: Settings, add, clock: Clock, again):
    add("Create Sentinel s Using http://site.test/ From Now To Now + 1 day, From Now + 2 day To Now + 3 day")
    clock.passes(seconds=5 * DAY)
    Keeper(knowledge).turn()
    assert knowledge.sentinels.get("me", "s").state is State.EXPIRED
    again(knowledge, settings, "s")
    assert knowledge.sentinels.get("me", "s").state is State.ACTIVE
    with pytest.raises(NotFound):
        again(knowledge, settings, "nobody")


def test_a_sentinel_that_began_long_ago_goes_on_without_an_end(
    knowledge: Knowledge, settings: Settings, add, clock: Clock
):
    soon = as_datetime(clock.now) + timedelta(days=3)
    add(f"Create Sentinel s Using http://site.test/ From {soon:%m/%d/%Y} To Now + 90 day")
    clock.passes(seconds=10 * DAY)
    Keeper(knowledge).turn()
    before = knowledge.sentinels.get("me", "s").life
    assert before.within
    clock.passes(seconds=10 * DAY)
    never_end(knowledge, settings, "s")
    found = knowledge.sentinels.get("me", "s")
    assert is_endless(found.life)
    assert (found.life.installed_at, found.life.started_at) == (before.installed_at, before.started_at)
    assert found.state is State.ACTIVE
    assert "From" not in found.text


def test_a_waiting_sentinel_keeps_its_start(knowledge: Knowledge, settings: Settings, add, clock: Clock):
    soon = as_datetime(clock.now) + timedelta(days=3)
    add(f"Create Sentinel s Using http://site.test/ From {soon:%m/%d/%Y}")
    never_end(knowledge, settings, "s")
    found = knowledge.sentinels.get("me", "s")
    assert (found.state, found.life.started_at) == (State.WAITING, None)
    clock.passes(seconds=4 * DAY)
    Keeper(knowledge).turn()
    assert is_endless(knowledge.sentinels.get("me", "s").life)
