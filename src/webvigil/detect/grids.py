"""Two versions of a table or list in, its changes out: rows, columns and cells (C8).

A grid is a table or list as rows of cells, whatever its markup. Its changes (steps) are columns and rows that
came, went or moved, cells whose text changed, and cells with the same text whose links changed. Rows are
recognised by their key (`rows`), columns by their header (`columns`). Two grids are always compared in the
same order, whichever is the older, and the steps are reversed afterwards. So comparing in the opposite
direction finds the same steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from webvigil.detect.alignment import TOLD, Gap, trimmed
from webvigil.detect.columns import match_columns
from webvigil.detect.quiet.addresses import meant
from webvigil.detect.rows import in_order, key_columns, match_rows
from webvigil.document.reading import visible_length
from webvigil.document.tables import EvenRows, Row
from webvigil.model.change import OPPOSITE, Status
from webvigil.model.memo import cached_property

# If both versions have more rows than this in all, matching would take too long, and the whole grid is one
# change.
_MATCHED = 20_000
# A grid with more places than this, counting the empty ones beside a wide row, is one change.
_PLACES = 400_000


@dataclass(frozen=True)
class Grid:
    """A table or list. `line_name` is the reader's word for one of its lines: row or item."""

    node: int
    name: str
    caption: str
    header: tuple[str, ...]
    lines: Sequence[Row]
    header_nodes: tuple[int, ...] = ()
    line_name: str = "row"

    @cached_property
    def width(self) -> int:
        widest = self.lines.width if isinstance(self.lines, EvenRows) else max(map(len, self.rows), default=0)
        return max(len(self.header), widest)

    @cached_property
    def rows(self) -> list[tuple[str, ...]]:
        """The texts of each line."""
        if isinstance(self.lines, EvenRows):
            return self.lines.row_texts
        return [line.texts for line in self.lines]

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all places, line by line."""
        return self.lines.texts if isinstance(self.lines, EvenRows) else [*chain.from_iterable(self.rows)]

    @property
    def is_empty(self) -> bool:
        return not self.lines and not self.header

    @cached_property
    def content(self) -> tuple[object, ...]:
        return self.caption, self.header, self.rows

    @property
    def text(self) -> str:
        """The whole text, row by row."""
        return "\n".join([" | ".join(row) for row in self.rows])

    @cached_property
    def cells(self) -> Counter[str]:
        """How often each text occurs in a place."""
        return Counter(filter(None, self.texts))

    @cached_property
    def letters(self) -> int:
        """How many characters the grid contains, without white space."""
        return visible_length("".join([*self.texts, self.caption, *self.header]))

    def column_name(self, column: int) -> str:
        named = self.header[column] if column < len(self.header) else ""
        return named or f"column {column + 1}"

    def column_node(self, column: int) -> int:
        """Returns the node of the column's header or, without one, of its first cell."""
        if column < len(self.header_nodes):
            return self.header_nodes[column]
        return self._first_cells[column] if column < len(self._first_cells) else self.node

    @cached_property
    def _first_cells(self) -> list[int]:
        """The first cell of each column."""
        found: list[int] = []
        for line in self.lines[:1] if isinstance(self.lines, EvenRows) else self.lines:
            found += line.nodes[len(found) :]
        return found

    @cached_property
    def column_texts(self) -> list[tuple[str, ...]]:
        """The texts of each column."""
        if isinstance(self.lines, EvenRows):
            columns = self.lines.column_texts
        else:
            columns = list(zip_longest(*self.rows, fillvalue=""))
        return columns + [("",) * len(self.lines)] * (self.width - len(columns))


Links = Callable[[int], tuple[str, ...]]
"""The addresses that the cell or item with a node links to."""

BothLinks = tuple[Links, Links]


class Step(NamedTuple):
    """One change. A missing side has no text and no node. If both sides exist, they may have different
    names."""

    name: str
    status: Status
    new_name: str = ""
    before: str | None = None
    after: str | None = None
    old_node: int | None = None
    new_node: int | None = None

    @property
    def reversed(self) -> Step:
        return Step(
            name=self.new_name or self.name,
            new_name=self.name,
            status=OPPOSITE[self.status],
            before=self.after,
            after=self.before,
            old_node=self.new_node,
            new_node=self.old_node,
        )


def both_headed(one: Grid, other: Grid) -> tuple[Grid, Grid]:
    """Returns both grids; a single row becomes a header if it is the header of the other version."""
    return _headed(one, other), _headed(other, one)


def _headed(grid: Grid, other: Grid) -> Grid:
    if grid.header or len(grid.lines) != 1 or grid.lines[0].texts != other.header:
        return grid
    nodes = grid.lines[0].nodes
    return replace(grid, header=other.header, lines=(), header_nodes=nodes)


