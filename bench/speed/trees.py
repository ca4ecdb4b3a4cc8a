"""Trees compared: Sdiff against a general tree difference and a text difference (C11, M5).

    python -m bench.speed.trees [--pairs DIR] [--json]

Documents are made up in the three shapes of ROC 3.4 (bushy, deep, mixed) and changed in a few places;
with DIR, pairs `NAME.old.html`, `NAME.new.html` are measured too. Everybody starts from what they read
documents into: digests here, lxml trees for xmldiff, lines of the source for difflib. A ratio above 1
means that we are ahead.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import lxml.html
import numpy as np
from lxml import etree
from xmldiff.main import diff_trees

from webvigil.detect.edits import edit_script
from webvigil.detect.sdiff import sdiff
from webvigil.document import PageDigest, read

Row = dict[str, Any]
REAL = Path(__file__).parents[2].parent / "shared" / "data" / "pairs"
NODES = 1_500
LARGE = 20_000
CHANGES = 6
# xmldiff takes minutes on a page of a thousand nodes.
_PEER_NODES = 500


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments.add_argument("--pairs", type=Path, help="folder of NAME.old.html, NAME.new.html")
    chosen = arguments.parse_args()
    found = list(rows(chosen.pairs))
    if chosen.json:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        times = f"{row['ours']:>10.4f} {row['peer']:>11.4f} {row['ratio']:>9.1f} ×"
        print(f"{row['name']:<45} {times}  {row['against']}")


def measured() -> list[Row]:
    """Returns the rows of a run without arguments, and of real pages where there are any."""
    return list(rows(REAL if REAL.is_dir() else None))


def rows(folder: Path | None = None) -> Iterator[Row]:
    small = {shape: changed(shape, NODES) for shape in SHAPES}
    large = {shape: changed(shape, LARGE) for shape in SHAPES}
    for shape, both in small.items():
        yield _row(f"tree difference, {shape}, {NODES} nodes", [both], _marks, _xmldiff, "xmldiff")
    yield _row(f"edit script, {NODES} nodes", list(small.values()), _script, _xmldiff, "xmldiff")
    for shape, both in large.items():
        yield _row(f"tree difference, {shape}, {LARGE} nodes", [both], _marks, _text_diff, "difflib")
    rewritten = [changed(shape, LARGE, ("rewrite",)) for shape in SHAPES]
    yield _row(f"same structure found, {LARGE} nodes", rewritten, _structure, _walk, "lxml trees")
    yield _row(f"same structure found, {LARGE} nodes", rewritten, _structure, _text_diff, "difflib")
    if folder:
        pages = _real(folder)
        short = [both for both in pages if len(both.digests[0]) <= _PEER_NODES]
        yield _row("tree difference, real pages", pages, _marks, _text_diff, "difflib")
        yield _row("structure compared, real pages", pages, _structure, _walk, "lxml trees")
        if short:
            yield _row("tree difference, short real pages", short, _marks, _xmldiff, "xmldiff")


def _row(
    name: str, pairs: list[Both], ours: Callable[[Both], Any], peer: Callable[[Both], Any], against: str
) -> Row:
    """Returns the row that compares ours with the peer, in milliseconds of CPU, as the mean over the
    pairs."""
    times = [(_milliseconds(ours, both, 7), _milliseconds(peer, both, 1)) for both in pairs]
    mine, theirs = fmean(time[0] for time in times), fmean(time[1] for time in times)
    return {
        "name": name,
        "ours": round(mine, 4),
        "peer": round(theirs, 4),
        "against": against,
        "ratio": theirs / mine,
    }


def _milliseconds(act: Callable[[Both], Any], both: Both, times: int) -> float:
    """Calls `act` several times, and returns the milliseconds of CPU of the fastest call."""
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        act(both)
        best = min(best, time.process_time() - began)
    return max(best * 1000, 1e-4)


# --- what is measured ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Both:
    """Two versions of a document in the form that each program compares: digests, lxml trees, lines."""

    digests: tuple[PageDigest, PageDigest]
    trees: tuple[Any, Any]
    lines: tuple[list[str], list[str]]


def _marks(both: Both) -> Any:
    return sdiff(*both.digests)


def _script(both: Both) -> Any:
    return edit_script(*both.digests)


def _structure(both: Both) -> bool:
    """Says whether two digests have the same nodes, names and shape, by comparing whole containers."""
    old, new = both.digests
    return (
        len(old) == len(new)
        and np.array_equal(old.structure, new.structure)
        and old.tag_names == new.tag_names
        and np.array_equal(old.tags, new.tags)
    )


def _xmldiff(both: Both) -> Any:
    return diff_trees(*both.trees)


def _text_diff(both: Both) -> Any:
    return difflib.SequenceMatcher(None, *both.lines).get_opcodes()


def _walk(both: Both) -> bool:
    """Says the same of two lxml trees, by comparing node after node."""
    old, new = (tree.iter() for tree in both.trees)
    return all(
        one.tag == other.tag and len(one) == len(other) for one, other in zip(old, new, strict=False)
    ) and next(old, None) is next(new, None)


# --- documents -----------------------------------------------------------------------------------


@dataclass
class Element:
    """An element of a document in the making."""

    name: str
    text: str
    children: list[Element]


def changed(shape: str, nodes: int, ways: Sequence[str] = ("rewrite", "delete", "insert")) -> Both:
    """Returns a document of a shape, and the same after some texts changed, some elements went and some
    came."""
    dice = random.Random(f"{shape} {nodes}")
    root = SHAPES[shape](dice, nodes)
    old = _source(root)
    for _ in range(CHANGES):
        _change(dice, root, ways)
    return _both(old, _source(root), "application/xml", etree.fromstring)


def _bushy(dice: random.Random, nodes: int) -> Element:
    return _grown(dice, nodes, lambda places: places[dice.randrange(max(1, len(places) // 20))])


def _deep(dice: random.Random, nodes: int) -> Element:
    return _grown(dice, nodes, lambda places: places[-1 - dice.randrange(min(2, len(places)))])


def _mixed(dice: random.Random, nodes: int) -> Element:
    return _grown(dice, nodes, dice.choice)


SHAPES: dict[str, Callable[[random.Random, int], Element]] = {
    "bushy": _bushy,
    "deep": _deep,
    "mixed": _mixed,
}


def _grown(dice: random.Random, nodes: int, pick: Callable[[list[Element]], Element]) -> Element:
    root = _element(dice)
    places = [root]
    # An element and its text are two nodes; libxml2 reads at most 256 levels.
    depth = {id(root): 1}
    while len(places) < nodes // 2:
        parent = pick(places)
        if depth[id(parent)] >= 200:
            parent = dice.choice(places[: len(places) // 2 + 1])
        child = _element(dice)
        parent.children.append(child)
        places.append(child)
        depth[id(child)] = depth[id(parent)] + 1
    return root


def _element(dice: random.Random) -> Element:
    return Element(dice.choice(("section", "item", "note", "part")), f"text {dice.randrange(10**6)}", [])


def _change(dice: random.Random, root: Element, ways: Sequence[str]) -> None:
    all_elements = [root]
    for element in all_elements:
        all_elements += element.children
    parent = dice.choice([element for element in all_elements if element.children])
    place = dice.randrange(len(parent.children))
    what = dice.choice(ways)
    if what == "insert":
        parent.children.insert(place, _element(dice))
    elif what == "rewrite" or parent.children[place].children:
        parent.children[place].text = f"new text {dice.randrange(10**6)}"
    else:
        del parent.children[place]


def _source(root: Element) -> bytes:
    lines: list[str] = []
    waiting: list[Element | str] = [root]
    while waiting:
        element = waiting.pop()
        if isinstance(element, str):
            lines.append(element)
            continue
        lines.append(f"<{element.name}>{element.text}")
        waiting += [f"</{element.name}>", *reversed(element.children)]
    return "\n".join(lines).encode()


def _real(folder: Path) -> list[Both]:
    return [
        _both(
            old.read_bytes(),
            old.with_name(old.name.replace(".old.", ".new.")).read_bytes(),
            "text/html",
            lxml.html.document_fromstring,
        )
        for old in sorted(folder.glob("*.old.html"))
    ]


def _both(old: bytes, new: bytes, content_type: str, parse: Callable[[bytes], Any]) -> Both:
    digests = read(old, content_type), read(new, content_type)
    for digest in digests:
        # Signatures belong to reading a document: they are there before anything is compared.
        assert digest.signature
        assert len(digest.subtree_hashes) == len(digest.shape_hashes)
    lines = old.decode("utf-8", "replace").splitlines(), new.decode("utf-8", "replace").splitlines()
    return Both(digests, (parse(old), parse(new)), lines)


if __name__ == "__main__":
    main()
