"""Two versions and a sentinel in, both versions cut down to the watched part out (L8, D5).

The part is found in the older version and carried to the newer one, so that it is followed when the page
around it moves. A part that cannot be found again is reported as vanished (V4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Hashes, Mask
from webvigil.document.carry import Lost, carry
from webvigil.document.main import shell
from webvigil.document.masks import Single, followed, mask, seen, single, union
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.memo import cached_property
from webvigil.model.sentinel import MAIN, Part

Views = tuple[PageDigest, PageDigest]


class Seeing(Protocol):
    """What says which part of a page is watched: a sentinel, or a part node."""

    @property
    def within(self) -> tuple[Part, ...]: ...
    @property
    def ignore(self) -> tuple[Part, ...]: ...


def views(old: PageDigest, new: PageDigest, sentinel: Seeing) -> Views | Finding:
    """Returns both versions cut down to the part, or the finding that the watched part has vanished."""
    found = cover(old, new, sentinel)
    return found if isinstance(found, Finding) else found.views


def cover(old: PageDigest, new: PageDigest, sentinel: Seeing) -> Cover | Finding:
    """Returns the nodes of the part in both versions, or the finding that the part has vanished."""
    within = sentinel.within
    if not within:
        return Cover(old, new, sentinel)
    watched = union(mask(old, part) for part in within)
    if not watched.any() or watched.all():
        return Cover(old, new, sentinel, (watched, union(mask(new, part) for part in within)))
    carried = carry(old, watched, new, within)
    if isinstance(carried, Lost):
        return _vanished(within, carried)
    if MAIN in within:  # followed as a whole; what is around the text is none of it there, either
        others = [mask(new, part) for part in within if part != MAIN]
        carried = carried & (~shell(new) | union(others) if others else ~shell(new))
    return Cover(old, new, sentinel, (watched, carried))


class Cover:
    """The nodes of a part in two versions. Without masks the part is the whole page."""

    def __init__(
        self, old: PageDigest, new: PageDigest, sentinel: Seeing, masks: tuple[Mask, Mask] | None = None
    ) -> None:
        self._old = old
        self._new = new
        self._within = sentinel.within
        self._ignore = sentinel.ignore
        self._masks = masks

    @cached_property
    def views(self) -> Views:
        """Both versions as digests that contain only the part."""
        before, after = self._masks or (None, None)
        if before is None and not self._ignore:
            return self._old, self._new
        here, there = alone(self._old, self._new, self._within, after)
        return seen(self._old, before, self._ignore, here), seen(self._new, after, self._ignore, there)

    @cached_property
    def unchanged(self) -> bool:
        """True if the part is surely the same in both versions, found out without cutting it out.

        False if this cannot be known without cutting out: what a selector ignores, or which
        attributes are chosen, may depend on the page around the part.
        """
        if self._masks is None or any(part.by in ("css", "xpath", "json", "main") for part in self._ignore):
            return False
        if single(self._old, self._within) is not None or single(self._new, self._within) is not None:
            return False
        if self._old.kind != self._new.kind or self._old.url != self._new.url:
            return False
        before, after = self._masks
        return np.array_equal(_trees(self._old, before), _trees(self._new, after))


def loud(old: PageDigest, new: PageDigest, parts: tuple[Part, ...]) -> Callable[[ObjectChange], bool]:
    """Returns True if an object stands in one of these parts, in either version."""
    roots = {path for digest in (old, new) for part in parts for path in _root_paths(digest, part)}
    inside = tuple(f"{path}/" for path in roots)
    return lambda one: any(path in roots or path.startswith(inside) for path in one.where)


def _root_paths(digest: PageDigest, part: Part) -> list[str]:
    marked = mask(digest, part)
    above = np.zeros(len(digest), dtype=np.bool_)
    above[1:] = marked[digest.parents[1:]]
    nodes = np.flatnonzero(marked & ~above)
    texts = digest.is_text[nodes]
    return digest.paths(np.where(texts, digest.parents[nodes], nodes).tolist())


def alone(
    old: PageDigest, new: PageDigest, within: Sequence[Part], carried: Mask | None
) -> tuple[Single | None, Single | None]:
    """Returns the single attributes, comments and processing instructions that XPath selectors choose in both
    versions. If the part was found again by similarity and not by its selector, the same things are chosen in
    the part that was found."""
    chosen = single(old, within)
    if chosen is None or carried is None or not carried.any():
        return chosen, single(new, within)
    if np.array_equal(carried, union(mask(new, part) for part in within)):
        return chosen, single(new, within)
    return chosen, followed(chosen, old, new, carried)


def _trees(digest: PageDigest, kept: Mask) -> Hashes:
    """Returns the signatures of the topmost kept subtrees, from left to right."""
    inside = np.zeros(len(digest), dtype=np.bool_)
    inside[1:] = kept[digest.parents[1:]]
    trees: Hashes = digest.subtree_hashes[kept & ~inside]
    return trees


def _vanished(within: tuple[Part, ...], lost: Lost) -> Finding:
    """Returns the finding that all these parts are gone."""
    gone = tuple(
        ObjectChange(object=part_in_words(part), status=Status.GONE, old=1, new=0) for part in within
    )
    return Finding(
        type="within", objects=gone, share=1.0, note=f"the watched part has vanished: {lost.reason}"
    )


def part_in_words(part: Part) -> str:
    """Returns how a part is found, in words: `css #news`."""
    words = part.argument if isinstance(part.argument, str) else ", ".join(part.argument)
    return f"{part.by} {words}"
