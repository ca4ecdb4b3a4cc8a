"""Pictures that came, went, or stand there more or less often (C3).

A picture is its absolute address. With `content` a picture is also what it shows: one behind an
unchanged address was replaced if the digests carry different signatures for it (`with_pictures`).
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.detect.places import paths
from webvigil.document import PageDigest
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    names = counts.changed([image.url for image in old.images], [image.url for image in new.images])
    replaced = _replaced(old, new) if change.option == "content" else []
    if not names and not replaced:
        return []
    before = counts.places((image.url, image.node) for image in old.images)
    after = counts.places((image.url, image.node) for image in new.images)
    return [
        *counts.placed_changes(names, old, before, new, after),
        *(
            ObjectChange(
                object=url,
                status=Status.UPDATED,
                before=old.pictures[url],
                after=new.pictures[url],
                where=paths(new, after[url]),
            )
            for url in replaced
        ),
    ]


def _replaced(old: PageDigest, new: PageDigest) -> list[str]:
    """Addresses on both versions with another picture behind them."""
    there = {image.url for image in old.images}
    return [
        url
        for url in dict.fromkeys(image.url for image in new.images)
        if url in there
        and url in old.pictures
        and url in new.pictures
        and old.pictures[url] != new.pictures[url]
    ]
