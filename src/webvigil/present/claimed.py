"""A comparison and the findings of a sentinel in, the changes on the page that the sentinel found out.

A page often changes in more places than a sentinel watches. The changes of the sentinel get filled marks, the
others hollow ones, and each object of the findings is linked with its change on the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from webvigil.document import PageDigest
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.align import Mark, Step
from webvigil.present.blocks import Block
from webvigil.present.comparison import Comparison
from webvigil.present.html import Showing
from webvigil.present.marks import block_around
from webvigil.present.markup import CLASSES
from webvigil.present.runs import GONE, NEW, Run, Runs

MOST_OBJECTS = 300
"""Objects of the findings that are linked with the page; the list of a change shows no more."""

_MOST_OTHERS = 100  # Changes of others that are listed.
_LONGEST = 160  # Characters of a listed change.
_AROUND = 30  # Characters of unchanged text that are kept beside a mark.
_PAST = (Status.GONE, Status.FEWER)


@dataclass(frozen=True, slots=True)
class Other:
    """A change on the page that the sentinel did not ask about. `runs` are its words: pairs of a tag (`ins`,
    `del` or "") and a text."""

    number: int
    kind: str
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """`objects` holds for each object of the findings the number of its change, 0 where it has none on the
    page. `mine` are the numbers of the sentinel's changes, `others` the first of the others, `left` how many
    more there are."""

    objects: tuple[int, ...]
    mine: frozenset[int]
    others: tuple[Other, ...]
    left: int = 0


def with_claims(
    comparison: Comparison,
    findings: Sequence[Finding],
    showing: Showing,
    numbers: Sequence[int] | None = None,
) -> tuple[Comparison, Showing]:
    """Returns the comparison with the sentinel's changes named, and the showing with what the page around
    the document is told of them. Without findings all changes count alike. `numbers` are those that the
    objects have in a document that does not show the changes of the comparison."""
    found = claimed(comparison, findings)
    told = {
        "objects": found.objects if numbers is None else numbers,
        "first": min(found.mine, default=1),
        "mine": sorted(found.mine),
        "others": [[one.number, one.kind, one.runs] for one in found.others],
        "left": found.left,
        "cut": comparison.is_cut,
    }
    mine = found.mine if findings else None
    return replace(comparison, mine=mine), replace(showing, told=json.dumps(told, ensure_ascii=False))


def claimed(comparison: Comparison, findings: Sequence[Finding]) -> Claimed:
    objects = [one for finding in findings for one in finding.objects][:MOST_OBJECTS]
    places = _Places(comparison)
    numbers = tuple(places.number(one) for one in objects)
    wanted = {path for one in objects for path in one.where}
    around = {number for number, paths in places.paths.items() if wanted & paths}
    mine = frozenset({*numbers, *around} - {0})
    rest = [one for one in comparison.changes if one.number not in mine]
    others = tuple(
        Other(one.number, CLASSES[one.mark], _words(comparison.steps[one.first]))
        for one in rest[:_MOST_OTHERS]
    )
    return Claimed(numbers, mine, others, max(len(rest) - _MOST_OTHERS, 0))


class _Places:
    """The paths of the changed blocks of both versions, with those of the elements around them."""

    def __init__(self, comparison: Comparison) -> None:
        self.paths: dict[int, set[str]] = {}
        self._old: dict[str, int] = {}
        self._new: dict[str, int] = {}
        self._exact: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for place, step in enumerate(comparison.steps):
            number = comparison.numbers[place]
            if number and step.mark is not Mark.SAME:
                self._add(number, comparison.old, step.old, self._old, self._exact[0])
                self._add(number, comparison.new, step.new, self._new, self._exact[1])

    def _add(
        self,
        number: int,
        page: PageDigest,
        block: Block | None,
        known: dict[str, int],
        exact: dict[str, int],
    ) -> None:
        if block is None or block.node < 0:
            return
        nodes = _nodes(page.whole, block)
        for node in nodes:
            exact.setdefault(page.whole.path(node), number)
        for path in page.whole.paths([*nodes, *_around(page.whole, nodes[-1])]):
            known.setdefault(path, number)
            self.paths.setdefault(number, set()).add(path)

    def number(self, one: ObjectChange) -> int:
        """Returns the number of the change that an object belongs to: a changed block in its element, or the
        changed block that the object is a part of; 0 for none."""
        past = one.status in _PAST
        known, exact = (self._old, self._exact[0]) if past else (self._new, self._exact[1])
        for path in one.where:
            if path in known:
                return known[path]
            for around in _upwards(path):
                if around in exact:
                    return exact[around]
        return 0


def _nodes(page: PageDigest, block: Block) -> list[int]:
    """Returns the nodes that a changed block is known by, the innermost first. On a web page this is its row
    or the block element around it; anywhere else each text is a block of its own, known by itself and by the
    element or value that it is the text of."""
    row, node = block.place.row, block.node
    if row >= 0:
        return [row]
    if page.kind == "html":
        return [block_around(page, node)]
    return [node, int(page.parents[node])] if page.parents[node] > 0 else [node]


def _around(page: PageDigest, node: int) -> Iterator[int]:
    """Yields the elements around a node, but for those that hold the whole page."""
    node = int(page.parents[node])
    while page.parents[node] > 0 and page.tag(node) != "body":
        yield node
        node = int(page.parents[node])


def _upwards(path: str) -> Iterator[str]:
    """Yields a path and those of the elements around it, but for the whole page and its body."""
    while path.count("/") > 2:
        yield path
        path = path.rpartition("/")[0]


def _words(step: Step) -> tuple[tuple[str, str], ...]:
    """Returns the words of a changed block: what came and went, with a little of the text around it."""
    found: list[tuple[str, str]] = [("", f"{step.block.name}: ")] if step.block.name else []
    room = _LONGEST
    for cell in step.cells:
        if len(found) > bool(step.block.name) and cell.runs:
            found.append(("", " · "))
        for tag, text in _shortened(cell.runs):
            found.append((tag, text if len(text) <= room else text[: max(room - 1, 0)] + "…"))
            room -= len(text)
            if room <= 0:
                return tuple(found)
    return tuple(found)


def _shortened(runs: Runs) -> Iterator[tuple[str, str]]:
    tags = {GONE: "del", NEW: "ins"}
    for place, run in enumerate(runs):
        if run.mark in tags:
            if run.text.startswith(" ") and place:
                yield "", " "
            yield tags[run.mark], run.text.strip()
        else:
            yield "", _beside(run, first=place == 0, last=place == len(runs) - 1)


def _beside(run: Run, *, first: bool, last: bool) -> str:
    """Returns unchanged text next to a mark, cut at the side that is away from the mark."""
    text = run.text
    if len(text) <= 2 * _AROUND:
        return text
    if first and not last:
        return "…" + text[-_AROUND:]
    return text[:_AROUND] + "…" + ("" if last else text[-_AROUND:])
