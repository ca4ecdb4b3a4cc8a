"""A finding in, the finding that a person would call a change out, with what was left out and why (Q1, Q2).

Only objects that differ are looked at. Links and pictures whose addresses mean the same are counted
together: as often as before, nothing happened. Words that differ are left out where they are a time that
ticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from webvigil.detect import all_images, all_links, measure
from webvigil.detect.counts import Placed
from webvigil.detect.pair import pair
from webvigil.detect.quiet.addresses import meant, momentless
from webvigil.detect.quiet.advance import Advances, advances, shrank
from webvigil.detect.quiet.lines import BothLines, Spot, differing
from webvigil.detect.quiet.ticking import LONGEST, ticks, timeless
from webvigil.document import PageDigest
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
        *_of_addresses(shown, _Standing(all_images.placed, old, new), is_unseen, asset=True),
        *_of_addresses(led, _Standing(all_links.placed, old, new), _is_hidden, asset=False),
    ]
    return _Times([*addresses, *times.left_out], times.advances)


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
        """Returns True if nobody sees any of these objects. Objects that are counted together stand
        nowhere."""
        nodes = self._nodes.get(name, ())
        return bool(nodes) and all(is_unseen(digest, node) for digest, node in nodes)


def _of_addresses(
    objects: Sequence[ObjectChange],
    standing: _Standing,
    is_unseen: Callable[[PageDigest, int], bool],
    *,
    asset: bool,
) -> list[LeftOut]:
    """Returns the links and pictures that are left out. Addresses that mean the same are found first, because
    that needs no look at the page."""
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
    """Returns how much more often the object stands on the new page than on the old one."""
    return (one.new or 0) - (one.old or 0)


# --- times ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Times:
    """Of the texts that differ: those that are times which tick, and how far other times went on. An age that
    is smaller than before does not tick: something happened."""

    left_out: list[LeftOut]
    advances: dict[ObjectChange, Advances]

    def add(self, one: ObjectChange, spots: Sequence[Spot]) -> None:
        found = next(filter(None, (advances(*spot.places) for spot in spots)), ())
        by_form = not shrank(found) and any(ticks(*spot.places, spot.is_heading) for spot in spots)
        if by_form or (found and any(spot.same_moment() for spot in spots)):
            self.left_out.append(LeftOut(Why.TICKING, one))
        elif found:
            self.advances[one] = found


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
    lines = BothLines(old, new)
    for one, gap in zip(written[first:], gaps, strict=True):
        times.add(one, lines.spots(gap))
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
        times.add(one, [spot])


# --- what nobody sees (Q1) ------------------------------------------------------------------------------


def is_unseen(digest: PageDigest, node: int) -> bool:
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