def compare(old: Grid, new: Grid, links: BothLinks | None = None) -> list[Step]:
    """Returns the changes between two grids. Links do not count unless those of both pages are given."""
    if old.content == new.content and links is None:
        return []
    old, new = both_headed(old, new)
    if _lines_between_equal_ends(old, new) > _MATCHED or max(_places(old), _places(new)) > _PLACES:
        return [] if old.content == new.content else [_whole(old, new)]
    if new.content < old.content:
        swapped = links and (links[1], links[0])
        return [step.reversed for step in _Comparison(new, old, swapped).steps()]
    return _Comparison(old, new, links).steps()


def _places(grid: Grid) -> int:
    return grid.width * len(grid.lines)


def _lines_between_equal_ends(old: Grid, new: Grid) -> int:
    """Returns how many rows are left without the equal rows at both ends. Few rows are not compared for
    that."""
    if len(old.rows) + len(new.rows) <= _MATCHED:
        return 0
    core = trimmed(old.rows, new.rows, Gap(0, len(old.rows), 0, len(new.rows)))
    return core.old_end - core.old_start + core.new_end - core.new_start


def _whole(old: Grid, new: Grid) -> Step:
    """Returns the whole grid as one change."""
    return Step(
        name=old.name,
        new_name=new.name,
        status=Status.UPDATED,
        before=old.text,
        after=new.text,
        old_node=old.node,
        new_node=new.node,
    )


def gone(grid: Grid) -> Step:
    """Returns the change that the whole grid went."""
    return Step(name=grid.name, status=Status.GONE, before=grid.text, old_node=grid.node)


class _Comparison:
    """The comparison of two grids, with their matched columns and rows."""

    def __init__(self, old: Grid, new: Grid, links: BothLinks | None) -> None:
        self.old = old
        self.new = new
        self.links = links
        self.width, self.new_width = old.width, new.width
        self.columns = match_columns(
            _headers(old, self.width),
            _headers(new, self.new_width),
            old.column_texts,
            new.column_texts,
        )
        before, after = self._common_columns(old, 0), self._common_columns(new, 1)
        self.keys = key_columns(before, after)
        self._old_rows, self._new_rows = _rows(old, before), _rows(new, after)
        self.lines = match_rows(self._old_rows, self._new_rows, self.keys)
        self._names: dict[tuple[int, int], str] = {}

    def _common_columns(self, grid: Grid, side: int) -> list[tuple[str, ...]]:
        """Returns the columns of one side that both sides have."""
        return [grid.column_texts[pair[side]] for pair in self.columns]

    def steps(self) -> list[Step]:
        """Returns the changes cell by cell. If those are more than anybody reads, they are returned row by
        row, and if even those are too many, the whole grid is one change."""
        for minute in (self._cells, self._changed_lines):
            told = chain(self._caption(), self._columns(), self._lines(), minute(), self._linked_cells())
            found = list(islice(told, TOLD + 1))
            if len(found) <= TOLD:
                return found
        return [*self._caption(), _whole(self.old, self.new)]

    def _caption(self) -> Iterator[Step]:
        if self.old.caption != self.new.caption:
            yield Step(
                name="caption",
                status=Status.UPDATED,
                before=self.old.caption,
                after=self.new.caption,
                old_node=self.old.node,
                new_node=self.new.node,
            )

    def _columns(self) -> Iterator[Step]:
        old, new = self.old, self.new
        if (old.is_empty or new.is_empty) and (old.lines or new.lines):
            return  # a table that becomes filled or empty gains or loses its columns with its rows
        for column in _others(self.width, [one for one, _ in self.columns]):
            yield _column(old, column)
        for column in _others(self.new_width, [other for _, other in self.columns]):
            yield _column(new, column).reversed
        for one, other in _moved(self.columns):
            yield Step(
                name=old.column_name(one),
                new_name=new.column_name(other),
                status=Status.MOVED,
                before=f"column {one + 1}",
                after=f"column {other + 1}",
                old_node=old.column_node(one),
                new_node=new.column_node(other),
            )
        headers, new_headers = _headers(old, self.width), _headers(new, self.new_width)
        for one, other in self.columns:
            if headers[one] != new_headers[other]:
                yield Step(
                    name=old.column_name(one),
                    new_name=new.column_name(other),
                    status=Status.UPDATED,
                    before=headers[one],
                    after=new_headers[other],
                    old_node=old.column_node(one),
                    new_node=new.column_node(other),
                )

    def _lines(self) -> Iterator[Step]:
        old, new = self.old, self.new
        for place in _others(len(old.lines), [one for one, _ in self.lines]):
            yield self._line(old, place, 0)
        for place in _others(len(new.lines), [other for _, other in self.lines]):
            yield self._line(new, place, 1).reversed
        for one, other in _moved(self.lines):
            yield Step(
                name=self._line_name(old, one, 0),
                new_name=self._line_name(new, other, 1),
                status=Status.MOVED,
                before=f"{old.line_name} {one + 1}",
                after=f"{new.line_name} {other + 1}",
                old_node=old.lines[one].node,
                new_node=new.lines[other].node,
            )

    def _cells(self) -> Iterator[Step]:
        """Yields cells whose text changed. A cell that spans several places is reported once."""
        told: set[tuple[int, int]] = set()
        for one, other in self.lines:
            if self._old_rows[one] == self._new_rows[other]:
                continue
            line, new_line = self.old.lines[one], self.new.lines[other]
            for column, new_column in self.columns:
                if line.text(column) == new_line.text(new_column):
                    continue
                before, after = line.place(column), new_line.place(new_column)
                if (before.node, after.node) not in told:
                    told.add((before.node, after.node))
                    yield Step(
                        name=self._cell_name(self.old, one, column, 0),
                        new_name=self._cell_name(self.new, other, new_column, 1),
                        status=Status.UPDATED,
                        before=before.text,
                        after=after.text,
                        old_node=before.node,
                        new_node=after.node,
                    )

    def _changed_lines(self) -> Iterator[Step]:
        """Yields rows with a changed text."""
        for one, other in self.lines:
            if self._old_rows[one] != self._new_rows[other]:
                yield Step(
                    name=self._line_name(self.old, one, 0),
                    new_name=self._line_name(self.new, other, 1),
                    status=Status.UPDATED,
                    before=_joined(self.old.lines[one]),
                    after=_joined(self.new.lines[other]),
                    old_node=self.old.lines[one].node,
                    new_node=self.new.lines[other].node,
                )

    def _linked_cells(self) -> Iterator[Step]:
        """Yields cells with the same text whose links changed."""
        if self.links is None:
            return
        told: set[tuple[int, int]] = set()
        for one, other in self.lines:
            line, new_line = self.old.lines[one], self.new.lines[other]
            for column, new_column in self.columns:
                before, after = line.place(column), new_line.place(new_column)
                if before.text != after.text or (before.node, after.node) in told:
                    continue
                told.add((before.node, after.node))
                went, came = _other_links(self.links[0](before.node), self.links[1](after.node))
                if went or came:
                    yield Step(
                        name=self._cell_name(self.old, one, column, 0),
                        new_name=self._cell_name(self.new, other, new_column, 1),
                        status=Status.UPDATED,
                        before=_with_links(before.text, went),
                        after=_with_links(after.text, came),
                        old_node=before.node,
                        new_node=after.node,
                    )

    def _line(self, grid: Grid, place: int, side: int) -> Step:
        name, line = self._line_name(grid, place, side), grid.lines[place]
        return Step(name=name, status=Status.GONE, before=_joined(line), old_node=line.node)

    def _line_name(self, grid: Grid, place: int, side: int) -> str:
        """Returns the name of a row. It is asked for each cell that changed, and a row may be wide."""
        if (place, side) not in self._names:
            self._names[place, side] = self._read_line_name(grid, place, side)
        return self._names[place, side]

    def _read_line_name(self, grid: Grid, place: int, side: int) -> str:
        """Returns the key of a row or, without one, the first text in it."""
        line = grid.lines[place]
        keys = [line.place(self.columns[column][side]).text for column in self.keys]
        named = " ".join(filter(None, keys)) or next(filter(None, line.texts), "")
        return named or f"{grid.line_name} {place + 1}"

    def _cell_name(self, grid: Grid, place: int, column: int, side: int) -> str:
        row = self._line_name(grid, place, side)
        return f"{row} › {grid.column_name(column)}" if max(self.width, self.new_width) > 1 else row


