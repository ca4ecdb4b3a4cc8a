"""Two versions of a page in, everything that a presentation shows of them out: the steps and the changes.

A change is what a reader would count as one: a block whose words changed, neighbouring blocks that came or
went together, or a block that moved (counted once, though it stands in two places).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np

from webvigil.detect import all_images, all_links
from webvigil.detect.alignment import Gap
from webvigil.detect.quiet.calm import calmed
from webvigil.detect.registry import Detector
from webvigil.document import PageDigest
from webvigil.document.naming import Naming
from webvigil.document.words import borders
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import ChangeType
from webvigil.present.align import Mark, Step, align
from webvigil.present.blocks import Block, Lines, blocks, blocks_of, lines
from webvigil.present.excerpt import Excerpt, excerpt
from webvigil.present.runs import GONE, NEW, Runs, pieces, runs

_NAMES = {Mark.CHANGED: "changed", Mark.NEW: "new", Mark.GONE: "gone", Mark.MOVED: "moved"}
# Characters of a block that the list of changes shows.
_EXCERPT = 60
# Changed values that get their whole label. One takes about 0.1 ms.
_LABELLED = 1_000


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `number` counts from 1, `first` is the place of its first step, `size` its number of
    blocks, `came` and `went` count words."""

    number: int
    mark: Mark
    first: int
    size: int
    excerpt: str
    came: int
    went: int
    links_gone: tuple[str, ...] = ()
    links_new: tuple[str, ...] = ()

    @property
    def amount(self) -> str:
        """Returns the amount in words: `changed: -1 +2 words`, `3 blocks new: +40 words`, `moved`."""
        blocks = f"{self.size} blocks " if self.size > 1 else ""
        went, came = f"-{self.went}" if self.went else "", f"+{self.came}" if self.came else ""
        counted = " ".join(filter(None, (went, came)))
        links = len(self.links_gone) + len(self.links_new)
        parts = [f"{counted} words" if counted else "", f"{links} links" if links else ""]
        told = "" if self.mark is Mark.MOVED else ", ".join(filter(None, parts))
        return f"{blocks}{_NAMES[self.mark]}" + (f": {told}" if told else "")


class LeftOut(NamedTuple):
    """How many blocks of the old and of the new version are left out because the page is too long to be
    shown.

    `same`: the blocks are equal in both versions. In a text with very many lines, one of the counted lines
    stands for several.
    """

    old: int
    new: int
    same: bool = False

    def __str__(self) -> str:
        return (
            f"… too long to be shown: what follows is left out, {self.old:,} blocks of the old version "
            f"and {self.new:,} of the new one"
        )


