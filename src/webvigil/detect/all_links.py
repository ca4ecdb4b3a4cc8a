"""Links that came, went, or stand there more or less often (C2).

A link is its absolute address; where it stands on the page and what it is called do not count.
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.detect.pair import pair
from webvigil.detect.remembered import remembered
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return list(pair(old, new).once("all links", _detect))


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    return counts.changes(old, _placed(old), new, _placed(new))


@remembered
def _placed(digest: PageDigest) -> counts.Placed:
    return counts.Placed([link.url for link in digest.links], [link.node for link in digest.links])