def _rows(grid: Grid, columns: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Returns the rows of a grid with only these columns."""
    if columns == grid.column_texts and isinstance(grid.lines, EvenRows) and len(columns) == grid.lines.width:
        return grid.rows
    return list(zip(*columns, strict=True)) if columns else [()] * len(grid.lines)


def _headers(grid: Grid, width: int) -> list[str]:
    return [*grid.header, *[""] * (width - len(grid.header))]


def _other_links(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Returns the addresses that only the old cell has, and those that only the new cell has. Addresses that
    mean the same to a person are equal."""
    if old == new:
        return [], []
    before, after = [meant(url) for url in old], [meant(url) for url in new]
    return (
        [url for url, known in zip(old, before, strict=True) if known not in after],
        [url for url, known in zip(new, after, strict=True) if known not in before],
    )


def _with_links(text: str, links: list[str]) -> str:
    """Returns the text of a cell with addresses behind it: "more (https://example.org/a)"."""
    return f"{text} ({', '.join(links)})".lstrip() if links else text


def _others(many: int, paired: list[int]) -> list[int]:
    """Returns the places that have no partner. Each place with one is in `paired` once."""
    return sorted(set(range(many)).difference(paired)) if len(paired) < many else []


def _moved(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns the pairs that left the order of the others, as few as possible."""
    kept = set(in_order(pairs))
    if len(kept) == len(pairs):
        return []
    return [pair for index, pair in enumerate(pairs) if index not in kept]


def _column(grid: Grid, column: int) -> Step:
    text = " | ".join(filter(None, grid.column_texts[column]))
    return Step(
        name=grid.column_name(column), status=Status.GONE, before=text, old_node=grid.column_node(column)
    )


def _joined(line: Row) -> str:
    return " | ".join(line.texts)
