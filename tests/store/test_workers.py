"""What many workers rely on: batches, fencing, duties, the bell; in memory, SQLite and PostgreSQL (Z1)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select, update

from tests.databases import migrated_postgres
from tests.store.conftest import Clock
from tests.store.making import (
    LEASE,
    MINUTE,
    checked,
    claim_all,
    new_change,
    new_version,
    notice,
    remove_for_good,
    sentinel,
)
from webvigil.errors import StoreBusy
from webvigil.model.work import Backlog, HostAfter, Look, Visited
from webvigil.store.promises import Knowledge
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.rows import sound
from webvigil.store.sql.schema import host, outbox, setting

REST = HostAfter(rest=1_000)


def test_visits_to_many_hosts_are_written_together(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(*(sentinel(f"s{n}", f"http://h{n}.test/") for n in range(5)))
    claims = claim_all(knowledge)
    visits = [
        Visited(claim=one, results=(checked(one, one.pages[0], version=new_version(1)),), after=REST)
        for one in claims
    ]
    assert knowledge.schedule.finish_all(visits) == [True] * 5
    assert knowledge.journal.counts().versions == 5
    assert claim_all(knowledge) == []
    clock.passes(seconds=60)
    assert len(claim_all(knowledge)) == 5


def test_a_host_that_wants_pauses_comes_with_as_many_pages_as_a_visit_can_ask_for(knowledge: Knowledge):
    knowledge.sentinels.add(*(sentinel(f"s{n}", f"http://a.test/{n}") for n in range(9)))
    (claim,) = claim_all(knowledge, within=3_500)
    assert len(claim.pages) == 4, "at once, and after one, two and three seconds"


def test_hosts_with_pauses_of_their_own_are_claimed_together(database_url: str, clock: Clock):
    knowledge = SqlKnowledge(database_url, delay=1_000, clock=clock)
    with closing(knowledge):
        knowledge.users.add("jill")
        pages = [f"http://{name}.test/{n}" for name in ("quick", "slow", "usual") for n in range(5)]
        knowledge.sentinels.add(sentinel("s1", *pages))
        with knowledge.database.write() as connection:
            for name, delay in (("quick.test", 0), ("slow.test", 2_000)):
                connection.execute(update(host).where(host.c.name == name).values(delay_ms=delay))
        claims = claim_all(knowledge, within=3_000)
    assert {one.name: len(one.pages) for one in claims} == {"quick.test": 5, "slow.test": 2, "usual.test": 4}


def test_a_host_that_a_search_asks_something_is_not_looked_at_meanwhile(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", "http://a.test/"), sentinel("s2", "http://b.test/"))
    assert knowledge.schedule.reserve("a.test", 2_000) == 0
    assert knowledge.schedule.reserve("a.test", 2_000) == 2_000
    assert knowledge.schedule.reserve("unwatched.test", 2_000) == 0
    assert knowledge.schedule.reserve("unwatched.test", 2_000) == 0
    (free,) = claim_all(knowledge)
    assert free.name == "b.test"
    clock.passes(seconds=2)
    (free,) = claim_all(knowledge)
    assert free.name == "a.test"
    assert knowledge.schedule.reserve("a.test", 2_000) > 2_000, "it is being looked at"
    assert knowledge.schedule.finish(free, [checked(free, free.pages[0])], HostAfter(rest=3_000))
    assert knowledge.schedule.reserve("a.test", 2_000) == 3_000, "it rests after the look"


def test_a_visit_whose_lease_was_lost_keeps_no_other_from_being_written(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", "http://a.test/", "http://b.test/"))
    lost, held = sorted(claim_all(knowledge, "w1"), key=lambda one: one.name)
    clock.passes(seconds=20)
    assert knowledge.schedule.renew(held, lease=LEASE) == [held]
    clock.passes(seconds=15)
    (taken,) = claim_all(knowledge, "w2")
    assert taken.name == "a.test"
    visits = [Visited(claim=one, results=(checked(one, one.pages[0]),), after=REST) for one in (lost, held)]
    assert knowledge.schedule.finish_all(visits) == [False, True]
    checks = {one.url: one.checks for one in knowledge.sentinels.get("jill", "s1").pages}
    assert checks == {"http://a.test/": 0, "http://b.test/": 1}


def test_what_is_handed_in_twice_is_written_once(knowledge: Knowledge):
    """A worker hands results in again if the transaction succeeded but the database's answer was lost."""
    knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    visited = Visited(
        claim=claim, results=(checked(claim, claim.pages[0], version=new_version(1)),), after=REST
    )
    assert knowledge.schedule.finish_all([visited]) == [True]
    assert knowledge.schedule.finish_all([visited]) == [False]
    assert knowledge.schedule.renew(claim, lease=LEASE) == [], "nor is a lease that was given back renewed"
    assert knowledge.sentinels.get("jill", "s1").pages[0].checks == 1


