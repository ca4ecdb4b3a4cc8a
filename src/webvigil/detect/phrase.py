"""Two pages and a phrase in, the changed occurrences out, each found again by its surroundings (C6, C7).

An occurrence whose words all stayed, in the alignment of the two versions, has not changed, whatever happened
around it. Other occurrences have a signature: the words before and after, their context boxes. An occurrence
whose signature is in both versions has not changed either. For the rest two questions follow:

1. Are its boxes there, or at least their near halves (a box shrinks to what is left of it)? The words that
   are now between them are what became of the occurrence.
2. Are the near words gone, too? Then the place in the page decides: between the same words that stayed, in
   the same element, or among the same tags, the words that are most like the phrase.

The words found in this way are an update if enough of the phrase is left in them (the update factor);
otherwise the occurrence was deleted. New occurrences are searched in the old version in the same way.
Occurrences that are then left in both versions have moved. Case does not count in finding a phrase, but a
change of case is a change.

The option of the change type says how boxes are made: `context 5` takes five words instead of ten, and
`context tags` (or `context 5 tags`) looks at the tags around first, for pages whose words come and go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webvigil.detect.alignment import TOLD
from webvigil.detect.coarse import ranks_among
from webvigil.detect.context import Boxes, Run, Side, Traced, trace
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import paths, paths_of, text_of, texts_of
from webvigil.detect.sequences import Near, finder, haystack
from webvigil.detect.wording import folded_words, wording
from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Longs
from webvigil.document.hashes import factors
from webvigil.errors import PatternRefused
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

Match = tuple[int, int]

# Occurrences whose surroundings are in memory together.
_AT_A_TIME = 4_096


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    phrases = [(argument, folded_words(argument)) for argument in change.arguments]
    for argument, words in phrases:
        if not words:
            raise PatternRefused(f"the phrase {argument!r} has no letter or digit to look for")
    both = pair(old, new)
    if not both.word_gaps:
        return []
    boxes = Boxes.read(change.option)
    return [
        one
        for argument, words in phrases
        for one in _Comparison(both, old, new, boxes, " ".join(argument.split()), words).changes()
    ]


def occurrences(digest: PageDigest, phrase: tuple[str, ...]) -> list[int]:
    """Returns the number of the first word of each occurrence."""
    return [word for _, word in finder(phrase).hits_in(haystack(digest))]


@dataclass(slots=True)
class _Comparison:
    """One phrase in two versions."""

    both: Pair
    old: PageDigest
    new: PageDigest
    boxes: Boxes
    name: str
    phrase: tuple[str, ...]

    def changes(self) -> list[ObjectChange]:
        """Returns the changed occurrences of the phrase."""
        gone, come = map(self._at_gaps, self.both.near(len(self.phrase) - 1), self.both.word_runs)
        if not len(gone) and not len(come):
            return []
        ours, theirs = _first_with_first(self._signatures(self.old, gone), self._signatures(self.new, come))
        found = list(self._case_changes(gone[ours], come[theirs]))
        gone, come = np.delete(gone, ours), np.delete(come, theirs)
        if len(gone) or len(come):
            found += self._traced(gone.tolist(), come.tolist())
        return found

    def _at_gaps(self, near: Near, runs: Longs) -> Longs:
        """Returns the occurrences that a gap touches: a gap contains some of its words, or is between two of
        them. The other occurrences are unchanged, word by word."""
        _, starts = finder(self.phrase).found(near)
        if not len(starts):
            return starts
        following = np.searchsorted(runs[:, 1], starts, side="right")
        begins = np.append(runs[:, 0], np.iinfo(np.int64).max)[following]
        touched: Longs = starts[begins < starts + len(self.phrase)]
        return touched

    # --- found again as it is ---------------------------------------------------------------------

    def _signatures(self, digest: PageDigest, places: Longs) -> Hashes:
        """Returns for each occurrence a number for the words before and after it. The numbers hold for this
        process only."""
        size, words = self.boxes.size, wording(digest).hashes
        offsets, powers = _around(size, len(self.phrase)), factors(2 * size)
        found = np.empty(len(places), dtype=np.uint64)
        # Some at a time, because on a page full of occurrences the words around all of them would take too
        # much memory.
        for first in range(0, len(places), _AT_A_TIME):
            some = slice(first, first + _AT_A_TIME)
            around = places[some, None] + offsets
            inside = (around >= 0) & (around < len(words))
            boxes = np.where(inside, words[np.where(inside, around, 0)], np.uint64(0))
            found[some] = (boxes * powers).sum(axis=1, dtype=np.uint64)
        return found

    def _case_changes(self, ours: Longs, theirs: Longs) -> Iterator[ObjectChange]:
        """Yields the occurrences whose case changed. Hashes rule out most of them at once."""
        before, after = wording(self.old).hashes, wording(self.new).hashes
        differs = np.zeros(len(ours), dtype=np.bool_)
        for step in range(len(self.phrase)):
            differs |= before[ours + step] != after[theirs + step]
        for i, j in zip(ours[differs].tolist(), theirs[differs].tolist(), strict=True):
            yield from self._case_change(i, j)

    def _case_change(self, i: int, j: int) -> list[ObjectChange]:
        size = len(self.phrase)
        if wording(self.old).words[i : i + size] == wording(self.new).words[j : j + size]:
            return []
        return [self._change(Status.UPDATED, (i, i + size), (j, j + size))]

    # --- traced by what is around -----------------------------------------------------------------

    def _traced(self, gone: list[int], come: list[int]) -> Iterator[ObjectChange]:
        """Yields the changes of occurrences without an equal signature: updated, moved, gone and new ones."""
        size = len(self.phrase)
        source, target = self.both.once("sides", _sides)
        forward = {i: trace(source, target, i, self.phrase, self.boxes) for i in gone[: self._most()]}
        backward = {j: trace(target, source, j, self.phrase, self.boxes) for j in come[: self._most()]}
        for i, j in _met(forward, backward, size):
            gone.remove(i)
            come.remove(j)
            yield from self._case_change(i, j)
        updated = _taken(forward, gone, target.words, self.phrase)
        yield from (self._change(Status.UPDATED, (i, i + size), run) for i, run in updated.items())
        gone = [i for i in gone if i not in updated]
        updated = _taken(backward, come, source.words, self.phrase)
        yield from (self._change(Status.UPDATED, run, (j, j + size)) for j, run in updated.items())
        come = [j for j in come if j not in updated]
        moved = min(len(gone), len(come))
        for i, j in zip(gone[: min(moved, TOLD)], come[: min(moved, TOLD)], strict=True):
            yield self._change(Status.MOVED, (i, i + size), (j, j + size))
        yield from self._more(moved, Status.MOVED)
        yield from self._alone(self.old, gone[moved:], Status.GONE)
        yield from self._alone(self.new, come[moved:], Status.NEW)

    def _alone(self, digest: PageDigest, starts: list[int], status: Status) -> Iterator[ObjectChange]:
        """Yields occurrences that went or came, read in one go because a page may be full of them."""
        begins = np.array(starts[:TOLD], dtype=np.int64)
        runs = np.stack([begins, begins + len(self.phrase)], axis=1)
        for text, where in zip(texts_of(digest, runs), paths_of(digest, runs), strict=True):
            before, after = (text, None) if status is Status.GONE else (None, text)
            yield ObjectChange(object=self.name, status=status, before=before, after=after, where=where)
        yield from self._more(len(starts), status)

    def _more(self, count: int, status: Status) -> Iterator[ObjectChange]:
        """Yields one object for all occurrences beyond those reported one by one."""
        if count > TOLD:
            yield ObjectChange(object=f"{self.name}: {count - TOLD:,} more", status=status)

    def _most(self) -> int:
        """Returns how many occurrences are traced at most: fewer on long pages, where tracing takes
        longer."""
        return max(5, min(200, 2_000_000 // (len(self.old.words) + len(self.new.words) + 1)))

    def _change(self, status: Status, before: Traced, after: Traced) -> ObjectChange:
        return ObjectChange(
            object=self.name,
            status=status,
            before=_text(self.old, before),
            after=_text(self.new, after),
            where=_where(self.new, after) or _where(self.old, before),
        )


@lru_cache(maxsize=64)
def _around(size: int, length: int) -> Longs:
    """Returns the offsets of the words around an occurrence from its first word."""
    return np.concatenate([np.arange(-size, 0), np.arange(length, length + size)])


@lru_cache(maxsize=64)
def _sides(old: PageDigest, new: PageDigest) -> tuple[Side, Side]:
    went, came = pair(old, new).word_runs
    return Side(old, went, came), Side(new, came, went)


def _first_with_first(old: Hashes, new: Hashes) -> tuple[Longs, Longs]:
    """Returns the places of equal numbers on both sides: the first with the first, the second with the
    second."""
    _, numbers = np.unique(np.concatenate([old, new]), return_inverse=True)
    before, after = np.split(numbers.astype(np.uint64), [len(old)])
    many = np.uint64(max(len(old), len(new)) + 1)
    _, ours, theirs = np.intersect1d(
        before * many + ranks_among(before),
        after * many + ranks_among(after),
        assume_unique=True,
        return_indices=True,
    )
    order = np.argsort(ours)
    return ours[order], theirs[order]


def _met(forward: dict[int, Traced], backward: dict[int, Traced], size: int) -> list[Match]:
    """Returns pairs of an old and a new occurrence of which one leads to the other, each occurrence at most
    once."""
    leads = [(i, j) for i, run in forward.items() for j in backward if _overlap(run, (j, j + size))]
    back = [(i, j) for j, run in backward.items() for i in forward if _overlap(run, (i, i + size))]
    found: list[Match] = []
    for i, j in sorted({*leads, *back}, key=lambda match: (sum(match), abs(match[0] - match[1]))):
        if all(i != a and j != b for a, b in found):
            found.append((i, j))
    return found


def _taken(
    traced: dict[int, Traced], lost: list[int], there: list[str], phrase: tuple[str, ...]
) -> dict[int, Run]:
    """Returns what became of the lost occurrences, if that is not another occurrence and no other one became
    it."""
    found: dict[int, Run] = {}
    still = {*lost}
    for start, run in traced.items():
        if (
            start in still
            and run
            and not _holds(there, run, phrase)
            and not any(_overlap(run, one) for one in found.values())
        ):
            found[start] = run
    return found


def _holds(words: list[str], run: Run, phrase: tuple[str, ...]) -> bool:
    """Returns True if an occurrence of the phrase reaches into this run of folded words."""
    size, wanted = len(phrase), list(phrase)
    first = max(0, run[0] - size + 1)
    return any(words[start : start + size] == wanted for start in range(first, run[1]))


def _overlap(one: Traced, other: tuple[int, int]) -> bool:
    return one is not None and one[0] < other[1] and other[0] < one[1]


def _text(digest: PageDigest, run: Traced) -> str | None:
    return text_of(digest, *run) if run else None


def _where(digest: PageDigest, run: Traced) -> tuple[str, ...]:
    return paths(digest, digest.words.nodes[slice(*run)].tolist()) if run else ()
