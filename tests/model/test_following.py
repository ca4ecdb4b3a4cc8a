"""Which linked pages are watched: laws that hold for every graph of links (B7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webvigil.model.following import Followed, KnownLead, KnownLinks, Limits, follow
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
