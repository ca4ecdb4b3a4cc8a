"""Speed and exactness of merged pages, beside the tools that people use for that.

    python -m bench.speed.present [--pairs DIR] [--json]

Pages are made up in two sizes and changed in a few places; with DIR, pairs `NAME.old.html`, `NAME.new.html`
are measured too. Everybody starts from the two texts; processor time, the best of several runs, all sides in
turn. A ratio above 1 means that we are ahead.

    body    what lxml.html.diff makes: the two bodies as one, in the markup of the page. Ours is sanitised
    words   both versions in one text with a list of changes, made of the words alone
    file    the whole page to be opened: body, style, list of changes, links, pictures, attributes, keys; and
            it was read again to see that it is exact. lxml makes nothing like it: the ratio is to its body

A peer that is not installed is left out. `exact` says of how many pages the merged text, without what came,
has the words of the old page and, without what went, those of the new.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from lxml.html.diff import htmldiff

from webvigil.document import PageDigest, read
from webvigil.present.choose import View
from webvigil.present.comparison import compare
from webvigil.present.dressed import Dress, dressed
from webvigil.present.framed import faithful
from webvigil.present.html import as_html
from webvigil.present.marks import Merging
from webvigil.present.presentation import present

Row = dict[str, Any]
Both = tuple[str, str]
SIZES = {"typical, 25 KB": 25_000, "large, 250 KB": 250_000}
_WORDS = [
    "the",
    "change",
    "of",
    "a",
    "page",
    "that",
    "nobody",
    "saw",
    "was",
    "found",
    "by",
    "those",
    "who",
    "look",
    "often",
    "enough",
    "at",
    "small",
    "things",
]


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
        against = f"{row['peer']:>11.1f} {row['ratio']:>7.1f} ×" if row["peer"] else " " * 21
        print(f"{row['name']:<36} {row['ours']:>9.1f} {against}  {row['against']}")


def rows(folder: Path | None = None) -> list[Row]:
    return list(_rows(folder))


def measured() -> list[Row]:
    """Returns the rows that have floors, measured on made-up pages."""
    return rows()


def _rows(folder: Path | None) -> Iterator[Row]:
    for name, size in SIZES.items():
        both = made_up(size)
        yield from _against(name, [both], htmldiff, "lxml.html.diff", OURS, 3 if size < 100_000 else 1)
        for how in ("dual", "only"):
            took = _milliseconds(lambda both=both, how=how: shown(both, how))
            yield _row(f"{how}, {name}", took, 0.0, "")
    if find_spec("htmldiff"):
        from htmldiff.lib import diff_strings  # type: ignore[import-not-found,unused-ignore]

        yield from _against("typical, 25 KB", [made_up(25_000)], diff_strings, "htmldiff", ("body",), 1)
    if folder:
        pairs = [_pair(file) for file in sorted(folder.glob("*.old.html"))]
        yield from _against(f"{len(pairs)} real pages", pairs, htmldiff, "lxml.html.diff", OURS, 3)
        exact = sum(is_exact(one) for one in pairs)
        yield _row(f"exact, {len(pairs)} real pages", exact, 0.0, "")


def _against(
    name: str,
    pairs: list[Both],
    peer: Callable[[str, str], Any],
    against: str,
    ways: Iterable[str],
    times: int,
) -> Iterator[Row]:
    """Runs our ways and the peer in turns, so that a busy machine disturbs all alike. Yields a row for each
    of our ways with the mean over the pairs."""
    acts: dict[str, Callable[[Both], Any]] = {way: WAYS[way] for way in ways}
    acts["peer"] = lambda both: peer(*both)
    took = {way: [float("inf")] * len(pairs) for way in acts}
    for place, both in enumerate(pairs):
        for _ in range(times):
            for way, act in acts.items():
                spent = _milliseconds(lambda act=act, both=both: act(both))
                took[way][place] = min(took[way][place], spent)
    for way in ways:
        yield _row(f"{way}, {name}", fmean(took[way]), fmean(took["peer"]), against)


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    ratio = round(peer / ours, 2) if peer else 0
    return {"name": name, "ours": round(ours, 2), "peer": round(peer, 2), "against": against, "ratio": ratio}


def _milliseconds(act: Callable[[], Any]) -> float:
    start = time.process_time()
    act()
    return (time.process_time() - start) * 1000


def shown(both: Both, how: str) -> str:
    """Reads both versions, and returns the finished file with their presentation."""
    return present(*map(_digest, both), how, "page")


def whole_file(both: Both) -> str:
    return shown(both, "single")


def body(both: Both) -> str:
    old, new = map(_digest, both)
    return dressed(new, Merging(compare(old, new), old, new).run(), Dress()).html


def words(both: Both) -> str:
    comparison = compare(*map(_digest, both))
    return as_html(comparison, View(comparison, 1))


WAYS: dict[str, Callable[[Both], str]] = {"body": body, "words": words, "file": whole_file}
OURS = tuple(WAYS)


def is_exact(both: Both) -> bool:
    old, new = map(_digest, both)
    return faithful(body(both), old, new)


def _digest(text: str) -> PageDigest:
    return read(text.encode("utf-8", "replace"), "text/html; charset=utf-8", "https://example.org/")


def made_up(size: int, seed: int = 1) -> Both:
    """Returns an article with headings, paragraphs, a list and a table; one block in twenty
    differs between the versions."""
    dice = random.Random(seed)
    old: list[str] = []
    while sum(map(len, old)) < size:
        old.append(_block(dice, len(old)))
    new = [_changed(dice, block) if dice.random() < 0.05 else block for block in old]
    return "<body>" + "".join(old) + "</body>", "<body>" + "".join(new) + "</body>"


def _block(dice: random.Random, number: int) -> str:
    words = " ".join(dice.choices(_WORDS, k=dice.randint(8, 60)))
    if number % 12 == 0:
        return f"<h2>Part {number} {words[:30]}</h2>"
    if number % 12 == 5:
        items = "".join(f"<li><a href='/{number}/{k}'>{dice.choice(_WORDS)} {k}</a></li>" for k in range(8))
        return f"<ul>{items}</ul>"
    if number % 12 == 9:
        cells = "".join(f"<tr><th>row {k}<td>{dice.random():.3f}<td>{dice.choice(_WORDS)}" for k in range(9))
        return f"<table><tr><th>name<th>value<th>note{cells}</table>"
    return f"<p class='text'>{words} <b>{number}</b>.</p>"


def _changed(dice: random.Random, block: str) -> str:
    match dice.randrange(3):
        case 0:
            return ""
        case 1:
            return block + f"<p>A new one: {' '.join(dice.choices(_WORDS, k=12))}.</p>"
        case _:
            return block.replace(" a ", " another ", 1).replace(" was ", " is ", 2)


def _pair(file: Path) -> Both:
    other = file.with_name(file.name.replace(".old.", ".new."))
    return file.read_text("utf-8", "replace"), other.read_text("utf-8", "replace")


if __name__ == "__main__":
    main()
