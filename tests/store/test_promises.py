"""The interfaces of every knowledge base, tested against memory, SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

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
    remove_for_good,
    sentinel,
)
from webvigil.app.sentinels.first_look import looks_of
from webvigil.errors import NameTaken, NotFound
from webvigil.model.approach import Approach, Step
from webvigil.model.contact import KnownContact
from webvigil.model.history import Use
from webvigil.model.life import Crossing, LifeEvent, LifeRecord, LifeStep
from webvigil.model.moment import QUARTER, as_datetime, as_millis
from webvigil.model.notice import Receipt
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.trouble import FINE, UNSEEN, Trouble, Why
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.model.work import Look, NewTrouble, WatchUpdate
from webvigil.store.promises import Knowledge


class TestUsers:
    def test_a_user_is_found_again(self, knowledge: Knowledge):
        added = knowledge.users.add("jack", role="admin", zone="Europe/Berlin")
        assert knowledge.users.get("jack") == added
        assert [user.name for user in knowledge.users.all()] == ["jack", "jill"]

    def test_a_name_is_given_once(self, knowledge: Knowledge):
        with pytest.raises(NameTaken):
            knowledge.users.add("jill")

    def test_nobody_is_found_under_a_strange_name(self, knowledge: Knowledge):
        with pytest.raises(NotFound, match="no user 'jack'"):
            knowledge.users.get("jack")

    def test_a_user_can_be_changed(self, knowledge: Knowledge):
        assert knowledge.users.change("jill", role="admin").role == "admin"
        changed = knowledge.users.change("jill", zone="Asia/Tokyo")
        assert (changed.role, changed.zone) == ("admin", "Asia/Tokyo")
        assert knowledge.users.get("jill") == changed
        with pytest.raises(NotFound, match="no user 'jack'"):
            knowledge.users.change("jack", role="admin")

    def test_a_removed_user_leaves_nothing_behind_but_what_others_watch(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("mine", "http://a.test/", "http://b.test/"))
        knowledge.sentinels.add(sentinel("his", "http://b.test/", user="jack"))
        knowledge.users.add_token("jill", "d" * 64, purpose="api", expires=2_000_000_000_000)
        knowledge.contacts.put(KnownContact(user="jill", channel="email", address="jill@site.test"))
        knowledge.users.remove("jill")
        assert [one.name for one in knowledge.sentinels.all()] == ["his"]
        assert knowledge.users.token("d" * 64, purpose="api") is None
        assert len(knowledge.sentinels.news(0).changed) == 1
        assert [page.page.url for claim in claim_all(knowledge) for page in claim.pages] == ["http://b.test/"]
        with pytest.raises(NotFound):
            knowledge.users.get("jill")
        with pytest.raises(NotFound):
            knowledge.users.remove("jill")
        knowledge.users.add("jill")
        assert knowledge.contacts.all("jill") == []

    def test_the_hash_of_a_password_is_kept(self, knowledge: Knowledge):
        assert knowledge.users.password("jill") == ""
        knowledge.users.set_password("jill", "$hash")
        assert knowledge.users.password("jill") == "$hash"
        assert knowledge.users.password("nobody") == ""
        with pytest.raises(NotFound):
            knowledge.users.set_password("nobody", "$hash")

    def test_a_token_opens_until_it_expires(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add_token("jill", "d1", purpose="sign-in", expires=clock.now + MINUTE)
        found = knowledge.users.token("d1", purpose="sign-in")
        assert found is not None
        assert found.user.name == "jill"
        assert knowledge.users.token("d1", purpose="api") is None
        clock.passes(seconds=61)
        assert knowledge.users.token("d1", purpose="sign-in") is None
        assert knowledge.users.tokens("jill", purpose="sign-in") == []

    def test_a_token_tells_what_it_is_for_and_when_it_was_used(self, knowledge: Knowledge, clock: Clock):
        digests = ["a" * 64, "b" * 64]
        for digest, name in zip(digests, ("old", "new"), strict=True):
            knowledge.users.add_token(
                "jill", digest, purpose="api", expires=clock.now + 10 * MINUTE, name=name, scope="read"
            )
            clock.passes(seconds=1)
        clock.passes(seconds=120)
        knowledge.users.token(digests[0], purpose="api")
        newest, oldest = knowledge.users.tokens("jill", purpose="api")
        assert (newest.id, newest.name, newest.scope, newest.used_at) == ("b" * 12, "new", "read", None)
        assert (oldest.name, oldest.used_at) == ("old", as_datetime(clock.now))
        assert oldest.created_at == as_datetime(clock.now - 122_000)

    def test_one_token_is_dropped_by_its_id_and_only_by_its_owner(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        for digest in ("a" * 64, "b" * 64):
            knowledge.users.add_token("jill", digest, purpose="api", expires=clock.now + MINUTE)
        for user, token in (("jack", "a" * 12), ("jill", "a" * 11), ("jill", ""), ("jill", "%" * 12)):
            with pytest.raises(NotFound):
                knowledge.users.drop_token(user, token, purpose="api")
        knowledge.users.drop_token("jill", "a" * 12, purpose="api")
        assert [one.id for one in knowledge.users.tokens("jill", purpose="api")] == ["b" * 12]

    def test_a_token_can_be_ended_early(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add_token("jill", "d1", purpose="session", expires=clock.now + 10 * MINUTE)
        knowledge.users.end_token("d1", expires=clock.now + 30_000)
        assert knowledge.users.token("d1", purpose="session")
        clock.passes(seconds=31)
        assert knowledge.users.token("d1", purpose="session") is None

    def test_dropped_tokens_open_nothing(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add_token("jill", "d1", purpose="sign-in", expires=clock.now + MINUTE)
        knowledge.users.drop_tokens("jill", purpose="sign-in")
        assert knowledge.users.token("d1", purpose="sign-in") is None


class TestLists:
    """Long lists: pieces, filters and counts."""

    def test_sentinels_come_in_pieces_newest_first(self, knowledge: Knowledge):
        knowledge.sentinels.add(*(sentinel(f"s{number}") for number in range(7)))
        found: list[str] = []
        piece = knowledge.sentinels.some(WantedSentinels(user="jill", limit=3))
        while piece:
            found += [one.name for one in piece]
            piece = knowledge.sentinels.some(WantedSentinels(user="jill", limit=3, before=piece[-1].id))
        assert found == ["s6", "s5", "s4", "s3", "s2", "s1", "s0"]
        assert knowledge.sentinels.count(WantedSentinels(user="jill", limit=3)) == 7

    @pytest.mark.parametrize(
        ("wanted", "names"),
        [
            (WantedSentinels(), ["theirs", "prices", "news"]),
            (WantedSentinels(user="jill"), ["prices", "news"]),
            (WantedSentinels(user="nobody"), []),
            (WantedSentinels(words="PRI"), ["prices"]),
            (WantedSentinels(words="daily press"), ["news"]),
            (WantedSentinels(words="press nothing"), []),
            (WantedSentinels(words="%"), []),
            (WantedSentinels(topic="press"), ["news"]),
            (WantedSentinels(state="active", user="jill"), ["news"]),
            (WantedSentinels(state="disabled"), ["prices"]),
            (WantedSentinels(trouble=True), []),
        ],
    )
    def test_sentinels_are_chosen(self, knowledge: Knowledge, wanted: WantedSentinels, names: list[str]):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("news", "http://daily.test/", topic="press", text="… daily …"))
        knowledge.sentinels.add(sentinel("prices", topic="shops"))
        knowledge.sentinels.add(sentinel("theirs", user="jack"))
        knowledge.sentinels.enable("jill", "prices", enabled=False)
        assert [one.name for one in knowledge.sentinels.some(wanted)] == names
        assert knowledge.sentinels.count(wanted) == len(names)
        assert knowledge.sentinels.topics("jill") == {"press": 1, "shops": 1}
        assert knowledge.sentinels.topics("jack") == {}

    def test_sentinels_of_one_page_are_found(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        same = "http://a.test/"
        knowledge.sentinels.add(
            sentinel("one", same), sentinel("two", same), sentinel("three", "http://b.test/")
        )
        knowledge.sentinels.add(sentinel("theirs", same, user="jack"))
        page = knowledge.sentinels.get("jill", "one").pages[0].id
        mine = knowledge.sentinels.some(WantedSentinels(user="jill", pages=(page,)))
        assert [one.name for one in mine] == ["two", "one"]
        assert knowledge.sentinels.count(WantedSentinels(pages=(page,))) == 3

    def test_sentinels_are_found_by_the_address_or_host_of_their_pages(self, knowledge: Knowledge):
        form = Page(url="http://a.test/form", method="POST", fields=(("q", "lamp"),))
        knowledge.users.add("jack")
        knowledge.sentinels.add(
            sentinel("plain", "http://a.test/form"),
            replace(sentinel("filled"), pages=(form,)),
            sentinel("beside", "http://a.test/formal"),
            sentinel("port", "http://a.test:81/form"),
            sentinel("theirs", "http://a.test/form", user="jack"),
        )

        def found(**wanted: str) -> list[str]:
            return [one.name for one in knowledge.sentinels.some(WantedSentinels(user="jill", **wanted))]

        assert found(address="http://a.test/form") == ["filled", "plain"]
        assert found(address="http://a.test/nothing") == []
        assert found(host="a.test") == ["beside", "filled", "plain"]
        assert found(host="a.test:81") == ["port"]
        assert found(host="a.test", state="disabled") == []

    def test_a_page_is_found_by_whoever_watches_it(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        (made,) = knowledge.sentinels.add(sentinel("one", "http://a.test/"))
        number = made.pages[0].id
        assert knowledge.sentinels.page("jill", number).url == "http://a.test/"
        assert knowledge.sentinels.page(None, number) == knowledge.sentinels.page("jill", number)
        for user, unknown in (("jack", number), ("jill", number + 1), (None, number + 1)):
            with pytest.raises(NotFound):
                knowledge.sentinels.page(user, unknown)

    def test_sentinels_in_trouble_are_found(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("fine", "http://a.test/"), sentinel("bad", "http://b.test/"))
        for claim in claim_all(knowledge):
            failures = int(claim.name == "b.test")
            results = [checked(claim, page, failures=failures) for page in claim.pages]
            knowledge.schedule.finish(claim, results)
        assert [one.name for one in knowledge.sentinels.some(WantedSentinels(trouble=True))] == ["bad"]

    def test_changes_come_in_pieces_newest_first(self, knowledge: Knowledge, clock: Clock):
        ids = changes_of_two(knowledge, clock)
        newest = knowledge.changes.some(WantedChanges(limit=2))
        rest = knowledge.changes.some(WantedChanges(limit=2, before=newest[-1].id))
        assert [one.id for one in [*newest, *rest]] == ids[::-1]
        assert knowledge.changes.count(WantedChanges(limit=2)) == 3
        assert knowledge.changes.count(WantedChanges(), most=2) == 2
        assert knowledge.changes.count(WantedChanges(), most=4) == 3

    def test_changes_are_chosen(self, knowledge: Knowledge, clock: Clock):
        first, second, third = changes_of_two(knowledge, clock)
        now = as_datetime(clock.now)
        for wanted, ids in (
            (WantedChanges(user="jill"), [second, first]),
            (WantedChanges(user="jack"), [third]),
            (WantedChanges(user="jill", sentinel="s1"), [second, first]),
            (WantedChanges(topic="press"), [second, first]),
            (WantedChanges(type="all links"), [third, second, first]),
            (WantedChanges(type="phrase"), []),
            (WantedChanges(type="all' links"), []),
            (WantedChanges(since=now), [third, second]),
            (WantedChanges(until=now), [first]),
            (WantedChanges(after=first, before=third), [second]),
            (WantedChanges(page=4711), []),
        ):
            assert [one.id for one in knowledge.changes.some(wanted)] == ids, wanted
            assert [one.id for one in knowledge.changes.outlines(wanted)] == ids, wanted
            if wanted.before > third:
                assert knowledge.changes.count(wanted) == len(ids), wanted

    def test_an_outline_is_a_change_without_its_findings(self, knowledge: Knowledge, clock: Clock):
        first, *_ = changes_of_two(knowledge, clock)
        knowledge.changes.mark("jill", [first], seen=True)
        whole = knowledge.changes.get(first)
        outline = knowledge.changes.outlines(WantedChanges(user="jill"))[-1]
        for name in ("id", "sentinel", "page", "url", "found_at", "topic", "seen", "title"):
            assert getattr(outline, name) == getattr(whole, name), name
        assert len(knowledge.changes.outlines(WantedChanges(limit=2))) == 2

    def test_the_looks_that_come_next_are_those_of_active_sentinels(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        for number in range(3):
            knowledge.sentinels.add(sentinel(f"s{number}", f"http://h{number}.test/"))
        knowledge.sentinels.add(sentinel("his", "http://h1.test/", user="jack"))
        knowledge.sentinels.enable("jill", "s2", enabled=False)
        for claim in claim_all(knowledge):
            wait = 5 * MINUTE if claim.name == "h0.test" else MINUTE
            for due in claim.pages:
                watches = tuple(
                    WatchUpdate(sentinel=one.sentinel, reference=one.reference, next_at=claim.now + wait)
                    for one in due.watches
                )
                done = checked(claim, due, due=claim.now + wait, watches=watches)
                knowledge.schedule.finish(claim, [done])
        found = knowledge.sentinels.coming("jill", limit=5)
        assert [(name, one.url) for name, one in found] == [
            ("s1", "http://h1.test/"),
            ("s0", "http://h0.test/"),
        ]
        assert [name for name, _ in knowledge.sentinels.coming("jill", limit=1)] == ["s1"]

    def test_changes_are_marked_and_noted_by_their_owner_alone(self, knowledge: Knowledge, clock: Clock):
        first, second, third = changes_of_two(knowledge, clock)
        assert knowledge.changes.mark("jill", [first, third, 4711], seen=True) == 1
        assert [one.id for one in knowledge.changes.some(WantedChanges(seen=False))] == [third, second]
        assert [one.id for one in knowledge.changes.some(WantedChanges(seen=True))] == [first]
        assert knowledge.changes.mark("jill", [first], seen=False) == 1
        assert not knowledge.changes.get(first).seen
        assert knowledge.changes.mark("jill", [], seen=True) == 0
        knowledge.changes.note("jill", first, "call them")
        assert knowledge.changes.get(first).note == "call them"
        for user, change in (("jack", first), ("jill", 4711)):
            with pytest.raises(NotFound):
                knowledge.changes.note(user, change, "mine now")


def changes_of_two(knowledge: Knowledge, clock: Clock) -> list[int]:
    """Makes two changes of jill's, the second a minute after the first and at the same time as jack's;
    returns all ids."""
    knowledge.users.add("jack")
    knowledge.sentinels.add(sentinel("s1", topic="press"), sentinel("his", user="jack"))
    for number in (1, 2):
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        found = [new_change(watch.sentinel, number, number + 1) for watch in due.watches[:number]]
        result = checked(claim, due, version=new_version(number, f"v{number}"), changes=tuple(found))
        knowledge.schedule.finish(claim, [result])
        if number == 1:
            clock.passes(seconds=60)
    return sorted(one.id for one in knowledge.changes.all())


class TestSentinels:
    def test_an_installed_sentinel_is_found_with_its_pages(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1", "http://a.test/", "http://b.test/"))
        assert knowledge.sentinels.get("jill", "s1") == installed
        assert installed.state is State.ACTIVE
        assert installed.installed_at == as_datetime(clock.now)
        assert [page.url for page in installed.pages] == ["http://a.test/", "http://b.test/"]
        assert all(page.due == as_datetime(clock.now) for page in installed.pages)

    def test_those_who_watch_a_page_are_told_without_claiming_it(self, knowledge: Knowledge):
        first, second, third = knowledge.sentinels.add(
            sentinel("a"), sentinel("b"), sentinel("c", "http://b/")
        )
        knowledge.sentinels.enable("jill", "b", enabled=False)
        page = first.pages[0].id
        assert [one.sentinel for one in knowledge.sentinels.watching(page)] == [first.id]
        knowledge.sentinels.enable("jill", "b", enabled=True)
        assert [one.sentinel for one in knowledge.sentinels.watching(page)] == [first.id, second.id]
        (due,) = [one for claim in claim_all(knowledge) for one in claim.pages if one.id == page]
        assert list(due.watches) == knowledge.sentinels.watching(page)
        assert third.pages[0].id != page

    def test_names_are_unique_per_user(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("s1"))
        knowledge.sentinels.add(sentinel("s1", user="jack"))
        with pytest.raises(NameTaken, match="'s1'"):
            knowledge.sentinels.add(sentinel("s1"))
        assert len(knowledge.sentinels.all("jill")) == 1
        assert len(knowledge.sentinels.all()) == 2

    def test_many_are_installed_together_or_not_at_all(self, knowledge: Knowledge):
        both = knowledge.sentinels.add(sentinel("a"), sentinel("b"))
        assert [one.name for one in both] == ["a", "b"]
        for wrong in ([sentinel("c"), sentinel("a")], [sentinel("d"), sentinel("d")]):
            with pytest.raises(NameTaken):
                knowledge.sentinels.add(*wrong)
        assert [one.name for one in knowledge.sentinels.all()] == ["b", "a"]

    def test_the_newest_comes_first(self, knowledge: Knowledge):
        for name in ("one", "two", "three"):
            knowledge.sentinels.add(sentinel(name))
        assert [one.name for one in knowledge.sentinels.all("jill")] == ["three", "two", "one"]

    def test_two_sentinels_on_the_same_page_share_it(self, knowledge: Knowledge):
        (first,) = knowledge.sentinels.add(sentinel("s1", "http://a.test/"))
        (second,) = knowledge.sentinels.add(sentinel("s2", "http://a.test/"))
        assert first.pages[0].id == second.pages[0].id
        assert knowledge.journal.counts().pages == 1

    def test_a_page_named_twice_is_watched_once(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(sentinel("s1", "http://a.test/", "http://a.test/"))
        assert len(installed.pages) == 1

    def test_removing_takes_the_sentinel_out_of_the_schedule(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1"))
        remove_for_good(knowledge, "jill", "s1")
        assert knowledge.sentinels.all() == []
        assert claim_all(knowledge) == []
        assert knowledge.schedule.next_at() is None

    def test_what_is_not_there_cannot_be_changed(self, knowledge: Knowledge):
        for act in (
            lambda: knowledge.sentinels.get("jill", "none"),
            lambda: remove_for_good(knowledge, "jill", "none"),
            lambda: knowledge.sentinels.enable("jill", "none", enabled=False),
            lambda: knowledge.sentinels.add(sentinel("s1", user="nobody")),
        ):
            with pytest.raises(NotFound):
                act()

    def test_a_disabled_sentinel_rests_and_an_enabled_one_is_due_at_once(
        self, knowledge: Knowledge, clock: Clock
    ):
        knowledge.sentinels.add(sentinel("s1"))
        assert knowledge.sentinels.enable("jill", "s1", enabled=False).state is State.DISABLED
        assert claim_all(knowledge) == []
        clock.passes(seconds=5)
        assert knowledge.sentinels.enable("jill", "s1", enabled=True).pages[0].due == as_datetime(clock.now)
        assert len(claim_all(knowledge)) == 1

    def test_a_page_with_one_sleeper_and_one_watcher_is_looked_at_for_the_watcher(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1"))
        knowledge.sentinels.add(sentinel("s2"))
        knowledge.sentinels.enable("jill", "s1", enabled=False)
        (claim,) = claim_all(knowledge)
        assert [watch.name for watch in claim.pages[0].watches] == ["s2"]


class TestLives:
    def test_a_step_is_written_with_its_events_and_notices(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        after = replace(ALIVE, within=False, over=True, next_at=None, ended_at=ALIVE.next_at)
        event = LifeEvent(sentinel="s1", what=Crossing.EXPIRED, at=BIRTH)
        step = LifeStep(
            sentinel=installed.id, before=ALIVE, after=after, events=(event,), notices=(notice(),)
        )
        assert knowledge.sentinels.live(step)
        found = knowledge.sentinels.get("jill", "s1")
        assert (found.state, found.life) == (State.EXPIRED, after)
        assert claim_all(knowledge) == [], "its pages are no longer looked at"
        expired, installed_event = knowledge.journal.events(subject="s1")
        assert (expired.name, expired.at) == ("SentinelExpired", BIRTH)
        assert (installed_event.name, installed_event.details) == ("SentinelInstalled", {"user": "jill"})
        assert len(knowledge.outbox.claim("w", count=9, lease=1000)) == 1

    def test_a_step_from_elsewhere_is_not_taken(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        step = LifeStep(sentinel=installed.id, before=replace(ALIVE, span=1), after=replace(ALIVE, over=True))
        assert not knowledge.sentinels.live(step)
        assert not knowledge.sentinels.live(replace(step, sentinel=4711))
        assert knowledge.sentinels.get("jill", "s1") == installed

    def test_a_disabled_sentinel_lives_on_without_looking(self, knowledge: Knowledge, clock: Clock):
        waiting = LifeRecord(installed_at=BIRTH, next_at=BIRTH + timedelta(days=1))
        (installed,) = knowledge.sentinels.add(sentinel("s1", life=waiting))
        assert (installed.state, claim_all(knowledge)) == (State.WAITING, [])
        knowledge.sentinels.enable("jill", "s1", enabled=False)
        assert knowledge.sentinels.live(LifeStep(sentinel=installed.id, before=waiting, after=ALIVE))
        assert (knowledge.sentinels.get("jill", "s1").state, claim_all(knowledge)) == (State.DISABLED, [])
        assert knowledge.sentinels.enable("jill", "s1", enabled=True).state is State.ACTIVE
        assert len(claim_all(knowledge)) == 1

    def test_letters_with_a_meaning_in_patterns_are_searched_as_they_are(self, knowledge: Knowledge):
        names = ["50% off", "a_b", "either/or", "plain"]
        knowledge.sentinels.add(*(sentinel(name, text=f"Text of {name}") for name in names))
        for words, found in (("0%", "50% off"), ("A_B", "a_b"), ("r/o", "either/or"), ("PLAIN", "plain")):
            assert [one.name for one in knowledge.sentinels.some(WantedSentinels(words=words))] == [found]
        assert knowledge.sentinels.count(WantedSentinels(words="x%")) == 0

    def test_sentinels_are_counted_by_state(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("one"), sentinel("two"), sentinel("three", user="jack"))
        knowledge.sentinels.add(sentinel("gone"))
        knowledge.sentinels.set_aside("jill", "gone")
        knowledge.sentinels.enable("jill", "two", enabled=False)
        assert knowledge.sentinels.states("jill") == {State.ACTIVE: 1, State.DISABLED: 1}
        assert knowledge.sentinels.states("jack") == {State.ACTIVE: 1}

    def test_news_tells_what_is_new_changed_and_removed(self, knowledge: Knowledge):
        one, two = knowledge.sentinels.add(sentinel("one"), sentinel("two"))
        first = knowledge.sentinels.news(0)
        assert [(living.name, living.user, living.life) for living in first.changed] == [
            ("one", "jill", ALIVE),
            ("two", "jill", ALIVE),
        ]
        assert knowledge.sentinels.news(first.revision).changed == ()
        knowledge.sentinels.enable("jill", "two", enabled=False)
        remove_for_good(knowledge, "jill", "one")
        second = knowledge.sentinels.news(first.revision)
        assert ([living.id for living in second.changed], second.removed) == ([two.id], (one.id,))
        assert knowledge.sentinels.news(second.revision).removed == ()

    @pytest.mark.parametrize(
        ("life", "rests_days"),
        [
            ({"next_at": 30}, 30),  # starts
            ({"next_at": 30, "started_at": 0, "within": True}, 27),  # is warned of its end
            ({"next_at": 300, "started_at": 0, "within": True}, 293),
            ({"next_at": 30, "started_at": 0, "within": True, "warned": True}, 30),
            ({"next_at": 30, "within": True}, 30),
        ],
    )
    def test_only_ids_tell_of_lives_that_rest(self, knowledge: Knowledge, life, rests_days: int):
        days = {name: BIRTH + timedelta(days=at) for name, at in life.items() if name.endswith("_at")}
        record = LifeRecord(installed_at=BIRTH, **{**life, **days})
        (one,) = knowledge.sentinels.add(sentinel("one", life=record))
        moment = as_millis(BIRTH + timedelta(days=rests_days))
        before = knowledge.sentinels.news(0, until=moment - 1)
        after = knowledge.sentinels.news(0, until=moment)
        assert (before.changed, before.resting) == ((), (one.id,))
        assert ([living.id for living in after.changed], after.resting) == ([one.id], ())

    def test_lives_that_wait_for_others_never_rest_and_those_that_ended_always_do(self, knowledge: Knowledge):
        lives = {"waits": {}, "over": {"over": True}, "failed": {"failure": "why"}}
        for name, life in lives.items():
            knowledge.sentinels.add(sentinel(name, life=LifeRecord(installed_at=BIRTH, **life)))
        far = as_millis(BIRTH + timedelta(days=9999))
        assert [one.name for one in knowledge.sentinels.news(0, until=0).changed] == ["waits"]
        assert [one.name for one in knowledge.sentinels.news(0, until=far).changed] == ["waits"]
        assert {one.name for one in knowledge.sentinels.living("jill", ["over", "failed", "nobody"])} == {
            "over",
            "failed",
        }


class TestSchedule:
    def test_a_due_page_is_claimed_with_all_that_is_needed(self, knowledge: Knowledge, clock: Clock):
        page = Page(url="http://a.test/q", method="POST", fields=(("q", "ä"), ("n", "1")))
        knowledge.sentinels.add(replace(sentinel("s1"), pages=(page,)))
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        assert (claim.name, claim.now, claim.until) == ("a.test", clock.now, clock.now + 30_000)
        assert due.page == page
        assert due.latest is None
        assert due.watches[0].text == "Create Sentinel s1 …"
        assert (due.watches[0].user, due.watches[0].reference) == ("jill", 0)

    def test_a_leased_host_is_nobody_elses(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        assert claim_all(knowledge, "w1")
        assert claim_all(knowledge, "w2") == []
        clock.passes(seconds=31)
        assert claim_all(knowledge, "w2"), "the work of a dead worker goes on when its lease has run out"

    def test_a_renewed_lease_holds_longer(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        clock.passes(seconds=20)
        assert knowledge.schedule.renew(claim, lease=30_000)
        clock.passes(seconds=20)
        assert claim_all(knowledge, "w2") == []

    def test_a_worker_that_lost_its_lease_writes_nothing(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        (frozen,) = claim_all(knowledge, "w1")
        clock.passes(seconds=31)
        (fresh,) = claim_all(knowledge, "w2")
        page = frozen.pages[0]
        assert not knowledge.schedule.renew(frozen, lease=30_000)
        assert not knowledge.schedule.finish(frozen, [checked(frozen, page, version=new_version(1))])
        assert knowledge.versions.of(page.id) == []
        assert knowledge.schedule.finish(fresh, [checked(fresh, page, version=new_version(1))])
        assert len(knowledge.versions.of(page.id)) == 1

    def test_one_who_is_alone_takes_over_at_once(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1"))
        (dead,) = claim_all(knowledge, "w1")
        knowledge.schedule.take_over()
        (fresh,) = claim_all(knowledge, "w2")
        assert not knowledge.schedule.finish(dead, [checked(dead, dead.pages[0])])
        assert knowledge.schedule.finish(fresh, [checked(fresh, fresh.pages[0])])

    def test_taking_over_still_leaves_a_host_in_peace(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1", "http://a.test/1", "http://a.test/2"))
        (claim,) = claim_all(knowledge, pages=1)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        knowledge.schedule.take_over()
        assert claim_all(knowledge) == [], "the delay of a host is no lease of a worker"

    def test_a_finished_page_is_due_again_at_its_time(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        assert knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        assert knowledge.schedule.next_at() == MINUTE
        clock.passes(seconds=59)
        assert claim_all(knowledge) == []
        clock.passes(seconds=1)
        assert len(claim_all(knowledge)) == 1

    def test_a_host_is_left_in_peace_for_its_delay(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1", "http://a.test/1", "http://a.test/2"))
        (claim,) = claim_all(knowledge, pages=1)
        assert len(claim.pages) == 1
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        assert claim_all(knowledge) == []
        clock.passes(seconds=1)
        (second,) = claim_all(knowledge)
        assert second.pages[0].id != claim.pages[0].id

    def test_a_busy_host_holds_up_no_other(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1", "http://a.test/", "http://b.test/"))
        (first,) = claim_all(knowledge, "w1", hosts=1)
        (second,) = claim_all(knowledge, "w2", hosts=1)
        assert {first.name, second.name} == {"a.test", "b.test"}

    def test_priority_is_worth_a_minute(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("early", "http://a.test/early"))
        clock.passes(seconds=30)
        knowledge.sentinels.add(sentinel("urgent", "http://a.test/urgent", priority=1))
        (claim,) = claim_all(knowledge)
        assert [due.page.url for due in claim.pages] == ["http://a.test/urgent", "http://a.test/early"]

    def test_a_page_asked_for_is_due_now(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        clock.passes(seconds=2)
        knowledge.schedule.ask(installed.pages[0].id)
        (again,) = claim_all(knowledge)
        assert again.pages[0].watches[0].next_at == clock.now

    def test_asking_during_a_check_is_not_forgotten(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        knowledge.schedule.ask(installed.pages[0].id)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        clock.passes(seconds=1)
        (again,) = claim_all(knowledge)
        assert again.pages[0].watches[0].next_at <= clock.now

    def test_a_sentinel_added_during_a_check_is_looked_at_soon(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("slow", interval=60 * MINUTE))
        (claim,) = claim_all(knowledge)
        knowledge.sentinels.add(sentinel("quick"))
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], due=clock.now + 60 * MINUTE)])
        clock.passes(seconds=1)
        (again,) = claim_all(knowledge)
        assert {watch.name for watch in again.pages[0].watches} == {"slow", "quick"}

    def test_a_look_that_began_before_the_question_is_not_its_answer(
        self, knowledge: Knowledge, clock: Clock
    ):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        clock.passes(seconds=1)
        knowledge.schedule.ask(installed.pages[0].id)
        before = looks_of(installed, knowledge.schedule.now())
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        assert not before.are_over(knowledge.sentinels.get("jill", "s1").pages[0])
        clock.passes(seconds=1)
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        assert before.are_over(knowledge.sentinels.get("jill", "s1").pages[0])

    def test_asking_for_an_unknown_page_is_harmless(self, knowledge: Knowledge):
        knowledge.schedule.ask(4711)
        assert knowledge.schedule.next_at() is None

    def test_validators_and_failures_come_back(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        result = checked(claim, claim.pages[0], failures=3, validators={"etag": '"a"'})
        knowledge.schedule.finish(claim, [result])
        clock.passes(seconds=60)
        due = claim_all(knowledge)[0].pages[0]
        assert (due.failures, due.validators) == (3, {"etag": '"a"'})

    def test_what_is_wrong_comes_back_and_is_found_until_it_is_over(self, knowledge: Knowledge, clock: Clock):
        (one, _) = knowledge.sentinels.add(sentinel("s1"), sentinel("s2"))
        (claim,) = claim_all(knowledge)
        assert {watch.trouble for watch in claim.pages[0].watches} == {UNSEEN}
        missing = Trouble(Why.NOTHING, "there is no value")
        told = (NewTrouble(sentinel=one.id, trouble=missing),)
        result = checked(claim, claim.pages[0], failures=1, failing_since=clock.now, troubles=told)
        knowledge.schedule.finish(claim, [result])
        page = knowledge.sentinels.get("jill", "s1").pages[0]
        assert (page.trouble, page.failing_since) == ("there is no value", as_datetime(clock.now))
        assert knowledge.sentinels.get("jill", "s2").pages[0].trouble == ""
        since = clock.now
        clock.passes(seconds=60)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].failing_since == since
        assert [watch.trouble for watch in claim.pages[0].watches] == [missing, UNSEEN]
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        assert [one.name for one in knowledge.sentinels.some(WantedSentinels(trouble=True))] == ["s1"]
        clock.passes(seconds=60)
        (claim,) = claim_all(knowledge)
        assert claim.pages[0].failing_since == 0
        over = (NewTrouble(sentinel=one.id, trouble=FINE),)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], troubles=over)])
        assert knowledge.sentinels.some(WantedSentinels(trouble=True)) == []

    def test_another_text_is_judged_anew_also_by_a_look_under_way(self, knowledge: Knowledge, clock: Clock):
        (one,) = knowledge.sentinels.add(sentinel("s1"))
        wrong = (NewTrouble(sentinel=one.id, trouble=Trouble(Why.NOTHING, "there is no value")),)
        (claim,) = claim_all(knowledge)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], troubles=wrong)])
        clock.passes(seconds=60)
        (claim,) = claim_all(knowledge)
        knowledge.sentinels.replace(sentinel("s1", text="another"))
        assert knowledge.sentinels.get("jill", "s1").pages[0].trouble == ""
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], troubles=wrong)])
        assert knowledge.sentinels.get("jill", "s1").pages[0].trouble == ""


class TestFindings:
    def test_a_check_is_written_whole(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        _find_a_change(knowledge, clock)
        (change,) = knowledge.changes.all("jill")
        assert (change.sentinel, change.old_version, change.new_version) == ("s1", 1, 2)
        assert change.findings == new_change(0, 1, 2).findings
        assert change.url == "http://site.test/"
        assert change.found_at == as_datetime(clock.now)
        assert knowledge.changes.get(change.id) == change
        page = installed.pages[0].id
        assert [version.number for version in knowledge.versions.of(page)] == [2, 1]
        assert knowledge.versions.get(page, 2).object == "two" * 20
        assert knowledge.sentinels.get("jill", "s1").changes == 1
        assert knowledge.sentinels.get("jill", "s1").pages[0].checks == 2

    def test_the_latest_version_and_the_reference_come_with_the_next_claim(
        self, knowledge: Knowledge, clock: Clock
    ):
        knowledge.sentinels.add(sentinel("s1"))
        _find_a_change(knowledge, clock)
        clock.passes(seconds=60)
        due = claim_all(knowledge)[0].pages[0]
        assert due.latest is not None
        assert (due.latest.number, due.latest.signature) == (2, "two")

    def test_changes_can_be_narrowed_down(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("s1"))
        _find_a_change(knowledge, clock)
        (change,) = knowledge.changes.all()
        assert knowledge.changes.all("jack") == []
        assert knowledge.changes.all("jill", sentinel="other") == []
        assert knowledge.changes.all("jill", sentinel="s1", since=change.found_at) == [change]
        assert knowledge.changes.all(since=as_datetime(clock.now + 1)) == []
        assert knowledge.changes.all(after=change.id) == []
        assert knowledge.changes.all(limit=0) == []
        with pytest.raises(NotFound):
            knowledge.changes.get(change.id + 1000)

    def test_versions_come_in_pieces(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        page = installed.pages[0].id
        times = []
        for number in range(1, 8):
            (claim,) = claim_all(knowledge)
            due = claim.pages[0]
            times.append(as_datetime(clock.now))
            knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(number, str(number)))])
            clock.passes(seconds=60)
        some = knowledge.versions.some

        def numbers(**wanted: Any) -> list[int]:
            return [one.number for one in some(page, **wanted)]

        assert numbers() == [7, 6, 5, 4, 3, 2, 1]
        assert numbers(limit=2) == [7, 6]
        assert numbers(before=6, limit=2) == [5, 4]
        assert numbers(after=2, before=6) == [5, 4, 3]
        assert numbers(after=2, oldest_first=True, limit=2) == [3, 4]
        assert numbers(until=times[2]) == [3, 2, 1]
        assert numbers(after=7) == []
        assert (knowledge.versions.count(page), knowledge.versions.count(page, after=5)) == (7, 2)
        assert knowledge.histories.drop(page, [5]) == [5]
        assert numbers(limit=3) == [7, 6, 4]
        assert knowledge.versions.count(page, after=3) == 3
        assert some(page + 1) == []

    def test_the_rhythm_of_changes_is_counted_by_the_quarter(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("s1"), sentinel("s2", user="jack"))
        clock.now += QUARTER - clock.now % QUARTER
        expected: dict[datetime, int] = {}
        for number, minutes in enumerate((0, 14, 1, 60)):
            clock.passes(seconds=60 * minutes)
            knowledge.schedule.ask(knowledge.sentinels.get("jill", "s1").pages[0].id)
            (claim,) = claim_all(knowledge)
            (due,) = claim.pages
            mine = next(one for one in due.watches if one.user == "jill")
            change = new_change(mine.sentinel, number + 1, number + 2)
            knowledge.schedule.finish(
                claim, [checked(claim, due, version=new_version(number + 2), changes=(change,))]
            )
            at = as_datetime(clock.now - clock.now % QUARTER)
            expected[at] = expected.get(at, 0) + 1
        assert sorted(expected.values()) == [1, 1, 2]
        page = knowledge.sentinels.get("jill", "s1").pages[0].id
        assert knowledge.changes.rhythm(WantedChanges(user="jill", sentinel="s1", limit=1)) == expected
        assert knowledge.changes.rhythm(WantedChanges(user="jill", page=page)) == expected
        assert knowledge.changes.rhythm(WantedChanges(user="jack", page=page)) == {}
        both = WantedChanges(user="jill", sentinels=("s1", "s2"), limit=1)
        assert knowledge.changes.rhythms(both) == {"s1": expected}
        assert knowledge.changes.rhythms(WantedChanges()) == {"s1": expected}
        assert knowledge.changes.rhythms(replace(both, sentinels=("s2",))) == {}
        assert knowledge.changes.rhythms(replace(both, sentinels=())) == {}
        assert knowledge.changes.count(both) == 4
        found = {one.new_version: one.id for one in knowledge.changes.all()}
        on_page = WantedChanges(user="jill", page=page, limit=1)
        assert sorted(found) == [2, 3, 4, 5]
        assert knowledge.changes.at_versions(on_page, after=0, before=9) == found
        assert [*knowledge.changes.at_versions(on_page, after=3, before=5)] == [4]
        assert knowledge.changes.at_versions(replace(on_page, sentinel="s2"), after=0, before=9) == {}
        assert sum(knowledge.changes.rhythm(WantedChanges(since=max(expected))).values()) == 1

    def test_a_sentinel_removed_during_the_check_leaves_no_change(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        due = claim.pages[0]
        remove_for_good(knowledge, "jill", "s1")
        change = new_change(due.watches[0].sentinel, 1, 2, notice())
        assert knowledge.schedule.finish(
            claim, [checked(claim, due, version=new_version(1), changes=(change,))]
        )
        assert knowledge.changes.all() == []
        assert knowledge.outbox.claim("w", count=1, lease=1000) == []

    def test_the_fetch_log_tells_every_look(self, knowledge: Knowledge, clock: Clock):
        (installed,) = knowledge.sentinels.add(sentinel("s1"))
        (claim,) = claim_all(knowledge)
        look = Look(
            why="due",
            decision="failed",
            status=503,
            bytes=12,
            duration=34,
            error="busy",
            troubles=((installed.id, "no"),),
        )
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look)])
        (entry,) = knowledge.journal.fetch_log(installed.pages[0].id)
        assert entry == {
            "at": as_datetime(clock.now),
            "why": "due",
            "decision": "failed",
            "status": 503,
            "bytes": 12,
            "duration": 34,
            "error": "busy",
            "plan": "",
            "reason": "",
            "troubles": [[installed.id, "no"]],
            "left_out": "",
            "picture": "",
        }

    def test_a_user_sees_a_page_from_when_they_began_to_watch_it(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        (first,) = knowledge.sentinels.add(sentinel("s1"))
        page, begun = first.pages[0].id, clock.now
        for number in (1, 2):
            (claim,) = claim_all(knowledge)
            knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(number))])
            knowledge.schedule.ask(page)
            clock.now += MINUTE
        (second,) = knowledge.sentinels.add(sentinel("s2", user="jack"))
        jill, jack = (knowledge.sentinels.views(user, [page])[page] for user in ("jill", "jack"))
        assert (jill.first_version, jill.since, jill.sentinels) == (0, begun, {first.id})
        assert (jack.first_version, jack.since, jack.sentinels) == (2, clock.now, {second.id})
        assert knowledge.sentinels.views("nobody", [page]) == {}
        assert knowledge.sentinels.views("jack", []) == {}

    def test_sentinels_come_in_the_orders_of_a_summary(self, knowledge: Knowledge, clock: Clock):
        """The orders of N3: by time, by the user's priority, by topic and then time."""
        wanted = {"a": (1, "sport"), "b": (5, ""), "c": (1, "Art"), "d": (5, "sport"), "never": (1, "art")}
        for name, (priority, topic) in wanted.items():
            more = {"priority": priority, "topic": topic}
            knowledge.sentinels.add(sentinel(name, f"http://{name}.test/", **more))
        for name in ("c", "b", "a", "d"):
            clock.passes(seconds=60)
            for claim in claim_all(knowledge):
                for due in claim.pages:
                    if due.page.url == f"http://{name}.test/":
                        found = new_change(due.watches[0].sentinel, 1, 2)
                        done = checked(claim, due, version=new_version(1), changes=(found,))
                        knowledge.schedule.finish(claim, [done])
                    else:
                        knowledge.schedule.finish(claim, [])
            clock.passes(seconds=60)

        def names(**more: Any) -> list[str]:
            return [one.name for one in knowledge.sentinels.some(WantedSentinels(user="jill", **more))]

        assert names(order="time") == ["d", "a", "b", "c", "never"]
        assert names(order="priority") == ["d", "b", "a", "c", "never"]
        assert names(order="topic") == ["c", "never", "d", "a", "b"]
        assert names(order="time", skip=1, limit=2) == ["a", "b"]
        assert names(names=("a", "d", "nobody")) == ["d", "a"]
        assert names(names=()) == []
        (one,) = knowledge.sentinels.some(WantedSentinels(user="jill", names=("d",)))
        assert (one.priority, one.topic) == (5, "sport")

    def test_the_logs_of_many_pages_come_in_one_answer(self, knowledge: Knowledge, clock: Clock):
        pages = {}
        for name in ("a", "b", "c"):
            (installed,) = knowledge.sentinels.add(sentinel(name, f"http://{name}.test/"))
            pages[name] = installed.pages[0].id
        for number in range(5):
            clock.passes(seconds=7200)
            for claim in claim_all(knowledge):
                done = [
                    checked(
                        claim, due, look=Look(why="due", decision="same", status=number, bytes=0, duration=0)
                    )
                    for due in claim.pages
                    if due.page.url != "http://c.test/"
                ]
                knowledge.schedule.finish(claim, done)
        for limit in (1, 3, 100):
            logs = knowledge.journal.fetch_logs(pages.values(), limit=limit)
            alone = {one: knowledge.journal.fetch_log(one, limit=limit) for one in pages.values()}
            assert logs == {one: looks for one, looks in alone.items() if looks}
            assert [look["status"] for look in logs[pages["a"]]] == [4, 3, 2, 1, 0][:limit]
            assert pages["c"] not in logs
        assert knowledge.journal.fetch_logs([]) == {}
        assert knowledge.journal.fetch_logs([4711]) == {}

    def test_a_page_is_found_by_what_it_is(self, knowledge: Knowledge):
        (installed,) = knowledge.sentinels.add(sentinel("s1", "http://a.test/"))
        page = Page(url="http://a.test/")
        assert knowledge.versions.page_id(page) == installed.pages[0].id
        assert knowledge.versions.page(installed.pages[0].id) == page
        with pytest.raises(NotFound):
            knowledge.versions.page_id(Page(url="http://b.test/"))
        with pytest.raises(NotFound):
            knowledge.versions.page(4711)
        with pytest.raises(NotFound):
            knowledge.versions.get(installed.pages[0].id, 1)


