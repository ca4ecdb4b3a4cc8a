"""Two pages in, all changes except those of the text out: layout, attributes, comments (C10, ROC Fig. 22).

In the hierarchy of aspects, structure is above those three: none of them can change without it.
"""

from __future__ import annotations

from webvigil.detect import attributes, comments, layout
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    return [found for aspect in (layout, attributes, comments) for found in aspect.detect(old, new, change)]
