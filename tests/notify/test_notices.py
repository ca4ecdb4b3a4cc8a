"""The notices of a change: one for each contact, with everything that its readers need, and no more."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from webvigil.language import parse
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.notice import AT_ONCE, BEST_EFFORT, COUNTED, GATHERED, Notice
from webvigil.model.page import Page
from webvigil.model.work import DuePage, Watch
from webvigil.notify.notices import how_much, notices_for, report_of

URL = "http://a.test/"
WATCH = Watch(sentinel=5, user="jill", name="own", text="", interval=1, next_at=0, reference=1)


def found(count: int = 1, text: str = "/a", where: int = 1) -> Finding:
    places = tuple(f"/html/body/a[{n}]" for n in range(where))
    objects = tuple(ObjectChange(text, Status.NEW, old=0, new=1, where=places) for _ in range(count))
    return Finding(type="all links", objects=objects, score=256, share=0.5)


def notices(clauses: str, finding: Finding | None = None, **more: Any) -> tuple[Notice, ...]:
    (sentinel,) = parse(f"Create Sentinel s Using {URL} {clauses}")
    page = DuePage.unscheduled(Page(url=URL), (WATCH,), 9)
    report = report_of([finding or found()])
    return notices_for(sentinel, WATCH, page, (3, 4), report, datetime(2026, 3, 1, 12, tzinfo=UTC), **more)


def test_each_contact_has_a_notice_of_its_own():
    first, second = notices(
        "Topic a, b Priority 5 Notify By email jill@a.test, webhook", title=lambda: "The shop"
    )
    assert (first.dedup, second.dedup) == ("9:5:3-4:0", "9:5:3-4:1")
    assert (first.user, first.channel, first.address) == ("jill", "email", "jill@a.test")
    assert (first.sentinel, second.channel) == ("own", "webhook")
    assert first.subject.startswith("[important] ")
    body = dict(first.body)
    assert len(body.pop("findings")[0]["objects"]) == 1
    assert body.pop("headline")
    assert body.pop("summary")
    assert body.pop("amounts")["links_added"] == 1
    assert body == {
        "event": "change",
        "sentinel": "own",
        "title": "The shop",
        "topic": "a, b",
        "url": URL,
        "page": 9,
        "at": "2026-03-01T12:00:00+00:00",
        "old_version": 3,
        "new_version": 4,
        "priority": 5,
        "important": True,
    }


def test_a_title_of_its_own_is_taken_and_a_message_goes_along():
    (one,) = notices(
        'Title "Sofa" Message title "Look" Notify By webhook', title=lambda: pytest.fail("it has one")
    )
    assert (one.body["title"], one.body["priority"], one.body["important"]) == ("Sofa", 0, False)
    assert one.body["message"] == {"title": "Look", "body": ""}


@pytest.mark.parametrize("clauses", ["", "Notify By webhook Every interactive"])
def test_without_contacts_and_for_who_reads_the_dashboard_there_are_none(clauses: str):
    assert notices(clauses, title=lambda: pytest.fail("nobody reads it")) == ()


@pytest.mark.parametrize(
    ("clauses", "lane", "every", "needs"),
    [
        ("Notify By webhook", AT_ONCE, 0, 0),
        ("Notify By webhook Every 2 hour", GATHERED, 7_200_000, 0),
        ("Notify By webhook Every 1 changes", AT_ONCE, 0, 0),
        ("Notify By webhook Every 2 changes", COUNTED, 0, 2),
        ("Notify By webhook Every best effort", BEST_EFFORT, 0, 0),
    ],
)
def test_a_notice_waits_as_its_clause_says(clauses: str, lane: str, every: int, needs: int):
    (one,) = notices(clauses)
    assert (one.lane, one.every, one.needs) == (lane, every, needs)


def test_fifty_objects_are_told_and_the_others_counted():
    whole, cut = (report_of([found(count)]).findings[0] for count in (50, 51))
    assert (len(whole["objects"]), "more" in whole) == (50, False)
    assert (len(cut["objects"]), cut["more"]) == (50, 1)


def test_long_texts_and_many_places_are_cut():
    (whole,) = report_of([found(text="x" * 2_000, where=5)]).findings[0]["objects"]
    (cut,) = report_of([found(text="x" * 2_001, where=6)]).findings[0]["objects"]
    assert (whole["object"], len(whole["where"])) == ("x" * 2_000, 5)
    assert (cut["object"], len(cut["where"])) == ("x" * 2_000 + "…", 5)


def test_a_change_without_an_amount_has_changed():
    assert how_much([], 4) == {
        "priority": 4,
        "important": False,
        "summary": "changed",
        "amounts": report_of([]).amounts,
    }
    assert report_of([]).summary == "changed"
