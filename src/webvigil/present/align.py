"""Two lists of blocks in, the steps from one to the other out, in an order in which both pages can be read.

Equal blocks are found first, by the longest common subsequence. Equal blocks left over on both sides have
moved. Blocks at one place that share enough words are versions of one block. All other blocks came or went as
a whole. The steps without the new ones read as the old page, the steps without the deleted ones as the new
page.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, partial
from itertools import chain, repeat
from typing import NamedTuple

from webvigil.detect.alignment import Gap, Pairs, gaps
from webvigil.detect.quiet.addresses import meant
from webvigil.present.blocks import Block
from webvigil.present.columns import columns, looks
from webvigil.present.pairing import SHORT, Look, paired
from webvigil.present.runs import GONE, NEW, SAME, Runs, pieces, runs, whole

# Columns. In a wider table, rows are not filled up to the width of the table: very wide rows would take too
# long.
WIDE = 100
# Characters. A shorter text that stands at several places is a label ("read more") and does not count as
# moved.
LABEL = 30


class Mark(StrEnum):
    """What became of a block. A block that moved has two steps: LEFT at its old place and MOVED at its new
    place."""

    SAME = "="
    CHANGED = "~"
    NEW = "+"
    GONE = "-"
    LEFT = "<"
    MOVED = ">"


class Cell(NamedTuple):
    """A cell of a row; a block that is no row has one cell. `wide` is its width in columns, `mark` tells
    whether the whole cell came or went.

    `column` is the place of the cell in the new version of the table, -1 if it has none there.
    """

    runs: Runs
    mark: Mark = Mark.SAME
    wide: int = 1
    column: int = -1


class Step(NamedTuple):
    """One block on its way from the old page to the new one; a side that does not exist is None.

    The two steps of a block that moved carry the same `move` number, other steps carry 0. Steps with the same
    `table` number stand in one table. `differing` holds the cells, or None if the block reads as before: its
    cells are then made only when somebody asks for them.
    """

    mark: Mark
    old: Block | None
    new: Block | None
    differing: tuple[Cell, ...] | None
    move: int = 0
    table: int = -1

    @property
    def cells(self) -> tuple[Cell, ...]:
        return _as_it_was(self.block) if self.differing is None else self.differing

    @property
    def block(self) -> Block:
        block = self.new or self.old
        assert block is not None
        return block

    @property
    def links(self) -> tuple[list[str], list[str]]:
        """Returns the addresses that went and those that came in a block that both versions have. An address
        that means the same as before neither went nor came (Q1)."""
        if self.old is None or self.new is None or self.old.links == self.new.links:
            return [], []
        old, new = [*map(meant, self.old.links)], [*map(meant, self.new.links)]
        return _alone(self.old.links, old, new), _alone(self.new.links, new, old)


def _alone(addresses: Sequence[str], meanings: list[str], others: list[str]) -> list[str]:
    """Returns the addresses whose meanings are not among the others; each of the others counts for one
    address."""
    left = Counter(others)
    alone: list[str] = []
    for one, meaning in zip(addresses, meanings, strict=True):
        if left[meaning] > 0:
            left[meaning] -= 1
        else:
            alone.append(one)
    return alone


def _same_links(one: Block, other: Block) -> bool:
    """Tells whether the links of two blocks lead to the same pages, in the same order."""
    return one.links == other.links or list(map(meant, one.links)) == list(map(meant, other.links))


class _Pair(NamedTuple):
    """The places of an old and a new block that belong together; a missing side is None. `move` is the number
    of the move, 0 for none."""

    old: int | None
    new: int | None
    move: int = 0


def align(old: Sequence[Block], new: Sequence[Block]) -> tuple[Step, ...]:
    """Compares the blocks of two versions and returns the steps from the old to the new one."""
    before, after = _numbered(old, new)
    found = gaps(before, after)
    stayed = [*_between(found, len(old))]
    words = _Words()
    inside = _inside(old, new, found, _moves(old, before, after, found), words)
    grids = _Grids(old, new, stayed, inside)
    words.learn(_changed(old, new, chain.from_iterable(inside)))
    steps = _same(old, new, stayed[0])
    for pairs, stretch in zip(inside, stayed[1:], strict=True):
        steps += [_step(pair, old, new, grids, words) for pair in pairs]
        steps += _same(old, new, stretch)
    return tuple(steps)


class _Stretch(NamedTuple):
    """Old blocks `old` to `old_end`, which read the same as the new blocks from `new` on."""

    old: int
    old_end: int
    new: int

    @property
    def sides(self) -> tuple[slice, slice]:
        return slice(self.old, self.old_end), slice(self.new, self.new + self.old_end - self.old)


def _between(found: Sequence[Gap], end: int) -> Iterator[_Stretch]:
    """Yields the equal stretches before, between and after the gaps; there is one stretch more than gaps, and
    a stretch may be empty."""
    i = j = 0
    for gap in found:
        yield _Stretch(i, gap.old_start, j)
        i, j = gap.old_end, gap.new_end
    yield _Stretch(i, end, j)


def _same(old: Sequence[Block], new: Sequence[Block], stretch: _Stretch) -> list[Step]:
    """Returns the steps of equal blocks. Most blocks of most pages go through here, so nothing is computed
    that can wait."""
    before, after = (blocks[side] for blocks, side in zip((old, new), stretch.sides, strict=True))
    marks = [_SAME if _same_links(one, other) else _CHANGED for one, other in zip(before, after, strict=True)]
    return [*map(_STEP, zip(marks, before, after, repeat(None), repeat(0), map(_table_of, after)))]


_SAME, _CHANGED = Mark.SAME, Mark.CHANGED
# As `_make` does it, but without a call in Python for each step.
_STEP: Callable[[Iterable[object]], Step] = partial(tuple.__new__, Step)


def _table_of(new: Block) -> int:
    return 2 * new.table if new.table >= 0 else -1


def _changed(old: Sequence[Block], new: Sequence[Block], pairs: Iterable[_Pair]) -> Iterator[str]:
    """Yields the texts of both sides of each pair that differs: their words will be compared."""
    for pair in pairs:
        if pair.old is not None and pair.new is not None and old[pair.old].cells != new[pair.new].cells:
            yield from old[pair.old].cells
            yield from new[pair.new].cells


def _inside(
    old: Sequence[Block], new: Sequence[Block], found: Sequence[Gap], moved: _Moves, cut: _Words
) -> list[list[_Pair]]:
    """Returns, for each gap, which old block became which new block, in order."""
    looks = _looks(old, new, found, cut)
    return [[*_in_gap(gap, moved, looks)] for gap in found]


def _numbered(old: Sequence[Block], new: Sequence[Block]) -> tuple[list[int], list[int]]:
    """Gives each block a number; blocks with equal names and cells get the same number. Numbers are faster to
    compare than texts."""
    numbers: dict[tuple[str, tuple[str, ...]], int] = {}
    listed = [
        [numbers.setdefault((block.name, block.cells), len(numbers)) for block in side] for side in (old, new)
    ]
    return listed[0], listed[1]


_Moves = tuple[dict[int, int], dict[int, int]]


def _moves(old: Sequence[Block], before: list[int], after: list[int], found: Sequence[Gap]) -> _Moves:
    """Returns the number of the move by old place, and by new place.

    A short text that stands on the page several times ("read more") does not count as moved: it came and
    went.
    """
    there, here = Counter(before), Counter(after)
    waiting: dict[int, deque[int]] = {}
    for i in (i for gap in found for i in range(*gap.old)):
        if there[before[i]] == here[before[i]] == 1 or len(old[i].text) >= LABEL:
            waiting.setdefault(before[i], deque()).append(i)
    left: dict[int, int] = {}
    came: dict[int, int] = {}
    for j in (j for gap in found for j in range(*gap.new)):
        if left_from := waiting.get(after[j]):
            left[left_from.popleft()] = came[j] = len(came) + 1
    return left, came


_Looks = tuple[dict[int, Look], dict[int, Look]]


def _looks(old: Sequence[Block], new: Sequence[Block], found: Sequence[Gap], cut: _Words) -> _Looks:
    """Returns what the blocks in the gaps are compared by, by old place and by new place."""
    before = {i: old[i] for gap in found for i in range(*gap.old)}
    after = {j: new[j] for gap in found for j in range(*gap.new)}
    cut.learn([block.text for block in chain(before.values(), after.values())])
    return (
        {i: _look(block, cut.of(block.text)) for i, block in before.items()},
        {j: _look(block, cut.of(block.text)) for j, block in after.items()},
    )


def _look(block: Block, cut: list[str]) -> Look:
    words = frozenset([piece.lstrip(" ") for piece in set(cut)])
    key = next(filter(None, block.cells), "") if block.is_row else block.name
    short = block.is_heading and len(words) < SHORT
    return Look(words, "row" if block.is_row else f"text {block.name}", key, short, cut)


def _in_gap(gap: Gap, moved: _Moves, looks: _Looks) -> Iterator[_Pair]:
    """Yields the pairs of one gap in reading order. Blocks that moved stay without a partner here."""
    stayed = [i for i in range(*gap.old) if i not in moved[0]]
    became = [j for j in range(*gap.new) if j not in moved[1]]
    i, j = gap.old_start, gap.new_start
    matched = [
        (stayed[a], became[b])
        for a, b in paired([looks[0][i] for i in stayed], [looks[1][j] for j in became])
        if a is not None and b is not None
    ]
    for at_old, at_new in [*matched, (gap.old_end, gap.new_end)]:
        yield from (_Pair(one, None, moved[0].get(one, 0)) for one in range(i, at_old))
        yield from (_Pair(None, one, moved[1].get(one, 0)) for one in range(j, at_new))
        if (at_old, at_new) != (gap.old_end, gap.new_end):
            yield _Pair(at_old, at_new)
        i, j = at_old + 1, at_new + 1


class _Words:
    """The pieces of all texts whose words are compared. Many texts are cut at once, and each text only once,
    for speed."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Cuts the texts that were not cut before."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._pieces]
        self._pieces.update(zip(fresh, pieces(fresh), strict=True))

    def of(self, text: str) -> list[str]:
        return self._pieces[text]

    def runs(self, old: str, new: str) -> Runs:
        return whole(SAME, new) if old == new else runs(self._pieces[old], self._pieces[new])


