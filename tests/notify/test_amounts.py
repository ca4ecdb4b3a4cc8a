"""How much changed is counted by what happened, whatever change type found it (N3)."""

from __future__ import annotations

from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.notify.amounts import amounts, is_important


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
