"""A JSONPath (RFC 9535) and the digest of a JSON page in, the nodes that the path finds out (C14).

    $.items[0].price    $['a key'].b    $.items[*].price    $..price    $.items[1:3]
    $.items[?@.price < 10 && @.stock].name    $..[?match(@.sku, "A.*")]

The `$` may be left out: `items[0].price`. A step is one pass over the arrays of the digest, so the cost of a
path without filters does not depend on what it finds. `json_filter` decides what a filter keeps. The library
jsonpath reads paths; plain ones, which we write ourselves for every object of a change, are read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from webvigil.document.arrays import Longs, Mask, below, distinct
from webvigil.document.digest import PageDigest
from webvigil.document.json_tree import Budget, JsonTree, TooLong, tree_of
from webvigil.errors import PatternRefused

if TYPE_CHECKING:
    from jsonpath import JSONPath

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

Pairs = tuple[Longs, Longs]
"""Nodes, each with the node that it was found for: owners and nodes."""


@dataclass(frozen=True, slots=True)
class Selector:
    """A key, a run of places, or a filter; everything if all are None."""

    key: str | None = None
    places: slice | None = None
    kept: Any = None
    """The expression of a filter, as the library reads it."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one of the selectors finds at the next level; at all levels below if `deep`."""

    selectors: tuple[Selector, ...]
    deep: bool = False


def select(digest: PageDigest, path: str) -> list[int]:
    """Returns the nodes that a path finds, in document order. Raises PatternRefused if the path cannot be
    read, TooLong if it takes too long on this page."""
    nodes: list[int] = np.flatnonzero(chosen(digest, path)).tolist()
    return nodes


def node_at(digest: PageDigest, path: str) -> int:
    """Returns the first node that a path finds, -1 if it finds none. A path of keys and places, as each
    object of a change has one, looks only at what stands beside its way. Raises the errors of `select`."""
    tree, steps = tree_of(digest), parsed(path)
    nodes = np.arange(1, min(2, len(digest)))
    for step in steps:
        (selector, *others) = step.selectors
        if step.deep or others or (selector.key is None and not _is_place(selector)):
            return next(iter(select(digest, path)), -1)
        if selector.key is not None:
            nodes = tree.members(nodes, selector.key)
        else:
            assert selector.places is not None, "what has no key has a place"
            nodes = tree.items(nodes, selector.places.start)
    return int(nodes.min()) if len(nodes) else -1


def _is_place(selector: Selector) -> bool:
    """Tells whether a selector is one place, counted from the beginning."""
    places = selector.places
    return places is not None and places == _single(places.start or 0) and (places.start or 0) >= 0


def found_on(digest: PageDigest, path: str) -> Mask:
    """Returns a mask of the nodes that a path finds on any page: nothing on a page that is no JSON, and where
    the path takes too long. So no page and no path of one user keeps a page from being compared for
    others."""
    parsed(path)
    with suppress(TooLong):
        if digest.kind == "json":
            return chosen(digest, path)
    return np.zeros(len(digest), dtype=np.bool_)


def chosen(digest: PageDigest, path: str) -> Mask:
    """Returns a mask of the nodes that a path finds. Raises the errors of `select`."""
    steps = parsed(path)
    tree = tree_of(digest)
    budget = Budget(path)
    found = np.zeros(len(digest), dtype=np.bool_)
    found[1:2] = True
    for step in steps:
        if step.deep:
            found = below(found, digest.sizes)
        inside = np.zeros(len(digest), dtype=np.bool_)
        inside[1:] = found[digest.parents[1:]]
        nodes = np.flatnonzero(inside & tree.is_value)
        found = np.zeros(len(digest), dtype=np.bool_)
        found[nodes[_kept(tree, nodes, step, budget)]] = True
    return found


def followed(tree: JsonTree, owners: Longs, nodes: Longs, steps: tuple[Step, ...], budget: Budget) -> Pairs:
    """Returns what the steps find from each of the nodes, with its owner."""
    for step in steps:
        if step.deep:
            owners, nodes = tree.below(owners, nodes, budget)
        owners, nodes = tree.children(owners, nodes, budget)
        keep = _kept(tree, nodes, step, budget)
        owners, nodes = owners[keep], nodes[keep]
        if step.deep:
            owners, nodes = _each_once(owners, nodes, tree.size)
    return owners, nodes


def _each_once(owners: Longs, nodes: Longs, size: int) -> Pairs:
    both = distinct(owners * size + nodes)
    return both // size, both % size


