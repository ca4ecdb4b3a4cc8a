"""A sentinel learns as if nobody else watched its page, however often others look and at whatever (Q3)."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.worker.conftest import Watching
from tests.site import Site
from tests.store.conftest import Clock
from webvigil.app.sentinels.quiet import left_places
from webvigil.store.memory import MemoryKnowledge

COUNTER = (
    "<h1>Shop</h1><p>Brands: <b>{}</b></p><ul><li>Lamp</li><li>Rope</li></ul><p>The lamp costs 12 crowns.</p>"
)
OTHERS = {
    "another part": 'Monitor any change Within css "ul" Fetch 10 minute',
    "another kind": "Monitor all links Fetch 10 minute",
    "told everything": "Monitor any change Quiet off Fetch 10 minute",
    "a value": 'Monitor value css "b" Fetch 10 minute',
    "on change": 'Monitor any change Within css "ul" Fetch on change',
    "two of them": (
        "Monitor all images Fetch 20 minute\n"
        'Create Sentinel more Using {url} Monitor any change Within css "ul" Fetch 10 minute'
    ),
}


def watched(site: Site, watching: Watching, others: str = ""):
    page = site.page("/shop", COUNTER.format(1000))
    beside = f"Create Sentinel other Using {page.url} {others.format(url=page.url)}" if others else ""
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour\n{beside}")
    return page


def told(watching: Watching) -> list[datetime]:
    """Returns when the sentinel was told."""
    return [one.found_at for one in reversed(watching.knowledge.changes.all(sentinel="s"))]


def ten_minutes_pass(watching: Watching, page, texts: list[str]) -> None:
    for text in texts:
        page.becomes(COUNTER.format(text))
        watching.looks(after=600)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("others", OTHERS.values(), ids=OTHERS)
def test_a_counter_beside_one_who_looks_more_often_is_told_as_if_alone(
    site: Site, watching: Watching, others: str
):
    page = watched(site, watching, others)
    ten_minutes_pass(watching, page, [str(1000 + n) for n in range(36)])
    assert len(told(watching)) == 2
    (left,) = left_places(watching.knowledge.habits, watching.knowledge.sentinels.get("jill", "s"))
    assert "Brands" in left.says


def test_what_came_at_the_look_of_another_is_learnt_at_the_next_own_look(site: Site, watching: Watching):
    """The counter ticks once an hour, and the look of the other sentinel always sees it first."""
    page = watched(site, watching, OTHERS["another part"])
    ten_minutes_pass(watching, page, [str(1000 + (n + 3) // 6) for n in range(36)])
    assert len(told(watching)) == 2


def test_a_number_that_moves_at_every_fourth_own_look_is_told_each_time(site: Site, watching: Watching):
    page = watched(site, watching, OTHERS["another part"])
    ten_minutes_pass(watching, page, [str(1000 + n // 24) for n in range(1, 24 * 5)])
    assert len(told(watching)) == 4


def test_a_place_that_rests_is_told_again_after_own_looks(site: Site, watching: Watching):
    page = watched(site, watching, OTHERS["another part"])
    ten_minutes_pass(watching, page, [str(1000 + n) for n in range(36)])
    ten_minutes_pass(watching, page, ["2000"] * 6 * 22)
    before = len(told(watching))
    ten_minutes_pass(watching, page, ["3000"] * 6)
    assert len(told(watching)) == before + 1


def test_one_who_looks_at_many_times_shares_what_was_learnt(site: Site, watching: Watching):
    page = watched(site, watching, "Monitor any change Fetch 10 minute")
    ten_minutes_pass(watching, page, [str(1000 + n) for n in range(36)])
    assert len(told(watching)) <= 2


def test_another_kind_begins_with_what_is_known_of_any_change(site: Site, watching: Watching):
    page = watched(site, watching)
    ten_minutes_pass(watching, page, [str(1000 + n) for n in range(36)])
    watching.installs(f"Create Sentinel words Using {page.url} Monitor all words Fetch 1 hour")
    ten_minutes_pass(watching, page, [str(2000 + n) for n in range(36)])
    assert watching.knowledge.changes.all(sentinel="words") == []


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["10", "11", "12", "sold out"]), min_size=12, max_size=48),
    st.sampled_from(list(OTHERS.values())[:4]),
)
def test_a_sentinel_is_told_at_the_same_looks_as_alone(site: Site, texts: list[str], others: str):
    found = []
    for beside in ("", others):
        clock = Clock()
        watching = Watching(MemoryKnowledge(delay=0, clock=clock), clock)
        ten_minutes_pass(watching, watched(site, watching, beside), texts)
        found.append(told(watching))
        watching.close()
    assert found[0] == found[1]


@pytest.mark.parametrize(("compare", "times"), [("every 4", 0), ("moving 4", 1)])
def test_who_compares_with_an_older_version_learns_from_look_to_look(
    site: Site, watching: Watching, compare: str, times: int
):
    page = site.page("/shop", COUNTER.format(1000))
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Compare {compare}")
    for number in range(1, 14):
        page.becomes(COUNTER.format(1000 + number))
        watching.looks(after=3600)
    assert len(told(watching)) == times
