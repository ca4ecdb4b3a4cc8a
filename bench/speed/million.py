"""One million sentinels on 100,000 pages: their memory, building the graphs, and a round of looks (G4, Z2).

    python -m bench.speed.million [--json]

The sentinels are read from canonical texts, as a worker gets them from the store; those that want the same
share everything but a number. In the round every page is looked at once, and one in a hundred has changed.
A ratio above 1 means that we are ahead.
"""

from __future__ import annotations

import gc
import random
import time
from pathlib import Path
from typing import Any

from bench.speed.groups import URL, made_up_pages
from bench.speed.telling import tell
from webvigil.app.worker.evaluate import Evaluator
from webvigil.app.worker.interests import interest_of
from webvigil.document import PageDigest, read
from webvigil.graph.nodes import PageGraph
from webvigil.model.page import Page
from webvigil.model.work import DuePage, Watch
from webvigil.rules.fetch import due_watches

Row = dict[str, Any]
PAGES, SENTINELS, WISHES = 100_000, 1_000_000, 2_000
_PER_PAGE = SENTINELS // PAGES


def rows() -> list[Row]:
    texts = _texts()
    graphs, bytes_each, built = _built(texts)
    took, unchanged, changed = _round(graphs, texts)
    return [
        _row("memory per sentinel, bytes", bytes_each, 300, "limit"),
        _row("graphs of 100,000 pages built, seconds", built, 60, "limit"),
        _row("a round with 1 % of the pages changed, seconds", took, 60, "limit"),
        _row("of it an unchanged page of 10, µs", unchanged * 1e6, 20, "limit"),
        _row("of it a changed page of 10, ms", changed * 1e3, 20, "limit"),
    ]


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    return {"name": name, "ours": round(ours, 3), "peer": peer, "against": against, "ratio": peer / ours}


def _built(texts: list[str]) -> tuple[dict[int, PageGraph], float, float]:
    """Builds the graphs of all pages. Returns them, the bytes of memory per sentinel, and the seconds of CPU.
    The distinct texts are parsed beforehand."""
    for text in texts:
        interest_of(text.format(name="s"))
    before, began = _memory(), time.process_time()
    graphs: dict[int, PageGraph] = {}
    for page in range(PAGES):
        graph = graphs[page] = PageGraph()
        for sentinel in range(page * _PER_PAGE, (page + 1) * _PER_PAGE):
            graph.enter(sentinel, interest_of(_text(texts, sentinel)))
    took = time.process_time() - began
    return graphs, (_memory() - before) / SENTINELS, took


def _round(graphs: dict[int, PageGraph], texts: list[str]) -> tuple[float, float, float]:
    """Looks at every page once. Returns the seconds of CPU of the whole round, of one unchanged page and of
    one changed page."""
    versions = [tuple(read(body, "text/html", URL) for body in both) for both in made_up_pages(count=4)]
    comparing = Evaluator()
    spent = {False: 0.0, True: 0.0}
    for page, graph in graphs.items():
        changed = page % 100 == 0
        due = _due(page, texts, reference=1 if changed else 2)
        comparing.graphs.keep(due, graph)
        old, new = versions[page % len(versions)]
        began = time.process_time()
        fresh = read(new.as_document(), "text/html", URL) if changed else new
        both = (old, fresh)
        comparing.compare(due, due_watches(due.watches, now=1), 2, _Picked(both))
        spent[changed] += time.process_time() - began
    rare = PAGES // 100
    return sum(spent.values()), spent[False] / (PAGES - rare), spent[True] / rare


class _Picked:
    def __init__(self, both: tuple[PageDigest, ...]) -> None:
        self._both = both

    def __call__(self, number: int) -> PageDigest:
        return self._both[number - 1]


def _due(page: int, texts: list[str], reference: int) -> DuePage:
    watches = tuple(
        Watch(
            sentinel=sentinel,
            user="jill",
            name="s",
            text=_text(texts, sentinel),
            interval=3_600_000,
            next_at=0,
            reference=reference,
        )
        for sentinel in range(page * _PER_PAGE, (page + 1) * _PER_PAGE)
    )
    return DuePage(
        id=page, page=Page(url=URL), due=0, asked=1, failures=0, latest=None, validators={}, watches=watches
    )  # fmt: skip


def _text(texts: list[str], sentinel: int) -> str:
    return texts[sentinel * 7919 % len(texts)].format(name=f"s{sentinel}")


def _texts() -> list[str]:
    """Returns the distinct texts of sentinels, each with a placeholder for the name."""
    dice = random.Random(3)
    plain = ["any change", "all links", "all words", "all images"]
    found = []
    for number in range(WISHES):
        wish = plain[number % 8] if number % 8 < 4 else f"keywords: {{{{b{dice.randrange(3000):x}}}}}"
        found.append(f"Create Sentinel {{name}} Using {URL}\nMonitor {wish}\nFetch 1 hour\n")
    return found


def _memory() -> int:
    """Returns resident bytes of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def main() -> None:
    tell(rows(), "{name:50} {ours:12,.3f} {peer:10,.1f} {against:8} {ratio:8.1f}")


if __name__ == "__main__":
    main()
