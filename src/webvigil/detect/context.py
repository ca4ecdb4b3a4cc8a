"""Where a run of words went, told by what is around it: context boxes, then the place in the page (C7)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq

from webvigil.detect.sequences import Haystack
from webvigil.detect.surroundings import among_same_tags, at_same_path
from webvigil.detect.wording import wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, Mask
from webvigil.document.derived import cached_property
from webvigil.errors import PatternRefused

# A run of words: from the first up to, not including, the last. None: nowhere.
Run = tuple[int, int]
Traced = Run | None

UPDATE_FACTOR = 0.6  # VIG 7.2.2
_TRIES = 500  # windows and places of boxes looked at: a page of one word repeated must not hold us up


@dataclass(frozen=True, slots=True)
class Boxes:
    """How context boxes are made: of so many words or tags on either side."""

    size: int = 10
    of: Literal["words", "tags"] = "words"
    update_factor: float = UPDATE_FACTOR

    @classmethod
    def read(cls, option: str) -> Boxes:
        """From the words of an option: `context 5`, `context tags`, `context 5 tags`."""
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
    """One version, and where its words differ from those of the other: runs of its words that went, and of
    the other's that came in their place, as rows of (start, end)."""

    def __init__(self, digest: PageDigest, went: Longs, came: Longs) -> None:
        self.digest = digest
        self._starts: list[int] = went[:, 0].tolist()
        self._ends: list[int] = went[:, 1].tolist()
        self._other_starts: list[int] = came[:, 0].tolist()
        self._other_ends: list[int] = came[:, 1].tolist()

    @property
    def haystack(self) -> Haystack:
        return wording(self.digest).haystack

    @property
    def words(self) -> list[str]:
        """The words, folded."""
        return self.haystack.words

    def counterpart(self, start: int, end: int) -> int:
        """Where a run of words that all stayed begins in the other version, -1 if not all did."""
        index = bisect_right(self._ends, start)
        if index < len(self._ends) and self._starts[index] < end:
            return -1
        return start + self._shift(index)

    def between_stayed(self, start: int, end: int) -> Run:
        """What stands in the other version between the last word before and the first after that stayed."""
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
        """Per word: is it one that is not in the other version?"""
        answer = np.zeros(len(self.digest.words), dtype=np.bool_)
        for start, end in zip(self._starts, self._ends, strict=True):
            answer[start:end] = True
        return answer

    def _shift(self, index: int) -> int:
        """How much further on in the other version the words between gap `index` and the one before are."""
        return self._other_ends[index - 1] - self._ends[index - 1] if index else 0


def trace(source: Side, target: Side, start: int, phrase: tuple[str, ...], boxes: Boxes) -> Traced:
    """What became of the occurrence of a phrase that begins at word `start`: the run of words it is now."""
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
    """An occurrence in `source` that is not in `target` as it was."""

    def __init__(self, source: Side, target: Side, run: Run, phrase: tuple[str, ...], boxes: Boxes) -> None:
        self.source = source
        self.target = target
        self.start, self.end = run
        self.phrase = phrase
        self.boxes = boxes

    def likeness(self, start: int, end: int) -> float:
        """How much of the phrase is in a run of target words, in its order."""
        return LCSseq.similarity(self.phrase, self.target.words[start:end]) / len(self.phrase)

    # --- context boxes ----------------------------------------------------------------------------

    def between_boxes(self) -> Traced:
        """What stands between the boxes, shrunk to their near halves where the far ones changed."""
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
        """How many words of the boxes are there, from the phrase outwards."""
        there, here = (
            self.target.words[max(0, end - len(before)) : end],
            self.target.words[start : start + len(after)],
        )
        return _same(before[::-1], there[::-1]) + _same(after, here)

    # --- the place in the page --------------------------------------------------------------------

    def best(self, runs: Iterable[Run]) -> Traced:
        """The most alike window in any of the runs, if it is alike enough."""
        windows = [found for run in islice(runs, _TRIES) if (found := self._window(*run))]
        likeness, window = max(windows, key=lambda one: one[0], default=(0.0, None))
        return window if likeness >= self.boxes.update_factor else None

    def _window(self, start: int, end: int) -> tuple[float, Run] | None:
        """The part of a run that reads most like the phrase."""
        size, words = len(self.phrase), self.target.words[start:end]
        known = set(self.phrase)
        places = list(islice((place for place, word in enumerate(words) if word in known), _TRIES))
        if not places:
            return None
        _, place = max((LCSseq.similarity(self.phrase, words[at : at + 2 * size]), -at) for at in places)
        steps = LCSseq.opcodes(self.phrase, words[-place : 2 * size - place])
        kept = [step for step in steps if step.tag == "equal"]
        # Words of the phrase that were replaced at its edges left as many behind.
        first = max(0, kept[0].dest_start - place - kept[0].src_start)
        last = min(len(words), kept[-1].dest_end - place + size - kept[-1].src_end)
        common = sum(step.src_end - step.src_start for step in kept)
        return common / size, (start + first, start + last)

    def between_stayed(self) -> list[Run]:
        return [self.source.between_stayed(self.start, self.end)]

    def same_element(self) -> list[Run]:
        """The words of the element that stands where that of the occurrence stood."""
        there = at_same_path(self.source.digest, self._element, self.target.digest)
        return self._free_runs(there) if there is not None else []

    def same_tags(self) -> list[Run]:
        """The words of elements among the same tags, the most alike surroundings first."""
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
        """Per target word: did it come, or stay from within the occurrence? The others belong elsewhere."""
        answer = self.target.came.copy()
        for word in range(self.start, self.end):
            if (there := self.source.counterpart(word, word + 1)) >= 0:
                answer[there] = True
        return answer

    def _free_runs(self, element: int) -> list[Run]:
        """Runs of free words in an element."""
        digest = self.target.digest
        edges = [element, element + int(digest.sizes[element])]
        low, high = np.searchsorted(digest.words.nodes, edges).tolist()
        steps = np.flatnonzero(np.diff(self._free[low:high].astype(np.int8), prepend=0, append=0)) + low
        return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))


def _half(box: Sequence[str]) -> int:
    return (len(box) + 1) // 2


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items two sequences have in common at their beginning."""
    same = 0
    for here, there in zip(one, other, strict=False):
        if here != there:
            break
        same += 1
    return same


def _neighbours(ends: list[int], starts: list[int], furthest: int) -> Iterator[Run]:
    """Each end of a left box with the next beginnings of a right box, not too far on."""
    for end in ends:
        index = bisect_left(starts, end)
        for start in starts[index : index + 3]:
            if start - end <= furthest:
                yield end, start
