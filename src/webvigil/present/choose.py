"""A comparison in, the presentation it gets when nobody chose one out: by type, else by cost (P2).

The cost of a presentation is the number of blocks that a reader has to look at. A block that went, came or
changed is *mixed*: in one column its old and new words are interleaved, so it counts twice.

    single  every block once, mixed blocks twice                 blocks + mixed
    dual    every block, and the way across to the other column  1.5 × blocks
    only    the blocks shown, mixed ones twice, and two for each
            place on the page that has to be imagined            shown + mixed + 2 × places

The cheapest presentation wins; of equals, the one that shows more of the page. So a small page is shown
merged, a large page with few changes by its changes, and a page that changed by more than half side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from webvigil.model.change import Finding
from webvigil.model.change_types import KINDS
from webvigil.present.align import Mark
from webvigil.present.comparison import Comparison
from webvigil.present.only import Item, Skipped, everything, kept_places, only_changes


class How(StrEnum):
    """The presentations a user can choose; with AUTO the program chooses."""

    ONLY = "only"
    SINGLE = "single"
    DUAL = "dual"
    AUTO = "auto"


@dataclass(frozen=True)
class View:
    """A comparison shown in one column or in two. `only`: the changes alone, not the whole page."""

    comparison: Comparison
    columns: int
    only: bool = False

    @cached_property
    def items(self) -> list[Item]:
        """The items to show. They are made on first use, because a page in its own look needs none."""
        return only_changes(self.comparison) if self.only else everything(self.comparison)

    @property
    def skips(self) -> bool:
        return any(isinstance(item, Skipped) for item in self.items)


def view(comparison: Comparison, how: How = How.AUTO, findings: Sequence[Finding] = ()) -> View:
    """Returns what to show and in how many columns. `findings` matter only where `how` is auto."""
    if how is How.AUTO:
        wished = _wished({finding.type for finding in findings if finding.changed})
        if wished == "dual only":
            return View(comparison, 2, only=True)
        how = How(wished) if wished else cheapest(comparison)
    if how is How.ONLY:
        return View(comparison, 1, only=True)
    return View(comparison, 2 if how is How.DUAL else 1)


def _wished(types: set[str]) -> str:
    """Returns the presentation that the rows of these change types name, or "" where they differ."""
    wishes = {KINDS[one].shown if one in KINDS else "" for one in types}
    return wishes.pop() if len(wishes) == 1 else ""


def cheapest(comparison: Comparison) -> How:
    """Returns the presentation with the lowest cost. Of equals the one listed first wins, because it shows
    more of the page."""
    prices = costs(comparison)
    return min((How.SINGLE, How.DUAL, How.ONLY), key=prices.__getitem__)


def costs(comparison: Comparison) -> dict[How, float]:
    """Returns the cost of each presentation by the formulas at the head of this module."""
    blocks = len(comparison.steps)
    mixed = sum(step.mark is not Mark.SAME for step in comparison.steps)
    kept = kept_places(comparison)
    places = sum(place - 1 != before for before, place in zip([-2, *kept], kept, strict=False))
    return {
        How.SINGLE: blocks + mixed,
        How.DUAL: 1.5 * blocks,
        How.ONLY: len(kept) + mixed + 2 * places,
    }
