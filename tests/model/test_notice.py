"""Which notices wait for others, and in which queue they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webvigil.model.notice import AT_ONCE, BEST_EFFORT, COUNTED, GATHERED, Notice

NOTICE = Notice(dedup="d", user="u", channel="email", address="a@a.test", subject="s", sentinel="one")


@pytest.mark.parametrize(
    ("notice", "waits"),
    [
        (NOTICE, False),
        (replace(NOTICE, every=1), True),
        (replace(NOTICE, needs=1), True),
        (replace(NOTICE, every=1, needs=1), True),
    ],
)
def test_a_notice_waits_for_an_interval_or_for_a_number_of_changes(notice: Notice, waits: bool):
    assert notice.waits is waits


@pytest.mark.parametrize(
    ("lane", "other", "together"),
    [
        (AT_ONCE, {"sentinel": "two"}, True),
        (GATHERED, {"sentinel": "two"}, True),
        (COUNTED, {"sentinel": "two"}, False),
        (AT_ONCE, {"lane": GATHERED}, False),
        (AT_ONCE, {"user": "v"}, False),
        (AT_ONCE, {"address": "b@a.test"}, False),
        (COUNTED, {"needs": 3}, False),
        (AT_ONCE, {"dedup": "e", "subject": "t", "body": {"a": 1}, "every": 9}, True),
    ],
)
def test_which_notices_stand_in_one_queue(lane: str, other: dict, together: bool):
    one = replace(NOTICE, lane=lane)
    assert (one.queue == replace(one, **other).queue) is together
    assert len(one.queue) == 40


@pytest.mark.parametrize(
    ("lane", "then"),
    [(AT_ONCE, AT_ONCE), (GATHERED, AT_ONCE), (COUNTED, AT_ONCE), (BEST_EFFORT, BEST_EFFORT)],
)
def test_a_notice_without_waiting(lane: str, then: str):
    waiting = replace(NOTICE, lane=lane, every=5, needs=7)
    assert waiting.at_once() == replace(NOTICE, lane=then)
