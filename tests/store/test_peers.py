"""Peers and their pages in every knowledge base (B4, B5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, new_version, remove_for_good, sentinel
from webvigil.errors import NotFound
from webvigil.model.contact import Preferences
from webvigil.model.page import Page
from webvigil.model.peer import Figures, Peer, Wanted
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge

PEER = Peer(
    key="K" * 43, url="http://b.test", state="known", added_at=5, heard_at=6, listed=True, reason="because"
)
OTHER = replace(PEER, key="L" * 43, url="http://a.test")
ONE, TWO, THREE = (f"{number:040x}" for number in (1, 2, 3))


class TestPeers:
    def test_a_peer_is_found_again_and_replaced(self, knowledge: Knowledge):
        assert knowledge.peers.get(PEER.key) is None
        knowledge.peers.put(PEER)
        knowledge.peers.put(OTHER)
        assert knowledge.peers.get(PEER.key) == PEER
        assert knowledge.peers.all() == [OTHER, PEER]
        changed = replace(PEER, state="distrusted", failures=3, rest_until=7, url="http://c.test")
        knowledge.peers.put(changed)
        assert knowledge.peers.get(PEER.key) == changed

    def test_a_peer_is_changed_from_what_it_is_by_then(self, knowledge: Knowledge):
        assert knowledge.peers.change(PEER.key, lambda one: one) is None
        knowledge.peers.put(PEER)
        knowledge.peers.count(PEER.key, got=2)
        changed = knowledge.peers.change(PEER.key, lambda one: replace(one, failures=one.failures + 1))
        assert changed == knowledge.peers.get(PEER.key)
        assert changed
        assert (changed.failures, changed.figures.got) == (1, 2)

    def test_figures_are_counted_and_not_overwritten(self, knowledge: Knowledge):
        knowledge.peers.put(PEER)
        knowledge.peers.count(PEER.key, asked=1, got=1)
        knowledge.peers.count(PEER.key, asked=1)
        knowledge.peers.put(PEER)
        found = knowledge.peers.get(PEER.key)
        assert found
        assert found.figures == Figures(asked=2, got=1)
        knowledge.peers.count("nobody", asked=1)

    def test_a_removed_peer_takes_its_pages_with_it(self, knowledge: Knowledge):
        knowledge.peers.put(PEER)
        knowledge.peers.announce(PEER.key, [Wanted(ONE, 1)])
        knowledge.peers.remove(PEER.key)
        assert knowledge.peers.wanting([ONE]) == knowledge.peers.announced(PEER.key) == {}
        with pytest.raises(NotFound):
            knowledge.peers.remove(PEER.key)

    def test_a_message_is_heard_once_as_long_as_it_counts(self, knowledge: Knowledge, clock: Clock):
        assert knowledge.peers.first_time("m", until=clock.now + 1000)
        assert not knowledge.peers.first_time("m", until=clock.now + 1000)
        assert knowledge.peers.first_time("n", until=clock.now + 1000)
        clock.passes(seconds=2)
        assert knowledge.peers.first_time("m", until=clock.now + 1000)


class TestAnnounced:
    def test_pages_are_added_changed_and_taken_back(self, knowledge: Knowledge):
        knowledge.peers.put(PEER)
        knowledge.peers.announce(PEER.key, [Wanted(ONE, 1), Wanted(TWO, 0)])
        knowledge.peers.announce(PEER.key, [Wanted(ONE, 5), Wanted(THREE, 2**40)], [TWO, "f" * 40])
        assert knowledge.peers.announced(PEER.key) == {ONE: 5, THREE: 2**40}
        assert knowledge.peers.how_many(PEER.key) == 2
        assert knowledge.peers.how_many("nobody") == 0
        knowledge.peers.forget_pages(PEER.key)
        assert knowledge.peers.announced(PEER.key) == {}
        knowledge.peers.announce("nobody", [Wanted(ONE, 1)])
        assert knowledge.peers.wanting([ONE]) == {}

    def test_only_those_who_are_known_count(self, knowledge: Knowledge):
        for one in (PEER, OTHER):
            knowledge.peers.put(one)
            knowledge.peers.announce(one.key, [Wanted(ONE, 1)])
        assert knowledge.peers.wanting([ONE, TWO]) == {ONE: [PEER.key, OTHER.key]}
        knowledge.peers.put(replace(PEER, state="distrusted"))
        assert knowledge.peers.wanting([ONE]) == {ONE: [OTHER.key]}

    def test_many_pages_at_once(self, knowledge: Knowledge):
        knowledge.peers.put(PEER)
        pages = [f"{number:040x}" for number in range(2_500)]
        knowledge.peers.announce(PEER.key, [Wanted(page, 1) for page in pages])
        assert len(knowledge.peers.wanting(pages)) == 2_500
        knowledge.peers.announce(PEER.key, [], pages[1:])
        assert knowledge.peers.announced(PEER.key) == {pages[0]: 1}


class TestSharedPages:
    def test_those_that_everybody_sees_alike(self, knowledge: Knowledge):
        open_page = Page(url="http://a.test/")
        for number, page in enumerate(
            [
                open_page,
                Page(url="http://a.test/form", method="POST", fields=(("q", "x"),)),
                Page(url="http://a.test/mine", login="1"),
                Page(url="http://a.test/rendered", render="browser"),
                Page(url="http://jill:secret@a.test/"),
                Page(url="http://b.test/?mail=jill@a.test"),
            ]
        ):
            knowledge.sentinels.add(replace(sentinel(f"s{number}"), pages=(page,)))
        assert [one.page.url for one in knowledge.peers.shareable()] == [
            "http://a.test/",
            "http://b.test/?mail=jill@a.test",
        ]
        shared = knowledge.peers.shared(open_page.key)
        assert shared
        assert (shared.page, shared.interval) == (open_page, MINUTE)
        assert knowledge.peers.shared(Page(url="http://a.test/mine", login="1").key) is None
        assert knowledge.peers.shared("0" * 40) is None

    def test_the_most_eager_interval_counts(self, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("slow", interval=5 * MINUTE), sentinel("on_change", interval=0))
        (page,) = knowledge.peers.shareable()
        assert page.interval == 5 * MINUTE
        knowledge.sentinels.add(sentinel("quick", interval=MINUTE))
        (page,) = knowledge.peers.shareable()
        assert page.interval == MINUTE
        for name in ("slow", "quick"):
            knowledge.sentinels.enable("jill", name, enabled=False)
        (page,) = knowledge.peers.shareable()
        assert page.interval == 0
        knowledge.sentinels.enable("jill", "on_change", enabled=False)
        assert knowledge.peers.shareable() == []

    def test_one_who_keeps_their_pages_keeps_them_for_all(self, knowledge: Knowledge):
        knowledge.users.add("jack")
        knowledge.sentinels.add(sentinel("hers"), sentinel("his", user="jack"))
        knowledge.contacts.prefer("jack", Preferences(share_pages=False))
        assert knowledge.peers.shareable() == []
        assert knowledge.peers.shared(Page(url="http://site.test/").key) is None
        remove_for_good(knowledge, "jack", "his")
        assert len(knowledge.peers.shareable()) == 1

    def test_a_page_as_it_was_last_seen(self, knowledge: Knowledge, clock: Clock):
        key = Page(url="http://site.test/").key
        knowledge.sentinels.add(sentinel())
        assert knowledge.peers.seen(key) is None
        (claim,) = claim_all(knowledge)
        result = checked(claim, claim.pages[0], version=new_version(1), validators={"etag": "x"})
        knowledge.schedule.finish(claim, [result])
        first = clock.now
        seen = knowledge.peers.seen(key)
        assert seen
        assert (seen.object, seen.signature, seen.seen_at) == ("x" * 20, "x", first)
        assert seen.facts == {"etag": "x"}
        clock.passes(seconds=61)
        (claim,) = claim_all(knowledge)
        look = Look(why="due", decision="failed", error="no")
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], look=look)])
        seen = knowledge.peers.seen(key)
        assert seen
        assert seen.seen_at == first
        knowledge.contacts.prefer("jill", Preferences(share_pages=False))
        assert knowledge.peers.seen(key) is None


class TestLookBy:
    def test_a_page_is_looked_at_sooner_and_its_sentinels_at_their_own_times(
        self, knowledge: Knowledge, clock: Clock
    ):
        knowledge.sentinels.add(sentinel(interval=60 * MINUTE))
        (claim,) = claim_all(knowledge)
        page = claim.pages[0].id
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], due=claim.now + 60 * MINUTE)])
        knowledge.schedule.look_by(page, clock.now + MINUTE, "a peer wants it")
        knowledge.schedule.look_by(page, clock.now + 2 * MINUTE, "later")
        clock.passes(seconds=59)
        assert claim_all(knowledge) == []
        clock.passes(seconds=1)
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        assert due.wish == "a peer wants it"
        assert due.watches[0].next_at > clock.now

    def test_a_page_that_nobody_watches_stays_at_rest(self, knowledge: Knowledge, clock: Clock):
        knowledge.sentinels.add(sentinel())
        (claim,) = claim_all(knowledge)
        page = claim.pages[0].id
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0])])
        knowledge.sentinels.enable("jill", "s1", enabled=False)
        knowledge.schedule.look_by(page, clock.now, "a peer wants it")
        knowledge.schedule.look_by(12345, clock.now, "a peer wants it")
        clock.passes(seconds=120)
        assert claim_all(knowledge) == []
