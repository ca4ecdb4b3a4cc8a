"""When a trouble of a watch begins and ends, and when a page that fails is told."""

from __future__ import annotations

import pytest

from webvigil.model.moment import HOUR
from webvigil.model.page import Page
from webvigil.model.trouble import FINE, UNSEEN, Trouble, Why
from webvigil.model.work import DuePage, Watch
from webvigil.rules.trouble import Turn, after_failure, after_look, latest_telling

NOON = 1_800_000_000_000
PAGE = Page(url="http://site.test/")
FAILING, NOTHING, BROKEN = Trouble(Why.FAILING), Trouble(Why.NOTHING), Trouble(Why.BROKEN)


def watched(*, interval: int = 0, level: int = 0, trouble: Trouble = FINE) -> Watch:
    return Watch(
        sentinel=1,
        user="jill",
        name="s",
        text="",
        interval=interval,
        next_at=0,
        reference=1,
        level=level,
        trouble=trouble,
    )


@pytest.mark.parametrize(
    ("before", "now", "begins", "ends"),
    [
        (FINE, FINE, False, False),
        (UNSEEN, FINE, False, False),
        (FINE, FAILING, True, False),
        (FAILING, FAILING, False, False),
        (FAILING, FINE, False, True),
        (FAILING, NOTHING, True, True),
        (NOTHING, FAILING, True, False),
        (NOTHING, BROKEN, True, False),
        (NOTHING, FINE, False, True),
    ],
)
def test_a_turn_begins_or_ends_a_trouble(before: Trouble, now: Trouble, begins: bool, ends: bool):
    """A failing page that answers again ends its trouble, even if something else is wrong with it now."""
    turn = Turn(watched(trouble=before), now)
    assert (turn.begins, turn.ends) == (begins, ends)


@pytest.mark.parametrize(
    ("interval", "hours"),
    [(0, 1), (HOUR // 2, 1.5), (4 * HOUR, 5), (5 * HOUR, 6), (5 * HOUR + 1, 6), (24 * HOUR, 6)],
)
def test_a_failing_page_is_told_an_hour_after_the_next_look_or_six_hours_later(interval: int, hours: float):
    assert latest_telling(watched(interval=interval), NOON) == NOON + hours * HOUR


@pytest.mark.parametrize(
    ("failures", "next_try", "told"),
    [(1, 2 * HOUR, False), (1, 2 * HOUR + 1, True), (2, HOUR, False), (3, HOUR, True), (4, HOUR, True)],
)
def test_the_third_failure_is_told_and_one_whose_next_try_would_come_too_late(
    failures: int, next_try: int, told: bool
):
    watch = watched(interval=HOUR)
    due = DuePage.unscheduled(PAGE, (watch,))
    turns = after_failure(due, failures=failures, since=NOON, next_try=NOON + next_try, reason="no answer")
    assert turns == ((Turn(watch, Trouble(Why.FAILING, "no answer")),) if told else ())


def test_a_failure_is_told_of_no_linked_page_and_to_nobody_twice():
    due = DuePage.unscheduled(PAGE, (watched(level=1), watched(trouble=FAILING), watched(trouble=NOTHING)))
    (turn,) = after_failure(due, failures=3, since=NOON, next_try=NOON, reason="no answer")
    assert turn.watch.trouble == NOTHING


@pytest.mark.parametrize(
    ("before", "seen", "after"),
    [
        (FINE, None, None),
        (FINE, FINE, None),
        (FINE, NOTHING, NOTHING),
        (NOTHING, None, None),
        (NOTHING, FINE, FINE),
        (FAILING, None, UNSEEN),
        (FAILING, FINE, FINE),
        (FAILING, BROKEN, BROKEN),
    ],
)
def test_a_look_shows_a_trouble_or_its_end(before: Trouble, seen: Trouble | None, after: Trouble | None):
    """A page that answers again ends its trouble, also for a sentinel that did not look this time."""
    watch = watched(trouble=before)
    due = DuePage.unscheduled(PAGE, (watch,))
    judged = {1: seen} if seen is not None else {}
    for changed in frozenset[int](), frozenset({1}):
        expected = (Turn(watch, after, bool(changed)),) if after is not None else ()
        assert after_look(due, judged, changed) == expected
    linked = DuePage.unscheduled(PAGE, (watched(trouble=before, level=1),))
    assert after_look(linked, judged, frozenset()) == ()
