"""The fragments of the page that a regular expression matches (C9).

They are compared as a multiset, so their order does not count. A fragment that went and one that came at
the same place among the others are one update. `in source` looks at the markup, in the form in which the
page is written again from its digest; otherwise the text as shown is searched, one line per block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webvigil.detect import counts
from webvigil.detect.alignment import TOLD, gaps
from webvigil.detect.places import paths
from webvigil.detect.remembered import remembered
from webvigil.document import PageDigest
from webvigil.document.derived import cached_property
from webvigil.document.patterns import Pattern, Spans, compile_pattern
from webvigil.document.reading import Reading, changed_lines
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    for pattern in change.arguments:
        compile_pattern(pattern)
    if change.option != "in source" and _reads_the_same(old, new):
        return []
    before = _matches(old, change)
    after = _matches(new, change, before)
    if before.texts == after.texts:
        return []
    found = counts.changed(before.placed, after.placed)
    updates = dict(_updates(found, before.texts, after.texts)) if len(found) <= TOLD else {}
    renamed = {*updates, *updates.values()}
    single = counts.told_or_counted(
        [one for one in found if one[0] not in renamed],
        lambda there, here: after.where(here) if here else before.where(there),
    )
    if not updates:
        return single
    now, others = {name: here for name, _, here in found}, iter(single)
    return [
        after.update(name, updates[name], now[updates[name]]) if name in updates else next(others)
        for name, _, _ in found
        if name in updates or name not in renamed
    ]


def _reads_the_same(old: PageDigest, new: PageDigest) -> bool:
    if "text" in (old.kind, new.kind):
        return _shown(old).text == _shown(new).text
    return old.same_lines(new)


def _matches(digest: PageDigest, change: ChangeType, before: _Matches | None = None) -> _Matches:
    """`before`: those of the version before, of which most may be the same."""
    known = _known(digest)
    if change not in known:
        known[change] = _Matches(digest, change, before)
    return known[change]


@remembered
def _known(digest: PageDigest) -> dict[ChangeType, _Matches]:
    """What was matched in a version is the same when it is compared with the next."""
    return {}


class _Matches:
    """What a pattern matches in one version."""

    def __init__(self, digest: PageDigest, change: ChangeType, before: _Matches | None) -> None:
        self._digest = digest
        self._in_source = change.option == "in source"
        self._text = text = _source(digest) if self._in_source else _shown(digest).text
        patterns = map(compile_pattern, change.arguments)
        self._spans = [_spans(pattern, text, number, before) for number, pattern in enumerate(patterns)]
        spans = [span for of_pattern in self._spans for span in of_pattern]
        self.texts = [text[start:end] for start, end in spans]
        self._starts = [start for start, _ in spans]

    @cached_property
    def placed(self) -> counts.Placed:
        return counts.Placed(self.texts, self._starts)

    def where(self, starts: list[int]) -> tuple[str, ...]:
        return () if self._in_source else paths(self._digest, _shown(self._digest).nodes_at(starts))

    def update(self, before: str, after: str, starts: list[int]) -> ObjectChange:
        return ObjectChange(
            object=before, status=Status.UPDATED, before=before, after=after, where=self.where(starts)
        )

    def in_lines_of(self, text: str, number: int, pattern: Pattern) -> Spans:
        """What a pattern, that of this number, matches in the next text: only changed lines are searched."""
        start, old_end, end = changed_lines(self._text, text)
        moved = len(text) - len(self._text)
        known = self._spans[number]
        return [
            *[span for span in known if span[1] <= start],
            *[(first + start, last + start) for first, last in pattern.spans(text[start:end])],
            *[(first + moved, last + moved) for first, last in known if first >= old_end],
        ]


def _spans(pattern: Pattern, text: str, number: int, before: _Matches | None) -> Spans:
    if before is None or not pattern.stays_in_line:
        return pattern.spans(text)
    return before.in_lines_of(text, number, pattern)


def _shown(digest: PageDigest) -> Reading:
    """White space means something in plain text only."""
    return digest.reading if digest.kind == "text" else digest.shown


def _source(digest: PageDigest) -> str:
    return "" if digest.kind == "binary" else digest.as_document().decode("utf-8", "replace")


def _updates(
    found: Sequence[counts.Recounted], before: list[str], after: list[str]
) -> Iterator[tuple[str, str]]:
    """Fragments that stood once and are gone, with the one that came once in their place."""
    gone = {name for name, there, here in found if len(there) == 1 and not here}
    come = {name for name, there, here in found if len(here) == 1 and not there}
    for gap in gaps(before, after) if gone and come else ():
        yield from zip(
            [text for text in before[slice(*gap.old)] if text in gone],
            [text for text in after[slice(*gap.new)] if text in come],
            strict=False,
        )
