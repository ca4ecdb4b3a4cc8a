"""How much changed is counted by what happened, whatever change type found it (N3)."""

from __future__ import annotations

import pytest

from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.notify.amounts import amounts, in_words, is_important


def _finding(kind: str, *statuses: Status, share: float = 0.0, score: int = 0) -> Finding:
    objects = tuple(ObjectChange(f"{number}", status) for number, status in enumerate(statuses))
    return Finding(type=kind, objects=objects, share=share, score=score)


def test_objects_are_counted_by_what_happened_and_links_once_more():
    links = _finding("all links", Status.NEW, Status.MORE, Status.GONE, share=0.25, score=3)
    words = _finding("all words", Status.UPDATED, Status.MOVED, Status.FEWER, share=0.12345678, score=4)
    told = amounts([links, words, Finding(type="keywords", share=1.0, score=100)])
    assert told == {
        "types": ["all links", "all words"],
        "new": 2,
        "gone": 2,
        "updated": 1,
        "moved": 1,
        "links_added": 2,
        "links_gone": 1,
        "share": 0.25,
        "score": 7,
    }


def test_the_share_is_the_largest_to_a_hundredth_of_a_percent():
    found = [_finding("all words", Status.NEW, share=share) for share in (0.0001, 0.1234567)]
    assert amounts(found)["share"] == 0.1235
    assert amounts([])["share"] == 0.0


def test_sentinels_of_priority_five_and_above_are_important():
    assert [priority for priority in range(11) if is_important(priority)] == list(range(5, 11))


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        ({}, "changed"),
        ({"new": 0, "gone": 0}, "changed"),
        ({"new": 1}, "1 thing new"),
        ({"new": 2, "gone": 1}, "2 things new, 1 gone"),
        ({"moved": 1, "updated": 1_234}, "1,234 things changed, 1 moved"),
        ({"gone": 1, "new": 0}, "1 thing gone"),
    ],
)
def test_amounts_in_words(counted: dict[str, int], words: str):
    assert in_words(counted) == words
