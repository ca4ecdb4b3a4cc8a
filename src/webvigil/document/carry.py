"""A watched part of the old version in, the same part in the new version out, or `Lost` (D5, C7).

The selector of the part is tried first. If it finds nothing, or something clearly different, every node of
the new version is compared with the old part by four features: its text, its attributes, the words before and
after it, and its place in the page. Each feature contributes a share of a likeness between 0 and 1. If no
node is similar enough, the part is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webvigil.document import arrays
from webvigil.document.arrays import Longs, Mask
from webvigil.document.digest import PageDigest
from webvigil.document.masks import mask
from webvigil.model.sentinel import Part

Likeness = npt.NDArray[np.float64]

# The shares of the four features in the likeness. Text weighs most. A part whose text changed completely is
# still found if the other features agree: their shares add up to more than _ENOUGH. The cases are in
# tests/document/test_carry.py; run them after a change of these numbers.
_TEXT, _ATTRIBUTES, _NEIGHBOURS, _PLACE = 0.35, 0.25, 0.2, 0.2
# The least likeness of a node that is taken for the part, and the least likeness at which the selector is
# believed. The selector needs less, because it is evidence by itself.
_ENOUGH = 0.55
_BELIEVED = 0.25
# The selector is not believed if another node is more similar than its find by more than this.
_CLEARLY = 0.3
# Of a part in many places about this many are compared to judge the selector, so that the time stays bounded.
_ASKED = 20
# The number of words before and after a part that count as its neighbours.
_WINDOW = 10
# A part in more places is not searched by likeness: each search compares the whole page.
_MOST_ROOTS = 500


@dataclass(frozen=True, slots=True)
class Lost:
    """The part is not in the new version. `reason` tells the user why."""

    reason: str


def carry(old: PageDigest, watched: Mask, new: PageDigest, parts: Sequence[Part] = ()) -> Mask | Lost:
    """Returns the mask in the new version of the nodes that are `watched` in the old one, or Lost.

    `parts` are the selectors that made the old mask. Without them the part is found by likeness alone.
    """
    roots = _roots(old, watched)
    if not len(roots):
        return Lost("nothing was watched in the older version")
    found = _by_selectors(new, parts)
    if found is not None and _is_believable(old, roots, new, found):
        return found
    if len(roots) > _MOST_ROOTS:
        return Lost(f"the part is in {len(roots)} places, too many to look for")
    carried = _by_likeness(old, roots, new)
    if carried is not None:
        return carried
    if found is not None:
        return Lost("the selector finds something else now, and nothing on the page is like the part")
    return Lost("the part is gone: nothing on the page is like it")


def _roots(digest: PageDigest, marked: Mask) -> list[int]:
    """Returns the marked nodes whose parent is not marked."""
    above = np.zeros(len(digest), dtype=np.bool_)
    above[1:] = marked[digest.parents[1:]]
    return [int(node) for node in np.flatnonzero(marked & ~above) if node > 0]


def _by_selectors(new: PageDigest, parts: Sequence[Part]) -> Mask | None:
    masks = [found for found in (mask(new, part) for part in parts) if found.any()]
    return np.logical_or.reduce(masks) if masks else None


def _is_believable(old: PageDigest, roots: list[int], new: PageDigest, found: Mask) -> bool:
    """Tells whether the nodes that the selector found are the part. They are not if they resemble nothing
    that was watched, or if other nodes resemble it much more, as after an insertion before a selector with a
    number."""
    asked = roots[:: len(roots) // _ASKED + 1]
    return 2 * sum(_agrees(old, root, new, found) for root in asked) >= len(asked)


def _agrees(old: PageDigest, root: int, new: PageDigest, found: Mask) -> bool:
    if not old.text(root).strip():
        return True
    candidates = new.nodes_of(old.tag(root))
    if not len(candidates):
        return True
    likeness = _likeness(old, root, new, candidates)
    inside = likeness[found[candidates]].max(initial=0.0)
    return bool(inside >= max(_BELIEVED, likeness.max() - _CLEARLY))


def _by_likeness(old: PageDigest, roots: list[int], new: PageDigest) -> Mask | None:
    """Returns a mask of the nodes that resemble the old ones, or None if fewer than half of the old ones are
    found again."""
    chosen = np.zeros(len(new), dtype=np.bool_)
    found = 0
    for root in roots:
        node = _most_like(old, root, new, chosen)
        if node is not None:
            chosen[node] = True
            found += 1
    return arrays.below(chosen, new.sizes) if 2 * found >= len(roots) else None


def _most_like(old: PageDigest, root: int, new: PageDigest, taken: Mask) -> int | None:
    candidates = new.nodes_of(old.tag(root))
    candidates = candidates[~taken[candidates]]
    if not len(candidates):
        return None
    likeness = _likeness(old, root, new, candidates)
    best = int(np.argmax(likeness))
    return int(candidates[best]) if likeness[best] >= _ENOUGH else None


def _likeness(old: PageDigest, root: int, new: PageDigest, nodes: Longs) -> Likeness:
    same = new.subtree_hashes[nodes] == old.subtree_hashes[root]
    text = np.where(same, 1.0, _text_likeness(old, root, new, nodes))
    attributes = _attribute_likeness(old, root, new, nodes)
    neighbours = _neighbour_likeness(old, root, new, nodes)
    place = _place_likeness(old, root, new, nodes)
    total: Likeness = _TEXT * text + _ATTRIBUTES * attributes + _NEIGHBOURS * neighbours + _PLACE * place
    return total


def _text_likeness(old: PageDigest, root: int, new: PageDigest, nodes: Longs) -> Likeness:
    """Returns for each node the share of words that its subtree has in common with the old part."""
    first, last = _word_range(old, np.array([root]))
    wanted = set(old.words.words[first[0] : last[0]])
    starts, ends = _word_range(new, nodes)
    if not wanted:
        return np.asarray(starts == ends, dtype=np.float64)
    known = _known(new, wanted)
    hits = (known[ends] - known[starts]).astype(np.float64)
    longer = np.maximum(ends - starts, last[0] - first[0])
    share: Likeness = np.minimum(hits / np.maximum(longer, 1), 1.0)
    return share


def _neighbour_likeness(old: PageDigest, root: int, new: PageDigest, nodes: Longs) -> Likeness:
    """Returns for each node the share of the `_WINDOW` words before and after it that also stood before and
    after the old part."""
    first, last = (int(border[0]) for border in _word_range(old, np.array([root])))
    before = set(old.words.words[max(first - _WINDOW, 0) : first])
    after = set(old.words.words[last : last + _WINDOW])
    starts, ends = _word_range(new, nodes)
    total = np.zeros(len(nodes))
    for wanted, low, high in (
        (before, np.maximum(starts - _WINDOW, 0), starts),
        (after, ends, np.minimum(ends + _WINDOW, len(new.words))),
    ):
        known = _known(new, wanted)
        length = np.maximum(high - low, 1)
        total += (known[high] - known[low]) / length if wanted else (high == low)
    return np.asarray(total / 2, dtype=np.float64)


def _attribute_likeness(old: PageDigest, root: int, new: PageDigest, nodes: Longs) -> Likeness:
    """Returns for each node the share of attributes in common with the old part. An attribute with the same
    name and another value counts for up to a half, by the words that the two values share."""
    wanted = old.attributes(root)
    place = np.full(len(new), -1, dtype=np.int64)
    place[nodes] = np.arange(len(nodes))
    rows = np.flatnonzero(place[new.attribute_node] >= 0)
    score = np.zeros(len(nodes))
    counts = (new.attribute_start[nodes + 1] - new.attribute_start[nodes]).astype(np.float64)
    for name, value in wanted.items():
        of_name = rows[new.attribute_name[rows] == new.attribute_index.get(name, -1)]
        values, which = np.unique(new.attribute_value[of_name], return_inverse=True)
        points = np.array([_value_likeness(value, new.attribute_values[one]) for one in values.tolist()])
        if len(points):
            score[place[new.attribute_node[of_name]]] += points[which]
    union = counts + len(wanted) - score
    return np.where(union > 0, score / np.maximum(union, 1e-9), 1.0)


def _value_likeness(old: str, new: str) -> float:
    if old == new:
        return 1.0
    before, after = set(old.split()), set(new.split())
    return 0.5 * len(before & after) / max(len(before | after), 1)


def _place_likeness(old: PageDigest, root: int, new: PageDigest, nodes: Longs) -> Likeness:
    """Returns for each node how similar its place is: the names of its four nearest ancestors, its depth, and
    its position between the start and the end of the page."""
    line = [old.tag(node) for node in old.ancestors(root, 4)]
    score = np.zeros(len(nodes))
    current = nodes.copy()
    for name in line:
        current = new.parents[np.maximum(current, 0)].astype(np.int64)
        score += (new.tags[np.maximum(current, 0)] == new.tag_index.get(name, -1)) & (current >= 0)
    ancestors = score / max(len(line), 1)
    depth = 1.0 / (1.0 + np.abs(new.depths[nodes] - old.depths[root]))
    down = 1.0 - np.abs(nodes / len(new) - root / len(old))
    return np.asarray(0.4 * ancestors + 0.3 * depth + 0.3 * down, dtype=np.float64)


def _word_range(digest: PageDigest, nodes: Longs) -> tuple[Longs, Longs]:
    """Returns for each subtree the numbers of its first word and of the word behind its last."""
    homes = digest.words.nodes
    starts = np.searchsorted(homes, nodes)
    return starts, np.searchsorted(homes, nodes + digest.sizes[nodes])


def _known(digest: PageDigest, wanted: set[str]) -> Longs:
    """Returns for every n how many of the first n words of the page are wanted words."""
    index, numbers = digest.vocabulary
    is_wanted = np.zeros(len(index) or 1, dtype=np.int64)
    is_wanted[[index[word] for word in wanted if word in index]] = 1
    return np.concatenate([[0], np.cumsum(is_wanted[numbers])])