def test_a_sentinel_removed_meanwhile_takes_its_finding_and_notices_with_it(knowledge: Knowledge):
    (gone,) = knowledge.sentinels.add(sentinel("gone"))
    (stays,) = knowledge.sentinels.add(sentinel("stays"))
    (claim,) = claim_all(knowledge)
    changes = (new_change(gone.id, 1, 2, notice("of gone")), new_change(stays.id, 1, 2, notice("of stays")))
    remove_for_good(knowledge, "jill", "gone")
    result = checked(claim, claim.pages[0], version=new_version(1), changes=changes)
    assert knowledge.schedule.finish(claim, [result])
    assert [one.sentinel for one in knowledge.changes.all()] == ["stays"]
    assert [item.notice.dedup for item in knowledge.outbox.claim("w", count=9, lease=1)] == ["of stays"]


def test_texts_that_no_database_holds_are_written_all_the_same(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    look = Look(why="due", decision="failed", error="a\0b \ud83d c", reason="\\u0000 as text, 😀")
    assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look)])
    (seen,) = knowledge.journal.fetch_log(claim.pages[0].id)
    assert seen["reason"] == "\\u0000 as text, 😀"


@given(st.text(st.characters() | st.sampled_from("\0\\u\ud800\udc00😀"), max_size=20))
def test_only_what_cannot_be_held_is_replaced(text: str):
    kept = json.loads(sound(json.dumps([text])))[0]
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    kept.encode("utf-8")
    assert "\0" not in kept
    assert kept == joined or kept.replace("\ufffd", "") == joined.replace("\ufffd", "")


def test_the_most_urgent_pages_of_each_host_come_first(knowledge: Knowledge, clock: Clock):
    for n in range(6):
        knowledge.sentinels.add(sentinel(f"s{n}", f"http://a.test/{n}", f"http://b.test/{n}", priority=n % 2))
        clock.passes(seconds=1)
    for claim in claim_all(knowledge, pages=4):
        assert [int(due.page.url[-1]) for due in claim.pages] == [1, 3, 5, 0]


def test_a_duty_is_done_by_one(knowledge: Knowledge, clock: Clock):
    assert knowledge.duties.take("lives", "w1", lease=LEASE)
    assert not knowledge.duties.take("lives", "w2", lease=LEASE)
    assert knowledge.duties.take("collector", "w2", lease=LEASE)
    assert (knowledge.duties.is_held("lives"), knowledge.duties.is_held("another")) == (True, False)
    clock.passes(seconds=20)
    assert knowledge.duties.take("lives", "w1", lease=LEASE), "held on to"
    clock.passes(seconds=20)
    assert not knowledge.duties.take("lives", "w2", lease=LEASE)
    clock.passes(seconds=11)
    assert not knowledge.duties.is_held("lives")
    assert knowledge.duties.take("lives", "w2", lease=LEASE), "its holder is gone"
    assert not knowledge.duties.take("lives", "w1", lease=LEASE)


def test_a_duty_laid_down_is_free(knowledge: Knowledge):
    assert knowledge.duties.take("lives", "w1", lease=LEASE)
    knowledge.duties.lay_down("lives", "w2")
    assert not knowledge.duties.take("lives", "w2", lease=LEASE), "it was not theirs to lay down"
    knowledge.duties.lay_down("lives", "w1")
    assert knowledge.duties.take("lives", "w2", lease=LEASE)
    knowledge.duties.take_over()
    assert knowledge.duties.take("lives", "w3", lease=LEASE)


def test_the_bell_rings_for_new_pages_and_for_looks_asked_for(knowledge: Knowledge):
    rung = threading.Event()
    with knowledge.schedule.listen(rung.set) as trusted:
        assert trusted >= 1_000
        threading.Event().wait(0.5)  # on PostgreSQL the listener rings once when it connects
        rung.clear()
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        assert rung.wait(5)
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        rung.clear()
        knowledge.schedule.ask(installed.pages[0].id)
        assert rung.wait(5)
        rung.clear()
        (claim,) = claim_all(knowledge, hosts=1) or [None]
        assert claim is None or knowledge.schedule.finish(claim, [])
        assert not rung.wait(0.3), "claims and results ring for nobody"
    knowledge.schedule.ask(installed.pages[0].id)
    assert not rung.wait(0.3), "who has left is not called"


def test_the_age_of_the_queue_is_that_of_its_oldest(knowledge: Knowledge, clock: Clock):
    assert knowledge.schedule.age() == 0
    knowledge.sentinels.add(sentinel("s1"))
    clock.passes(seconds=7)
    knowledge.sentinels.add(sentinel("s2", "http://b.test/"))
    assert knowledge.schedule.age() == 7_000
    for claim in claim_all(knowledge):
        knowledge.schedule.finish(claim, [checked(claim, page) for page in claim.pages])
    assert knowledge.schedule.age() == 0
    assert knowledge.schedule.next_at() == MINUTE


def test_the_backlog_counts_what_waits_and_what_was_given_up(knowledge: Knowledge):
    for name in ("a", "b", "c"):
        knowledge.outbox.add(notice(name))
    assert knowledge.outbox.backlog() == Backlog(pending=3, given_up=0)
    (item, *_) = knowledge.outbox.claim("w", count=1, lease=LEASE)
    knowledge.outbox.give_up(item, error="no")
    assert knowledge.outbox.backlog() == Backlog(pending=2, given_up=1)


