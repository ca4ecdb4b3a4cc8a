"""One column (P1): both versions in one text, what went struck out, what came underlined (P3).

Without `ins` it reads as the old page, without `del` as the new. Lists stay lists and tables tables: the
marks stand inside their items and cells, and a whole item or row that came or went carries a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from webvigil.present.markup import element, marked, next_link, row, tag_of
from webvigil.present.only import Item, Shown, Skipped


def merged(items: Iterable[Item], last: int) -> Iterator[str]:
    """HTML piece by piece; `last` is the number of the last change."""
    for (name, _), group in groupby(items, key=_container):
        inside = [_block(item, last) for item in group]
        yield f"<{name}>\n" + "\n".join(inside) + f"\n</{name}>" if name else "\n".join(inside)


def _container(item: Item) -> tuple[str, int]:
    """What neighbours stand in together."""
    if isinstance(item, Skipped):
        return "", 0
    if item.step.block.is_row:
        return "table", item.step.table
    return ("ul", 0) if item.step.block.kind == "item" else ("", 0)


def _block(item: Item, last: int) -> str:
    if isinstance(item, Skipped):
        return element("p", str(item), kind="skipped")
    step = item.step
    if step.block.is_row:
        return element("tr", _with_link(row(step.cells, step.block.header), item, last), item)
    inside = next_link(item, last) + marked(step.cells[0].runs)
    kind = "line" if step.block.kind == "line" else ""
    return element("li" if step.block.kind == "item" else tag_of(step), inside, item, kind=kind)


def _with_link(cells: str, shown: Shown, last: int) -> str:
    """In a row the link stands in the first cell."""
    head, close, rest = cells.partition(">")
    return head + close + next_link(shown, last) + rest
