"""The changed words of a page in, the same changes out told row by row where they stand in tables and lists.

`any change` finds words. To a reader of a table a row came, went or moved, or a cell of a certain row and
column changed. Words that stand in rows are replaced by these rows and cells, as `table` and `list` would
tell them. Nothing is added: a row is told only where some of its words were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from webvigil.detect import lists, tables
from webvigil.detect.alignment import Gap, trimmed
from webvigil.detect.grids import Grid, Step
from webvigil.detect.lcs import in_common
from webvigil.detect.pair import pair
from webvigil.detect.places import Where
from webvigil.document import PageDigest
from webvigil.document.lists import LISTS
from webvigil.model.change import Finding, ObjectChange, Status

# Tables and lists that are compared at most, and their rows: a page that changed everywhere is told in words.
_MOST, _MOST_ROWS = 8, 2_000
# The share of texts that two versions of a table have in common at least.
_ALIKE = 0.3
# A longer item of a list is a text, and its words are told.
_LONGEST_ITEM = 300
# A cell of a layout holds more characters than this on average.
_LONGEST_CELL = 120
_TABLE = re.compile(r".*/table(?:\[\d+\])?(?=/)")
_LIST = re.compile(r".*/(?:ul|ol)(?:\[\d+\])?(?=/li)")

_Find = Callable[[str], int]


def rowwise(old: PageDigest, new: PageDigest, find_old: _Find, find_new: _Find, finding: Finding) -> Finding:
    """Returns a finding of `any change` told by rows. The two functions find a node by its path."""
    texts = [one for one in finding.objects if one.old is None and one.where]
    if not texts or not (old.is_html and new.is_html):
        return finding
    told: tuple[ObjectChange, ...] = finding.objects
    for around, grids in ((_TABLE, tables.grids), (_LIST, lists.grids)):
        for path in list(_around(around, texts))[:_MOST]:
            one, other = _grid(old, grids, find_old(path)), _grid(new, grids, find_new(path))
            if one is not None and other is not None and _are_alike(one, other):
                told = _replaced(told, list(_steps(old, new, one, other)), path)
    return finding if told is finding.objects else replace(finding, objects=told)


def _around(pattern: re.Pattern[str], texts: Iterable[ObjectChange]) -> Iterator[str]:
    """Yields the paths of the tables or lists that texts stand in. A list in which nothing but single texts
    of items changed is left out: those texts are told as they are."""
    inside: dict[str, list[ObjectChange]] = {}
    for one in texts:
        if match := pattern.match(one.where[0]):
            inside.setdefault(match[0], []).append(one)
    for path, some in inside.items():
        items = {_item_in(path, one) for one in some}
        if pattern is _TABLE or len(items) < len(some) or any(not (one.before and one.after) for one in some):
            yield path


def _item_in(path: str, one: ObjectChange) -> str:
    """Returns the step to the item of a list that a text stands in."""
    return one.where[0][len(path) + 1 :].partition("/")[0]


def _grid(digest: PageDigest, grids: Callable[[PageDigest], Sequence[Grid]], node: int) -> Grid | None:
    if node < 0:
        return None
    places = digest.nodes_of("table") if grids is tables.grids else digest.nodes_of(*LISTS)
    place = int(places.searchsorted(node))
    found = grids(digest)
    if place >= len(found) or found[place].node != node:
        return None
    return found[place] if len(found[place].lines) <= _MOST_ROWS else None


def _are_alike(one: Grid, other: Grid) -> bool:
    """Tells whether two grids are versions of one table of data or of one list."""
    if not (one.lines and other.lines) or (one.line_name == "row" and min(one.width, other.width) < 2):
        return False
    longest = _LONGEST_ITEM if one.line_name == "item" else _LONGEST_CELL
    places = len(one.texts) + len(other.texts)
    if sum(map(len, one.texts)) + sum(map(len, other.texts)) > longest * places:
        return False
    least = _ALIKE * min(_filled(one.texts), _filled(other.texts))
    # Mostly the texts at both ends are enough, and counting all texts takes longer.
    core = trimmed(one.texts, other.texts, Gap(0, len(one.texts), 0, len(other.texts)))
    ends = _filled(one.texts[: core.old_start]) + _filled(one.texts[core.old_end :])
    return ends >= least or in_common(one.cells, other.cells) >= least


def _filled(texts: Sequence[str]) -> int:
    return len(texts) - texts.count("")


class _Row:
    """A step of a table or list as an object, with its paths in both versions."""

    def __init__(self, told: ObjectChange, old_path: str, new_path: str) -> None:
        self.told = told
        self._old = old_path
        self._new = new_path

    def covers(self, one: ObjectChange) -> bool:
        """Tells whether a text, or a part of it, stands in this row or cell. An updated text has its new
        place; a row that went is known by having the old text."""
        if one.status is Status.UPDATED and self.told.status is Status.GONE:
            return (one.before or "\0") in (self.told.before or "")
        mine = self._old if one.status is Status.GONE else self._new
        return bool(mine) and any(_is_in(path, mine) for path in one.where)

    @property
    def is_changed_item(self) -> bool:
        return self.told.status is Status.UPDATED and _LAST_ITEM.search(self.told.where[0]) is not None


_LAST_ITEM = re.compile(r"/li(?:\[\d+\])?$")


def _is_in(path: str, around: str) -> bool:
    return path == around or path.startswith(f"{around}/")


def _steps(old: PageDigest, new: PageDigest, one: Grid, other: Grid) -> Iterator[_Row]:
    here, there = Where(new), Where(old)
    for step in tables.steps(pair(old, new), one, other):
        if step.old_node == one.node or step.new_node == other.node or not _is_told(step, one):
            continue
        was = there.paths(step.old_node)[0] if step.old_node is not None else ""
        now = here.paths(step.new_node)[0] if step.new_node is not None else ""
        told = ObjectChange(
            object=step.name,
            status=step.status,
            before=step.before,
            after=step.after,
            where=(now or was,),
        )
        yield _Row(told, was, now)


def _is_told(step: Step, grid: Grid) -> bool:
    """Tells whether a row or item is told as a whole. Of a long item of a list the changed words say more
    than the item."""
    if grid.line_name == "row":
        return True
    return max(len(step.before or ""), len(step.after or "")) <= _LONGEST_ITEM


def _replaced(objects: Sequence[ObjectChange], rows: Sequence[_Row], around: str) -> tuple[ObjectChange, ...]:
    """Returns the objects with the texts in rows replaced by the rows, each row at the place of its first
    text. A text that goes on outside of the table stays."""
    inside = [one.old is None and all(_is_in(path, around) for path in one.where) for one in objects]
    standing = [
        [row for row in rows if row.covers(one)] if is_inside else []
        for one, is_inside in zip(objects, inside, strict=True)
    ]
    texts = Counter(id(row) for some in standing for row in some)
    in_rows = bool(texts) and around.rpartition("/")[2].startswith("table")
    told: dict[int, ObjectChange] = {}
    for one, some, is_inside in zip(objects, standing, inside, strict=True):
        if texts and is_inside and not some:
            # Where rows are told, a text that stands in none of them is a trace of how words were aligned:
            # it is in both versions, and in its stead a row came or went that has no text of its own here.
            meant = [row for row in rows if row.told.status is one.status and id(row) not in texts]
            told |= {id(row): row.told for row in meant}
            if not meant and not in_rows:
                told[id(one)] = one
        elif not some or (len(some) == 1 and some[0].is_changed_item and texts[id(some[0])] == 1):
            # Of an item in which one text changed, that text says more than the whole item.
            told[id(one)] = one
        else:
            told |= {id(row): row.told for row in some}
    return tuple(told.values())
