"""Fetching in every knowledge base: hosts that rest, wishes for a look, log-ins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, new_version, sentinel
from webvigil.errors import NotFound
from webvigil.model.page import Page
from webvigil.model.push import Push
from webvigil.model.work import HostAfter, Look
from webvigil.store.promises import Knowledge


class TestHosts:
    def test_a_host_that_was_not_there_rests_and_is_remembered(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1", "http://site.test/", interval=1000))
        (claim,) = claim_all(knowledge)
        assert (claim.failures, claim.concurrency) == (0, 1)
        result = checked(claim, claim.pages[0], due=claim.now + 1000)
        assert knowledge.schedule.finish(claim, [result], HostAfter(rest=MINUTE, failures=3))
        clock.passes(seconds=59)
        assert claim_all(knowledge) == []
        clock.passes(seconds=2)
        (again,) = claim_all(knowledge)
        assert again.failures == 3
        knowledge.schedule.finish(again, [])
        clock.passes(seconds=2)
        (third,) = claim_all(knowledge)
        assert third.failures == 0

    def test_a_rest_outlives_a_restart(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1", "http://site.test/", interval=1000))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [], HostAfter(rest=MINUTE, failures=1))
        knowledge.schedule.take_over()
        assert claim_all(knowledge) == []


class TestWishes:
    def test_the_reason_for_a_look_out_of_turn_is_told_once(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        knowledge.schedule.ask(installed.pages[0].id, "the site pinged")
        clock.passes(seconds=2)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].wish == "the site pinged"
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        clock.passes(seconds=61)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].wish == ""

    def test_a_wish_made_while_a_check_is_under_way_stays(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.ask(installed.pages[0].id, "asked")
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        clock.passes(seconds=2)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].wish == "asked"


class TestLogins:
    def test_they_are_kept_by_user_and_address(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        knowledge.logins.put("jill", "http://b/", "one")
        knowledge.logins.put("jill", "http://a/", "two")
        knowledge.logins.put("jack", "http://a/", "three")
        kept = knowledge.logins.all("jill")
        assert [(one.url, one.sealed, one.user) for one in kept] == [
            ("http://a/", "two", "jill"),
            ("http://b/", "one", "jill"),
        ]
        assert knowledge.logins.get(kept[0].id) == kept[0]

    def test_a_new_one_takes_the_place_of_the_old(self, knowledge: Knowledge):
        knowledge.logins.put("jill", "http://a/", "one")
        (before,) = knowledge.logins.all("jill")
        knowledge.logins.put("jill", "http://a/", "two")
        (after,) = knowledge.logins.all("jill")
        assert (after.id, after.sealed) == (before.id, "two")

    def test_a_user_can_watch_another_page_instead_and_others_are_not_touched(
        self, knowledge: Knowledge, clock: Clock
    ):
        """A page seen with a log-in is another page (F7), so its watch starts without a version and is due at
        once."""
        knowledge.users.add("jack")
        mine, theirs = knowledge.sentinels.add(
            sentinel("mine", "http://site.test/a"),
            replace(sentinel("theirs", "http://site.test/a"), user="jack"),
        )
        shared = mine.pages[0].id
        assert shared == theirs.pages[0].id
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(1))])
        private = Page(url="http://site.test/a", login="7")
        knowledge.sentinels.rewatch("jill", {shared: private})
        assert [page.id for page in knowledge.sentinels.get("jack", "theirs").pages] == [shared]
        (moved,) = knowledge.sentinels.get("jill", "mine").pages
        assert knowledge.versions.page(moved.id) == private
        clock.passes(seconds=2)
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        assert (due.id, due.latest) == (moved.id, None)
        assert [(watch.name, watch.reference) for watch in due.watches] == [("mine", 0)]
        knowledge.sentinels.rewatch("jill", {moved.id: Page(url="http://site.test/a")})
        assert [page.id for page in knowledge.sentinels.get("jill", "mine").pages] == [shared]

    def test_a_sentinel_that_watches_both_pages_keeps_one(self, knowledge: Knowledge):
        both = replace(
            sentinel("both", "http://site.test/a"),
            pages=(Page(url="http://site.test/a"), Page(url="http://site.test/a", login="7")),
        )
        (installed,) = knowledge.sentinels.add(both)
        first, second = (page.id for page in installed.pages)
        knowledge.sentinels.rewatch("jill", {first: Page(url="http://site.test/a", login="7")})
        assert [page.id for page in knowledge.sentinels.get("jill", "both").pages] == [second]

    def test_what_is_not_there_is_not_found(self, knowledge: Knowledge):
        with pytest.raises(NotFound):
            knowledge.logins.remove("jill", "http://a/")
        with pytest.raises(NotFound):
            knowledge.logins.get(4711)
        with pytest.raises(NotFound):
            knowledge.logins.put("nobody", "http://a/", "x")
        knowledge.logins.put("jill", "http://a/", "one")
        knowledge.logins.remove("jill", "http://a/")
        assert knowledge.logins.all("jill") == []

    def test_pages_seen_by_a_login_are_not_shared(self, knowledge: Knowledge):
        plain, mine = Page(url="http://a/"), Page(url="http://a/", login="7")
        knowledge.sentinels.add(
            replace(sentinel("s1"), pages=(plain,)), replace(sentinel("s2"), pages=(mine,))
        )
        ids = [knowledge.versions.page_id(page) for page in (plain, mine)]
        assert ids[0] != ids[1]
        assert [knowledge.versions.page(one) for one in ids] == [plain, mine]
        assert {page.page for claim in claim_all(knowledge) for page in claim.pages} == {plain, mine}


def test_a_look_keeps_its_reason_and_a_version_its_picture(knowledge: Knowledge):
    (installed,) = knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    version = replace(new_version(1), picture="p" * 64)
    look = Look(why="due", decision="new version", reason="fetched for the first time")
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=version, look=look)])
    page = installed.pages[0].id
    assert knowledge.journal.fetch_log(page)[0]["reason"] == "fetched for the first time"
    assert knowledge.versions.get(page, 1).picture == "p" * 64


def test_pushes_are_kept_by_the_digest_of_their_address(knowledge: Knowledge):
    (installed,) = knowledge.sentinels.add(sentinel("s1"))
    page = installed.pages[0].id
    ping = Push(digest="a", page=page)
    hub = Push(
        digest="b", page=page, kind="websub", hub="http://hub/", topic="http://t/", state="asked", until=7
    )
    for one in (hub, ping):
        knowledge.pushes.put(one)
    assert knowledge.pushes.get("a") == ping
    assert knowledge.pushes.get("c") is None
    assert knowledge.pushes.all() == [ping, hub]
    assert knowledge.pushes.all(page=page, kind="websub") == [hub]
    assert knowledge.pushes.all(page=page + 1) == []
    knowledge.pushes.put(replace(hub, state="active", until=9))
    assert knowledge.pushes.get("b") == replace(hub, state="active", until=9)
    knowledge.pushes.remove("a")
    assert knowledge.pushes.all() == [replace(hub, state="active", until=9)]
