"""Two pages and a regular expression in, the matching fragments that came, went or changed out (C9).

Fragments are compared as a multiset, so their order does not count. A fragment that went and one that came at
the same place among the others are one update. With `in source` the markup is searched, as it is written
again from the digest; otherwise the visible text is searched, one line per block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from webvigil.detect import counts
from webvigil.detect.alignment import Gap, gaps, trimmed
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.document.patterns import compile_pattern
from webvigil.document.reading import Reading, changed_lines
from webvigil.document.words import cut_out
from webvigil.document.writer import places
from webvigil.model.change import ObjectChange, Status
from webvigil.model.memo import cached_property, remembered
from webvigil.model.sentinel import ChangeType

# If more fragments than this, without the equal ones at both ends, are left in all, their places are not
# compared, and updates are reported as gone and new.
_ALIGNED = 60_000


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    for pattern in change.arguments:
        compile_pattern(pattern)
    if change.option != "in source" and (_reads_the_same(old, new) or _matches_the_same(old, new, change)):
        return []
    before, after = _matches(old, change), _matches(new, change)
    if before.texts == after.texts:
        return []
    found, others = counts.changed(before.placed, after.placed)
    updates = {} if others else dict(_updates(found, before.texts, after.texts))
    renamed = {*updates, *updates.values()}
    single = counts.told_or_counted(
        [one for one in found if one[0] not in renamed],
        others,
        lambda there, here: after.where(here) if here else before.where(there),
    )
    if not updates:
        return single
    now, rest = {name: here for name, _, here in found}, iter(single)
    return [
        after.update(name, updates[name], now[updates[name]]) if name in updates else next(rest)
        for name, _, _ in found
        if name in updates or name not in renamed
    ]


def _reads_the_same(old: PageDigest, new: PageDigest) -> bool:
    """Returns True if the visible texts are equal, so that no expression can find a difference."""
    if "text" in (old.kind, new.kind):
        return _shown(old).text == _shown(new).text
    return old.same_lines(new)


def _matches_the_same(old: PageDigest, new: PageDigest, change: ChangeType) -> bool:
    """Returns True if the lines that differ surely have the same matches. Then all lines have, and most of
    the page need not be searched."""
    before, after = _shown(old).text, _shown(new).text
    patterns = [compile_pattern(pattern) for pattern in change.arguments]
    if not all(one.is_linewise(before) and one.is_linewise(after) for one in patterns):
        return False
    start, old_end, end = changed_lines(before, after)
    if 2 * (end - start) > len(after):
        return False
    was, now = before[start:old_end], after[start:end]
    return all(cut_out(was, *one.edges(was)) == cut_out(now, *one.edges(now)) for one in patterns)


def _matches(digest: PageDigest, change: ChangeType) -> _Matches:
    known = _known(digest)
    if change not in known:
        known[change] = _Matches(digest, change)
    return known[change]


@remembered
def _known(digest: PageDigest) -> dict[ChangeType, _Matches]:
    """Returns the matches in a version, which stay the same when it is compared with the next version."""
    return {}


class _Matches:
    """What the expressions match in one version."""

    def __init__(self, digest: PageDigest, change: ChangeType) -> None:
        self._digest = digest
        self._in_source = change.option == "in source"
        text = _source(digest) if self._in_source else _shown(digest).text
        # A byte order mark before the source belongs to no node.
        self._mark = int(self._in_source and text.startswith("\ufeff"))
        found = [compile_pattern(pattern).edges(text) for pattern in change.arguments]
        self.texts = [one for starts, ends in found for one in cut_out(text, starts, ends)]
        self._starts = [start for starts, _ in found for start in starts.tolist()]

    @cached_property
    def placed(self) -> counts.Placed:
        return counts.Placed(self.texts, self._starts)

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
    """Returns the text that is searched. White space means something in plain text only."""
    return digest.reading if digest.kind == "text" else digest.shown


def _source(digest: PageDigest) -> str:
    return "" if digest.kind == "binary" else digest.as_document().decode("utf-8", "replace")


def _updates(
    found: Sequence[counts.Recounted], before: list[str], after: list[str]
) -> Iterator[tuple[str, str]]:
    """Yields fragments that occurred once and are gone, each with the fragment that came once in its
    place."""
    gone = {name for name, there, here in found if len(there) == 1 and not here}
    come = {name for name, there, here in found if len(here) == 1 and not there}
    core = trimmed(before, after, Gap(0, len(before), 0, len(after)))
    near = core.old_end - core.old_start + core.new_end - core.new_start <= _ALIGNED
    for gap in gaps(before, after) if gone and come and near else ():
        yield from zip(
            [text for text in before[slice(*gap.old)] if text in gone],
            [text for text in after[slice(*gap.new)] if text in come],
            strict=False,
        )
