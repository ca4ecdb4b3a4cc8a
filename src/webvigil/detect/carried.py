"""Which table (or list) is meant, on both pages (C8).

The id says it on each page for itself: a number, a text in it, its caption or a selector. What it
means on one page is then looked for on the other: the grid that has the most cells, the header and the
caption in common, and stands in the same place; and only if that one, looked for in return, leads
back. So a table is found again although others came before it, or the identifying text went; and a
table that is nowhere on the other page has gone (or come). What the same text, caption or selector names
on both pages is one table, whatever became of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from webvigil.detect.grids import Grid, both_headed
from webvigil.detect.lcs import in_common
from webvigil.detect.pair import Pair, pair
from webvigil.detect.standing import Standing
from webvigil.document import PageDigest, css
from webvigil.document.arrays import Ints, below
from webvigil.document.tables import MOST
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import ChangeType

# What two grids have in common counts for so much, and below this they are two.
_CELLS, _HEADER, _CAPTION, _SAME_PLACE, _SAME_WIDTH = 0.6, 0.25, 0.15, 0.25, 0.1
_ENOUGH = 0.35
# Nodes of both pages that are compared as trees to find a grid.
_COMPARED = 120_000

# What no text has, but a selector does.
_SELECTOR = re.compile(r"^[#.][\w-]|[\w\])][#.>\[:][\w-]|\[[\w-]+")

Meant = list[tuple[Grid | None, Grid | None]]


def meant(
    old: PageDigest, new: PageDigest, before: Sequence[Grid], after: Sequence[Grid], change: ChangeType
) -> Meant:
    """The pairs of grids that the id means. Usually one; two if the id means another one now."""
    return pair(old, new).once(change, lambda old, new: _meant(old, new, before, after, change))


def _meant(
    old: PageDigest, new: PageDigest, before: Sequence[Grid], after: Sequence[Grid], change: ChangeType
) -> Meant:
    one, other = find(old, before, change), find(new, after, change)
    if one is None and other is None:
        if max(len(before), len(after)) >= MOST:
            raise PatternRefused(f"no such {change.kind} among the first {MOST:,} of the page")
        return []
    if one is not None and other is not None and one.content == other.content:
        return [(one, other)]
    here, there = _pages(pair(old, new), before, after)
    pairs: Meant = []
    if one is not None:
        pairs.append((one, _carried(one, here, there)))
    if other is not None and not any(grid is other for _, grid in pairs):
        pairs.append((_carried(other, there, here), other))
    if pairs == [(one, None), (None, other)] and _names_the_same(one, other, change):
        return [(one, other)]
    return pairs


def _names_the_same(one: Grid | None, other: Grid | None, change: ChangeType) -> bool:
    """Are two that have nothing in common one for their id? Not by its number alone, unless one is empty."""
    number = change.arguments[0].strip()
    counted = not change.option and number.isascii() and number.isdigit()
    return not counted or any(grid is not None and grid.is_empty for grid in (one, other))


def letters(pairs: Meant) -> int:
    """How much is written in the grids that are meant, white space aside."""
    return sum(grid.letters for pair in pairs for grid in pair if grid is not None)


# --- what the id says ----------------------------------------------------------------------------


def find(digest: PageDigest, grids: Sequence[Grid], change: ChangeType) -> Grid | None:
    """The grid that an id means on one page."""
    if len(change.arguments) != 1 or not change.arguments[0].strip():
        raise PatternRefused(f"a {change.kind} is named by one text, number, caption or selector")
    wanted = change.arguments[0]
    if not grids:
        return None
    if change.option == "css":
        return _by_selector(digest, grids, wanted)
    if change.option == "caption":
        return _by_caption(digest, grids, wanted)
    number = wanted.strip()
    if number.isascii() and number.isdigit() and len(number) < 7 and 1 <= int(number) <= len(grids):
        return grids[int(number) - 1]
    return (
        _by_text(digest, grids, wanted)
        or _by_bare_selector(digest, grids, wanted)
        or _by_heading(digest, grids, wanted)
    )


def _by_selector(digest: PageDigest, grids: Sequence[Grid], selector: str) -> Grid | None:
    """The selected grid, or the first one inside what is selected, or the one around it."""
    chosen = css.select(digest, selector)
    inside = below(chosen, digest.sizes)
    for grid in grids:
        if inside[grid.node]:
            return grid
    around = [grid for grid in grids if chosen[grid.node : grid.node + int(digest.sizes[grid.node])].any()]
    return around[-1] if around else None


def _by_bare_selector(digest: PageDigest, grids: Sequence[Grid], text: str) -> Grid | None:
    """A text that is nowhere in a grid may be a selector, if it looks like one: `#prices`, `ul.menu`."""
    if not _SELECTOR.search(text):
        return None
    try:
        return _by_selector(digest, grids, text)
    except PatternRefused:
        return None


def _by_caption(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """By the caption; where none fits, by the heading before it."""
    captions = [(grid, grid.caption) for grid in grids]
    return _best(captions, wanted) or _best(_headed(digest, grids), wanted)


def _by_heading(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """By the whole heading before it, where the text is nowhere else."""
    text = _folded(wanted)
    return next((grid for grid, heading in _headed(digest, grids) if _folded(heading) == text), None)


def _headed(digest: PageDigest, grids: Sequence[Grid]) -> list[tuple[Grid, str]]:
    """Each heading names the first grid after it."""
    nodes = [heading.node for heading in digest.headings]
    places = (
        np.searchsorted(nodes, [grid.node for grid in grids]) if nodes else np.zeros(len(grids), dtype=int)
    )
    headed, last = [], 0
    for grid, place in zip(grids, places.tolist(), strict=True):
        if place > last:
            headed.append((grid, digest.headings[place - 1].text))
            last = place
    return headed


def _best(named: Sequence[tuple[Grid, str]], wanted: str) -> Grid | None:
    return next(iter(_fitting(named, wanted)), None)


def _fitting(named: Sequence[tuple[Grid, str]], wanted: str) -> list[Grid]:
    """Those with exactly this text; if there are none, those whose text holds it."""
    text = _folded(wanted)
    folds = {name: _folded(name) for name in {name for _, name in named}}
    folded = [(grid, folds[name]) for grid, name in named]
    return [grid for grid, name in folded if name == text] or [grid for grid, name in folded if text in name]


def _by_text(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """The caption, then the header, then any cell; a whole one before one that holds the text."""
    captions = [(grid, grid.caption) for grid in grids]
    headers = [(grid, name) for grid in grids for name in grid.header]
    found = _best(captions, wanted) or _best(headers, wanted)
    if found is not None:
        return found
    cells = [(grid, text) for grid in grids for text in grid.texts]
    found = _best(cells, wanted)
    if found is None or not any(_is_inside(digest, grid, found) for grid in grids):
        return found
    return _innermost(digest, cells, wanted, found)


def _is_inside(digest: PageDigest, grid: Grid, outer: Grid) -> bool:
    return outer.node < grid.node < outer.node + int(digest.sizes[outer.node])


def _innermost(digest: PageDigest, cells: Sequence[tuple[Grid, str]], wanted: str, outer: Grid) -> Grid:
    """A list inside the list has the text as well; it is meant, for the text is its own."""
    end = outer.node + int(digest.sizes[outer.node])
    inside = [(grid, text) for grid, text in cells if outer.node <= grid.node < end]
    return min(_fitting(inside, wanted), key=lambda grid: len(grid.lines))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


# --- the same one on the other page --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Page:
    """The grids of a page, where they stand, and each node's partner on the other page."""

    nodes: int
    grids: Sequence[Grid]
    standing: Callable[[], Standing]
    partners: Callable[[], Ints]

    def partner(self, grid: Grid, other: _Page) -> int:
        """The node of the other page that stands where this grid does, -1 for none.

        Mostly the words tell; where they do not, the pages are compared as trees, which takes longer;
        where they are too large for that, as many grids as before are the same ones.
        """
        place = next(place for place, one in enumerate(self.grids) if one is grid)
        found = self.standing().partner(place, other.standing())
        if found >= 0:
            return other.grids[found].node
        if self.nodes + other.nodes > _COMPARED:
            return other.grids[place].node if len(self.grids) == len(other.grids) else -1
        return int(self.partners()[grid.node])


