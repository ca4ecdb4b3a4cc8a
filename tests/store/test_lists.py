"""Lists hold whole entries, in their order, and as many as are wanted, in every knowledge base."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.databases import migrated_sqlite
from tests.store.conftest import Clock
from tests.store.making import LEASE, MINUTE, checked, claim_all, new_change, new_version, notice, sentinel
from tests.store.test_following import LIMITS, ONE, ROOT, Site, urls
from tests.store.test_questions import found as found_with_questions
from tests.store.test_questions import question
from webvigil.errors import NotFound
from webvigil.model.doubt import Doubt
from webvigil.model.history import Ages
from webvigil.model.installed import PageView, RemovedSentinel
from webvigil.model.meaning import Allowance, Answer, Spent
from webvigil.model.moment import as_datetime
from webvigil.model.page import Page
from webvigil.model.wanted import WantedChanges
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge


def find_changes(knowledge: Knowledge, count: int) -> int:
    """Lets a new sentinel find so many changes at one look, and returns the id of its page."""
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    changes = tuple(new_change(made.id, old, old + 1) for old in range(1, count + 1))
    assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], changes=changes)])
    return made.pages[0].id


def test_a_hundred_come_if_nobody_says_how_many(knowledge: Knowledge):
    page = find_changes(knowledge, 101)
    for number in range(101):
        knowledge.journal.record("Told", "s1")
        knowledge.outbox.add(notice(f"n{number}"))
    assert len(knowledge.changes.all()) == len(knowledge.search.find("jill")) == 100
    assert len(knowledge.changes.some(WantedChanges())) == 50
    assert len(knowledge.journal.events()) == len(knowledge.journal.events(subject="s1")) == 100
    assert len(knowledge.outbox.all()) == 100
    assert [one.new_version for one in knowledge.changes.all(limit=2)] == [102, 101]
    assert len(knowledge.journal.fetch_log(page)) == 1


def test_a_hundred_looks_come_if_nobody_says_how_many(knowledge: Knowledge, clock: Clock):
    (made,) = knowledge.sentinels.add(sentinel("s1"))
    page = made.pages[0].id
    for number in range(101):
        (claim,) = claim_all(knowledge)
        look = Look(why="due", decision="same", status=number)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look)])
        clock.now += MINUTE
    log = knowledge.journal.fetch_log(page)
    assert [one["status"] for one in log] == list(range(100, 0, -1))
    assert knowledge.journal.fetch_logs([page]) == {page: log}


def test_twenty_judged_changes_come_if_nobody_says_how_many(knowledge: Knowledge):
    found_with_questions(knowledge, *(question(f"k{number}") for number in range(21)))
    claimed = knowledge.questions.claim("w", count=30, lease=LEASE, allowance=Allowance())
    for item in claimed:
        knowledge.questions.settle(item, Answer(model="m", sentence="So."), Spent())
    judged = knowledge.questions.judged("jill")
    assert [one.old_version for one in judged] == list(range(21, 1, -1)), "the newest first"
    assert len(knowledge.questions.judged("jill", "s1", limit=21)) == 21
    assert knowledge.questions.waiting() == 0


def test_pages_come_by_words_and_in_pieces(knowledge: Knowledge):
    knowledge.users.add("jack")
    for name, user in (("Tea/Green", "jill"), ("tea/black", "jill"), ("cake", "jill"), ("tea/his", "jack")):
        knowledge.sentinels.add(sentinel(name, f"http://site.test/{name}", user=user))

    def found(user: str | None = "jill", **more: Any) -> list[str]:
        return [one.url.removeprefix("http://site.test/") for one in knowledge.sentinels.pages(user, **more)]

    assert found() == ["cake", "tea/black", "Tea/Green"]
    assert found(None) == ["tea/his", "cake", "tea/black", "Tea/Green"]
    assert found(words="TEA site") == ["tea/black", "Tea/Green"]
    assert found(words="tea nothing") == found("nobody") == found(limit=0) == []
    assert found(limit=2) == ["cake", "tea/black"]
    (last,) = knowledge.sentinels.pages("jill", words="black")
    assert found(before=last.id) == ["Tea/Green"]


def test_who_watches_a_page_and_from_where_on(knowledge: Knowledge, clock: Clock):
    knowledge.users.add("jack")
    (his,) = knowledge.sentinels.add(sentinel("his", user="jack"))
    (claim,) = claim_all(knowledge)
    page = claim.pages[0].id
    assert knowledge.histories.of(page).latest == 0
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(1))])
    assert knowledge.histories.of(page).latest == 1
    began, made = [], []
    for name in ("a", "b"):
        clock.passes(seconds=5)
        began.append(clock.now)
        made += knowledge.sentinels.add(sentinel(name))
        (claim,) = claim_all(knowledge)
        number = knowledge.histories.of(page).latest + 1
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(number))])
    mine = PageView(first_version=1, since=began[0], sentinels=frozenset(one.id for one in made))
    assert knowledge.sentinels.views("jill", [page, page + 1]) == {page: mine}
    theirs = PageView(first_version=0, since=began[0] - 5_000, sentinels=frozenset({his.id}))
    assert knowledge.sentinels.views("jack", [page]) == {page: theirs}
    assert [knowledge.sentinels.watch(name, page) for name in ("jill", "jack", "nobody", None)] == [
        True,
        True,
        False,
        True,
    ]
    assert not knowledge.sentinels.watch(None, page + 1)


def test_what_can_be_brought_back_is_told_whole(knowledge: Knowledge, clock: Clock):
    for name, title in (("a", "Apples"), ("b", "")):
        (made,) = knowledge.sentinels.add(sentinel(name, f"http://{name}.test/", f"http://{name}.test/2"))
        (claim,) = claim_all(knowledge)
        changes = tuple(new_change(made.id, old, old + 1) for old in range(1, 3 if title else 1))
        version = replace(new_version(1, name), title=title)
        done = checked(claim, claim.pages[0], version=version, changes=changes)
        knowledge.schedule.finish(claim, [done])
    gone = [knowledge.sentinels.set_aside("jill", name) for name in ("a", "b")]
    assert gone == [
        RemovedSentinel(
            id=gone[0].id,
            name="a",
            removed_at=as_datetime(clock.now),
            changes=2,
            title="Apples",
            url="http://a.test/",
        ),
        RemovedSentinel(
            id=gone[1].id,
            name="b",
            removed_at=as_datetime(clock.now),
            changes=0,
            title="",
            url="http://b.test/",
        ),
    ]
    assert knowledge.sentinels.removed("jill") == gone[::-1], "of the same moment the newer first"
    assert knowledge.sentinels.restore("jill", gone[0].id).changes == 2


def test_a_worker_whose_leases_were_ended_prolongs_none(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1"))
    knowledge.outbox.add(notice("n1"))
    claims = claim_all(knowledge)
    items = knowledge.outbox.claim("w1", count=1, lease=LEASE)
    assert knowledge.schedule.renew(*claims, lease=LEASE) == claims
    assert knowledge.outbox.renew(items, lease=LEASE) == items
    knowledge.schedule.take_over()
    knowledge.outbox.take_over()
    assert knowledge.schedule.renew(*claims, lease=LEASE) == []
    assert knowledge.outbox.renew(items, lease=LEASE) == []
    assert (knowledge.schedule.next_at(), knowledge.outbox.next_at()) == (0, 0)


def test_a_page_that_takes_the_place_of_another_is_as_urgent_as_its_sentinels(
    knowledge: Knowledge, clock: Clock
):
    (urgent,) = knowledge.sentinels.add(sentinel("urgent", "http://a.test/", priority=5))
    knowledge.sentinels.add(sentinel("calm", "http://a.test/", priority=2, user=_jack(knowledge)))
    old, new = urgent.pages[0].id, Page(url="http://a.test/", login="agent:1")
    knowledge.sentinels.rewatch("jill", {old: new})
    (claim,) = claim_all(knowledge)
    assert {one.page: one.priority for one in claim.pages} == {new: 5, Page(url="http://a.test/"): 2}


def _jack(knowledge: Knowledge) -> str:
    return knowledge.users.add("jack").name


class TestLinkedPages:
    def test_they_are_as_urgent_as_their_sentinel(self, knowledge: Knowledge, clock: Clock):
        site = Site(knowledge, clock)
        knowledge.sentinels.add(sentinel("s1", reach=ONE), sentinel("s2", "http://b.test/", reach=ONE))
        knowledge.sentinels.replace(sentinel("s1", reach=ONE, priority=3))
        site.links = {ROOT: urls("a"), "http://b.test/": ["http://b.test/b"]}
        site.looks()
        due = {page.page.url: page for claim in claim_all(knowledge) for page in claim.pages}
        assert {url: page.priority for url, page in due.items()} == {
            ROOT: 3,
            f"{ROOT}a": 3,
            "http://b.test/": 0,
            "http://b.test/b": 0,
        }

    def test_they_are_told_with_their_doubt_and_the_page_that_leads_to_them(
        self, knowledge: Knowledge, clock: Clock
    ):
        site = Site(knowledge, clock)
        knowledge.sentinels.add(sentinel("s1", reach=ONE))
        site.links[ROOT] = urls("ab")
        site.looks()
        doubt = Doubt(kind="login", said="asks for a log-in", clear=True, since=clock.now, told=False)
        for claim in claim_all(knowledge):
            results = [
                checked(claim, page, doubt=doubt if page.page.url == f"{ROOT}a" else None)
                for page in claim.pages
            ]
            knowledge.schedule.finish(claim, results)
        found = knowledge.sentinels.linked("jill", "s1")
        assert [(one.url, one.via, one.level, one.doubt) for one in found] == [
            (f"{ROOT}a", ROOT, 1, doubt),
            (f"{ROOT}b", ROOT, 1, None),
        ]
        (named,) = knowledge.sentinels.get("jill", "s1").pages
        assert (named.via, named.level, named.doubt) == ("", 0, None)
        with pytest.raises(NotFound):
            knowledge.sentinels.linked("jill", "s2")

    def test_only_sentinels_whose_links_have_changed_are_handled(self, knowledge: Knowledge, clock: Clock):
        site = Site(knowledge, clock)
        follow = knowledge.sentinels.follow
        knowledge.sentinels.add(sentinel("s1", reach=ONE), sentinel("plain"))
        knowledge.sentinels.add(sentinel("s2", "http://b.test/", reach=ONE))
        assert knowledge.sentinels.follow_at() == 0
        assert [follow(LIMITS, most=1), follow(LIMITS), follow(LIMITS)] == [1, 1, 0]
        assert knowledge.sentinels.follow_at() is None
        clock.passes(seconds=61)
        site.links[ROOT] = urls("a")
        for claim in claim_all(knowledge):
            if claim.name == "site.test":
                knowledge.schedule.finish(claim, [site._look(claim, page) for page in claim.pages])
        assert knowledge.sentinels.follow_at() == 0
        assert [follow(LIMITS), follow(LIMITS)] == [1, 0]
        assert site.names() == ["a"]

    def test_a_page_that_is_forgotten_leaves_the_links_of_others_alone(
        self, knowledge: Knowledge, clock: Clock
    ):
        site = Site(knowledge, clock)
        knowledge.sentinels.add(sentinel("s1", reach=ONE), sentinel("gone", "http://b.test/", reach=ONE))
        site.links = {ROOT: urls("a"), "http://b.test/": ["http://b.test/b"]}
        site.looks()
        for name in ("gone",):
            knowledge.sentinels.set_aside("jill", name)
        knowledge.sentinels.forget_removed(clock.now + 1, limit=9)
        clock.passes(seconds=3_600)
        ages = Ages(log=clock.now, versions=clock.now)
        assert knowledge.logs.forget_pages(ages, after=0, limit=9).removed == 2
        knowledge.sentinels.add(sentinel("s2", reach=ONE))
        site.follow()
        assert site.names("s2") == ["a"], "its links were read for the other sentinel"


def test_what_happens_at_this_very_moment_is_not_of_the_future(knowledge: Knowledge, clock: Clock):
    began = clock.now
    for name, wait in (("now", 5), ("later", 6)):
        knowledge.outbox.add(replace(notice(name), address=name))
        (item,) = knowledge.outbox.claim("w", count=1, lease=LEASE)
        knowledge.outbox.retry(item, wait=wait, error="busy")
    clock.now = began + 7_200_000
    knowledge.journal.record("Told", "s1")
    clock.now = began + 5
    behind = knowledge.clock.set_right()
    assert behind == 7_200_000 - 5
    due = {one.notice.dedup: one.due for one in knowledge.outbox.all()}
    assert due == {"now": as_datetime(began + 5), "later": as_datetime(began + 6 - behind)}


@pytest.mark.parametrize(("later", "is_new"), [(0, False), (60_000, False), (60_001, True)])
def test_that_a_token_was_used_is_written_once_a_minute(
    tmp_path: Path, clock: Clock, later: int, is_new: bool
):
    knowledge = SqlKnowledge(migrated_sqlite(tmp_path / "webvigil.sqlite3"), clock=clock)
    knowledge.users.add("jill")
    knowledge.users.add_token("jill", "d1", purpose="api", expires=clock.now + 10 * MINUTE)
    assert knowledge.users.token("d1", purpose="api")
    first = clock.now
    clock.now += later
    assert knowledge.users.token("d1", purpose="api")
    (one,) = knowledge.users.tokens("jill", purpose="api")
    knowledge.close()
    assert one.used_at == as_datetime(clock.now if is_new else first)
