"""A page in, its blocks in reading order out: what a reader takes for one paragraph, heading, item or row.

A block is a line of the visible text, so wrappers and classes make no difference. The lines in one row of a
table are one block with a cell for each column; a cell that spans several columns or rows has its text at the
first of its places. A table that contains another table or a heading is used for layout and is no table here.
A value of JSON or XML has the name of its key or element, which stands beside its words and is none of them.
The words of all blocks are the words of the page, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise, repeat
from typing import NamedTuple

import numpy as np

from webvigil.document import PageDigest, arrays
from webvigil.document.json_tree import tree_of
from webvigil.document.naming import cut
from webvigil.document.reading import lengths_at
from webvigil.document.tables import MOST, grids, row_by_row

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_KINDS = {
    **{tag: tag for tag in HEADINGS},
    "li": "item",
    "dt": "item",
    "dd": "item",
    "blockquote": "quote",
    "pre": "line",
    "textarea": "line",
    "p": "paragraph",
    "caption": "paragraph",
    "td": "paragraph",
    "th": "paragraph",
}
# A table with one of these elements inside is used for layout.
_ARRANGING = ("table", *HEADINGS, "section", "article", "nav", "main", "form")

# Lists in lists around a value of JSON that are looked through for a key.
_NESTED = 3


class Place(NamedTuple):
    """Where a row stands in the whole page: the nodes of the `tr`, the table and the cells."""

    row: int = -1
    table: int = -1
    cells: tuple[int, ...] = ()


_NONE: frozenset[int] = frozenset()
_NO_ROW = Place()


class Block(NamedTuple):
    """One block. `cells` holds one text, or for a row one text per column; `continued` holds the columns that
    only continue the cell before. `node` is that of the first text in the whole page, `place` where a row
    stands there. `name` says what a value of JSON or XML is, "" elsewhere."""

    kind: str
    cells: tuple[str, ...]
    links: tuple[str, ...] = ()
    table: int = -1
    header: bool = False
    continued: frozenset[int] = _NONE
    node: int = -1
    place: Place = _NO_ROW
    name: str = ""

    @property
    def text(self) -> str:
        return self.cells[0] if len(self.cells) == 1 else " ".join(filter(None, self.cells))

    @property
    def is_row(self) -> bool:
        return self.kind == "row"

    @property
    def is_heading(self) -> bool:
        return self.kind in HEADINGS


class Lines(NamedTuple):
    """The lines of a page, as one list per property, for speed.

    `first` and `last` are the first and last text node of each line, `nodes` the first node as the whole page
    counts; `cells` and `rows` are the cell and the row of a table around the line, -1 for none. `names` are
    those of values of JSON and XML, and "" elsewhere.
    """

    texts: list[str]
    kinds: list[str]
    first: list[int]
    last: list[int]
    nodes: list[int]
    cells: list[int]
    rows: list[int]
    names: list[str]


def blocks(page: PageDigest) -> list[Block]:
    """Returns the blocks of a page; of a binary document one block per text."""
    if page.kind == "binary":
        return [Block("line", (text,)) for text in page.texts]
    found = lines(page)
    return blocks_of(page, found, [(0, len(found.texts))])[0]


def lines(page: PageDigest) -> Lines:
    """Returns the lines of the visible text. In elements that keep white space, the lines are those of the
    source."""
    texts = page.shown.text.split("\n") if page.shown.text else []
    first, last = _ends(page, texts)
    nodes, whole = page.origin[first], page.whole
    cells, rows = _around(whole, nodes)
    found = Lines(
        texts=texts,
        kinds=_kind_of(whole, nodes),
        first=first.tolist(),
        last=last.tolist(),
        nodes=nodes.tolist(),
        cells=cells.tolist(),
        rows=rows.tolist(),
        names=_names(whole, nodes),
    )
    return _as_written(page, found) if "line" in found.kinds else found


def blocks_of(page: PageDigest, found: Lines, parts: Sequence[tuple[int, int]]) -> list[list[Block]]:
    """Returns the blocks of some parts of a page. A part is its first line and the line after its last."""
    links = _links(page, found)
    rows = _rows(page.whole, {row for part in parts for row in found.rows[slice(*part)] if row >= 0})
    return [_blocks_of(found, links, rows, *part) for part in parts]


def _blocks_of(found: Lines, links: Links, rows: Mapping[int, _Placed], start: int, end: int) -> list[Block]:
    """Returns the blocks of one part: the lines of one row are one block, each other line is a block."""
    inside = found.rows[start:end]
    turns: list[int] = (np.flatnonzero(np.diff(inside)) + start + 1).tolist() if rows else []
    made: list[Block] = []
    for first, last in pairwise([start, *turns, end]):
        if first < last and found.rows[first] >= 0:
            made.append(_row_block(found.rows[first], rows[found.rows[first]], found, links, first, last))
        else:
            made += _alone(found, links, first, last)
    return made


Links = Mapping[int, tuple[str, ...]]


def _alone(found: Lines, links: Links, start: int, end: int) -> Iterator[Block]:
    """Returns one block for each line."""
    linked = map(links.get, range(start, end), repeat(()))
    known = found.kinds[start:end], zip(found.texts[start:end]), linked
    nodes, names = found.nodes[start:end], found.names[start:end]
    return map(_BLOCK, zip(*known, repeat(-1), repeat(False), repeat(_NONE), nodes, repeat(_NO_ROW), names))


# As `_make` does it, but without a call in Python for each of the thousands of blocks.
_BLOCK: Callable[[Iterable[object]], Block] = partial(tuple.__new__, Block)


class _Placed(NamedTuple):
    """The cells of a row in the grid of its table, the number and the node of that table, whether the row
    names columns, and whether cells of the table span several places."""

    cells: list[int]
    table: int
    node: int
    header: bool
    spans: bool


def _rows(page: PageDigest, wanted: set[int]) -> dict[int, _Placed]:
    """Returns the rows of the tables that have the wanted rows, by the node of their `tr`."""
    if not wanted:
        return {}
    tables = arrays.enclosing(page.is_tag(("table",)), page.sizes)[list(wanted)]
    found: dict[int, _Placed] = {}
    for number, grid in grids(page, set(tables.tolist())):
        header = chain(repeat(True, grid.heads), repeat(False))
        placed = zip(grid.cells, repeat(number), repeat(grid.node), header, repeat(grid.spans))
        found.update(zip(grid.rows, map(_PLACED, placed), strict=True))
    return found


_PLACED: Callable[[Iterable[object]], _Placed] = partial(tuple.__new__, _Placed)


def _row_block(row: int, placed: _Placed, found: Lines, links: Links, start: int, end: int) -> Block:
    nodes = placed.cells
    if not placed.spans and found.cells[start:end] == nodes:
        cells = tuple(found.texts[start:end])
    else:
        texts: dict[int, list[str]] = {}
        for cell, text in zip(found.cells[start:end], found.texts[start:end], strict=True):
            texts.setdefault(cell, []).append(text)
        cells = tuple([" ".join(texts.pop(node, ())) for node in nodes])
    carried = _carried(nodes) if placed.spans else _NONE
    place = Place(row, placed.node, tuple(nodes))
    urls = tuple(chain.from_iterable(map(links.get, range(start, end), repeat(())))) if links else ()
    return Block("row", cells, urls, placed.table, placed.header, carried, found.nodes[start], place)


def _carried(nodes: Sequence[int]) -> frozenset[int]:
    return frozenset(k for k in range(1, len(nodes)) if nodes[k] >= 0 and nodes[k] == nodes[k - 1])


def _around(page: PageDigest, nodes: arrays.Longs) -> tuple[arrays.Longs, arrays.Longs]:
    """Returns the table cell and the table row around each text, -1 for none. On pages with very many cells,
    each row counts as one cell."""
    if not page.is_html or "table" not in page.tag_index:
        nowhere = np.full(len(nodes), -1, dtype=np.int64)
        return nowhere, nowhere
    # The array has one more place than there are nodes: the index -1 ("no row") reads that last place.
    is_row = np.append(page.is_tag(("tr",)), False)
    is_row[:-1] &= _is_table(page)[arrays.enclosing(page.is_tag(("table",)), page.sizes)]
    rows = arrays.enclosing(page.is_tag(("tr",)), page.sizes)[nodes]
    rows = np.where(is_row[rows], rows, -1)
    if row_by_row(page):
        return rows, rows
    cells = arrays.enclosing(page.is_tag(("td", "th")), page.sizes)[nodes]
    owners = arrays.enclosing(page.is_tag(("tr", "table")), page.sizes)
    return cells, np.where((cells >= 0) & is_row[owners[cells]], rows, -1)


def _is_table(page: PageDigest) -> arrays.Mask:
    """Tells for each node, and in the last place for "no node", whether it is a table that is not used for
    layout."""
    arranging = np.concatenate([[0], np.cumsum(page.is_tag(_ARRANGING))])
    nodes = page.nodes_of("table")[:MOST]
    found = np.zeros(len(page) + 1, dtype=np.bool_)
    found[nodes] = arranging[nodes + 1] == arranging[nodes + page.sizes[nodes]]
    return found


def _ends(page: PageDigest, texts: list[str]) -> tuple[arrays.Longs, arrays.Longs]:
    """Returns the first and the last text node of each line."""
    shown = page.shown
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1, out=starts[1:])
    first = shown.nodes[np.searchsorted(shown.starts, starts[:-1], side="right") - 1]
    last = shown.nodes[np.searchsorted(shown.starts, starts[1:] - 1) - 1]
    return first, last


def _as_written(page: PageDigest, found: Lines) -> Lines:
    """Splits the lines in elements that keep white space into the lines of the source."""
    text = page.reading.text
    begins, behind = _written_at(page, found)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    breaks = np.append(0, np.cumsum(codes == 10))
    if (breaks[begins] == breaks[behind]).all():
        return found
    starts, ends = begins.tolist(), behind.tolist()
    texts: list[str] = []
    kept: list[int] = []
    for place, (kind, row) in enumerate(zip(found.kinds, found.rows, strict=True)):
        written = text[starts[place] : ends[place]].strip() if kind == "line" and row < 0 else ""
        inside = _collapsed(written.split("\n")) if "\n" in written else [found.texts[place]]
        texts += inside
        kept += [place] * len(inside)
    if len(kept) == len(found.texts):
        return found._replace(texts=texts)
    return Lines(texts, *([column[place] for place in kept] for column in found[1:]))  # type: ignore[arg-type]


def _collapsed(written: list[str]) -> list[str]:
    return [collapsed for text in written if (collapsed := " ".join(text.split()))]


def _written_at(page: PageDigest, found: Lines) -> tuple[arrays.Longs, arrays.Longs]:
    """Returns where each line begins and ends in the text as it is written in the source."""
    reading = page.reading
    first, last = (np.searchsorted(reading.nodes, side) for side in (found.first, found.last))
    lengths = lengths_at(page.texts, page.content[found.last])
    return reading.starts[first], reading.starts[last] + lengths


def _links(page: PageDigest, found: Lines) -> Links:
    """Returns, by line, the addresses of the links whose words stand in that line."""
    inside: dict[int, list[str]] = {}
    nodes = np.array([link.node for link in page.links], dtype=np.int64)
    places = np.searchsorted(np.array(found.last, dtype=np.int64), nodes).tolist()
    behind = (nodes + page.sizes[nodes]).tolist()
    for link, place, end in zip(page.links, places, behind, strict=True):
        if place < len(found.first) and found.first[place] < end:
            inside.setdefault(place, []).append(link.url)
    return {place: tuple(urls) for place, urls in inside.items()}


def _kind_of(page: PageDigest, nodes: arrays.Longs) -> list[str]:
    """Returns the kind of block for each text, by the nearest element around it that has a kind."""
    if not page.is_html:
        return ["line"] * len(nodes)
    around = arrays.enclosing(page.is_tag(_KINDS), page.sizes)[nodes]
    named = [*(_KINDS.get(name, "paragraph") for name in page.tag_names), "paragraph"]
    tags = np.where(around >= 0, page.tags[around], len(page.tag_names))
    return [named[tag] for tag in tags.tolist()]


def _names(page: PageDigest, nodes: arrays.Longs) -> list[str]:
    """Returns the key, in XML the element, that each text is the value of. An item of a list has the key of
    the list."""
    owners = page.parents[nodes]
    if page.is_html or page.kind not in ("json", "xml"):
        return [""] * len(nodes)
    if page.kind == "xml":
        short = [cut(name.rpartition(":")[2]) for name in page.tag_names]
        return [short[tag] for tag in page.tags[owners].tolist()]
    keys = tree_of(page).keys
    for _ in range(_NESTED):
        owners = np.where((keys[owners] < 0) & (owners > 0), page.parents[owners], owners)
    return [cut(page.attribute_values[key]) if key >= 0 else "" for key in keys[owners].tolist()]
