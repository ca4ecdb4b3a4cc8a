"""Many searches in, those that surely find nothing out, in one pass for words and one for expressions (G3).

All keywords and phrases of a page are searched in one table, all regular expressions in one set. Only the
searches that the pass cannot rule out are then run one by one. A keyword has not changed if it occurs equally
often near the changed places of both versions; a phrase has not changed if it does not occur there; an
expression finds nothing if it matches nothing in both versions.
"""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.detect.keywords import is_part
from webvigil.detect.pair import pair
from webvigil.detect.sequences import finder, folded_words
from webvigil.document import PageDigest
from webvigil.document.derived import cached_property
from webvigil.document.pattern_set import PatternSet
from webvigil.document.patterns import compile_pattern
from webvigil.graph.nodes import ChangeNode

# With fewer searches the common pass costs more than the single searches it saves.
_ENOUGH = 3


class Together:
    """The searches in one part of a page, between two versions whose words differ."""

    def __init__(self, old: PageDigest, new: PageDigest, nodes: Iterable[ChangeNode]) -> None:
        self._old = old
        self._new = new
        sound = [node for node in nodes if node.sound]
        self._words = _enough({node for node in sound if _is_of_words(node)})
        self._patterns = _enough({node for node in sound if _is_pattern(node)})

    def leave_out(self, node: ChangeNode) -> bool:
        """Returns True if this search surely finds nothing."""
        if node in self._words:
            touched = self._moved if node.change.kind == "keywords" else self._near
            return touched.isdisjoint(_sequences(node))
        return node in self._patterns and self._unmatched.issuperset(node.change.arguments)

    @cached_property
    def _moved(self) -> set[tuple[str, ...]]:
        """The word sequences that occur more or less often near the changed places than before."""
        before, after = self._counts
        return {words for words, count in after.items() if before[words] != count}

    @cached_property
    def _near(self) -> set[tuple[str, ...]]:
        """The word sequences that occur near a changed place in either version."""
        before, after = self._counts
        return {words for words, count in after.items() if count or before[words]}

    @cached_property
    def _counts(self) -> tuple[dict[tuple[str, ...], int], dict[tuple[str, ...], int]]:
        """How often each word sequence occurs near the changed places, in the old and in the new version."""
        sequences = list(dict.fromkeys(words for node in self._words for words in _sequences(node)))
        margin = max(map(len, sequences)) - 1
        before, after = map(finder(*sequences).counts, pair(self._old, self._new).near(margin))
        return (
            {words: before.get(which, 0) for which, words in enumerate(sequences)},
            {words: after.get(which, 0) for which, words in enumerate(sequences)},
        )

    @cached_property
    def _unmatched(self) -> set[str]:
        """The expressions that match nothing in either version."""
        texts = [compile_pattern(text) for node in self._patterns for text in node.change.arguments]
        patterns = PatternSet(texts)
        shown = [_shown(digest) for digest in (self._old, self._new)]
        return patterns.unmatched(shown[0]) & patterns.unmatched(shown[1])


def _enough(nodes: set[ChangeNode]) -> set[ChangeNode]:
    return nodes if len(nodes) >= _ENOUGH else set()


def _is_of_words(node: ChangeNode) -> bool:
    return node.change.kind == "phrase" or (node.change.kind == "keywords" and not is_part(node.change))


def _is_pattern(node: ChangeNode) -> bool:
    return node.change.kind == "regular expression" and node.change.option != "in source"


def _sequences(node: ChangeNode) -> list[tuple[str, ...]]:
    return [folded_words(text) for text in node.change.arguments]


def _shown(digest: PageDigest) -> str:
    return digest.reading.text if digest.kind == "text" else digest.shown.text
