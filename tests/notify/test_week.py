"""Simulates two weeks of two hundred sentinels with a weekly summary, on a set clock (N2, N3)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.notify.telling import Clock, Telling
from tests.store.making import checked, new_version, sentinel
from webvigil.language import parse
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.contact import Preferences
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.work import NewChange
from webvigil.notify.notices import notices_for, report_of
from webvigil.store.sql.knowledge import SqlKnowledge

SENTINELS = 200
DAYS = 15
HOUR = 3_600_000
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Telling]:
    # A Wednesday. The clocks are put forward on the second Sunday after it.
    clock = Clock(as_millis(datetime(2026, 3, 18, 9, 0, tzinfo=UTC)))
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'w.sqlite3'}", delay=0, clock=clock)
    yield Telling(knowledge, clock, zone="Europe/Berlin")
    knowledge.close()


def text_of(number: int) -> str:
    return (
        f"Create Sentinel s{number} Using http://site.test/{number}\nMonitor all links\n"
        f"Notify By email jill@example.org Every 1 week\nTopic t{number % 3}\nPriority {number % 7}"
    )


def test_the_week_in_one_message(telling: Telling):
    knowledge = telling.knowledge
    knowledge.contacts.prefer("jill", Preferences(order="topic", summary_at=7 * 60, rate=5))
    for number in range(SENTINELS):
        knowledge.sentinels.add(
            sentinel(f"s{number}", f"http://site.test/{number}", text=text_of(number), interval=12 * HOUR)
        )
    found = _live(telling, random.Random(7))

    times = [as_datetime(at).astimezone(BERLIN) for at, _ in telling.channel.told]
    assert [(time.isoweekday(), time.hour, time.minute) for time in times] == [(1, 7, 0), (1, 7, 0)]
    first, second = (notice for _, notice in telling.channel.told)
    told = [first.body["changes"], second.body["changes"]]
    boundaries = [as_millis(time.astimezone(UTC)) for time in times]
    expected = [
        sum(at < boundaries[0] for at in found),
        sum(boundaries[0] <= at < boundaries[1] for at in found),
    ]
    assert told == expected
    assert min(told) > 100
    assert first.subject.startswith(f"[important] {first.body['sentinels']} sentinels: {told[0]} changes, ")

    entries = first.body["entries"]
    assert len(entries) == min(told[0], 200)
    topics = [entry["topic"] for entry in entries]
    assert topics == sorted(topics), "by topic"
    for topic in set(topics):
        at = [entry["at"] for entry in entries if entry["topic"] == topic]
        assert at == sorted(at, reverse=True), "the newest first in each"
    assert first.body.get("more", 0) == told[0] - len(entries)
    record = first.body["records"][0]
    for name in (
        "title",
        "urls",
        "type",
        "modified",
        "evaluated",
        "last_seen",
        "installed",
        "ends",
        "evaluations",
    ):
        assert record[name], name
    after = knowledge.outbox.all(state="held", limit=10_000)
    assert len(after) == sum(at >= boundaries[1] for at in found), "the rest waits for next Monday"


def _live(telling: Telling, lots: random.Random) -> list[int]:
    """Lets hours pass for some days: checks what is due, finds a change now and then, delivers what is
    due."""
    knowledge, clock = telling.knowledge, telling.clock
    found: list[int] = []
    for _ in range(DAYS * 24):
        for claim in knowledge.schedule.claim("w", hosts=10, pages=SENTINELS, lease=60_000):
            results = []
            for due in claim.pages:
                (watch,) = due.watches
                number = due.latest.number + 1 if due.latest else 1
                changes = ()
                if due.latest and lots.random() < 0.12:
                    changes = (_change(watch, due, number, clock.now),)
                    found.append(clock.now)
                version = new_version(number, str(number)) if changes or not due.latest else None
                results.append(
                    checked(claim, due, version=version, changes=changes, due=clock.now + 12 * HOUR)
                )
            assert knowledge.schedule.finish(claim, results)
        telling.turn(minutes=60)
    return found


def _change(watch, due, number: int, now: int) -> NewChange:
    finding = Finding(
        type="all links",
        objects=(ObjectChange(object="http://site.test/new", status=Status.NEW, old=0, new=1),),
        share=0.2,
    )
    versions = watch.reference, number
    told = notices_for(parse(watch.text)[0], watch, due, versions, report_of([finding]), as_datetime(now))
    return NewChange(
        sentinel=watch.sentinel,
        old_version=watch.reference,
        new_version=number,
        findings=(finding,),
        notices=told,
    )