def _pages(both: Pair, before: Sequence[Grid], after: Sequence[Grid]) -> tuple[_Page, _Page]:
    @cache
    def stand() -> tuple[Standing, Standing]:
        went, came = both.word_runs
        return (
            Standing(both.old, [grid.node for grid in before], went),
            Standing(both.new, [grid.node for grid in after], came),
        )

    return (
        _Page(len(both.old), before, lambda: stand()[0], lambda: both.difference.old.partners),
        _Page(len(both.new), after, lambda: stand()[1], lambda: both.difference.new.partners),
    )


def _carried(grid: Grid, here: _Page, there: _Page) -> Grid | None:
    found = _most_alike(grid, here, there)
    return found if found is not None and _most_alike(found, there, here) is grid else None


def _most_alike(grid: Grid, page: _Page, other: _Page) -> Grid | None:
    """The place is asked for only where it can decide."""
    candidates = other.grids
    likeness = [_likeness(grid, candidate) for candidate in candidates]
    first, second = [*sorted(likeness, reverse=True), 0.0, 0.0][:2]
    if first >= _ENOUGH and first - second > _SAME_PLACE:
        return candidates[likeness.index(first)]
    partner = page.partner(grid, other) if first + _SAME_PLACE >= _ENOUGH else -1
    best, most = None, _ENOUGH
    for candidate, alike in zip(candidates, likeness, strict=True):
        alike += _SAME_PLACE * (candidate.node == partner)
        if alike > most or (alike == most and best is None):
            best, most = candidate, alike
    return best


def _likeness(one: Grid, other: Grid) -> float:
    one, other = both_headed(one, other)
    common = 2 * in_common(one.cells, other.cells) / max(one.cells.total() + other.cells.total(), 1)
    header = _dice(one.header, other.header) if one.header and other.header else 0.0
    caption = float(bool(one.caption) and one.caption == other.caption)
    # What neither of them has says nothing.
    whole = (
        _CELLS + _HEADER * bool(one.header or other.header) + _CAPTION * bool(one.caption or other.caption)
    )
    alike = (_CELLS * common + _HEADER * header + _CAPTION * caption) / whole
    return alike + _SAME_WIDTH * (one.width == other.width)


def _dice(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    before, after = Counter(filter(None, one)), Counter(filter(None, other))
    return 2 * in_common(before, after) / max(before.total() + after.total(), 1)
