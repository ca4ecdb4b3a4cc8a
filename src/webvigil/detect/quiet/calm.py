"""A finding in, the finding that a person would call a change out, with what was left out of it and why (Q1,
Q2).

Only objects that differ are looked at. Links and pictures whose addresses mean the same are counted
together: as often as before, nothing happened. Words that differ are left out where they are a time that
ticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from webvigil.detect import all_images, all_links, measure
from webvigil.detect.alignment import Gap
from webvigil.detect.counts import Placed
from webvigil.detect.pair import pair
from webvigil.detect.quiet.addresses import meant, momentless
from webvigil.detect.quiet.ticking import LONGEST, Place, ticks, timeless
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs
from webvigil.document.derived import cached_property
from webvigil.document.words import Words
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.change_types import KINDS
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
_PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp"})


@dataclass(frozen=True, slots=True)
class Calmed:
    """What is left of a finding, and what was left out of it."""

    finding: Finding
    left_out: tuple[LeftOut, ...] = ()
    whole: Finding | None = None
    """As it was before anything was left out."""

    def but_for(self, kept: Callable[[ObjectChange], bool]) -> Calmed:
        """The same with some of the objects told after all, in their places."""
        back = [one.object for one in self.left_out if kept(one.object)]
        if not back or self.whole is None:
            return self
        told = {id(one) for one in (*self.finding.objects, *back)}
        objects = tuple(one for one in self.whole.objects if id(one) in told)
        left_out = tuple(one for one in self.left_out if id(one.object) not in told)
        return Calmed(replace(self.whole, objects=objects), left_out, self.whole)


def calmed(old: PageDigest, new: PageDigest, change: ChangeType, finding: Finding) -> Calmed:
    """By the two versions alone, whatever was before them."""
    if not finding.objects or not KINDS[change.kind].quieted:
        return Calmed(finding)
    left_out = _left_out(old, new, change, finding.objects)
    if not left_out:
        return Calmed(finding)
    gone = {id(one.object) for one in left_out}
    return Calmed(without(old, new, change, finding, gone), tuple(left_out), finding)


def without(
    old: PageDigest, new: PageDigest, change: ChangeType, finding: Finding, gone: set[int]
) -> Finding:
    """A finding without some of its objects, given by their identities; measured anew."""
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
) -> list[LeftOut]:
    counted = [one for one in objects if one.old is not None and one.new is not None]
    # What moved has two places, not two texts: there is no time in it.
    written = [
        one for one in objects if (one.old is None or one.new is None) and one.status is not Status.MOVED
    ]
    left_out = _of_times(old, new, change, written) if written else []
    if not counted:
        return left_out
    pictures = set(all_images.detect(old, new, _IMAGES)) if change.kind != "all links" else set()
    shown, led = ([one for one in counted if (one in pictures) is is_picture] for is_picture in (True, False))
    return [
        *_of_addresses(shown, _Standing(all_images.placed, old, new), _is_unseen, asset=True),
        *_of_addresses(led, _Standing(all_links.placed, old, new), _is_hidden, asset=False),
        *left_out,
    ]


# --- addresses --------------------------------------------------------------------------------------


class _Standing:
    """Where addresses stand in either version, worked out when it is first asked."""

    def __init__(self, placed: Callable[[PageDigest], Placed], old: PageDigest, new: PageDigest) -> None:
        self._placed = placed
        self._pages = old, new

    @cached_property
    def _nodes(self) -> dict[str, list[tuple[PageDigest, int]]]:
        found: dict[str, list[tuple[PageDigest, int]]] = {}
        for digest in self._pages:
            known = self._placed(digest)
            for name, node in zip(known.names, known.nodes, strict=True):
                found.setdefault(name, []).append((digest, node))
        return found

    def all(self, name: str, is_unseen: Callable[[PageDigest, int], bool]) -> bool:
        """Are all of them such that nobody sees them? What is counted together stands nowhere."""
        nodes = self._nodes.get(name, ())
        return bool(nodes) and all(is_unseen(digest, node) for digest, node in nodes)


def _of_addresses(
    objects: Sequence[ObjectChange],
    standing: _Standing,
    is_unseen: Callable[[PageDigest, int], bool],
    *,
    asset: bool,
) -> list[LeftOut]:
    """What means the same is asked first: it needs no look at the page."""
    alike: dict[str, list[ObjectChange]] = {}
    for one in objects:
        alike.setdefault(meant(one.object, asset=asset), []).append(one)
    left_out: list[LeftOut] = []
    for same in alike.values():
        if len(same) > 1 and not sum(map(_step, same)):
            left_out += [LeftOut(Why.ADDRESS, one) for one in same]
        else:
            left_out += [LeftOut(Why.UNSEEN, one) for one in same if standing.all(one.object, is_unseen)]
    known = {id(one.object) for one in left_out}
    return left_out + _of_moments([one for one in objects if id(one) not in known])


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
    """How much more often it stands there."""
    return (one.new or 0) - (one.old or 0)


# --- times ------------------------------------------------------------------------------------------


def _of_times(
    old: PageDigest, new: PageDigest, change: ChangeType, written: Sequence[ObjectChange]
) -> list[LeftOut]:
    gaps = pair(old, new).word_gaps if _is_told_by_words(old, new, change) else ()
    first = len(written) - len(gaps)  # the title comes before the words
    if not gaps or first < 0 or len(gaps) > _MOST_GAPS:
        return [LeftOut(Why.TICKING, one) for one in written[:_MOST_GAPS] if _only_ticked(one)]
    lines = _Lines(old), _Lines(new)
    return [
        LeftOut(Why.TICKING, one)
        for one, gap in zip(written[first:], gaps, strict=True)
        if _ticked(lines, gap)
    ]


def _is_told_by_words(old: PageDigest, new: PageDigest, change: ChangeType) -> bool:
    """Is each written object one place where the words differ, in their order?"""
    read = all(one.kind == "text" or one.is_html for one in (old, new))
    return read and change.kind in ("any change", "all words") and not change.arguments and not change.option


def _only_ticked(one: ObjectChange) -> bool:
    """Of a text that is told as a whole: a block, a leaf of XML."""
    if not one.before or not one.after or max(len(one.before), len(one.after)) > LONGEST:
        return False
    return timeless(one.before) == timeless(one.after)


def _ticked(lines: tuple[_Lines, _Lines], gap: Gap) -> bool:
    """Read in its line, or in its element alone: what stands close behind an element may touch its last word
    in the text and not on the screen."""
    there, here = lines[0].around(*gap.old), lines[1].around(*gap.new)
    if there is None or here is None:
        return False
    if ticks(*there, *here):
        return True
    there, here = lines[0].inside(*gap.old), lines[1].inside(*gap.new)
    return there is not None and here is not None and ticks(*there, *here)


class _Lines:
    """The lines of a page around some of its words."""

    def __init__(self, digest: PageDigest) -> None:
        self._words: Words = digest.words
        self._text = digest.words.text
        self._digest = digest

    def around(self, first: int, last: int) -> tuple[str, Place] | None:
        """The line of these words and their place in it; None where they are on several lines, or too many.
        Where no word is, the place is between the words before and after."""
        words, text = self._words, self._text
        if not len(words) or last - first > 12:
            return None
        start = int(words.starts[first]) if first < last else int(words.ends[first - 1]) if first else 0
        end = int(words.ends[last - 1]) if first < last else start
        begin, stop = self._line(start)
        if end > stop:
            return None
        begin, stop = max(begin, start - LONGEST // 2), min(stop, end + LONGEST // 2)
        return text[begin:stop], (start - begin, end - begin)

    def inside(self, first: int, last: int) -> tuple[str, Place] | None:
        """What the element that has all of these words shows in their line, and their place in it; None if
        there is no word, or no such element."""
        if first >= last:
            return None
        start, end = int(self._words.starts[first]), int(self._words.ends[last - 1])
        starts = self._digest.reading.starts
        here = int(np.searchsorted(starts, start, side="right"))
        begin, stop = self._line(start)
        begin = max(begin, int(starts[here - 1]))
        stop = min(stop, int(starts[here])) if here < len(starts) else stop
        if end > stop or stop - begin > LONGEST:
            return None
        return self._text[begin:stop], (start - begin, end - begin)

    def _line(self, place: int) -> Place:
        """The line that a reader sees around this place of the text. Where HTML is written in several lines
        without an element between them, a browser shows one line; except in `pre`."""
        digest, text = self._digest, self._text
        if digest.is_html and not self._is_preformatted(place):
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

    def _is_preformatted(self, place: int) -> bool:
        reading = self._digest.reading
        above = self._digest.ancestors(reading.node_at(place)) if len(reading.nodes) else []
        return any(self._digest.tag(node) in _PREFORMATTED for node in above)


# --- what nobody sees (Q1) ------------------------------------------------------------------------------


def _is_unseen(digest: PageDigest, node: int) -> bool:
    """Tells whether a picture has one pixel, is hidden, or is only for browsers without script."""
    if _is_hidden(digest, node) or _is_tiny(digest, node):
        return True
    around = [one for one in digest.ancestors(node)[:_ABOVE] if one > 0]
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
