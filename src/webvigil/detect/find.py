"""Two digests and a change expression in, findings out.

General before specific (G2): equal documents are told by their signature, and then nothing runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from webvigil.detect import measure
from webvigil.detect.pair import pair
from webvigil.detect.registry import DETECTORS, NOTES, Detector, detector
from webvigil.detect.remembered import kept
from webvigil.detect.uncollected import uncollected
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused
from webvigil.model.change import Finding, ObjectChange
from webvigil.model.change_types import sees_beyond
from webvigil.model.logic import holds
from webvigil.model.sentinel import ChangeExpression, ChangeType, change_types

_LARGE = 20_000  # nodes
_LONG = 250_000  # characters
_uncollected = uncollected()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Whether an expression holds between two versions, and what each of its change types found."""

    changed: bool
    findings: tuple[Finding, ...]


@lru_cache(4096)
def check(change: ChangeType) -> None:
    """Raises PatternRefused for a change type that cannot be used, whatever the pages.

    Tried on two tiny pages: a pattern that cannot be read is refused there as it would be later.
    """
    _detector(change, "html")(_ONE, _OTHER, change)


_ONE, _OTHER = read(b"<p>one"), read(b"<p>other")


def find(old: PageDigest, new: PageDigest, change: ChangeType) -> Finding:
    """What one change type finds between two versions of a page."""
    if len(old) + len(new) < _LARGE and not _is_long(old) and not _is_long(new):
        return _find(old, new, change)
    with _uncollected:
        return _find(old, new, change)


def _is_long(digest: PageDigest) -> bool:
    """Texts that nobody has asked for yet are not looked at."""
    return "texts" in digest.__dict__ and _written(digest) > _LONG


@kept
def _written(digest: PageDigest) -> int:
    """How many characters the different texts of a page have."""
    return sum(map(len, digest.texts))


def _find(old: PageDigest, new: PageDigest, change: ChangeType) -> Finding:
    objects = _objects(old, new, change)
    if not objects:
        return _nothing(change.kind)
    return Finding(
        type=change.kind,
        objects=tuple(objects),
        share=measure.share(old, new, change, objects),
        score=measure.score(old, new, change, objects),
        note=NOTES[change.kind](change, objects) if change.kind in NOTES else "",
    )


@cache
def _nothing(kind: str) -> Finding:
    return Finding(type=kind)


def evaluate(old: PageDigest, new: PageDigest, expression: ChangeExpression) -> Evaluation:
    """Every change type of the expression is compared once; NOT: compared, and did not change (G5)."""
    found = {change: find(old, new, change) for change in change_types(expression)}
    return Evaluation(holds(expression, lambda change: found[change].changed), tuple(found.values()))


def _objects(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    detect = _detector(change, _kind(old, new))
    if old is new or (not sees_beyond(change) and pair(old, new).same):
        return []
    return detect(old, new, change)


def _detector(change: ChangeType, kind: str) -> Detector:
    if change.kind not in DETECTORS:
        raise PatternRefused(f"there is no change type {change.kind!r}")
    return detector(change, kind)


def _kind(old: PageDigest, new: PageDigest) -> str:
    """The kind of both pages; XHTML is read as HTML is, and pages of two kinds only as text."""
    if old.kind != new.kind:
        return ""
    return "html" if old.is_html and new.is_html else old.kind
