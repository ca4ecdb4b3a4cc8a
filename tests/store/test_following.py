"""Sentinels with a depth watch the pages that the newest versions of their pages link to (B7)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.databases import migrated_sqlite
from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, new_change, new_version, remove_for_good, sentinel
from tests.store.test_migrations import FIRST_REVISION
from webvigil.model.following import Lead, Limits, PageLinks, Reach
from webvigil.model.joint import Joint
from webvigil.model.page import Page
from webvigil.model.work import Claim, DuePage
from webvigil.store.migrate import bring_up_to_date
from webvigil.store.promises import Knowledge
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge

ROOT = "http://site.test/"
DAY = 86_400_000
LIMITS = Limits(most=100, patience=DAY)
ONE, TWO = Reach(depth=1), Reach(depth=2)


class Site:
    """A site whose pages report the links in `links` at every look."""

    def __init__(self, knowledge: Knowledge, clock: Clock) -> None:
        self.knowledge = knowledge
        self.clock = clock
        self.links: dict[str, list[str]] = {}
        self.numbers: dict[int, int] = {}
        self.limits = LIMITS

    def looks(self, turns: int = 1) -> None:
        """Looks at all due pages, and then lets the sentinels follow their links."""
        for _ in range(turns):
            for claim in claim_all(self.knowledge, hosts=1000, pages=1000):
                self.knowledge.schedule.finish(claim, [self._look(claim, page) for page in claim.pages])
            self.follow()
            self.clock.passes(seconds=61)

    def follow(self) -> None:
        for _ in range(5):
            if not self.knowledge.sentinels.follow(self.limits):
                return
        raise AssertionError("it is never settled what they watch")

    def _look(self, claim: Claim, page: DuePage, **more: object):
        wanted = {watch.follows for watch in page.watches if watch.follows is not None}
        number = self.numbers[page.id] = self.numbers.get(page.id, 0) + 1
        found = tuple(self.read(page, part, number) for part in sorted(wanted))
        return checked(claim, page, version=new_version(number), links=found, **more)

    def read(self, page: DuePage, part: str, number: int) -> PageLinks:
        leads = tuple(_lead(page.page, url) for url in self.links.get(page.page.url, []))
        return PageLinks(part=part, version=number, leads=leads)

    def linked(self, name: str = "s1") -> dict[str, int]:
        return {page.url: page.level for page in self.knowledge.sentinels.linked("jill", name)}

    def names(self, name: str = "s1") -> list[str]:
        return sorted(url.removeprefix(ROOT) for url in self.linked(name))


def _lead(page: Page, url: str) -> Lead:
    child = Page(url=url)
    return Lead(child, near=child.host == page.host)


def urls(names: Iterable[str]) -> list[str]:
    return [f"{ROOT}{name}" for name in names]


@pytest.fixture
def site(knowledge: Knowledge, clock: Clock) -> Site:
    return Site(knowledge, clock)


def test_without_a_depth_no_link_is_followed(site: Site):
    site.knowledge.sentinels.add(sentinel())
    site.links[ROOT] = urls("ab")
    site.looks(2)
    assert site.linked() == {}


def test_depth_one_watches_the_pages_that_are_linked_to(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.links[f"{ROOT}a"] = urls("x")
    site.looks(3)
    assert site.linked() == {f"{ROOT}a": 1, f"{ROOT}b": 1}
    found = site.knowledge.sentinels.get("jill", "s1")
    assert [page.url for page in found.pages] == [ROOT]
    assert (found.linked, found.full) == (2, False)
    assert {page.via for page in site.knowledge.sentinels.linked("jill", "s1")} == {ROOT}


def test_depth_two_watches_grandchildren_at_the_domain_of_the_child(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = ["http://other.test/"]
    site.links["http://other.test/"] = ["http://other.test/near", "http://far.test/"]
    site.links["http://other.test/near"] = ["http://other.test/too-far"]
    site.looks(4)
    assert site.linked() == {"http://other.test/": 1, "http://other.test/near": 2}


def test_linked_pages_are_ordinary_pages_with_versions_and_changes_of_their_own(site: Site):
    (found,) = site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("a")
    site.looks(2)
    (child,) = site.knowledge.sentinels.linked("jill", "s1")
    assert (child.latest, child.checks) == (1, 1)
    claims = claim_all(site.knowledge)
    page = next(page for claim in claims for page in claim.pages if page.id == child.id)
    assert [(watch.level, watch.follows, watch.interval) for watch in page.watches] == [(1, None, MINUTE)]
    change = new_change(found.id, 1, 2)
    site.knowledge.schedule.finish(claims[0], [checked(claims[0], page, changes=(change,))])
    assert [one.url for one in site.knowledge.changes.all("jill")] == [f"{ROOT}a"]


def test_a_page_that_is_linked_to_and_watched_by_somebody_else_is_one_page(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE), sentinel("other", f"{ROOT}a"))
    site.links[ROOT] = urls("a")
    site.looks(2)
    assert len(site.knowledge.sentinels.pages("jill")) == 2
    remove_for_good(site.knowledge, "jill", "s1")
    assert [page.url for page in site.knowledge.sentinels.pages("jill")] == [f"{ROOT}a"]
    site.looks(1)
    assert site.knowledge.sentinels.get("jill", "other").pages[0].due


def test_new_links_are_followed_and_vanished_ones_let_go_when_they_are_gone_for_good(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    site.links[ROOT] = urls("bc")
    site.looks(1)
    assert site.names() == ["a", "b", "c"], "a may come back"
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.names() == ["b", "c"]
    a = site.knowledge.versions.page_id(Page(url=f"{ROOT}a"))
    assert site.knowledge.versions.of(a), "its history is kept"


def test_a_vanished_link_is_waited_for_also_while_others_come_and_go(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    for names, watched in (("bc", "abc"), ("bcd", "abcd"), ("bd", "abcd")):
        site.links[ROOT] = urls(names)
        site.looks(1)
        assert site.names() == [*watched], "what has vanished may come back"
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.names() == ["b", "d"]
    site.links[ROOT] = urls("abd")
    site.looks(1)
    assert site.names() == ["a", "b", "d"]


def test_a_link_is_gone_for_good_after_a_day_also_where_the_clock_was_set_back(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    site.links[ROOT] = urls("b")
    site.looks(1)
    site.clock.passes(seconds=-30 * 86_400)
    site.knowledge.clock.set_right()
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.names() == ["b"]


def test_a_link_that_comes_back_in_time_was_never_gone(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    site.links[ROOT] = urls("b")
    site.looks(1)
    site.links[ROOT] = urls("ab")
    site.looks(1)
    site.clock.passes(seconds=2 * 86_400)
    site.looks(1)
    assert site.names() == ["a", "b"]
    assert site.linked()[f"{ROOT}a"] == 1


def test_what_was_found_on_a_page_that_is_let_go_stays(site: Site):
    (found,) = site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("a")
    site.looks(1)
    (claim,) = claim_all(site.knowledge)
    child = next(page for page in claim.pages if page.page.url == f"{ROOT}a")
    site.knowledge.schedule.finish(claim, [checked(claim, child, changes=(new_change(found.id, 1, 2),))])
    site.links[ROOT] = []
    site.clock.passes(seconds=61)
    site.looks(1)
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.names() == []
    assert [one.url for one in site.knowledge.changes.all("jill")] == [f"{ROOT}a"]


def test_no_more_than_the_bound_are_watched_and_it_is_told(site: Site):
    site.limits = Limits(most=3, patience=DAY)
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("abcdef")
    site.looks(2)
    assert site.names() == ["a", "b", "c"]
    found = site.knowledge.sentinels.get("jill", "s1")
    assert (found.linked, found.full) == (3, True)


def test_linked_pages_that_are_watched_keep_their_places(site: Site):
    site.limits = Limits(most=3, patience=DAY)
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("abc")
    site.looks(2)
    site.links[ROOT] = urls("xyzabc")
    site.looks(1)
    assert site.names() == ["a", "b", "c"]


def test_a_page_with_other_links_at_every_look_leads_to_no_more_than_the_bound(site: Site):
    site.limits = Limits(most=5, patience=DAY)
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    for turn in range(6):
        site.links[ROOT] = [f"{ROOT}{turn}/{number}" for number in range(20)]
        site.looks(1)
    assert len(site.linked()) == 5
    assert len(site.knowledge.sentinels.pages("jill", limit=1000)) == 6


def test_when_a_child_is_let_go_so_are_its_children(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = urls("a")
    site.links[f"{ROOT}a"] = urls("xy")
    site.looks(3)
    assert site.names() == ["a", "x", "y"]
    site.links[ROOT] = []
    site.looks(1)
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.names() == []


def test_a_grandchild_that_is_linked_to_by_the_page_itself_is_a_child(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = urls("a")
    site.links[f"{ROOT}a"] = urls("x")
    site.looks(3)
    assert site.linked() == {f"{ROOT}a": 1, f"{ROOT}x": 2}
    site.links[ROOT] = urls("ax")
    site.looks(2)
    assert site.linked() == {f"{ROOT}a": 1, f"{ROOT}x": 1}
    site.links[ROOT] = urls("a")
    site.looks(1)
    site.clock.passes(seconds=86_400)
    site.looks(1)
    assert site.linked() == {f"{ROOT}a": 1, f"{ROOT}x": 2}


def test_a_page_is_not_its_own_child(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = urls(["", "a"])
    site.links[f"{ROOT}a"] = urls(["", "a", "b"])
    site.looks(3)
    assert site.linked() == {f"{ROOT}a": 1, f"{ROOT}b": 2}


def test_who_comes_later_follows_links_that_are_known(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = urls("a")
    site.links[f"{ROOT}a"] = urls("x")
    site.looks(3)
    site.knowledge.sentinels.add(sentinel("s2", reach=TWO), sentinel("s3", reach=ONE))
    site.follow()
    assert (site.names("s2"), site.names("s3")) == (["a", "x"], ["a"])


def test_links_in_a_part_are_followed_by_those_who_watch_that_part(site: Site):
    site.knowledge.sentinels.add(
        sentinel(reach=ONE), sentinel("s2", reach=Reach(depth=2, part="p", below="q"))
    )
    parts = {("", ROOT): urls("ab"), ("p", ROOT): urls("b"), ("q", f"{ROOT}b"): urls("z")}

    def read(page: DuePage, part: str, number: int) -> PageLinks:
        found = parts.get((part, page.page.url), [])
        return PageLinks(part=part, version=number, leads=tuple(_lead(page.page, url) for url in found))

    site.read = read  # type: ignore[method-assign]
    site.looks(3)
    assert (site.names(), site.names("s2")) == (["a", "b"], ["b", "z"])


def test_the_claim_says_from_which_version_the_links_were_read(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    (claim,) = claim_all(site.knowledge)
    assert (claim.pages[0].watches[0].follows, claim.pages[0].links) == ("", {})
    site.clock.passes(seconds=61)
    site.looks(1)
    (claim,) = claim_all(site.knowledge)
    (page,) = (page for page in claim.pages if page.page.url == ROOT)
    assert page.links == {"": 1}


def test_removing_the_sentinel_lets_go_of_all(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=TWO))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    remove_for_good(site.knowledge, "jill", "s1")
    assert site.knowledge.sentinels.pages("jill") == []
    assert site.knowledge.schedule.next_at() is None
    site.follow()


def test_another_depth_takes_effect_at_once(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.links[f"{ROOT}a"] = urls("x")
    site.looks(2)
    site.knowledge.sentinels.replace(sentinel(reach=TWO))
    assert site.knowledge.schedule.next_at() == 0, "the pages are looked at for their links"
    site.looks(2)
    assert site.names() == ["a", "b", "x"]
    site.knowledge.sentinels.replace(sentinel())
    site.follow()
    assert site.names() == []
    assert site.knowledge.sentinels.get("jill", "s1").linked == 0
    assert [page.url for page in site.knowledge.sentinels.pages("jill")] == [ROOT]


def test_a_linked_page_that_is_named_now_keeps_its_version(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(3)
    (a, b) = site.knowledge.sentinels.linked("jill", "s1")
    site.knowledge.sentinels.replace(sentinel("s1", ROOT, a.url, reach=ONE))
    site.follow()
    found = site.knowledge.sentinels.get("jill", "s1")
    assert [page.url for page in found.pages] == [ROOT, a.url]
    assert [page.url for page in site.knowledge.sentinels.linked("jill", "s1")] == [b.url]
    (watch,) = site.knowledge.sentinels.watching(a.id)
    assert watch.level == 0


def test_leaving_a_page_leaves_what_it_links_to(site: Site):
    other = "http://other.test/"
    site.knowledge.sentinels.add(sentinel("s1", ROOT, other, reach=ONE))
    site.links[ROOT], site.links[other] = urls("a"), [f"{other}o"]
    site.looks(2)
    site.knowledge.sentinels.replace(sentinel("s1", other, reach=ONE))
    site.follow()
    assert site.linked() == {f"{other}o": 1}


def test_pages_take_turns_for_the_places(site: Site):
    other = "http://other.test/"
    site.limits = Limits(most=4, patience=DAY)
    site.links[ROOT] = urls("abcdef")
    site.links[other] = [f"{other}{name}" for name in "abcdef"]
    site.knowledge.sentinels.add(sentinel("s1", ROOT, other, reach=ONE))
    site.looks(2)
    assert sorted(site.linked()) == [f"{other}a", f"{other}b", f"{ROOT}a", f"{ROOT}b"]


def test_a_change_of_a_linked_page_counts_for_the_page_that_led_to_it(site: Site):
    """`Using A AND B Depth 1`: both pages must have changed, and a change of a linked page counts for its
    page (G5)."""
    other = "http://other.test/"
    both = Joint("AND", (Page(url=ROOT), Page(url=other)))
    (found,) = site.knowledge.sentinels.add(sentinel("s1", ROOT, other, reach=ONE, joint=both))
    site.links[ROOT] = urls("ab")
    site.looks(2)
    told = []
    for url in (f"{ROOT}a", f"{ROOT}b", other):
        for claim in claim_all(site.knowledge, hosts=10):
            page = next((page for page in claim.pages if page.page.url == url), None)
            results = [checked(claim, page, changes=(new_change(found.id, 1, 2),))] if page else []
            site.knowledge.schedule.finish(claim, results)
        site.clock.passes(seconds=61)
        told.append(len(site.knowledge.changes.all("jill")))
    assert told == [0, 0, 3]


def test_a_page_seen_by_a_log_in_is_followed_from_there(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("a")
    site.looks(2)
    root = site.knowledge.versions.page_id(Page(url=ROOT))
    site.knowledge.sentinels.rewatch("jill", {root: Page(url=ROOT, login="7")})
    site.follow()
    assert site.linked() == {}, "what everybody sees leads nowhere now"
    site.looks(1)
    assert site.names() == ["a"]


def test_a_thousand_sentinels_with_one_depth_share_the_pages(site: Site):
    site.links[ROOT] = urls("abcde")
    site.knowledge.sentinels.add(*(sentinel(f"s{number}", reach=ONE) for number in range(300)))
    for claim in claim_all(site.knowledge):
        site.knowledge.schedule.finish(claim, [site._look(claim, page) for page in claim.pages])
    assert [site.knowledge.sentinels.follow(LIMITS, most=200) for _ in range(2)] == [200, 100]
    while site.knowledge.sentinels.follow(LIMITS):
        pass
    assert len(site.knowledge.sentinels.pages("jill", limit=1000)) == 6
    assert all(one.linked == 5 for one in site.knowledge.sentinels.all("jill"))
    site.clock.passes(seconds=1)
    pages = [page for claim in claim_all(site.knowledge) for page in claim.pages]
    assert sorted(len(page.watches) for page in pages) == [300] * 5


def test_what_was_followed_once_is_not_looked_into_again(site: Site):
    site.knowledge.sentinels.add(sentinel(reach=ONE))
    site.links[ROOT] = urls("ab")
    site.looks(3)
    assert site.knowledge.sentinels.follow(LIMITS) == 0


def test_killed_between_a_version_and_following_its_links_nothing_is_lost(tmp_path: Path, clock: Clock):
    url = migrated_sqlite(tmp_path / "webvigil.sqlite3")
    before = SqlKnowledge(url, delay=1_000, clock=clock)
    before.users.add("jill")
    before.sentinels.add(sentinel(reach=ONE))
    (claim,) = claim_all(before)
    site = Site(before, clock)
    site.links[ROOT] = urls("ab")
    before.schedule.finish(claim, [site._look(claim, page) for page in claim.pages])
    before.close()
    after = SqlKnowledge(url, delay=1_000, clock=clock)
    site = Site(after, clock)
    site.follow()
    assert site.names() == ["a", "b"]
    assert after.sentinels.follow(LIMITS) == 0
    after.close()


def test_a_sentinel_that_said_how_deep_before_links_were_followed_follows_them(tmp_path: Path, clock: Clock):
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    database = Database(url)
    bring_up_to_date(database, "webvigil_0001")
    with database.write() as connection:
        for statement in FIRST_REVISION:
            connection.execute(text(statement))
        deep = "Create Sentinel active Using http://a.test/\nDepth 2\n"
        connection.execute(text("UPDATE sentinel SET text = :deep WHERE id = 1"), {"deep": deep})
    database.close()
    knowledge = SqlKnowledge(url, clock=clock)
    page = knowledge.sentinels.get("jill", "active").pages[0]
    assert [watch.follows for watch in knowledge.sentinels.watching(page.id)] == [""]
    knowledge.close()


def test_the_wait_until_links_are_followed_never_lies_in_the_past(knowledge: Knowledge, clock: Clock):
    site = Site(knowledge, clock)
    assert knowledge.sentinels.follow_at() is None
    knowledge.sentinels.add(sentinel("s1", ROOT, reach=ONE))
    site.links[ROOT] = [f"{ROOT}a"]
    (claim,) = claim_all(knowledge)
    knowledge.schedule.finish(claim, [site._look(claim, page) for page in claim.pages])
    assert knowledge.sentinels.follow_at() == 0
    clock.passes(seconds=61)
    assert knowledge.sentinels.follow_at() == 0
    site.follow()
    assert knowledge.sentinels.follow_at() is None
