"""A page in, its tables as a reader sees them out: caption, header, rows of cells with spans filled in (C8).

A table inside a cell is a table of its own; its text does not belong to the cell around it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.ondemand import OnDemand, Singles
from webvigil.document.reading import OwnedTexts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# The widest span that HTML allows. The spans of a table may fill _FILL places per written cell plus
# _ALLOWANCE, and those of a page _MOST_PLACES. A page with more was made to explode; further spans count as
# one place.
_WIDEST = 1000
_FILL = 20
_ALLOWANCE = 10_000
_MOST_PLACES = 50_000

# The most tables of a page. No reader tells more of them apart, and each takes time.
MOST = 5_000
# On a page with more cells each row is taken as one cell. Changes then name the row and not the cell.
MOST_CELLS = 50_000

_CELLS = ("td", "th")
_TextsOf = Callable[[list[int]], list[str]]
_SECTIONS = ("thead", "tbody", "tfoot")


class Cell(NamedTuple):
    """One cell. Where it spans several places of the grid, each place holds this same cell."""

    text: str
    node: int
    is_header: bool = False


class Row(NamedTuple):
    """One row of the grid. `node` is its `tr`."""

    cells: tuple[Cell, ...]
    node: int

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `header` has the names of the columns ("" for a column without one); `rows` are the rows
    below."""

    node: int
    caption: str
    header: tuple[str, ...]
    rows: Sequence[Row]
    header_rows: tuple[Row, ...] = ()


def tables(digest: PageDigest) -> Sequence[Table]:
    """Returns the tables in document order, at most `MOST`. Each is made on first use."""
    if not digest.is_html or "table" not in digest.tag_index:
        return ()
    holding = "tr" if row_by_row(digest) else "td th"
    return _tables(digest, OwnedTexts(digest, digest.is_tag((*holding.split(), "caption"))).of_all)


class Grid(NamedTuple):
    """A table without its texts: its rows, of which the first `heads` name the columns.

    `spans` says that a cell fills several places. Such a cell stands at each of its places.
    """

    node: int
    rows: list[GridRow]
    heads: int
    spans: bool


class GridRow(NamedTuple):
    """The node of a `tr`, and the node of the cell at each place of the row, -1 for none."""

    node: int
    cells: Sequence[int]


def grids(digest: PageDigest, wanted: Container[int]) -> Iterator[tuple[int, Grid]]:
    """Yields the number (from 0) and the grid of each wanted table. Grids have no texts, because finding the
    texts is most of the work."""
    if not digest.is_html or "table" not in digest.tag_index:
        return
    written = _Source(digest)
    room = _MOST_PLACES
    for number, node in enumerate(written.nodes):
        if node not in wanted:
            continue
        rows = written.rows(node)
        spans = room > 0 and any(row.spanning for row in rows)
        grid = list(_places(digest, rows)) if spans else [GridRow(row.node, row.cells) for row in rows]
        room -= sum(len(row.cells) for row in grid) if spans else 0
        yield number, Grid(node, grid, _count_header_rows(digest, rows, grid, written.th), spans)


def row_by_row(digest: PageDigest) -> bool:
    """Tells whether the page has more than `MOST_CELLS` cells, so that each row is taken as one cell."""
    return len(digest.nodes_of(*_CELLS)) > MOST_CELLS


def _tables(digest: PageDigest, texts_of: _TextsOf) -> Sequence[Table]:
    # The tables are kept in the digest. They refer to a copy of it, because a digest and tables that refer to
    # each other would stay in memory until the garbage collector runs.
    twin = copy(digest)
    source = _Source(twin)
    captions = _Groups(source.owner, digest.nodes_of("caption"))

    def make(place: int) -> Table:
        node = source.nodes[place]
        caption = "".join(texts_of(captions.of(node)[:1]))
        if source.is_row_by_row:
            own = source.trs(node)
            return _lone_table(twin, node, caption, Singles(texts_of(own), own, _lone_row), source.sections)
        written = source.rows(node)
        nodes_of_cells = [one for row in written for one in row.cells]
        texts = dict(zip(nodes_of_cells, texts_of(nodes_of_cells), strict=True))
        return _table(twin, node, caption, written, texts, source.th)

    return OnDemand(len(source.nodes), make)


class _Source:
    """The tables of a page as they are written, before spans are filled in."""

    def __init__(self, digest: PageDigest) -> None:
        is_table = digest.is_tag(("table",))
        self.owner = arrays.enclosing(is_table, digest.sizes)
        self.nodes: list[int] = np.flatnonzero(is_table)[:MOST].tolist()
        self.th = {*digest.nodes_of("th").tolist()}
        self.is_row_by_row = row_by_row(digest)
        self._rows = _Groups(self.owner, digest.nodes_of("tr"))
        self._cells = None if self.is_row_by_row else _cells_of_rows(digest)
        self._spanning = set(digest.attribute_node[digest.rows_of("colspan", "rowspan")].tolist())
        self.sections = _sections(digest)

    def trs(self, node: int) -> list[int]:
        """Returns the `tr` nodes of one table."""
        return self._rows.of(node)

    def rows(self, node: int) -> list[_Written]:
        """Returns the rows of one table with their cells."""
        cells = self._cells
        return [
            _Written(row, self.sections[row], inside, not self._spanning.isdisjoint(inside))
            for row in self.trs(node)
            for inside in [[row] if cells is None else cells.of(row)]
        ]


def _lone_row(text: str, node: int) -> Row:
    return Row((Cell(text, node),), node)


