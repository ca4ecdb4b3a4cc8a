"""A clock that is set back: planned looks and notices do not wait until the clock catches up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Table

from tests.store.conftest import Clock
from tests.store.making import LEASE, MINUTE, checked, claim_all, new_change, new_version, notice, sentinel
from webvigil.app.operating.health import health
from webvigil.model.doubt import Doubt
from webvigil.model.moment import as_datetime, as_millis
from webvigil.store.promises import Knowledge
from webvigil.store.sql.clock import HAPPENED, LEFT, PLANNED
from webvigil.store.sql.schema import Moment, metadata

HOUR = 3600.0


def looked_at(knowledge: Knowledge) -> int:
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [checked(claim, page) for page in claim.pages])
    return claim.pages[0].id


def test_plans_of_the_old_clock_are_moved_back_once(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    page = looked_at(knowledge)
    clock.passes(seconds=-2 * HOUR)
    assert claim_all(knowledge) == []
    assert knowledge.clock.set_right() == 2 * HOUR * 1000
    assert knowledge.clock.set_right() == 0
    assert knowledge.schedule.next_at() == MINUTE, "as long as was planned"
    assert as_millis(knowledge.journal.fetch_log(page)[0]["at"]) <= clock()
    clock.passes(seconds=61)
    assert looked_at(knowledge) == page


def test_a_clock_that_goes_on_moves_nothing(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    looked_at(knowledge)
    for seconds in (0, 30, -2, 5 * HOUR, -1):
        clock.passes(seconds=seconds)
        assert knowledge.clock.set_right() == 0


def test_the_time_is_remembered_where_nothing_else_is_written(knowledge: Knowledge, clock: Clock):
    knowledge.clock.set_right()
    clock.passes(seconds=HOUR)
    knowledge.clock.set_right()
    clock.passes(seconds=-HOUR / 2)
    assert knowledge.clock.behind() == HOUR / 2 * 1000


def test_notices_leases_and_duties_go_on(knowledge: Knowledge, clock: Clock):
    knowledge.outbox.add(notice("n1"))
    knowledge.outbox.add(notice("n2"))
    (first, *_) = knowledge.outbox.claim("w1", count=1, lease=LEASE)
    knowledge.outbox.retry(first, wait=MINUTE, error="busy")
    assert knowledge.duties.take("lives", "w1", lease=LEASE)
    knowledge.clock.set_right()
    clock.passes(seconds=-24 * HOUR)
    knowledge.clock.set_right()
    clock.passes(seconds=61)
    assert [item.notice.dedup for item in knowledge.outbox.claim("w2", count=9, lease=LEASE)] == ["n1", "n2"]
    assert knowledge.duties.take("lives", "w2", lease=LEASE)


def test_a_visit_that_began_before_plans_by_the_new_clock(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    (claim,) = claim_all(knowledge)
    clock.passes(seconds=-2 * HOUR)
    knowledge.clock.set_right()
    assert knowledge.schedule.finish(claim, [checked(claim, page) for page in claim.pages])
    assert knowledge.schedule.next_at() == MINUTE
    clock.passes(seconds=61)
    assert looked_at(knowledge)


@pytest.mark.parametrize("under_way", [False, True])
def test_what_lasts_since_a_moment_does_not_begin_in_the_future(
    knowledge: Knowledge, clock: Clock, under_way: bool
):
    """Otherwise a page in doubt is looked at again, and a failing one told, when the clock has caught up.
    `under_way`: the clock is set back while the page is looked at."""
    (installed,) = knowledge.sentinels.add(sentinel())
    page = installed.pages[0].id
    (claim,) = claim_all(knowledge)
    doubt = Doubt(kind="login", said="asks for a log-in", clear=True, since=clock(), told=False)
    result = checked(claim, claim.pages[0], failures=1, failing_since=clock(), doubt=doubt)
    if under_way:
        clock.passes(seconds=-2 * HOUR)
    assert knowledge.schedule.finish(claim, [result])
    if not under_way:
        clock.passes(seconds=-2 * HOUR)
    knowledge.clock.set_right()
    clock.passes(seconds=61)
    (due,) = [one for each in claim_all(knowledge) for one in each.pages]
    assert due.doubt is not None
    assert max(due.doubt.since, due.failing_since) <= clock()
    assert knowledge.sentinels.views("jill", [page])[page].since <= clock()


def test_health_tells_of_a_clock_that_was_set_back(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel())
    looked_at(knowledge)
    clock.passes(seconds=-2 * HOUR)
    waiting = health(knowledge, None)
    assert (waiting.ok, waiting.clock.split(";")[0]) == (False, "was set back by 2 hours")
    knowledge.clock.set_right()
    mended = health(knowledge, None)
    assert mended.ok
    assert mended.as_json(inside=True)["clock"].endswith("what was planned was moved back")
    clock.passes(seconds=25 * HOUR)
    assert "clock" not in health(knowledge, None).as_json(inside=True)


def test_every_time_in_the_store_is_thought_of():
    """Every column with a moment must be listed in one of the tables of `store.sql.clock`; add a new column
    there."""

    def names(times: dict[Table, tuple[str, ...]]) -> set[str]:
        return {f"{table.name}.{name}" for table, columns in times.items() for name in columns}

    some = {"expires", "until", "due", "lease", "at"}
    there = {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Moment)
        and (column.name in some or column.name.endswith(("_at", "_until", "since")))
    }
    assert there == names(PLANNED) | names(HAPPENED) | names(LEFT)


def test_what_was_made_by_the_old_clock_is_not_of_the_future(knowledge: Knowledge, clock: Clock):
    knowledge.users.add("jack")
    knowledge.users.add_token("jack", "d1", purpose="api", expires=clock.now + 60 * MINUTE)
    knowledge.users.add_token("jill", "d2", purpose="api", expires=clock.now + 60 * MINUTE)
    knowledge.sentinels.add(sentinel())
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    change = new_change(page.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, page, version=new_version(1), changes=(change,))])
    knowledge.clock.set_right()
    clock.passes(seconds=-2 * HOUR)
    knowledge.clock.set_right()
    now = as_datetime(clock())
    assert knowledge.users.get("jack").created_at <= now
    (one,) = knowledge.users.tokens("jack", purpose="api")
    assert one.created_at <= now
    assert one.expires_at == now + timedelta(minutes=60), "it lasts as long as was meant"
    assert knowledge.changes.all()[0].found_at <= now