class _Grids:
    """The tables of both versions: which old table became which new one, and how their columns correspond."""

    def __init__(
        self,
        old: Sequence[Block],
        new: Sequence[Block],
        stayed: Sequence[_Stretch],
        inside: Sequence[Sequence[_Pair]],
    ) -> None:
        self._old, self._new = _by_table(old), _by_table(new)
        both = _in_common(old, new, stayed, inside) if self._old and self._new else Counter()
        self._became: dict[int, int] = {}
        self._was: dict[int, int] = {}
        for (before, after), _ in both.most_common():
            if before >= 0 and after >= 0 and before not in self._became and after not in self._was:
                self._became[before], self._was[after] = after, before
        self._columns: dict[tuple[int, int], _Columns] = {}
        self._old_looks = cache(lambda table: looks(self._old.get(table, [])))
        self._new_looks = cache(lambda table: looks(self._new.get(table, [])))

    def table(self, old: Block | None, new: Block | None) -> int:
        """Returns one number for both versions of a table; -1 for a block outside of tables."""
        if new is not None:
            return _table_of(new)
        assert old is not None
        if old.table in self._became:
            return 2 * self._became[old.table]
        return 2 * old.table + 1 if old.table >= 0 else -1

    def columns(self, old: Block | None, new: Block | None) -> Pairs:
        """Returns the pairs of columns of both versions of the table; for a wide table only as many as these
        rows reach."""
        before = old.table if old else self._was.get(new.table, -1) if new else -1
        after = new.table if new else self._became.get(old.table, -1) if old else -1
        if (before, after) not in self._columns:
            found = columns(self._old_looks(before), self._new_looks(after))
            self._columns[before, after] = _Columns.of(found)
        return self._columns[before, after].up_to(old, new)


