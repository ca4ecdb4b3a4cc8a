"""Sentinel texts are compared and weighed, and their changes are told, look by look (G5, L7, T1-T3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.worker.conftest import Watching
from tests.detect.pages import digest
from tests.site import Site
from webvigil.app.pages.documents import signature_of
from webvigil.app.worker import stages
from webvigil.app.worker.evaluate import Evaluator
from webvigil.document import PageDigest
from webvigil.errors import NotFound, StoreBusy, VersionLost, WebVigilError
from webvigil.graph.due import Compared
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.model.work import DuePage, Watch

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("compare", "expected"),
    [
        ("pairwise", [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]),
        ("every 2", [(1, 3), (3, 5)]),
        ("moving 4", [(1, 4), (2, 5), (3, 6)]),
    ],
)
def test_versions_are_compared_as_the_sentinel_says(
    site: Site, watching: Watching, compare: str, expected: list[tuple[int, int]]
):
    """L7, from the text of the sentinel to the recorded changes."""
    page = site.page("/a", "<p>one")
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Compare {compare}")
    for word in ("two", "three", "four", "five", "six"):
        page.becomes(f"<p>{word}")
        watching.looks()
    assert watching.told() == expected


def test_a_drop_in_small_steps_is_told_when_it_is_large_enough(site: Site, watching: Watching):
    """T1: a drop is measured from the first version, and after a notice from the version that was told."""
    page = site.page("/price", "<b>100</b>")
    watching.installs(
        f'Create Sentinel s Using {page.url} Fetch 1 hour Monitor value css "b" When value drops 10%'
    )
    for price in (96, 92, 89, 88, 87, 80):
        page.becomes(f"<b>{price}</b>")
        watching.looks()
    assert watching.told() == [(3, 4), (6, 7)]


def test_what_is_not_worth_telling_is_not_told(site: Site, watching: Watching):
    page = site.page("/a", "<p>one two three four")
    watching.installs(
        f'Create Sentinel s Using {page.url} Fetch 1 hour When appears "sold out" OR inserted > 2'
    )
    page.becomes("<p>one two three five")
    watching.looks()
    assert watching.told() == []
    page.becomes("<p>one two three sold out")
    watching.looks()
    assert watching.told() == [(2, 3)]


def test_scores_are_those_of_the_user(site: Site, watching: Watching):
    """T2: a user's own weights and interests make the score."""
    page = site.page("/a", "<p>one")
    watching.knowledge.users.prefer("jill", '{"interests": ["merger"], "weights": {"text": 10}}')
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour Monitor all words When score > 123")
    page.becomes("<p>one another")
    watching.looks()
    assert watching.told() == []
    page.becomes("<p>one another merger")
    watching.looks()
    (change,) = watching.knowledge.changes.all()
    assert [one.score for one in change.findings] == [60 + 64]


def test_pages_joined_by_and_are_told_together(site: Site, watching: Watching):
    """G5 and L3: this also holds for a sentinel that is set on another one."""
    one, two = site.page("/1", "<p>one"), site.page("/2", "<p>one")
    watching.installs(
        f"Create Sentinel s Using {one.url} AND {two.url} Fetch 1 hour\n"
        "Create Sentinel t Using sentinel s\n"
        "Create Sentinel u Using sentinel s Monitor all links\n"
    )
    one.becomes("<p>two")
    watching.looks()
    watching.looks()
    assert watching.told() == []
    two.becomes("<p>two")
    watching.looks()
    assert sorted(change.sentinel for change in watching.knowledge.changes.all()) == ["s", "s", "t", "t"]


# --- against a plain model ------------------------------------------------------------------------


def watch(number: int, monitor: str, reference: int = 1) -> Watch:
    text = f"Create Sentinel s{number} Using https://a.org/\nMonitor {monitor}\n"
    return Watch(
        sentinel=number,
        user="jill",
        name=f"s{number}",
        text=text,
        interval=HOUR,
        next_at=0,
        reference=reference,
    )


def due(watches: list[Watch]) -> DuePage:
    return DuePage(
        id=1,
        page=Page(url="https://a.org/"),
        due=0,
        asked=0,
        failures=0,
        latest=None,
        validators={},
        watches=tuple(watches),
    )


def compare(watches: list[Watch], versions: list[PageDigest]) -> list[Compared]:
    return Evaluator().compare(due(watches), watches, len(versions), lambda number: versions[number - 1])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 200), min_size=2, max_size=8), st.integers(1, 50))
def test_a_value_is_told_once_for_each_large_enough_drop(prices: list[int], percent: int):
    versions = [digest([f"<p>{price}</p>"]) for price in prices]
    watching, told = watch(1, f'value css "p"\nWhen value drops {percent}%'), []
    for newest in range(2, len(versions) + 1):
        (done,) = compare([watching], versions[:newest])
        told += [found.new for found in done.found]
        watching = Watch(
            sentinel=1, user="jill", name="s1", text=watching.text, interval=HOUR, next_at=0,
            reference=done.reference, measured_from=done.measured_from,
        )  # fmt: skip
        assert max(watching.reference, watching.measured_from) <= newest
    expected, base = [], prices[0]
    for number, (before, price) in enumerate(pairwise(prices), 2):
        if price != before and price < base and 100 * (base - price) >= percent * base:
            expected.append(number)
            base = price
    assert told == expected


