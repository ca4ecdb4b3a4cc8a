"""Two versions that a person compares by hand in, both cut down to a part out (L8, D5).

A sentinel finds its part in the older version. A person may as well write a selector for the newer version.
So the part is taken from the version that has it, the older one first, and followed into the other version.
Comparing in the opposite direction then finds the same part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Mask
from webvigil.document.carry import Lost, carry
from webvigil.document.masks import mask, seen, union
from webvigil.errors import PatternRefused
from webvigil.graph.part import alone, part_in_words
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.sentinel import Part


@dataclass(frozen=True, slots=True)
class Cut:
    """Both versions, cut down to the part. `lost` is the finding that one of the versions does not have the
    part."""

    old: PageDigest
    new: PageDigest
    lost: Finding | None = None


def cut(old: PageDigest, new: PageDigest, within: Sequence[Part], ignore: Sequence[Part]) -> Cut:
    """Returns both versions with only what is within the parts, without the ignored parts. Raises
    PatternRefused if neither version contains any of the parts to keep."""
    if not within:
        return Cut(seen(old, None, ignore), seen(new, None, ignore))
    named = union(mask(old, part) for part in within)
    if named.all():
        return Cut(seen(old, None, ignore), seen(new, union(mask(new, part) for part in within), ignore))
    if named.any():
        found, lost = _followed(old, named, new, within, Status.GONE)
        here, there = alone(old, new, within, found)
        return Cut(seen(old, named, ignore, here), seen(new, found, ignore, there), lost)
    named = union(mask(new, part) for part in within)
    if not named.any():
        raise PatternRefused(f"nothing on either page matches {', '.join(map(_named, within))}")
    found, lost = _followed(new, named, old, within, Status.NEW)
    here, there = alone(new, old, within, found)
    return Cut(seen(old, found, ignore, there), seen(new, named, ignore, here), lost)


def _followed(
    here: PageDigest, named: Mask, there: PageDigest, within: Sequence[Part], status: Status
) -> tuple[Mask, Finding | None]:
    """Returns the nodes of the part in the other version, or no nodes and the finding that the part is not
    there."""
    found = carry(here, named, there, within)
    if not isinstance(found, Lost):
        return found, None
    return np.zeros(len(there), dtype=np.bool_), _lost(within, found, status)


def _lost(within: Sequence[Part], lost: Lost, status: Status) -> Finding:
    is_new = status is Status.NEW
    objects = [
        ObjectChange(object=part_in_words(part), status=status, old=int(not is_new), new=int(is_new))
        for part in within
    ]
    note = "the part is new" if is_new else f"the watched part has vanished: {lost.reason}"
    return Finding(type="within", objects=tuple(objects), share=1.0, note=note)


def _named(part: Part) -> str:
    words = part.argument
    return f"{part.by} {words!r}" if isinstance(words, str) else f"{part.by} {{{', '.join(words)}}}"
