"""Tables as a reader sees them: caption, header, rows of cells with spans filled in (C8).

A table inside a cell is a table of its own; its text is not text of the cell around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple, overload

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
MOST = 5_000
# On a page with more cells each row is one cell: rows that changed are told, not what in them.
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
    rows: Sequence[Row]
    header_rows: tuple[Row, ...] = ()


def tables(digest: PageDigest) -> Sequence[Table]:
    """All tables in document order; of a page made of tables the first."""
    if not digest.is_html or "table" not in digest.tag_index:
        return ()
    holding = "tr" if _is_row_by_row(digest) else "td th"
    return _tables(digest, OwnedTexts(digest, digest.is_tag((*holding.split(), "caption"))).of_all)


def grids(digest: PageDigest) -> Sequence[Table]:
    """The same without any text, for who knows the texts: finding them is most of the work."""
    return (
        _tables(digest, lambda nodes: [""] * len(nodes))
        if digest.is_html and "table" in digest.tag_index
        else ()
    )


def _is_row_by_row(digest: PageDigest) -> bool:
    return len(digest.nodes_of(*_CELLS)) > MOST_CELLS


def _tables(digest: PageDigest, texts_of: _TextsOf) -> Sequence[Table]:
    is_table = digest.is_tag(("table",))
    row_by_row = _is_row_by_row(digest)
    owner = arrays.enclosing(is_table, digest.sizes)
    nodes = np.flatnonzero(is_table)[:MOST].tolist()
    rows = _Groups(owner, digest.nodes_of("tr"))
    captions = _Groups(owner, digest.nodes_of("caption"))
    cells = None if row_by_row else _cells_of_rows(digest)
    spanning = set(digest.attribute_node[digest.rows_of("colspan", "rowspan")].tolist())
    th = {*digest.nodes_of("th").tolist()}
    sections = _sections(digest)
    # A twin, for a page that knew of what knows of the page would stay in memory for long.
    twin = copy(digest)

    def make(place: int) -> Table:
        node = nodes[place]
        caption = "".join(texts_of(captions.of(node)[:1]))
        own = rows.of(node)
        if cells is None:
            return _lone_table(twin, node, caption, LoneRows(texts_of(own), own), sections)
        written = [
            _Written(row, sections[row], inside, not spanning.isdisjoint(inside))
            for row in own
            for inside in [cells.of(row)]
        ]
        nodes_of_cells = [one for row in written for one in row.cells]
        texts = dict(zip(nodes_of_cells, texts_of(nodes_of_cells), strict=True))
        return _table(twin, node, caption, written, texts, th)

    return OnDemand(len(nodes), make)


class LoneRows(Sequence[Row]):
    """Rows of one cell each, which is the row itself. Each is made when it is asked for: they are many."""

    def __init__(self, texts: list[str], nodes: list[int]) -> None:
        self.texts = texts
        self.nodes = nodes

    def __len__(self) -> int:
        return len(self.nodes)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> LoneRows: ...
    def __getitem__(self, place: int | slice) -> Row | LoneRows:
        if isinstance(place, slice):
            return LoneRows(self.texts[place], self.nodes[place])
        return Row((Cell(self.texts[place], self.nodes[place]),), self.nodes[place])


def _lone_table(
    digest: PageDigest, node: int, caption: str, rows: LoneRows, sections: dict[int, int]
) -> Table:
    heads = _heads(digest, map(sections.__getitem__, rows.nodes))
    names = _column_names([*rows[:heads]]) if heads else ()
    return Table(node, caption, names, rows[heads:], tuple(rows[:heads]))


class _Written(NamedTuple):
    """A row as written: its `tr`, the section around it (-1 for the table itself), its cells."""

    node: int
    section: int
    cells: list[int]
    spanning: bool


class _Groups:
    """Nodes by what is around them."""

    def __init__(self, owner: arrays.Longs, nodes: arrays.Longs) -> None:
        owners = owner[nodes]
        order = owners.argsort(kind="stable")
        owners = owners[order]
        begins = np.append(True, owners[1:] != owners[:-1])[: len(owners)].nonzero()[0]
        runs = pairwise([*begins.tolist(), len(owners)])
        self._nodes: list[int] = nodes[order].tolist()
        self._runs = dict(zip(owners[begins].tolist(), runs, strict=True))

    def of(self, owner: int) -> list[int]:
        """Those of one, in the order of the page."""
        start, end = self._runs.get(owner, (0, 0))
        return self._nodes[start:end]


def _cells_of_rows(digest: PageDigest) -> _Groups:
    owner = arrays.enclosing(digest.is_tag(("tr", "table")), digest.sizes)
    return _Groups(owner, digest.nodes_of(*_CELLS))


def _sections(digest: PageDigest) -> dict[int, int]:
    """Row → the head, body or foot that it stands in; -1 for one that stands in none."""
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
    rows = list(_grid(digest, written, texts, th))
    heads = _count_header_rows(digest, written, rows)
    names = _column_names(rows[:heads]) if heads else ()
    return Table(node, caption, names, tuple(rows[heads:]), tuple(rows[:heads]))


def _count_header_rows(digest: PageDigest, written: list[_Written], rows: list[Row]) -> int:
    """The rows of a `thead`; without one the first row, if it consists of header cells."""
    heads = _heads(digest, (row.section for row in written))
    if not heads and len(rows) > 1 and rows[0].cells and all(cell.is_header for cell in rows[0].cells):
        return 1
    return heads


def _heads(digest: PageDigest, sections: Iterable[int]) -> int:
    """How many rows at the beginning stand in a `thead`."""
    heads = takewhile(lambda section: section >= 0 and digest.tag(section) == "thead", sections)
    return sum(1 for _ in heads)


def _column_names(rows: list[Row]) -> tuple[str, ...]:
    width = max((len(row.cells) for row in rows), default=0)
    columns = ([row.cells[place] for row in rows if place < len(row.cells)] for place in range(width))
    return tuple(" ".join(dict.fromkeys(cell.text for cell in column if cell.text)) for column in columns)


def _grid(digest: PageDigest, written: list[_Written], texts: dict[int, str], th: set[int]) -> Iterator[Row]:
    """Each row with the cells that reach into it from above and from the left."""
    if not any(row.spanning for row in written):
        yield from [_plain_row(row, texts, th) for row in written]
        return
    room = min(_FILL * sum(len(row.cells) for row in written) + _ALLOWANCE, _MOST_PLACES)
    hanging: _Hanging = {}
    section = None
    for row in written:
        if room < 0:
            yield _plain_row(row, texts, th)
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
            cell = Cell(texts[node], node, node in th)
            places = [place for place in range(column, column + across) if place not in line]
            line |= dict.fromkeys(places, cell)
            if down > 1:
                hanging |= dict.fromkeys(places, (cell, down - 1))
            column += across
            room -= across
        room -= len(hanging)
        yield _row(line, row.node)


def _plain_row(row: _Written, texts: dict[int, str], th: set[int]) -> Row:
    return Row(tuple([_as_cell((texts[node], node, node in th)) for node in row.cells]), row.node)


# As `Cell._make`, but without a step in Python for each of them: a page may have thousands.
_as_cell: Callable[[tuple[str, int, bool]], Cell] = partial(tuple.__new__, Cell)


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
