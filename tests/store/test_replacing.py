"""A sentinel gets another text and keeps its changes, in memory, SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.store.conftest import Clock
from tests.store.making import (
    ALIVE,
    BIRTH,
    MINUTE,
    checked,
    claim_all,
    new_change,
    new_version,
    notice,
    sentinel,
)
from webvigil.errors import NotFound
from webvigil.model.joint import Joint
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_datetime
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Knowledge

A, B, C = (f"http://{name}.test/" for name in "abc")


def look(knowledge: Knowledge, *changed: str) -> None:
    """Looks at every due page, which then has its first version; pages in `changed` also get a change."""
    for claim in claim_all(knowledge):
        for due in claim.pages:
            found = [new_change(one.sentinel, 1, 2, notice(due.page.url)) for one in due.watches]
            changes = tuple(found) if due.page.url in changed else ()
            version = new_version(1) if due.latest is None else None
            watches = [
                replace(one, reference=1)
                for one in checked(claim, due).watches  # the next comparison is with version 1
            ]
            result = checked(claim, due, version=version, changes=changes, watches=tuple(watches))
            assert knowledge.schedule.finish(claim, [result])


def references(knowledge: Knowledge, name: str) -> dict[str, int]:
    pages = knowledge.sentinels.get("jill", name).pages
    return {page.url: one.reference for page in pages for one in knowledge.sentinels.watching(page.id)}


def test_the_changes_stay_and_the_words_are_new(knowledge: Knowledge, clock: Clock):
    (old,) = knowledge.sentinels.add(sentinel("s", A, topic="press", priority=1))
    look(knowledge, A)
    before = knowledge.sentinels.news(0).revision
    (new,) = knowledge.sentinels.replace(sentinel("s", A, text="another text", topic="shops", priority=3))
    assert (new.id, new.text, new.changes, new.life) == (old.id, "another text", 1, ALIVE)
    assert knowledge.sentinels.get("jill", "s") == new
    assert [one.topic for one in knowledge.changes.all("jill")] == ["shops"]
    assert len(knowledge.changes.some(WantedChanges(topic="shops"))) == 1
    (changed,) = knowledge.sentinels.news(before).changed
    assert changed.text == "another text"
    assert knowledge.journal.events(limit=1)[0].name == "SentinelEdited"


def test_pages_stay_with_their_reference_go_and_come(knowledge: Knowledge, clock: Clock):
    (old,) = knowledge.sentinels.add(sentinel("s", A, B))
    look(knowledge)
    clock.passes(seconds=5)
    (new,) = knowledge.sentinels.replace(sentinel("s", B, C))
    assert [page.url for page in new.pages] == [B, C]
    assert references(knowledge, "s") == {B: 1, C: 0}
    assert new.pages[0].due == as_datetime(clock.now + 55_000), "as it was planned"
    assert new.pages[1].due == as_datetime(clock.now), "a new one at once"
    assert not knowledge.sentinels.watch("jill", old.pages[0].id)
    assert len(knowledge.versions.of(old.pages[0].id)) == 1, "versions stay"
    clock.passes(seconds=100)
    assert {page.page.url for claim in claim_all(knowledge) for page in claim.pages} == {B, C}


def test_a_page_that_others_have_versions_of_begins_with_the_newest(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s", A), sentinel("t", B))
    look(knowledge)
    knowledge.sentinels.replace(sentinel("s", A, B))
    assert references(knowledge, "s") == {A: 1, B: 1}


def test_another_interval_is_followed_from_now_on(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s", A, interval=60 * MINUTE))
    look(knowledge)
    clock.passes(seconds=60)
    (new,) = knowledge.sentinels.replace(sentinel("s", A, interval=0))
    assert new.pages[0].due == as_datetime(clock.now)
    (watch,) = knowledge.sentinels.watching(new.pages[0].id)
    assert (watch.interval, watch.on_change, watch.reference) == (0, True, 1)


def test_a_look_under_way_does_not_undo_it(knowledge: Knowledge, clock: Clock):
    (old,) = knowledge.sentinels.add(sentinel("s", A, B, interval=60 * MINUTE))
    claims = claim_all(knowledge)
    knowledge.sentinels.replace(sentinel("s", B, interval=MINUTE))
    for claim in claims:
        assert knowledge.schedule.finish(claim, [checked(claim, page) for page in claim.pages])
    new = knowledge.sentinels.get("jill", "s")
    assert [page.url for page in new.pages] == [B]
    assert new.pages[0].due == as_datetime(clock.now)
    clock.passes(seconds=2)
    (again,) = claim_all(knowledge)
    assert [page.page.url for page in again.pages] == [B]
    assert not knowledge.sentinels.watch(None, old.pages[0].id)


def test_a_new_life_is_lived_and_one_that_is_over_can_begin_again(knowledge: Knowledge, clock: Clock):
    over = replace(ALIVE, within=False, over=True, next_at=None, ended_at=BIRTH)
    knowledge.sentinels.add(sentinel("s", A, life=over))
    assert claim_all(knowledge) == []
    clock.passes(seconds=30)
    now = as_datetime(clock.now)
    born = LifeRecord(installed_at=now, within=True, started_at=now, next_at=now + timedelta(days=1))
    (new,) = knowledge.sentinels.replace(sentinel("s", A, life=born))
    assert (new.state, new.life, new.installed_at) == (State.ACTIVE, born, now)
    assert new.pages[0].due == now
    waiting = LifeRecord(installed_at=now, next_at=now + timedelta(days=1))
    assert knowledge.sentinels.replace(sentinel("s", A, life=waiting))[0].state is State.WAITING
    assert claim_all(knowledge) == []


def test_a_disabled_one_stays_disabled(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s", A))
    knowledge.sentinels.enable("jill", "s", enabled=False)
    (new,) = knowledge.sentinels.replace(sentinel("s", A, B))
    assert (new.state, new.enabled) == (State.DISABLED, False)
    assert claim_all(knowledge) == []


def test_a_page_is_as_urgent_as_the_most_urgent_sentinel_on_it(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s", A, priority=5), sentinel("t", A, priority=2))
    knowledge.sentinels.replace(sentinel("s", A, priority=1))
    (claim,) = claim_all(knowledge)
    assert claim.pages[0].priority == 2


def joint(*urls: str) -> Joint:
    return Joint("AND", tuple(Page(url=url) for url in urls))


def test_what_was_held_back_for_both_is_told_when_one_is_enough(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s", A, B, joint=joint(A, B)))
    look(knowledge, A)
    assert knowledge.changes.all("jill") == []
    knowledge.sentinels.replace(sentinel("s", A, B))
    assert [one.url for one in knowledge.changes.all("jill")] == [A]
    assert [one.url for one in knowledge.search.find("jill", "x")] == [A], "and it can be searched for"
    assert knowledge.journal.counts().pending_notices == 1


def test_what_was_held_back_for_a_page_that_is_gone_is_forgotten(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s", A, B, joint=joint(A, B)))
    look(knowledge, A)
    knowledge.sentinels.replace(sentinel("s", B, C, joint=joint(B, C)))
    clock.passes(seconds=61)
    look(knowledge, B)
    assert knowledge.changes.all("jill") == []
    clock.passes(seconds=61)
    look(knowledge, C)
    assert sorted(one.url for one in knowledge.changes.all("jill")) == [B, C]


def test_what_is_held_back_for_a_page_that_still_has_to_change_stays_held(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s", A, B, joint=joint(A, B)))
    look(knowledge, A)
    knowledge.sentinels.replace(sentinel("s", A, B, C, joint=joint(A, B, C)))
    assert knowledge.changes.all("jill") == []
    clock.passes(seconds=61)
    look(knowledge, B, C)
    assert sorted(one.url for one in knowledge.changes.all("jill")) == [A, B, C]


def test_what_is_not_there_is_not_replaced(knowledge: Knowledge):
    knowledge.users.add("jack")
    knowledge.sentinels.add(sentinel("s", A))
    for other in (sentinel("t", B), sentinel("s", B, user="jack"), sentinel("s", B, user="nobody")):
        with pytest.raises(NotFound):
            knowledge.sentinels.replace(sentinel("s", C), other)
    assert [page.url for page in knowledge.sentinels.get("jill", "s").pages] == [A]
    assert knowledge.journal.counts().pages == 1


def test_several_are_replaced_together(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s", A), sentinel("t", A, B))
    first, second = knowledge.sentinels.replace(sentinel("t", C), sentinel("s", C, B))
    assert ([page.url for page in first.pages], first.name) == ([C], "t")
    assert ({page.url for page in second.pages}, second.name) == ({B, C}, "s")
    assert {page.page.url for claim in claim_all(knowledge) for page in claim.pages} == {B, C}
