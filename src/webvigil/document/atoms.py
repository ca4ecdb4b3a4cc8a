r"""Expressions that are a row of characters and classes, each so and so often: `\d+`, `\w+ \w+`, `EUR [0-9]`.

Most of what people write is no more than that. On texts of ASCII such a row is walked along by a compiled
function without an object per match: a page may be full of matches. Each atom takes as much as it can, and
gives back one at a time, as in any engine; a walk that grows longer than the text deserves is given up, and
left to the others.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from webvigil.document.arrays import Longs
from webvigil.document.fast import accelerated

_MOST_ATOMS = 64
# Steps per character, and a few for a short text.
_STEPS, _FEW = 32, 1_000

_OWN = r"""[A-Za-z0-9_,:;=@/<>"'%# !-]"""
_MEMBER = r"""(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_,:;=@/<>"'%# !.$+*?()]|\\[wdsWDS]|\\[.$+*?()|/\\-])"""
_ATOM = re.compile(
    rf"""(?P<one>{_OWN}|\.|\\[wdsWDS]|\\[.$+*?()|/\\\[\]{{}}^-]|\[\^?{_MEMBER}+\])"""
    r"""(?P<times>[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?(?![*+?{])"""
)
_OPEN, _SHUT = re.compile(r"\((?:\?:)?"), re.compile(r"\)(?![*+?{])")
# Is this white space? Engines differ.
_DOUBTFUL = re.compile("[\x0b\x1c-\x1f]")


class Row(NamedTuple):
    """Per atom the characters of ASCII it takes (128 flags each), how many at least and at most (-1: any)."""

    allowed: bytes
    least: Longs
    most: Longs
    asks_for_space: bool


def row_of(expression: str) -> Row | None:
    """The row that an expression is, None if it is anything else."""
    atoms: list[tuple[str, str]] = []
    place = depth = 0
    while place < len(expression):
        if found := _OPEN.match(expression, place):
            depth += 1
        elif found := _SHUT.match(expression, place):
            depth -= 1
        elif found := _ATOM.match(expression, place):
            atoms.append((found["one"], found["times"] or "{1}"))
        if found is None or depth < 0:
            return None
        place = found.end()
    if depth or not 0 < len(atoms) <= _MOST_ATOMS:
        return None
    try:
        return _row(atoms)
    except re.error:  # a range from z to a
        return None


def _row(atoms: list[tuple[str, str]]) -> Row | None:
    times = np.array([_times(many) for _, many in atoms], dtype=np.int64)
    least, most = np.ascontiguousarray(times[:, 0]), np.ascontiguousarray(times[:, 1])
    if ((most >= 0) & (most < least)).any():
        return None
    allowed = b"".join([_allowed(one) for one, _ in atoms])
    return Row(allowed, least, most, any("\\s" in one or "\\S" in one for one, _ in atoms))


def _times(many: str) -> tuple[int, int]:
    if many in "*+?":
        return {"*": (0, -1), "+": (1, -1), "?": (0, 1)}[many]
    least, comma, most = many[1:-1].partition(",")
    return int(least), int(most) if most else -1 if comma else int(least)


@lru_cache(maxsize=1024)
def _allowed(one: str) -> bytes:
    taken = re.compile(one, re.ASCII)
    return bytes([taken.fullmatch(chr(code)) is not None for code in range(128)])


def matches(row: Row, text: str) -> tuple[Longs, Longs] | None:
    """Where matches that are not empty start and end in a text of ASCII; None where others know better."""
    if row.asks_for_space and _DOUBTFUL.search(text):
        return None
    return row_matches(text, row.allowed, row.least, row.most)


@accelerated
def row_matches(text: str, allowed: bytes, least: Longs, most: Longs) -> tuple[Longs, Longs] | None:
    """Such a walk. None for a text beyond ASCII, and where it takes too many steps."""
    if not text.isascii():
        return None
    low, high = least.tolist(), [len(text) if many < 0 else many for many in most.tolist()]
    takes = [allowed[128 * atom : 128 * atom + 128] for atom in range(len(low))]
    codes = text.encode()
    # What an atom took it need not give back if the next wants something, and nothing of that.
    holds = [
        wanted > 0 and not any(map(int.__and__, one, other))
        for one, other, wanted in zip(takes, takes[1:], low[1:], strict=False)
    ] + [False]
    begins, stops = [0] * len(low), [0] * len(low)
    starts: list[int] = []
    ends: list[int] = []
    left, place = _STEPS * len(text) + _FEW, 0
    while place < len(codes):
        at, atom, reach = place, 0, -1
        while 0 <= atom < len(low):
            begins[atom] = at
            stop = min(len(codes), at + high[atom])
            while at < stop and takes[atom][codes[at]]:
                at += 1
            left -= at - begins[atom] + 1
            if left < 0:
                return None
            reach = at if reach < 0 else reach
            if at - begins[atom] >= low[atom]:
                stops[atom] = at
                atom += 1
                continue
            atom -= 1
            while atom >= 0 and (holds[atom] or stops[atom] - begins[atom] <= low[atom]):
                atom -= 1
            if atom >= 0:
                stops[atom] -= 1
                at = stops[atom]
                atom += 1
        if atom > 0 and at > place:
            starts.append(place)
            ends.append(at)
            place = at
        # Where all that the first atom can take leads nowhere, less of it does not either.
        elif atom < 0 and most[0] < 0:
            place = max(place + 1, reach)
        else:
            place += 1
    return np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