class TestOutbox:
    def test_a_notice_written_with_a_change_is_delivered_once(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        _find_a_change(knowledge, clock)
        assert knowledge.journal.counts().pending_notices == 1
        (item,) = knowledge.outbox.claim("w1", count=10, lease=30_000)
        assert item.notice == notice()
        assert knowledge.outbox.claim("w2", count=10, lease=30_000) == []
        assert knowledge.outbox.delivered(item, Receipt(dedup="n1", delivered_at=as_datetime(clock.now)))
        clock.passes(seconds=60)
        assert knowledge.outbox.claim("w2", count=10, lease=30_000) == []
        assert knowledge.outbox.next_at() is None

    def test_the_same_notice_is_written_once(self, knowledge: Knowledge):
        assert knowledge.outbox.add(notice())
        assert not knowledge.outbox.add(notice())
        assert len(knowledge.outbox.claim("w1", count=10, lease=30_000)) == 1

    def test_a_notice_of_a_dead_worker_goes_to_another(self, knowledge: Knowledge, clock: Clock):
        knowledge.outbox.add(notice())
        (lost,) = knowledge.outbox.claim("w1", count=1, lease=30_000)
        clock.passes(seconds=31)
        (item,) = knowledge.outbox.claim("w2", count=1, lease=30_000)
        receipt = Receipt(dedup="n1", delivered_at=as_datetime(clock.now))
        assert not knowledge.outbox.delivered(lost, receipt)
        assert knowledge.outbox.delivered(item, receipt)

    def test_one_who_is_alone_takes_over_the_notices(self, knowledge: Knowledge):
        knowledge.outbox.add(notice())
        (lost,) = knowledge.outbox.claim("w1", count=1, lease=30_000)
        knowledge.outbox.take_over()
        assert len(knowledge.outbox.claim("w2", count=1, lease=30_000)) == 1
        assert not knowledge.outbox.give_up(lost, error="late")

    def test_a_busy_channel_is_tried_again_later(self, knowledge: Knowledge, clock: Clock):
        knowledge.outbox.add(notice())
        (item,) = knowledge.outbox.claim("w1", count=1, lease=30_000)
        assert knowledge.outbox.retry(item, wait=5_000, error="busy")
        assert knowledge.outbox.next_at() == 5_000
        assert knowledge.outbox.claim("w1", count=1, lease=30_000) == []
        clock.passes(seconds=5)
        (again,) = knowledge.outbox.claim("w1", count=1, lease=30_000)
        assert again.attempts == 1

    def test_what_cannot_be_delivered_is_kept_and_shown(self, knowledge: Knowledge):
        knowledge.outbox.add(notice())
        (item,) = knowledge.outbox.claim("w1", count=1, lease=30_000)
        assert knowledge.outbox.give_up(item, error="no such address")
        (dead,) = knowledge.outbox.given_up("jill")
        assert (dead.notice, dead.error, dead.attempts) == (notice(), "no such address", 1)
        assert knowledge.outbox.given_up("jack") == []


class TestJournal:
    def test_events_are_kept_in_order(self, knowledge: Knowledge, clock: Clock):
        knowledge.journal.record("SentinelInstalled", "s1", {"by": "jill"})
        knowledge.journal.record("PageFailed", "p1")
        assert [event.name for event in knowledge.journal.events()] == ["PageFailed", "SentinelInstalled"]
        (event,) = knowledge.journal.events(subject="s1")
        assert (event.details, event.at) == ({"by": "jill"}, as_datetime(clock.now))
        assert len(knowledge.journal.events(limit=1)) == 1

    def test_facts_are_remembered_and_corrected(self, knowledge: Knowledge):
        assert knowledge.journal.fact("colour") is None
        knowledge.journal.remember("colour", "red")
        knowledge.journal.remember("colour", "blue")
        assert knowledge.journal.fact("colour") == "blue"

    def test_counts_tell_the_size(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel("s1"))
        _find_a_change(knowledge, clock)
        counts = knowledge.journal.counts()
        assert (counts.sentinels, counts.pages, counts.versions, counts.changes) == (1, 1, 2, 1)


def _find_a_change(knowledge: Knowledge, clock: Clock) -> None:
    """Runs two checks: the first brings a version, the second another version and a change with a notice."""
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], version=new_version(1, "one"))])
    clock.passes(seconds=60)
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2, notice())
    result = checked(claim, due, version=new_version(2, "two"), changes=(change,))
    assert knowledge.schedule.finish(claim, [result])


