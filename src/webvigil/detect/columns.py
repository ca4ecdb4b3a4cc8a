"""The columns of two versions of a table in, the pairs of columns that are the same out (C8).

Columns are paired by their headers, then by their content. The remaining columns, if there are equally many
on both sides, are paired in order, unless their headers show that they are different columns.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque

from webvigil.detect.lcs import in_common, likeness

Columns = list[tuple[str, ...]]

# Columns, and headers of a renamed column, must have this share in common.
_ALIKE = 0.5
# More columns than this are not compared by their texts, because each is compared with each. Of each column
# the first rows count.
_MOST = 60
_ROWS = 500


def match_columns(
    old_headers: list[str], new_headers: list[str], old_texts: Columns, new_texts: Columns
) -> list[tuple[int, int]]:
    """Returns the pairs of columns, by the old place. An empty header names nothing."""
    if old_headers == new_headers:
        return [(place, place) for place in range(len(old_headers))]
    pairs = _by_header(old_headers, new_headers)
    free, candidates = _free(len(old_headers), len(new_headers), pairs)
    pairs += _by_texts(free, candidates, old_texts, new_texts)
    free, candidates = _free(len(old_headers), len(new_headers), pairs)
    if len(free) == len(candidates):
        pairs += [
            (one, other)
            for one, other in zip(free, candidates, strict=True)
            if _may_be_renamed(old_headers[one], new_headers[other])
        ]
    return sorted(pairs)


def _may_be_renamed(old: str, new: str) -> bool:
    """Returns True if the headers are alike, or if one of them is empty."""
    return not old or not new or likeness(_folded(old), _folded(new)) >= _ALIKE


def _by_header(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Pairs columns with equal headers: the first of a name with the first of that name, the second with the
    second."""
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, name in enumerate(new):
        places[_folded(name)].append(place)
    pairs = []
    for place, name in enumerate(old):
        if _folded(name) and places[_folded(name)]:
            pairs.append((place, places[_folded(name)].popleft()))
    return pairs


def _by_texts(free: list[int], candidates: list[int], old: Columns, new: Columns) -> list[tuple[int, int]]:
    """Pairs columns by their texts, the most alike first; of equally alike ones the nearest."""
    if len(free) > _MOST or len(candidates) > _MOST:
        return []
    counted = {other: Counter(filter(None, new[other][:_ROWS])) for other in candidates}
    scores = []
    for one in free:
        own = Counter(filter(None, old[one][:_ROWS]))
        for other in candidates:
            alike = 2 * in_common(own, counted[other]) / max(own.total() + counted[other].total(), 1)
            if alike >= _ALIKE:
                scores.append((-alike, abs(one - other), one, other))
    pairs: dict[int, int] = {}
    for _, _, one, other in sorted(scores):
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
    return list(pairs.items())


def _free(old: int, new: int, pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    ours, theirs = {one for one, _ in pairs}, {other for _, other in pairs}
    return [one for one in range(old) if one not in ours], [
        other for other in range(new) if other not in theirs
    ]


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
