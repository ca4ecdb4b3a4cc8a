"""The fetch log of a page reads like a story (F10)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from webvigil.present.story import habit_of, pace_changes, story

START = datetime(2026, 12, 1, 8, 0, 3, tzinfo=UTC)


def look(minutes: float, decision: str, **more: Any) -> dict[str, Any]:
    usual = {"why": "due", "status": 200, "bytes": 0, "duration": 0, "error": "", "reason": ""}
    return {"at": START + timedelta(minutes=minutes), "decision": decision, **usual, **more}


def test_a_day_in_the_life_of_a_page():
    looks = [
        look(
            0,
            "new version",
            why="first look",
            bytes=47_300,
            duration=312,
            reason="fetched for the first time",
        ),
        *(
            look(5 * n, "not modified", reason="the server says so by ETag", duration=40)
            for n in range(1, 13)
        ),
        look(65, "failed", error="the server answered 503", reason="tried again in 20 seconds"),
        look(66, "not modified", why="retry", reason="the server says so by ETag"),
        look(70, "new version", bytes=900, reason="sent in full by the server", error="s1: no"),
        look(1445, "same", why="asked", bytes=2_000_000, duration=1500, reason="sent in full by the server"),
    ]
    assert list(story(looks)) == [
        "2026-12-01  08:00:03  first look: a new version (47 KB, 0.3 s): fetched for the first time",
        "            08:05:03  not modified: the server says so by ETag",
        "                      … and 11 more times, until 09:00:03",
        "            09:05:03  failed: the server answered 503; tried again in 20 seconds",
        "            09:06:03  retry: not modified: the server says so by ETag",
        "            09:10:03  a new version (900 bytes): sent in full by the server; trouble: s1: no",
        "2026-12-02  08:05:03  asked: the same as before (2 MB, 1.5 s): sent in full by the server",
    ]


def test_when_we_look_next_is_told_of_new_versions_and_of_the_last_look():
    looks = [
        look(0, "new version", plan="nothing known of its changes yet; next look in 1 minute"),
        look(1, "same", plan="no change seen in 1 minute; next look in 2 minutes"),
        look(3, "same", plan="no change seen in 3 minutes; next look in 5 minutes"),
        look(8, "new version", plan="changes about every 4 minutes; next look in 3 minutes"),
        look(11, "same", plan="changes about every 4 minutes; next look in 90 seconds"),
    ]
    assert list(story(looks)) == [
        "2026-12-01  08:00:03  a new version",
        "                      → nothing known of its changes yet; next look in 1 minute",
        "            08:01:03  the same as before",
        "                      … and once more, until 08:03:03",
        "            08:08:03  a new version",
        "                      → changes about every 4 minutes; next look in 3 minutes",
        "            08:11:03  the same as before",
        "                      → changes about every 4 minutes; next look in 90 seconds",
    ]
    assert habit_of(looks[::-1]) == "changes about every 4 minutes"
    assert habit_of([]) == ""


def test_no_looks_are_no_story():
    assert list(story([])) == []


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"bytes": 1}, " (1 byte)"),
        ({"bytes": 999}, " (999 bytes)"),
        ({"bytes": 1_000}, " (1 KB)"),
        ({"bytes": 1_499}, " (1 KB)"),
        ({"bytes": 1_000_000}, " (1 MB)"),
        ({"duration": 49}, ""),
        ({"duration": 50}, " (0.1 s)"),
        ({"duration": 1_240}, " (1.2 s)"),
        ({"bytes": 999_000, "duration": 2_000, "reason": "so"}, " (999 KB, 2.0 s): so"),
        ({"error": "x: no"}, "; trouble: x: no"),
    ],
)
def test_a_look_tells_how_much_came_and_how_long_it_took(facts: dict[str, Any], told: str):
    assert list(story([look(0, "same", **facts)])) == [f"2026-12-01  08:00:03  the same as before{told}"]


def test_quiet_looks_that_differ_have_a_line_each():
    looks = [
        look(0, "postponed", reason="busy"),
        look(1, "postponed", reason="asleep"),
        look(2, "same"),
        look(3, "same", why="asked"),
        look(4, "same", why="asked", error="x: no"),
        look(5, "same", why="asked", error="x: no"),
        look(6, "failed", error="gone"),
        look(7, "failed", error="gone"),
    ]
    assert len(list(story(looks))) == 8


def test_looks_at_a_page_that_is_gone_share_a_line_and_name_another_day():
    looks = [
        *(look(minutes, "no page", error="404", left_out="2 frames") for minutes in (0, 1, 1440)),
        look(1441, "no page", error="410", why="retry"),
    ]
    assert list(story(looks)) == [
        "2026-12-01  08:00:03  no page: 404",
        "                      … and 2 more times, until 2026-12-02 08:00:03",
        "                      left out: 2 frames",
        "2026-12-02  08:01:03  retry: no page: 410",
    ]


def test_the_plan_of_a_fixed_interval_is_told_once_at_the_end():
    looks = [look(minutes, "new version", plan="looked at every minute") for minutes in (0, 1)]
    assert [line.strip() for line in story(looks) if "looked" in line] == ["→ looked at every minute"]


def test_a_habit_is_news_when_it_differs_from_the_one_before():
    plans = ["a; next look soon", "a; next look late", "", "b", "b", "a"]
    looks = [look(minutes, "same", plan=plan) for minutes, plan in enumerate(plans)][::-1]
    assert pace_changes(looks) == [
        (START + timedelta(minutes=5), "a"),
        (START + timedelta(minutes=3), "b"),
    ]
    assert (pace_changes([]), habit_of([look(0, "same")]), habit_of(looks)) == ([], "", "a")
