"""A page in, its blocks in reading order out: what a reader takes for one paragraph, heading, item or row.

A block is a line of the visible text: wrappers and classes make no difference. The lines in one row of a
table are one block with a cell for each column; a cell that reaches into several columns or rows has its
text at the first of its places. A table that holds another table or a heading arranges a page and is no
table here. The words of all blocks are the words of the page, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np

from webvigil.document import PageDigest, arrays
from webvigil.document.tables import Row, grids

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


@dataclass(frozen=True, slots=True)
class Block:
    """`cells` holds one text, for a row one per column; `continued` says which of them only carry on."""

    kind: str
    cells: tuple[str, ...]
    links: tuple[str, ...] = ()
    table: int = -1
    header: bool = False
    continued: frozenset[int] = frozenset()
    place: Place = field(default=Place(-1), compare=False, repr=False)

    @property
    def text(self) -> str:
        return self.cells[0] if len(self.cells) == 1 else " ".join(filter(None, self.cells))

    @property
    def is_row(self) -> bool:
        return self.kind == "row"

    @property
    def is_heading(self) -> bool:
        return self.kind in HEADINGS


class _Line(NamedTuple):
    """A line of text, its first and last text node, and the cell and row of a table around it, or -1."""

    text: str
    first: int
    last: int
    kind: str
    cell: int
    row: int
    node: int  # the first, as the whole page counts
    part: int = 0


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
    found = list(_lines(page, rows, parts))
    linked = zip(found, _links(page, found), strict=True)
    answer: list[list[Block]] = [[] for _ in parts]
    for (part, row), group in groupby(linked, key=lambda one: (one[0].part, one[0].row)):
        if row < 0:
            answer[part] += [
                Block(line.kind, (line.text,), links, place=Place(line.node)) for line, links in group
            ]
        else:
            answer[part].append(_row_block(rows[row], list(group)))
    return answer


class _Placed(NamedTuple):
    """A row of the grid, the number and the node of its table, and whether it names columns."""

    row: Row
    table: int
    node: int
    header: bool


def _rows(page: PageDigest) -> dict[int, _Placed]:
    """The rows of tables that are tables, by their `tr`."""
    if "table" not in page.tag_index:
        return {}
    arranging = np.concatenate([[0], np.cumsum(page.is_tag(_ARRANGING))])
    found = {}
    for number, table in enumerate(grids(page)):
        inside = table.node + 1, table.node + int(page.sizes[table.node])
        if arranging[inside[0]] < arranging[inside[1]]:
            continue
        for row in table.header_rows:
            found[row.node] = _Placed(row, number, table.node, True)
        for row in table.rows:
            found[row.node] = _Placed(row, number, table.node, False)
    return found


def _row_block(placed: _Placed, linked: list[tuple[_Line, tuple[str, ...]]]) -> Block:
    texts: dict[int, list[str]] = {}
    for line, _ in linked:
        texts.setdefault(line.cell, []).append(line.text)
    nodes = [cell.node for cell in placed.row.cells]
    carried = frozenset(k for k in range(1, len(nodes)) if nodes[k] >= 0 and nodes[k] == nodes[k - 1])
    cells = tuple([" ".join(texts.pop(node, ())) for node in nodes])
    links = tuple([url for _, inside in linked for url in inside])
    place = Place(linked[0][0].node, placed.row.node, placed.node, tuple(nodes))
    return Block("row", cells, links, placed.table, placed.header, carried, place)


def _lines(page: PageDigest, rows: dict[int, _Placed], parts: Sequence[tuple[int, int]]) -> Iterator[_Line]:
    texts = lines(page)
    first, last = _ends(page, texts)
    chosen = np.concatenate([np.arange(*part) for part in parts])
    first, last = first[chosen], last[chosen]
    nodes, whole = page.origin[first], page.whole
    kinds = _kind_of(whole, nodes)
    known = {cell.node for placed in rows.values() for cell in placed.row.cells}
    cells = arrays.enclosing(whole.is_tag(("td", "th")), whole.sizes)[nodes].tolist()
    trs = arrays.enclosing(whole.is_tag(("tr",)), whole.sizes)[nodes].tolist()
    homes = np.repeat(np.arange(len(parts)), [end - start for start, end in parts]).tolist()
    for number, one, other, kind, cell, tr, node, part in zip(
        chosen.tolist(), first.tolist(), last.tolist(), kinds, cells, trs, nodes.tolist(), homes, strict=True
    ):
        row = tr if tr in rows and cell in known else -1
        line = _Line(texts[number], one, other, kind, cell, row, node, part)
        yield from _written(page, line) if kind == "line" and row < 0 else (line,)


def _ends(page: PageDigest, texts: list[str]) -> tuple[arrays.Longs, arrays.Longs]:
    """The first and the last text node of each line."""
    shown = page.shown
    starts = np.array([0, *accumulate(len(text) + 1 for text in texts)], dtype=np.int64)
    first = shown.nodes[np.searchsorted(shown.starts, starts[:-1], side="right") - 1]
    last = shown.nodes[np.searchsorted(shown.starts, starts[1:] - 1) - 1]
    return first, last


def _written(page: PageDigest, line: _Line) -> Iterator[_Line]:
    """Where white space is kept, the lines as they were written."""
    reading = page.reading
    first, last = np.searchsorted(reading.nodes, (line.first, line.last)).tolist()
    end = int(reading.starts[last]) + len(page.own_text(line.last))
    for text in reading.text[int(reading.starts[first]) : end].split("\n"):
        if collapsed := " ".join(text.split()):
            yield line._replace(text=collapsed)


def _links(page: PageDigest, written: list[_Line]) -> list[tuple[str, ...]]:
    """Per line: the addresses its words lead to."""
    found: list[list[str]] = [[] for _ in written]
    ends = np.array([line.last for line in written], dtype=np.int64)
    nodes = np.array([link.node for link in page.links], dtype=np.int64)
    places = np.searchsorted(ends, nodes).tolist()
    behind = (nodes + page.sizes[nodes]).tolist()
    for link, place, end in zip(page.links, places, behind, strict=True):
        if place < len(written) and written[place].first < end:
            found[place].append(link.url)
    return [tuple(urls) for urls in found]


def _kind_of(page: PageDigest, nodes: arrays.Longs) -> list[str]:
    if not page.is_html:
        return ["line"] * len(nodes)
    around = arrays.enclosing(page.is_tag(_KINDS), page.sizes)[nodes].tolist()
    return [_KINDS[page.tag(node)] if node >= 0 else "paragraph" for node in around]