def _kept(tree: JsonTree, nodes: Longs, step: Step, budget: Budget) -> Mask:
    """Returns which of the nodes one of the selectors finds."""
    answer = np.zeros(len(nodes), dtype=np.bool_)
    for one in step.selectors:
        answer |= _selected(tree, nodes, one, budget)
    return answer


def _selected(tree: JsonTree, nodes: Longs, selector: Selector, budget: Budget) -> Mask:
    if selector.key is not None:
        return tree.has_key(nodes, selector.key)
    if selector.places is not None:
        return tree.is_at(nodes, selector.places)
    if selector.kept is None:
        return np.ones(len(nodes), dtype=np.bool_)
    from webvigil.document.json_filter import holds

    several, places = np.unique(nodes, return_inverse=True)
    return holds(tree, several, selector.kept, budget)[places]


# --- paths ----------------------------------------------------------------------------------------


@lru_cache(2048)
def parsed(path: str) -> tuple[Step, ...]:
    """Returns the steps of a path. Raises PatternRefused if the path cannot be read."""
    text = path.strip()
    if len(text) > _LONGEST:
        raise PatternRefused(f"the JSON path is too long: at most {_LONGEST} characters")
    if not text.startswith("$"):
        text = f"${text}" if text[:1] in (".", "[") else f"$.{text}"
    steps = _plain(text, path) or _by_library(text, path)
    if len(steps) > _MOST_STEPS:
        raise PatternRefused(f"the JSON path has too many steps: at most {_MOST_STEPS}")
    return steps


def _plain(text: str, path: str) -> tuple[Step, ...] | None:
    """Returns the steps of a path of keys and places; None for any other path."""
    steps, place = [], 1
    while place < len(text):
        match = _STEP.match(text, place)
        if not match:
            return None
        steps.append(_step(match, path))
        place = match.end()
    return tuple(steps)


def _step(match: re.Match[str], path: str) -> Step:
    deep = match["deep"] is not None
    if match["any"] or match["name"] == "*":
        return Step((Selector(),), deep)
    if match["name"] or match["quoted"]:
        return Step((Selector(key=match["name"] or _unquoted(match["quoted"])),), deep)
    start = int(match["start"]) if match["start"] else None
    if match["colon"]:
        return Step((Selector(places=slice(start, int(match["stop"]) if match["stop"] else None)),), deep)
    if start is None or match["stop"]:
        raise PatternRefused(f"the JSON path {path!r} has brackets without a number or a key")
    return Step((Selector(places=_single(start)),), deep)


def _single(place: int) -> slice:
    return slice(place, place + 1 if place != -1 else None)


def _unquoted(quoted: str) -> str:
    """Returns the key in quotes. Single quotes are turned into double ones, so that JSON's escapes apply."""
    if quoted[0] == "'":
        quoted = '"' + quoted[1:-1].replace('"', '\\"').replace("\\'", "'") + '"'
    try:
        return str(json.loads(quoted))
    except ValueError as error:
        raise PatternRefused(f"the key {quoted} in the JSON path cannot be read") from error


@lru_cache(1)
def _library() -> Callable[[str], Any]:
    from jsonpath import JSONPathEnvironment

    return JSONPathEnvironment(strict=True).compile


def _by_library(text: str, path: str) -> tuple[Step, ...]:
    from jsonpath import JSONPathError

    from webvigil.document.json_filter import check

    try:
        steps = steps_of(_library()(text))
    except (JSONPathError, RecursionError, ValueError) as error:
        deep = isinstance(error, RecursionError)
        # Some errors of the library hold the place of the mistake behind what is wrong.
        wrong = str(error.args[0] if error.args else error)
        said = "it is nested too deeply" if deep else wrong.partition("\n")[0][:100]
        raise PatternRefused(f"the JSON path {path!r} cannot be read: {said}") from error
    check(steps)
    return steps


def steps_of(query: JSONPath) -> tuple[Step, ...]:
    """Returns the steps of a path that the library has read."""
    from jsonpath.segments import JSONPathRecursiveDescentSegment

    return tuple(
        Step(
            tuple(_selector(one) for one in segment.selectors),
            isinstance(segment, JSONPathRecursiveDescentSegment),
        )
        for segment in query.segments
    )


def _selector(one: Any) -> Selector:
    from jsonpath import selectors

    match one:
        case selectors.NameSelector():
            return Selector(key=one.name)
        case selectors.IndexSelector():
            return Selector(places=_single(one.index))
        case selectors.SliceSelector():
            return Selector(places=one.slice)
        case selectors.WildcardSelector():
            return Selector()
        case selectors.Filter():
            return Selector(kept=one.expression.expression)
    raise ValueError(f"{one} is not known")