class TestLastFound:
    def test_the_newest_change_of_each_is_told(self, knowledge: Knowledge, clock: Clock):
        names = ("one", "two", "three")
        added = knowledge.sentinels.add(*(sentinel(name, f"http://{name}.test/") for name in names))
        for name, version in (("one", 1), ("two", 1), ("one", 2)):
            clock.passes(seconds=3600)
            knowledge.schedule.ask(added[names.index(name)].pages[0].id)
            for claim in claim_all(knowledge):
                for due in claim.pages:
                    found = [new_change(one.sentinel, version - 1, version) for one in due.watches]
                    wanted = tuple(found) if due.page.host == f"{name}.test" else ()
                    knowledge.schedule.finish(claim, [checked(claim, due, changes=wanted)])
        known = knowledge.changes.last_found([one.id for one in added])
        newest = {one.sentinel: one.found_at for one in reversed(knowledge.changes.all())}
        assert {one.name: known.get(one.id) for one in added} == {"three": None} | newest
        assert known[added[0].id] > known[added[1].id]
        assert knowledge.changes.last_found([added[1].id, 10**9]).keys() == {added[1].id}
        assert knowledge.changes.last_found([]) == {}
        newest = knowledge.changes.newest([one.id for one in added])
        assert {one: found.found_at for one, found in newest.items()} == known
        assert knowledge.changes.newest([]) == {}

    def test_all_that_are_wanted_are_marked(self, knowledge: Knowledge, clock: Clock):
        knowledge.users.add("jack")
        knowledge.sentinels.add(
            sentinel("one", "http://one.test/", topic="art"),
            sentinel("two", "http://two.test/"),
            sentinel("three", "http://three.test/", user="jack"),
        )
        for claim in claim_all(knowledge):
            for due in claim.pages:
                found = tuple(new_change(due.watches[0].sentinel, old, old + 1) for old in (1, 2))
                knowledge.schedule.finish(claim, [checked(claim, due, changes=found)])
        first = min(one.id for one in knowledge.changes.all("jill", sentinel="one"))
        wanted = WantedChanges(user="jill", seen=False, topic="art", before=first + 1, limit=1)
        assert [knowledge.changes.mark_all(wanted) for _ in range(2)] == [1, 0]
        assert [one.id for one in knowledge.changes.all() if one.seen] == [first]
        assert knowledge.changes.mark_all(WantedChanges(user="jill", seen=False, type="visual")) == 0
        assert (
            knowledge.changes.mark_all(WantedChanges(user="jill", seen=False, type="all links", limit=1)) == 3
        )
        assert {one.user for one in knowledge.changes.all() if not one.seen} == {"jack"}

    def test_any_number_is_asked_for_at_once(self, knowledge: Knowledge):
        assert knowledge.changes.last_found(range(1, 40_000)) == {}
        assert knowledge.journal.last_looks(range(1, 40_000)) == {}


