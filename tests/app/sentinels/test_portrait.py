"""What is told of a sentinel: the next looks of its schedule, and what was left out last."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.app.moving.kept import Clock
from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.sentinels.portrait import last_left_out, portrait_of, scheduled_looks
from webvigil.app.settings import read_settings
from webvigil.model.moment import HOUR
from webvigil.model.work import Look
from webvigil.store.memory import MemoryKnowledge

NOW = datetime.fromtimestamp(Clock.now / 1000, UTC)


def knowledge_with(clauses: str = "") -> MemoryKnowledge:
    knowledge = MemoryKnowledge(delay=0, clock=Clock())
    knowledge.users.add("jill")
    text = f"Create Sentinel s Using http://a.test/\n{clauses}"
    knowledge.sentinels.add(sentinel("s", "http://a.test/", "http://b.test/", text=text))
    return knowledge


def days(found: tuple[datetime, ...]) -> list[str]:
    return [one.isoformat(timespec="minutes") for one in found]


def test_the_next_five_times_of_a_schedule_are_told_in_the_time_zone_of_the_user():
    found = knowledge_with("Fetch at 7:30\n").sentinels.get("jill", "s")
    assert days(scheduled_looks(found, "UTC")) == [f"2025-11-0{day}T07:30+00:00" for day in range(2, 7)]
    assert days(scheduled_looks(found, "Europe/Vienna", 2)) == [
        "2025-11-02T07:30+01:00",
        "2025-11-03T07:30+01:00",
    ]


def test_without_a_schedule_or_a_due_page_no_times_are_told():
    found = knowledge_with("Fetch at 7:30\n").sentinels.get("jill", "s")
    assert scheduled_looks(replace(found, pages=()), "UTC") == ()
    idle = replace(found.pages[0], due=None)
    assert scheduled_looks(replace(found, pages=(idle, found.pages[1])), "UTC") == ()
    later = replace(found.pages[0], due=found.pages[0].due and found.pages[0].due + timedelta(days=2))
    assert days(scheduled_looks(replace(found, pages=(later, found.pages[1])), "UTC", 1)) == [
        "2025-11-04T07:30+00:00"
    ]
    assert scheduled_looks(knowledge_with().sentinels.get("jill", "s"), "UTC") == ()


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ([], ""),
        (["", "a", "b"], "a"),
        ([""] * 99 + ["a"], "a"),
        ([""] * 3, ""),
    ],
)
def test_what_was_left_out_last_is_told(log: list[str], said: str):
    class Journal:
        def fetch_log(self, page: int, limit: int) -> Any:
            assert page == 7
            return [{"left_out": one} for one in log][:limit]

    journal: Any = Journal()
    assert last_left_out(journal, 7) == said


def test_a_page_that_fails_says_why_it_failed_last(tmp_path: Path):
    knowledge = knowledge_with()
    settings = read_settings({"data": str(tmp_path), "user": "jill", "linked_pages": "9"}, environment={})
    for error in ("it was away", "it is gone"):
        for claim in claim_all(knowledge):
            results = []
            for page in claim.pages:
                failed = "a.test" in page.page.url
                look = Look(why="due", decision="failed" if failed else "same", error=error if failed else "")
                version = None if failed or page.latest else new_version(1)
                results.append(
                    checked(
                        claim, page, look=look, version=version, failures=int(failed), due=claim.now + HOUR
                    )
                )
            knowledge.schedule.finish(claim, results)
        for page in knowledge.sentinels.get("jill", "s").pages:
            knowledge.schedule.ask(page.id)
    told = portrait_of(knowledge, settings, knowledge.users.get("jill"), "s")
    assert told.trouble == {"http://a.test/": "it is gone"}
    assert (told.linked, told.most_linked, told.restless, told.left_out, told.looks) == ((), 9, (), {}, ())
    assert list(told.pace) == ["http://a.test/", "http://b.test/"]