class _Columns(NamedTuple):
    """The pairs of columns of two versions, and the places of the old and of the new columns in that list."""

    pairs: Pairs
    old: list[int]
    new: list[int]

    @classmethod
    def of(cls, pairs: Pairs) -> _Columns:
        old = [place for place, (i, _) in enumerate(pairs) if i is not None]
        return cls(pairs, old, [place for place, (_, j) in enumerate(pairs) if j is not None])

    def up_to(self, old: Block | None, new: Block | None) -> Pairs:
        """Returns the pairs up to the last column that one of the two rows reaches. Narrow tables are
        returned in full."""
        if len(self.pairs) <= WIDE:
            return self.pairs
        ends = [
            places[min(len(row.cells), len(places)) - 1] + 1
            for row, places in ((old, self.old), (new, self.new))
            if row and row.cells and places
        ]
        return self.pairs[: max(ends, default=0)]


def _in_common(
    old: Sequence[Block],
    new: Sequence[Block],
    stayed: Sequence[_Stretch],
    inside: Sequence[Sequence[_Pair]],
) -> Counter[tuple[int, int]]:
    """Counts, for each pair of an old and a new table, how many rows of the one became rows of the other."""
    before, after = ([block.table for block in side] for side in (old, new))
    found: Counter[tuple[int, int]] = Counter()
    for stretch, pairs in zip(stayed, [*inside, ()], strict=True):
        ours, theirs = stretch.sides
        found.update(zip(before[ours], after[theirs], strict=True))
        found.update(
            (before[pair.old], after[pair.new])
            for pair in pairs
            if pair.old is not None and pair.new is not None
        )
    return found


