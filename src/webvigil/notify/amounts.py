"""Findings in, the amount of change out: kinds of change, new and gone links, share of the text (N3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from webvigil.model.change import Finding, Status

_SIDES = {
    Status.NEW: "new",
    Status.MORE: "new",
    Status.GONE: "gone",
    Status.FEWER: "gone",
    Status.UPDATED: "updated",
    Status.MOVED: "moved",
}
_WORDS = {"new": "new", "gone": "gone", "updated": "changed", "moved": "moved"}
NO_AMOUNT = "changed"
# A change of a sentinel with this priority is marked as important.
_HIGH_PRIORITY = 5


def amounts(findings: Iterable[Finding]) -> dict[str, Any]:
    """Counts what changed: objects by what happened to them, links, the largest share, and the sum of
    scores."""
    changed = [finding for finding in findings if finding.changed]
    counts = dict.fromkeys(_WORDS, 0)
    links = {"new": 0, "gone": 0}
    for finding in changed:
        for one in finding.objects:
            side = _SIDES[one.status]
            counts[side] += one.many
            if finding.type == "all links" and side in links:
                links[side] += one.many
    return {
        "types": list(dict.fromkeys(finding.type for finding in changed)),
        **counts,
        "links_added": links["new"],
        "links_gone": links["gone"],
        "share": round(max((finding.share for finding in changed), default=0.0), 4),
        "score": sum(finding.score for finding in changed),
    }


def in_words(amounts: Mapping[str, Any]) -> str:
    """Returns the amounts of several changes as words, such as `3 things new, 1 gone`."""
    counted = [(number, word) for side, word in _WORDS.items() if (number := amounts.get(side))]
    if not counted:
        return NO_AMOUNT
    (first, word), *rest = counted
    things = "thing" if first == 1 else "things"
    return ", ".join([f"{first:,} {things} {word}", *(f"{number:,} {word}" for number, word in rest)])


def is_important(priority: int) -> bool:
    """Returns True if the user gave the sentinel a high priority."""
    return priority >= _HIGH_PRIORITY
