"""Items to show in, HTML in two columns out: each old block left, its new version right (P1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from webvigil.present.align import Mark, Step
from webvigil.present.markup import element, marked, name_of, next_link, row, tag_of
from webvigil.present.only import Item, Shown, Skipped
from webvigil.present.runs import GONE, NEW


def side_by_side(items: Iterable[Item], last: int) -> Iterator[str]:
    """Yields the HTML piece by piece. `last` is the number of the last change."""
    for table, group in groupby(items, key=_table):
        if table < 0:
            yield from (_pair(item, last) for item in group)
            continue
        rows = [_row(item, last) for item in group if isinstance(item, Shown)]
        yield '<table class="both">\n' + "\n".join(rows) + "\n</table>"


def _table(item: Item) -> int:
    return item.step.table if isinstance(item, Shown) and item.step.block.is_row else -1


def _pair(item: Item, last: int) -> str:
    if isinstance(item, Skipped):
        return element("p", str(item), kind="skipped")
    old = _half(item, NEW, "") if item.step.old else ""
    new = _half(item, GONE, "") if item.step.new else ""
    inside = next_link(item, last) + f'<div class="before">{old}</div><div class="after">{new}</div>'
    named = f' id="c{item.number}"' if item.first else ""
    return f'<div class="pair"{named}>{inside}</div>'


def _half(shown: Shown, without: str, link: str) -> str:
    step = shown.step
    kind = step.block.kind if step.block.kind in ("item", "line") else ""
    block = step.old if without == NEW else step.new
    inside = link + name_of(block) + marked(step.cells[0].runs, without)
    return element(tag_of(step), inside, shown, kind=kind, anchor=False)


def _row(shown: Shown, last: int) -> str:
    step = shown.step
    border = f'<td class="border">{next_link(shown, last)}</td>'
    old, new = _side(step, step.old is not None, NEW), _side(step, step.new is not None, GONE)
    return element("tr", old + border + new, shown)


def _side(step: Step, exists: bool, without: str) -> str:
    """Returns the cells of a row in one version, or one empty cell of the same width if that version has no
    such row."""
    if not exists:
        return f'<td class="none" colspan="{sum(cell.wide for cell in step.cells)}"></td>'
    mark = {NEW: Mark.NEW, GONE: Mark.GONE}[without]
    cells = [cell._replace(mark=Mark.SAME) if cell.mark is mark else cell for cell in step.cells]
    return row(cells, step.block.header, without)
