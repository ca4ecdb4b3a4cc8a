"""The steps of a comparison in, marks on the text of one page out: what came, went, and is put back.

Characters are counted without white space, because a page and the text of its blocks differ in nothing but
white space. Deleted text is put back into the new page where it stood: words inside a text, cells inside
their row, and rows, items and other blocks beside similar ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from webvigil.document import PageDigest
from webvigil.document.markup import BLOCKS, names
from webvigil.present.align import Cell, Mark, Step
from webvigil.present.blocks import Block, Place
from webvigil.present.comparison import Comparison
from webvigil.present.html_text import html_text
from webvigil.present.markup import CLASSES
from webvigil.present.runs import GONE, NEW, Run, Runs, side
from webvigil.present.sanitise import OURS

Pieces = defaultdict[int, list[str]]

# Elements that hold text but may not hold blocks.
_PHRASING = names(
    "p h1 h2 h3 h4 h5 h6 pre dt summary button option optgroup select textarea caption legend label title"
)
# Elements in which a deleted block may be written; any other becomes a `div`.
_BLOCK_TAGS = names("p h1 h2 h3 h4 h5 h6 pre blockquote div section article address figure")
_NO_CONTAINER = frozenset({"br", "hr", "input"})
_NEAR = 5  # How many ancestors are tried to find an element similar to a deleted block.


class Range(NamedTuple):
    """Characters under one mark. `lead`: the white space before them belongs to the mark."""

    start: int
    end: int
    tag: str
    kind: str
    lead: bool = False


def _pieces() -> Pieces:
    return defaultdict(list)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on a page, and the HTML that is put in, by place.

    `before` and `after` are keyed by the number of a character, the others by the number of a node. With
    `kinds`, every element is written with its number, and the elements in `kinds` with their kind as well.
    """

    ranges: list[Range] = field(default_factory=list)
    before: Pieces = field(default_factory=_pieces)
    after: Pieces = field(default_factory=_pieces)
    ahead: Pieces = field(default_factory=_pieces)
    inside: Pieces = field(default_factory=_pieces)
    ending: Pieces = field(default_factory=_pieces)
    behind: Pieces = field(default_factory=_pieces)
    classes: dict[int, str] = field(default_factory=dict)
    tail: list[str] = field(default_factory=list)
    pictures: dict[int, str] = field(default_factory=dict)
    kinds: Mapping[int, str] | None = None


def _solid(run: Run) -> int:
    """Returns how many characters of a run are not white space. The text of a run has no other white space
    than single spaces."""
    return len(run.text) - run.text.count(" ")


def _solid_in(block: Block) -> int:
    """Returns how many characters of a block are not white space."""
    text = "".join(block.cells)
    return len(text) - text.count(" ")


def flag(number: int, kind: str = "", mine: Container[int] | None = None) -> str:
    """Returns the HTML for the beginning of a change: an anchor to jump to, which shows the number. A change
    that is not among `mine` has a hollow mark; None means that all are."""
    other = f" {OURS}other" if mine is not None and number not in mine else ""
    name = f"{OURS}flag {OURS}{kind or 'quiet'}{other}"
    return f'<span class="{name}" id="{OURS}c{number}" data-wv="{number}"></span>'


def lock(number: int) -> str:
    """Returns the HTML for a place that both columns have. The script uses it to scroll both columns
    together."""
    return f'<span class="{OURS}lock" data-wv-lock="{number}"></span>'


def beside(comparison: Comparison, *, old: bool) -> Marks:
    """Returns the marks for one of two columns: the text that the other version does not have."""
    marks, at, seen = Marks(), 0, {0}
    without = NEW if old else GONE
    for place, step in enumerate(comparison.steps):
        exists = (step.old if old else step.new) is not None
        number = comparison.numbers[place]
        if number not in seen and (exists or step.mark in (Mark.NEW, Mark.GONE)):
            seen.add(number)
            marks.before[at].append(flag(number, CLASSES[step.mark] if exists else "", comparison.mine))
        if not exists:
            continue
        # A lock at every eighth block, and at headings, keeps both columns close enough without a lock at
        # every line.
        if step.old and step.new and (step.block.is_heading or place % 8 == 0):
            marks.before[at].append(lock(place))
        if step.mark is Mark.SAME:
            at += _solid_in(step.block)
            continue
        for cell in step.cells:
            at = _one_side(marks, cell.runs, at, without, _kind(step))
    return marks


