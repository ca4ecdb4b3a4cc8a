"""Discoveries in every knowledge base (S2): steps are written in order and once, services and owners are
kept."""

from __future__ import annotations

import pytest

from tests.store.conftest import Clock
from webvigil.errors import NotFound
from webvigil.model.discovery import Counted, NewService, WantedServices
from webvigil.model.moment import as_datetime
from webvigil.store.promises import Knowledge

WANTED = WantedServices(
    service="keyword-search",
    description="<serviceclass/>",
    seeds=("http://a.test/", "http://b.test/"),
    hints=("blast=3",),
    pages=40,
    post=True,
)
SERVICE = NewService(
    url="http://a.test/find", title="Find", probes=3, profile={"steps": [], "found": "\x00 \ud800 ü"}
)


def test_a_discovery_is_found_again_as_it_was_wanted(knowledge: Knowledge, clock: Clock):
    made = knowledge.discoveries.add("jill", WANTED)
    assert (made.wanted, made.state, made.user) == (WANTED, "waiting", "jill")
    assert made.created_at == as_datetime(clock.now)
    assert made.started_at is None
    assert knowledge.discoveries.get("jill", made.id) == made == knowledge.discoveries.get(None, made.id)


def test_everybody_sees_their_own(knowledge: Knowledge):
    knowledge.users.add("jack")
    first, second = (knowledge.discoveries.add("jill", WANTED) for _ in range(2))
    his = knowledge.discoveries.add("jack", WANTED)
    assert [one.id for one in knowledge.discoveries.all("jill")] == [second.id, first.id]
    assert [one.id for one in knowledge.discoveries.all("jill", before=second.id)] == [first.id]
    assert [one.id for one in knowledge.discoveries.all(limit=1)] == [his.id]
    for call in (
        lambda: knowledge.discoveries.get("jack", first.id),
        lambda: knowledge.discoveries.services("jack", first.id),
        lambda: knowledge.discoveries.service("jack", first.id, 1),
        lambda: knowledge.discoveries.remove("jack", first.id),
        lambda: knowledge.discoveries.get(None, 10**12),
    ):
        with pytest.raises(NotFound, match="there is no discovery"):
            call()
    with pytest.raises(NotFound):
        knowledge.discoveries.add("nobody", WANTED)


def test_steps_are_written_in_order_and_once(knowledge: Knowledge):
    id_ = knowledge.discoveries.add("jill", WANTED).id
    assert not knowledge.discoveries.append(id_, 0, {}, Counted()), "nobody has begun it"
    assert knowledge.discoveries.begin(id_)
    assert knowledge.discoveries.append(id_, 0, {"step": "started"}, Counted())
    assert knowledge.discoveries.append(id_, 1, {"step": "begun", "words": "\x00\ud800"}, Counted(pages=1))
    assert not knowledge.discoveries.append(id_, 1, {"step": "another's"}, Counted(pages=9))
    assert not knowledge.discoveries.append(id_, 3, {"step": "too early"}, Counted(pages=9))
    steps = [{"step": "started"}, {"step": "begun", "words": "\x00\ud800"}]
    assert knowledge.discoveries.steps(id_) == steps
    assert knowledge.discoveries.get(None, id_).counted == Counted(pages=1)


def test_what_is_found_is_numbered_and_kept_with_the_step(knowledge: Knowledge, clock: Clock):
    id_ = knowledge.discoveries.add("jill", WANTED).id
    knowledge.discoveries.begin(id_)
    knowledge.discoveries.append(id_, 0, {}, Counted(services=1), [SERVICE])
    clock.passes(seconds=5)
    knowledge.discoveries.append(id_, 1, {}, Counted(services=3), [SERVICE, SERVICE])
    assert not knowledge.discoveries.append(id_, 1, {}, Counted(services=4), [SERVICE])
    found = knowledge.discoveries.services("jill", id_)
    assert [one.number for one in found] == [1, 2, 3]
    assert (found[0].url, found[0].title, found[0].probes) == (SERVICE.url, "Find", 3)
    assert found[0].profile == SERVICE.profile
    assert found[2].found_at == as_datetime(clock.now)
    assert knowledge.discoveries.service("jill", id_, 2) == found[1]
    with pytest.raises(NotFound, match="no service 4"):
        knowledge.discoveries.service("jill", id_, 4)


def test_a_discovery_waits_runs_and_ends_once(knowledge: Knowledge, clock: Clock):
    first, second = (knowledge.discoveries.add("jill", WANTED).id for _ in range(2))
    assert [one.id for one in knowledge.discoveries.open()] == [first, second]
    knowledge.discoveries.begin(first)
    began = as_datetime(clock.now)
    clock.passes(seconds=60)
    assert knowledge.discoveries.begin(first), "after a restart"
    assert knowledge.discoveries.get(None, first).started_at == began
    assert knowledge.discoveries.end(first, "done", "nothing left")
    assert not knowledge.discoveries.end(first, "cancelled", "too late")
    ended = knowledge.discoveries.get(None, first)
    assert (ended.state, ended.why, ended.ended_at) == ("done", "nothing left", as_datetime(clock.now))
    assert not knowledge.discoveries.begin(first)
    assert not knowledge.discoveries.append(first, 0, {}, Counted())
    assert [one.id for one in knowledge.discoveries.open("jill")] == [second]
    assert knowledge.discoveries.end(second, "cancelled", "")


def test_a_removed_one_is_gone_with_all_it_found(knowledge: Knowledge):
    id_ = knowledge.discoveries.add("jill", WANTED).id
    knowledge.discoveries.begin(id_)
    knowledge.discoveries.append(id_, 0, {}, Counted(), [SERVICE])
    knowledge.discoveries.remove("jill", id_)
    assert knowledge.discoveries.all("jill") == []
    assert knowledge.discoveries.steps(id_) == []
    assert not knowledge.discoveries.begin(id_)
    assert not knowledge.discoveries.end(id_, "done", "")


def test_a_user_who_is_removed_takes_them_along(knowledge: Knowledge):
    knowledge.users.add("jack")
    knowledge.discoveries.add("jack", WANTED)
    knowledge.users.remove("jack")
    assert knowledge.discoveries.all() == []
