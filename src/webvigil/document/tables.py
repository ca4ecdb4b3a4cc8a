"""A page in, its tables as a reader sees them out: caption, header, rows of cells with spans filled in (C8).

A table inside a cell is a table of its own; its text does not belong to the cell around it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise, takewhile, zip_longest
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from webvigil.document import arrays
from webvigil.document.fast import accelerated
from webvigil.document.ondemand import OnDemand
from webvigil.document.reading import OwnedTexts, owned_texts
from webvigil.model.memo import cached_property

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
_SPANS = ("colspan", "rowspan")
_TextsOf = Callable[[list[int]], list[str]]
_SECTIONS = ("thead", "tbody", "tfoot")


class Place(NamedTuple):
    """One place of a row: its text and its node."""

    text: str
    node: int


class Row(NamedTuple):
    """One row of a table, or one item of a list: the node and the text at each place.

    `node` is the `tr` or the item. A cell that spans several places stands at each of them. A place that no
    cell fills belongs to the row itself. Places beyond the end are empty.
    """

    nodes: tuple[int, ...]
    node: int
    texts: tuple[str, ...]

    def text(self, column: int) -> str:
        return self.texts[column] if column < len(self.texts) else ""

    def place(self, column: int) -> Place:
        if column < len(self.nodes):
            return Place(self.texts[column], self.nodes[column])
        return Place("", self.node)


class EvenRows(Sequence[Row]):
    """Rows of the same width. All texts stand in one list and all nodes in another, row by row. A row is made
    each time it is asked for: of the many rows of a page few are."""

    def __init__(self, width: int, nodes: list[int], texts: list[str], rows: list[int]) -> None:
        """`rows` are the nodes of the rows, `nodes` those of their cells."""
        self.width = width if rows else 0
        self.nodes = nodes
        self.texts = texts
        self._rows = rows

    @property
    def row_texts(self) -> list[tuple[str, ...]]:
        """The texts of each row."""
        return list(zip(*[iter(self.texts)] * self.width, strict=True))

    @property
    def column_texts(self) -> list[tuple[str, ...]]:
        """The texts of each column."""
        return [tuple(self.texts[column :: self.width]) for column in range(self.width)]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        chosen, width = range(len(self._rows))[place], self.width
        if not isinstance(chosen, range):
            cells = slice(chosen * width, (chosen + 1) * width)
            return Row(tuple(self.nodes[cells]), self._rows[chosen], tuple(self.texts[cells]))
        if chosen.step != 1:
            return [self[one] for one in chosen]
        cells = slice(chosen.start * width, chosen.stop * width)
        return EvenRows(width, self.nodes[cells], self.texts[cells], self._rows[chosen.start : chosen.stop])


def lone_rows(texts: list[str], nodes: list[int]) -> EvenRows:
    """Returns rows of one cell each, such as the items of a list."""
    return EvenRows(1, nodes, texts, nodes)


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
    maker = _Maker(digest)
    return OnDemand(len(maker.nodes), maker.table)


class Grid(NamedTuple):
    """A table without its texts: the `tr` nodes of its rows, of which the first `heads` name the columns, and
    for each row the node of the cell at each place, -1 for none.

    `spans` says that a cell fills several places. Such a cell stands at each of its places.
    """

    node: int
    rows: list[int]
    cells: list[list[int]]
    heads: int
    spans: bool


def grids(digest: PageDigest, wanted: Container[int]) -> Iterator[tuple[int, Grid]]:
    """Yields the number (from 0) and the grid of each wanted table. Grids have no texts, because finding the
    texts is most of the work."""
    if not digest.is_html or "table" not in digest.tag_index:
        return
    maker = _Maker(digest)
    room = _MOST_PLACES
    for number, node in enumerate(maker.nodes):
        if node not in wanted:
            continue
        table = maker.written(node)
        spans = room > 0 and table.spans
        cells = list(_places(digest, table)) if spans else table.cells
        room -= sum(map(len, cells)) if spans else 0
        heads = _count_header_rows(digest, table.rows, next(iter(cells), []))
        yield number, Grid(node, table.rows, cells, heads, spans)


def row_by_row(digest: PageDigest) -> bool:
    """Tells whether the page has more than `MOST_CELLS` cells, so that each row is taken as one cell."""
    return len(digest) > MOST_CELLS and len(digest.nodes_of(*_CELLS)) > MOST_CELLS


class _Maker:
    """Makes the tables of a page. Most tables have no table in them and no cell that spans several places:
    such a table is read by itself. For the others all rows and cells of the page are sorted by their tables
    once."""

    def __init__(self, digest: PageDigest) -> None:
        # The tables are kept in the digest. They refer to a copy of it, because a digest and tables that
        # refer to each other would stay in memory until the garbage collector runs.
        self._digest = copy(digest)
        self.nodes: list[int] = digest.nodes_of("table")[:MOST].tolist()
        self._is_row_by_row = row_by_row(digest)

    def table(self, place: int) -> Table:
        node = self.nodes[place]
        if plain := self._plain(node):
            table, caption, texts_of = plain.table, plain.caption, plain.texts_of
        else:
            table, caption, texts_of = self._source.table(node), self._captions.of(node), self._texts.of_all
        rows, heads = self._rows(table, texts_of)
        said = "".join(texts_of(caption[:1]))
        return Table(node, said, _column_names(rows[:heads]), rows[heads:], tuple(rows[:heads]))

    def written(self, node: int) -> _Written:
        """Returns a table as it is written."""
        plain = self._plain(node)
        return plain.table if plain else self._source.table(node)

    def _plain(self, node: int) -> _Plain | None:
        return None if self._is_row_by_row else _Plain.read(self._digest, node)

    def _rows(self, table: _Written, texts_of: _TextsOf) -> tuple[Sequence[Row], int]:
        """Returns the rows of a table with their texts, and how many of them name the columns."""
        texts, digest = texts_of(table.flat), self._digest
        if self._is_row_by_row:
            return lone_rows(texts, table.rows), _count_heads(digest, table.rows)
        if table.spans:
            places = list(_places(digest, table))
            return _filled(table, places, texts), _count_header_rows(digest, table.rows, places[0])
        return _as_written(table, texts), _count_header_rows(digest, table.rows, table.first)

    @cached_property
    def _source(self) -> _Source:
        return _Source(self._digest)

    @cached_property
    def _captions(self) -> _Groups:
        return _Groups(self._source.owner, self._digest.nodes_of("caption"))

    @cached_property
    def _texts(self) -> OwnedTexts:
        holding = ("tr",) if self._is_row_by_row else _CELLS
        return OwnedTexts(self._digest, self._digest.is_tag((*holding, "caption")))


class _Source:
    """The tables of a page as they are written, before spans are filled in."""

    def __init__(self, digest: PageDigest) -> None:
        is_table = digest.is_tag(("table",))
        self.owner = arrays.enclosing(is_table, digest.sizes)
        self._rows = _Groups(self.owner, digest.nodes_of("tr"))
        self._cells = None if row_by_row(digest) else _cells_of_rows(digest)
        self._spanning = set(digest.attribute_node[digest.rows_of(*_SPANS)].tolist())

    def table(self, node: int) -> _Written:
        """Returns one table with its cells."""
        rows = self._rows.of(node)
        cells, ends = (rows, [*range(1, len(rows) + 1)]) if self._cells is None else self._cells.of_all(rows)
        return _Written(rows, cells, ends, bool(self._spanning) and not self._spanning.isdisjoint(cells))


class _Plain(NamedTuple):
    """A table that can be read by itself: no table, row, cell or caption in it stands inside of another, and
    no cell spans several places."""

    table: _Written
    caption: list[int]
    texts_of: _TextsOf

    @classmethod
    def read(cls, digest: PageDigest, node: int) -> _Plain | None:
        """Returns None for any other table."""
        sizes, index = digest.sizes, digest.tag_index
        if _has_spans(digest, node, node + int(sizes[node])):
            return None
        names = tuple([index.get(name, -1) for name in ("table", "tr", *_CELLS, "caption")])
        found = plain_rows(digest.tags, sizes, node, names)
        if found is None:
            return None
        rows, cells, captions, ends = found

        def texts_of(nodes: list[int]) -> list[str]:
            pieces = digest.pieces
            inside = np.array(nodes, dtype=np.int64)
            begins, stops = (
                pieces.nodes.searchsorted(inside),
                pieces.nodes.searchsorted(inside + sizes[inside]),
            )
            return owned_texts(digest.texts, pieces.indices, pieces.breaks, begins, stops)

        return cls(_Written(rows, cells, ends, spans=False), captions, texts_of)


@accelerated
def plain_rows(
    tags: arrays.Ints, sizes: arrays.Ints, table: int, names: tuple[int, ...]
) -> tuple[list[int], list[int], list[int], list[int]] | None:
    """Returns the rows, the cells and the captions of a table, and where among the cells those of each row
    end. Returns None if one of them stands inside of another of its sort, if a cell stands outside of the
    rows, or if there is a table in the table. `names` are the numbers of `table`, `tr`, `td`, `th` and
    `caption`, -1 for one that does not occur."""
    rows: list[int] = []
    cells: list[int] = []
    captions: list[int] = []
    ends: list[int] = []
    row_end = owner_end = 0
    inner, row, cell, header_cell, caption = names
    first, last = table + 1, table + int(sizes[table])
    for node, tag in enumerate(tags[first:last].tolist(), first):
        if tag == inner >= 0:
            return None
        if tag == row >= 0:
            if node < row_end:
                return None
            rows.append(node)
            ends.append(len(cells))
            row_end = node + int(sizes[node])
        elif tag >= 0 and tag in (cell, header_cell, caption):
            if node < owner_end or (tag != caption and node >= row_end):
                return None
            owner_end = node + int(sizes[node])
            (captions if tag == caption else cells).append(node)
    return rows, cells, captions, [*ends[1:], len(cells)] if rows else []


def _has_spans(digest: PageDigest, node: int, end: int) -> bool:
    """Tells whether an element below a node says that it spans several places."""
    wanted = [digest.attribute_index[name] for name in _SPANS if name in digest.attribute_index]
    if not wanted:
        return False
    starts = digest.attribute_start
    names = digest.attribute_name[int(starts[node]) : int(starts[end])]
    return any(np.count_nonzero(names == name) for name in wanted)


def _count_header_rows(digest: PageDigest, rows: list[int], first: list[int]) -> int:
    """Returns the number of header rows: those of a `thead` or, without one, 1 if the first row consists of
    header cells. `first` are the cells of that row."""
    heads = _count_heads(digest, rows)
    is_head = len(rows) > 1 and bool(first) and all(one >= 0 and digest.tag(one) == "th" for one in first)
    return heads or int(is_head)


def _count_heads(digest: PageDigest, rows: Iterable[int]) -> int:
    """Returns how many rows at the beginning stand in a `thead`."""
    if "thead" not in digest.tag_index:
        return 0
    heads = takewhile(lambda row: digest.tag(digest.parent(row)) == "thead", rows)
    return sum(1 for _ in heads)


class _Written(NamedTuple):
    """A table as written: its `tr` nodes, the cells of all rows one after the other, where in them the cells
    of each row end, and whether a cell spans several places."""

    rows: list[int]
    flat: list[int]
    ends: list[int]
    spans: bool

    @property
    def cells(self) -> list[list[int]]:
        """The cells of each row."""
        return [self.flat[start:end] for start, end in pairwise([0, *self.ends])]

    @property
    def first(self) -> list[int]:
        """The cells of the first row."""
        return self.flat[: self.ends[0]] if self.ends else []

    @property
    def width(self) -> int:
        """How many cells each row has; 0 if the rows differ in that."""
        width = self.ends[0] if self.ends else 0
        return width if width and self.ends == [*range(width, width * len(self.rows) + 1, width)] else 0


class _Groups:
    """Groups nodes by their owner, for example rows by their table."""

    def __init__(self, owner: arrays.Longs, nodes: arrays.Longs) -> None:
        owners = owner[nodes]
        order = owners.argsort(kind="stable")
        self._owners: arrays.Longs = owners[order]
        self._nodes: arrays.Longs = nodes[order]

    def of(self, owner: int) -> list[int]:
        """Returns the nodes of one owner, in the order of the page."""
        return self.of_all([owner])[0]

    def of_all(self, owners: list[int]) -> tuple[list[int], list[int]]:
        """Returns the nodes of several owners, one owner after the other, and where those of each end."""
        wanted = np.array(owners, dtype=np.int64)
        starts, ends = self._owners.searchsorted(wanted), self._owners.searchsorted(wanted + 1)
        counts: list[int] = np.cumsum(ends - starts).tolist()
        found: list[int] = self._nodes[starts[0] : ends[-1]].tolist() if owners else []
        if (
            counts and len(found) != counts[-1]
        ):  # Between the cells of two rows stand those of a table in a cell.
            runs = zip((starts - starts[0]).tolist(), (ends - starts[0]).tolist(), strict=True)
            found = [node for start, end in runs for node in found[start:end]]
        return found, counts


def _cells_of_rows(digest: PageDigest) -> _Groups:
    owner = arrays.enclosing(digest.is_tag(("tr", "table")), digest.sizes)
    return _Groups(owner, digest.nodes_of(*_CELLS))


def _as_written(table: _Written, texts: list[str]) -> Sequence[Row]:
    """Returns rows without spans. The texts are those of all cells, one after the other."""
    if width := table.width:
        return EvenRows(width, table.flat, texts, table.rows)
    edges = pairwise([0, *table.ends])
    return tuple(
        [
            Row(tuple(table.flat[start:end]), row, tuple(texts[start:end]))
            for row, (start, end) in zip(table.rows, edges, strict=True)
        ]
    )


def _filled(table: _Written, places: list[list[int]], texts: list[str]) -> tuple[Row, ...]:
    """Returns rows with a text at each place that a cell spans."""
    known = dict(zip(table.flat, texts, strict=True)) | {-1: ""}
    return tuple(
        [
            Row(
                tuple([one if one >= 0 else row for one in cells]),
                row,
                tuple([known[one] for one in cells]),
            )
            for row, cells in zip(table.rows, places, strict=True)
        ]
    )


def _column_names(rows: Sequence[Row]) -> tuple[str, ...]:
    columns = zip_longest(*[row.texts for row in rows], fillvalue="")
    return tuple(" ".join(dict.fromkeys(filter(None, column))) for column in columns)


def _places(digest: PageDigest, table: _Written) -> Iterator[list[int]]:
    """Yields the cell at every place of each row, including the cells that span into it from above or the
    left; -1 for none."""
    room = min(_FILL * len(table.flat) + _ALLOWANCE, _MOST_PLACES)
    hanging: _Hanging = {}
    last = None
    for cells, row in zip(table.cells, table.rows, strict=True):
        section = _section(digest, row)
        if room < 0:
            yield cells
            continue
        if section != last:
            hanging, last = {}, section
        line = {column: cell for column, (cell, _) in hanging.items()}
        hanging = {column: (cell, more - 1) for column, (cell, more) in hanging.items() if more > 1}
        column = 0
        for node in cells:
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
        yield [line.get(place, -1) for place in range(max(line, default=-1) + 1)]


def _section(digest: PageDigest, row: int) -> int:
    """Returns the node of the head, body or foot around a row, or -1 for none."""
    parent = digest.parent(row)
    return parent if digest.tag(parent) in _SECTIONS else -1


# For each column the cell that spans into the next rows, and into how many of them.
_Hanging = dict[int, tuple[int, int]]


def _spans(digest: PageDigest, node: int) -> tuple[int, int]:
    across = _number(digest.attribute(node, "colspan"), 1)
    down = _number(digest.attribute(node, "rowspan"), 1)
    # rowspan="0" means up to the end of the section. The largest span does the same, because every span is
    # cut at the end of its section.
    return min(max(across, 1), _WIDEST), 65534 if down == 0 else min(down, 65534)


def _number(text: str | None, default: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else default
