"""Two pages in, the images that came, went, or occur more or less often out (C3).

An image is identified by its absolute address. With the option `content`, an image with an unchanged address
has changed if the digests carry different checksums for it (`with_pictures`).
"""

from __future__ import annotations

from webvigil.detect import counts
from webvigil.detect.pair import pair
from webvigil.detect.places import paths
from webvigil.document import PageDigest, kept
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType


def detect(old: PageDigest, new: PageDigest, change: ChangeType) -> list[ObjectChange]:
    found = pair(old, new).once("all images", _detect)
    return [*found, *(_replaced(old, new) if change.option == "content" else ())]


def count(digest: PageDigest) -> int:
    """Returns the number of images on the page."""
    return len(placed(digest).names)


def _detect(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    if pair(old, new).same_markup:
        return []
    return [] if are_same(old, new) else counts.changes(old, placed(old), new, placed(new))


def are_same(old: PageDigest, new: PageDigest) -> bool:
    """Tells whether the images of both pages are surely the same, wherever they stand: they are written
    alike."""
    return old.url == new.url and old.image_sources[1:] == new.image_sources[1:]


@kept
def placed(digest: PageDigest) -> counts.Placed:
    """Returns the pictures of a page by their addresses."""
    return counts.Placed([image.url for image in digest.images], [image.node for image in digest.images])


def _replaced(old: PageDigest, new: PageDigest) -> list[ObjectChange]:
    """Returns the addresses that both versions show with different pictures behind them."""
    before, after = old.whole.pictures, new.whole.pictures
    there = {image.url for image in old.images}
    urls = dict.fromkeys(image.url for image in new.images if image.url in there)
    return [
        ObjectChange(
            object=url,
            status=Status.UPDATED,
            before=before[url],
            after=after[url],
            where=paths(new, [image.node for image in new.images if image.url == url]),
        )
        for url in urls
        if url in before and url in after and before[url] != after[url]
    ]
