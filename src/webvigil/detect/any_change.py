"""Words, links or images: whatever a reader would notice (C1)."""

from __future__ import annotations

from webvigil.detect import all_images, all_links, all_words
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return [
        *all_words.detect(old, new, ChangeType("all words")),
        *all_links.detect(old, new, ChangeType("all links")),
        *all_images.detect(old, new, ChangeType("all images")),
    ]
