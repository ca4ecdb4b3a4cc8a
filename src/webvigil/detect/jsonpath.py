"""A JSONPath and the digest of a JSON page in, the nodes that the path finds out (C14).

    $.items[0].price    $['a key'].b    $.items[*].price    $..price    $.items[-1]    $.items[1:3]

The `$` may be left out: `items[0].price`. Each step is one pass over the arrays of the digest, so the cost of
a path does not depend on what it finds.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.arrays import Mask, below
from webvigil.errors import PatternRefused

# Bound the time of one path, which any user may write.
_LONGEST, _MOST_STEPS = 1_000, 50
_STEP = re.compile(
    r"""
    (?P<deep>\.\.)? (?:
      (?:(?<=\.\.)|\.) (?P<name>[^\W\d][\w-]*|\*)
    | \[ \s* (?:
        (?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<any>\*)
      | (?P<start>-?\d{1,9})? \s* (?P<colon>:)? \s* (?P<stop>-?\d{1,9})?
      ) \s* \]
    )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Step:
    """One step: a key, a run of places, or everything if both are None. If `deep`, it looks at all levels
    below, else at the next level."""

    key: str | None = None
    places: tuple[int | None, int | None] | None = None
    deep: bool = False


def select(digest: PageDigest, path: str) -> list[int]:
    """Returns the nodes that a path finds, in document order. Raises PatternRefused if the path cannot be
    read."""
    steps = parsed(path)
    found = np.zeros(len(digest), dtype=np.bool_)
    found[1:2] = True
    for step in steps:
        found = _taken(digest, found, step)
    nodes: list[int] = np.flatnonzero(found).tolist()
    return nodes


def parsed(path: str) -> list[_Step]:
    """Returns the steps of a path. Raises PatternRefused if the path cannot be read."""
    text = path.strip()
    if len(text) > _LONGEST:
        raise PatternRefused(f"the JSON path is too long: at most {_LONGEST} characters")
    if not text.startswith("$"):
        text = f"${text}" if text[:1] in (".", "[") else f"$.{text}"
    steps, place = [], 1
    while place < len(text):
        match = _STEP.match(text, place)
        if not match:
            raise PatternRefused(f"the JSON path {path!r} cannot be read at {text[place : place + 20]!r}")
        steps.append(_step(match, path))
        place = match.end()
    if len(steps) > _MOST_STEPS:
        raise PatternRefused(f"the JSON path has too many steps: at most {_MOST_STEPS}")
    return steps


def _step(match: re.Match[str], path: str) -> _Step:
    deep = match["deep"] is not None
    if match["any"] or match["name"] == "*":
        return _Step(deep=deep)
    if match["name"] or match["quoted"]:
        return _Step(key=match["name"] or _unquoted(match["quoted"]), deep=deep)
    start = int(match["start"]) if match["start"] else None
    if match["colon"]:
        return _Step(places=(start, int(match["stop"]) if match["stop"] else None), deep=deep)
    if start is None or match["stop"]:
        raise PatternRefused(f"the JSON path {path!r} has brackets without a number or a key")
    return _Step(places=(start, start + 1 if start != -1 else None), deep=deep)


def _unquoted(quoted: str) -> str:
    """Returns the key in quotes. Single quotes are turned into double ones, so that JSON's escapes apply."""
    if quoted[0] == "'":
        quoted = '"' + quoted[1:-1].replace('"', '\\"').replace("\\'", "'") + '"'
    try:
        return str(json.loads(quoted))
    except ValueError as error:
        raise PatternRefused(f"the key {quoted} in the JSON path cannot be read") from error


def _taken(digest: PageDigest, found: Mask, step: _Step) -> Mask:
    """Returns the members and items that a step leads to."""
    if step.deep:
        found = below(found, digest.sizes)
    inside = np.zeros(len(digest), dtype=np.bool_)
    inside[1:] = found[digest.parents[1:]]
    inside &= digest.content < 0
    if step.key is not None:
        return inside & _has_key(digest, step.key)
    if step.places is not None:
        return inside & _is_at(digest, step.places)
    return inside


def _has_key(digest: PageDigest, key: str) -> Mask:
    named = np.zeros(len(digest), dtype=np.bool_)
    rows = digest.rows_of("key")
    values = [index for index, value in enumerate(digest.attribute_values) if value == key]
    named[digest.attribute_node[rows[np.isin(digest.attribute_value[rows], values)]]] = True
    return named


def _is_at(digest: PageDigest, places: tuple[int | None, int | None]) -> Mask:
    """Returns the items of arrays in a run of places. Negative places count from the end."""
    parents = np.maximum(digest.parents, 0)
    lengths = digest.structure[parents]
    start, stop = (_from_the_start(place, lengths) for place in places)
    first = start if places[0] is not None else np.zeros_like(lengths)
    last = stop if places[1] is not None else lengths
    in_array = digest.is_tag(("array",))[parents]
    return np.asarray(in_array & (digest.ranks >= first) & (digest.ranks < last), dtype=np.bool_)


def _from_the_start(place: int | None, lengths: np.typing.NDArray[np.int32]) -> np.typing.NDArray[np.int32]:
    number = place or 0
    return np.where(number < 0, lengths + number, number).astype(np.int32)
