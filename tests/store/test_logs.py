"""Old log rows are removed, and rows that somebody still needs stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import (
    MINUTE,
    checked,
    claim_all,
    new_change,
    new_version,
    notice,
    remove_for_good,
    sentinel,
)
from webvigil.model.history import Ages, Forgotten
from webvigil.model.notice import Receipt
from webvigil.model.push import Push
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge

DAY = 86_400.0
NOTHING = Ages(log=0, versions=0)


def old(clock: Clock) -> Ages:
    """Returns ages by which all logs written before this moment are old, and no version is."""
    return Ages(log=clock.now, versions=0)


def all_of(step: Callable[..., Forgotten], ages: Ages, **more: Any) -> int:
    """Runs all steps of a removal, each so small that several steps are needed, and returns how many rows
    went."""
    removed, after = 0, 0
    while True:
        went = step(ages, after=after, limit=2, **more)
        removed += went.removed
        if went.next is None:
            return removed
        after = went.next


def look(knowledge: Knowledge, clock: Clock, decision: str, **more: Any) -> int:
    clock.passes(seconds=2 * MINUTE / 1000)
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    assert knowledge.schedule.finish(
        claim, [checked(claim, page, look=Look(why="due", decision=decision), **more)]
    )
    return page.id


def decisions(knowledge: Knowledge, page: int) -> list[str]:
    return [one["decision"] for one in reversed(knowledge.journal.fetch_log(page))]


class TestLooks:
    def test_old_ones_go_and_the_last_one_stays(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel())
        for _ in range(7):
            page = look(knowledge, clock, "same")
        before = clock.now
        clock.passes(seconds=DAY)
        for _ in range(3):
            look(knowledge, clock, "same")
        ages = Ages(log=before + 1, versions=0)
        assert all_of(knowledge.logs.forget_looks, ages, dry_run=True) == 7
        assert len(decisions(knowledge, page)) == 10
        assert all_of(knowledge.logs.forget_looks, ages) == 7
        assert len(decisions(knowledge, page)) == 3
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_looks, old(clock)) == 2
        assert knowledge.journal.last_looks([page])[page].seen is not None
        assert all_of(knowledge.logs.forget_looks, NOTHING) == 0

    def test_the_last_that_saw_a_failing_page_stays(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel())
        for decision in ("same", "not modified", "failed", "failed", "postponed"):
            page = look(knowledge, clock, decision)
        clock.passes(seconds=DAY)
        all_of(knowledge.logs.forget_looks, old(clock))
        assert decisions(knowledge, page) == ["not modified", "postponed"]

    def test_a_page_that_was_never_seen_keeps_its_last_look(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel())
        for _ in range(4):
            page = look(knowledge, clock, "failed")
        clock.passes(seconds=DAY)
        all_of(knowledge.logs.forget_looks, old(clock))
        assert decisions(knowledge, page) == ["failed"]

    def test_how_long_a_version_was_seen_is_known_as_long_as_versions_are(
        self, knowledge: Knowledge, clock: Clock
    ):
        knowledge.sentinels.add(sentinel())
        look(knowledge, clock, "new version", version=new_version(1))
        look(knowledge, clock, "same")
        look(knowledge, clock, "not modified")
        page = look(knowledge, clock, "new version", version=new_version(2))
        look(knowledge, clock, "same")
        clock.passes(seconds=DAY)
        all_of(knowledge.logs.forget_looks, old(clock))
        assert decisions(knowledge, page) == ["not modified", "same"]
        all_of(knowledge.logs.forget_looks, Ages(log=clock.now, versions=clock.now))
        assert decisions(knowledge, page) == ["same"]


class TestNotices:
    def deliver(self, knowledge: Knowledge, clock: Clock) -> None:
        for item in knowledge.outbox.claim("w", count=100, lease=1000):
            at = datetime.fromtimestamp(clock.now / 1000, UTC)
            assert knowledge.outbox.delivered(item, Receipt(dedup=item.notice.dedup, delivered_at=at))

    def left(self, knowledge: Knowledge) -> list[str]:
        return sorted(one.notice.dedup for one in knowledge.outbox.all())

    def test_delivered_ones_go_and_the_last_of_a_sentinel_stays(self, knowledge: Knowledge, clock: Clock):
        for number in range(5):
            knowledge.outbox.add(replace(notice(f"a{number}"), sentinel="a"))
            self.deliver(knowledge, clock)
            clock.passes(seconds=1)
        knowledge.outbox.add(replace(notice("b"), sentinel="b"))
        knowledge.outbox.add(notice("of none"))
        self.deliver(knowledge, clock)
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_notices, old(clock), dry_run=True) == 5
        assert all_of(knowledge.logs.forget_notices, old(clock)) == 5
        assert self.left(knowledge) == ["a4", "b"]
        assert knowledge.outbox.told("jill", ["a"])["a"].count == 1

    def test_what_was_not_delivered_stays_however_old_it_is(self, knowledge: Knowledge, clock: Clock):
        knowledge.outbox.add(notice("given up"))
        (item,) = knowledge.outbox.claim("w", count=1, lease=1000)
        knowledge.outbox.give_up(item, error="no")
        knowledge.outbox.add(notice("waits"))
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_notices, old(clock)) == 0
        assert self.left(knowledge) == ["given up", "waits"]

    def test_what_is_in_a_summary_waits_for_the_summary(self, knowledge: Knowledge, clock: Clock):
        for dedup in ("one", "two"):
            knowledge.outbox.add(replace(notice(dedup), every=1000, lane="daily"))
        waiting = knowledge.outbox.all()
        assert knowledge.outbox.merge([one.id for one in waiting], notice("summary"))
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_notices, old(clock)) == 0
        self.deliver(knowledge, clock)
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_notices, old(clock)) == 3

    def test_what_is_not_old_stays(self, knowledge: Knowledge, clock: Clock):
        before = clock.now
        knowledge.outbox.add(notice("one"))
        self.deliver(knowledge, clock)
        assert all_of(knowledge.logs.forget_notices, Ages(log=before, versions=0)) == 0


def test_entries_of_the_journal_go_by_age_and_some_stay_longer(knowledge: Knowledge, clock: Clock):
    for number in range(5):
        knowledge.journal.record("SentinelRemoved", f"s{number}")
    early = clock.now
    knowledge.journal.record("BroadcastSaid", "broadcast")
    clock.passes(seconds=DAY)
    knowledge.journal.record("SentinelRemoved", "new")
    ages = Ages(log=early + 1, versions=0)
    assert all_of(knowledge.logs.forget_events, ages, sparing={"broadcast": early}, dry_run=True) == 5
    assert all_of(knowledge.logs.forget_events, ages, sparing={"broadcast": early}) == 5
    assert [one.subject for one in knowledge.journal.events()] == ["new", "broadcast"]
    assert all_of(knowledge.logs.forget_events, ages, sparing={"broadcast": clock.now}) == 1


class TestPages:
    def abandoned(self, knowledge: Knowledge, clock: Clock) -> int:
        """Returns a page with one version that nobody watches any more."""
        knowledge.sentinels.add(sentinel("one"))
        page = look(knowledge, clock, "new version", version=new_version(1))
        remove_for_good(knowledge, "jill", "one")
        clock.passes(seconds=DAY)
        return page

    def test_one_without_a_sentinel_goes_with_all_that_belongs_to_it(
        self, knowledge: Knowledge, clock: Clock
    ):
        page = self.abandoned(knowledge, clock)
        ages = Ages(log=clock.now, versions=clock.now)
        assert knowledge.logs.forget_pages(ages, after=0, limit=9, dry_run=True).removed == 1
        assert knowledge.journal.counts().pages == 1
        went = knowledge.logs.forget_pages(ages, after=0, limit=9)
        assert (went.removed, went.objects) == (1, ("x" * 20,))
        assert knowledge.journal.counts().pages == 0
        assert knowledge.journal.fetch_log(page) == []
        knowledge.sentinels.add(sentinel("again"))
        look(knowledge, clock, "new version", version=new_version(1))
        assert knowledge.journal.counts().versions == 1

    def test_it_stays_while_its_versions_or_looks_are_young(self, knowledge: Knowledge, clock: Clock):
        self.abandoned(knowledge, clock)
        for ages in (Ages(log=clock.now, versions=0), Ages(log=1, versions=clock.now)):
            assert all_of(knowledge.logs.forget_pages, ages) == 0

    def test_one_that_is_watched_stays(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("one"), sentinel("two", "http://two.test/"))
        clock.passes(seconds=DAY)
        remove_for_good(knowledge, "jill", "two")
        assert all_of(knowledge.logs.forget_pages, Ages(log=clock.now, versions=clock.now)) == 1
        assert knowledge.journal.counts().pages == 1

    def test_one_that_a_push_leads_to_stays(self, knowledge: Knowledge, clock: Clock):
        page = self.abandoned(knowledge, clock)
        knowledge.pushes.put(
            Push(digest="d", page=page, kind="ping", state="active", until=clock.now + 1_000_000)
        )
        assert all_of(knowledge.logs.forget_pages, Ages(log=clock.now, versions=clock.now)) == 0

    def test_one_that_a_change_tells_of_stays(self, knowledge: Knowledge, clock: Clock):
        """A sentinel that follows links may release a page; its changes on the page stay, so the page must
        stay."""
        (one,) = knowledge.sentinels.add(sentinel("one"))
        look(knowledge, clock, "new version", version=new_version(1))
        page = look(
            knowledge,
            clock,
            "new version",
            version=new_version(2, "y"),
            changes=(new_change(one.id, 1, 2),),
        )
        unwatched(knowledge, page)
        clock.passes(seconds=DAY)
        assert all_of(knowledge.logs.forget_pages, Ages(log=clock.now, versions=clock.now)) == 0
        assert len(knowledge.changes.all("jill")) == 1

    def test_a_look_that_is_under_way_keeps_it(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("one"))
        (claim,) = claim_all(knowledge)
        remove_for_good(knowledge, "jill", "one")
        ages = Ages(log=clock.now, versions=clock.now)
        assert all_of(knowledge.logs.forget_pages, ages) == 0
        clock.passes(seconds=DAY / 24)
        assert all_of(knowledge.logs.forget_pages, ages) == 1
        late = checked(claim, claim.pages[0], version=new_version(1))
        knowledge.schedule.finish(claim, [late])
        assert knowledge.journal.counts().versions == 0


def unwatched(knowledge: Any, page: int) -> None:
    """Removes the watches on the page, as if a sentinel that follows links had released it."""
    if hasattr(knowledge, "database"):
        from webvigil.store.sql.schema import watch

        with knowledge.database.write() as connection:
            connection.execute(watch.delete().where(watch.c.page_id == page))
        return
    for row in knowledge.sentinels._rows.sentinels.values():
        row.watches.pop(page, None)


@pytest.mark.parametrize("step", ["forget_looks", "forget_notices", "forget_events", "forget_pages"])
def test_an_empty_store_has_nothing_to_forget(knowledge: Knowledge, clock: Clock, step: str):
    assert getattr(knowledge.logs, step)(old(clock), after=0, limit=5) == Forgotten(0, None)