@dataclass(frozen=True)
class Comparison:
    """The steps and changes between two versions. `numbers` holds for every step the number of its change, 0
    for none.

    `told` names what is told beside the words: links, pictures. `left_out` holds, by the place of a step,
    what is left out before that step. `mine` are the numbers of the changes that a sentinel asked about;
    None means all. `found` names the links and pictures that a sentinel found.
    """

    old: PageDigest
    new: PageDigest
    steps: tuple[Step, ...]
    numbers: tuple[int, ...]
    changes: tuple[Change, ...]
    told: frozenset[str] = frozenset({"links", "pictures"})
    left_out: Mapping[int, LeftOut] = field(default_factory=dict)
    mine: frozenset[int] | None = None
    found: frozenset[str] = frozenset()

    @property
    def is_cut(self) -> bool:
        """Tells whether parts were left out that may have changed."""
        return any(not one.same for one in self.left_out.values())

    @property
    def url(self) -> str:
        return self.new.source_url or self.old.source_url

    # Computed on demand, because only some presentations need them.

    @cached_property
    def title(self) -> Runs:
        return runs(*pieces([self.old.whole.title, self.new.whole.title]))

    @cached_property
    def links(self) -> tuple[ObjectChange, ...]:
        if "links" not in self.told:
            return ()
        return self._seen(ChangeType("all links"), all_links.detect)

    @cached_property
    def pictures(self) -> tuple[ObjectChange, ...]:
        """Returns the changed pictures, including those that another picture replaced at the same address,
        where that is known (C3)."""
        if "pictures" not in self.told:
            return ()
        return self._seen(ChangeType("all images", (), "content"), all_images.detect)

    def _seen(self, change: ChangeType, detect: Detector) -> tuple[ObjectChange, ...]:
        """Returns the changed links or pictures that a reader can see: not a picture of one pixel, nor an
        address that means the same as before (Q1). What a sentinel found is there in any case."""
        finding = Finding(type=change.kind, objects=tuple(detect(self.old, self.new, change)))
        calm = calmed(self.old, self.new, change, finding)
        return calm.but_for(lambda one: one.object in self.found).finding.objects

    @property
    def amounts(self) -> str:
        """Returns the amounts in words: `2 changed, 1 new, 1 moved; -3 +8 words; 1 link, 0 pictures`."""
        marks = [change.mark for change in self.changes]
        counted = [f"{marks.count(mark)} {name}" for mark, name in _NAMES.items() if mark in marks]
        went, came = sum(one.went for one in self.changes), sum(one.came for one in self.changes)
        parts = [", ".join(counted), f"-{went} +{came} words" if went or came else ""]
        parts += [_counted(self.links, "link"), _counted(self.pictures, "picture")]
        told = "; ".join(filter(None, parts)) or "no change a reader can see"
        return f"at least {told}" if self.is_cut else told


def tabled(comparison: Comparison, *told: str) -> Comparison:
    """Returns the comparison without its words: only the tables of `told` (links, pictures) are left."""
    return replace(comparison, steps=(), numbers=(), changes=(), left_out={}, told=frozenset(told))


def compare(old: PageDigest, new: PageDigest, findings: Sequence[Finding] = ()) -> Comparison:
    """Compares two versions block by block. Of versions that are too long, only the parts around changes are
    compared. `findings` are those of a sentinel."""
    steps: list[Step] = []
    left_out: dict[int, LeftOut] = {}
    for part in _parts(old, new):
        if part.left_out is not None:
            left_out[len(steps)] = part.left_out
        steps += align(part.old, part.new)
    steps = _with_labels(steps, old, new)
    changes = tuple(_changes(steps))
    found = frozenset(one.object for finding in findings for one in finding.objects if one.old is not None)
    numbers = _numbers(steps, changes)
    return Comparison(old, new, tuple(steps), numbers, changes, left_out=left_out, found=found)


class _Part(NamedTuple):
    """Blocks of both versions that are compared with each other, and what is left out before them."""

    old: Sequence[Block]
    new: Sequence[Block]
    left_out: LeftOut | None = None


def _parts(old: PageDigest, new: PageDigest) -> Iterator[_Part]:
    """Yields the parts to compare: all of both versions, or the excerpt of versions that are too long."""
    if "binary" in (old.kind, new.kind):
        yield _Part(blocks(old), blocks(new))
        return
    before, after = lines(old), lines(new)
    chosen = excerpt(before.texts, after.texts) or _all(before, after)
    ours = blocks_of(old, before, [part.old for part in chosen.parts])
    theirs = blocks_of(new, after, [part.new for part in chosen.parts])
    end = 0
    for part, one, other in zip(chosen.parts, ours, theirs, strict=True):
        skipped = part.old_start - end
        yield _Part(one, other, LeftOut(skipped, skipped, same=True) if skipped else None)
        end = part.old_end
    if rest := _rest(len(before.texts) - end, chosen):
        yield _Part([], [], rest)


def _all(old: Lines, new: Lines) -> Excerpt:
    return Excerpt([Gap(0, len(old.texts), 0, len(new.texts))])


def _rest(unchanged: int, chosen: Excerpt) -> LeftOut | None:
    if any(chosen.beyond):
        return LeftOut(*chosen.beyond)
    return LeftOut(unchanged, unchanged, same=True) if unchanged else None


