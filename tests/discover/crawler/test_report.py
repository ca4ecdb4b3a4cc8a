"""The report of a crawl: which pages were visited, and how soon services were found."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.discover.analysis import Analysis, Profile
from webvigil.discover.crawler.findings import analysis_as_json
from webvigil.discover.crawler.lead import Lead
from webvigil.discover.crawler.report import analyses_in, curve_of, found_after, services_in, tables_of
from webvigil.discover.crawler.steps import Begun, Failed, Judged, Read, Started, Step
from webvigil.model.page import Page

URL = "http://a.test/"
START = Started(service="s", frontier="f")


def found(outcome: Any = "matched", *, whole: bool = True) -> dict[str, Any]:
    profile = Profile(
        service="s", page=Page(url=URL), form="form 1", steps=(), states=(), arguments=(), result="r"
    )
    told = Analysis(page=URL, form="form 1", outcome=outcome, reason="so", profile=profile if whole else None)
    return analysis_as_json(told)


def pages(number: int, *judged: dict[str, Any]) -> list[Step]:
    visited: list[Step] = [Begun(lead=Lead(url=URL), why="so")] * number
    return [*visited, Judged(url=URL, analyses=judged)] if judged else visited


def test_a_service_is_what_was_found_with_its_profile():
    step = Judged(url=URL, analyses=(found(), found("possible"), found("unmatched"), found(whole=False)))
    assert [one["outcome"] for one in services_in(step)] == ["matched", "possible"]
    assert services_in(START) == []
    assert len(analyses_in([START, step, step])) == 8


def test_the_curve_has_a_point_for_every_service_and_one_for_the_end():
    steps = [START, *pages(1), *pages(2, found(), found()), *pages(1, found("unmatched")), *pages(1, found())]
    assert curve_of(steps) == [(3, 1), (3, 2), (5, 3), (5, 3)]
    assert curve_of([START]) == [(0, 0)]


@pytest.mark.parametrize(("visited", "services"), [(0, 0), (2, 0), (3, 2), (4, 2), (5, 3), (9, 3)])
def test_services_are_counted_after_so_many_pages(visited: int, services: int):
    assert found_after([(3, 1), (3, 2), (5, 3)], visited) == services


@pytest.mark.parametrize(
    ("number", "marks"),
    [
        (0, []),
        (1, ["1"]),
        (2, ["1", "2"]),
        (10, ["1", "2", "5", "10"]),
        (11, ["1", "2", "5", "10", "11"]),
        (1_000, ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1,000"]),
    ],
)
def test_the_curve_is_told_at_even_steps_of_a_logarithm(number: int, marks: list[str]):
    told = tables_of([START, *pages(number)])[-1]
    assert (told.title, told.head) == (
        "Services found against pages visited",
        ("Pages visited", "Services found"),
    )
    assert told.rows == tuple((one, "0") for one in marks)


def test_the_services_are_told_beside_the_pages():
    told = tables_of([*pages(1, found()), *pages(4, found())])[-1]
    assert (told.rows, told.values) == ((("1", "1"), ("2", "1"), ("5", "2")), (1.0, 1.0, 2.0))


def test_pages_that_came_and_pages_that_did_not_are_visits():
    steps = [
        START,
        Read(url=URL, arrived=URL, status=404, media_type="text/plain"),
        Failed(url=URL, error="gone"),
    ]
    tables = {one.title: one.rows for one in tables_of(steps)}
    assert tables["Answers"] == (("404", "1"), ("none", "1"))
    assert dict(tables["Contents"])["text/plain"] == "1"
    assert dict(tables["Crawl"])["URLs crawled"] == "2"
