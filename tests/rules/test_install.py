"""Which pages a sentinel has, how they are fetched, and how far its links are followed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webvigil.language import parse
from webvigil.model.following import NO_REACH
from webvigil.model.life import LifeRecord
from webvigil.model.page import Page
from webvigil.model.request import Request
from webvigil.model.sentinel import Sentinel, part_key
from webvigil.rules.install import Fetching, fetching_of, installation, page_of_request, pages, reach

A = Page(url="http://a.test/")
STATE = Page(url="http://a.test/", render="status")
LIFE = LifeRecord(installed_at=datetime(2026, 3, 1, tzinfo=UTC))


def sentinel(clauses: str) -> Sentinel:
    (one,) = parse(f"Create Sentinel s {clauses}")
    return one


@pytest.mark.parametrize(
    ("request_", "page"),
    [
        (Request(), A),
        (Request(query=(("q", "1"),)), Page(url="http://a.test/?q=1")),
        (
            Request(method="POST", kind="form", fields=(("a", "1"),)),
            Page(url="http://a.test/", method="POST", fields=(("a", "1"),)),
        ),
    ],
)
def test_a_request_that_an_address_or_a_form_says_as_well_is_the_same_page(request_: Request, page: Page):
    assert page_of_request("HTTP://A.test", request_, Fetching()) == page


def test_any_other_request_is_a_page_of_its_own():
    one = page_of_request("http://a.test/", Request(method="PUT", query=(("q", "1"),)), Fetching())
    assert (one.url, one.method) == ("http://a.test/?q=1", "GET")
    assert one.approach.request == Request(method="PUT")


@pytest.mark.parametrize(
    ("monitor", "other", "seen"),
    [("status", A, STATE), ("status", STATE, STATE), ("any change", STATE, A), ("any change", A, A)],
)
def test_the_pages_of_another_sentinel_are_seen_as_it_sees_them_but_for_their_state(
    monitor: str, other: Page, seen: Page
):
    one = sentinel(f"Using Sentinel t Monitor {monitor}")
    assert pages(one.target, fetching_of(one), lambda name: (other,)) == (seen,)


def test_a_page_of_another_sentinel_that_a_browser_opens_stays_so():
    by_browser = Page(url="http://a.test/", render="browser")
    one = sentinel("Using Sentinel t")
    assert pages(one.target, fetching_of(one), lambda name: (by_browser,)) == (by_browser,)


def test_each_page_is_named_once_in_order():
    one = sentinel("Using http://b.test/ OR Sentinel t OR http://a.test/ OR http://b.test/")
    found = pages(one.target, fetching_of(one), lambda name: (A,))
    assert [page.url for page in found] == ["http://b.test/", "http://a.test/"]


def test_links_are_followed_as_far_as_the_depth_says():
    assert reach(sentinel("Using http://a.test/")) is NO_REACH
    one = sentinel('Using http://a.test/ Depth 2 Within css "#news" Ignore css ".ads"')
    found = reach(one)
    assert (found.depth, found.most) == (2, None)
    assert found.part == part_key(one.within, one.ignore) != ""
    assert found.below == part_key((), one.ignore) not in ("", found.part)


@pytest.mark.parametrize(
    ("clauses", "interval", "priority", "topic"),
    [
        ("", 3_600_000, 0, ""),
        ("Fetch Every 5 minute", 300_000, 0, ""),
        ("Fetch On Change", 0, 0, ""),
        ("Priority 7 Topic a, b", 3_600_000, 7, "a, b"),
    ],
)
def test_what_is_installed(clauses: str, interval: int, priority: int, topic: str):
    one = installation(
        sentinel(f"Using http://a.test/ {clauses}"),
        user="jill",
        text="text",
        own="own",
        life=LIFE,
        pages_of=lambda name: pytest.fail("no other is named"),
        joint_of=lambda _: None,
        default_interval=timedelta(hours=1),
    )
    assert (one.interval, one.priority, one.topic) == (interval, priority, topic)
    assert (one.user, one.name, one.text, one.own, one.life) == ("jill", "s", "text", "own", LIFE)
    assert (one.pages, one.joint, one.reach) == ((A,), None, NO_REACH)


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("form http://a.test/ {q = 1}", Page(url="http://a.test/", fields=(("q", "1"),))),
        ("form POST http://a.test/", Page(url="http://a.test/", method="POST")),
        ("form FILL http://a.test/", Page(url="http://a.test/", method="FILL", render="browser")),
    ],
)
def test_a_form_that_is_filled_in_is_opened_in_a_browser(target: str, page: Page):
    one = sentinel(f"Using {target}")
    assert pages(one.target, fetching_of(one), lambda name: ()) == (page,)