@pytest.mark.slow
def test_users_and_workers_at_once_never_wait_in_a_circle():
    """Sentinels are added, removed, disabled and asked for while results are written, and no deadlock
    occurs."""
    with migrated_postgres() as url:
        knowledge = SqlKnowledge(url, delay=0)
        knowledge.users.add("jill")
        names = [f"s{n}" for n in range(12)]
        urls = [f"http://h{n}.test/" for n in range(8)]
        for n, name in enumerate(names):
            knowledge.sentinels.add(sentinel(name, *urls[n % 4 :: 2], interval=1))

        def work():
            visits = [
                Visited(
                    claim=one,
                    results=tuple(checked(one, page, due=one.now) for page in one.pages),
                    after=HostAfter(rest=0),
                )
                for one in claim_all(knowledge, lease=LEASE)
            ]
            knowledge.schedule.finish_all(visits[::-1])

        def switch(enabled: bool):
            for name in names[: len(names) // 2]:
                knowledge.sentinels.enable("jill", name, enabled=enabled)

        def come_and_go():
            knowledge.sentinels.add(sentinel("guest", *urls[::-1], interval=1))
            remove_for_good(knowledge, "jill", "guest")

        def ask():
            for one in knowledge.sentinels.get("jill", "s11").pages:
                knowledge.schedule.ask(one.id)

        acts = [work, work, lambda: (switch(False), switch(True)), come_and_go, ask]
        assert _all_at_once(acts, seconds=4) == []
        with knowledge.database.read() as connection:
            assert connection.execute(select(func.count()).select_from(host)).scalar_one() == 8
            assert connection.execute(select(func.count()).select_from(outbox)).scalar_one() == 0
        knowledge.close()


def test_a_database_that_is_away_is_busy_and_not_broken():
    with pytest.raises(StoreBusy):
        SqlKnowledge("postgresql+psycopg://nobody@127.0.0.1:1/nothing")


def _all_at_once(acts: list[Callable[[], object]], seconds: float) -> list[BaseException]:
    """Repeats each act in its own thread for some seconds, and returns the exceptions."""
    troubles: list[BaseException] = []
    end = threading.Event()

    def for_a_while(act: Callable[[], object]) -> None:
        try:
            while not end.is_set():
                act()
        except Exception as error:  # noqa: BLE001 (the test reports any exception)
            troubles.append(error)
            end.set()

    threads = [threading.Thread(target=for_a_while, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    end.wait(seconds)
    end.set()
    for thread in threads:
        thread.join(30)
    return troubles


def test_whoever_asks_learns_that_something_was_written(database_url: str):
    with closing(SqlKnowledge(database_url)) as mine, closing(SqlKnowledge(database_url)) as other:
        before = mine.schedule.written()
        mine.users.add("jill")
        after_own = mine.schedule.written()
        assert after_own != before
        other.users.add("jack")
        assert mine.schedule.written() != after_own


def test_reading_is_not_taken_for_writing(database_url: str):
    # PostgreSQL counts the transactions of the whole server, also those of its own upkeep: what others write
    # meanwhile changes the text as well. A text that changed with every read would never stay the same.
    with closing(SqlKnowledge(database_url)) as mine, closing(SqlKnowledge(database_url)) as other:
        other.users.add("jack")

        def stays_the_same() -> bool:
            before = mine.schedule.written()
            assert other.users.get("jack").name == "jack"
            return mine.schedule.written() == before

        assert any(stays_the_same() for _ in range(200))


def test_a_transaction_that_ends_after_a_later_one_was_written_too():
    with migrated_postgres() as url, closing(SqlKnowledge(url)) as knowledge:
        first, second = knowledge.database.write(), knowledge.database.write()
        with first as slow:
            slow.execute(insert(setting).values(key="a", value="1"))
            with second as quick:
                quick.execute(insert(setting).values(key="b", value="1"))
            before = knowledge.schedule.written()
        assert knowledge.schedule.written() != before


def test_a_database_that_cannot_be_asked_is_asked_again(tmp_path: Path):
    folder = tmp_path / "comes later"
    with closing(Database(f"sqlite:///{folder / 'webvigil.sqlite3'}")) as database:
        with pytest.raises(StoreBusy, match="does not answer"):
            database.written()
        folder.mkdir()
        assert database.written() == database.written()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not list open files there")
def test_closing_a_database_closes_what_asks_whether_it_was_written(tmp_path: Path):
    file = tmp_path / "webvigil.sqlite3"
    database = Database(f"sqlite:///{file}")
    database.written()
    assert _open_here(file)
    database.close()
    assert not _open_here(file)


def _open_here(file: Path) -> bool:
    return any(one.is_symlink() and one.resolve() == file for one in Path("/proc/self/fd").iterdir())


def test_with_a_clock_of_a_test_somebody_may_always_have_written(database_url: str, clock: Clock):
    knowledge = SqlKnowledge(database_url, clock=clock)
    assert knowledge.schedule.written() != knowledge.schedule.written()
    knowledge.close()
