"""Where many sequences, rows and pictures differ stays as it is.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_kept_sequences`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.detect.keeping import Kept
from tests.lots import Lot
from webvigil.detect import alignment, lcs, rows
from webvigil.detect.pictures import regions
from webvigil.document.fast import native, twins
from webvigil.document.hashes import string_hashes

KEPT = Kept(Path(__file__).with_name("kept") / "sequences")


def letters_by(lot: Lot, most: int, kinds: int = 4) -> list[str]:
    return ["abcdefghij"[lot.below(kinds)] for _ in range(lot.below(most + 1))]


def edges_of(letters: list[str]) -> alignment.Edges:
    """Says that a line begins before each `b` behind an `a`, and a text before each other `b`."""
    behind = zip(["", *letters], [*letters, ""], strict=True)
    edges = [2 if (one, other) == ("a", "b") else int(other == "b") for one, other in behind]
    return lambda first, last: edges[first:last]


@KEPT
def sequences() -> Iterator[object]:
    lot = Lot(3)
    for _ in range(250):
        old, new = letters_by(lot, 12), letters_by(lot, 12)
        if lot.happens(40):
            at = lot.below(len(old) + 1)
            new = [*old[:at], *letters_by(lot, 3), *old[at + lot.below(3) :]]
        found = alignment.gaps(old, new)
        hashes = string_hashes(old), string_hashes(new)
        settled = alignment.settled(found, *hashes, edges_of(old), edges_of(new))
        yield (
            f"{''.join(old)} {''.join(new)}",
            [tuple(gap) for gap in found],
            [tuple(gap) for gap in settled],
            [tuple(gap) for gap in alignment.fewer(found, 2)],
            [tuple(gap) for gap in alignment.word_gaps(old, new)],
            [tuple(run) for run in lcs.common_runs(old, new)],
            alignment.shared(*hashes),
            [side.tolist() for side in lcs.once_in_both(*hashes)],
        )


@KEPT
def plain_sequences() -> Iterator[object]:
    """What the functions say that have a compiled twin, asked in their plain form."""
    lot = Lot(5)
    asked = ("exact_gaps", "trimmed_items", "shared", "once_in_both", "common_length", "in_common")
    named = {name: twins[name][0] for name in asked}
    for _ in range(150):
        old, new = letters_by(lot, 12), letters_by(lot, 12)
        sides = [np.array([ord(one) for one in side], dtype=np.uint64) for side in (old, new)]
        i, j = lot.below(len(old) + 1), lot.below(len(new) + 1)
        i_end, j_end = i + lot.below(len(old) - i + 1), j + lot.below(len(new) - j + 1)
        yield (
            f"{''.join(old)} {''.join(new)} {i}:{i_end} {j}:{j_end}",
            [tuple(gap) for gap in named["exact_gaps"](*sides, i, i_end, j, j_end)],
            tuple(map(int, named["trimmed_items"](*sides, i, i_end, j, j_end))),
            named["shared"](*sides),
            [side.tolist() for side in named["once_in_both"](*sides)],
            named["common_length"]("".join(old), "".join(new)),
            named["in_common"](Counter(old), Counter(new)),
        )


@KEPT
def chains() -> Iterator[object]:
    lot = Lot(9)
    for _ in range(200):
        numbers = [lot.below(9) for _ in range(1 + lot.below(9))]
        weights = [1 + lot.below(4) for _ in numbers]
        yield numbers, weights, lcs.increasing(numbers), lcs.increasing(numbers, weights)
    for _ in range(120):
        width = 1 + lot.below(4)
        likeness = [[lot.one_of((0.0, 0.5, 0.7, 1.0)) for _ in range(width)] for _ in range(lot.below(5))]
        yield likeness, alignment.best_pairs(likeness, width), alignment.heaviest_path(likeness, width)
    for _ in range(120):
        old, new = ([lot.words(5) for _ in range(lot.below(4))] for _ in range(2))
        new = [one if lot.happens(50) else f"{one} {lot.word()}" for one in [*old, *new][: lot.below(6)]]
        yield old, new, alignment.paired(old, new), alignment.in_step(old, new, alignment._likeness)


@KEPT
def matched_rows() -> Iterator[object]:
    lot = Lot(13)
    for number in range(400):
        width = 1 + lot.below(4)
        old = [tuple(cell_by(lot, at, place) for at in range(width)) for place in range(lot.below(6))]
        new = [
            tuple(cell if lot.happens(80) else cell_by(lot, at, place) for at, cell in enumerate(row))
            for place, row in enumerate(old)
            if lot.happens(80)
        ]
        if lot.happens(30):
            new = lot.shuffled(new)
        for _ in range(lot.below(3)):
            new.insert(lot.below(len(new) + 1), tuple(cell_by(lot, at, 7) for at in range(width)))
        columns = [[*zip(*side, strict=True)] for side in (old, new)]
        keys = rows.key_columns(*columns) if old and new else ()
        pairs = rows.match_rows(old, new, keys)
        yield old, new, keys, pairs, rows.in_order(pairs), rows.match_rows(old, new, ()) if number % 2 else ()


def cell_by(lot: Lot, column: int, place: int) -> str:
    if column == 0:
        return lot.one_of((lot.words(1), lot.words(2), lot.words(3), "", str(place + 1)))
    return lot.one_of((str(lot.below(30)), lot.word(), f"€ {lot.below(9)}", lot.fact(), ""))


@KEPT
def pictures() -> Iterator[object]:
    lot = Lot(17)
    for _ in range(90):
        width, height = 60 + lot.below(60), 70 + lot.below(90)
        old = np.full((height, width, 3), 255, dtype=np.uint8)
        for _ in range(lot.below(5)):
            painted(lot, old)
        new = old.copy()
        for _ in range(1 + lot.below(4)):
            change = lot.below(5)
            if change <= 1:
                painted(lot, new)
            elif change == 2:
                at = lot.below(len(new))
                band = np.full((1 + lot.below(30), new.shape[1], 3), 255, dtype=np.uint8)
                painted(lot, band)
                new = np.concatenate([new[:at], band, new[at:]])
            elif change == 3:
                at = lot.below(len(new))
                new = np.concatenate([new[:at], new[at + 1 + lot.below(20) :]])
            else:
                new = new[:, : new.shape[1] - lot.below(9)].copy()
        yield old.shape, new.shape, [tuple(map(str, region)) for region in regions(old, new)]


def painted(lot: Lot, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    top, left = lot.below(len(pixels)), lot.below(pixels.shape[1])
    height, width = lot.one_of((1, 2, 7, 8, 9, 25)), lot.one_of((1, 2, 8, 9, 24, 40))
    pixels[top : top + height, left : left + width] = lot.one_of((0, 100, 246, 247, 248, 255))


def test_where_sequences_differ_stays_as_it_was():
    KEPT.check("sequences")


@pytest.mark.skipif(native is None, reason="nothing was compiled")
def test_where_sequences_differ_stays_as_it_was_by_the_plain_functions():
    KEPT.check("plain_sequences")


def test_pairs_and_rising_chains_stay_as_they_were():
    KEPT.check("chains")


def test_which_rows_are_the_same_stays_as_it_was():
    KEPT.check("matched_rows")


def test_the_regions_of_pictures_stay_as_they_were():
    KEPT.check("pictures")


def test_all_that_is_kept_is_asked():
    assert KEPT.stored == sorted(KEPT)


if __name__ == "__main__":
    KEPT.write()
