"""A page in, its blocks in reading order out: what a reader takes for one paragraph, heading, item or row.

A block is a line of the visible text: wrappers and classes make no difference. The lines in one row of a
table are one block with a cell for each column; a cell that reaches into several columns or rows has its
text at the first of its places. A table that holds another table or a heading arranges a page and is no
table here. The words of all blocks are the words of the page, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise, repeat
from typing import NamedTuple

import numpy as np

from webvigil.document import PageDigest, arrays
from webvigil.document.tables import GridRow, grids

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
_ARRANGING = ("table", *HEADINGS, "section", "article", "nav", "main", "form")


class Place(NamedTuple):
    """Where a block stands in the whole page: its first text; of a row the `tr`, its table and its cells."""

    node: int
    row: int = -1
    table: int = -1
    cells: tuple[int, ...] = ()


_NONE: frozenset[int] = frozenset()


class Block(NamedTuple):
    """`cells` holds one text, for a row one per column; `continued` says which of them only carry on."""

    kind: str
    cells: tuple[str, ...]
    links: tuple[str, ...] = ()
    table: int = -1
    header: bool = False
    continued: frozenset[int] = _NONE
    place: Place = Place(-1)

    @property
    def text(self) -> str:
        return self.cells[0] if len(self.cells) == 1 else " ".join(filter(None, self.cells))

    @property
    def is_row(self) -> bool:
        return self.kind == "row"

    @property
    def is_heading(self) -> bool:
        return self.kind in HEADINGS


class _Lines(NamedTuple):
    """Lines of text, a list for each thing that is known of them, for speed: their first and last text node
    and the first as the whole page counts; the cell and the row of a table around them, -1 for none; and
    which of the parts asked for they belong to."""

    texts: list[str]
    kinds: list[str]
    first: list[int]
    last: list[int]
    nodes: list[int]
    cells: list[int]
    rows: list[int]
    parts: list[int]


def lines(page: PageDigest) -> list[str]:
    """The lines of the visible text; those of a `pre` count as one."""
    return page.shown.text.split("\n") if page.shown.text else []


def blocks(page: PageDigest) -> list[Block]:
    if page.kind == "binary":
        return [Block("line", (text,)) for text in page.texts]
    count = len(lines(page))
    return blocks_of(page, [(0, count)])[0] if count else []


def blocks_of(page: PageDigest, parts: Sequence[tuple[int, int]]) -> list[list[Block]]:
    """The blocks of some parts of a page, each told by its first line and the one behind its last."""
    if not parts:
        return []
    rows = _rows(page.whole)
    found = _lines(page, rows, parts)
    if "line" in found.kinds:
        found = _as_written(page, found)
    links = _links(page, found)
    alone = _alone(found, links)
    answer: list[list[Block]] = [[] for _ in parts]
    for start, end in _stretches(found):
        if found.rows[start] < 0:
            answer[found.parts[start]] += alone[start:end]
        else:
            answer[found.parts[start]].append(_row_block(rows[found.rows[start]], found, links, start, end))
    return answer


def _stretches(found: _Lines) -> Iterator[tuple[int, int]]:
    """Lines of one row, and lines outside of rows."""
    turns = np.flatnonzero((np.diff(found.rows) != 0) | (np.diff(found.parts) != 0)) + 1
    return pairwise([0, *turns.tolist(), len(found.texts)])


def _alone(found: _Lines, links: list[tuple[str, ...]]) -> list[Block]:
    """A block for each line."""
    places = map(Place._make, zip(found.nodes, repeat(-1), repeat(-1), repeat(()), strict=False))
    known = zip(found.kinds, zip(found.texts, strict=True), links, strict=True)
    return [
        Block(kind, cells, urls, -1, False, _NONE, place)
        for (kind, cells, urls), place in zip(known, places, strict=True)
    ]


class _Placed(NamedTuple):
    """A row of the grid, the number and the node of its table, whether it names columns, and whether cells
    of the table reach into several."""

    row: GridRow
    table: int
    node: int
    header: bool
    spans: bool


def _rows(page: PageDigest) -> dict[int, _Placed]:
    """The rows of tables that are tables, by their `tr`."""
    if "table" not in page.tag_index:
        return {}
    arranging = np.concatenate([[0], np.cumsum(page.is_tag(_ARRANGING))]).tolist()
    sizes = page.sizes
    found = {}
    for number, grid in enumerate(grids(page)):
        if arranging[grid.node + 1] < arranging[grid.node + int(sizes[grid.node])]:
            continue
        for place, row in enumerate(grid.rows):
            found[row.node] = _Placed(row, number, grid.node, place < grid.heads, grid.spans)
    return found


def _row_block(placed: _Placed, found: _Lines, links: list[tuple[str, ...]], start: int, end: int) -> Block:
    texts: dict[int, list[str]] = {}
    for cell, text in zip(found.cells[start:end], found.texts[start:end], strict=True):
        texts.setdefault(cell, []).append(text)
    nodes = placed.row.cells
    cells = tuple([" ".join(texts.pop(node, ())) for node in nodes])
    carried = _carried(nodes) if placed.spans else _NONE
    place = Place(found.nodes[start], placed.row.node, placed.node, tuple(nodes))
    urls = tuple(chain.from_iterable(links[start:end]))
    return Block("row", cells, urls, placed.table, placed.header, carried, place)


def _carried(nodes: Sequence[int]) -> frozenset[int]:
    return frozenset(k for k in range(1, len(nodes)) if nodes[k] >= 0 and nodes[k] == nodes[k - 1])


def _lines(page: PageDigest, rows: dict[int, _Placed], parts: Sequence[tuple[int, int]]) -> _Lines:
    texts = lines(page)
    first, last = _ends(page, texts)
    homes = np.zeros(len(texts), dtype=np.int64)
    if list(parts) != [(0, len(texts))]:
        chosen = np.concatenate([np.arange(*part) for part in parts])
        first, last = first[chosen], last[chosen]
        texts = [texts[place] for place in chosen.tolist()]
        homes = np.repeat(np.arange(len(parts)), [end - start for start, end in parts])
    nodes, whole = page.origin[first], page.whole
    cells, trs = _around(whole, rows, nodes)
    return _Lines(
        texts,
        _kind_of(whole, nodes),
        first.tolist(),
        last.tolist(),
        nodes.tolist(),
        cells.tolist(),
        trs.tolist(),
        homes.tolist(),
    )


def _around(
    page: PageDigest, rows: dict[int, _Placed], nodes: arrays.Longs
) -> tuple[arrays.Longs, arrays.Longs]:
    """The cells and the rows that texts stand in; no row where the cell is none of a row we know."""
    if not rows:
        nowhere = np.full(len(nodes), -1, dtype=np.int64)
        return nowhere, nowhere
    cells = arrays.enclosing(page.is_tag(("td", "th")), page.sizes)[nodes]
    trs = arrays.enclosing(page.is_tag(("tr",)), page.sizes)[nodes]
    # One more place than nodes, for -1.
    known = np.zeros((2, len(page) + 1), dtype=np.bool_)
    known[0, list(rows)] = True
    known[1, list(chain.from_iterable([placed.row.cells for placed in rows.values()]))] = True
    known[:, -1] = False
    return cells, np.where(known[0, trs] & known[1, cells], trs, -1)


def _ends(page: PageDigest, texts: list[str]) -> tuple[arrays.Longs, arrays.Longs]:
    """The first and the last text node of each line."""
    shown = page.shown
    starts = np.array([0, *accumulate(len(text) + 1 for text in texts)], dtype=np.int64)
    first = shown.nodes[np.searchsorted(shown.starts, starts[:-1], side="right") - 1]
    last = shown.nodes[np.searchsorted(shown.starts, starts[1:] - 1) - 1]
    return first, last


def _as_written(page: PageDigest, found: _Lines) -> _Lines:
    """Where white space is kept, the lines as they were written."""
    kept: list[int] = []
    texts: list[str] = []
    for place, (kind, row) in enumerate(zip(found.kinds, found.rows, strict=True)):
        is_kept = kind == "line" and row < 0
        inside = _written(page, found.first[place], found.last[place]) if is_kept else [found.texts[place]]
        texts += inside
        kept += [place] * len(inside)
    others = [[column[place] for place in kept] for column in found[1:]]
    return _Lines(texts, *others)  # type: ignore[arg-type]


def _written(page: PageDigest, first: int, last: int) -> list[str]:
    reading = page.reading
    begin, end = np.searchsorted(reading.nodes, (first, last)).tolist()
    behind = int(reading.starts[end]) + len(page.own_text(last))
    written = reading.text[int(reading.starts[begin]) : behind].split("\n")
    return [collapsed for text in written if (collapsed := " ".join(text.split()))]


def _links(page: PageDigest, found: _Lines) -> list[tuple[str, ...]]:
    """Per line: the addresses its words lead to."""
    inside: dict[int, list[str]] = {}
    nodes = np.array([link.node for link in page.links], dtype=np.int64)
    places = np.searchsorted(np.array(found.last, dtype=np.int64), nodes).tolist()
    behind = (nodes + page.sizes[nodes]).tolist()
    for link, place, end in zip(page.links, places, behind, strict=True):
        if place < len(found.first) and found.first[place] < end:
            inside.setdefault(place, []).append(link.url)
    links: list[tuple[str, ...]] = [()] * len(found.texts)
    for place, urls in inside.items():
        links[place] = tuple(urls)
    return links


def _kind_of(page: PageDigest, nodes: arrays.Longs) -> list[str]:
    if not page.is_html:
        return ["line"] * len(nodes)
    around = arrays.enclosing(page.is_tag(_KINDS), page.sizes)[nodes]
    named = [*(_KINDS.get(name, "paragraph") for name in page.tag_names), "paragraph"]
    tags = np.where(around >= 0, page.tags[around], len(page.tag_names))
    return [named[tag] for tag in tags.tolist()]
