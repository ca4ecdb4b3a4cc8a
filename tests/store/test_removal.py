"""A removal can be undone: until then nobody sees anything of the sentinel, and nothing that it needs is
lost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from tests.databases import migrated_postgres, migrated_sqlite, one_behind_another
from tests.store.conftest import Clock
from tests.store.making import ALIVE, MINUTE, checked, claim_all, new_change, new_version, notice, sentinel
from webvigil.errors import NameTaken, NotFound
from webvigil.model.history import Ages
from webvigil.model.life import LifeStep
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import State
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.model.work import WatchUpdate
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge

DAY = 86_400


def with_a_change(knowledge: Knowledge, clock: Clock, name: str = "s1") -> int:
    """Installs a sentinel that has found one change, and returns the id of its page."""
    (made,) = knowledge.sentinels.add(sentinel(name))
    for number in (1, 2):
        (claim,) = claim_all(knowledge)
        page = claim.pages[0]
        found = (new_change(made.id, 1, 2),) if number == 2 else ()
        seen = WatchUpdate(sentinel=made.id, reference=number, next_at=claim.now + MINUTE)
        version = new_version(number, "xy"[number - 1])
        result = checked(claim, page, version=version, changes=found, watches=(seen,))
        assert knowledge.schedule.finish(claim, [result])
        clock.passes(seconds=120)
    return made.pages[0].id


def test_a_removed_sentinel_is_seen_nowhere(knowledge: Knowledge, clock: Clock):
    page = with_a_change(knowledge, clock)
    (change,) = knowledge.changes.all("jill")
    gone = knowledge.sentinels.set_aside("jill", "s1")
    assert (gone.name, gone.changes, gone.url) == ("s1", 1, "http://site.test/")
    with pytest.raises(NotFound, match="'s1'"):
        knowledge.sentinels.get("jill", "s1")
    with pytest.raises(NotFound):
        knowledge.changes.get(change.id)
    everything = WantedChanges()
    assert knowledge.sentinels.all() == knowledge.sentinels.some(WantedSentinels()) == []
    assert knowledge.sentinels.count(WantedSentinels(user="jill")) == 0
    assert knowledge.sentinels.pages() == knowledge.sentinels.pages("jill") == []
    assert not knowledge.sentinels.watch("jill", page)
    assert not knowledge.sentinels.watch(None, page)
    assert knowledge.sentinels.views("jill", [page]) == {}
    assert knowledge.changes.some(everything) == knowledge.changes.outlines(everything) == []
    assert (knowledge.changes.count(everything), knowledge.changes.rhythm(everything)) == (0, {})
    assert knowledge.changes.mark("jill", [change.id], seen=True) == 0
    assert knowledge.search.find("jill", "links") == []
    assert knowledge.journal.counts().sentinels == 0
    assert claim_all(knowledge) == []
    assert knowledge.sentinels.removed("jill") == [gone]


def test_an_undone_removal_brings_all_back(knowledge: Knowledge, clock: Clock):
    with_a_change(knowledge, clock)
    before, (change,) = knowledge.sentinels.get("jill", "s1"), knowledge.changes.all("jill")
    gone = knowledge.sentinels.set_aside("jill", "s1")
    clock.passes(seconds=DAY)
    back = knowledge.sentinels.restore("jill", gone.id)
    assert (back.id, back.name, back.text, back.state) == (before.id, "s1", before.text, State.ACTIVE)
    assert knowledge.changes.all("jill") == [change]
    assert [one.id for one in knowledge.search.find("jill", "x")] == [change.id]
    assert knowledge.sentinels.removed("jill") == []
    (claim,) = claim_all(knowledge)
    assert claim.pages[0].watches[0].reference == 2, "it is compared with the version that it saw last"


def test_a_paused_one_comes_back_paused(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel())
    knowledge.sentinels.enable("jill", "s1", enabled=False)
    gone = knowledge.sentinels.set_aside("jill", "s1")
    assert knowledge.sentinels.restore("jill", gone.id).state is State.DISABLED
    assert claim_all(knowledge) == []


def test_the_name_is_free_meanwhile(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    first = knowledge.sentinels.set_aside("jill", "s1")
    knowledge.sentinels.add(sentinel())
    with pytest.raises(NameTaken, match="another sentinel 's1'"):
        knowledge.sentinels.restore("jill", first.id)
    clock.passes(seconds=1)
    second = knowledge.sentinels.set_aside("jill", "s1")
    assert [one.id for one in knowledge.sentinels.removed("jill")] == [second.id, first.id]
    assert knowledge.sentinels.restore("jill", first.id).id == first.id


def test_nobody_restores_what_belongs_to_another_or_was_never_removed(knowledge: Knowledge):
    knowledge.users.add("jack")
    (made,) = knowledge.sentinels.add(sentinel())
    for user, wrong in (("jill", made.id), ("jill", 4711)):
        with pytest.raises(NotFound):
            knowledge.sentinels.restore(user, wrong)
    gone = knowledge.sentinels.set_aside("jill", "s1")
    assert knowledge.sentinels.removed("jack") == []
    with pytest.raises(NotFound):
        knowledge.sentinels.restore("jack", gone.id)
    with pytest.raises(NotFound):
        knowledge.sentinels.set_aside("jill", "s1")


def test_lives_hear_of_it_and_of_its_return(knowledge: Knowledge):
    (made,) = knowledge.sentinels.add(sentinel())
    first = knowledge.sentinels.news(0)
    knowledge.sentinels.set_aside("jill", "s1")
    second = knowledge.sentinels.news(first.revision)
    assert (second.changed, second.removed) == ((), (made.id,))
    assert not knowledge.sentinels.live(LifeStep(sentinel=made.id, before=ALIVE, after=ALIVE))
    knowledge.sentinels.restore("jill", made.id)
    third = knowledge.sentinels.news(second.revision)
    assert ([one.name for one in third.changed], third.removed) == (["s1"], ())
    assert knowledge.sentinels.news(0).removed == ()


def test_what_a_look_under_way_finds_for_it_is_not_told(knowledge: Knowledge):
    (made,) = knowledge.sentinels.add(sentinel())
    (claim,) = claim_all(knowledge)
    knowledge.sentinels.set_aside("jill", "s1")
    found = new_change(made.id, 0, 1, notice())
    assert knowledge.schedule.finish(
        claim, [checked(claim, claim.pages[0], version=new_version(1), changes=(found,))]
    )
    assert knowledge.outbox.claim("w", count=9, lease=1000) == []


def test_versions_and_the_page_wait_until_it_is_gone_for_good(knowledge: Knowledge, clock: Clock):
    page = with_a_change(knowledge, clock)
    knowledge.sentinels.set_aside("jill", "s1")
    removed_at = clock.now
    clock.passes(seconds=3 * DAY)
    history = knowledge.histories.of(page)
    assert [(one.old, one.new) for one in history.told] == [(1, 2)]
    assert [need.reference for need in history.needs] == [2]
    ages = Ages(log=clock.now, versions=clock.now)
    assert knowledge.logs.forget_pages(ages, after=0, limit=9).removed == 0
    assert knowledge.sentinels.forget_removed(removed_at, limit=9) == 0, "it was not removed before that"
    assert knowledge.sentinels.forget_removed(clock.now, limit=9) == 1
    assert knowledge.sentinels.removed("jill") == []
    assert (knowledge.histories.of(page).told, knowledge.histories.of(page).needs) == ((), ())
    assert knowledge.logs.forget_pages(ages, after=0, limit=9).removed == 1
    assert knowledge.sentinels.news(0).removed, "whoever did not hear of the removal still hears of it"


def test_a_removed_sentinel_is_deleted_with_its_user(knowledge: Knowledge):
    knowledge.users.add("jack")
    knowledge.sentinels.add(sentinel("his", user="jack"))
    knowledge.sentinels.set_aside("jack", "his")
    knowledge.users.remove("jack")
    knowledge.users.add("jack")
    assert knowledge.sentinels.removed("jack") == []


def test_the_time_of_a_removal_is_told(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    assert knowledge.sentinels.set_aside("jill", "s1").removed_at == as_datetime(clock.now)


LOCK = "SELECT id FROM host FOR UPDATE"


@pytest.mark.parametrize("act", ["enable", "pause", "remove", "edit", "live"])
def test_whoever_waited_for_a_removal_finds_nothing_to_change(act: str, clock: Clock):
    with migrated_postgres() as url, closing(SqlKnowledge(url, clock=clock)) as knowledge:
        knowledge.users.add("jill")
        (made,) = knowledge.sentinels.add(sentinel())
        sentinels = knowledge.sentinels
        acts: dict[str, Callable[[], object]] = {
            "enable": partial(sentinels.enable, "jill", "s1", enabled=True),
            "pause": partial(sentinels.enable, "jill", "s1", enabled=False),
            "remove": partial(sentinels.set_aside, "jill", "s1"),
            "edit": partial(sentinels.replace, sentinel(interval=2 * MINUTE)),
            "live": partial(sentinels.live, LifeStep(sentinel=made.id, before=ALIVE, after=ALIVE)),
        }
        first = partial(sentinels.set_aside, "jill", "s1")
        removed, late = one_behind_another(url, LOCK, first, acts[act])
        if act == "live":
            assert late.result() is False
        else:
            with pytest.raises(NotFound):
                late.result()
        assert sentinels.removed("jill") == [removed.result()]
        assert claim_all(knowledge) == []
        back = sentinels.restore("jill", made.id)
        assert (back.name, back.state, back.enabled) == ("s1", State.ACTIVE, True)


def test_what_is_brought_back_while_the_collector_waits_stays(clock: Clock):
    with migrated_postgres() as url, closing(SqlKnowledge(url, clock=clock)) as knowledge:
        knowledge.users.add("jill")
        knowledge.sentinels.add(sentinel())
        gone = knowledge.sentinels.set_aside("jill", "s1")
        restore = partial(knowledge.sentinels.restore, "jill", gone.id)
        forget = partial(knowledge.sentinels.forget_removed, clock.now + 1, limit=9)
        back, forgotten = one_behind_another(url, LOCK, restore, forget)
        assert (back.result().name, forgotten.result()) == ("s1", 0)
        assert knowledge.sentinels.get("jill", "s1").state is State.ACTIVE
        assert len(claim_all(knowledge)) == 1


def test_the_collector_and_a_user_never_wait_for_each_other(clock: Clock):
    """Hosts are locked in the same order by both."""
    first, second = "http://a.test/", "http://b.test/"
    with migrated_postgres() as url, closing(SqlKnowledge(url, clock=clock)) as knowledge:
        knowledge.users.add("jill")
        knowledge.sentinels.add(sentinel("both", first, second))
        knowledge.sentinels.add(sentinel("s1", second), sentinel("s2", first))
        for name in ("s1", "s2"):
            knowledge.sentinels.set_aside("jill", name)
        pause = partial(knowledge.sentinels.enable, "jill", "both", enabled=False)
        forget = partial(knowledge.sentinels.forget_removed, clock.now + 1, limit=9)
        paused, forgotten = one_behind_another(
            url, "SELECT id FROM host ORDER BY id LIMIT 1 FOR UPDATE", pause, forget
        )
        assert (paused.result().state, forgotten.result()) == (State.DISABLED, 2)


def test_a_look_and_the_removal_of_its_user_never_wait_for_each_other(clock: Clock):
    with migrated_postgres() as url, closing(SqlKnowledge(url, clock=clock)) as knowledge:
        knowledge.users.add("jill")
        knowledge.sentinels.add(sentinel())
        (claim,) = claim_all(knowledge)
        results = [checked(claim, claim.pages[0], version=new_version(1))]
        finish = partial(knowledge.schedule.finish, claim, results)
        finished, removed = one_behind_another(url, LOCK, finish, partial(knowledge.users.remove, "jill"))
        assert finished.result()
        removed.result()
        assert knowledge.sentinels.all() == []


def test_counting_messages_and_forgetting_sentinels_read_no_whole_table(tmp_path: Path):
    with closing(SqlKnowledge(migrated_sqlite(tmp_path / "webvigil.sqlite3"))) as knowledge:
        asked: list[tuple[str, Any]] = []
        event.listen(
            knowledge.database.engine,
            "before_cursor_execute",
            lambda _, __, statement, values, *___: asked.append((statement, values)),
        )
        knowledge.outbox.stuck("jill")
        knowledge.outbox.count_delivered("jill", since=0)
        knowledge.sentinels.forget_removed(1, limit=9)
        reading = [one for one in asked if one[0].startswith("SELECT") and "FROM" in one[0]]
        assert len(reading) >= 4
        with knowledge.database.read() as connection:
            plans = [
                row[3]
                for statement, values in reading
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            ]
        assert [one for one in plans if one.startswith(("SCAN outbox", "SCAN sentinel"))] == []
