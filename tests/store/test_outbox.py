"""The outbox: queues are delivered in order, notices wait for each other, and their fate is recorded (N5,
N6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import checked, claim_all, remove_for_good, sentinel
from tests.store.making import notice as plain_notice
from webvigil.errors import NotFound
from webvigil.model.contact import KnownContact, Preferences
from webvigil.model.moment import NEVER, as_datetime
from webvigil.model.notice import (
    BEST_EFFORT,
    COUNTED,
    GATHERED,
    Notice,
    OutboxRecord,
    Receipt,
    Stuck,
    Told,
    Waiting,
)
from webvigil.model.work import Backlog, Look, OutboxItem, UndeliveredNotice
from webvigil.store.promises import Knowledge
from webvigil.store.sql.outbox import _name
from webvigil.store.sql.schema import outbox

LEASE = 30_000


def notice(name: str, to: str = "a@b.test", **more) -> Notice:
    return replace(plain_notice(name), channel="email", address=to, sentinel="s1", **more)


def claim(knowledge: Knowledge, count: int = 10) -> list[OutboxItem]:
    return knowledge.outbox.claim("w", count=count, lease=LEASE)


def names(items) -> list[str]:
    return [item.notice.dedup for item in items]


def add(knowledge: Knowledge, *notices: Notice) -> None:
    for one in notices:
        assert knowledge.outbox.add(one)


class TestOrder:
    def test_a_queue_waits_behind_one_that_failed(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1"), notice("2"), notice("other", to="c@d.test"))
        first, second, _ = claim(knowledge)
        knowledge.outbox.retry(first, wait=5_000, error="busy")
        knowledge.outbox.put_back([second])
        add(knowledge, notice("3"))
        clock.passes(seconds=1)
        assert claim(knowledge) == []
        clock.passes(seconds=4)
        again = claim(knowledge)
        assert names(again) == ["1", "2", "3"]
        assert [item.attempts for item in again] == [1, 0, 0], "one that was put back was not tried"

    def test_nobody_gets_what_stands_behind_another_workers_notice(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1"), notice("2"))
        assert names(claim(knowledge, count=1)) == ["1"]
        assert claim(knowledge) == []
        clock.passes(seconds=31)
        assert names(claim(knowledge)) == ["1", "2"], "the other one has died"

    def test_one_that_was_given_up_holds_up_nobody(self, knowledge: Knowledge):
        add(knowledge, notice("1"), notice("2"))
        first, second = claim(knowledge)
        knowledge.outbox.give_up(first, error="no")
        knowledge.outbox.put_back([second])
        assert names(claim(knowledge)) == ["2"]

    def test_best_effort_comes_after_all_that_is_told_at_once(self, knowledge: Knowledge):
        add(knowledge, notice("slow", lane=BEST_EFFORT), notice("1"), notice("2", to="c@d.test"))
        assert names(claim(knowledge)) == ["1", "2", "slow"]

    def test_what_is_held_holds_up_its_own_queue_only(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1"), notice("2"), notice("3", to="c@d.test"))
        first, second, third = claim(knowledge)
        assert knowledge.outbox.hold(first, until=clock.now + 5_000)
        knowledge.outbox.put_back([second, third])
        assert names(claim(knowledge)) == ["3"]
        clock.passes(seconds=6)
        assert claim(knowledge) == [], "it is let go by who gathers"


class TestGathering:
    def test_notices_that_wait_are_not_claimed_but_ripe(self, knowledge: Knowledge):
        add(knowledge, notice("1", lane=GATHERED, every=60_000), notice("2", lane=GATHERED, every=60_000))
        assert claim(knowledge) == []
        (head,) = knowledge.outbox.ripe(limit=10)
        assert (head.dedup, head.every) == ("1", 60_000)
        waiting = knowledge.outbox.waiting(head.queue, due=True, limit=10)
        assert names(waiting) == ["1", "2"]

    def test_placed_ones_wait_until_then(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1", lane=GATHERED, every=60_000), notice("2", lane=GATHERED, every=60_000))
        queue = knowledge.outbox.ripe(limit=10)[0].queue
        first, second = knowledge.outbox.waiting(queue, due=True, limit=10)
        knowledge.outbox.place([first.id], until=clock.now + 5_000)
        knowledge.outbox.place([second.id], until=NEVER)
        assert knowledge.outbox.ripe(limit=10) == []
        clock.passes(seconds=5)
        assert names(knowledge.outbox.waiting(queue, due=True, limit=10)) == ["1"]
        assert names(knowledge.outbox.waiting(queue, due=False, limit=10)) == ["1", "2"]
        assert len(knowledge.outbox.ripe(limit=10)) == 1

    def test_a_summary_takes_their_place_at_once(self, knowledge: Knowledge):
        add(knowledge, notice("1", lane=COUNTED, needs=2), notice("2", lane=COUNTED, needs=2))
        queue = knowledge.outbox.ripe(limit=10)[0].queue
        ids = [one.id for one in knowledge.outbox.waiting(queue, due=False, limit=10)]
        assert knowledge.outbox.merge(ids, notice("summary"))
        assert names(claim(knowledge)) == ["summary"]
        assert knowledge.outbox.ripe(limit=10) == []
        merged = knowledge.outbox.all("jill", state="merged")
        assert [one.merged_into for one in merged] == ["summary", "summary"]
        assert not knowledge.outbox.merge(ids, notice("another")), "they are told already"
        assert names(knowledge.outbox.all(state="pending")) == ["summary"]

    def test_one_that_somebody_works_on_is_not_merged(self, knowledge: Knowledge):
        add(knowledge, notice("1"), notice("2"))
        items = claim(knowledge, count=1)
        ids = [one.id for one in knowledge.outbox.all()]
        assert not knowledge.outbox.merge(ids, notice("summary"))
        assert names(items) == ["1"]
        assert {one.state for one in knowledge.outbox.all()} == {"pending"}

    def test_what_waits_for_more_changes_is_due_when_its_sentinel_is_removed(
        self, knowledge: Knowledge, clock: Clock
    ):
        for name in ("s1", "s2"):
            knowledge.sentinels.add(sentinel(name, f"https://{name}.test/"))
        counted, timed = (
            notice("counted", lane=COUNTED, needs=1),
            notice("timed", lane=GATHERED, every=60_000),
        )
        others = replace(counted, dedup="other", sentinel="s2")
        settled = replace(counted, dedup="settled")
        add(knowledge, counted, timed, others, settled)
        rows = {one.notice.dedup: one.id for one in knowledge.outbox.all("jill")}
        assert knowledge.outbox.merge([rows["settled"]], notice("summary"))
        knowledge.outbox.place([rows[name] for name in ("counted", "timed", "other")], until=NEVER)
        remove_for_good(knowledge, "jill", "s1")
        assert [head.dedup for head in knowledge.outbox.ripe(limit=10)] == ["counted"]

    def test_one_alone_is_let_go(self, knowledge: Knowledge):
        add(knowledge, notice("1", lane=GATHERED, every=60_000), notice("2", lane=GATHERED, every=120_000))
        queue = knowledge.outbox.ripe(limit=10)[0].queue
        first, second = knowledge.outbox.waiting(queue, due=True, limit=10)
        assert knowledge.outbox.let_go(second)
        assert names(claim(knowledge)) == ["2"]
        assert not knowledge.outbox.let_go(second), "somebody is at work on it"
        assert names(knowledge.outbox.waiting(queue, due=True, limit=10)) == [first.notice.dedup]

    def test_what_was_held_for_a_contact_is_woken(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1"), notice("2", lane=GATHERED, every=60_000))
        (item,) = claim(knowledge)
        knowledge.outbox.hold(item, until=NEVER)
        knowledge.outbox.place([knowledge.outbox.all("jill")[0].id], until=clock.now + 1_000)
        assert knowledge.outbox.ripe(limit=10) == []
        assert knowledge.outbox.wake("jill", "email", "a@b.test") == 1
        assert names(knowledge.outbox.waiting(item.notice.queue, due=True, limit=9)) == ["1"]


class TestForPeople:
    def test_what_was_given_up_is_tried_again_by_hand(self, knowledge: Knowledge):
        add(knowledge, notice("1"), notice("2"))
        for item in claim(knowledge):
            knowledge.outbox.give_up(item, error="no")
        dead = knowledge.outbox.given_up("jill")
        assert knowledge.outbox.revive("jack") == 0
        assert knowledge.outbox.revive("jill", notice=dead[0].id) == 1
        assert names(claim(knowledge)) == [dead[0].notice.dedup]
        assert knowledge.outbox.revive() == 1
        assert claim(knowledge)[0].attempts == 0

    def test_when_and_how_often_a_sentinel_was_told(self, knowledge: Knowledge, clock: Clock):
        add(knowledge, notice("1"), notice("2"), replace(notice("3"), sentinel="s2", channel="log"))
        told = []
        for item in claim(knowledge):
            clock.passes(seconds=1)
            told.append((item, Receipt(dedup=item.notice.dedup, delivered_at=as_datetime(clock.now))))
        knowledge.outbox.delivered_all(told)
        found = knowledge.outbox.told("jill", ["s1", "s2", "s3"])
        assert {name: one.count for name, one in found.items()} == {"s1": 2, "s2": 1}
        assert found["s2"].last == as_datetime(clock.now)
        assert [*knowledge.outbox.told("jill", ["s2"])] == ["s2"]
        assert knowledge.outbox.told("jack", ["s1"]) == knowledge.outbox.told("jill", []) == {}
        since = clock.now - 10_000
        assert knowledge.outbox.sent("jill", ["email"], since=since) == [clock.now - 2_000, clock.now - 1_000]
        assert knowledge.outbox.sent("jill", ["email"], since=clock.now - 1_000) == []

    def test_the_newest_is_shown_first(self, knowledge: Knowledge):
        add(knowledge, notice("1"), notice("2", lane=GATHERED, every=9))
        assert [(one.notice.dedup, one.state) for one in knowledge.outbox.all("jill")] == [
            ("2", "held"),
            ("1", "pending"),
        ]
        assert names(knowledge.outbox.all("jill", limit=1)) == ["2"]
        assert knowledge.outbox.all("jack") == []

    def test_long_names_have_room(self, knowledge: Knowledge):
        long = "installed:" + "x" * 500
        assert knowledge.outbox.add(notice(long + ":0"))
        assert knowledge.outbox.add(notice(long + ":1"))
        assert not knowledge.outbox.add(notice(long + ":0"))
        assert len(claim(knowledge)) == 2


class TestContacts:
    def test_what_is_known_of_a_contact(self, knowledge: Knowledge):
        one = KnownContact(user="jill", channel="email", address="a@b.test", digest="d", expires=5)
        knowledge.contacts.put(one)
        assert knowledge.contacts.get("jill", "email", "a@b.test") == one
        assert knowledge.contacts.get("jill", "email", "c@d.test") is None
        assert knowledge.contacts.of_digest("d") == one
        assert knowledge.contacts.of_digest("") is None
        confirmed = replace(one, digest="", verified_at=7)
        knowledge.contacts.put(confirmed)
        assert knowledge.contacts.all("jill") == [confirmed]
        assert knowledge.contacts.of_digest("d") is None
        knowledge.contacts.remove("jill", "email", "a@b.test")
        with pytest.raises(NotFound):
            knowledge.contacts.remove("jill", "email", "a@b.test")
        with pytest.raises(NotFound):
            knowledge.contacts.put(replace(one, user="nobody"))

    def test_preferences(self, knowledge: Knowledge):
        assert knowledge.contacts.preferences("jill") == Preferences()
        wanted = Preferences(quiet_from=60, quiet_to=120, rate=3, summary_at=5, order="topic")
        knowledge.contacts.prefer("jill", wanted)
        assert knowledge.contacts.preferences("jill") == wanted
        with pytest.raises(NotFound):
            knowledge.contacts.preferences("nobody")


def test_when_a_page_was_last_looked_at_and_last_seen(knowledge: Knowledge, clock: Clock):
    (installed,) = knowledge.sentinels.add(sentinel("s1"))
    page = installed.pages[0].id
    assert knowledge.journal.last_looks([page]) == {}
    seen = clock.now
    for decision in ("same", "failed"):
        (found,) = claim_all(knowledge)
        result = checked(found, found.pages[0], look=Look(why="due", decision=decision))
        knowledge.schedule.finish(found, [result])
        clock.passes(seconds=61)
    looks = knowledge.journal.last_looks([page, 4711])
    assert {id_: (one.at, one.seen) for id_, one in looks.items()} == {page: (seen + 61_000, seen)}


def test_a_lease_that_is_renewed_lasts_and_one_that_was_lost_is_not_renewed(
    knowledge: Knowledge, clock: Clock
):
    knowledge.outbox.add(notice("n1"))
    knowledge.outbox.add(replace(notice("n2"), address="another"))
    items = claim(knowledge)
    clock.passes(seconds=20)
    assert knowledge.outbox.renew(items, lease=LEASE) == items
    clock.passes(seconds=20)
    assert claim(knowledge) == []
    clock.passes(seconds=20)
    (first, *_) = knowledge.outbox.claim("w2", count=1, lease=LEASE)
    assert [one.notice.dedup for one in knowledge.outbox.renew(items, lease=LEASE)] == ["n2"]
    assert knowledge.outbox.renew([first], lease=LEASE) == [first]
    knowledge.outbox.put_back([first])
    assert knowledge.outbox.renew([first], lease=LEASE) == []


@pytest.mark.parametrize(("length", "kept"), [(199, True), (200, True), (201, False)])
def test_a_name_is_shortened_only_if_it_is_too_long_for_its_column(length: int, kept: bool):
    name = "n" * length
    shortened = _name(name)
    assert (shortened == name) is kept
    assert len(shortened) <= outbox.c.dedup.type.length
    assert shortened != _name("n" * (length + 1))


def test_what_could_not_be_delivered_is_counted_by_contact(knowledge: Knowledge, clock: Clock):
    for number, address in enumerate(("a@b.test", "a@b.test", "c@d.test", "e@f.test")):
        add(knowledge, notice(f"n{number}", address))
    first, second, third, fourth = claim(knowledge)
    knowledge.outbox.give_up(first, error="refused")
    knowledge.outbox.give_up(second, error="refused again")
    knowledge.outbox.retry(third, wait=1000, error="busy")
    clock.passes(seconds=1)
    knowledge.outbox.delivered(fourth, Receipt(dedup="n3", delivered_at=as_datetime(clock.now)))
    assert knowledge.outbox.stuck("jill") == [
        Stuck(channel="email", address="a@b.test", count=2, error="refused again", given_up=True),
        Stuck(channel="email", address="c@d.test", count=1, error="busy", given_up=False),
    ]
    assert knowledge.outbox.stuck("jack") == []
    assert len(knowledge.outbox.given_up("jill", limit=1)) == 1
    assert knowledge.outbox.count_delivered("jill", since=clock.now) == 1
    assert knowledge.outbox.count_delivered("jill", since=clock.now + 1) == 0
    assert knowledge.outbox.count_delivered("jack", since=0) == 0


def settled(knowledge: Knowledge, clock: Clock, *items: OutboxItem) -> None:
    """Delivers notices, each a second after the one before."""
    for item in items:
        clock.passes(seconds=1)
        receipt = Receipt(dedup=item.notice.dedup, delivered_at=as_datetime(clock.now))
        assert knowledge.outbox.delivered(item, receipt)


def test_people_see_what_became_of_each_notice(knowledge: Knowledge, clock: Clock):
    written = [
        notice("delivered"),
        notice("given up", to="b@b.test"),
        notice("busy", to="c@b.test"),
        notice("held", to="d@b.test"),
        notice("merged", to="e@b.test"),
        notice("gathered", to="f@b.test", lane=GATHERED, every=60_000),
        notice("counted", to="g@b.test", lane=COUNTED, needs=2),
    ]
    add(knowledge, *written)
    began = clock.now
    items = {item.notice.dedup: item for item in claim(knowledge)}
    assert items.keys() == {"delivered", "given up", "busy", "held", "merged"}
    clock.passes(seconds=1)
    assert knowledge.outbox.delivered(
        items["delivered"], Receipt(dedup="delivered", delivered_at=as_datetime(clock.now))
    )
    assert knowledge.outbox.give_up(items["given up"], error="no")
    assert knowledge.outbox.retry(items["busy"], wait=5_000, error="later")
    assert knowledge.outbox.hold(items["held"], until=NEVER)
    knowledge.outbox.put_back([items["merged"]])
    assert knowledge.outbox.merge([items["merged"].id], notice("summary", to="e@b.test"))
    ids = {one.notice.dedup: one.id for one in knowledge.outbox.all()}
    rows = {
        "delivered": ("delivered", 1, "", None, clock.now, ""),
        "given up": ("given up", 1, "no", None, None, ""),
        "busy": ("pending", 1, "later", clock.now + 5_000, None, ""),
        "held": ("held", 0, "", None, None, ""),
        "merged": ("merged", 0, "", None, clock.now, "summary"),
        "gathered": ("held", 0, "", began, None, ""),
        "counted": ("held", 0, "", began, None, ""),
        "summary": ("pending", 0, "", clock.now, None, ""),
    }
    notices = {one.dedup: one for one in (*written, notice("summary", to="e@b.test"))}
    assert knowledge.outbox.all("jill") == [
        OutboxRecord(
            id=ids[name],
            notice=notices[name],
            state=state,
            attempts=attempts,
            error=error,
            created_at=as_datetime(clock.now if name == "summary" else began),
            due=None if due is None else as_datetime(due),
            settled_at=None if settled_at is None else as_datetime(settled_at),
            merged_into=into,
        )
        for name, (state, attempts, error, due, settled_at, into) in reversed(rows.items())
    ]
    assert names(knowledge.outbox.all(state="held")) == ["counted", "gathered", "held"]
    assert names(knowledge.outbox.all("jack", state="held")) == knowledge.outbox.all(limit=0) == []
    assert knowledge.outbox.backlog() == Backlog(pending=4, given_up=1)
    assert knowledge.journal.counts().pending_notices == 2
    (dead,) = knowledge.outbox.given_up()
    assert dead == UndeliveredNotice(id=ids["given up"], notice=notices["given up"], attempts=1, error="no")


def test_who_lost_the_lease_settles_nothing(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1"))
    (lost,) = claim(knowledge)
    knowledge.outbox.take_over()
    receipt = Receipt(dedup="1", delivered_at=as_datetime(clock.now))
    outbox = knowledge.outbox
    assert not outbox.delivered(lost, receipt)
    assert not outbox.retry(lost, wait=1, error="x")
    assert not outbox.give_up(lost, error="x")
    assert not outbox.hold(lost, until=NEVER)
    outbox.delivered_all([(lost, receipt)])
    outbox.put_back([lost])
    assert outbox.renew([lost], lease=LEASE) == []
    (one,) = outbox.all()
    assert (one.state, one.attempts, one.error, one.settled_at) == ("pending", 0, "", None)
    (again,) = claim(knowledge)
    assert outbox.retry(again, wait=0, error="busy", tried=False)
    assert [one.attempts for one in claim(knowledge)] == [0], "it was not tried"


def test_many_are_delivered_together_and_leave_their_queues(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1"), notice("2"), notice("3"))
    first, second, third = claim(knowledge)
    at = as_datetime(clock.now)
    knowledge.outbox.delivered_all([(one, Receipt(dedup="-", delivered_at=at)) for one in (first, second)])
    knowledge.outbox.delivered_all([])
    knowledge.outbox.put_back([])
    found = {one.notice.dedup: one for one in knowledge.outbox.all()}
    assert {name: (one.state, one.attempts, one.settled_at, one.due) for name, one in found.items()} == {
        "1": ("delivered", 1, at, None),
        "2": ("delivered", 1, at, None),
        "3": ("pending", 0, None, at),
    }
    clock.now += LEASE
    assert names(claim(knowledge)) == ["3"]
    assert third.attempts == 0


@pytest.mark.parametrize(
    ("user", "channel", "address"),
    [("jack", "email", "a@b.test"), ("jill", "log", "a@b.test"), ("jill", "email", "x@b.test")],
)
def test_only_what_was_held_for_this_contact_is_woken(
    knowledge: Knowledge, clock: Clock, user: str, channel: str, address: str
):
    add(knowledge, notice("held"), notice("pending", to="b@b.test"))
    held, _ = claim(knowledge)
    knowledge.outbox.hold(held, until=NEVER)
    assert knowledge.outbox.wake(user, channel, address) == 0
    assert knowledge.outbox.wake("jill", "email", "b@b.test") == 0, "it is not held"
    assert knowledge.outbox.ripe(limit=9) == []
    assert knowledge.outbox.wake("jill", "email", "a@b.test") == 1
    assert [one.dedup for one in knowledge.outbox.ripe(limit=9)] == ["held"]


@pytest.mark.parametrize("more", [{"lane": GATHERED, "every": 60_000}, {"lane": COUNTED, "needs": 3}])
def test_what_waits_for_others_is_not_woken(knowledge: Knowledge, clock: Clock, more: dict[str, Any]):
    add(knowledge, notice("waits", **more))
    (one,) = knowledge.outbox.all()
    knowledge.outbox.place([one.id], until=clock.now + 5)
    assert knowledge.outbox.wake("jill", "email", "a@b.test") == 0
    assert knowledge.outbox.ripe(limit=9) == []


def test_as_many_queues_and_notices_come_as_are_wanted(knowledge: Knowledge):
    for number in range(3):
        add(knowledge, *(notice(f"{number}{n}", to=f"{number}@b.test", every=9) for n in range(3)))
    assert len(knowledge.outbox.ripe(limit=2)) == 2
    assert [one.dedup for one in knowledge.outbox.ripe(limit=9)] == ["00", "10", "20"]
    queue = knowledge.outbox.ripe(limit=9)[1].queue
    assert names(knowledge.outbox.waiting(queue, due=False, limit=2)) == ["10", "11"]


def test_a_settled_notice_waits_no_more(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1"), notice("2"), notice("3"))
    first, second, third = claim(knowledge)
    queue = first.notice.queue
    assert knowledge.outbox.waiting(queue, due=False, limit=9) == [], "somebody is at work on them"
    settled(knowledge, clock, first)
    knowledge.outbox.give_up(second, error="no")
    knowledge.outbox.put_back([third])
    assert names(knowledge.outbox.waiting(queue, due=False, limit=9)) == ["3"]
    knowledge.outbox.place([first.id, second.id, third.id], until=NEVER)
    assert knowledge.outbox.next_at() is None
    assert [one.due for one in knowledge.outbox.all()] == [None] * 3
    assert not knowledge.outbox.merge([first.id, third.id], notice("summary"))
    assert knowledge.outbox.merge([], notice("alone"))
    assert names(knowledge.outbox.all(state="pending")) == ["alone", "3"]


def test_a_lease_on_a_notice_is_free_at_its_end(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1"))
    (item,) = claim(knowledge)
    (one,) = knowledge.outbox.all()
    waits = Waiting(id=one.id, since=clock.now, due=clock.now, notice=one.notice)
    clock.now += LEASE - 1
    assert not knowledge.outbox.let_go(waits)
    assert not knowledge.outbox.merge([item.id], notice("summary"))
    assert knowledge.outbox.waiting(item.notice.queue, due=True, limit=9) == []
    clock.now += 1
    assert names(knowledge.outbox.waiting(item.notice.queue, due=True, limit=9)) == ["1"]
    assert knowledge.outbox.let_go(waits)
    assert not knowledge.outbox.let_go(replace(waits, id=one.id + 1))
    assert knowledge.outbox.merge([item.id], notice("summary"))


def test_one_that_is_let_go_waits_for_nothing(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1", lane=COUNTED, needs=2))
    queue = knowledge.outbox.all()[0].notice.queue
    (waits,) = knowledge.outbox.waiting(queue, due=False, limit=9)
    clock.passes(seconds=9)
    assert knowledge.outbox.let_go(waits)
    (one,) = claim(knowledge)
    assert one.notice == notice("1")
    assert one.notice.queue != queue


def test_what_was_given_up_is_revived_by_its_user_and_number(knowledge: Knowledge, clock: Clock):
    knowledge.users.add("jack")
    add(knowledge, notice("1"), notice("2"), replace(notice("his"), user="jack"), notice("4"))
    *dead, alive = claim(knowledge)
    for item in dead:
        knowledge.outbox.give_up(item, error="no")
    ids = {one.notice.dedup: one.id for one in knowledge.outbox.given_up()}
    assert [*ids] == ["his", "2", "1"], "the newest first"
    revive = knowledge.outbox.revive
    assert revive("jack", notice=ids["1"]) == revive("jill", notice=alive.id) == 0
    clock.passes(seconds=5)
    assert revive("jill", notice=ids["1"]) == 1
    (one,) = [one for one in knowledge.outbox.all(state="pending") if one.notice.dedup == "1"]
    assert (one.attempts, one.due, one.error) == (0, as_datetime(clock.now), "no")
    assert revive("jill") == 1
    assert names(knowledge.outbox.given_up()) == ["his"]
    assert names(knowledge.outbox.given_up("jill")) == []


def test_what_was_told_is_counted_for_each_sentinel_once_it_is_settled(knowledge: Knowledge, clock: Clock):
    add(knowledge, notice("1"), notice("2"), notice("3"), replace(notice("of none"), sentinel=""))
    first, second, third, fourth = claim(knowledge)
    settled(knowledge, clock, first, fourth)
    told_at = clock.now - 1_000
    knowledge.outbox.give_up(third, error="no")
    assert knowledge.outbox.told("jill", ["s1"]) == {"s1": Told(count=1, last=as_datetime(told_at))}
    knowledge.outbox.put_back([second])
    assert knowledge.outbox.merge([second.id], notice("summary"))
    assert knowledge.outbox.told("jill", ["s1"]) == {"s1": Told(count=2, last=as_datetime(clock.now))}
    since = told_at - 1
    assert knowledge.outbox.sent("jill", ["email", "log"], since=since) == [told_at, clock.now]
    assert knowledge.outbox.sent("jill", ["log"], since=since) == []
    assert knowledge.outbox.sent("jack", ["email"], since=since) == []
    assert knowledge.outbox.sent("jill", [], since=since) == []
    assert knowledge.outbox.count_delivered("jill", since=told_at) == 2, "merged ones are no deliveries"


def test_what_is_stuck_is_listed_by_its_newest_notice(knowledge: Knowledge, clock: Clock):
    knowledge.users.add("jack")
    add(knowledge, *(notice(f"n{n}", to) for n, to in enumerate(("a@b", "b@b", "a@b", "c@b", "b@b", "d@b"))))
    add(knowledge, replace(notice("his", to="z@b"), user="jack"))
    *mine, _, his = claim(knowledge)
    for number, item in enumerate(mine):
        knowledge.outbox.retry(item, wait=10, error=f"e{number}")
    knowledge.outbox.give_up(his, error="his")
    assert knowledge.outbox.stuck("jill") == [
        Stuck(channel="email", address=to, count=count, error=error, given_up=False)
        for to, count, error in (("b@b", 2, "e4"), ("c@b", 1, "e3"), ("a@b", 2, "e2"))
    ]
    assert [one.address for one in knowledge.outbox.stuck("jack")] == ["z@b"]
