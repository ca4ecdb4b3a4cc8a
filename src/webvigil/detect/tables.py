"""Two pages and the id of a table in, its rows, cells and columns that changed out (C8).

A cell has also changed if it links elsewhere, unless the change type says `text only`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from webvigil.detect import carried
from webvigil.detect.carried import Meant
from webvigil.detect.grids import BothLinks, Grid, Links, Step, compare, gone
from webvigil.detect.pair import Pair, pair
from webvigil.detect.places import Where
from webvigil.document import PageDigest, arrays
from webvigil.document.links import all_absolute
from webvigil.document.ondemand import OnDemand
from webvigil.document.tables import Table, row_by_row
from webvigil.model.change import ObjectChange, Status
from webvigil.model.change_types import TEXT_ONLY
from webvigil.model.memo import remembered
from webvigil.model.sentinel import ChangeType

# Matches the path of a whole table or list.
_WHOLE = re.compile(r"/(?:table|ul|ol|dl|menu|dir)(?:\[\d+\])?$")


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    pairs = carried.meant(old, new, grids(old), grids(new), change)
    tags = ("tr",) if row_by_row(old) or row_by_row(new) else ("td", "th")
    return changes(old, new, pairs, both_links(old, new, change, tags))


def letters(old: PageDigest, new: PageDigest, change: ChangeType) -> int:
    """Returns how many characters the table has, in both versions together."""
    return carried.letters(carried.meant(old, new, grids(old), grids(new), change))


def is_there(digest: PageDigest, change: ChangeType) -> bool:
    """Tells whether the table is on the page. A table that is named by its number is counted, not read."""
    if 1 <= carried.number_of(change) <= len(digest.tables):
        return True
    return carried.find(digest, grids(digest), change) is not None


@remembered
def grids(digest: PageDigest) -> Sequence[Grid]:
    return OnDemand(len(digest.tables), lambda place: _grid(place + 1, digest.tables[place]))


def changes(old: PageDigest, new: PageDigest, pairs: Meant, links: BothLinks | None) -> list[ObjectChange]:
    """Returns what became of the meant grids. A grid without a partner came or went as a whole."""
    if not pairs:
        return []
    here, there = Where(new), Where(old)
    both = pair(old, new)
    return [_change(here, there, step) for one, other in pairs for step in _steps(both, one, other, links)]


def note(change: ChangeType, objects: Sequence[ObjectChange]) -> str:
    """Returns a note if the whole table or list came or went."""
    whole = {one.status for one in objects if one.where and _WHOLE.search(one.where[0])}
    told = {Status.GONE: f"the {change.kind} is gone", Status.NEW: f"the {change.kind} is new"}
    return "; ".join(text for status, text in told.items() if status in whole)


def both_links(
    old: PageDigest, new: PageDigest, change: ChangeType, tags: tuple[str, ...]
) -> BothLinks | None:
    """Returns the links in the cells (the elements with these tags) of both pages, or None if links do not
    count or no address on the pages differs."""
    if change.option.endswith(TEXT_ONLY):
        return None
    if old.url == new.url and old.link_sources[1] == new.link_sources[1]:
        return None
    before, after = _links(old, tags), _links(new, tags)
    return (_in_cell(before), _in_cell(after)) if before or after else None


def _links(digest: PageDigest, tags: tuple[str, ...]) -> dict[int, list[str]]:
    """Returns the links in cells by the innermost cell around each."""
    nodes, written = digest.link_sources
    owners = arrays.enclosing(digest.is_tag(tags), digest.sizes)[nodes].tolist() if nodes else []
    inside = [(owner, address) for owner, address in zip(owners, written, strict=True) if owner >= 0]
    found: dict[int, list[str]] = {}
    urls = all_absolute(digest.url, [address for _, address in inside])
    for (owner, _), url in zip(inside, urls, strict=True):
        if url:
            found.setdefault(owner, []).append(url)
    return found


def _in_cell(found: dict[int, list[str]]) -> Links:
    return lambda node: tuple(found.get(node, ()))


def _steps(both: Pair, one: Grid | None, other: Grid | None, links: BothLinks | None) -> list[Step]:
    if one is not None and other is not None:
        return compare(one, other, links) if links else steps(both, one, other)
    if one is not None:
        return [gone(one)]
    return [gone(other).reversed] if other is not None else []


def steps(both: Pair, one: Grid, other: Grid) -> list[Step]:
    """Returns the changes between two grids without regard to links, compared once for a pair of pages."""
    return both.once(("grids", one.node, other.node), lambda *_: compare(one, other))


def _change(here: Where, there: Where, step: Step) -> ObjectChange:
    where = here.paths(step.new_node) if step.new_node is not None else there.paths(step.old_node or 0)
    return ObjectChange(
        object=step.name, status=step.status, before=step.before, after=step.after, where=where
    )


def _grid(number: int, table: Table) -> Grid:
    head = table.header_rows[-1] if table.header_rows else None
    return Grid(
        node=table.node,
        name=table.caption or f"table {number}",
        caption=table.caption,
        header=table.header,
        lines=table.rows,
        header_nodes=tuple(table.node if one == head.node else one for one in head.nodes) if head else (),
    )
