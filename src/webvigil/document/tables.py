"""Tables as a reader sees them: caption, header, rows of cells with spans filled in (C8).

A table inside a cell is a table of its own; its text is not text of the cell around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.ondemand import OnDemand
from webvigil.document.reading import OwnedTexts

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

# The widest span HTML allows. Spans may fill this many places per written cell, and a little more;
# beyond that the table was made to explode and spans count as one.
_WIDEST = 1000
_FILL = 20
_ALLOWANCE = 10_000
_MOST_PLACES = 50_000

# No reader tells more of them apart, and each takes its time.
MOST = 10_000
# On a page with more cells each row is one cell: rows that changed are told, not what in them.
MOST_CELLS = 50_000

_CELLS, _TABLE, _TABLE_OR_ROW = frozenset(("td", "th")), frozenset(("table",)), frozenset(("table", "tr"))
_CELLS_AND_CAPTIONS, _ROWS_AND_CAPTIONS = _CELLS | {"caption"}, frozenset(("tr", "caption"))
_TextsOf = Callable[[list[int]], list[str]]
_SECTIONS = ("thead", "tbody", "tfoot")


class Cell(NamedTuple):
    """One cell. Where it spans several places of the grid, each place holds this same cell."""

    text: str
    node: int
    is_header: bool = False


class Row(NamedTuple):
    """One row of the grid; `node` is its `tr`."""

    cells: tuple[Cell, ...]
    node: int

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """`header` names the columns ("" where nothing does); `rows` are the rows below it."""

    node: int
    caption: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    header_rows: tuple[Row, ...] = ()


def tables(digest: PageDigest) -> Sequence[Table]:
    """All tables in document order; of a page made of tables the first."""
    if not digest.is_html or "table" not in digest.tag_index:
        return ()
    row_by_row = _is_row_by_row(digest)
    holding = _ROWS_AND_CAPTIONS if row_by_row else _CELLS_AND_CAPTIONS
    return _tables(digest, OwnedTexts(digest, digest.is_tag(holding)).of_all, row_by_row)


def grids(digest: PageDigest) -> Sequence[Table]:
    """The same without any text, for who knows the texts: finding them is most of the work."""
    return (
        _tables(digest, lambda nodes: [""] * len(nodes), _is_row_by_row(digest))
        if digest.is_html and "table" in digest.tag_index
        else ()
    )


def _is_row_by_row(digest: PageDigest) -> bool:
    return int(np.count_nonzero(digest.is_tag(_CELLS))) > MOST_CELLS


def _tables(digest: PageDigest, texts_of: _TextsOf, row_by_row: bool) -> Sequence[Table]:
    is_table = digest.is_tag(_TABLE)
    owner = arrays.enclosing(is_table, digest.sizes)
    nodes: list[int] = np.flatnonzero(is_table)[:MOST].tolist()
    rows = _Owned(owner, digest.nodes_of("tr"))
    captions = _Owned(owner, digest.nodes_of("caption"))
    cells = _rows_alone(digest) if row_by_row else _cells_of_rows(digest)
    spanning = set(digest.attribute_node[digest.rows_of("colspan", "rowspan")].tolist())
    th = {*digest.nodes_of("th").tolist()}
    # A twin, for a page that knew of what knows of the page would stay in memory for long.
    twin = copy(digest)

    def make(place: int) -> Table:
        node = nodes[place]
        ours = rows.of(node)
        inside = list(map(cells.of, ours))
        all_cells = list(chain.from_iterable(inside))
        caption = "".join(texts_of(captions.of(node)[:1]))
        made = _cells(texts_of(all_cells), all_cells, th)
        if spanning.isdisjoint(all_cells):
            lines = _plain_rows(ours, inside, made)
        else:
            lines = list(_spanned(twin, ours, inside, dict(zip(all_cells, made, strict=True))))
        return _table(twin, node, caption, lines)

    return OnDemand(len(nodes), make)


class _Owned:
    """Nodes by their owner: rows by their table, cells by their row."""

    def __init__(self, owner: arrays.Longs, nodes: arrays.Longs) -> None:
        owners = owner[nodes]
        if (owners[1:] < owners[:-1]).any():
            order = owners.argsort(kind="stable")
            owners, nodes = owners[order], nodes[order]
        first = np.ones(len(owners), dtype=np.bool_)
        first[1:] = owners[1:] != owners[:-1]
        borders: list[int] = first.nonzero()[0].tolist()
        self._nodes: list[int] = nodes.tolist()
        self._runs = dict(zip(owners[first].tolist(), pairwise([*borders, len(nodes)]), strict=True))

    def of(self, owner: int) -> list[int]:
        start, end = self._runs.get(owner, _NO_RUN)
        return self._nodes[start:end]


_NO_RUN = (0, 0)


def _cells_of_rows(digest: PageDigest) -> _Owned:
    return _Owned(arrays.enclosing(digest.is_tag(_TABLE_OR_ROW), digest.sizes), digest.nodes_of(*_CELLS))


def _rows_alone(digest: PageDigest) -> _Owned:
    """Each row as a cell of its own."""
    return _Owned(np.arange(len(digest)), digest.nodes_of("tr"))


def _sections(digest: PageDigest, rows: Sequence[int]) -> list[int]:
    """The head, body or foot that each row stands in; -1 for one that stands in none."""
    parents = digest.parents[[*rows]]
    sections: list[int] = np.where(digest.is_tag(_SECTIONS)[parents], parents, -1).tolist()
    return sections


def _table(digest: PageDigest, node: int, caption: str, rows: list[Row]) -> Table:
    heads = _count_header_rows(digest, rows)
    names = _column_names(rows[:heads]) if heads else ()
    return Table(node, caption, names, tuple(rows[heads:]), tuple(rows[:heads]))


def _count_header_rows(digest: PageDigest, rows: list[Row]) -> int:
    """The rows of a `thead`; without one the first row, if it consists of header cells."""
    heads = 0
    for row in rows:
        if digest.tag(digest.parent(row.node)) != "thead":
            break
        heads += 1
    if not heads and len(rows) > 1 and rows[0].cells and all(cell.is_header for cell in rows[0].cells):
        return 1
    return heads


def _column_names(rows: list[Row]) -> tuple[str, ...]:
    width = max((len(row.cells) for row in rows), default=0)
    columns = ([row.cells[place] for row in rows if place < len(row.cells)] for place in range(width))
    return tuple(" ".join(dict.fromkeys(cell.text for cell in column if cell.text)) for column in columns)


def _cells(texts: list[str], nodes: list[int], th: set[int]) -> list[Cell]:
    return list(map(_as_cell, zip(texts, nodes, map(th.__contains__, nodes), strict=True)))


# As `Cell._make`, but without a step in Python for each of them: a page may have thousands.
_as_cell: Callable[[tuple[str, int, bool]], Cell] = partial(tuple.__new__, Cell)


def _plain_rows(rows: list[int], inside: list[list[int]], cells: list[Cell]) -> list[Row]:
    """Each with as many of the cells, in order, as stand in it."""
    left = iter(cells)
    return [Row(tuple(islice(left, len(own))), row) for row, own in zip(rows, inside, strict=True)]


def _spanned(
    digest: PageDigest, rows: list[int], inside: list[list[int]], cells: dict[int, Cell]
) -> Iterator[Row]:
    """Each row with the cells that reach into it from above and from the left."""
    room = min(_FILL * sum(map(len, inside)) + _ALLOWANCE, _MOST_PLACES)
    hanging: _Hanging = {}
    section = None
    for row, within, nodes in zip(rows, _sections(digest, rows), inside, strict=True):
        if within != section or room < 0:
            hanging, section = {}, within
        line = {column: cell for column, (cell, _) in hanging.items()}
        hanging = {column: (cell, more - 1) for column, (cell, more) in hanging.items() if more > 1}
        column = 0
        for node in nodes:
            while column in line:
                column += 1
            across, down = _spans(digest, node) if room > 0 else (1, 1)
            cell = cells[node]
            places = [place for place in range(column, column + across) if place not in line]
            line |= dict.fromkeys(places, cell)
            if down > 1:
                hanging |= dict.fromkeys(places, (cell, down - 1))
            column += across
            room -= across
        room -= len(hanging)
        yield _row(line, row)


# Column → the cell that reaches into the next rows, and into how many.
_Hanging = dict[int, tuple[Cell, int]]

_NOTHING = Cell("", -1)


def _row(line: dict[int, Cell], node: int) -> Row:
    width = max(line, default=-1) + 1
    return Row(tuple(line.get(place, _NOTHING) for place in range(width)), node)


def _spans(digest: PageDigest, node: int) -> tuple[int, int]:
    across = _number(digest.attribute(node, "colspan"), 1)
    down = _number(digest.attribute(node, "rowspan"), 1)
    # rowspan="0" reaches to the end of the section; the end of the section cuts it anyway.
    return min(max(across, 1), _WIDEST), 65534 if down == 0 else min(down, 65534)


def _number(text: str | None, default: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else default
