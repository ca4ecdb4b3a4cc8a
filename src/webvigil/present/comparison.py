"""Two versions of a page in, everything a presentation shows of them out: the steps, and the changes in them.

A change is what a reader would count as one: a block whose words changed, a run of blocks that came or
went together, a block that moved (once, though it stands in two places).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby

import numpy as np

from webvigil.detect import all_images, all_links
from webvigil.document import PageDigest
from webvigil.document.words import borders
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType
from webvigil.present.align import Mark, Step, align
from webvigil.present.blocks import blocks
from webvigil.present.runs import GONE, NEW, Runs, pieces, runs

_NAMES = {Mark.CHANGED: "changed", Mark.NEW: "new", Mark.GONE: "gone", Mark.MOVED: "moved"}
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Change:
    """`number` counts from 1; `first` is the step it begins at, `size` how many blocks it holds."""

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
        """`changed: -1 +2 words`, `3 blocks new: +40 words`, `moved`."""
        blocks = f"{self.size} blocks " if self.size > 1 else ""
        went, came = f"-{self.went}" if self.went else "", f"+{self.came}" if self.came else ""
        counted = " ".join(filter(None, (went, came)))
        links = len(self.links_gone) + len(self.links_new)
        parts = [f"{counted} words" if counted else "", f"{links} links" if links else ""]
        told = "" if self.mark is Mark.MOVED else ", ".join(filter(None, parts))
        return f"{blocks}{_NAMES[self.mark]}" + (f": {told}" if told else "")


@dataclass(frozen=True)
class Comparison:
    """`numbers` has for every step the change it belongs to, 0 for none. `only_words`: nothing is told of
    links and pictures."""

    old: PageDigest
    new: PageDigest
    steps: tuple[Step, ...]
    numbers: tuple[int, ...]
    changes: tuple[Change, ...]
    only_words: bool = False

    @property
    def url(self) -> str:
        return self.new.source_url or self.old.source_url

    # Asked for by some presentations alone.

    @cached_property
    def title(self) -> Runs:
        return runs(*pieces([self.old.whole.title, self.new.whole.title]))

    @cached_property
    def links(self) -> tuple[ObjectChange, ...]:
        if self.only_words:
            return ()
        return tuple(all_links.detect(self.old, self.new, ChangeType("all links")))

    @cached_property
    def pictures(self) -> tuple[ObjectChange, ...]:
        """Also those that another took the place of, where that is known (C3)."""
        if self.only_words:
            return ()
        return tuple(all_images.detect(self.old, self.new, ChangeType("all images", (), "content")))

    @property
    def amounts(self) -> str:
        """`2 changed, 1 new, 1 moved; -3 +8 words; 1 link, 0 pictures`."""
        marks = [change.mark for change in self.changes]
        counted = [f"{marks.count(mark)} {name}" for mark, name in _NAMES.items() if mark in marks]
        went, came = sum(one.went for one in self.changes), sum(one.came for one in self.changes)
        parts = [", ".join(counted), f"-{went} +{came} words" if went or came else ""]
        parts += [_counted(self.links, "link"), _counted(self.pictures, "picture")]
        return "; ".join(filter(None, parts)) or "no change a reader can see"


def compare(old: PageDigest, new: PageDigest) -> Comparison:
    steps = align(blocks(old), blocks(new))
    changes = tuple(_changes(steps))
    return Comparison(old, new, steps, _numbers(steps, changes), changes)


def counted(one: ObjectChange) -> tuple[int, int]:
    """How often it stands on either side. One that was replaced stayed where it was."""
    return (1, 1) if one.status is Status.UPDATED else (one.old or 0, one.new or 0)


def _counted(objects: Sequence[ObjectChange], name: str) -> str:
    return f"{len(objects)} {name}{'s' if len(objects) > 1 else ''}" if objects else ""


def _changes(steps: Sequence[Step]) -> Iterator[Change]:
    groups = [list(group) for _, group in groupby(enumerate(steps), key=_together)]
    counted = [group for group in groups if group[0][1].mark not in (Mark.SAME, Mark.LEFT)]
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


def _together(placed: tuple[int, Step]) -> tuple[Mark, int]:
    """Equal for neighbours that are one change: those that came, went or moved together."""
    place, step = placed
    return step.mark, place if step.mark is Mark.CHANGED else -1


def _text(steps: list[Step], mark: str) -> str:
    """What came, or what went; nothing of what moved."""
    if steps[0].mark is Mark.MOVED:
        return ""
    return " ".join(
        [run.text for step in steps for cell in step.cells for run in cell.runs if run.mark == mark]
    )


def _words(texts: list[str]) -> list[int]:
    """How many words each text has; all counted at once, for speed."""
    starts, _ = borders("\n".join(texts))
    ends = list(accumulate(len(text) + 1 for text in texts))
    passed = np.searchsorted(starts, ends).tolist()
    return [here - before for before, here in zip([0, *passed], passed, strict=False)]


def _excerpt(step: Step) -> str:
    text = step.block.text
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1].rstrip() + "…"


def _numbers(steps: Sequence[Step], changes: Sequence[Change]) -> tuple[int, ...]:
    numbers = [0] * len(steps)
    for change in changes:
        numbers[change.first : change.first + change.size] = [change.number] * change.size
    moves = {step.move: number for step, number in zip(steps, numbers, strict=True) if step.move and number}
    return tuple(
        moves.get(step.move, 0) if step.mark is Mark.LEFT else number
        for step, number in zip(steps, numbers, strict=True)
    )