def _by_table(blocks: Sequence[Block]) -> dict[int, list[Block]]:
    found: dict[int, list[Block]] = {}
    for block in blocks:
        if block.kind == "row":
            found.setdefault(block.table, []).append(block)
    return found


def _step(pair: _Pair, old: Sequence[Block], new: Sequence[Block], grids: _Grids, words: _Words) -> Step:
    before = None if pair.old is None else old[pair.old]
    after = None if pair.new is None else new[pair.new]
    if before and after and before.cells == after.cells:
        return Step(_mark(before, after, 0), before, after, None, 0, _table_of(after))
    rows = all(block is None or block.is_row for block in (before, after))
    cells = _cells(before, after, grids, words) if rows else _plain(before, after, words)
    mark = _mark(before, after, pair.move)
    return Step(mark, before, after, cells, pair.move, grids.table(before, after))


def _mark(old: Block | None, new: Block | None, move: int) -> Mark:
    if old is None:
        return Mark.MOVED if move else Mark.NEW
    if new is None:
        return Mark.LEFT if move else Mark.GONE
    return Mark.SAME if old.cells == new.cells and _same_links(old, new) else Mark.CHANGED


def _plain(old: Block | None, new: Block | None, words: _Words) -> tuple[Cell, ...]:
    if old and new:
        # A row of a table became a paragraph with the same words, or the other way round.
        return (Cell(words.runs(old.text, new.text)),)
    block, mark = (old, GONE) if old else (new, NEW)
    assert block is not None
    return (Cell(whole(mark, block.text)),)


def _cells(old: Block | None, new: Block | None, grids: _Grids, words: _Words) -> tuple[Cell, ...]:
    """Returns the cells of a row, along the columns of both versions of its table."""
    found: list[Cell] = []
    wide: list[int] = []
    for i, j in grids.columns(old, new):
        carried = _carries_on(old, i), _carries_on(new, j)
        if found and True in carried and False not in carried:
            wide[-1] += 1
            continue
        cell = _cell(_text(old, i), _text(new, j), words)
        found.append(cell._replace(column=-1 if j is None else j))
        wide.append(1)
    return _widened(found, wide)


def _as_it_was(row: Block) -> tuple[Cell, ...]:
    """Returns the cells of a block that stayed the same, regardless of what became of the columns of its
    table."""
    if not row.is_row:
        return (Cell(whole(SAME, row.cells[0])),)
    found: list[Cell] = []
    wide: list[int] = []
    for place, text in enumerate(row.cells):
        if found and place in row.continued:
            wide[-1] += 1
            continue
        found.append(Cell(whole(SAME, text), column=place))
        wide.append(1)
    return _widened(found, wide)


def _widened(cells: list[Cell], wide: list[int]) -> tuple[Cell, ...]:
    return tuple(
        [cell if one == 1 else cell._replace(wide=one) for cell, one in zip(cells, wide, strict=True)]
    )


def _carries_on(row: Block | None, place: int | None) -> bool | None:
    """Tells whether the place only continues the cell before it (colspan); None if the row has no such
    place."""
    return None if row is None or place is None else place in row.continued


def _text(row: Block | None, place: int | None) -> str | None:
    return row.cells[place] if row and place is not None and place < len(row.cells) else None


def _cell(old: str | None, new: str | None, words: _Words) -> Cell:
    if old and new:
        found = words.runs(old, new)
        return Cell(found, Mark.SAME if old == new else Mark.CHANGED)
    if old:
        return Cell(whole(GONE, old), Mark.GONE if new is None else Mark.CHANGED)
    if new:
        return Cell(whole(NEW, new), Mark.NEW if old is None else Mark.CHANGED)
    return Cell(())