def _lone_table(
    digest: PageDigest, node: int, caption: str, rows: Singles[Row], sections: dict[int, int]
) -> Table:
    heads = _heads(digest, map(sections.__getitem__, rows.nodes))
    names = _column_names([*rows[:heads]]) if heads else ()
    return Table(node, caption, names, rows[heads:], tuple(rows[:heads]))


class _Written(NamedTuple):
    """A row as written: its `tr`, the section around it (-1 for none), its cells, and whether a cell has a
    span."""

    node: int
    section: int
    cells: list[int]
    spanning: bool


class _Groups:
    """Groups nodes by their owner, for example rows by their table."""

    def __init__(self, owner: arrays.Longs, nodes: arrays.Longs) -> None:
        owners = owner[nodes]
        order = owners.argsort(kind="stable")
        owners = owners[order]
        begins = np.append(True, owners[1:] != owners[:-1])[: len(owners)].nonzero()[0]
        runs = pairwise([*begins.tolist(), len(owners)])
        self._nodes: list[int] = nodes[order].tolist()
        self._runs = dict(zip(owners[begins].tolist(), runs, strict=True))

    def of(self, owner: int) -> list[int]:
        """Returns the nodes of one owner, in the order of the page."""
        start, end = self._runs.get(owner, (0, 0))
        return self._nodes[start:end]


def _cells_of_rows(digest: PageDigest) -> _Groups:
    owner = arrays.enclosing(digest.is_tag(("tr", "table")), digest.sizes)
    return _Groups(owner, digest.nodes_of(*_CELLS))


def _sections(digest: PageDigest) -> dict[int, int]:
    """Returns for each row the node of the head, body or foot around it, or -1 for none."""
    rows = digest.nodes_of("tr")
    parents = digest.parents[rows]
    sections = np.where(digest.is_tag(_SECTIONS)[parents], parents, -1)
    return dict(zip(rows.tolist(), sections.tolist(), strict=True))


def _table(
    digest: PageDigest,
    node: int,
    caption: str,
    written: list[_Written],
    texts: dict[int, str],
    th: set[int],
) -> Table:
    grid = list(_places(digest, written))
    heads = _count_header_rows(digest, written, grid, th)
    known = {one: _as_cell((text, one, one in th)) for one, text in texts.items()} | {-1: _NOTHING}
    rows = [Row(tuple([known[one] for one in row.cells]), row.node) for row in grid]
    names = _column_names(rows[:heads]) if heads else ()
    return Table(node, caption, names, tuple(rows[heads:]), tuple(rows[:heads]))


def _count_header_rows(digest: PageDigest, written: list[_Written], rows: list[GridRow], th: set[int]) -> int:
    """Returns the number of header rows: those of a `thead` or, without one, 1 if the first row consists of
    header cells."""
    heads = _heads(digest, (row.section for row in written))
    if not heads and len(rows) > 1 and rows[0].cells and th.issuperset(rows[0].cells):
        return 1
    return heads


def _heads(digest: PageDigest, sections: Iterable[int]) -> int:
    """Returns how many rows at the beginning stand in a `thead`."""
    heads = takewhile(lambda section: section >= 0 and digest.tag(section) == "thead", sections)
    return sum(1 for _ in heads)


def _column_names(rows: list[Row]) -> tuple[str, ...]:
    width = max((len(row.cells) for row in rows), default=0)
    columns = ([row.cells[place] for row in rows if place < len(row.cells)] for place in range(width))
    return tuple(" ".join(dict.fromkeys(cell.text for cell in column if cell.text)) for column in columns)


def _places(digest: PageDigest, written: list[_Written]) -> Iterator[GridRow]:
    """Yields each row with a cell at every place, including the cells that span into it from above or the
    left."""
    if not any(row.spanning for row in written):
        yield from [GridRow(row.node, row.cells) for row in written]
        return
    room = min(_FILL * sum(len(row.cells) for row in written) + _ALLOWANCE, _MOST_PLACES)
    hanging: _Hanging = {}
    section = None
    for row in written:
        if room < 0:
            yield GridRow(row.node, row.cells)
            continue
        if row.section != section:
            hanging, section = {}, row.section
        line = {column: cell for column, (cell, _) in hanging.items()}
        hanging = {column: (cell, more - 1) for column, (cell, more) in hanging.items() if more > 1}
        column = 0
        for node in row.cells:
            while column in line:
                column += 1
            across, down = _spans(digest, node) if room > 0 else (1, 1)
            places = [place for place in range(column, column + across) if place not in line]
            line |= dict.fromkeys(places, node)
            if down > 1:
                hanging |= dict.fromkeys(places, (node, down - 1))
            column += across
            room -= across
        room -= len(hanging)
        width = max(line, default=-1) + 1
        yield GridRow(row.node, [line.get(place, -1) for place in range(width)])


# For each column the cell that spans into the next rows, and into how many of them.
_Hanging = dict[int, tuple[int, int]]

_NOTHING = Cell("", -1)
# The same as `Cell._make`, without a call in Python per cell, because a page may have thousands of cells.
_as_cell: Callable[[tuple[str, int, bool]], Cell] = partial(tuple.__new__, Cell)


def _spans(digest: PageDigest, node: int) -> tuple[int, int]:
    across = _number(digest.attribute(node, "colspan"), 1)
    down = _number(digest.attribute(node, "rowspan"), 1)
    # rowspan="0" means up to the end of the section. The largest span does the same, because every span is
    # cut at the end of its section.
    return min(max(across, 1), _WIDEST), 65534 if down == 0 else min(down, 65534)


def _number(text: str | None, default: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else default