class TestApproaches:
    APPROACH = Approach(
        steps=(Step("type", "css", "#ü", text='"x"'), Step("wait", seconds=3)),
        wait=Step("wait", "text", "Welcome"),
        through="office",
        agent="WebVigil",
        timeout=60,
    )

    def test_a_page_with_an_approach_of_its_own_is_a_page_of_its_own(self, knowledge: Knowledge):
        plain, led = Page(url="http://a.test/"), Page(url="http://a.test/", approach=self.APPROACH)
        other = replace(led, approach=replace(self.APPROACH, steps=self.APPROACH.steps[:1]))
        assert len({plain.key, led.key, other.key}) == 3
        knowledge.sentinels.add(
            replace(sentinel("s1"), pages=(plain, led)), replace(sentinel("s2"), pages=(led,))
        )
        found = {page.page for claim in claim_all(knowledge) for page in claim.pages}
        assert found == {plain, led}
        assert knowledge.versions.page(knowledge.versions.page_id(led)) == led

    def test_a_page_with_an_approach_of_its_own_is_not_shared_with_peers(self, knowledge: Knowledge):
        knowledge.sentinels.add(
            replace(sentinel("s1"), pages=(Page(url="http://a.test/", approach=self.APPROACH),))
        )
        knowledge.sentinels.add(sentinel("s2", "http://b.test/"))
        assert [one.page.url for one in knowledge.peers.shareable()] == ["http://b.test/"]

    def test_the_picture_of_a_failed_look_is_of_use_as_long_as_the_look_is_kept(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel())
        (claim,) = claim_all(knowledge)
        look = Look(why="due", decision="failed", error="step 1 failed", picture="abc123.picture")
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look)])
        assert knowledge.journal.fetch_log(claim.pages[0].id)[0]["picture"] == "abc123.picture"
        assert knowledge.histories.uses(["abc123", "abc124"]) == {"abc123": Use.KEPT}


def test_versions_with_a_picture_are_known_together(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1"))
    for number, picture in ((1, ""), (2, "p" * 32)):
        (claim,) = claim_all(knowledge)
        version = replace(new_version(number, str(number)), picture=picture)
        page = claim.pages[0]
        assert knowledge.schedule.finish(claim, [checked(claim, page, version=version)])
        clock.passes(seconds=120)
    asked = [(page.id, number) for number in (1, 2, 3)]
    assert knowledge.versions.pictured(asked) == {(page.id, 2)}
    assert knowledge.versions.pictured([]) == set()
