"""Two versions and a gap between their words in, the lines out in which the gap is read (Q2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from webvigil.detect.alignment import Gap
from webvigil.detect.quiet.ticking import LONGEST, Place
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.document.reading import equal_ends
from webvigil.document.words import Words
from webvigil.model.memo import cached_property

_PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})
# Attributes in which elements name the moment that they show, and how many elements are asked for it: that of
# the text and the one around it.
_NAMING = ("datetime", "title", "data-time", "data-timestamp", "data-datetime", "data-date")
_ABOVE = 2
# Words of a place that differs; a longer place is not read as a time.
_MOST_WORDS = 12
# A date with the time of day, or seconds since 1970.
_MOMENT = re.compile(
    r"\d{1,2}:\d{2}.*\d{4}|\d{4}.*\d{1,2}:\d{2}|^\s*\d{10}(?:\d{3})?(?:\.\d+)?\s*$", re.DOTALL
)


class Spot(NamedTuple):
    """A place that differs between two lines, as one may read it."""

    before: str
    differs: tuple[Place, Place]
    after: str
    same_moment: Callable[[], bool] = bool
    """Tells whether the element names the same moment in both versions."""
    is_heading: Callable[[], bool] = bool
    """Tells whether the place is in a heading, in both versions."""

    @property
    def places(self) -> tuple[str, Place, str, Place]:
        return self.before, self.differs[0], self.after, self.differs[1]


def differing(before: str, after: str) -> tuple[Place, Place]:
    """Returns what is left of two texts without their equal ends."""
    first, last = equal_ends(before, after)
    return (first, len(before) - last), (first, len(after) - last)


class BothLines:
    """The lines of two versions around what differs between them."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old, self._new = _Lines(old), _Lines(new)

    def spots(self, gap: Gap) -> list[Spot]:
        """Returns the ways to read a gap: in its line, and in its element alone. What stands close behind an
        element may touch its last word in the text and not on the screen."""
        there, here = self._old.around(*gap.old), self._new.around(*gap.new)
        if there is None or here is None:
            return []
        was, now = self._places(gap)

        def same_moment() -> bool:
            return self._old.moment(was) == self._new.moment(now) != ""

        def is_heading() -> bool:
            return self._old.is_heading(was) and self._new.is_heading(now)

        spots = [Spot(there[0], (there[1], here[1]), here[0], same_moment, is_heading)]
        there, here = self._old.inside(was), self._new.inside(now)
        if there and here:
            spots.append(Spot(there[0], (there[1], here[1]), here[0], same_moment, is_heading))
        return spots

    def _places(self, gap: Gap) -> tuple[Place, Place]:
        """Returns where the texts differ, without what both sides have in common at their ends."""
        was, now = self._old.range(*gap.old), self._new.range(*gap.new)
        cut = differing(self._old.text[slice(*was)], self._new.text[slice(*now)])
        return (was[0] + cut[0][0], was[0] + cut[0][1]), (now[0] + cut[1][0], now[0] + cut[1][1])


class _Lines:
    """The lines of a page around some of its words."""

    def __init__(self, digest: PageDigest) -> None:
        self._words: Words = digest.words
        self.text = digest.words.text
        self._digest = digest

    def around(self, first: int, last: int) -> tuple[str, Place] | None:
        """Returns the line of these words and their place in it; None where they are on several lines, or too
        many. Where no word is, the place is between the words before and after."""
        words, text = self._words, self.text
        if not len(words) or last - first > _MOST_WORDS:
            return None
        start = int(words.starts[first]) if first < last else int(words.ends[first - 1]) if first else 0
        end = int(words.ends[last - 1]) if first < last else start
        begin, stop = self._line(start)
        if end > stop or end - start > LONGEST:
            return None
        begin, stop = max(begin, start - LONGEST // 2), min(stop, end + LONGEST // 2)
        return text[begin:stop], (start - begin, end - begin)

    def range(self, first: int, last: int) -> Place:
        """Returns where these words stand in the text; behind the word before if there are none."""
        words = self._words
        if first < last:
            return int(words.starts[first]), int(words.ends[last - 1])
        end = int(words.ends[first - 1]) if first else 0
        return end, end

    def inside(self, place: Place) -> tuple[str, Place] | None:
        """Returns what the element at this place of the text shows in its line, and the place in that; None
        if the place is not in one element."""
        starts = self._digest.reading.starts
        here = int(np.searchsorted(starts, place[0], side="right"))
        begin, stop = self._line(place[0])
        begin = max(begin, int(starts[here - 1])) if here else begin
        stop = min(stop, int(starts[here])) if here < len(starts) else stop
        if place[1] > stop or stop - begin > LONGEST:
            return None
        return self.text[begin:stop], (place[0] - begin, place[1] - begin)

    def moment(self, place: Place) -> str:
        """Returns the moment that the element at this place, or the one around it, names in an attribute; ""
        if it names none."""
        digest = self._digest
        if not len(digest.reading.nodes):
            return ""
        around = digest.ancestors(digest.reading.node_at(place[0]))[:_ABOVE]
        named = (digest.attribute(node, name) or "" for node in around for name in _NAMING)
        return next((value for value in named if _MOMENT.search(value[:80])), "")

    def is_heading(self, place: Place) -> bool:
        return self._is_inside(place[0], _HEADINGS)

    def _line(self, place: int) -> Place:
        """Returns the line that a reader sees around this place of the text. Where HTML is written in several
        lines without an element between them, a browser shows one line; except in `pre`."""
        digest, text = self._digest, self.text
        if digest.is_html and not self._is_inside(place, _PREFORMATTED):
            begins = self._begins
            here = int(np.searchsorted(begins, place, side="right"))
            begin = int(begins[here - 1]) if here else 0
            return begin, int(begins[here]) - 1 if here < len(begins) else len(text)
        stop = text.find("\n", place)
        return text.rfind("\n", 0, place) + 1, stop if stop >= 0 else len(text)

    @cached_property
    def _begins(self) -> Longs:
        """Where the lines begin that a browser shows."""
        return self._digest.reading.starts[self._digest.pieces.breaks]

    def _is_inside(self, place: int, tags: frozenset[str]) -> bool:
        """Returns True if the place of the text is inside of an element with one of these names."""
        reading = self._digest.reading
        if tags.isdisjoint(self._digest.tag_index) or not len(reading.nodes):
            return False
        return any(self._digest.tag(node) in tags for node in self._digest.ancestors(reading.node_at(place)))
