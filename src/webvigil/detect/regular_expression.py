"""The fragments of the page that a regular expression matches (C9).

They are compared as a multiset, so their order does not count. A fragment that went and one that came at
the same place among the others are one update. `in source` looks at the markup, in the form in which the
page is written again from its digest; otherwise the text as shown is searched, one line per block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from webvigil.detect import counts
from webvigil.detect.alignment import gaps
from webvigil.detect.patterns import check, fragments
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if change.option != "in source" and old.visible_text == new.visible_text:
        for pattern in change.arguments:
            check(pattern)
        return []
    before = _Matches(old, change)
    after = _Matches(new, change)
    names = counts.changed(before.texts, after.texts)
    if not names:
        return []
    updates = dict(_updates(before.texts, after.texts))
    renamed = set(updates.values())
    return [
        after.update(name, updates[name]) if name in updates else _count(name, before, after)
        for name in names
        if name not in renamed
    ]


class _Matches:
    """What a pattern matches in one version."""

    def __init__(self, digest: PageDigest, change: ChangeType) -> None:
        self._digest = digest
        self._in_source = change.option == "in source"
        text = _source(digest) if self._in_source else digest.visible_text
        self._found = [match for pattern in change.arguments for match in fragments(pattern, text)]
        self.texts = [fragment for fragment, _ in self._found]
        self.counts = Counter(self.texts)

    def where(self, name: str) -> tuple[str, ...]:
        if self._in_source:
            return ()
        nodes = [self._digest.shown.node_at(place) for text, place in self._found if text == name]
        return paths(self._digest, nodes)

    def update(self, before: str, after: str) -> ObjectChange:
        return ObjectChange(
            object=before, status=Status.UPDATED, before=before, after=after, where=self.where(after)
        )


def _source(digest: PageDigest) -> str:
    return "" if digest.kind == "binary" else digest.as_document().decode("utf-8", "replace")


def _updates(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Fragments that stood once and are gone, with the one that came once in their place."""
    old, new = Counter(before), Counter(after)
    for gap in gaps(before, after):
        gone = [text for text in before[gap.old_start : gap.old_end] if old[text] == 1 and not new[text]]
        come = [text for text in after[gap.new_start : gap.new_end] if new[text] == 1 and not old[text]]
        yield from zip(gone, come, strict=False)


def _count(name: str, before: _Matches, after: _Matches) -> ObjectChange:
    where = after.where(name) if after.counts[name] else before.where(name)
    return counts.count_change(name, before.counts[name], after.counts[name], where)
