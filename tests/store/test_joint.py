"""A sentinel on several pages fires when enough of its pages have changed since it last fired (G5)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, new_change, notice, remove_for_good, sentinel
from webvigil.model.joint import Joint, is_complete, joint_as_json, pages_in, unless_any_will_do
from webvigil.model.page import Page
from webvigil.model.work import Claim
from webvigil.store.promises import Knowledge

A, B, C = (f"http://{name}.test/" for name in "abc")
PAGES = {url: Page(url=url) for url in (A, B, C)}
BOTH = Joint("AND", (PAGES[A], PAGES[B]))
A_AND_ANY = Joint("AND", (PAGES[A], Joint("OR", (PAGES[B], PAGES[C]))))


class Pages:
    """Lets pages change, one check after the other, and counts what is told."""

    def __init__(self, knowledge: Knowledge, clock: Clock) -> None:
        self.knowledge = knowledge
        self.clock = clock
        self.numbers = count(1)

    def change(self, *urls: str) -> None:
        """Looks at every page once, each in its own check; the given pages have changed."""
        self.clock.passes(seconds=61)
        for claim in claim_all(self.knowledge):
            self.finish(claim, urls)

    def finish(self, claim: Claim, urls: tuple[str, ...]) -> None:
        (page,) = claim.pages
        number = next(self.numbers)
        changes = tuple(
            new_change(watch.sentinel, number, number + 1, notice(f"n{number}")) for watch in page.watches
        )
        changed = page.page.url in urls
        assert self.knowledge.schedule.finish(
            claim, [checked(claim, page, changes=changes if changed else ())]
        )

    def told(self) -> list[str]:
        """Returns the pages of all recorded changes, oldest first."""
        return [change.url for change in reversed(self.knowledge.changes.all())]

    def notices(self) -> int:
        return self.knowledge.journal.counts().pending_notices


@pytest.fixture
def pages(knowledge: Knowledge, clock: Clock) -> Pages:
    return Pages(knowledge, clock)


def test_both_pages_must_have_changed_and_both_are_told(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH))
    pages.change(A)
    assert (pages.told(), pages.notices()) == ([], 0)
    pages.change(B)
    assert (pages.told(), pages.notices()) == ([A, B], 2)


def test_after_firing_it_waits_for_both_again(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH))
    pages.change(A)
    pages.change(B)
    pages.change(B)
    assert len(pages.told()) == 2
    pages.change(A)
    assert pages.told() == [A, B, B, A]


def test_a_page_that_changes_often_is_held_once(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH))
    for _ in range(3):
        pages.change(A)
    pages.change(B)
    assert (pages.told(), pages.notices()) == ([A, B], 2)


def test_parts_of_an_expression_are_joined_as_written(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, C, joint=A_AND_ANY))
    pages.change(B)
    pages.change(C)
    assert pages.told() == []
    pages.change(A)
    assert sorted(pages.told()) == [A, B, C]


def test_others_on_the_same_page_wait_for_nobody(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH), sentinel("t", A))
    pages.change(A)
    assert [change.sentinel for change in pages.knowledge.changes.all()] == ["t"]


def test_a_removed_sentinel_takes_what_it_held_with_it(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH), sentinel("t", B, interval=MINUTE))
    pages.change(A)
    remove_for_good(pages.knowledge, "jill", "s")
    pages.change(B)
    assert pages.told() == [B]


def test_of_two_who_come_at_the_same_time_one_fires(pages: Pages):
    pages.knowledge.sentinels.add(sentinel("s", A, B, joint=BOTH))
    for turn in range(1, 6):
        pages.clock.passes(seconds=61)
        claims = claim_all(pages.knowledge)
        with ThreadPoolExecutor(2) as both:
            list(both.map(lambda claim: pages.finish(claim, (A, B)), claims))
        assert len(pages.told()) == 2 * turn
        assert pages.notices() == 2 * turn


def test_what_values_are_measured_from_and_the_taste_of_the_user_come_with_the_claim(
    knowledge: Knowledge, clock: Clock
):
    knowledge.users.prefer("jill", '{"interests": ["merger"]}')
    knowledge.sentinels.add(sentinel("s"))
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    assert (page.watches[0].measured_from, page.watches[0].taste) == (0, '{"interests": ["merger"]}')
    assert knowledge.users.get("jill").taste == '{"interests": ["merger"]}'
    update = checked(claim, page).watches[0]
    moved = type(update)(sentinel=update.sentinel, reference=5, measured_from=3, next_at=clock.now)
    knowledge.schedule.finish(claim, [checked(claim, page, watches=(moved,), due=clock.now)])
    clock.passes(seconds=2)
    (again,) = claim_all(knowledge)
    (watch,) = again.pages[0].watches
    assert (watch.reference, watch.measured_from) == (5, 3)


joints = st.recursive(
    st.sampled_from(list(PAGES.values())),
    lambda inner: st.builds(
        Joint, st.sampled_from(("AND", "OR")), st.lists(inner, min_size=2, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


def test_where_any_page_will_do_nothing_is_held_back():
    a, b, c = PAGES.values()
    assert unless_any_will_do(a) is None
    assert unless_any_will_do(Joint("OR", (a, Joint("OR", (b, c))))) is None
    assert unless_any_will_do(Joint("AND", (a, a))) is None
    for held in (Joint("AND", (a, b)), Joint("OR", (a, Joint("AND", (b, c))))):
        assert unless_any_will_do(held) == held


@given(joints, st.sets(st.sampled_from([A, B, C])))
def test_a_joint_is_complete_as_its_expression_is_true(joint: Page | Joint, changed: set[str]):
    numbers = {A: 1, B: 2, C: 3}

    def true(one: Page | Joint) -> bool:
        if isinstance(one, Page):
            return one.url in changed
        return (all if one.operator == "AND" else any)(map(true, one.pages))

    waits = unless_any_will_do(joint)
    if waits is None:
        assert true(joint) == any(page.url in changed for page in pages_in(joint))
    else:
        plain = joint_as_json(waits, lambda page: numbers[page.url])
        assert is_complete(plain, {numbers[url] for url in changed}) == true(joint)