def _one_side(marks: Marks, found: Runs, at: int, without: str, kind: str) -> int:
    """Marks the runs of one cell for one column, and returns the place behind the cell."""
    kept = [run for run in found if run.mark != without]
    for place, run in enumerate(kept):
        end = at + _solid(run)
        if run.mark in (GONE, NEW):
            tag = "del" if run.mark == GONE else "ins"
            marks.ranges.append(Range(at, end, tag, kind, _leads(run, kept[place + 1 :])))
        at = end
    return at


def _leads(run: Run, rest: Sequence[Run]) -> bool:
    """Tells whether the space before a run belongs under its mark. It does not where removing the mark would
    still leave a space."""
    behind = next((other.text for other in rest if other.mark != run.mark), " ")
    return run.text.startswith(" ") and not behind.startswith(" ")


def _kind(step: Step) -> str:
    return CLASSES[step.mark] if step.mark in (Mark.LEFT, Mark.MOVED) else ""


class _Lost(NamedTuple):
    """A block that the new page does not have, and the flag of its change ("" for none)."""

    step: Step
    flag: str


class Merging:
    """Makes the marks that show both versions in the new page."""

    def __init__(self, comparison: Comparison, old: PageDigest, new: PageDigest) -> None:
        self.marks = Marks()
        self._comparison = comparison
        self._old, self._new = old.whole, new.whole
        self._at = 0
        self._before: Block | None = None  # the last block that the new page has
        self._table = -1  # the table of that block
        # Deleted blocks may not be put before this node, because something later was put there already.
        self._floor = -1

    def run(self) -> Marks:
        """Returns the marks. Deleted blocks wait until the next block of the new page tells where they can be
        put back."""
        waiting: list[_Lost] = []
        for place, step in enumerate(self._comparison.steps):
            if step.new is None:
                waiting.append(_Lost(step, self._flag(place)))
                continue
            if waiting:
                self._put_back(waiting, step)
                waiting = []
            if step.mark is Mark.SAME:
                self._at += _solid_in(step.new)
            else:
                if begins := self._flag(place):
                    self.marks.before[self._at].append(begins)
                self._kept(step)
            self._before, self._table = step.new, step.table
        self._put_back(waiting, None)
        return self.marks

    def _flag(self, place: int) -> str:
        """Returns the flag if a change begins at this step, else ""."""
        number = self._comparison.numbers[place]
        if not number or self._comparison.changes[number - 1].first != place:
            return ""
        return flag(number, CLASSES[self._comparison.steps[place].mark], self._comparison.mine)

    # --- blocks that the new page has ---------------------------------------------------------------

    def _kept(self, step: Step) -> None:
        assert step.new is not None
        if step.new.place.row >= 0 and step.mark in (Mark.NEW, Mark.MOVED):
            self.marks.classes[step.new.place.row] = OURS + CLASSES[step.mark]
        if step.new.is_row and (step.old is None or step.old.is_row):
            self._row(step, step.new.place)
            return
        for cell in step.cells:
            self._runs(cell.runs, _kind(step))

    def _row(self, step: Step, place: Place) -> None:
        """Marks a row of the new page. Cells that the new row lacks are put before the next cell, or at the
        end of the row."""
        lost: list[str] = []
        start = self._at
        for cell in step.cells:
            node = place.cells[cell.column] if 0 <= cell.column < len(place.cells) else -1
            own = place.row < node < place.row + int(self._new.sizes[place.row])
            if cell.column < 0:
                lost.append(_lost_cell(cell, header=step.block.header))
                continue
            if own and lost:
                self.marks.ahead[node] += lost
                lost = []
            if not side(cell.runs, GONE):
                words = [_deleted(run.text if own else f" {run.text} ") for run in cell.runs]
                (self.marks.inside[node] if own else self._here(start)).extend(words)
            else:
                self._runs(cell.runs, _kind(step))
        self.marks.ending[place.row] += lost

    def _here(self, start: int) -> list[str]:
        """Returns the list to put deleted words into: behind the last character if that belongs to the same
        block, else before the next."""
        return self.marks.after[self._at - 1] if self._at > start else self.marks.before[self._at]

    def _runs(self, found: Runs, kind: str) -> None:
        start = self._at
        for place, run in enumerate(found):
            if run.mark == GONE:
                self._deleted(run, found[place + 1 :], self._at > start)
                continue
            end = self._at + _solid(run)
            if run.mark == NEW:
                self.marks.ranges.append(Range(self._at, end, "ins", kind, _leads(run, found[place + 1 :])))
            self._at = end

    def _deleted(self, run: Run, rest: Sequence[Run], inner: bool) -> None:
        behind = next((other.text for other in rest), "")
        if inner:
            space = " " if run.text.startswith(" ") and behind.startswith(" ") else ""
            self.marks.after[self._at - 1].append(space + _deleted(run.text.removeprefix(space)))
        else:
            space = " " if behind.startswith(" ") else ""
            self.marks.before[self._at].append(_deleted(run.text + space))

    # --- blocks that it does not have ---------------------------------------------------------------

    def _put_back(self, waiting: list[_Lost], following: Step | None) -> None:
        beyond = following.new if following else None
        self._floor = -1
        for table, lost in _runs_of(waiting):
            if table >= 0:
                self._put_rows(lost, table, following, beyond)
            else:
                for one in lost:
                    self._put_block(one, beyond)

    def _put_rows(self, lost: list[_Lost], table: int, following: Step | None, beyond: Block | None) -> None:
        rows = "".join([_lost_row(one) for one in lost])
        if following and beyond and beyond.place.row >= 0 and following.table == table:
            self._ahead(beyond.place.row, rows)
        elif self._floor < 0 and self._before and self._before.place.row >= 0 and self._table == table:
            self.marks.behind[self._before.place.row].append(rows)
        else:
            self._put_flow(f'<table class="{OURS}table">{rows}</table>', beyond)

    def _put_block(self, one: _Lost, beyond: Block | None) -> None:
        """Puts a deleted block back: before a similar element if there is one, else after the last list item,
        else as a block of its own."""
        assert one.step.old is not None
        container = block_around(self._old, one.step.old.node)
        like = self._like(container, beyond)
        tag = self._old.tag(container)
        if like is not None:
            self._ahead(like, self._written(one, tag, container))
            return
        if tag == "li":
            after = self._item_before(beyond)
            if after is not None:
                self.marks.behind[after].append(self._written(one, "li", container))
                return
            self._put_flow(f"<ul>{self._written(one, 'li', container)}</ul>", beyond, one)
            return
        name = tag if tag in _BLOCK_TAGS else "div"
        self._put_flow(self._written(one, name, container), beyond, one)

    def _written(self, one: _Lost, tag: str, container: int) -> str:
        """Returns a deleted block as HTML, with its words, its tag and the class that its style depends
        on."""
        kept = self._old.attribute(container, "class") or "" if tag == self._old.tag(container) else ""
        names = [name for name in kept.split() if not name.startswith(OURS)]
        kind = OURS + CLASSES[one.step.mark]
        text = " ".join([_deleted(cell.runs[0].text, kind) for cell in one.step.cells if cell.runs])
        return f'<{tag} class="{html_text(" ".join([*names, kind]))}">{one.flag}{text}</{tag}>'

    def _like(self, container: int, beyond: Block | None) -> int | None:
        """Returns the element of the new page before which a deleted block stood, if it has the same tag and
        class; else None."""
        if beyond is None or beyond.place.row >= 0:
            return None
        wanted = self._old.tag(container), self._old.attribute(container, "class")
        if wanted[0] in ("td", "th", "tr", "body", "html", "caption", "option", "#document"):
            return None
        node = block_around(self._new, beyond.node)
        for _ in range(_NEAR):
            if node < self._floor or node <= 0 or (self._before and self._before.node >= node):
                return None
            if (self._new.tag(node), self._new.attribute(node, "class")) == wanted:
                return node
            node = int(self._new.parents[node])
        return None

    def _item_before(self, beyond: Block | None) -> int | None:
        """Returns the list item that ended before the deleted item, or None."""
        if self._before is None or self._floor >= 0:
            return None
        item = block_around(self._new, self._before.node)
        ended = beyond is None or beyond.node >= item + int(self._new.sizes[item])
        return item if ended and self._new.tag(item) == "li" else None

    def _put_flow(self, html: str, beyond: Block | None, one: _Lost | None = None) -> None:
        """Puts a block before the next one, at the nearest place where blocks are allowed."""
        if beyond is None:
            self._put_last(html)
        elif beyond.place.row >= 0:
            self._put_before_row(html, beyond)
        else:
            self._put_before(html, beyond.node, one)

    def _put_before(self, html: str, text: int, one: _Lost | None) -> None:
        """Puts a block before the text of the next one, outside of elements that may not hold blocks.

        Where no such place is left, the deleted words are written into the text itself, with a line break
        after them.
        """
        page, child = self._new, text
        node = int(page.parents[text])
        while node > 0 and (page.tag(node) not in BLOCKS or page.tag(node) in _PHRASING):
            child, node = node, int(page.parents[node])
        if child != text and child >= self._floor and not (self._before and self._before.node >= child):
            self._ahead(child, html)
            return
        self._floor = text
        if child == text and page.tag(node) in BLOCKS:
            self.marks.before[self._at].append(html)
        else:
            inline = " ".join([_deleted(cell.runs[0].text) for cell in one.step.cells]) if one else html
            self.marks.before[self._at].append((one.flag if one else "") + inline + "<br>")

    def _put_before_row(self, html: str, beyond: Block) -> None:
        """Puts a block before a table, or, inside of the table, into a row of its own."""
        table = beyond.place.table
        if table >= self._floor and (self._before is None or self._before.node < table):
            self._ahead(table, html)
        else:
            self._ahead(beyond.place.row, f'<tr><td colspan="99">{html}</td></tr>')

    def _ahead(self, node: int, html: str) -> None:
        self.marks.ahead[node].append(html)
        self._floor = node

    def _put_last(self, html: str) -> None:
        """Puts a block behind the last block of the new page."""
        if self._before and self._before.place.row >= 0:
            self.marks.behind[self._before.place.table].append(html)
        elif self._before is None or self._before.node < 0:
            self.marks.tail.append(html)
        else:
            node = block_around(self._new, self._before.node)
            while node > 0 and self._new.tag(node) in _PHRASING:
                node = int(self._new.parents[node])
            inside = self._new.tag(node) in ("body", "html", "#document") or node <= 0
            (self.marks.tail if inside else self.marks.ending[node]).append(html)


