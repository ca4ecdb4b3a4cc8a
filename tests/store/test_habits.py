"""A claim says whether a page has habits that are worth asking for, in every store (Q3)."""

from __future__ import annotations

from tests.store.conftest import Clock
from tests.store.making import MINUTE, checked, claim_all, sentinel
from webvigil.model.quiet import Habits, PageHabits
from webvigil.model.work import DuePage
from webvigil.store.promises import Knowledge


def look(knowledge: Knowledge, clock: Clock, habits: dict[str, Habits]) -> DuePage:
    """Looks at the page when it is due, and returns what the claim told of it."""
    clock.now += 2 * MINUTE
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    assert knowledge.schedule.finish(claim, [checked(claim, page, habits=habits)])
    return page


def test_a_page_that_taught_nothing_has_no_habits_to_ask_for(knowledge: Knowledge, clock: Clock):
    knowledge.sentinels.add(sentinel("s1", "http://site.test/a"))
    for looks in range(3):
        clock.now += 2 * MINUTE
        (claim,) = claim_all(knowledge)
        (page,) = claim.pages
        assert (page.checks, page.has_habits) == (looks, False)
        assert knowledge.habits.of(page.id) == PageHabits(looks=page.checks)
        assert knowledge.schedule.finish(claim, [checked(claim, page)])


def test_habits_are_asked_for_from_the_look_that_taught_some_until_they_are_forgotten(
    knowledge: Knowledge, clock: Clock
):
    knowledge.sentinels.add(sentinel("s1", "http://site.test/a"))
    assert not look(knowledge, clock, {"": Habits(compared=2)}).has_habits
    page = look(knowledge, clock, {})
    assert (page.checks, page.has_habits) == (1, True)
    assert knowledge.habits.of(page.id) == PageHabits(looks=2, parts={"": Habits(compared=2)})
    knowledge.habits.forget(page.id)
    assert not look(knowledge, clock, {}).has_habits
