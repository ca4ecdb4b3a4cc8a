"""How much changed: the share of what is watched, and the score (C15, T2).

The share counts units (words, links, images): those that came or went, of all in both versions. The
score adds up what kind of thing changed: a link weighs as much as 256 characters of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What one change of each category weighs."""

    link: int = 256
    applet: int = 256
    image: int = 128
    title: int = 128
    background_image: int = 64
    background_colour: int = 64
    heading: int = 64
    small_heading: int = 32
    text: int = 1


WEIGHTS = Weights()


def share(old: PageDigest, new: PageDigest, change: ChangeType, objects: Sequence[ObjectChange]) -> float:
    extent = len(old.visible_text) + len(new.visible_text)
    return min(1.0, sum(map(characters, objects)) / extent) if extent else 1.0


def score(
    old: PageDigest,
    new: PageDigest,
    change: ChangeType,
    objects: Sequence[ObjectChange],
    weights: Weights = WEIGHTS,
) -> int:
    return sum(weights.text * characters(one) for one in objects)


def characters(one: ObjectChange) -> int:
    """How many characters an object lost and gained."""
    if one.old is not None and one.new is not None:
        return abs(one.new - one.old) * len(one.object)
    before, after = one.before or "", one.after or ""
    return int(Indel.distance(before, after))
