"""The pictures of two versions in a browser in, the regions that changed, came or went out (C14).

`Within` and `Ignore` apply as far as the pictures know where the elements of the page are: everything that a
sentinel does not watch is painted over in both pictures before they are compared. If one of the versions has
no picture, nothing is found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webvigil.detect.lcs import common_runs
from webvigil.detect.pair import pair
from webvigil.detect.pictures import Marks, Region, regions
from webvigil.document import PageDigest
from webvigil.document.screenshot import Box, Places, read_screenshot
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

# The colour that parts which are not watched get in both pictures, so that they never differ.
_GREY = 128


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return list(pair(old, new).once("visual", _compared).objects)


def share(old: PageDigest, new: PageDigest) -> float:
    """Returns which share of the watched area of both pictures is in the changed regions."""
    return pair(old, new).once("visual", _compared).share


@dataclass(frozen=True, slots=True)
class Compared:
    """The changed regions, and their share of the watched area."""

    objects: tuple[ObjectChange, ...] = ()
    share: float = 0.0


def _compared(old: PageDigest, new: PageDigest) -> Compared:
    pictures = old.screenshot, new.screenshot
    if not all(pictures) or (pictures[0] == pictures[1] and old.whole is old and new.whole is new):
        return Compared()
    before, after = _Side(old, pictures[0]), _Side(new, pictures[1])
    found = [
        Region(before.whole(one.before), after.whole(one.after)) for one in regions(before.shown, after.shown)
    ]
    found = [one for one in found if before.seen(one.before) or after.seen(one.after)]
    amount = sum(before.seen(one.before) + after.seen(one.after) for one in found)
    extent = before.extent + after.extent
    return Compared(tuple(_object(one, before, after) for one in found), amount / extent if extent else 0.0)


def _object(region: Region, before: _Side, after: _Side) -> ObjectChange:
    old, new = region
    if new is None:
        assert old is not None, "a region is somewhere"
        return ObjectChange(object=str(old), status=Status.GONE, before=str(old), where=before.where(old))
    return ObjectChange(
        object=str(new),
        status=Status.UPDATED if old else Status.NEW,
        before=str(old) if old else None,
        after=str(new),
        where=after.where(new),
    )


class _Side:
    """The picture of one version as a sentinel sees it: cut to what is within, with ignored elements painted
    over."""

    def __init__(self, digest: PageDigest, picture: bytes) -> None:
        screenshot = read_screenshot(picture)
        self._digest = digest.whole
        self._places = screenshot.places
        self._nodes = nodes_at(digest.whole, screenshot.places) if screenshot.places else []
        seen = self._watched(digest, screenshot.pixels.shape[:2])
        self._left, self._top, width, height = _around(seen)
        part = slice(self._top, self._top + height), slice(self._left, self._left + width)
        self._seen = seen[part]
        self.shown = screenshot.pixels[part]
        if not self._seen.all():
            self.shown = np.where(self._seen[:, :, None], self.shown, np.uint8(_GREY))
        self.extent = int(self._seen.sum())

    def seen(self, box: Box | None) -> int:
        """Returns how many pixels of a region the sentinel watches."""
        if box is None:
            return 0
        top, left = box.top - self._top, box.left - self._left
        return int(self._seen[top : top + box.height, left : left + box.width].sum())

    def whole(self, box: Box | None) -> Box | None:
        """Returns where a region of the cut picture is in the whole picture."""
        return box and box._replace(left=box.left + self._left, top=box.top + self._top)

    def where(self, box: Box) -> tuple[str, ...]:
        """Returns the path of the innermost element around the region."""
        if self._places:
            holding = [
                (place.area, -number)
                for number, place in enumerate(self._places.boxes)
                if self._nodes[number] >= 0 and _holds(place, box)
            ]
            if holding:
                return (self._digest.path(self._nodes[-min(holding)[1]]),)
        return ("/",)

    def _watched(self, digest: PageDigest, shape: tuple[int, int]) -> Marks:
        """Returns the pixels that the sentinel watches. An element is watched if its parent is, unless the
        sentinel says otherwise; only the boxes of elements that differ from their parents are painted."""
        kept = np.zeros(len(self._digest), dtype=np.bool_)
        kept[digest.origin] = True
        if kept.all() or not self._places:
            return np.ones(shape, dtype=np.bool_)
        parents = self._digest.parents
        root = next((node for node in self._nodes if node >= 0), -1)
        seen = np.full(shape, root >= 0 and bool(kept[root]), dtype=np.bool_)
        for node, box in zip(self._nodes, self._places.boxes, strict=True):
            if node >= 0 and kept[node] != (kept[parents[node]] and parents[node] > 0):
                seen[
                    max(box.top, 0) : max(box.top + box.height, 0),
                    max(box.left, 0) : max(box.left + box.width, 0),
                ] = kept[node]
        return seen


def nodes_at(digest: PageDigest, places: Places) -> list[int]:
    """Returns for each recorded place its node, or -1 if the document has no such element."""
    elements = [node for node in range(len(digest)) if digest.tag(node)[:1] not in ("#", "?", "!")]
    found = [-1] * len(places.tags)
    for run in common_runs(places.tags, [digest.tag(node) for node in elements]):
        found[run.old : run.old + run.length] = elements[run.new : run.new + run.length]
    return found


def _around(seen: Marks) -> Box:
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return Box(0, 0, 0, 0)
    left, top = int(columns[0]), int(rows[0])
    return Box(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and outer.left + outer.width >= inner.left + inner.width
        and outer.top + outer.height >= inner.top + inner.height
    )
