"""Which days a page of summaries covers, and how changes are grouped on it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from webvigil.app.telling.summaries import By, Summaries, summaries
from webvigil.model.change import Change, Finding, ObjectChange, Status
from webvigil.model.wanted import WantedChanges
from webvigil.store.memory import MemoryKnowledge

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday
TODAY, DAY = NOW.date(), timedelta(days=1)
FINDING = Finding(type="all links", objects=(ObjectChange("http://x/", Status.NEW),), share=0.25, score=8)


def change(number: int, days: float = 0, sentinel: str = "", topic: str = "") -> Change:
    return Change(
        id=number,
        sentinel=sentinel or f"s{number}",
        user="jill",
        page=1,
        url="http://x.test/",
        old_version=1,
        new_version=2,
        found_at=NOW - days * DAY,
        findings=(FINDING,),
        topic=topic,
    )


class Asked:
    """Changes that were recorded, and what was asked for."""

    def __init__(self, *changes: Change) -> None:
        self._changes = changes
        self.wanted = WantedChanges()

    def some(self, wanted: WantedChanges) -> list[Change]:
        self.wanted = wanted
        return list(self._changes[: wanted.limit])

    def last_found(self, _: list[int]) -> dict[int, datetime]:
        return {}


def summed(
    *changes: Change, by: By = "day", last: date = TODAY, zone: str = "UTC", topic: str = ""
) -> tuple[Summaries, WantedChanges]:
    known = MemoryKnowledge(delay=0)
    asked = Asked(*changes)
    knowledge: Any = SimpleNamespace(
        changes=asked, sentinels=known.sentinels, journal=known.journal, outbox=known.outbox
    )
    return summaries(knowledge, "jill", by, "time", ZoneInfo(zone), last, topic), asked.wanted


@pytest.mark.parametrize(
    ("by", "last", "first", "end"),
    [
        ("day", date(2026, 11, 16), date(2026, 11, 10), date(2026, 11, 16)),
        ("topic", date(2026, 11, 16), date(2026, 10, 20), date(2026, 11, 16)),
        ("week", date(2026, 11, 16), date(2026, 10, 26), date(2026, 11, 22)),
        ("week", date(2026, 11, 22), date(2026, 10, 26), date(2026, 11, 22)),
        ("week", date(2026, 11, 23), date(2026, 11, 2), date(2026, 11, 29)),
    ],
)
def test_a_page_covers_a_week_or_four_whole_weeks(by: By, last: date, first: date, end: date):
    vienna = ZoneInfo("Europe/Vienna")
    made, wanted = summed(by=by, last=last, zone="Europe/Vienna", topic="art")
    assert (made.first, made.last, made.groups, made.records, made.cut) == (first, end, (), (), False)
    assert wanted.since == datetime(first.year, first.month, first.day, tzinfo=vienna)
    assert wanted.until == datetime.combine(end + DAY, datetime.min.time(), vienna)
    assert (wanted.user, wanted.topic) == ("jill", "art")


def test_all_topics_are_asked_for_where_none_is_named():
    assert summed()[1].topic is None


@pytest.mark.parametrize(("number", "told", "cut"), [(300, 300, False), (301, 300, True)])
def test_three_hundred_changes_are_summed_up(number: int, told: int, *, cut: bool):
    made, _ = summed(*(change(one, sentinel="s") for one in range(1, number + 1)))
    (group,) = made.groups
    assert (group.said["changes"], made.cut) == (told, cut)


def grouped(made: Summaries) -> list[tuple[date | None, str, int]]:
    return [(one.since, one.topic, one.said["changes"]) for one in made.groups]


def test_changes_are_grouped_by_the_days_of_the_reader():
    changes = [change(4), change(3, 0.5), change(2, 0.6), change(1, 2)]
    assert grouped(summed(*changes)[0]) == [
        (date(2026, 11, 16), "", 2),
        (date(2026, 11, 15), "", 1),
        (date(2026, 11, 14), "", 1),
    ]
    assert grouped(summed(*changes, zone="Asia/Tokyo")[0])[0] == (date(2026, 11, 16), "", 3)


def test_weeks_begin_on_monday():
    made, _ = summed(change(3), change(2, 1), change(1, 7), by="week")
    assert grouped(made) == [(date(2026, 11, 16), "", 1), (date(2026, 11, 9), "", 2)]


def test_topics_are_sorted_and_a_change_counts_for_each_of_its_topics():
    made, _ = summed(
        change(1), change(2, topic="Zoo"), change(3, topic="art, zebra"), change(4, topic="art"), by="topic"
    )
    assert grouped(made) == [(None, "art", 2), (None, "zebra", 1), (None, "Zoo", 1), (None, "", 1)]


def test_an_entry_tells_what_was_found_and_how_much():
    one = replace(change(7, sentinel="tea", topic="art"), title="Tea", seen=True)
    (group,) = summed(one)[0].groups
    (told,) = group.said["entries"]
    assert {
        "event": "change",
        "id": 7,
        "sentinel": "tea",
        "title": "Tea",
        "topic": "art",
        "url": "http://x.test/",
        "at": "2026-11-16T12:00:00+00:00",
        "seen": True,
        "headline": "New passage: http://x/",
        "priority": 0,
        "summary": "1 new passage",
    }.items() <= told.items()
    assert (told["amounts"]["share"], told["amounts"]["score"]) == (0.25, 8)
