"""The millisecond at which something is due, over or old is the same in every knowledge base."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.store.conftest import Clock
from tests.store.making import LEASE, MINUTE, checked, claim_all, new_change, new_version, notice, sentinel
from tests.store.test_questions import found as found_with_questions
from tests.store.test_questions import question
from webvigil.model.history import Ages
from webvigil.model.meaning import Allowance, Answer, Spent
from webvigil.model.moment import DAY, HOUR, as_datetime
from webvigil.model.notice import GATHERED, Receipt
from webvigil.model.push import Push
from webvigil.model.wanted import WantedSentinels
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge


def _a_host(knowledge: Knowledge, worker: str) -> bool:
    return bool(claim_all(knowledge, worker))


def _a_notice(knowledge: Knowledge, worker: str) -> bool:
    return bool(knowledge.outbox.claim(worker, count=9, lease=LEASE))


def _a_question(knowledge: Knowledge, worker: str) -> bool:
    return bool(knowledge.questions.claim(worker, count=9, lease=LEASE, allowance=Allowance()))


def _a_duty(knowledge: Knowledge, worker: str) -> bool:
    return knowledge.duties.take("collect", worker, lease=LEASE)


@pytest.mark.parametrize("take", [_a_host, _a_notice, _a_question, _a_duty])
def test_a_lease_is_over_after_its_last_millisecond(
    knowledge: Knowledge, clock: Clock, take: Callable[[Knowledge, str], bool]
):
    if take is _a_question:
        found_with_questions(knowledge, question())
    knowledge.sentinels.add(sentinel("s9", "http://s9.test/"))
    knowledge.outbox.add(notice("one"))
    assert take(knowledge, "w1")
    clock.now += LEASE - 1
    assert not take(knowledge, "w2")
    clock.now += 1
    assert take(knowledge, "w2")


def test_a_new_host_and_its_page_have_not_failed(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s"))
    (claim,) = claim_all(knowledge)
    assert (claim.failures, claim.pages[0].failures) == (0, 0)


def test_a_duty_is_held_until_its_lease_ends_or_it_is_laid_down(knowledge: Knowledge, clock: Clock):
    duties = knowledge.duties
    assert not duties.is_held("collect")
    assert duties.take("collect", "w1", lease=LEASE)
    clock.now += LEASE - 1
    assert duties.is_held("collect")
    clock.now += 1
    assert not duties.is_held("collect")
    assert duties.take("collect", "w1", lease=LEASE)
    assert duties.take("collect", "w1", lease=LEASE), "its holder may take it again"
    assert duties.take("another", "w2", lease=LEASE)
    duties.lay_down("collect", "w2")
    assert duties.is_held("collect"), "only its holder lays it down"
    duties.lay_down("collect", "w1")
    assert [duties.is_held(name) for name in ("collect", "another")] == [False, True]
    duties.take_over()
    assert not duties.is_held("another")


def test_a_token_opens_until_the_millisecond_at_which_it_ends(knowledge: Knowledge, clock: Clock):
    users = knowledge.users
    users.add_token("jill", "d1", purpose="api", expires=clock.now + MINUTE)
    clock.now += MINUTE - 1
    assert users.token("d1", purpose="api")
    assert [one.id for one in users.tokens("jill", purpose="api")] == ["d1"]
    clock.now += 1
    assert users.token("d1", purpose="api") is None
    assert users.tokens("jill", purpose="api") == []


def test_a_page_is_looked_at_by_a_moment_that_is_earlier_than_planned(knowledge: Knowledge, clock: Clock):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    page = made.pages[0].id
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
    planned = clock.now + MINUTE
    knowledge.schedule.look_by(page, planned, "no earlier")
    knowledge.schedule.look_by(page, planned + 1, "later")
    knowledge.schedule.look_by(page + 1, clock.now, "another page")
    assert knowledge.schedule.next_at() == MINUTE
    knowledge.schedule.look_by(page, planned - 1, "sooner")
    assert knowledge.schedule.next_at() == MINUTE - 1
    clock.now = planned - 1
    (again,) = claim_all(knowledge)
    assert [(one.due, one.wish) for one in again.pages] == [(planned - 1, "sooner")]
    knowledge.schedule.finish(again, [checked(again, again.pages[0])])
    clock.now += MINUTE
    (last,) = claim_all(knowledge)
    assert last.pages[0].wish == ""


def test_a_moment_that_is_no_earlier_leaves_the_reason_of_the_look_alone(knowledge: Knowledge, clock: Clock):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    knowledge.schedule.look_by(made.pages[0].id, clock.now, "no earlier")
    (claim,) = claim_all(knowledge)
    assert claim.pages[0].wish == ""


def test_a_page_that_nobody_watches_is_not_looked_at_by_any_moment(knowledge: Knowledge, clock: Clock):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    knowledge.sentinels.enable("jill", "s1", enabled=False)
    knowledge.schedule.look_by(made.pages[0].id, clock.now, "sooner")
    assert knowledge.schedule.next_at() is None


def test_a_host_is_reserved_while_nobody_visits_it(knowledge: Knowledge, clock: Clock):
    reserve = knowledge.schedule.reserve
    assert reserve("site.test", 500) == 0
    knowledge.sentinels.add(sentinel("s1"))
    assert reserve("nowhere.test", 500) == 0
    assert reserve("site.test", 500) == 0
    assert claim_all(knowledge) == []
    clock.now += 499
    assert reserve("site.test", 500) == 1
    clock.now += 1
    assert reserve("site.test", 500) == 0
    clock.now += 500
    assert claim_all(knowledge)
    assert reserve("site.test", 500) == LEASE


def test_how_long_a_host_waits_is_told_and_how_long_until_one_is_ready(knowledge: Knowledge, clock: Clock):
    schedule = knowledge.schedule
    assert (schedule.next_at(), schedule.age()) == (None, 0)
    knowledge.sentinels.add(sentinel("s1"))
    assert (schedule.next_at(), schedule.age()) == (0, 0)
    clock.now += 7
    assert (schedule.next_at(), schedule.age()) == (0, 7)
    (claim,) = claim_all(knowledge)
    assert (schedule.next_at(), schedule.age()) == (LEASE, 0)
    schedule.finish(claim, [checked(claim, claim.pages[0])])
    assert (schedule.next_at(), schedule.age()) == (MINUTE, 0)


@pytest.mark.parametrize(("late", "written"), [(12 * HOUR - 1, True), (12 * HOUR, False)])
def test_results_are_taken_for_half_a_day_after_the_lease(
    knowledge: Knowledge, clock: Clock, late: int, written: bool
):
    knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    clock.now += LEASE + late
    assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])]) is written


@pytest.mark.parametrize(
    ("priority", "later", "first"), [(1, MINUTE - 1, "urgent"), (1, MINUTE + 1, "early")]
)
def test_a_step_of_priority_makes_up_for_a_minute(
    knowledge: Knowledge, clock: Clock, priority: int, later: int, first: str
):
    knowledge.sentinels.add(sentinel("early", "http://a.test/early"))
    clock.now += later
    knowledge.sentinels.add(sentinel("urgent", "http://a.test/urgent", priority=priority))
    (claim,) = claim_all(knowledge, pages=1)
    assert [due.page.url for due in claim.pages] == [f"http://a.test/{first}"]


def test_the_host_that_has_waited_longest_comes_first(knowledge: Knowledge, clock: Clock):
    for name in ("b", "c", "a"):
        knowledge.sentinels.add(sentinel(name, f"http://{name}.test/"))
        clock.now += 1
    assert [claim_all(knowledge, hosts=1)[0].name for _ in range(3)] == ["b.test", "c.test", "a.test"]


def test_a_visit_comes_with_as_many_pages_as_its_time_allows(knowledge: Knowledge):
    urls = [f"http://a.test/{number}" for number in range(5)]
    knowledge.sentinels.add(sentinel("s1", *urls))
    for within, count in ((999, 1), (1_000, 2), (2_999, 3), (3_000, 4), (9_000, 5)):
        (claim,) = claim_all(knowledge, within=within)
        assert len(claim.pages) == count, within
        knowledge.schedule.take_over()


def test_a_message_of_a_peer_is_remembered_through_its_last_millisecond(knowledge: Knowledge, clock: Clock):
    heard = knowledge.peers.first_time
    assert heard("m", until=clock.now + 5)
    clock.now += 5
    assert not heard("m", until=clock.now + 5)
    clock.now += 1
    assert heard("m", until=clock.now + 5)


def test_a_removed_sentinel_is_forgotten_when_it_was_removed_before_the_moment(
    knowledge: Knowledge, clock: Clock
):
    names = ("a", "b", "c")
    knowledge.sentinels.add(*(sentinel(name, f"http://{name}.test/") for name in names))
    began = clock.now
    for name in names:
        knowledge.sentinels.set_aside("jill", name)
        clock.now += 1
    forget = knowledge.sentinels.forget_removed
    assert forget(began, limit=9) == 0
    assert forget(began + 1, limit=9) == 1
    assert [one.name for one in knowledge.sentinels.removed("jill")] == ["c", "b"]
    assert forget(clock.now, limit=1) == 1
    assert [one.name for one in knowledge.sentinels.removed("jill")] == ["c"], "the oldest goes first"


def test_a_notice_is_due_at_its_millisecond(knowledge: Knowledge, clock: Clock):
    outbox = knowledge.outbox
    outbox.add(notice("now"))
    outbox.add(replace(notice("held"), lane=GATHERED, every=MINUTE))
    (item,) = outbox.claim("w", count=9, lease=LEASE)
    assert outbox.next_at() == 0, "the one that is held is looked at by who gathers"
    held = next(one for one in outbox.all() if one.state == "held")
    outbox.place([held.id], until=clock.now + 9)
    assert outbox.retry(item, wait=5, error="busy")
    clock.now += 4
    assert outbox.next_at() == 1
    assert outbox.claim("w", count=9, lease=LEASE) == []
    clock.now += 1
    assert outbox.next_at() == 0
    assert [one.notice.dedup for one in outbox.claim("w", count=9, lease=LEASE)] == ["now"]
    clock.now += 3
    assert outbox.ripe(limit=9) == outbox.waiting(held.notice.queue, due=True, limit=9) == []
    clock.now += 1
    assert [one.dedup for one in outbox.ripe(limit=9)] == ["held"]
    (waits,) = outbox.waiting(held.notice.queue, due=True, limit=9)
    assert (waits.id, waits.since, waits.due) == (held.id, clock.now - 9, clock.now)


def test_a_question_is_asked_again_at_its_millisecond(knowledge: Knowledge, clock: Clock):
    found_with_questions(knowledge, question("a"), question("b"))
    questions = knowledge.questions
    first, second = questions.claim("w", count=9, lease=LEASE, allowance=Allowance())
    assert questions.retry(first, wait=5, spent=Spent())
    assert questions.next_at() == 5, "the other one is leased for longer"
    clock.now += 4
    assert not _a_question(knowledge, "w")
    clock.now += 1
    assert questions.next_at() == 0
    (again,) = questions.claim("w", count=9, lease=LEASE, allowance=Allowance())
    assert (again.id, again.attempts, second.attempts) == (first.id, 1, 0)


# --- What is old -----------------------------------------------------------------------------------------


def _looked_at(knowledge: Knowledge, **more: Any) -> int:
    """Installs a sentinel and looks at its page once. Returns the id of the page."""
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], **more)])
    return made.pages[0].id


@pytest.mark.parametrize("after", [0, 1])
def test_a_look_is_old_if_it_was_before_the_moment(knowledge: Knowledge, clock: Clock, after: int):
    page = _looked_at(knowledge)
    first = clock.now
    clock.now += MINUTE
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
    ages = Ages(log=first + after, versions=0)
    assert knowledge.logs.forget_looks(ages, after=0, limit=9).removed == after
    assert len(knowledge.journal.fetch_log(page)) == 2 - after


@pytest.mark.parametrize(("after", "left"), [(0, 2), (1, 1)])
def test_the_last_look_at_a_version_is_kept_as_long_as_versions_are(
    knowledge: Knowledge, clock: Clock, after: int, left: int
):
    page = _looked_at(knowledge, version=new_version(1))
    first = clock.now
    clock.now += MINUTE
    (claim,) = claim_all(knowledge)
    look = Look(why="due", decision="new version")
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look, version=new_version(2))])
    ages = Ages(log=clock.now, versions=first + after)
    knowledge.logs.forget_looks(ages, after=0, limit=9)
    assert len(knowledge.journal.fetch_log(page)) == left


@pytest.mark.parametrize("after", [0, 1])
def test_an_event_is_old_if_it_was_before_the_moment(knowledge: Knowledge, clock: Clock, after: int):
    knowledge.journal.record("Plain", "any")
    knowledge.journal.record("Spared", "dear")
    forget, log = knowledge.logs.forget_events, Ages(log=clock.now + after, versions=0)
    sparing = {"dear": clock.now, "other": 0}
    assert forget(log, after=0, limit=9, sparing=sparing, dry_run=True).removed == after
    assert forget(log, after=0, limit=9, sparing=sparing).removed == after
    names = {one.name for one in knowledge.journal.events()}
    assert names == ({"Spared"} if after else {"Spared", "Plain"})
    later = Ages(log=clock.now + 5, versions=0)
    assert forget(later, after=0, limit=9, sparing={"dear": clock.now + 1}).removed == len(names)


@pytest.mark.parametrize("after", [0, 1])
def test_a_notice_is_old_if_it_was_told_before_the_moment(knowledge: Knowledge, clock: Clock, after: int):
    knowledge.outbox.add(notice("one"))
    (item,) = knowledge.outbox.claim("w", count=1, lease=LEASE)
    clock.now += 9
    knowledge.outbox.delivered(item, Receipt(dedup="one", delivered_at=as_datetime(clock.now)))
    ages = Ages(log=clock.now + after, versions=0)
    assert knowledge.logs.forget_notices(ages, after=0, limit=9).removed == after


def test_the_last_notice_of_two_at_the_same_moment_is_the_one_that_was_written_later(
    knowledge: Knowledge, clock: Clock
):
    for name in ("one", "two"):
        knowledge.outbox.add(replace(notice(name), sentinel="s1"))
    for item in knowledge.outbox.claim("w", count=9, lease=LEASE):
        receipt = Receipt(dedup=item.notice.dedup, delivered_at=as_datetime(clock.now))
        knowledge.outbox.delivered(item, receipt)
    knowledge.logs.forget_notices(Ages(log=clock.now + 1, versions=0), after=0, limit=9)
    assert [one.notice.dedup for one in knowledge.outbox.all()] == ["two"]


@pytest.mark.parametrize("after", [0, 1])
def test_what_was_judged_is_old_if_it_was_found_before_the_moment(
    knowledge: Knowledge, clock: Clock, after: int
):
    found_with_questions(knowledge, question("a"))
    (item,) = knowledge.questions.claim("w", count=9, lease=LEASE, allowance=Allowance())
    knowledge.questions.settle(item, Answer(model="m", sentence="So."), Spent())
    ages = Ages(log=clock.now + after, versions=0)
    for dry_run in (True, False):
        gone = knowledge.questions.forget(ages, after=0, limit=1, dry_run=dry_run)
        assert (gone.removed, gone.next is not None) == (after, bool(after))
    assert knowledge.questions.known(["a"]).keys() == (set() if after else {"a"})


@pytest.mark.parametrize(("days", "kept"), [(0, {"jill"}), (1, set())])
def test_what_was_spent_is_known_through_its_day(
    knowledge: Knowledge, clock: Clock, days: int, kept: set[str]
):
    clock.now -= clock.now % DAY
    knowledge.questions.spend("jill", Spent(read=5))
    log = clock.now + DAY * days + (DAY - 1) * (1 - days)
    knowledge.questions.forget(Ages(log=log, versions=0), after=0, limit=9)
    assert knowledge.questions.spent_by_all().keys() == kept


def _abandon(knowledge: Knowledge, clock: Clock, **more: Any) -> tuple[int, int]:
    """Looks at a page once, and lets nobody watch it any more. Returns its id and the time of the look."""
    page = _looked_at(knowledge, **more)
    looked_at = clock.now
    clock.now += MINUTE
    knowledge.sentinels.set_aside("jill", "s1")
    knowledge.sentinels.forget_removed(clock.now + 1, limit=9)
    return page, looked_at


def _forgotten(knowledge: Knowledge, ages: Ages) -> int:
    for dry_run in (True, False):
        gone = knowledge.logs.forget_pages(ages, after=0, limit=9, dry_run=dry_run)
    assert gone.next is None
    return gone.removed


@pytest.mark.parametrize(
    ("log", "versions", "gone"), [(1, 1, 1), (0, 1, 0), (1, 0, 0), (60_000, 60_000, 1), (0, 0, 0)]
)
def test_a_page_that_nobody_watches_goes_with_its_looks_and_versions(
    knowledge: Knowledge, clock: Clock, log: int, versions: int, gone: int
):
    _, at = _abandon(knowledge, clock, version=new_version(1))
    assert _forgotten(knowledge, Ages(log=at + log, versions=at + versions)) == gone
    assert knowledge.journal.counts().pages == 1 - gone


@pytest.mark.parametrize(("until", "gone"), [(0, 1), (1, 0)])
def test_a_page_stays_as_long_as_others_may_report_its_changes(
    knowledge: Knowledge, clock: Clock, until: int, gone: int
):
    page, _ = _abandon(knowledge, clock)
    knowledge.pushes.put(Push(digest="d", page=page, until=clock.now + until))
    assert _forgotten(knowledge, Ages(log=clock.now, versions=clock.now)) == gone


@pytest.mark.parametrize(("rest", "gone"), [(MINUTE, 1), (MINUTE + 1, 0)])
def test_a_page_stays_as_long_as_its_host_is_visited(
    knowledge: Knowledge, clock: Clock, rest: int, gone: int
):
    knowledge.sentinels.add(sentinel("s1"))
    knowledge.schedule.reserve("site.test", rest)
    clock.now += MINUTE
    knowledge.sentinels.set_aside("jill", "s1")
    knowledge.sentinels.forget_removed(clock.now + 1, limit=9)
    assert _forgotten(knowledge, Ages(log=clock.now, versions=clock.now)) == gone


def test_a_page_stays_as_long_as_a_sentinel_can_be_brought_back(knowledge: Knowledge, clock: Clock):
    _looked_at(knowledge)
    knowledge.sentinels.set_aside("jill", "s1")
    clock.now += MINUTE
    assert _forgotten(knowledge, Ages(log=clock.now, versions=clock.now)) == 0


def test_search_takes_the_first_millisecond_and_leaves_the_last(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", topic="press"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    changes = tuple(new_change(due.watches[0].sentinel, old, old + 1) for old in (1, 2))
    knowledge.schedule.finish(claim, [checked(claim, due, changes=changes)])
    at, ids = as_datetime(clock.now), sorted((one.id for one in knowledge.changes.all()), reverse=True)
    one_later = as_datetime(clock.now + 1)

    def found(**more: Any) -> list[int]:
        return [one.id for one in knowledge.search.find("jill", **more)]

    assert found(since=at) == found(until=one_later) == found(sentinel_name="s1", topic="press") == ids
    assert found(since=one_later) == found(until=at) == found(topic="other") == found(limit=0) == []
    assert found(limit=1) == ids[:1]
    assert knowledge.search.find("jack") == []
    assert [one.id for one in knowledge.search.find(None)] == ids


def test_a_user_in_no_trouble_is_told_of_none(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("s1"))
    assert knowledge.sentinels.count(WantedSentinels(trouble=True)) == 0
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], failures=1)])
    assert knowledge.sentinels.count(WantedSentinels(trouble=True)) == 1
