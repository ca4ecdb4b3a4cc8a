"""Which linked pages are watched: laws that hold for every graph of links (B7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.model.following import (
    Followed,
    KnownLead,
    KnownLinks,
    Limits,
    Place,
    Reach,
    follow,
    root_of,
)
from webvigil.model.moment import NEVER

NOW, PATIENCE = 10_000, 1_000
KEYS = list("abcdefgh")

leads = st.builds(
    KnownLead, st.sampled_from(KEYS), st.booleans(), st.none() | st.integers(NOW - 2 * PATIENCE, NOW)
)
webs = st.dictionaries(
    st.sampled_from(KEYS), st.lists(leads, max_size=8, unique_by=lambda lead: lead.key), max_size=8
)


def followed(web, roots, depth, watched, most) -> Followed:
    known = {key: KnownLinks(tuple(found)) for key, found in web.items()}
    limits = Limits(most=most, patience=PATIENCE)
    return follow(roots, depth, lambda key, _: known.get(key, KnownLinks()), watched, limits, NOW)


def shortest(web, roots, depth, watched) -> dict[str, int]:
    """Returns how many links away each page is, by following every link."""
    far = dict.fromkeys(roots, 0)
    for level in range(1, depth + 1):
        for key in [key for key, steps in far.items() if steps == level - 1]:
            for lead in web.get(key, ()):
                hoped_for = lead.gone_at is None or (lead.key in watched and lead.gone_at > NOW - PATIENCE)
                if hoped_for and (level == 1 or lead.near):
                    far.setdefault(lead.key, level)
    return {key: steps for key, steps in far.items() if steps}


roots = st.lists(st.sampled_from(KEYS), min_size=1, max_size=2, unique=True)
depths = st.integers(0, 2)
watched_sets = st.sets(st.sampled_from(KEYS))


@given(webs, roots, depths, watched_sets)
def test_without_a_bound_all_within_reach_are_watched(web, roots, depth, watched):
    found = followed(web, roots, depth, watched, most=100)
    assert {key: place.level for key, place in found.places.items()} == shortest(web, roots, depth, watched)
    assert not found.full


@given(webs, roots, depths, watched_sets, st.integers(0, 5))
def test_with_a_bound_no_more_and_nearer_ones_first(web, roots, depth, watched, most):
    found = followed(web, roots, depth, watched, most)
    reach = shortest(web, roots, depth, watched)
    assert len(found.places) <= most
    assert found.places.keys() <= reach.keys()
    children = [key for key, steps in reach.items() if steps == 1]
    assert sum(place.level == 1 for place in found.places.values()) == min(most, len(children))
    assert found.full or len(found.places) == len(reach)


@given(webs, roots, depths, watched_sets, st.integers(0, 5))
def test_following_the_same_links_again_changes_nothing(web, roots, depth, watched, most):
    once = followed(web, roots, depth, watched, most)
    twice = followed(web, roots, depth, set(once.places), most)
    assert set(twice.places) == set(once.places)


@given(webs, roots, depths, watched_sets, st.integers(0, 5))
def test_every_page_is_linked_to_from_where_it_is_said_to_be(web, roots, depth, watched, most):
    found = followed(web, roots, depth, watched, most)
    for key, (level, via) in found.places.items():
        assert key in {lead.key for lead in web[via]}
        assert (via in roots) if level == 1 else found.places[via].level == 1


@given(webs, roots, watched_sets)
def test_links_are_followed_again_at_a_later_moment(web, roots, watched):
    found = followed(web, roots, 2, watched, most=100)
    assert NOW < found.until <= NEVER


@pytest.mark.parametrize(
    ("depth", "level", "part"),
    [(0, 0, None), (1, 0, "own"), (1, 1, None), (2, 0, "own"), (2, 1, "below"), (2, 2, None)],
)
def test_which_part_of_a_page_has_the_links_that_are_followed(depth, level, part):
    assert Reach(depth=depth, part="own", below="below").part_at(level) == part


@pytest.mark.parametrize(("own", "most"), [(None, 10), (0, 0), (3, 3), (11, 10)])
def test_a_sentinel_may_lower_the_limit_of_linked_pages(own, most):
    limits = Limits(most=10, patience=PATIENCE)
    assert limits.within(Reach(most=own)) == Limits(most=most, patience=PATIENCE)


def test_the_first_link_of_every_page_comes_before_the_second_of_any():
    web = {"a": [KnownLead("c", True), KnownLead("d", True)], "b": [KnownLead("e", True)]}
    found = followed(web, ["a", "b"], 1, set(), most=2)
    assert found.places == {"c": Place(1, "a"), "e": Place(1, "b")}
    assert found.full
    with_watched = followed(web, ["a", "b"], 1, {"d"}, most=2)
    assert with_watched.places == {"c": Place(1, "a"), "d": Place(1, "a")}


def test_present_links_come_before_missing_ones_and_a_missing_one_is_waited_for():
    web = {"a": [KnownLead("b", True, NOW - 1), KnownLead("c", True)]}
    found = followed(web, ["a"], 1, {"b"}, most=5)
    assert list(found.places) == ["c", "b"]
    assert (found.until, found.full) == (NOW - 1 + PATIENCE, False)


@pytest.mark.parametrize(
    ("missing_for", "stays"), [(PATIENCE - 1, True), (PATIENCE, False), (PATIENCE + 1, False)]
)
def test_a_missing_link_keeps_its_place_until_patience_ends(missing_for, stays):
    web = {"a": [KnownLead("b", True, NOW - missing_for)]}
    assert ("b" in followed(web, ["a"], 1, {"b"}, most=5).places) is stays
    assert followed(web, ["a"], 1, set(), most=5) == Followed()


def test_a_page_with_more_links_than_are_known_has_more_than_can_be_followed():
    links = {"a": KnownLinks((KnownLead("b", True),), more=True)}
    limits = Limits(most=5, patience=PATIENCE)
    found = follow(["a"], 1, lambda key, _: links[key], set(), limits, NOW)
    assert (list(found.places), found.full) == (["b"], True)


def test_links_are_asked_for_with_the_level_of_their_page():
    asked = []

    def links_of(key, level):
        asked.append((key, level))
        return KnownLinks((KnownLead("b", True),) if key == "a" else ())

    follow(["a"], 2, links_of, set(), Limits(most=5, patience=PATIENCE), NOW)
    assert asked == [("a", 0), ("b", 1)]


@pytest.mark.parametrize(("page", "root"), [(1, 1), (2, 1), (3, 1)])
def test_a_linked_page_leads_back_to_the_page_that_the_sentinel_names(page, root):
    assert root_of(page, {1: None, 2: 1, 3: 2}.get) == root
