"""Words, links or images: whatever a reader would notice (C1).

The title is read too, so its change is one of words. Of a document that has no text (a picture, an
archive) any byte counts.
"""

from __future__ import annotations

from webvigil.detect import all_images, all_links, all_words, exact_change
from webvigil.detect.places import title
from webvigil.document import PageDigest
from webvigil.document.words import words_of
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    if "binary" in (old.kind, new.kind):
        return exact_change.detect(old, new, change)
    return [
        *_title(old, new),
        *all_words.detect(old, new, ChangeType("all words")),
        *all_links.detect(old, new, ChangeType("all links")),
        *all_images.detect(old, new, ChangeType("all images")),
    ]


def _title(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    if old.title == new.title or _is_read(old) or _is_read(new):
        return []
    (before, there), (after, here) = title(old), title(new)
    if words_of(before) == words_of(after):
        return []
    status = Status.NEW if not before else Status.GONE if not after else Status.UPDATED
    return [
        ObjectChange(
            object=before or after,
            status=status,
            before=before or None,
            after=after or None,
            where=here or there,
        )
    ]


def _is_read(digest: PageDigest) -> bool:
    """Is the title among the words? It is where it was asked for by itself."""
    titles = digest.nodes_of("title")
    return bool(len(titles)) and not digest.hidden[titles].all()
