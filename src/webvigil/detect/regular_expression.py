"""The fragments of the page that a regular expression matches (C9).

They are compared as a multiset, so their order does not count. A fragment that went and one that came at
the same place among the others are one update. `in source` looks at the markup, in the form in which the
page is written again from its digest; otherwise the text as shown is searched, one line per block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from webvigil.detect import counts
from webvigil.detect.alignment import gaps
from webvigil.detect.places import paths
from webvigil.detect.remembered import remembered
from webvigil.document import PageDigest
from webvigil.document.derived import cached_property
from webvigil.document.patterns import compile_pattern
from webvigil.document.reading import Reading
from webvigil.document.writer import places
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    for pattern in change.arguments:
        compile_pattern(pattern)
    if change.option != "in source" and _reads_the_same(old, new):
        return []
    before, after = _matches(old, change), _matches(new, change)
    if before.texts == after.texts:
        return []
    names = counts.changed(before.placed, after.placed)
    told, others = counts.first(names)
    if others:
        return [*_counted(told, before, after), *counts.together(others, before.counts, after.counts)]
    updates = dict(_updates(before, after))
    renamed = set(updates.values())
    single = _counted([name for name in names if name not in updates and name not in renamed], before, after)
    now = after.placed.nodes_of(updates.values())
    return [
        after.update(name, updates[name], now[updates[name]]) if name in updates else next(single)
        for name in names
        if name not in renamed
    ]


def _reads_the_same(old: PageDigest, new: PageDigest) -> bool:
    if "text" in (old.kind, new.kind):
        return _shown(old).text == _shown(new).text
    return old.same_lines(new)


def _matches(digest: PageDigest, change: ChangeType) -> _Matches:
    known = _known(digest)
    if change not in known:
        known[change] = _Matches(digest, change)
    return known[change]


@remembered
def _known(digest: PageDigest) -> dict[ChangeType, _Matches]:
    """What was matched in a version is the same when it is compared with the next."""
    return {}


class _Matches:
    """What a pattern matches in one version."""

    def __init__(self, digest: PageDigest, change: ChangeType) -> None:
        self._digest = digest
        self._in_source = change.option == "in source"
        text = _source(digest) if self._in_source else _shown(digest).text
        # A mark before the source belongs to no node.
        self._mark = int(self._in_source and text.startswith("\ufeff"))
        spans = [span for pattern in change.arguments for span in compile_pattern(pattern).spans(text)]
        self.texts = [text[start:end] for start, end in spans]
        self._starts = [start for start, _ in spans]

    @cached_property
    def placed(self) -> counts.Placed:
        return counts.Placed(self.texts, self._starts)

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.texts)

    def where(self, starts: list[int]) -> tuple[str, ...]:
        if not self._in_source:
            return paths(self._digest, _shown(self._digest).nodes_at(starts))
        nodes, begins = self._written
        return paths(
            self._digest, [nodes[max(bisect_right(begins, start - self._mark) - 1, 0)] for start in starts]
        )

    @cached_property
    def _written(self) -> tuple[list[int], list[int]]:
        return places(self._digest)

    def update(self, before: str, after: str, starts: list[int]) -> ObjectChange:
        return ObjectChange(
            object=before, status=Status.UPDATED, before=before, after=after, where=self.where(starts)
        )


def _shown(digest: PageDigest) -> Reading:
    """White space means something in plain text only."""
    return digest.reading if digest.kind == "text" else digest.shown


def _source(digest: PageDigest) -> str:
    return "" if digest.kind == "binary" else digest.as_document().decode("utf-8", "replace")


def _updates(before: _Matches, after: _Matches) -> Iterator[tuple[str, str]]:
    """Fragments that stood once and are gone, with the one that came once in their place."""
    old, new = before.counts, after.counts
    for gap in gaps(before.texts, after.texts):
        gone = [text for text in before.texts[slice(*gap.old)] if old[text] == 1 and text not in new]
        come = [text for text in after.texts[slice(*gap.new)] if new[text] == 1 and text not in old]
        yield from zip(gone, come, strict=False)


def _counted(names: list[str], before: _Matches, after: _Matches) -> Iterator[ObjectChange]:
    there, here = before.placed.nodes_of(names), after.placed.nodes_of(names)
    for name in names:
        where = after.where(here[name]) if here[name] else before.where(there[name])
        yield counts.count_change(name, len(there[name]), len(here[name]), where)
