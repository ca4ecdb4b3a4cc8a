"""Items to show in, HTML in one column out: deleted text struck out, inserted text underlined (P1, P3).

Without the `ins` elements it reads as the old page, without the `del` elements as the new one. Lists stay
lists and tables stay tables: the marks stand inside items and cells, and a whole item or row that came or
went carries a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from webvigil.present.markup import element, marked, name_of, next_link, row, tag_of
from webvigil.present.only import Item, Shown, Skipped


def merged(items: Iterable[Item], last: int) -> Iterator[str]:
    """Yields the HTML piece by piece. `last` is the number of the last change."""
    for (name, _), group in groupby(items, key=_container):
        inside = [_block(item, last) for item in group]
        yield f"<{name}>\n" + "\n".join(inside) + f"\n</{name}>" if name else "\n".join(inside)


def _container(item: Item) -> tuple[str, int]:
    """Returns the element that neighbouring items share (`table`, `ul`, or "" for none) and the number of the
    table."""
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
    inside = next_link(item, last) + name_of(step.block) + marked(step.cells[0].runs)
    kind = "line" if step.block.kind == "line" else ""
    return element("li" if step.block.kind == "item" else tag_of(step), inside, item, kind=kind)


def _with_link(cells: str, shown: Shown, last: int) -> str:
    """Puts the link to the next change into the first cell of a row, because a row itself can hold no
    link."""
    head, close, rest = cells.partition(">")
    return head + close + next_link(shown, last) + rest
