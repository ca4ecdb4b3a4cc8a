"""Where a run of words went, told by what is around it: context boxes, then the place in the page (C7)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq

from webvigil.detect.alignment import Gap
from webvigil.detect.sequences import Finder, folded
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, Mask
from webvigil.errors import PatternRefused

# A run of words: from the first up to, not including, the last. None: nowhere.
Run = tuple[int, int]
Traced = Run | None

UPDATE_FACTOR = 0.6  # VIG 7.2.2
_TRIES = 2000  # windows looked at in one region: a page of one word repeated must not hold us up
_CANDIDATES = 200  # elements with the same tags around


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
    """One version, and the gaps with that version as their old side."""

    def __init__(self, digest: PageDigest, gaps: Sequence[Gap]) -> None:
        self.digest = digest
        self.words = digest.words.words
        self.gaps = gaps
        self._ends = [gap.old_end for gap in gaps]

    def counterpart(self, start: int, end: int) -> int:
        """Where a run of words that all stayed begins in the other version, -1 if not all did."""
        index = bisect_right(self._ends, start)
        if index < len(self.gaps) and self.gaps[index].old_start < end:
            return -1
        return start + self._shift(index)

    def between_stayed(self, start: int, end: int) -> Run:
        """What stands in the other version between the last word before and the first after that stayed."""
        first, last = bisect_left(self._ends, start), bisect_left(self._ends, end)
        if first < len(self.gaps) and self.gaps[first].old_start <= start:
            low = self.gaps[first].new_start
        else:
            low = start + self._shift(first)
        if last < len(self.gaps) and self.gaps[last].old_start <= end:
            return low, self.gaps[last].new_end
        return low, end + self._shift(last)

    def free(self, start: int, end: int, count: int) -> Mask:
        """Per word of the other version: did it come, or stay from within this run?"""
        answer = np.zeros(count, dtype=np.bool_)
        for gap in self.gaps:
            answer[gap.new_start : gap.new_end] = True
        for word in range(start, end):
            if (there := self.counterpart(word, word + 1)) >= 0:
                answer[there] = True
        return answer

    def _shift(self, index: int) -> int:
        """How much further on in the other version the words between gap `index` and the one before are."""
        return self.gaps[index - 1].new_end - self.gaps[index - 1].old_end if index else 0


def trace(source: Side, target: Side, start: int, phrase: tuple[str, ...], boxes: Boxes) -> Traced:
    """What became of the occurrence of a phrase that begins at word `start`: the run of words it is now."""
    lost = _Lost(source, target, start, start + len(phrase), phrase, boxes)
    if boxes.of == "tags" and (found := lost.best(lost.same_tags())):
        return found
    between = lost.between_boxes()
    if between is not None:
        return between if lost.likeness(*between) >= boxes.update_factor else None
    for runs in (lost.same_element(), [source.between_stayed(start, lost.end)], lost.same_tags()):
        if found := lost.best(runs):
            return found
    return None


@dataclass(slots=True)
class _Lost:
    """An occurrence in `source` that is not in `target` as it was."""

    source: Side
    target: Side
    start: int
    end: int
    phrase: tuple[str, ...]
    boxes: Boxes

    def likeness(self, start: int, end: int) -> float:
        """How much of the phrase is in a run of target words, in its order."""
        words = [folded(word) for word in self.target.words[start:end]]
        return LCSseq.similarity(self.phrase, words) / len(self.phrase)

    # --- context boxes ----------------------------------------------------------------------------

    def between_boxes(self) -> Traced:
        """What stands between the boxes, shrunk to their near halves where the far ones changed."""
        words, size = self.source.words, self.boxes.size
        before = [folded(word) for word in words[max(0, self.start - size) : self.start]]
        after = [folded(word) for word in words[self.end : self.end + size]]
        ends = [place + _half(before) for place in self._places(before[-_half(before) :])] if before else [0]
        starts = self._places(after[: _half(after)]) if after else [len(self.target.words)]
        expected, _ = self.source.between_stayed(self.start, self.end)
        found = [
            (
                self._far(before, end, after, start),
                abs(start - end - len(self.phrase)),
                abs(end - expected),
                end,
                start,
            )
            for end, start in _neighbours(ends, starts, 2 * len(self.phrase) + size)
        ]
        return min(found)[3:] if found else None

    def _places(self, box: list[str]) -> list[int]:
        return [place for _, place in Finder([box]).hits(self.target.words)]

    def _far(self, before: list[str], end: int, after: list[str], start: int) -> int:
        """How many words of the far halves are not there any more."""
        words = self.target.words
        there = [folded(word) for word in words[max(0, end - len(before)) : end]]
        here = [folded(word) for word in words[start : start + len(after)]]
        return len(before) + len(after) - _same(before[::-1], there[::-1]) - _same(after, here)

    # --- the place in the page --------------------------------------------------------------------

    def best(self, runs: Iterable[Run]) -> Traced:
        """The most alike window in any of the runs, if it is alike enough."""
        windows = [found for run in runs if (found := self._window(*run))]
        likeness, window = max(windows, key=lambda one: one[0], default=(0.0, None))
        return window if likeness >= self.boxes.update_factor else None

    def _window(self, start: int, end: int) -> tuple[float, Run] | None:
        """The part of a run that reads most like the phrase."""
        size = len(self.phrase)
        words = [folded(word) for word in self.target.words[start:end]]
        known = set(self.phrase)
        places = [place for place, word in enumerate(words) if word in known][:_TRIES]
        if not places:
            return None
        _, place = max((LCSseq.similarity(self.phrase, words[at : at + 2 * size]), -at) for at in places)
        steps = [
            step
            for step in LCSseq.opcodes(self.phrase, words[-place : 2 * size - place])
            if step.tag == "equal"
        ]
        # Words of the phrase that were replaced at its edges left as many behind.
        first = max(0, steps[0].dest_start - place - steps[0].src_start)
        last = min(len(words), steps[-1].dest_end - place + size - steps[-1].src_end)
        common = sum(step.src_end - step.src_start for step in steps)
        return common / size, (start + first, start + last)

    def same_element(self) -> list[Run]:
        """The words of the element that stands where that of the occurrence stood."""
        there = _same_path(self.source.digest, self._element(), self.target.digest)
        return self._free_runs(there) if there is not None else []

    def same_tags(self) -> list[Run]:
        """The words of elements among the same tags, the most alike surroundings first."""
        found = _same_surroundings(self.source.digest, self._element(), self.target.digest, self.boxes.size)
        return [run for element in found for run in self._free_runs(element)]

    def _element(self) -> int:
        """The smallest element around all words of the occurrence."""
        digest = self.source.digest
        nodes = digest.words.nodes
        element, last = int(digest.parents[nodes[self.start]]), int(nodes[self.end - 1])
        while element > 0 and not element <= last < element + digest.sizes[element]:
            element = int(digest.parents[element])
        return max(element, 0)

    def _free_runs(self, element: int) -> list[Run]:
        """Runs of words of an element that belong to nothing else that stayed."""
        digest = self.target.digest
        edges = [element, element + int(digest.sizes[element])]
        low, high = np.searchsorted(digest.words.nodes, edges).tolist()
        free = self.source.free(self.start, self.end, len(self.target.words))[low:high]
        steps = np.flatnonzero(np.diff(free.astype(np.int8), prepend=0, append=0)) + low
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
    for end in ends[:_TRIES]:
        index = bisect_left(starts, end)
        for start in starts[index : index + 3]:
            if start - end <= furthest:
                yield end, start


def _same_path(source: PageDigest, node: int, target: PageDigest) -> int | None:
    """The node at the same path, or its parent if only the last step is missing."""
    steps = [_step(source, one) for one in [node, *source.ancestors(node)][:-1]][::-1]
    there = 0
    for depth, (tag, rank) in enumerate(steps):
        twins = [child for child in target.children(there) if target.tag(child) == tag]
        if rank >= len(twins):
            return there if depth == len(steps) - 1 else None
        there = twins[rank]
    return there


def _step(digest: PageDigest, node: int) -> tuple[str, int]:
    tag = digest.tag(node)
    siblings = digest.children(int(digest.parents[node]))
    return tag, [one for one in siblings if digest.tag(one) == tag].index(node)


def _same_surroundings(source: PageDigest, node: int, target: PageDigest, size: int) -> list[int]:
    """Elements of the same name with at least the near halves of the tags around the same."""
    stream, other = _elements(source), _elements(target)
    place = int(np.searchsorted(stream, node))
    candidates = np.flatnonzero(target.tags[other] == target.tag_index.get(source.tag(node), -1))
    likeness = np.zeros(len(candidates), dtype=np.int64)
    for direction in (-1, 1):
        run = np.ones(len(candidates), dtype=np.bool_)
        there_is = place if direction < 0 else len(stream) - 1 - place
        for step in range(1, min(size, there_is) + 1):
            wanted = target.tag_index.get(source.tag(int(stream[place + direction * step])), -1)
            at = candidates + direction * step
            inside = (at >= 0) & (at < len(other))
            run &= inside & (target.tags[other[np.clip(at, 0, len(other) - 1)]] == wanted)
            likeness += run
            if step == (min(size, there_is) + 1) // 2:
                near = run.copy()
        if there_is:
            candidates, likeness = candidates[near], likeness[near]
    order = np.argsort(-likeness, kind="stable")[:_CANDIDATES]
    found: list[int] = other[candidates[order]].tolist()
    return found


def _elements(digest: PageDigest) -> Longs:
    """All elements in document order."""
    names = np.array([not name.startswith(("#", "?")) for name in digest.tag_names], dtype=np.bool_)
    return np.flatnonzero(names[digest.tags])