def _with_labels(steps: list[Step], old: PageDigest, new: PageDigest) -> list[Step]:
    """Gives the changed values of JSON and XML their whole label, such as `Aurora lamp · price` instead of
    `price`: so they are understood without the values around them."""
    changed = [place for place, step in enumerate(steps) if step.mark is not Mark.SAME and step.block.name]
    if not changed:
        return steps
    namings = Naming(old.whole), Naming(new.whole)
    labelled = list(steps)
    for place in changed[:_LABELLED]:
        step = steps[place]
        labelled[place] = step._replace(
            old=step.old and _labelled(step.old, namings[0]), new=step.new and _labelled(step.new, namings[1])
        )
    return labelled


def _labelled(block: Block, naming: Naming) -> Block:
    return block._replace(name=naming.of(block.node).label or block.name)


def counted(one: ObjectChange) -> tuple[int, int]:
    """Returns how often an object stands in the old and in the new version. A replaced object counts once on
    both sides."""
    return (1, 1) if one.status is Status.UPDATED else (one.old or 0, one.new or 0)


def _counted(objects: Sequence[ObjectChange], name: str) -> str:
    return f"{len(objects)} {name}{'s' if len(objects) > 1 else ''}" if objects else ""


def _changes(steps: Sequence[Step]) -> Iterator[Change]:
    """Groups the changed steps into changes, in reading order. The old place of a moved block is no change of
    its own."""
    changed = [placed for placed in enumerate(steps) if placed[1].mark is not Mark.SAME]
    groups = [[placed for _, placed in group] for _, group in groupby(enumerate(changed), key=_together)]
    counted = [group for group in groups if group[0][1].mark is not Mark.LEFT]
    inside = [[step for _, step in group] for group in counted]
    came, went = (_words([_text(group, mark) for group in inside]) for mark in (NEW, GONE))
    for place, group in enumerate(inside):
        first = counted[place][0][0]
        links = [step.links for step in group]
        yield Change(
            number=place + 1,
            mark=group[0].mark,
            first=first,
            size=len(group),
            excerpt=_excerpt(group[0]),
            came=came[place],
            went=went[place],
            links_gone=tuple([url for gone, _ in links for url in gone]),
            links_new=tuple([url for _, new in links for url in new]),
        )


def _together(numbered: tuple[int, tuple[int, Step]]) -> tuple[Mark, int]:
    """Returns a key that is equal for neighbouring steps of one change: blocks that came, went or moved
    together."""
    number, (place, step) = numbered
    # Consecutive places have the same difference to their running numbers, so the difference identifies a
    # run.
    return step.mark, place if step.mark is Mark.CHANGED else number - place


def _text(steps: list[Step], mark: str) -> str:
    """Returns the text that came, or the text that went, in some steps; "" for blocks that moved."""
    if steps[0].mark is Mark.MOVED:
        return ""
    return " ".join(
        [run.text for step in steps for cell in step.cells for run in cell.runs if run.mark == mark]
    )


def _words(texts: list[str]) -> list[int]:
    """Returns how many words each text has. All texts are counted in one pass of numpy, for speed."""
    starts, _ = borders("\n".join(texts))
    ends = list(accumulate(len(text) + 1 for text in texts))
    passed = np.searchsorted(starts, ends).tolist()
    return [here - before for before, here in zip([0, *passed], passed, strict=False)]


def _excerpt(step: Step) -> str:
    text = f"{step.block.name}: {step.block.text}" if step.block.name else step.block.text
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1].rstrip() + "…"


def _numbers(steps: Sequence[Step], changes: Sequence[Change]) -> tuple[int, ...]:
    """Returns for every step the number of its change. The old place of a moved block gets the number of the
    move."""
    numbers = [0] * len(steps)
    for change in changes:
        numbers[change.first : change.first + change.size] = [change.number] * change.size
    moved = [place for place, step in enumerate(steps) if step.move]
    moves = {steps[place].move: numbers[place] for place in moved if numbers[place]}
    for place in moved:
        if steps[place].mark is Mark.LEFT:
            numbers[place] = moves.get(steps[place].move, 0)
    return tuple(numbers)
