"""Several notices become one summary, with amounts first and its entries in the user's order (N2, N3)."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.model.contact import Order
from webvigil.model.notice import AT_ONCE, BEST_EFFORT, GATHERED, Notice, Waiting
from webvigil.notify.summary import in_order, summary


def waiting(number: int, sentinel: str = "s", *, lane: str = GATHERED, **body: Any) -> Waiting:
    plain = {"event": "change", "sentinel": sentinel, "at": f"2026-03-01T12:00:{number:02}+00:00", **body}
    notice = Notice(
        dedup=f"{number}",
        user="jill",
        channel="email",
        address="jill@a.test",
        subject=f"subject {number}",
        body=plain,
        sentinel=sentinel,
        lane=lane,
    )
    return Waiting(id=number, notice=notice, since=1_000, due=0)


def test_a_summary_of_one_sentinel_says_how_much_and_what():
    amounts = {"types": ["all links"], "new": 2, "links_added": 2, "score": 512, "share": 0.5}
    one = summary(
        [
            waiting(1, title="Sofa", headline="A link is new.", amounts=amounts, topic="b, a"),
            waiting(2, title="Sofa", headline="A link is gone.", amounts={**amounts, "gone": 1}),
        ],
        "time",
    )
    assert (one.user, one.channel, one.address, one.sentinel) == ("jill", "email", "jill@a.test", "s")
    assert one.dedup.startswith("summary:1-2:")
    assert one.subject == "Sofa: 2 changes, among them A link is gone."
    body = dict(one.body)
    assert [entry["subject"] for entry in body.pop("entries")] == ["subject 2", "subject 1"]
    total = {"new": 4, "gone": 1, "updated": 0, "moved": 0, "links_added": 4, "links_gone": 0, "score": 1024}
    assert body.pop("amounts") == {"types": ["all links"], **total, "share": 0.0}
    assert body == {
        "event": "summary",
        "order": "time",
        "important": False,
        "changes": 2,
        "news": 2,
        "sentinels": 1,
        "summary": "4 things new, 1 gone",
        "topics": ["a", "b"],
        "records": [],
    }


@pytest.mark.parametrize(
    ("several", "subject"),
    [
        ([waiting(1)], "s: 1 change"),
        ([waiting(1), waiting(2, "t")], "2 sentinels: 2 changes"),
        ([waiting(1, event="failed")], "s: 1 piece of news"),
        ([waiting(1, event="failed"), waiting(2, event="failed")], "s: 2 pieces of news"),
        ([waiting(1, event="failed", important=True)], "[important] s: 1 piece of news"),
        (
            [waiting(1, headline="New.", title="T"), waiting(2, "t")],
            "2 sentinels: 2 changes, among them New. · T",
        ),
    ],
)
def test_the_subject_of_a_summary(several: list[Waiting], subject: str):
    one = summary(several, "time")
    assert one.subject == subject
    assert one.sentinel == ("" if "2 sentinels" in subject else "s")


@pytest.mark.parametrize(
    ("lane", "kept"), [(BEST_EFFORT, BEST_EFFORT), (GATHERED, AT_ONCE), (AT_ONCE, AT_ONCE)]
)
def test_a_summary_of_what_may_wait_may_wait(lane: str, kept: str):
    assert summary([waiting(1, lane=lane)], "time").lane == kept


def test_two_hundred_entries_are_listed_and_the_others_counted():
    whole, cut = (summary([waiting(n) for n in range(count)], "time").body for count in (200, 201))
    assert (len(whole["entries"]), "more" in whole) == (200, False)
    assert (len(cut["entries"]), cut["more"], cut["changes"], cut["news"]) == (200, 1, 201, 201)


def test_a_summary_that_had_to_wait_is_taken_apart_again():
    earlier = summary([waiting(n) for n in range(201)], "time")
    again = summary([Waiting(id=300, notice=earlier, since=0, due=0), waiting(301)], "time").body
    assert (again["changes"], again["news"], again["more"]) == (202, 202, 2)
    assert [entry["subject"] for entry in again["entries"][-1:]] != []


def test_a_whole_summary_that_had_to_wait_leaves_nothing_out():
    earlier = summary([waiting(1), waiting(2)], "time")
    again = summary([Waiting(id=300, notice=earlier, since=0, due=0), waiting(301)], "time").body
    assert (again["changes"], again["news"], "more" in again) == (3, 3, False)


def test_an_entry_without_a_time_has_that_of_its_waiting():
    one = waiting(1)
    del one.notice.body["at"]
    (entry,) = summary([one], "time").body["entries"]
    assert entry["at"] == "1970-01-01T00:00:01+00:00"
    assert "findings" not in entry


ENTRIES = [
    {"n": 1, "at": "1", "priority": 2, "topic": "b"},
    {"n": 2, "at": "2"},
    {"n": 3, "at": "3", "priority": 7, "topic": "a"},
    {"n": 4, "at": "4", "priority": 2, "topic": "a"},
    {"n": 5},
]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("time", [4, 3, 2, 1, 5]), ("priority", [3, 4, 1, 2, 5]), ("topic", [4, 3, 1, 2, 5])],
)
def test_entries_are_sorted_as_the_user_wants(order: Order, expected: list[int]):
    assert [entry["n"] for entry in in_order(ENTRIES, order)] == expected
