"""An occurrence of a phrase in, its place in the other version out, found by the words around it (C7).

The words around the occurrence form the context boxes. If these are not found, the place in the page decides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np

from webvigil.detect.alignment import word_gaps
from webvigil.detect.lcs import common_runs
from webvigil.detect.sequences import Haystack, haystack
from webvigil.detect.surroundings import among_same_tags, at_same_path
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, Mask
from webvigil.errors import PatternRefused
from webvigil.model.memo import cached_property

# A run of words: the first, and the one after the last. None means that the run is nowhere.
Run = tuple[int, int]
Traced = Run | None

UPDATE_FACTOR = 0.6  # the value of the WebVigiL thesis, section 7.2.2
_TRIES = 500  # windows and places examined at most: bounds the time on a page that repeats one word


@dataclass(frozen=True, slots=True)
class Boxes:
    """How context boxes are made: of how many words or tags on either side."""

    size: int = 10
    of: Literal["words", "tags"] = "words"
    update_factor: float = UPDATE_FACTOR

    @classmethod
    def read(cls, option: str) -> Boxes:
        """Reads the words of an option: `context 5`, `context tags`, `context 5 tags`. Raises PatternRefused
        for others."""
        boxes = cls()
        for word in option.split():
            if word.isdecimal() and 0 < int(word) <= 1000:
                boxes = replace(boxes, size=int(word))
            elif word == "tags":
                boxes = replace(boxes, of="tags")
            elif word not in ("context", "words"):
                raise PatternRefused(f"a phrase has no option {option!r}; it may be like 'context 5 tags'")
        return boxes


class Side:
    """One version, and where its words differ from those of the other version. `went` are runs of its words
    that the other version lacks, `came` the runs of the other version in their place, as rows of (start,
    end)."""

    def __init__(self, digest: PageDigest, went: Longs, came: Longs) -> None:
        self.digest = digest
        self._starts: list[int] = went[:, 0].tolist()
        self._ends: list[int] = went[:, 1].tolist()
        self._other_starts: list[int] = came[:, 0].tolist()
        self._other_ends: list[int] = came[:, 1].tolist()

    @property
    def haystack(self) -> Haystack:
        return haystack(self.digest)

    @property
    def words(self) -> list[str]:
        """The words, with their case folded."""
        return self.haystack.words

    def counterpart(self, start: int, end: int) -> int:
        """Returns where a run of words that all stayed begins in the other version, or -1 if not all
        stayed."""
        index = bisect_right(self._ends, start)
        if index < len(self._ends) and self._starts[index] < end:
            return -1
        return start + self._shift(index)

    def between_stayed(self, start: int, end: int) -> Run:
        """Returns the run in the other version between the last word before this run that stayed and the
        first word after it that stayed."""
        first, last = bisect_left(self._ends, start), bisect_left(self._ends, end)
        if first < len(self._ends) and self._starts[first] <= start:
            low = self._other_starts[first]
        else:
            low = start + self._shift(first)
        if last < len(self._ends) and self._starts[last] <= end:
            return low, self._other_ends[last]
        return low, end + self._shift(last)

    @cached_property
    def came(self) -> Mask:
        """For each word, True if the other version lacks it."""
        answer = np.zeros(len(self.digest.words), dtype=np.bool_)
        for start, end in zip(self._starts, self._ends, strict=True):
            answer[start:end] = True
        return answer

    def _shift(self, index: int) -> int:
        """Returns how much further on the words between gap `index` and the gap before it are in the other
        version."""
        return self._other_ends[index - 1] - self._ends[index - 1] if index else 0


def trace(source: Side, target: Side, start: int, phrase: tuple[str, ...], boxes: Boxes) -> Traced:
    """Returns what became of the occurrence of a phrase that begins at word `start`: its run of words now, or
    None."""
    lost = _Lost(source, target, (start, start + len(phrase)), phrase, boxes)
    if boxes.of == "tags" and (found := lost.best(lost.same_tags())):
        return found
    between = lost.between_boxes()
    if between is not None:
        return between if lost.likeness(*between) >= boxes.update_factor else None
    for places in (lost.same_element, lost.between_stayed, lost.same_tags):
        if found := lost.best(places()):
            return found
    return None


class _Lost:
    """An occurrence in `source` that `target` does not have unchanged."""

    def __init__(self, source: Side, target: Side, run: Run, phrase: tuple[str, ...], boxes: Boxes) -> None:
        self.source = source
        self.target = target
        self.start, self.end = run
        self.phrase = phrase
        self.boxes = boxes

    def likeness(self, start: int, end: int) -> float:
        """Returns the share of the phrase that is in a run of target words, in order."""
        return in_order(self.phrase, self.target.words[start:end]) / len(self.phrase)

    # --- context boxes ----------------------------------------------------------------------------

    def between_boxes(self) -> Traced:
        """Returns what is between the boxes, which may be shrunk to their near halves if the far halves
        changed."""
        words, size = self.source.words, self.boxes.size
        before, after = words[max(0, self.start - size) : self.start], words[self.end : self.end + size]
        near, far = _half(before), _half(after)
        ends = [place + near for place in self._places(before[-near:])] if before else [0]
        starts = self._places(after[:far]) if after else [len(self.target.words)]
        expected, _ = self.source.between_stayed(self.start, self.end)
        found = [
            (
                -self._common(before, end, after, start),
                abs(start - end - len(self.phrase)),
                abs(end - expected),
                (end, start),
            )
            for end, start in _neighbours(ends, starts, 2 * len(self.phrase) + size)
        ]
        return min(found)[-1] if found else None

    def _places(self, box: list[str]) -> list[int]:
        return self.target.haystack.places(box, _TRIES)

    def _common(self, before: list[str], end: int, after: list[str], start: int) -> int:
        """Returns how many words of the boxes are there, counted from the phrase outwards."""
        there, here = (
            self.target.words[max(0, end - len(before)) : end],
            self.target.words[start : start + len(after)],
        )
        return _same(before[::-1], there[::-1]) + _same(after, here)

    # --- the place in the page --------------------------------------------------------------------

    def best(self, runs: Iterable[Run]) -> Traced:
        """Returns the most alike window in any of the runs, if it is alike enough."""
        windows = [found for run in islice(runs, _TRIES) if (found := self._window(*run))]
        likeness, window = max(windows, key=lambda one: one[0], default=(0.0, None))
        return window if likeness >= self.boxes.update_factor else None

    def _window(self, start: int, end: int) -> tuple[float, Run] | None:
        """Returns the part of a run that is most like the phrase, and how much of the phrase it has."""
        size, words = len(self.phrase), self.target.words[start:end]
        known = set(self.phrase)
        places = list(islice((place for place, word in enumerate(words) if word in known), _TRIES))
        if not places:
            return None
        _, place = max((in_order(self.phrase, words[at : at + 2 * size]), -at) for at in places)
        kept = common_runs(self.phrase, words[-place : 2 * size - place])
        # If words at the edges of the phrase were replaced, equally many words there belong to the window.
        first = max(0, kept[0].new - place - kept[0].old)
        last = min(len(words), kept[-1].new - place + size - kept[-1].old)
        common = sum(run.length for run in kept)
        return common / size, (start + first, start + last)

    def between_stayed(self) -> list[Run]:
        return [self.source.between_stayed(self.start, self.end)]

    def same_element(self) -> list[Run]:
        """Returns the free words of the element at the place where the occurrence was."""
        there = at_same_path(self.source.digest, self._element, self.target.digest)
        return self._free_runs(there) if there is not None else []

    def same_tags(self) -> list[Run]:
        """Returns the free words of elements among the same tags, the most alike surroundings first."""
        found = among_same_tags(self.source.digest, self._element, self.target.digest, self.boxes.size)
        return [run for element in found for run in self._free_runs(element)]

    @cached_property
    def _element(self) -> int:
        """The smallest element around all words of the occurrence."""
        digest = self.source.digest
        nodes = digest.words.nodes
        element, last = int(digest.parents[nodes[self.start]]), int(nodes[self.end - 1])
        while element > 0 and not element <= last < element + digest.sizes[element]:
            element = int(digest.parents[element])
        return max(element, 0)

    @cached_property
    def _free(self) -> Mask:
        """For each target word, True if it is new or stayed from within the occurrence. Other words belong
        elsewhere."""
        answer = self.target.came.copy()
        for word in range(self.start, self.end):
            if (there := self.source.counterpart(word, word + 1)) >= 0:
                answer[there] = True
        return answer

    def _free_runs(self, element: int) -> list[Run]:
        """Returns the runs of free words in an element."""
        digest = self.target.digest
        edges = [element, element + int(digest.sizes[element])]
        low, high = np.searchsorted(digest.words.nodes, edges).tolist()
        steps = np.flatnonzero(np.diff(self._free[low:high].astype(np.int8), prepend=0, append=0)) + low
        return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))


def _half(box: Sequence[str]) -> int:
    return (len(box) + 1) // 2


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns how many items two sequences have in common at their beginning."""
    same = 0
    for here, there in zip(one, other, strict=False):
        if here != there:
            break
        same += 1
    return same


def _neighbours(ends: list[int], starts: list[int], furthest: int) -> Iterator[Run]:
    """Yields each end of a left box with the next beginnings of a right box that are not too far away."""
    for end in ends:
        index = bisect_left(starts, end)
        for start in starts[index : index + 3]:
            if start - end <= furthest:
                yield end, start


def in_order(phrase: Sequence[str], words: Sequence[str]) -> int:
    """Returns how many words of the phrase are among the words, in the same order."""
    missing = sum(gap.old_end - gap.old_start for gap in word_gaps(phrase, words))
    return len(phrase) - missing
