"""Two pages in, the backgrounds and embedded objects that came, went or were replaced out (T2, BEH table I).

Backgrounds are pictures and colours that the page itself names in attributes and inline styles. A background
that takes the place of another is one change. Embedded objects are applets and their like, compared as links
are: how often each address occurs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from webvigil.detect import counts
from webvigil.detect.alignment import TOLD
from webvigil.detect.places import Where
from webvigil.document import PageDigest, kept
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

PICTURE, COLOUR = "background picture", "background colour"
_EMBEDDED = ("applet", "object", "embed")


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    here, there = Where(new), Where(old)
    return [
        *_replaced(PICTURE, pictures(old), pictures(new), there, here),
        *_replaced(COLOUR, colours(old), colours(new), there, here),
        *counts.changes(old, embedded(old), new, embedded(new)),
    ]


def count(digest: PageDigest) -> int:
    """Returns how many backgrounds and embedded objects the page has."""
    return sum(len(some(digest).names) for some in (pictures, colours, embedded))


@kept
def pictures(digest: PageDigest) -> counts.Placed:
    """Returns the background pictures by their addresses."""
    found = [one for one in digest.backgrounds if one.image]
    return counts.Placed([one.image for one in found], [one.node for one in found])


@kept
def colours(digest: PageDigest) -> counts.Placed:
    """Returns the background colours as they are written."""
    found = [one for one in digest.backgrounds if one.color]
    return counts.Placed([one.color for one in found], [one.node for one in found])


@kept
def embedded(digest: PageDigest) -> counts.Placed:
    """Returns the applets and other embedded objects of an HTML page by what they load. In JSON and XML an
    `object` may be anything."""
    nodes = digest.nodes_of(*_EMBEDDED).tolist() if digest.is_html else []
    loads = [[digest.attribute(node, name) for name in ("code", "data", "src")] for node in nodes]
    return counts.Placed(
        [next(filter(None, names), "an object without an address") for names in loads], nodes
    )


def _replaced(
    name: str, before: counts.Placed, after: counts.Placed, there: Where, here: Where
) -> Iterator[ObjectChange]:
    """Yields the backgrounds that only one version has. The first that went was replaced by the first that
    came, and so on."""
    gone, come = _only(before, after), _only(after, before)
    for old, new in list(zip_longest(gone, come))[:TOLD]:
        yield ObjectChange(
            object=name,
            status=Status.UPDATED if old and new else Status.NEW if new else Status.GONE,
            before=old and old[0],
            after=new and new[0],
            where=here.paths(new[1]) if new else there.paths(old[1]),
        )


def _only(one: counts.Placed, other: counts.Placed) -> list[tuple[str, int]]:
    """Returns name and node of what occurs more often in the one than in the other, in the order of the
    page."""
    if one.names == other.names:
        return []
    more = Counter(one.names) - Counter(other.names)
    found = []
    for name, node in zip(one.names, one.nodes, strict=True):
        if more[name]:
            more[name] -= 1
            found.append((name, node))
    return found
