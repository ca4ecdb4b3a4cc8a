"""An id and two pages in, the table (or list) that the id means on both pages out (C8).

The id is a number, a text in the table, its caption or a selector, and is looked up on each page. The table
found on one page is then searched on the other: the one with the most cells, header and caption in common, at
the same place. It counts only if the search from there leads back. So a table is found again although other
tables came before it, or although the text of the id went; and a table that is not on the other page is gone
(or new). If the same text, caption or selector names a table on each page, those two are one table, whatever
became of its content.
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
from webvigil.detect.same_place import Standing
from webvigil.document import PageDigest
from webvigil.document.arrays import Ints, below
from webvigil.document.tables import MOST
from webvigil.errors import PatternRefused
from webvigil.model.change_types import named_by
from webvigil.model.sentinel import ChangeType

# The weights of what two grids have in common. Grids with a lower sum than `_ENOUGH` are different ones.
# tests/detect/test_tables.py and bench/quality cover these numbers.
_CELLS, _HEADER, _CAPTION, _SAME_PLACE, _SAME_WIDTH = 0.6, 0.25, 0.15, 0.25, 0.1
_ENOUGH = 0.35
# Pages with more nodes than this in all are not compared as trees to find a grid, which would take too long.
_COMPARED = 120_000

# Matches texts that look like a CSS selector and not like a text in a table.
_SELECTOR = re.compile(r"^[#.][\w-]|[\w\])][#.>\[:][\w-]|\[[\w-]+")

Meant = list[tuple[Grid | None, Grid | None]]


def meant(
    old: PageDigest, new: PageDigest, before: Sequence[Grid], after: Sequence[Grid], change: ChangeType
) -> Meant:
    """Returns the pairs of grids that the id means: usually one pair, two if the id now means another
    grid."""
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
    """Returns True if two grids without anything in common are one because the id names both. A mere number
    does not prove that, unless one of the grids is empty."""
    number = change.arguments[0].strip()
    counted = not named_by(change) and number.isascii() and number.isdigit()
    return not counted or any(grid is not None and grid.is_empty for grid in (one, other))


def letters(pairs: Meant) -> int:
    """Returns how many characters the meant grids contain, without white space."""
    return sum(grid.letters for pair in pairs for grid in pair if grid is not None)


# --- what the id says ----------------------------------------------------------------------------


def find(digest: PageDigest, grids: Sequence[Grid], change: ChangeType) -> Grid | None:
    """Returns the grid that an id means on one page, or None. Raises PatternRefused for an id that is not one
    text."""
    if len(change.arguments) != 1 or not change.arguments[0].strip():
        raise PatternRefused(f"a {change.kind} is named by one text, number, caption or selector")
    wanted = change.arguments[0]
    if not grids:
        return None
    by = named_by(change)
    if by == "css":
        return _by_selector(digest, grids, wanted)
    if by == "caption":
        return _by_caption(digest, grids, wanted)
    if 1 <= number_of(change) <= len(grids):
        return grids[number_of(change) - 1]
    return (
        _by_text(digest, grids, wanted)
        or _by_bare_selector(digest, grids, wanted)
        or _by_heading(digest, grids, wanted)
    )


def number_of(change: ChangeType) -> int:
    """Returns the number by which a change type may mean its grid; 0 if it names the grid otherwise."""
    if len(change.arguments) != 1 or named_by(change) in ("caption", "css"):
        return 0
    number = change.arguments[0].strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 0


def _by_selector(digest: PageDigest, grids: Sequence[Grid], selector: str) -> Grid | None:
    """Returns the selected grid, or the first grid inside the selected elements, or the grid around them."""
    from webvigil.document import css

    chosen = css.select(digest, selector)
    inside = below(chosen, digest.sizes)
    for grid in grids:
        if inside[grid.node]:
            return grid
    around = [grid for grid in grids if chosen[grid.node : grid.node + int(digest.sizes[grid.node])].any()]
    return around[-1] if around else None


def _by_bare_selector(digest: PageDigest, grids: Sequence[Grid], text: str) -> Grid | None:
    """Returns the grid that a text selects if it looks like a selector (`#prices`, `ul.menu`). Tried after no
    grid contains the text."""
    if not _SELECTOR.search(text):
        return None
    try:
        return _by_selector(digest, grids, text)
    except PatternRefused:
        return None


def _by_caption(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """Returns the grid with this caption or, if none fits, with this heading before it."""
    captions = [(grid, grid.caption) for grid in grids]
    return _best(captions, wanted) or _best(_headed(digest, grids), wanted)


def _by_heading(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """Returns the first grid after a heading with exactly this text."""
    text = _folded(wanted)
    return next((grid for grid, heading in _headed(digest, grids) if _folded(heading) == text), None)


def _headed(digest: PageDigest, grids: Sequence[Grid]) -> list[tuple[Grid, str]]:
    """Returns each heading with the first grid after it."""
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
    """Returns the grids with exactly this text or, if there are none, those whose text contains it."""
    text = _folded(wanted)
    folds = {name: _folded(name) for name in {name for _, name in named}}
    folded = [(grid, folds[name]) for grid, name in named]
    return [grid for grid, name in folded if name == text] or [grid for grid, name in folded if text in name]


def _by_text(digest: PageDigest, grids: Sequence[Grid], wanted: str) -> Grid | None:
    """Returns the grid with this text: in its caption, then in its header, then in any cell. A cell with
    exactly this text goes before one that contains it."""
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
    """Returns the smallest grid with the text. If a list inside of a list has the text, the inner list is
    meant, because the text is its own."""
    end = outer.node + int(digest.sizes[outer.node])
    inside = [(grid, text) for grid, text in cells if outer.node <= grid.node < end]
    return min(_fitting(inside, wanted), key=lambda grid: len(grid.lines))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


# --- the same one on the other page --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Page:
    """The grids of a page, where they are among the words, and each node's partner on the other page."""

    nodes: int
    grids: Sequence[Grid]
    standing: Callable[[], Standing]
    partners: Callable[[], Ints]

    def partner(self, grid: Grid, other: _Page) -> int:
        """Returns the node of the other page that is where this grid is, or -1.

        Mostly the unchanged words around the grid decide. If they do not, the pages are compared as trees,
        which takes longer. If the pages are too large for that, and have equally many grids, the grid of the
        same number is taken.
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
    """Returns the grid on the other page that is most like this one, if the search from there leads back to
    this one."""
    found = _most_alike(grid, here, there)
    return found if found is not None and _most_alike(found, there, here) is grid else None


def _most_alike(grid: Grid, page: _Page, other: _Page) -> Grid | None:
    """Returns the grid of the other page that is most like this one, or None. The place is searched only if
    it can decide."""
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
    """Returns how much two grids have in common."""
    one, other = both_headed(one, other)
    common = 2 * in_common(one.cells, other.cells) / max(one.cells.total() + other.cells.total(), 1)
    header = _dice(one.header, other.header) if one.header and other.header else 0.0
    caption = float(bool(one.caption) and one.caption == other.caption)
    # A header or caption that neither grid has says nothing, so it does not count.
    whole = (
        _CELLS + _HEADER * bool(one.header or other.header) + _CAPTION * bool(one.caption or other.caption)
    )
    alike = (_CELLS * common + _HEADER * header + _CAPTION * caption) / whole
    return alike + _SAME_WIDTH * (one.width == other.width)


def _dice(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    before, after = Counter(filter(None, one)), Counter(filter(None, other))
    return 2 * in_common(before, after) / max(before.total() + after.total(), 1)
