"""Two versions of a page in, everything a presentation shows of them out: the steps, and the changes in them.

A change is what a reader would count as one: a block whose words changed, a run of blocks that came or
went together, a block that moved (once, though it stands in two places).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from webvigil.detect import all_images, all_links
from webvigil.document import PageDigest
from webvigil.document.words import words_of
from webvigil.model.change import ObjectChange
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """`numbers` has for every step the change it belongs to, 0 for none."""

    title: Runs
    url: str
    steps: tuple[Step, ...]
    numbers: tuple[int, ...]
    changes: tuple[Change, ...]
    links: tuple[ObjectChange, ...] = ()
    pictures: tuple[ObjectChange, ...] = ()

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
    return Comparison(
        title=runs(*pieces([old.whole.title, new.whole.title])),
        url=new.source_url or old.source_url,
        steps=steps,
        numbers=_numbers(steps, changes),
        changes=changes,
        links=tuple(all_links.detect(old, new, ChangeType("all links"))),
        pictures=tuple(all_images.detect(old, new, ChangeType("all images"))),
    )


def _counted(objects: Sequence[ObjectChange], name: str) -> str:
    return f"{len(objects)} {name}{'s' if len(objects) > 1 else ''}" if objects else ""


def _changes(steps: Sequence[Step]) -> Iterator[Change]:
    number = 0
    for _, group in groupby(enumerate(steps), key=_together):
        here = list(group)
        if here[0][1].mark not in (Mark.SAME, Mark.LEFT):
            number += 1
            yield _change(number, here[0][0], [step for _, step in here])


def _together(placed: tuple[int, Step]) -> tuple[Mark, int]:
    """Equal for neighbours that are one change: those that came, went or moved together."""
    place, step = placed
    return step.mark, place if step.mark is Mark.CHANGED else -1


def _change(number: int, first: int, steps: list[Step]) -> Change:
    links = [step.links for step in steps]
    return Change(
        number=number,
        mark=steps[0].mark,
        first=first,
        size=len(steps),
        excerpt=_excerpt(steps[0]),
        came=_words(steps, NEW),
        went=_words(steps, GONE),
        links_gone=tuple(url for gone, _ in links for url in gone),
        links_new=tuple(url for _, came in links for url in came),
    )


def _words(steps: list[Step], mark: str) -> int:
    if steps[0].mark is Mark.MOVED:
        return 0
    texts = [run.text for step in steps for cell in step.cells for run in cell.runs if run.mark == mark]
    return len(words_of("\n".join(texts)))


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