def _runs_of(waiting: Sequence[_Lost]) -> list[tuple[int, list[_Lost]]]:
    """Groups deleted blocks: neighbouring rows of one table together, and neighbouring other blocks
    together."""
    found: list[tuple[int, list[_Lost]]] = []
    for one in waiting:
        table = one.step.table if one.step.block.is_row else -1
        if found and found[-1][0] == table:
            found[-1][1].append(one)
        else:
            found.append((table, [one]))
    return found


def _deleted(text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<del{named}>{html_text(text)}</del>"


def _lost_cell(cell: Cell, *, header: bool) -> str:
    tag = "th" if header else "td"
    inside = "".join([_deleted(run.text) for run in cell.runs])
    wide = f' colspan="{cell.wide}"' if cell.wide > 1 else ""
    return f'<{tag} class="{OURS}gone"{wide}>{inside}</{tag}>'


def _lost_row(one: _Lost) -> str:
    cells = "".join([_lost_cell(cell, header=one.step.block.header) for cell in one.step.cells])
    if one.flag:
        head, close, rest = cells.partition(">")
        cells = head + close + one.flag + rest
    return f'<tr class="{OURS}{CLASSES[one.step.mark]}">{cells}</tr>'


def block_around(page: PageDigest, node: int) -> int:
    """Returns the block element around a text node."""
    node = int(page.parents[node]) if node > 0 else 0
    while node > 0 and (page.tag(node) not in BLOCKS or page.tag(node) in _NO_CONTAINER):
        node = int(page.parents[node])
    return node
