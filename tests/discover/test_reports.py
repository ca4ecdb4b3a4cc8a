"""The report of a discovery: every figure of its tables, and the edges of every row."""

from __future__ import annotations

import pytest

from webvigil.discover.analysis import Analysis, Outcome
from webvigil.discover.reports import Table, Visit, report


def form(outcome: Outcome = "unmatched", page: str = "http://a.test/", **more: float) -> Analysis:
    facts = {"fields": 0, "probes": 0, "seconds": 0.0, **more}
    return Analysis(
        page=page,
        form="form 1",
        outcome=outcome,
        reason="so",
        fields=int(facts["fields"]),
        probes=int(facts["probes"]),
        seconds=facts["seconds"],
    )


def table(title: str, analyses: list[Analysis], visits: tuple[Visit, ...] = ()) -> Table:
    (found,) = (one for one in report(analyses, visits) if one.title == title)
    return found


def visit(status: int, kind: str = "text/html") -> Visit:
    return Visit(url="http://a.test/", status=status, content_type=kind)


SOME = [
    form("matched", fields=3, probes=4),
    form("possible", "http://a.test/2", fields=1, probes=7),
    form("filtered", "http://b.test/", fields=1_000),
    Analysis(page="http://c.test/", outcome="unreachable", reason="gone", probes=5),
]


def test_a_crawl_is_told_in_figures():
    told = table("Crawl", SOME, (visit(200),))
    assert told.head == ("crawl statistics", "")
    assert told.rows == (
        ("URLs crawled", "1"),
        ("sites with forms", "2"),
        ("pages with forms", "3"),
        ("forms", "3"),
        ("form parameters", "1,004"),
        ("requests to forms", "11"),
        ("most requests to one form", "7"),
        ("requests per form asked", "5.50"),
        ("matched sources", "2"),
        ("matched", "66.7%"),
    )
    assert told.values == (1, 2, 3, 3, 1004, 11, 7, 5.5, 2, pytest.approx(2 / 3))


def test_a_discovery_without_a_crawl_has_no_tables_of_visits():
    told = report([])
    assert [one.title for one in told] == ["Crawl", "Outcomes", "Probes", "Times"]
    assert told[0].rows[0] == ("sites with forms", "0")
    assert [value for one in told for value in one.values if value] == []
    assert [one.title for one in report([], (visit(200),))][4:] == ["Answers", "Contents"]


def test_outcomes_are_counted():
    assert table("Outcomes", SOME).rows == (
        ("matched", "1"),
        ("possible", "1"),
        ("unmatched", "0"),
        ("filtered", "1"),
        ("refused by manners", "0"),
        ("unreachable", "1"),
    )


def test_forms_are_counted_by_how_often_they_were_asked():
    numbers = (0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 900)
    assert table("Probes", [form(probes=one) for one in numbers]).rows == (
        ("0", "1"),
        ("1–10", "2"),
        ("11–20", "2"),
        ("21–30", "2"),
        ("31–40", "2"),
        ("41–50", "2"),
        ("51–60", "2"),
        ("> 60", "2"),
    )
    without = Analysis(page="http://c.test/", outcome="unreachable", reason="gone")
    assert table("Probes", [without]).values == (0,) * 8, "what is no form is not counted"


def test_forms_are_counted_by_how_long_they_took():
    times = (0.0, 0.49, 0.5, 1, 5, 10, 50, 100, 499.9, 500)
    asked = [form("matched" if one > 5 else "unmatched", probes=1, seconds=one) for one in times]
    told = table("Times", [*asked, form("matched", seconds=9_000), form("possible", probes=1, seconds=2)])
    assert told.rows == (
        ("shortest, matched", "10.00"),
        ("longest, matched", "500.00"),
        ("mean, matched", "231.98"),
        ("shortest, unmatched", "0.00"),
        ("longest, unmatched", "5.00"),
        ("mean, unmatched", "1.40"),
        ("< 0.5 s", "2"),
        ("0.5–1 s", "1"),
        ("1–5 s", "2"),
        ("5–10 s", "1"),
        ("10–50 s", "1"),
        ("50–100 s", "1"),
        ("100–500 s", "2"),
        ("> 500 s", "1"),
    )


def test_answers_are_counted_by_status_and_kind():
    visits = (
        visit(200, "Text/HTML; charset=utf-8"),
        visit(299, "application/pdf"),
        visit(301, ""),
        visit(302, "text/plain"),
        visit(404, "image/png"),
        visit(500, "text/html "),
        visit(503),
        visit(0, "text/html"),
    )
    statuses = table("Answers", [], visits)
    assert statuses.rows == (
        ("200", "1"),
        ("299", "1"),
        ("30x", "2"),
        ("404", "1"),
        ("50x", "2"),
        ("none", "1"),
    )
    assert table("Contents", [], visits).rows == (
        ("text/html", "3"),
        ("application/pdf", "1"),
        ("text/plain", "1"),
        ("other", "2"),
    )
