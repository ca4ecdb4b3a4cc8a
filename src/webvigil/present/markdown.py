"""A comparison in, its presentation as Markdown out, with `<del>` and `<ins>` in the text (P5).

Tables stay tables. A presentation in two columns becomes one table with the columns Before and After.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from webvigil.present.align import Mark, Step
from webvigil.present.choose import View
from webvigil.present.comparison import Comparison, counted
from webvigil.present.escape import markdown_opening, markdown_text
from webvigil.present.only import Item, Shown, Skipped
from webvigil.present.runs import GONE, NEW, SAME, Runs

_WRAPS = {SAME: "{}", GONE: "<del>{}</del>", NEW: "<ins>{}</ins>"}
_SIGNS = {
    Mark.SAME: "",
    Mark.CHANGED: "`~` ",
    Mark.NEW: "`+` ",
    Mark.GONE: "`-` ",
    Mark.MOVED: "`moved here` ",
    Mark.LEFT: "`moved away` ",
}


def as_markdown(comparison: Comparison, view: View) -> str:
    shown = _two(view.items) if view.columns > 1 else _one(view.items)
    return "\n\n".join([*_head(comparison), *shown]) + "\n"


def _head(comparison: Comparison) -> Iterator[str]:
    if comparison.title:
        yield f"# {_marked(comparison.title)}"
    if comparison.url:
        yield markdown_text(comparison.url)
    yield f"**{comparison.amounts}**"
    objects = [*comparison.links, *comparison.pictures]
    if objects:
        rows = ["| {} | {} | {} |".format(markdown_text(one.object), *counted(one)) for one in objects]
        yield "\n".join(["| Address | Before | After |", "| --- | --- | --- |", *rows])


def _one(items: Iterable[Item]) -> Iterator[str]:
    for table, group in groupby(items, key=_table):
        if table >= 0:
            yield _grid([item.step for item in group if isinstance(item, Shown)])
            continue
        yield from (_block(item) for item in group)


def _table(item: Item) -> int:
    return item.step.table if isinstance(item, Shown) and item.step.block.is_row else -1


def _grid(steps: list[Step]) -> str:
    rows = [[_signed(step), *_cells(step)] for step in steps]
    wide = max(map(len, rows))
    head = rows.pop(0) if steps[0].block.header else []
    lines = [_row(head, wide), _row(["---"] * wide, wide), *(_row(one, wide) for one in rows)]
    return "\n".join(lines)


def _row(cells: list[str], wide: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (wide - len(cells))])} |"


def _signed(step: Step) -> str:
    return _SIGNS[step.mark].strip()


def _cells(step: Step, without: str = "") -> Iterator[str]:
    for cell in step.cells:
        yield _marked(cell.runs, without)
        yield from [""] * (cell.wide - 1)


def _block(item: Item) -> str:
    if isinstance(item, Skipped):
        return f"*{item}*"
    step = item.step
    return _opening(step) + _SIGNS[step.mark] + markdown_opening(_name(step) + _marked(step.cells[0].runs))


def _opening(step: Step) -> str:
    block = step.block
    return "#" * int(block.kind[1]) + " " if block.is_heading else "- " if block.kind == "item" else ""


def _name(step: Step) -> str:
    return f"{markdown_text(step.block.name)}: " if step.block.name else ""


def _marked(found: Runs, without: str = "") -> str:
    return "".join([_WRAPS[run.mark].format(markdown_text(run.text)) for run in found if run.mark != without])


def _two(items: Iterable[Item]) -> Iterator[str]:
    rows = [_pair(item) for item in items]
    yield "\n".join(["|   | Before | After |", "| --- | --- | --- |", *rows])


def _pair(item: Item) -> str:
    if isinstance(item, Skipped):
        return f"|   | *{item}* |   |"
    step = item.step
    old = _name(step) + " / ".join(_cells(step, NEW)) if step.old else ""
    new = _name(step) + " / ".join(_cells(step, GONE)) if step.new else ""
    return f"| {_signed(step)} | {old} | {new} |"
