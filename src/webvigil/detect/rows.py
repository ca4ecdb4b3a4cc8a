"""The rows of two versions of a table (or list) in, the pairs of rows that are the same out (C8).

A row is recognised by its key: the column, or two columns, whose texts are all different and mostly the same
in both versions. Rows with the same key are one row. Rows without a key are the same if they are equal: in
order if possible, otherwise moved. Between rows that stayed, rows that are alike are the same, and rows of
which one continues the other. If a table
then has equally many rows left at one place, they are the same rows with other cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from rapidfuzz.distance import LCSseq

from webvigil.detect.alignment import PAIRS, paired, shared
from webvigil.detect.lcs import Run, common_runs, gaps, increasing
from webvigil.document.hashes import string_hashes
from webvigil.document.words import words_of

Rows = list[tuple[str, ...]]
Column = tuple[str, ...]
Columns = list[Column]
Pairs = list[tuple[int, int]]

# A column is a key if this share of its texts, on the shorter side, is on the other side, too.
_KNOWN = 0.5
# Bound the search for a key in wide and long tables: columns tried, and columns and rows tried in pairs.
_COLUMNS_TRIED, _PAIRED_COLUMNS, _PAIRED_ROWS = 12, 4, 20_000
# A row whose key was corrected (a typo) is the same row if the key is at least this much alike and this share
# of the other cells stayed.
_CORRECTED, _REST = 0.75, 0.5
_FAR = 1_000


def key_columns(old: Rows, new: Rows) -> tuple[int, ...]:
    """Returns the columns that identify rows, or () if none do."""
    if not old or not new or len(old[0]) < 2:
        return ()
    sides = [list(zip(*[row[:_COLUMNS_TRIED] for row in rows], strict=True)) for rows in (old, new)]
    singles = [(column,) for column in range(len(sides[0]))]
    telling = [(column,) for (column,) in singles if not all(_counts_rows(side[column]) for side in sides)]
    naming = [(column,) for (column,) in telling if all(_names_rows(side[column]) for side in sides)]
    best = _best_key(naming, *sides) or _best_key(telling, *sides)
    if best and len(old) + len(new) <= _PAIRED_ROWS and not _is_complete(best, *sides):
        before = [key for key in telling if key < best]
        pairs = combinations(range(min(best[0], _PAIRED_COLUMNS)), 2)
        best = next((key for key in [*before, *pairs] if _is_complete(key, *sides)), best)
    if not best and len(old) + len(new) <= _PAIRED_ROWS:
        best = _best_key(combinations(range(min(len(singles), _PAIRED_COLUMNS)), 2), *sides)
    return best or _best_key(singles, *sides)


def _is_complete(columns: tuple[int, ...], old: Columns, new: Columns) -> bool:
    """Returns True if every row of the shorter side is on the other side, too. Then the rows stayed and other
    columns changed: in a timetable the times are the key, although the subjects are names."""
    before, after = _keys(old, columns), _keys(new, columns)
    return (
        before is not None and after is not None and len(before & after) == min(len(before), len(after)) > 1
    )


def _names_rows(column: Column) -> bool:
    """Returns True if the texts are mostly words: a name identifies a row better than a number that happens
    to be unique."""
    named = [text for text in column if any(map(str.isalpha, text))]
    return len(named) * 2 > len(column)


def _counts_rows(column: Column) -> bool:
    """Returns True if the texts only number the rows, up or down (1, 2, 3 …), which says nothing about a
    row."""
    digits = [text.strip(" .#)") for text in column]
    if not all(text.isascii() and text.isdigit() and len(text) < 10 for text in digits):
        return False
    numbers = [int(text) for text in digits]
    return numbers in (
        list(range(numbers[0], numbers[0] + len(numbers))),
        list(range(numbers[0], numbers[0] - len(numbers), -1)),
    )


def _best_key(choices: Iterable[tuple[int, ...]], old: Columns, new: Columns) -> tuple[int, ...]:
    """Returns the columns whose texts are most often on both sides; of equal ones the leftmost."""
    best: tuple[int, ...] = ()
    most = 0
    for columns in choices:
        before, after = _keys(old, columns), _keys(new, columns)
        if before is None or after is None:
            continue
        known = len(before & after)
        if known > most and known >= _KNOWN * min(len(before), len(after)):
            best, most = columns, known
    return best


def _keys(sides: Columns, columns: tuple[int, ...]) -> set[tuple[str, ...]] | None:
    """Returns the keys of the rows if all are different and most rows have one, else None. An empty row has
    no key."""
    keys = list(zip(*[sides[column] for column in columns], strict=True))
    empty = ("",) * len(columns)
    found = [key for key in keys if key != empty]
    different = set(found)
    return different if len(different) == len(found) and len(found) * 2 > len(keys) else None


def match_rows(old: Rows, new: Rows, keys: tuple[int, ...]) -> Pairs:
    """Returns the pairs of rows, by the old place."""
    pairs = _by_key(old, new, keys) if keys else []
    pairs += _equal_in_order(old, new, pairs)
    pairs += _equal_anywhere(old, new, pairs)
    pairs += _alike(old, new, pairs, keys)
    if not keys and old and new and len(old[0]) > 1:
        pairs += _in_step(old, new, pairs)
    return sorted(pairs)


def in_order(pairs: Pairs) -> list[int]:
    """Returns the places in `pairs` (sorted by the old row) of the pairs that kept their order: as many as
    possible, and of equally many choices the one whose rows stayed nearest to where they were."""
    near = [_FAR // (1 + abs(one - other)) for one, other in pairs]
    most = _FAR * (len(pairs) + 1)
    return increasing([other for _, other in pairs], [most + one for one in near])


def _by_key(old: Rows, new: Rows, keys: tuple[int, ...]) -> Pairs:
    """Pairs rows with the same key."""
    ours, theirs = (
        zip(*[[row[column] for row in rows] for column in keys], strict=True) for rows in (old, new)
    )
    there = {key: place for place, key in enumerate(theirs)}
    return [(place, there[key]) for place, key in enumerate(ours) if key in there and any(key)]


def _equal_in_order(old: Rows, new: Rows, pairs: Pairs) -> Pairs:
    """Pairs equal rows that are in the same order on both sides."""
    free, candidates = _free(old, new, pairs)
    runs = common_runs([old[one] for one in free], [new[other] for other in candidates])
    return [(free[run.old + step], candidates[run.new + step]) for run in runs for step in range(run.length)]


def _alike(old: Rows, new: Rows, pairs: Pairs, keys: tuple[int, ...]) -> Pairs:
    """Pairs rows between the same neighbours that are alike."""
    found: Pairs = []
    for free, candidates in _between(old, new, pairs):
        before, after = [" ".join(old[one]) for one in free], [" ".join(new[other]) for other in candidates]
        if len(free) == len(candidates) == 1 and not keys and _mostly_in(before[0], after[0]):
            found.append((free[0], candidates[0]))
            continue
        if keys:
            before, after = [one.casefold() for one in before], [one.casefold() for one in after]
        for one, other in paired(before, after):
            if one is None or other is None:
                continue
            place, there = free[one], candidates[other]
            if not keys or _corrected(old[place], new[there], keys):
                found.append((place, there))
    if not keys:
        found += _extended(old, new, pairs + found)
    return found


def _extended(old: Rows, new: Rows, pairs: Pairs) -> Pairs:
    """Pairs rows between the same neighbours if one begins with the other, or ends with it, and neither is
    the beginning or the end of another one there: "pears" became "pears green", whatever came beside it."""
    found: Pairs = []
    for free, candidates in _between(old, new, pairs):
        if len(free) * len(candidates) > PAIRS:
            continue
        words = {one: _folded_words(old[one]) for one in free}
        new_words = {other: _folded_words(new[other]) for other in candidates}
        fitting = [
            (one, other)
            for one, other in product(free, candidates)
            if _is_around(words[one], new_words[other])
        ]
        ours, theirs = Counter(one for one, _ in fitting), Counter(other for _, other in fitting)
        found += [(one, other) for one, other in fitting if ours[one] == theirs[other] == 1]
    return found


def _folded_words(row: tuple[str, ...]) -> list[str]:
    return words_of(" ".join(row).casefold())


def _is_around(old: list[str], new: list[str]) -> bool:
    """Returns True if the longer text begins or ends with the words of the shorter one."""
    short, long = sorted((old, new), key=len)
    return bool(short) and (
        (short[0] == long[0] and short == long[: len(short)])
        or (short[-1] == long[-1] and short == long[-len(short) :])
    )


def _mostly_in(old: str, new: str) -> bool:
    """Returns True if one text has most of the words of the other, which is enough for the only row at a
    place."""
    before, after = words_of(old.casefold()), words_of(new.casefold())
    return 2 * shared(string_hashes(before), string_hashes(after)) > min(len(before), len(after))


def _in_step(old: Rows, new: Rows, pairs: Pairs) -> Pairs:
    """Pairs rows between the same neighbours if there are equally many on both sides: their cells changed."""
    return [
        pair
        for free, candidates in _between(old, new, pairs)
        if len(free) == len(candidates)
        for pair in zip(free, candidates, strict=True)
    ]


def _corrected(old: tuple[str, ...], new: tuple[str, ...], keys: tuple[int, ...]) -> bool:
    """Returns True if the key is nearly the same and enough of the other cells stayed."""
    before, after = (" ".join(row[column] for column in keys).casefold() for row in (old, new))
    rest = [old[column] == new[column] for column in range(len(old)) if column not in keys]
    return LCSseq.normalized_similarity(before[:500], after[:500]) >= _CORRECTED and sum(rest) >= _REST * len(
        rest
    )


def _between(old: Rows, new: Rows, pairs: Pairs) -> Iterator[tuple[list[int], list[int]]]:
    """Yields the free rows between neighbouring pairs that kept their order."""
    ordered = sorted(pairs)
    kept = [ordered[index] for index in in_order(ordered)]
    ours, theirs = {one for one, _ in pairs}, {other for _, other in pairs}
    runs = [Run(one, other, 1) for one, other in kept]
    for gap in gaps(runs, len(old), len(new)):
        free = [one for one in range(gap.old_start, gap.old_end) if one not in ours]
        candidates = [other for other in range(gap.new_start, gap.new_end) if other not in theirs]
        if free and candidates:
            yield free, candidates


def _equal_anywhere(old: Rows, new: Rows, pairs: Pairs) -> Pairs:
    """Pairs equal rows wherever they are."""
    free, candidates = _free(old, new, pairs)
    there: dict[tuple[str, ...], list[int]] = {}
    for other in reversed(candidates):
        there.setdefault(new[other], []).append(other)
    return [(one, there[old[one]].pop()) for one in free if any(old[one]) and there.get(old[one])]


def _free(old: Rows, new: Rows, pairs: Pairs) -> tuple[list[int], list[int]]:
    """Returns the rows of both sides that have no partner yet."""
    ours, theirs = {one for one, _ in pairs}, {other for _, other in pairs}
    return [one for one in range(len(old)) if one not in ours], [
        other for other in range(len(new)) if other not in theirs
    ]