def test_trouble_of_one_is_nobody_elses():
    versions = [digest(["<p>one</p>"]), digest(["<p>two</p>"])]
    broken, fine = compare([watch(1, "keywords: {!}"), watch(2, "all words")], versions)
    assert (broken.reference, broken.found) == (1, ())
    assert "no letter or digit" in broken.trouble
    assert (fine.reference, len(fine.found), fine.trouble) == (2, 1, "")


def test_after_trouble_the_version_is_kept_and_what_was_found_before_is_told():
    versions = [digest([f"<p>{word}</p>"]) for word in ("one", "two", "three", "four")]

    def read(number: int) -> PageDigest:
        if number == 3:
            raise StoreBusy("busy")
        return versions[number - 1]

    one = watch(1, "all words\nCompare moving 2")
    (done,) = Evaluator().compare(due([one]), [one], 4, read)
    assert [(found.old, found.new) for found in done.found] == [(1, 2)]
    assert (done.reference, done.trouble) == (2, "s1: busy")


@pytest.mark.parametrize("compare", ["moving 2", "moving 3", "every 2"])
def test_versions_in_between_that_were_let_go_are_compared_in_one_step(compare: str):  # L7, R1
    """The sentinel compared pairwise when the versions were removed, and compares otherwise now."""
    versions = {1: digest(["<p>one</p>"]), 4: digest(["<p>four</p>"])}

    def read(number: int) -> PageDigest:
        if number not in versions:
            raise NotFound(f"no version {number}")
        return versions[number]

    one = watch(1, f"all words\nCompare {compare}")
    (done,) = Evaluator().compare(due([one]), [one], 4, read)
    assert [(found.old, found.new) for found in done.found] == [(1, 4)]
    assert (done.reference, done.trouble) == (4, "")


@pytest.mark.parametrize("gone", [NotFound("no version 1"), VersionLost(1, "it is missing")])
@pytest.mark.parametrize("compare", ["pairwise", "moving 2", "every 2"])
def test_without_the_version_it_knows_a_sentinel_says_so_and_goes_on(gone: WebVigilError, compare: str):
    def read(number: int) -> PageDigest:
        if number == 1:
            raise gone
        return digest([f"<p>{number}</p>"])

    one = watch(1, f"all words\nCompare {compare}")
    (done,) = Evaluator().compare(due([one]), [one], 4, read)
    assert (done.reference, done.found, done.trouble) == (4, (), "")
    assert done.lost == f"{gone}; what changed between versions 1 and 4 is not known"


@pytest.mark.parametrize("compare", ["moving 2", "every 2"])
def test_a_lost_version_in_between_is_told_and_the_others_are_compared(compare: str):
    def read(number: int) -> PageDigest:
        if number in (2, 3):
            raise VersionLost(number, "it is missing")
        return digest([f"<p>{number}</p>"])

    one = watch(1, f"all words\nCompare {compare}")
    (done,) = Evaluator().compare(due([one]), [one], 4, read)
    assert [(found.old, found.new) for found in done.found] == [(1, 4)]
    assert done.lost in (f"version {lost} cannot be read any more: it is missing" for lost in (2, 3))


def test_without_the_version_that_values_are_measured_from_they_are_measured_anew():
    def read(number: int) -> PageDigest:
        if number == 1:
            raise VersionLost(number, "it is missing")
        return digest([f"<p id=price>{100 - 20 * number}</p>"])

    one = watch(1, 'value css "#price"\nWhen value drops 10%', reference=2)
    one = replace(one, measured_from=1)
    (done,) = Evaluator().compare(due([one]), [one], 3, read)
    assert [(found.old, found.new) for found in done.found] == [(2, 3)]
    assert (done.reference, done.measured_from) == (3, 3)
    assert "version 1 cannot be read" in done.lost


def test_where_the_newest_version_is_lost_a_sentinel_keeps_the_one_it_knows():
    def read(number: int) -> PageDigest:
        if number == 4:
            raise VersionLost(number, "it is missing")
        return digest(["<p>one</p>"])

    one = watch(1, "all words")
    (done,) = Evaluator().compare(due([one]), [one], 4, read)
    assert (done.reference, done.lost) == (1, "")
    assert "version 4 cannot be read" in done.trouble


def test_sentinels_that_know_different_versions_are_compared_with_their_own():
    versions = [digest([f"<p>{word}</p>"]) for word in ("one", "two", "one")]
    behind, ahead, new, none = (watch(n, "all words", reference=n) for n in (1, 2, 3, 0))
    done = compare([behind, ahead, new, none], versions)
    assert [len(one.found) for one in done] == [0, 1, 0, 0]
    assert [one.reference for one in done] == [3, 3, 3, 3]


def test_a_large_page_is_hashed_once(site: Site, watching: Watching, monkeypatch: pytest.MonkeyPatch):
    """One hash answers both whether the answer looks like the page and whether it is a new version."""
    page = site.page("/large", "<p>one")
    watching.installs(f"Create Sentinel s Using {page.url} Fetch 1 hour")
    hashed: list[int] = []

    def counted(answer: Answer) -> str:
        hashed.append(len(answer.body))
        return signature_of(answer)

    monkeypatch.setattr(stages, "signature_of", counted)
    for word in ("two", "two", "six"):
        page.becomes(f"<p>{word}</p>" * 50_000)
        watching.looks()
    assert hashed == [500_000] * 3
    assert watching.told() == [(1, 2), (2, 3)]
