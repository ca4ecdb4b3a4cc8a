"""The rows of two versions of a table (or list) in, the pairs of rows that are the same out (C8).

A row is recognised by its key: the column, or two columns, whose texts are all different and mostly the same
in both versions. Rows with the same key are one row. Rows without a key are the same if they are equal: in
order if possible, otherwise moved. Between rows that stayed, rows that are alike are the same, and rows of
which one continues the other. If a table
then has equally many rows left at one place, they are the same rows with other cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product
from operator import itemgetter

from webvigil.detect.alignment import PAIRS, Gap, paired, shared, trimmed
from webvigil.detect.lcs import Run, common_runs, gaps, increasing, likeness
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
# The letters of most texts. Others are looked for sign by sign, which takes four times as long.
_LETTER = re.compile("[A-Za-z]")


def key_columns(old: Columns, new: Columns) -> tuple[int, ...]:
    """Returns which of the columns that two tables have in common identify rows, or () if none do."""
    if len(old) < 2 or not old[0] or not new[0]:
        return ()
    rows = len(old[0]) + len(new[0])
    sides = old[:_COLUMNS_TRIED], new[:_COLUMNS_TRIED]
    singles = [(column,) for column in range(len(sides[0]))]
    telling = [(column,) for (column,) in singles if not all(_counts_rows(side[column]) for side in sides)]
    naming = [(column,) for (column,) in telling if all(_names_rows(side[column]) for side in sides)]
    keys = _Keys(*sides)
    best = keys.best(naming) or keys.best(telling)
    if best and rows <= _PAIRED_ROWS and not keys.is_complete(best):
        before = [key for key in telling if key < best]
        pairs = combinations(range(min(best[0], _PAIRED_COLUMNS)), 2)
        best = next((key for key in [*before, *pairs] if keys.is_complete(key)), best)
    if not best and rows <= _PAIRED_ROWS:
        best = keys.best(combinations(range(min(len(singles), _PAIRED_COLUMNS)), 2))
    return best or keys.best(singles)


class _Keys:
    """The columns of both sides, and which keys both sides have."""

    def __init__(self, old: Columns, new: Columns) -> None:
        self._old = old
        self._new = new
        self._known: dict[tuple[int, ...], tuple[int, int]] = {}

    def best(self, choices: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
        """Returns the columns whose texts are most often on both sides; of equal ones the leftmost."""
        best: tuple[int, ...] = ()
        most = 0
        for columns in choices:
            known, fewest = self._shared(columns)
            if known > most and known >= _KNOWN * fewest:
                best, most = columns, known
        return best

    def is_complete(self, columns: tuple[int, ...]) -> bool:
        """Returns True if every row of the shorter side is on the other side, too. Then the rows stayed and
        other columns changed: in a timetable the times are the key, although the subjects are names."""
        known, fewest = self._shared(columns)
        return known == fewest > 1

    def _shared(self, columns: tuple[int, ...]) -> tuple[int, int]:
        """Returns how many keys both sides have, and how many the shorter side has; (0, 0) if these columns
        are no key."""
        if columns not in self._known:
            before, after = _keys(self._old, columns), _keys(self._new, columns)
            self._known[columns] = (
                (len(before & after), min(len(before), len(after))) if before and after else (0, 0)
            )
        return self._known[columns]


def _names_rows(column: Column) -> bool:
    """Returns True if the texts are mostly words: a name identifies a row better than a number that happens
    to be unique."""
    half = len(column) // 2
    # Mostly the texts up to the middle tell: with a letter in each, or in none.
    lacking = [*map(_LETTER.search, column[: half + 1])].count(None)
    if not lacking and column:
        return True
    if lacking >= len(column) - half and "".join(column).isascii():
        return False
    named = (text for text in column if any(map(str.isalpha, text)))
    return next(islice(named, half, None), None) is not None


def _counts_rows(column: Column) -> bool:
    """Returns True if the texts only number the rows, up or down (1, 2, 3 …), which says nothing about a
    row."""
    numbers: list[int] = []
    for text in column:
        digits = text.strip(" .#)")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            return False
        numbers.append(int(digits))
    return numbers in (
        list(range(numbers[0], numbers[0] + len(numbers))),
        list(range(numbers[0], numbers[0] - len(numbers), -1)),
    )


def _keys(sides: Columns, columns: tuple[int, ...]) -> set[tuple[str, ...]] | None:
    """Returns the keys of the rows if all are different and most rows have one, else None. An empty row has
    no key."""
    keys = list(zip(*[sides[column] for column in columns], strict=True))
    empty = ("",) * len(columns)
    filled = len(keys) - keys.count(empty)
    different = set(keys) - {empty}
    return different if len(different) == filled and filled * 2 > len(keys) else None


def match_rows(old: Rows, new: Rows, keys: tuple[int, ...]) -> Pairs:
    """Returns the pairs of rows, by the old place. No two rows of a side have the same key."""
    start, rest = _equal_ends(old, new, keys) if keys else (0, 0)
    end, new_end = len(old) - rest, len(new) - rest
    inner = _matched(old[start:end], new[start:new_end], keys)
    return [
        *((place, place) for place in range(start)),
        *((one + start, other + start) for one, other in inner),
        *zip(range(end, len(old)), range(new_end, len(new)), strict=True),
    ]


def _equal_ends(old: Rows, new: Rows, keys: tuple[int, ...]) -> tuple[int, int]:
    """Returns how many equal rows both sides begin and end with; (0, 0) if one of these rows has no key.
    Equal rows with a key are the same row, and no row between the ends is one of them."""
    core = trimmed(old, new, Gap(0, len(old), 0, len(new)))
    ends = [*old[: core.old_start], *old[core.old_end :]]
    if _no_key(keys) in map(itemgetter(*keys), ends):
        return 0, 0
    return core.old_start, len(old) - core.old_end


def _no_key(keys: tuple[int, ...]) -> object:
    """Returns what `itemgetter` finds in a row without a key: one text, or several in a tuple."""
    return "" if len(keys) == 1 else ("",) * len(keys)


def _matched(old: Rows, new: Rows, keys: tuple[int, ...]) -> Pairs:
    pairs = _by_key(old, new, keys) if keys else []
    if len(pairs) == min(len(old), len(new)):
        return pairs  # no row of one side is left
    pairs += _equal_in_order(old, new, pairs)
    pairs += _equal_anywhere(old, new, pairs)
    pairs += _alike(old, new, pairs, keys)
    if not keys and old and new and len(old[0]) > 1:
        pairs += _in_step(old, new, pairs)
    return sorted(pairs)


def in_order(pairs: Pairs) -> list[int]:
    """Returns the places in `pairs` (sorted by the old row) of the pairs that kept their order: as many as
    possible, and of equally many choices the one whose rows stayed nearest to where they were."""
    theirs = [other for _, other in pairs]
    if theirs == sorted(theirs):
        return list(range(len(pairs)))
    near = [_FAR // (1 + abs(one - other)) for one, other in pairs]
    most = _FAR * (len(pairs) + 1)
    return increasing(theirs, [most + one for one in near])


def _by_key(old: Rows, new: Rows, keys: tuple[int, ...]) -> Pairs:
    """Pairs rows with the same key."""
    key_of = itemgetter(*keys)
    ours, theirs = map(key_of, old), map(key_of, new)
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
    return likeness(before[:500], after[:500]) >= _CORRECTED and sum(rest) >= _REST * len(rest)


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
