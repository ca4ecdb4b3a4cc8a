"""Paces in every knowledge base: memories of best-effort rules, hints, shares and steering (F1, A3, A4)."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread

import pytest
from sqlalchemy import text

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, remove_for_good, sentinel
from webvigil.model.moment import Millis
from webvigil.model.pace import NewPace, PaceRecord, Steering
from webvigil.model.work import Claim, Look
from webvigil.store.migrate import bring_up_to_date
from webvigil.store.promises import Knowledge
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge

URL = "http://site.test/"
HOUR = 60 * MINUTE


def on_change(name: str = "s1", url: str = URL):
    return sentinel(name, url, interval=0)


def look(knowledge: Knowledge, clock: Clock, claim: Claim | None = None, *, hours: int = 1, **pace: object):
    """Runs a look whose best-effort rule plans the next look in some hours, and returns that time."""
    (claim,) = [claim] if claim else claim_all(knowledge)
    due = claim.now + hours * HOUR
    new = NewPace(**{"memory": b"seen", "next_at": due} | pace)
    assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], due=due, watches=(), pace=new)])
    clock.passes(seconds=2)
    return due


class TestMemory:
    def test_it_comes_back_with_the_next_claim(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(on_change())
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].pace == PaceRecord(memory=b"", pings=0)
        memory = bytes(range(256))
        due = look(knowledge, clock, claim, memory=memory)
        assert knowledge.paces.get(installed.pages[0].id) == PaceRecord(memory=memory)
        clock.now = due
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].pace == PaceRecord(memory=memory)

    def test_those_of_many_pages_are_written_together(self, knowledge: Knowledge, clock: Clock):
        urls = [f"{URL}{number}" for number in range(4)]
        knowledge.sentinels.add(*(on_change(f"s{number}", url) for number, url in enumerate(urls)))
        (first,) = claim_all(knowledge)
        knowledge.schedule.ask(first.pages[3].id)
        plans = {due.id: first.now + (1 + due.id) * HOUR for due in first.pages}
        results = [
            checked(
                first,
                due,
                due=plans[due.id],
                watches=(),
                pace=NewPace(memory=b"%d" % due.id, next_at=plans[due.id]),
            )
            for due in first.pages
        ]
        assert knowledge.schedule.finish(first, results)
        clock.now = max(plans.values())
        (second,) = claim_all(knowledge)
        assert {due.id: due.pace for due in second.pages} == {
            id_: PaceRecord(memory=b"%d" % id_) for id_ in plans
        }
        times = {due.id: watch.next_at for due in second.pages for watch in due.watches}
        assert times == plans | {first.pages[3].id: first.now}, "somebody asked for the last one meanwhile"

    def test_a_page_that_is_looked_at_in_intervals_has_none(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].pace is None
        assert knowledge.paces.get(installed.pages[0].id) is None

    def test_what_a_worker_says_that_lost_its_lease_is_not_remembered(
        self, knowledge: Knowledge, clock: Clock
    ):
        (installed,) = knowledge.sentinels.add(on_change())
        (claim,) = claim_all(knowledge)
        clock.passes(seconds=31)
        claim_all(knowledge, "w2")
        new = NewPace(memory=b"late", next_at=0)
        assert not knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], watches=(), pace=new)])
        assert knowledge.paces.get(installed.pages[0].id) == PaceRecord()

    def test_the_plan_is_in_the_log(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(on_change())
        (claim,) = claim_all(knowledge)
        seen = Look(why="due", decision="same", plan="next look in 2 hours")
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], watches=(), look=seen)])
        assert knowledge.journal.fetch_log(installed.pages[0].id)[0]["plan"] == "next look in 2 hours"


class TestOneRuleForAll:
    def test_all_sentinels_on_change_look_at_the_same_times(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(on_change("s1"), on_change("s2"), sentinel("every", URL, interval=24 * HOUR))
        due = look(knowledge, clock)
        clock.now = due
        (claim,) = claim_all(knowledge)
        times = {watch.name: watch.next_at for watch in claim.pages[0].watches}
        assert times["s1"] == times["s2"] == due
        assert times["every"] != due

    def test_one_that_is_removed_leaves_the_others_their_time(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(on_change("s1"), on_change("s2"))
        due = look(knowledge, clock)
        remove_for_good(knowledge, "jill", "s1")
        assert knowledge.schedule.next_at() == due - clock.now

    def test_a_new_one_is_looked_at_at_once_and_the_memory_stays(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(on_change("s1"))
        look(knowledge, clock)
        knowledge.sentinels.add(on_change("s2"))
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].pace == PaceRecord(memory=b"seen")

    def test_a_wish_made_while_a_check_is_under_way_stays(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(on_change())
        (claim,) = claim_all(knowledge)
        knowledge.schedule.ask(installed.pages[0].id)
        look(knowledge, clock, claim)
        assert [page.wish for one in claim_all(knowledge) for page in one.pages] == ["asked"]


class TestHints:
    @pytest.fixture
    def page(self, knowledge: Knowledge, clock: Clock) -> int:
        (installed,) = knowledge.sentinels.add(on_change())
        look(knowledge, clock, hours=5)
        return installed.pages[0].id

    def test_a_hint_brings_the_look_forward(self, knowledge: Knowledge, clock: Clock, page: int):
        knowledge.paces.hint(page, clock.now + MINUTE, "a hint of a.test")
        assert knowledge.schedule.next_at() == MINUTE
        clock.passes(seconds=60)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].wish == "a hint of a.test"
        assert claim.pages[0].pace == PaceRecord(memory=b"seen", pings=1)

    def test_a_hint_never_puts_a_look_off(self, knowledge: Knowledge, clock: Clock, page: int):
        before = knowledge.schedule.next_at()
        knowledge.paces.hint(page, clock.now + 100 * HOUR)
        assert knowledge.schedule.next_at() == before
        assert knowledge.paces.get(page) == PaceRecord(memory=b"seen", pings=1)

    def test_hints_are_used_up_by_the_look_that_knew_of_them(
        self, knowledge: Knowledge, clock: Clock, page: int
    ):
        knowledge.paces.hint(page, clock.now)
        knowledge.paces.hint(page, clock.now)
        (claim,) = claim_all(knowledge)
        knowledge.paces.hint(page, clock.now)
        look(knowledge, clock, claim, pings=2)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].pace == PaceRecord(memory=b"seen", pings=1)

    def test_sentinels_with_an_interval_keep_their_times(self, knowledge: Knowledge, clock: Clock):
        (every,) = knowledge.sentinels.add(sentinel("every", "http://other.test/", interval=HOUR))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], due=claim.now + HOUR)])
        before = knowledge.schedule.next_at()
        knowledge.paces.hint(every.pages[0].id, clock.now)
        knowledge.paces.hint(4711, clock.now)
        assert knowledge.schedule.next_at() == before


class TestSteering:
    def test_it_is_shared_and_starts_from_nothing(self, knowledge: Knowledge):
        assert knowledge.paces.steering() == Steering()
        knowledge.paces.steer(lambda old: replace(old, price=2.5, looks=old.looks + 7))
        knowledge.paces.steer(lambda old: replace(old, looks=old.looks + 1))
        assert knowledge.paces.steering() == Steering(price=2.5, looks=8)

    def test_nobody_overwrites_what_another_added(self, knowledge: Knowledge):
        def add() -> None:
            for _ in range(20):
                knowledge.paces.steer(lambda old: replace(old, looks=old.looks + 1))

        threads = [Thread(target=add) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert knowledge.paces.steering().looks == 80

    def test_shares_are_summed_over_the_pages_that_are_looked_at(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(
            on_change("a", "http://one.test/a"),
            on_change("b", "http://one.test/b"),
            on_change("c", "http://two.test/c"),
        )
        for claim in claim_all(knowledge):
            results = [
                checked(claim, page, watches=(), pace=_shared(claim.now, 0.5 * page.id))
                for page in claim.pages
            ]
            knowledge.schedule.finish(claim, results)
        ids = {one.name: one.pages[0].id for one in knowledge.sentinels.all()}
        shares = knowledge.paces.shares(1)
        one = 0.5 * (ids["a"] + ids["b"])
        two = 0.5 * ids["c"]
        assert shares.total == pytest.approx(one + two)
        assert len(shares.hosts) == 1
        assert knowledge.paces.host_share("one.test") == pytest.approx(one)
        assert knowledge.paces.host_share("nobody.test") == 0
        knowledge.sentinels.enable("jill", "c", enabled=False)
        assert knowledge.paces.shares(5).total == pytest.approx(one)


def _shared(now: Millis, share: float) -> NewPace:
    return NewPace(memory=b"x", next_at=now + HOUR, share=share)


def test_sentinels_of_an_older_database_look_on_change_as_they_say(bare_url: str):
    database = Database(bare_url)
    bring_up_to_date(database, "webvigil_0003")
    texts = {
        "yes": "Create Sentinel yes Using http://a.test/\nFetch on change\n",
        "no": "Create Sentinel no Using http://a.test/\nMonitor phrase : {Fetch on change}\nFetch 2 hour\n",
    }
    with database.write() as connection:
        for statement in _OLDER:
            connection.execute(text(statement))
        for number, (name, written) in enumerate(texts.items(), 1):
            connection.execute(
                text(
                    "INSERT INTO sentinel (id, user_id, name, text, state, priority, topic, installed_at,"
                    " enabled, span, within, warned, over, failure, revision) VALUES"
                    " (:id, 1, :name, :text, 'active', 0, '', 0, :yes, 0, :yes, :no, :no, '', :id)"
                ),
                {"id": number, "name": name, "text": written, "yes": True, "no": False},
            )
            connection.execute(text(f"INSERT INTO watch VALUES ({number}, 1, 300000, 0, 1)"))
    database.close()
    knowledge = SqlKnowledge(bare_url)
    (claim,) = claim_all(knowledge)
    assert {watch.name: watch.interval for watch in claim.pages[0].watches} == {"yes": 0, "no": 300000}
    assert claim.pages[0].pace == PaceRecord()
    knowledge.close()


_OLDER = [
    "INSERT INTO wv_user VALUES (1, 'jill', 'user', 'UTC', 1000)",
    "INSERT INTO host (id, name, next_at, lease, token, owner) VALUES (1, 'a.test', 0, 0, 0, '')",
    "INSERT INTO page VALUES (1, 1, 0, 0, 0, 0, 0, 0)",
    (
        "INSERT INTO page_about (page_id, key, url, method, fields, render, validators) VALUES "
        "(1, 'k', 'http://a.test/', 'GET', '[]', 'http', '{}')"
    ),
]
