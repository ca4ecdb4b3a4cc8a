"""Two pictures differ in the regions that a reader would point at, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from webvigil.detect.pictures import regions
from webvigil.document.screenshot import Box, Pixels

Spot = tuple[int, int, int, int]


def blank(height: int, width: int, grey: int = 255) -> Pixels:
    return np.full((height, width, 3), grey, dtype=np.uint8)


def noise(height: int, width: int = 40, seed: int = 0) -> Pixels:
    """Returns rows that no other rows are like."""
    drawn: Pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return drawn


def spotted(base: Pixels, *spots: Spot, grey: int = 0) -> Pixels:
    found = base.copy()
    for left, top, width, height in spots:
        found[top : top + height, left : left + width] = grey
    return found


def told(old: Pixels, new: Pixels) -> list[str]:
    """Returns each region as `before → after`, with `-` for a side without a place."""
    return [f"{one.before or '-'} → {one.after or '-'}" for one in regions(old, new)]


def same(*boxes: Spot) -> list[str]:
    return [f"{Box(*one)} → {Box(*one)}" for one in boxes]


PAPER = blank(120, 120)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (noise(60), noise(60), []),
        (noise(60), spotted(noise(60), (10, 20, 5, 6)), same((10, 20, 5, 6))),
        (PAPER, spotted(PAPER, (10, 20, 1, 1)), []),
        (PAPER, spotted(PAPER, (10, 20, 2, 1)), same((10, 20, 2, 1))),
        (PAPER, spotted(PAPER, (0, 0, 2, 2), (118, 118, 2, 2)), same((0, 0, 2, 2), (118, 118, 2, 2))),
        (blank(40, 40, 100), spotted(blank(40, 40, 100), (8, 8, 4, 4), grey=108), []),
        (blank(40, 40, 100), spotted(blank(40, 40, 100), (8, 8, 4, 4), grey=109), same((8, 8, 4, 4))),
        (blank(40, 40, 100), spotted(blank(40, 40, 100), (8, 8, 4, 4), grey=92), []),
        (blank(40, 40, 100), spotted(blank(40, 40, 100), (8, 8, 4, 4), grey=91), same((8, 8, 4, 4))),
        (spotted(PAPER, (10, 20, 8, 8)), spotted(PAPER, (11, 21, 8, 8)), []),
        (spotted(PAPER, (10, 20, 8, 8)), spotted(PAPER, (12, 20, 8, 8)), same((10, 20, 10, 8))),
    ],
)
def test_a_difference_that_an_eye_sees_is_a_region(old: Pixels, new: Pixels, found: list[str]):
    assert told(old, new) == found


@pytest.mark.parametrize(("gap", "count"), [(16, 1), (23, 1), (24, 2), (40, 2)])
def test_differences_close_to_each_other_are_one_region(gap: int, count: int):
    beside, below = (8, 8, 8, 8), (16 + gap, 8, 8, 8)
    across = told(PAPER, spotted(PAPER, beside, below))
    assert across == (same(beside, below) if count == 2 else same((8, 8, 16 + gap, 8)))
    below = (8, 16 + gap, 8, 8)
    down = told(PAPER, spotted(PAPER, beside, below))
    assert down == (same(beside, below) if count == 2 else same((8, 8, 8, 16 + gap)))


TOP, BOTTOM, MORE = noise(30, seed=1), noise(30, seed=2), noise(20, seed=3)


def stacked(*parts: Pixels) -> Pixels:
    return np.concatenate(parts)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (stacked(TOP, BOTTOM), stacked(TOP, MORE, BOTTOM), ["- → 40×20 at 0,30"]),
        (stacked(TOP, MORE, BOTTOM), stacked(TOP, BOTTOM), ["40×20 at 0,30 → -"]),
        (stacked(TOP, BOTTOM), stacked(MORE, TOP, BOTTOM), ["- → 40×20 at 0,0"]),
        (stacked(TOP, blank(5, 40), BOTTOM), stacked(TOP, blank(25, 40), BOTTOM), []),
        (
            stacked(TOP, blank(5, 40, 200), BOTTOM),
            stacked(TOP, blank(5, 40, 200), blank(9, 40, 208), BOTTOM),
            [],
        ),
        (
            stacked(TOP, blank(5, 40, 200), BOTTOM),
            stacked(TOP, blank(5, 40, 200), blank(9, 40, 209), BOTTOM),
            ["- → 40×9 at 0,35"],
        ),
        (
            stacked(TOP, blank(10, 40, 0), BOTTOM),
            stacked(TOP, noise(14, seed=9), BOTTOM),
            ["40×10 at 0,30 → 40×10 at 0,30", "- → 40×4 at 0,40"],
        ),
        (
            stacked(TOP, BOTTOM, noise(10, seed=7)),
            stacked(TOP, MORE, BOTTOM, noise(4, seed=8), noise(10, seed=7)),
            ["- → 40×20 at 0,30", "- → 40×4 at 0,80"],
        ),
    ],
)
def test_rows_that_came_or_went_push_the_others(old: Pixels, new: Pixels, found: list[str]):
    assert told(old, new) == found
    assert sorted(told(new, old)) == sorted(" → ".join(reversed(one.split(" → "))) for one in found)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (23, ["40×23 at 0,30 → 40×23 at 0,42", "- → 40×12 at 0,30"]),
        (24, ["- → 40×6 at 0,30", "- → 40×6 at 0,60"]),
    ],
)
def test_few_rows_between_two_changes_belong_to_both(rows: int, found: list[str]):
    between = noise(rows, seed=11)
    new = stacked(TOP, noise(6, seed=12), between, noise(6, seed=13), BOTTOM)
    assert told(stacked(TOP, between, BOTTOM), new) == found


def test_what_a_wider_picture_has_beside_is_a_region():
    narrow, wide = TOP, np.concatenate([TOP, noise(30, 10, 5)], axis=1)
    assert told(narrow, wide) == ["- → 10×30 at 40,0"]
    assert told(wide, narrow) == ["10×30 at 40,0 → -"]
    assert told(blank(0, 5), blank(0, 10)) == []
    assert told(blank(0, 10), blank(5, 10)) == ["- → 10×5 at 0,0"]


def test_a_tall_picture_is_compared_as_a_whole():
    tall = blank(1100, 20)
    spots = ((4, 508, 8, 8), (4, 1030, 8, 8))
    assert told(tall, spotted(tall, *spots)) == same(*spots)


@pytest.mark.parametrize(("across", "down", "count"), [(15, 15, 225), (25, 10, 250), (16, 16, 1)])
def test_more_than_250_regions_are_shown_as_fewer(across: int, down: int, count: int):
    paper = blank(40 * down, 40 * across)
    spots = [(40 * x, 40 * y, 4, 4) for y in range(down) for x in range(across)]
    assert len(told(paper, spotted(paper, *spots))) == count
