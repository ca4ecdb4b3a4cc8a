"""Two digests and a change expression in, findings out.

The general is compared before the specific (G2): documents with equal signatures are equal, and no detector
runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from webvigil.detect import measure
from webvigil.detect.pair import pair
from webvigil.detect.registry import Detector, functions_of, xml_detector
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused
from webvigil.model.change import Finding, ObjectChange
from webvigil.model.change_types import sees_beyond
from webvigil.model.logic import holds
from webvigil.model.sentinel import ChangeExpression, ChangeType, change_types


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Whether an expression holds between two versions, and the findings of its change types."""

    changed: bool
    findings: tuple[Finding, ...]


@lru_cache(4096)
def check(change: ChangeType) -> None:
    """Raises PatternRefused for a change type that cannot be used, whatever the pages.

    The change type is tried on two tiny pages, which refuse an unreadable pattern as any other page would.
    """
    _detector(change, "html")(*_two_pages(), change)


@cache
def _two_pages() -> tuple[PageDigest, PageDigest]:
    """Returns two different pages. On equal pages some detectors return before they have read all of their
    options."""
    return read(b"<p>one"), read(b"<p>other")


def find(old: PageDigest, new: PageDigest, change: ChangeType) -> Finding:
    """Returns what one change type finds between two versions of a page."""
    objects = _objects(old, new, change)
    if not objects:
        return nothing(change.kind)
    note = functions_of(change.kind).note
    return Finding(
        type=change.kind,
        objects=tuple(objects),
        share=measure.share(old, new, change, objects),
        score=measure.score(old, new, change, objects),
        note=note(change, objects) if note else "",
    )


@cache
def nothing(kind: str) -> Finding:
    """Returns the finding of no change, the same object for each kind."""
    return Finding(type=kind)


def evaluate(old: PageDigest, new: PageDigest, expression: ChangeExpression) -> Evaluation:
    """Compares each change type of the expression once, and returns whether the expression holds. NOT means
    that its operand was compared and did not change (G5)."""
    found = {change: find(old, new, change) for change in change_types(expression)}
    return Evaluation(holds(expression, lambda change: found[change].changed), tuple(found.values()))


def _objects(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    detect = _detector(change, _kind(old, new))
    if old is new or (pair(old, new).same and not sees_beyond(change)):
        return []
    return detect(old, new, change)


def _detector(change: ChangeType, kind: str) -> Detector:
    """Returns the function for a change type on pages of a kind ("html", "xml" and so on)."""
    try:
        usual = functions_of(change.kind).detect
    except KeyError as error:
        raise PatternRefused(f"there is no change type {change.kind!r}") from error
    return (xml_detector(change.kind) if kind in ("xml", "json") else None) or usual


def _kind(old: PageDigest, new: PageDigest) -> str:
    """Returns the kind of both pages. XHTML counts as HTML; pages of two different kinds are compared as text
    only."""
    if old.kind != new.kind:
        return ""
    return "html" if old.is_html and new.is_html else old.kind
