"""A node in, its path out: an XPath that finds it, such as `/html/body/ul[1]/li[3]/a`.

A number stands only where the parent has several children of that name. Neighbouring text and CDATA nodes are
one text for XPath, so they share a number. A path in JSON is written `$.items[2].price`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs
from webvigil.document.fast import accelerated, native
from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, TEXT

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_STEPS = {TEXT: "text()", CDATA: "text()", COMMENT: "comment()", DOCTYPE: "doctype()"}
# The depth up to which the paths of all ancestors are cached. HTML is never deeper (browsers stop at 512).
# The paths of the ancestors of deeper nodes would together fill the memory.
_DEEPEST_KNOWN = 600
_PLAIN_KEY = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """For each node its number among the siblings of the same name (from 1), and how many of those there
    are."""

    names: tuple[str, ...]
    number: Ints
    total: Ints
    # Paths that were computed already. The next wanted path is mostly one step longer than one of them.
    known: dict[int, str] = field(default_factory=lambda: {0: ""})


def places(digest: PageDigest) -> Places:
    tags = digest.tag_names
    # Versions of a page, and often all pages of a site, have the same names, so the steps are cached.
    names, steps, kinds = (_known_steps if len(tags) <= _FEW_NAMES else _steps)(tags)
    return Places(names, *numbered(digest.parents, steps.take(digest.tags), kinds, _begins_text(digest)))


def _steps(tags: tuple[str, ...]) -> tuple[tuple[str, ...], Ints, int]:
    """Returns for each tag its name in a path, a number for that name, and how many different names there
    are."""
    names = tuple([_step(tag) for tag in tags])
    index = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return names, np.array([index[name] for name in names], dtype=np.int32), len(index)


# Pages of a site share their few names, so the answer is remembered; more names are not worth the memory.
_FEW_NAMES = 200
_known_steps = lru_cache(maxsize=256)(_steps)


@accelerated
def numbered(parents: Ints, names: Ints, kinds: int, counted: Ints) -> tuple[Ints, Ints]:
    """Returns for each node its number among the siblings of the same name, from 1, and how many of those
    there are.

    `names` gives each node's name as a number below `kinds`. `counted` is 0 for a node that shares the number
    of the node before it, otherwise 1. All nodes are sorted at once into groups with the same parent and
    name."""
    order, borders = _families(parents, names)
    counted = counted[order]
    running = np.cumsum(counted)
    before = running[borders] - counted[borders]
    sizes = np.diff(borders, append=len(order))
    number = np.empty(len(order), dtype=np.int32)
    total = np.empty(len(order), dtype=np.int32)
    number[order] = running - np.repeat(before, sizes)
    total[order] = np.repeat(running[borders + sizes - 1] - before, sizes)
    return number, total


def path(digest: PageDigest, node: int) -> str:
    if digest.kind == "json":
        return _json_path(digest, node)
    if native:
        return paths(digest, [node])[0]
    known = digest.places.known
    steps = []
    while (before := known.get(node)) is None:
        steps.append(node)
        node = int(digest.parents[node])
    if len(steps) > _DEEPEST_KNOWN:
        return before + "".join([step(digest, one) for one in reversed(steps)])
    for one in reversed(steps):
        before += step(digest, one)
        known[one] = before
    return before or "/"


def paths(digest: PageDigest, nodes: list[int]) -> list[str]:
    if native is None or digest.kind == "json":
        return [path(digest, node) for node in nodes]
    found = digest.places
    ways: list[str] = native.paths(nodes, digest.parents, digest.tags, found.number, found.total, found.names)
    return ways


_STEP = re.compile(r"([^/\[]+)(?:\[([0-9]+)\])?")


@accelerated
def node_at(path: str, tags: Ints, sizes: Ints, numbers: dict[str, int]) -> int:
    """Returns the element at a path, -1 if there is none. The step to a text, a comment or an attribute leads
    to no other element. `numbers` says which number in `tags` a name has."""
    node = 0
    for one in path.removeprefix("/").split("/") if path not in ("", "/") else ():
        match = _STEP.fullmatch(one)
        if match is None or node < 0:
            return -1
        if not match[1].startswith("@") and not match[1].endswith(")"):
            node = _child(tags, sizes, node, numbers.get(match[1], -1), int(match[2] or 1))
    return node


def _child(tags: Ints, sizes: Ints, parent: int, tag: int, number: int) -> int:
    """Returns the child with so many children of its name up to it, or -1; no child has none."""
    if not number:
        return -1
    child, end = parent + 1, parent + int(sizes[parent])
    while child < end:
        number -= int(tags[child]) == tag
        if not number:
            return child
        child += int(sizes[child])
    return -1


def step(digest: PageDigest, node: int) -> str:
    """Returns the last step of a node's path: what its path has beyond that of its parent."""
    if digest.kind == "json":
        key = digest.attribute(node, "key")
        return f"[{digest.ranks[node]}]" if key is None else _member(key)
    found = digest.places
    name = found.names[digest.tags[node]]
    return f"/{name}[{found.number[node]}]" if found.total[node] > 1 else f"/{name}"


def _step(tag: str) -> str:
    if tag.startswith("?"):
        return f"processing-instruction('{tag[1:]}')"
    return _STEPS.get(tag, tag)


def _families(parents: Ints, steps: Ints) -> tuple[Longs, Longs]:
    """Returns the nodes ordered so that siblings of the same name stand together, and where each such group
    begins."""
    order = arrays.ascending(steps)
    order = order[arrays.ascending(parents[order] + 1)]
    parents, steps = parents[order], steps[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (parents[1:] != parents[:-1]) | (steps[1:] != steps[:-1])
    return order, begins.nonzero()[0]


def _begins_text(digest: PageDigest) -> Ints:
    """Returns 0 for each text node that continues the text before it, and 1 for every other node."""
    counts = np.ones(len(digest), dtype=np.int32)
    if digest.kind != "text":
        text = digest.is_text
        same_level = digest.depths[1:] == digest.depths[:-1]
        counts[1:][text[1:] & text[:-1] & same_level] = 0
    return counts


def _json_path(digest: PageDigest, node: int) -> str:
    if digest.is_text[node]:
        node = int(digest.parents[node])
    known = digest.once("json paths", _roots_of_json)
    steps: list[int] = []
    while node not in known:
        steps.append(node)
        node = int(digest.parents[node])
    way, place = known[node], len(steps)
    # The next wanted nodes are mostly near this one. Caching the path of every ancestor would take too much
    # memory, so only those at distances 1, 2, 4, 8 … from the node are cached.
    for kept in [2**level for level in reversed(range((place - 1).bit_length()))] if place > 1 else []:
        way += "".join([step(digest, one) for one in reversed(steps[kept:place])])
        known[steps[kept]], place = way, kept
    return way + "".join([step(digest, one) for one in reversed(steps[:place])])


def _roots_of_json(digest: PageDigest) -> dict[int, str]:
    return {0: "$", 1: "$"}


def _member(key: str) -> str:
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"
