"""Two pages in, everything a reader would notice out: changed words, links and images (C1).

The title counts as words, too. In a document without text (a picture, an archive) every byte counts.
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
    """Returns the change of the title, unless the title is already among the words."""
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
    """Returns True if the title is among the words of the page, as it is when a part selects the title
    itself."""
    titles = digest.nodes_of("title")
    return bool(len(titles)) and not digest.hidden[titles].all()
