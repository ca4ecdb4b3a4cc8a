"""A finding in, the finding that a person would call a change out, with what was left out and why (Q1, Q2).

Only objects that differ are looked at. Links and pictures whose addresses mean the same are counted
together: as often as before, nothing happened. Words that differ are left out where they are a time that
ticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from webvigil.detect import all_images, all_links, measure
from webvigil.detect.alignment import Gap
from webvigil.detect.counts import Placed
from webvigil.detect.pair import pair
from webvigil.detect.quiet.addresses import meant, momentless
from webvigil.detect.quiet.advance import Advances, advances, shrank
from webvigil.detect.quiet.ticking import LONGEST, Place, ticks, timeless
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.document.reading import equal_ends
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.change_types import KINDS
from webvigil.model.memo import cached_property
from webvigil.model.quiet import LeftOut, Why
from webvigil.model.sentinel import ChangeType

# Differing places of one page that are asked whether they tick; of more it is the page that changed.
_MOST_GAPS = 500
_IMAGES = ChangeType("all images")
_TINY = re.compile(r"\s*[01](?:\.\d+)?(?:px)?\s*")
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_TINY_STYLE = re.compile(r"(?:^|;)\s*(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$)", re.IGNORECASE)
# A picture is rarely hidden by an element further up; whole parts that open on a click are.
_ABOVE = 1


@dataclass(frozen=True, slots=True)
class Calmed:
    """What is left of a finding, and what was left out of it."""

    finding: Finding
    left_out: tuple[LeftOut, ...] = ()
    whole: Finding | None = None
    """As it was before anything was left out."""
    advances: Mapping[ObjectChange, Advances] = field(default_factory=dict)
    """How far the ages and clocks that are left went on. Who knows how much time has passed knows what that
    means."""

    def but_for(self, kept: Callable[[ObjectChange], bool]) -> Calmed:
        """Returns the same with some of the objects told after all, in their places."""
        back = [one.object for one in self.left_out if kept(one.object)]
        if not back or self.whole is None:
            return self
        told = {id(one) for one in (*self.finding.objects, *back)}
        objects = tuple(one for one in self.whole.objects if id(one) in told)
        left_out = tuple(one for one in self.left_out if id(one.object) not in told)
        return Calmed(replace(self.whole, objects=objects), left_out, self.whole, self.advances)


def calmed(old: PageDigest, new: PageDigest, change: ChangeType, finding: Finding) -> Calmed:
    """Returns the finding without what is no change to a person, judged by these two versions alone."""
    if not finding.objects or not KINDS[change.kind].quieted:
        return Calmed(finding)
    found = _left_out(old, new, change, finding.objects)
    if not found.left_out:
        return Calmed(finding, advances=found.advances)
    gone = {id(one.object) for one in found.left_out}
    calm = without(old, new, change, finding, gone)
    return Calmed(calm, tuple(found.left_out), finding, found.advances)


def without(
    old: PageDigest, new: PageDigest, change: ChangeType, finding: Finding, gone: set[int]
) -> Finding:
    """Returns a finding without some of its objects, given by their identities; share and score are measured
    anew."""
    objects = tuple(one for one in finding.objects if id(one) not in gone)
    if not objects:
        return Finding(type=finding.type)
    return replace(
        finding,
        objects=objects,
        share=measure.share(old, new, change, objects),
        score=measure.score(old, new, change, objects),
    )


def _left_out(
    old: PageDigest, new: PageDigest, change: ChangeType, objects: Sequence[ObjectChange]
) -> _Times:
    counted = [one for one in objects if one.old is not None and one.new is not None]
    # What moved has two places, not two texts: there is no time in it.
    written = [
        one for one in objects if (one.old is None or one.new is None) and one.status is not Status.MOVED
    ]
    times = _of_times(old, new, change, written)
    if not counted:
        return times
    pictures = set(all_images.detect(old, new, _IMAGES)) if change.kind != "all links" else set()
    shown, led = ([one for one in counted if (one in pictures) is is_picture] for is_picture in (True, False))
    addresses = [
        *_of_addresses(_Standing(shown, all_images.placed, old, new), is_unseen, asset=True),
        *_of_addresses(_Standing(led, all_links.placed, old, new), _is_hidden, asset=False),
    ]
    return _Times([*addresses, *times.left_out], times.advances)


# --- addresses --------------------------------------------------------------------------------------


class _Standing:
    """Where some addresses stand in either version, worked out when it is first asked."""

    def __init__(
        self,
        objects: Sequence[ObjectChange],
        placed: Callable[[PageDigest], Placed],
        old: PageDigest,
        new: PageDigest,
    ) -> None:
        self.objects = objects
        self._placed = placed
        self._pages = old, new

    @cached_property
    def _nodes(self) -> dict[str, list[tuple[PageDigest, int]]]:
        found: dict[str, list[tuple[PageDigest, int]]] = {one.object: [] for one in self.objects}
        for digest in self._pages:
            known = self._placed(digest)
            for name, node in zip(known.names, known.nodes, strict=True):
                if name in found:
                    found[name].append((digest, node))
        return found

    def all(self, name: str, is_unseen: Callable[[PageDigest, int], bool]) -> bool:
        """Returns True if nobody sees any of these objects. Objects that are counted together stand
        nowhere."""
        nodes = self._nodes.get(name, ())
        return bool(nodes) and all(is_unseen(digest, node) for digest, node in nodes)


def _of_addresses(
    standing: _Standing,
    is_unseen: Callable[[PageDigest, int], bool],
    *,
    asset: bool,
) -> list[LeftOut]:
    """Returns the links and pictures that are left out. Addresses that mean the same are found first, because
    that needs no look at the page."""
    alike: dict[str, list[ObjectChange]] = {}
    for one in standing.objects:
        alike.setdefault(meant(one.object, asset=asset), []).append(one)
    left_out: list[LeftOut] = []
    for same in alike.values():
        if len(same) > 1 and not sum(map(_step, same)):
            left_out += [LeftOut(Why.ADDRESS, one) for one in same]
        else:
            left_out += [LeftOut(Why.UNSEEN, one) for one in same if standing.all(one.object, is_unseen)]
    known = {id(one.object) for one in left_out}
    return left_out + _of_moments([one for one in standing.objects if id(one) not in known])


def _of_moments(objects: Sequence[ObjectChange]) -> list[LeftOut]:
    """Links that lead on from the moment in which the page was made, such as "changes since 12:13". Two such
    addresses are the same if they stand at the same place and differ in the moment alone: of a list of
    moments the oldest goes at another place than the newest comes."""
    alike: dict[tuple[str, tuple[str, ...]], list[ObjectChange]] = {}
    for one in objects:
        if (address := momentless(one.object)) != one.object:
            alike.setdefault((address, one.where), []).append(one)
    pairs = (same for same in alike.values() if len(same) == 2 and not sum(map(_step, same)))
    return [LeftOut(Why.ADDRESS, one) for same in pairs for one in same]


def _step(one: ObjectChange) -> int:
    """Returns how much more often the object stands on the new page than on the old one."""
    return (one.new or 0) - (one.old or 0)


# --- times ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Times:
    """Of the texts that differ: those that are times which tick, and how far other times went on. An age that
    is smaller than before does not tick: something happened."""

    left_out: list[LeftOut]
    advances: dict[ObjectChange, Advances]

    def add(self, one: ObjectChange, judged: _Judged) -> None:
        if judged.ticks:
            self.left_out.append(LeftOut(Why.TICKING, one))
        elif judged.advances:
            self.advances[one] = judged.advances


class _Judged(NamedTuple):
    """Whether a place that differs is a time that ticks; if not, how far the times in it went on."""

    ticks: bool
    advances: Advances = ()


def _judged(spots: Sequence[Spot]) -> _Judged:
    found = next(filter(None, (advances(*spot.places) for spot in spots)), ())
    by_form = not shrank(found) and any(ticks(*spot.places, spot.is_heading) for spot in spots)
    is_ticking = by_form or (bool(found) and any(spot.same_moment() for spot in spots))
    return _Judged(True) if is_ticking else _Judged(False, found)


def _judged_gaps(old: PageDigest, new: PageDigest) -> list[_Judged]:
    """Returns for each place where the words differ whether it ticks. `any change` and `all words` share
    it."""
    lines = _BothLines(old, new)
    return [_judged(lines.spots(gap)) for gap in pair(old, new).word_gaps]


def _of_times(
    old: PageDigest, new: PageDigest, change: ChangeType, written: Sequence[ObjectChange]
) -> _Times:
    times = _Times([], {})
    gaps = pair(old, new).word_gaps if written and _is_told_by_words(old, new, change) else ()
    first = len(written) - len(gaps)  # the title comes before the words
    if not gaps or first < 0 or len(gaps) > _MOST_GAPS:
        for one in written[:_MOST_GAPS]:
            _read_whole(one, times)
        return times
    for one, judged in zip(written[first:], pair(old, new).once("ticking", _judged_gaps), strict=True):
        times.add(one, judged)
    return times


def _is_told_by_words(old: PageDigest, new: PageDigest, change: ChangeType) -> bool:
    """Returns True if each written object is one place where the words differ, in their order."""
    read = all(one.kind == "text" or one.is_html for one in (old, new))
    return read and change.kind in ("any change", "all words") and not change.arguments and not change.option


def _read_whole(one: ObjectChange, times: _Times) -> None:
    """Reads a text that is told as a whole: a block, a leaf of XML."""
    if not one.before or not one.after or max(len(one.before), len(one.after)) > LONGEST:
        return
    spot = Spot(one.before, differing(one.before, one.after), one.after)
    if timeless(one.before) == timeless(one.after) and not shrank(advances(*spot.places)):
        times.left_out.append(LeftOut(Why.TICKING, one))
    else:
        times.add(one, _judged([spot]))


# --- what nobody sees (Q1) ------------------------------------------------------------------------------


def is_unseen(digest: PageDigest, node: int) -> bool:
    """Tells whether a picture has one pixel, is hidden, or is only for browsers without script."""
    if _is_hidden(digest, node) or _is_tiny(digest, node):
        return True
    around = [one for one in digest.ancestors(node, _ABOVE) if one > 0]
    return any(_is_hidden(digest, one) or _TINY_STYLE.search(_style(digest, one)) for one in around)


def _is_hidden(digest: PageDigest, node: int) -> bool:
    return bool(digest.hidden[node]) or _HIDDEN_STYLE.search(_style(digest, node)) is not None


def _is_tiny(digest: PageDigest, node: int) -> bool:
    sides = [digest.attribute(node, name) for name in ("width", "height")]
    if all(side is not None and _TINY.fullmatch(side) for side in sides):
        return True
    return len(_TINY_STYLE.findall(_style(digest, node))) == 2


def _style(digest: PageDigest, node: int) -> str:
    return digest.attribute(node, "style") or ""


# --- the lines in which a difference is read (Q2) ---------------------------------------------------------

_PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})
# Attributes in which elements name the moment that they show, and how many elements are asked for it: that of
# the text and the one around it.
_NAMING = ("datetime", "title", "data-time", "data-timestamp", "data-datetime", "data-date")
_AROUND = 2
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


class _BothLines:
    """The lines of two versions around what differs between them."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old, self._new = _Lines(old), _Lines(new)

    def spots(self, gap: Gap) -> list[Spot]:
        """Returns the ways to read a gap: in its line and, where that is not all of the line, in its element
        alone. What stands close behind an element may touch its last word in the text and not on the
        screen."""
        line = there, here = self._old.around(*gap.old), self._new.around(*gap.new)
        if there is None or here is None:
            return []
        was, now = self._places(gap)

        def same_moment() -> bool:
            return self._old.moment(was) == self._new.moment(now) != ""

        def is_heading() -> bool:
            return self._old.is_heading(was) and self._new.is_heading(now)

        spots = [Spot(there[0], (there[1], here[1]), here[0], same_moment, is_heading)]
        there, here = self._old.inside(was), self._new.inside(now)
        if there and here and (there, here) != line:
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
        words = digest.words
        self.text, self._starts, self._ends = words.text, words.starts, words.ends
        self._digest = digest

    def around(self, first: int, last: int) -> tuple[str, Place] | None:
        """Returns the line of these words and their place in it; None where they are on several lines, or too
        many. Where no word is, the place is between the words before and after."""
        if not len(self._starts) or last - first > _MOST_WORDS:
            return None
        start, end = self.range(first, last)
        begin, stop = self._line(start)
        if end > stop or end - start > LONGEST:
            return None
        begin, stop = max(begin, start - LONGEST // 2), min(stop, end + LONGEST // 2)
        return self.text[begin:stop], (start - begin, end - begin)

    def range(self, first: int, last: int) -> Place:
        """Returns where these words stand in the text; behind the word before if there are none."""
        if first < last:
            return int(self._starts[first]), int(self._ends[last - 1])
        end = int(self._ends[first - 1]) if first else 0
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
        around = digest.ancestors(digest.reading.node_at(place[0]), _AROUND)
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
