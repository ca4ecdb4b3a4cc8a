"""A digest and a mask in, the containers of the kept nodes out: a part as a digest of its own (D5).

The kept nodes stand under one document node and get new numbers, so every comparison works on a part as on a
whole page and does not notice changes elsewhere. `origin` gives each node's number in the whole page, for its
path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask, distinct
from webvigil.document.containers import InMemory
from webvigil.document.markup import TEXT

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest


def part_of(digest: PageDigest, kept: Mask, attributes: Mask | None = None) -> tuple[InMemory, Ints, Longs]:
    """Returns the containers of the kept nodes, their depths and their origin. The document node always
    stays.

    `attributes` marks the rows of AM to keep; without it all attributes of the kept nodes stay.
    """
    kept = kept.copy()
    kept[0] = True
    origin = np.flatnonzero(kept)
    depths = _depths(digest, kept)[origin]
    of_kept = kept[digest.attribute_node]
    rows = np.flatnonzero(of_kept if attributes is None else of_kept & attributes)
    owners = (np.cumsum(kept) - 1)[digest.attribute_node[rows]].astype(np.int32)
    return _containers(digest, origin, depths, rows, owners), depths, origin


def with_texts(digest: PageDigest, change: Callable[[str], str]) -> InMemory:
    """Returns the containers with `change` applied to the text of every text node. Other leaves stay as they
    are."""
    written = digest.content[digest.is_text]
    known = {index: change(digest.texts[index]) for index in distinct(written).tolist()}
    changed = _intern([known[index] for index in written.tolist()])
    others = (digest.content >= 0) & ~digest.is_text
    kept, numbers = arrays.first_use(digest.content[others], len(digest.texts))
    table = (*changed[0], *[digest.texts[index] for index in kept.tolist()])
    content = np.full(len(digest), -1, dtype=np.int32)
    content[digest.is_text] = changed[1]
    content[others] = numbers + len(changed[0])
    return _replaced(digest, *_ordered_texts(content, table))


def with_own_texts(digest: PageDigest, changed: Mapping[int, str]) -> InMemory:
    """Returns the containers with other texts at these nodes."""
    index = {text: number for number, text in enumerate(digest.texts)}
    content = digest.content.copy()
    content[list(changed)] = [index.setdefault(text, len(index)) for text in changed.values()]
    return _replaced(digest, *_ordered_texts(content, tuple(index)))


def with_lines(digest: PageDigest, before: Longs, lines: list[str]) -> tuple[InMemory, Ints, Longs]:
    """Returns the containers with a new text node before each of these nodes, their depths and their origin.
    The numbers in `before` ascend and may repeat."""
    sources = np.insert(np.arange(len(digest)), before, before)
    added = np.zeros(len(sources), dtype=np.bool_)
    added[before + np.arange(len(before))] = True
    numbers = np.flatnonzero(~added).astype(np.int32)
    depths = digest.depths[sources]
    names = digest.tag_names if TEXT in digest.tag_names else (*digest.tag_names, TEXT)
    tags = digest.tags[sources]
    tags[added] = names.index(TEXT)
    table, indices = _intern(lines)
    content = digest.content[sources]
    content[added] = indices + len(digest.texts)
    tag_order, tags = arrays.first_use(tags, len(names), 2)
    content, texts = _ordered_texts(content, (*digest.texts, *table))
    shifted = replace(
        _replaced(digest, content, texts),
        structure=arrays.structure_of(depths),
        tag_names=_picked(names, tag_order),
        tags=tags,
        attribute_node=numbers[digest.attribute_node],
    )
    return shifted, depths, sources


def _depths(digest: PageDigest, kept: Mask) -> Ints:
    """Returns the number of kept ancestors of each node."""
    chosen = np.flatnonzero(kept)
    steps = np.zeros(len(digest) + 1, dtype=np.int32)
    steps[chosen] = 1
    np.subtract.at(steps, chosen + digest.sizes[chosen], 1)
    return (np.cumsum(steps[:-1]) - kept).astype(np.int32)


def _containers(digest: PageDigest, origin: Longs, depths: Ints, rows: Longs, owners: Ints) -> InMemory:
    tag_order, tags = arrays.first_use(digest.tags[origin], len(digest.tag_names), 2)
    name_order, names = arrays.first_use(digest.attribute_name[rows], len(digest.attribute_names))
    value_order, values = arrays.first_use(digest.attribute_value[rows], len(digest.attribute_values))
    content, texts = _ordered_texts(digest.content[origin], digest.texts)
    return InMemory(
        kind=digest.kind,
        url=digest.source_url,
        structure=arrays.structure_of(depths),
        tag_names=_picked(digest.tag_names, tag_order),
        tags=tags,
        attribute_names=_picked(digest.attribute_names, name_order),
        attribute_values=_picked(digest.attribute_values, value_order),
        attribute_node=owners,
        attribute_name=names,
        attribute_value=values,
        texts=texts,
        content=content,
    )


def _replaced(digest: PageDigest, content: Ints, texts: tuple[str, ...]) -> InMemory:
    return InMemory(
        kind=digest.kind,
        url=digest.source_url,
        structure=digest.structure,
        tag_names=digest.tag_names,
        tags=digest.tags,
        attribute_names=digest.attribute_names,
        attribute_values=digest.attribute_values,
        attribute_node=digest.attribute_node,
        attribute_name=digest.attribute_name,
        attribute_value=digest.attribute_value,
        texts=texts,
        content=content,
    )


def _ordered_texts(content: Ints, table: tuple[str, ...]) -> tuple[Ints, tuple[str, ...]]:
    written = content >= 0
    order, numbers = arrays.first_use(content[written], len(table))
    answer = np.full(len(content), -1, dtype=np.int32)
    answer[written] = numbers
    return answer, _picked(table, order)


def _picked(table: tuple[str, ...], order: Longs) -> tuple[str, ...]:
    return tuple([table[index] for index in order.tolist()])


def _intern(strings: list[str]) -> tuple[tuple[str, ...], Ints]:
    table = tuple(dict.fromkeys(strings))
    index = {text: number for number, text in enumerate(table)}
    return table, np.array([index[text] for text in strings], dtype=np.int32)
