"""What a server offers is used, cheapest first, learnt per page, and not believed blindly (F2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.fetching import Looks, fetch
from tests.site import Site
from webvigil.errors import PageUnreachable
from webvigil.fetch.learnt import FIRST_TRUST, LARGE, Learnt, plan
from webvigil.model.page import Page


def methods(site: Site, path: str) -> list[str]:
    return [request.method for request in site.requests if request.path == path]


def statuses(site: Site, path: str) -> list[int | None]:
    return [request.status for request in site.requests if request.path == path]


@pytest.mark.parametrize("kind", ["etag", "last-modified", "both", "weak-etag"])
def test_a_server_that_honours_validators_sends_an_unchanged_page_once(site: Site, kind: Any):
    page = site.page("/a", "<p>one")
    page.validators = kind
    looks = Looks(page)
    seen = looks.times(4)
    assert statuses(site, "/a") == [200, 304, 304, 304]
    assert [one.answer is None for one in seen] == [False, True, True, True]
    assert "the server says so by" in seen[1].reason
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_a_new_etag_for_each_invisible_change_keeps_its_304s(site: Site):
    page = site.page("/a", "<p>one")
    looks = Looks(page)
    for _ in range(4):
        page.touched()
        looks.times(2)
    assert statuses(site, "/a") == [200, 304] * 4


def test_where_validators_are_ignored_the_head_is_asked_first(site: Site):
    page = site.page("/a", "<p>one").ignores_conditions()
    looks = Looks(page)
    seen = looks.times(5)
    assert methods(site, "/a") == ["GET", "GET", "GET", "HEAD", "HEAD"]
    assert (seen[-1].answer, seen[-1].reason) == (None, "HEAD: the same ETag")
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"
    assert methods(site, "/a")[-2:] == ["HEAD", "GET"]


@pytest.mark.parametrize("digest", ["content-md5", "digest", "content-digest", "repr-digest"])
def test_a_digest_in_the_head_is_as_good_as_a_validator(site: Site, digest: Any):
    page = site.page("/a", "<p>one")
    page.validators = "none"
    page.digests(digest)
    looks = Looks(page)
    seen = looks.times(3)
    assert methods(site, "/a") == ["GET", "HEAD", "HEAD"]
    assert seen[-1].reason == "HEAD: the same digest"
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_an_etag_that_changes_each_time_is_soon_given_up(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "etag-noise"
    looks = Looks(page)
    seen = looks.times(9)
    assert all(one.answer is not None for one in seen)
    assert methods(site, "/a")[-3:] == ["GET"] * 3
    assert Counter(methods(site, "/a"))["HEAD"] == 2


def test_a_server_that_offers_nothing_is_asked_for_the_page(site: Site):
    page = site.page("/a", "<p>one")
    page.validators = "none"
    looks = Looks(page)
    looks.times(4)
    assert methods(site, "/a") == ["GET"] * 4
    page.becomes("<p>two")
    assert looks.look().answer.body == b"<p>two"


def test_a_server_that_does_not_know_head_is_asked_by_get(site: Site):
    page = site.page("/a", "<p>one").ignores_conditions().allows("GET")
    looks = Looks(page)
    seen = looks.times(8)
    assert all(one.answer is not None for one in seen)
    assert methods(site, "/a")[-2:] == ["GET", "GET"]


def test_the_size_of_a_large_page_is_believed_for_a_while(site: Site):
    page = site.page("/a", "x" * LARGE)
    page.validators = "none"
    looks = Looks(page)
    looks.times(2)
    assert methods(site, "/a") == ["GET", "HEAD"]
    page.becomes("y" * LARGE)  # an edit that keeps the size
    found = [one for one in looks.times(FIRST_TRUST + 1) if one.answer]
    assert found[0].answer.body[:1] == b"y"


@pytest.mark.parametrize("kind", ["lying-last-modified", "lying-etag"])
def test_a_validator_that_lies_is_found_out_and_never_believed_again(site: Site, kind: Any):
    page = site.page("/a", "<p>one")
    page.validators = kind
    looks = Looks(page)
    looks.look()
    page.becomes("<p>two")
    seen = looks.times(FIRST_TRUST + 1)
    assert [one.answer is None for one in seen] == [True] * FIRST_TRUST + [False]
    assert "to check what the server said" in seen[-1].reason
    page.becomes("<p>three")
    assert looks.look().answer.body == b"<p>three"
    assert "cannot be believed" in looks.look().reason


def test_trust_grows_while_it_is_not_disappointed(site: Site):
    page = site.page("/a", "<p>one")
    looks = Looks(page)
    looks.times(1 + FIRST_TRUST + 1 + 2 * FIRST_TRUST + 1)
    full = [number for number, status in enumerate(statuses(site, "/a")) if status == 200]
    assert full == [0, FIRST_TRUST + 1, 3 * FIRST_TRUST + 2]


@pytest.mark.parametrize("years", [-40, 40])
def test_the_clock_of_the_server_does_not_matter(site: Site, years: int):
    page = site.page("/a", "<p>one")
    page.validators = "last-modified"
    page.becomes("<p>two", modified=site.clock() + years * 366 * 86400)
    looks = Looks(page)
    assert [one.status for one in looks.times(3)] == [200, 304, 304]
    page.becomes("<p>three")
    assert looks.look().answer.body == b"<p>three"


def test_304_to_a_page_we_do_not_have_is_asked_for_again(site: Site):
    page = site.page("/a", "<p>one").answers(304).times(1)
    assert fetch(page).answer.body == b"<p>one"
    assert page.requests[-1].headers["Cache-Control"] == "no-cache"
    page.answers(304)
    with pytest.raises(PageUnreachable, match="304 Not Modified of a page that we do not have"):
        fetch(page)


def test_forms_that_are_posted_are_always_sent(site: Site):
    site.form("/search", ["q"], method="POST", answer=lambda fields: f"<p>{fields['q']}")
    looks = Looks(Page(url=f"{site.url}/search/answer", method="POST", fields=(("q", "a"),)))
    assert all(one.answer is not None for one in looks.times(3))
    assert methods(site, "/search/answer") == ["POST"] * 3


@given(st.dictionaries(st.sampled_from(["etag", "misses", "lies", "trust", "new"]), st.text(max_size=3)))
def test_facts_that_cannot_be_read_are_facts_never_learnt(facts: dict[str, str]):
    learnt = Learnt.read(facts)
    assert Learnt.read(learnt.written()) == learnt
    plan(learnt)
