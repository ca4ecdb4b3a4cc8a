"""Merged pages against the tools people use for that (DESIGN 8): ours are exact and can keep the page's look.

    python -m bench.speed.present [--pairs DIR] [--json]

Pages are made up in three sizes and changed in a few places; with DIR, pairs `NAME.old.html`, `NAME.new.html`
are measured too. Everybody starts from the two texts. A ratio above 1 means that we are ahead. A peer that is
not installed is left out. `exact` says of how many pages the merged text, without what came, has the words of
the old page and, without what went, those of the new.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from lxml.html.diff import htmldiff

from webvigil.document import PageDigest, read
from webvigil.present.choose import View
from webvigil.present.comparison import compare
from webvigil.present.dressed import Dress, dressed
from webvigil.present.faithful import faithful
from webvigil.present.html import as_html
from webvigil.present.marks import Merging
from webvigil.present.only import everything
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


def _rows(folder: Path | None) -> Iterator[Row]:
    for name, size in SIZES.items():
        both = made_up(size)
        for how in ("single", "dual", "only"):
            yield _row(f"{how}, {name}", [both], lambda one, how=how: shown(one, how), None, "")
        yield _row(f"merged words, {name}", [both], merged_words, htmldiff, "lxml.html.diff")
        yield _row(f"merged in its look, {name}", [both], merged, htmldiff, "lxml.html.diff")
    if find_spec("htmldiff"):
        from htmldiff.lib import diff_strings  # type: ignore[import-not-found,unused-ignore]

        yield _row("merged words, typical, 25 KB", [made_up(25_000)], merged_words, diff_strings, "htmldiff")
    if folder:
        pairs = [_pair(file) for file in sorted(folder.glob("*.old.html"))]
        yield _row(f"merged words, {len(pairs)} real pages", pairs, merged_words, htmldiff, "lxml.html.diff")
        yield _row(f"merged in its look, {len(pairs)} real pages", pairs, merged, htmldiff, "lxml.html.diff")
        exact = sum(is_exact(one) for one in pairs)
        yield {"name": f"exact, {len(pairs)} real pages", "ours": exact, "peer": 0, "against": "", "ratio": 0}


def _row(
    name: str,
    pairs: list[Both],
    ours: Callable[[Both], Any],
    peer: Callable[[str, str], Any] | None,
    against: str,
) -> Row:
    """The mean over the pairs, in milliseconds."""
    mine = fmean(_milliseconds(lambda one=one: ours(one), 3) for one in pairs)
    theirs = fmean(_milliseconds(lambda one=one: peer(*one), 1) for one in pairs) if peer else 0.0
    return {
        "name": name,
        "ours": round(mine, 2),
        "peer": round(theirs, 2),
        "against": against,
        "ratio": round(theirs / mine, 2) if peer else 0,
    }


def _milliseconds(act: Callable[[], Any], times: int) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def shown(both: Both, how: str) -> str:
    """Text to finished file, reading included."""
    return present(*map(_digest, both), how, "page")


def merged(both: Both) -> str:
    return shown(both, "single")


def merged_words(both: Both) -> str:
    """What lxml's does: both versions in one text. Ours with the list of changes."""
    comparison = compare(*map(_digest, both))
    return as_html(comparison, View(everything(comparison), 1))


def is_exact(both: Both) -> bool:
    old, new = map(_digest, both)
    marks = Merging(compare(old, new), old, new).run()
    return faithful(dressed(new, marks, Dress()).html, old, new)


def _digest(text: str) -> PageDigest:
    return read(text.encode("utf-8", "replace"), "text/html; charset=utf-8", "https://example.org/")


def made_up(size: int, seed: int = 1) -> Both:
    """An article with headings, paragraphs, a list and a table; one block in twenty is other."""
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
