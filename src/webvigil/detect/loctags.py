"""Two pages in, pairs of contexts with their changed words out, by the algorithm LOCTAGS (C12, BEH IV).

A page is a stream of tags with contexts (the words) between them. The longest common subsequence of both tag
streams pairs the contexts: the words between two unchanged tags are compared with the words between the same
tags now, by a longest common subsequence of words. So a word is never taken for the same word in another cell
or item, as it happens when text is compared without its markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from webvigil.detect.alignment import Gap, aligned, cells, trimmed_items
from webvigil.detect.lcs import Run, common_runs, gaps
from webvigil.document import PageDigest
from webvigil.document.hashes import string_hashes
from webvigil.document.markup import VOID
from webvigil.model.memo import cached_property


class ContextPair(NamedTuple):
    """The words old_start … old_end - 1 of the old page are where new_start … new_end - 1 of the new page
    are. `changes` are the words that went, and those that came in their place. All numbers are those of
    `digest.words`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    changes: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired contexts that contain words, in reading order, and the tags that went and came."""

    pairs: tuple[ContextPair, ...]
    deleted_tags: tuple[str, ...]
    added_tags: tuple[str, ...]

    @property
    def changes(self) -> tuple[Gap, ...]:
        return tuple(change for pair in self.pairs for change in pair.changes)


def compare(old: PageDigest, new: PageDigest) -> Comparison:
    """Returns the paired contexts of two pages with their changes."""
    before, after = _Stream(old), _Stream(new)
    runs = _common_tags(before, after)
    differing = list(gaps(runs, len(before.tags), len(after.tags)))
    return Comparison(
        tuple(_pairs(before, after, runs)),
        tuple(tag for gap in differing for tag in before.tags[gap.old_start : gap.old_end]),
        tuple(tag for gap in differing for tag in after.tags[gap.new_start : gap.new_end]),
    )


def _common_tags(before: _Stream, after: _Stream) -> list[Run]:
    """Returns a longest common subsequence of the tags, if possible one that keeps equal texts together.

    The streams are always taken in the same order, so that comparing in the opposite direction pairs the same
    contexts.
    """
    if after.tags == before.tags:
        return [Run(0, 0, len(before.tags))]
    if after.tags < before.tags:
        return [Run(run.new, run.old, run.length) for run in _common_tags(after, before)]
    longest = common_runs(before.tags, after.tags)
    together = _with_texts(before, after)
    same_length = sum(run.length for run in together) >= sum(run.length for run in longest)
    return together if same_length else longest


def _with_texts(before: _Stream, after: _Stream) -> list[Run]:
    """Returns a common subsequence of tags with equal words behind them; between those, of tags with equal
    names."""
    found = common_runs(before.tags_with_words, after.tags_with_words)
    for start, end, begin, stop in list(gaps(found, len(before.tags), len(after.tags))):
        inner = common_runs(before.tags[start:end], after.tags[begin:stop])
        found += [Run(start + run.old, begin + run.new, run.length) for run in inner]
    return sorted(found)


def _pairs(before: _Stream, after: _Stream, runs: list[Run]) -> Iterator[ContextPair]:
    """Yields the pairs of contexts. A context begins behind a common tag and ends at the next one."""
    places, others = before.words_before, after.words_before
    ends = [end for run in runs for end in places[run.old : run.old + run.length]]
    stops = [stop for run in runs for stop in others[run.new : run.new + run.length]]
    start, begin = 0, 0
    for end, stop in zip([*ends, places[-1]], [*stops, others[-1]], strict=True):
        if start < end or begin < stop:
            yield ContextPair(start, end, begin, stop, _changes(before, after, start, end, begin, stop))
        start, begin = end, stop


def _changes(before: _Stream, after: _Stream, start: int, end: int, begin: int, stop: int) -> tuple[Gap, ...]:
    """Returns where the words of two contexts differ."""
    core = Gap(*trimmed_items(before.hashes, after.hashes, start, end, begin, stop))
    if cells(core) <= 1:  # a single word on either side is another one
        return (core,) if core.old_start < core.old_end or core.new_start < core.new_end else ()
    start, end, begin, stop = core
    found = aligned(
        before.hashes[start:end],
        after.hashes[begin:stop],
        lambda first, other: after.words[begin + other] < before.words[start + first],
    )
    return tuple(
        [
            Gap(start + first, start + last, begin + other, begin + other_last)
            for first, last, other, other_last in found
        ]
    )


class _Stream:
    """The visible tags of a page in the order of the source (`p`, `/p`), and the words between them."""

    def __init__(self, digest: PageDigest) -> None:
        self.words = digest.words.words
        self.hashes = string_hashes(self.words)
        self._digest = digest
        elements = np.flatnonzero(~digest.hidden & (digest.content < 0))
        self._starts = elements[elements > 0]
        closed = self._starts[~digest.is_tag(VOID)[self._starts]]
        self._closed = closed

    @cached_property
    def tags(self) -> list[str]:
        digest, starts, closed = self._digest, self._starts, self._closed
        nodes = np.concatenate([closed, starts])
        where = np.concatenate([closed + digest.sizes[closed], starts])
        is_start = np.arange(len(nodes)) >= len(closed)
        # At one place the closing tags come first, the innermost of them before the outer ones.
        order = np.lexsort((-nodes, is_start, where))
        names = [digest.tag_names[tag] for tag in digest.tags[nodes[order]].tolist()]
        return [
            name if opens else f"/{name}" for name, opens in zip(names, is_start[order].tolist(), strict=True)
        ]

    @cached_property
    def tags_with_words(self) -> list[str]:
        """Each tag with the words up to the next tag. There is no space in a tag or a word."""
        return [
            " ".join([tag, *self.words[start:end]]) if start < end else tag
            for tag, (start, end) in zip(self.tags, pairwise(self.words_before), strict=True)
        ]

    @cached_property
    def words_before(self) -> list[int]:
        """For each tag, how many words are before it; behind the last tag, the number of all words."""
        homes = self._digest.words.nodes
        ends = np.sort(self._closed + self._digest.sizes[self._closed])
        tags_before = np.searchsorted(self._starts, homes) + np.searchsorted(ends, homes, side="right")
        found: list[int] = np.searchsorted(tags_before, np.arange(1, len(self.tags) + 2)).tolist()
        return found
