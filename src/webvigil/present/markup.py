"""The pieces of HTML that all presentations are made of; everything from a page is escaped here."""

from __future__ import annotations

from collections.abc import Iterable

from webvigil.present.align import Cell, Mark, Step
from webvigil.present.blocks import Block
from webvigil.present.html_text import html_text
from webvigil.present.only import Shown
from webvigil.present.runs import GONE, NEW, Run, Runs

CLASSES = {
    Mark.CHANGED: "changed",
    Mark.NEW: "new",
    Mark.GONE: "gone",
    Mark.LEFT: "left",
    Mark.MOVED: "moved",
}
_TAGS = {GONE: "del", NEW: "ins"}


def marked(found: Runs, without: str = "") -> str:
    """Returns runs of text as HTML, with `ins` and `del` around text only. Runs with the mark `without` are
    left out."""
    kept = [run for run in found if run.mark != without]
    return "".join([_run(run, kept[place + 1 : place + 3]) for place, run in enumerate(kept)])


def _run(run: Run, rest: list[Run]) -> str:
    """Returns one run as HTML. The space before a mark stands outside of it, unless removing the mark would
    leave two spaces."""
    text = html_text(run.text)
    if run.mark not in _TAGS:
        return text
    tag = _TAGS[run.mark]
    behind = next((other.text for other in rest if other.mark != run.mark), " ")
    space = " " if text.startswith(" ") and behind.startswith(" ") else ""
    return f"{space}<{tag}>{text.removeprefix(space)}</{tag}>"


def element(tag: str, inside: str, shown: Shown | None = None, *, kind: str = "", anchor: bool = True) -> str:
    return f"<{tag}{_attributes(shown, kind, anchor)}>{inside}</{tag}>"


def row(cells: Iterable[Cell], header: bool, without: str = "") -> str:
    return "".join([_cell(cell, "th" if header else "td", without) for cell in cells])


def tag_of(step: Step) -> str:
    """Returns the tag for a block that is neither an item nor a row."""
    block = step.block
    return block.kind if block.is_heading else "blockquote" if block.kind == "quote" else "p"


def name_of(block: Block | None) -> str:
    """Returns the name of a value of JSON or XML as HTML, "" for a block without a name."""
    return f'<span class="name">{html_text(block.name)}</span> ' if block and block.name else ""


def next_link(shown: Shown, last: int) -> str:
    """Returns a link to the next change. Its arrow comes from the style sheet, so that it is not part of the
    page's text."""
    if not shown.first:
        return ""
    target = f"c{shown.number + 1}" if shown.number < last else "changes"
    return f'<a class="next" href="#{target}" aria-label="next change"></a>'


def _attributes(shown: Shown | None, kind: str, anchor: bool) -> str:
    if shown is None:
        return f' class="{kind}"' if kind else ' dir="auto"'
    names = " ".join(filter(None, (kind, CLASSES.get(shown.step.mark, ""))))
    named = f' id="c{shown.number}"' if anchor and shown.first else ""
    return named + (f' class="{names}"' if names else "") + ' dir="auto"'


def _cell(cell: Cell, tag: str, without: str) -> str:
    name = CLASSES.get(cell.mark, "")
    marks = f' class="{name}"' if name else ""
    wide = f' colspan="{cell.wide}"' if cell.wide > 1 else ""
    return f'<{tag}{marks}{wide} dir="auto">{marked(cell.runs, without)}</{tag}>'
