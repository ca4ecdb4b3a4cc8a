"""Sentinels alone and in groups: figures 14 and 15 of WebCQ beside ours, and what they rest on (M2, M3).

    python -m bench.speed.groups [--pairs DIR] [--json]

As in the paper the sentinels of figures 14 and 15 ask for any change, on pages of 47 KB that have changed;
beside them stand groups of all nine classic types, each asking for something of its own. Alone, each sentinel
loads both versions and compares them for itself. In groups, the sentinels of a page go through its
change detection graph: both versions are loaded once, and everything that is equal is computed once. DIR
holds `NAME.old.html` and `NAME.new.html`; without it pages are made up. A ratio above 1 means that we are
ahead; times are those of one core.
"""

from __future__ import annotations

import random
import time
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from blake3 import blake3

from bench.speed.telling import pairs_given, tell
from webvigil.app.worker.evaluate import Evaluator
from webvigil.app.worker.interests import interest_of
from webvigil.detect.find import evaluate
from webvigil.detect.pair import pair
from webvigil.document import PageDigest, read
from webvigil.graph.nodes import ANY_CHANGE, PageGraph
from webvigil.graph.part import views
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel
from webvigil.model.work import DuePage, Watch
from webvigil.rules.fetch import due_watches

Row = dict[str, Any]
URL = "https://example.org/"
SENTINELS = 5_000
PAPER = {1: (62.0, 80), 5: (14.2, 351), 10: (7.0, 708), 100: (1.3, 3698)}
# How often each page is looked at, by sentinels alone and by groups. Every sentinel alone costs the same, so
# a few sentinels are enough.
_ALONE, _GROUPS = 20, 3
_SIZES = (25_000, 75_000)
_ANY = [f"Create Sentinel s{number} Using {URL}\nMonitor any change\nFetch 1 hour\n" for number in range(100)]


@dataclass(frozen=True, slots=True)
class Version:
    body: bytes

    def digest(self) -> PageDigest:
        return read(self.body, "text/html", URL)


@dataclass(frozen=True, slots=True)
class Changed:
    """A page in two versions, and the texts of sentinels that watch it."""

    old: Version
    new: Version
    texts: list[str]


def rows(folder: Path | None = None) -> list[Row]:
    mixed = changed_pages(folder)
    pages = [Changed(page.old, page.new, _ANY) for page in mixed]
    alone = _alone(pages) * SENTINELS
    seconds = {1: alone} | {size: _grouped(pages, size) for size in PAPER if size > 1}
    found = [
        _row(f"5,000 sentinels {_named(size)}, seconds", took, PAPER[size][0], "WebCQ", less=True)
        for size, took in seconds.items()
    ]
    found += [
        _row(f"sentinels per second {_named(size)}", SENTINELS / took, PAPER[size][1], "WebCQ")
        for size, took in seconds.items()
    ]
    found.append(_row("times faster in groups of 100 than alone", alone / seconds[100], 46, "WebCQ"))
    each, together = _alone(mixed) * SENTINELS, _grouped(mixed, 100)
    found.append(_row("5,000 of nine types in groups of 100, seconds", together, each, "alone", less=True))
    for alpha in (0.6, 0.7, 0.8, 0.9):
        took = _zipf(pages, alpha)
        found.append(_row(f"5,000 sentinels, Zipf α {alpha}, seconds", took, alone, "alone", less=True))
    found.append(_row("sentinels per second, groups of 100, unchanged", _unchanged(pages), 500_000, "limit"))
    found.append(_row("sentinels per second, groups of 100, changed", _changed(pages), 50_000, "limit"))
    nine = _changed(mixed)
    found.append(_row("sentinels per second, groups of 100, changed, nine types", nine, 50_000, "limit"))
    loaded = _changed(pages, loading=True)
    found.append(_row("sentinels per second, groups of 100, changed and loaded", loaded, 3698, "WebCQ"))
    found.append(_row("signature against loading a tree, times faster", _signature(pages), 3, "WebCQ"))
    small, large = _entering(1_000), _entering(200_000)
    found.append(_row("entering a page of 200,000 sentinels, µs", large, small, "page of 1,000", less=True))
    return found


def _named(size: int) -> str:
    return "alone" if size == 1 else f"in groups of {size}"


def _row(name: str, ours: float, peer: float, against: str, *, less: bool = False) -> Row:
    ratio = peer / ours if less else ours / peer
    return {"name": name, "ours": round(ours, 3), "peer": round(peer, 3), "against": against, "ratio": ratio}


# --- what is measured --------------------------------------------------------------------------------


def _alone(pages: list[Changed]) -> float:
    """Returns the seconds of CPU that one sentinel takes if it shares nothing with other sentinels."""
    sentinels = [(page, parse(page.texts[number % 100])[0]) for number, page in _dealt(pages, _ALONE)]

    def each() -> None:
        for page, sentinel in sentinels:
            pair.forget()
            _compare_alone(page, sentinel)

    return _seconds(each) / len(sentinels)


def _compare_alone(page: Changed, sentinel: Sentinel) -> tuple[Finding, ...]:
    seen = views(page.old.digest(), page.new.digest(), sentinel)
    if isinstance(seen, Finding):
        return (seen,)
    result = evaluate(*seen, sentinel.monitor or ANY_CHANGE)
    return result.findings if result.changed else ()


def _grouped(pages: list[Changed], size: int) -> float:
    """Returns the seconds of CPU that 5,000 sentinels take in groups of `size`."""
    groups = [(page, _due(page, number, size)) for number, page in _dealt(pages, _GROUPS)]
    comparing = _ready(due for _, due in groups)

    def each() -> None:
        for page, due in groups:
            _compare_group(comparing, page, due)

    return _seconds(each) / (len(groups) * size) * SENTINELS


def _zipf(pages: list[Changed], alpha: float, places: int = 500) -> float:
    """Returns the seconds of CPU that 5,000 sentinels take, most of which watch a few of 500 pages."""
    dice = random.Random(11)
    sums = list(accumulate(rank**-alpha for rank in range(1, places + 1)))
    sizes = Counter(bisect(sums, dice.random() * sums[-1]) for _ in range(SENTINELS))
    groups = [
        (pages[place % len(pages)], _due(pages[place % len(pages)], place, size))
        for place, size in sizes.items()
    ]
    comparing = _ready(due for _, due in groups)

    def each() -> None:
        for page, due in groups:
            _compare_group(comparing, page, due)

    return _seconds(each, times=1)


def _compare_group(comparing: Evaluator, page: Changed, due: DuePage) -> None:
    pair.forget()
    loaded = page.old.digest(), page.new.digest()
    comparing.compare(due, due_watches(due.watches, now=1), 2, _picked(loaded))


def _picked(loaded: tuple[PageDigest, PageDigest]) -> Callable[[int], PageDigest]:
    return lambda number: loaded[number - 1]


def _unchanged(pages: list[Changed], size: int = 100) -> float:
    """Returns how many sentinels on unchanged pages are handled per second: only the signature is
    computed."""
    comparing = Evaluator()
    groups = [(page, _due(page, number, size, reference=2)) for number, page in _dealt(pages, _GROUPS)]
    known = [blake3(page.new.body).digest() for page, _ in groups]

    def each() -> None:
        for (page, due), signature in zip(groups, known, strict=True):
            assert blake3(page.new.body).digest() == signature
            comparing.compare(due, due_watches(due.watches, now=1), 2, _never)

    return len(groups) * size / _seconds(each)


def _changed(pages: list[Changed], size: int = 100, *, loading: bool = False) -> float:
    """Returns how many sentinels on changed pages are handled per second, with the version before in memory.

    The new version comes as a digest of which nothing is derived yet, or, with `loading`, as bytes.
    """
    groups = [(page, page.old.digest(), _due(page, number, size)) for number, page in _dealt(pages, _GROUPS)]
    comparing = _ready(due for *_, due in groups)

    def each() -> float:
        left_out = 0.0
        for page, old, due in groups:
            began = time.process_time()
            loaded = old, page.new.digest()
            left_out += 0.0 if loading else time.process_time() - began
            comparing.compare(due, due_watches(due.watches, now=1), 2, _picked(loaded))
        return left_out

    return len(groups) * size / _seconds(each)


def _signature(pages: list[Changed]) -> float:
    bodies = [page.new.body for page in pages]
    load = _seconds(lambda: [page.new.digest().words for page in pages])
    return load / _seconds(lambda: [blake3(body).digest() for body in bodies])


def _entering(present: int) -> float:
    """Returns the microseconds in which a sentinel enters and leaves the graph of a page with `present`
    others."""
    graph, wanted = PageGraph(), interest_of(f"Create Sentinel s Using {URL}\nMonitor all links\n")
    for number in range(present):
        graph.enter(number, wanted)

    def each() -> None:
        for number in range(present, present + 1_000):
            graph.enter(number, wanted)
            graph.leave(number)

    return _seconds(each) / 1_000 * 1e6


def _never(number: int) -> PageDigest:
    raise AssertionError(f"version {number} was not to be looked at")


def _ready(dues: Iterable[DuePage]) -> Evaluator:
    """Returns an evaluator that has already built the graphs of these pages, as after an earlier look."""
    comparing = Evaluator()
    for due in dues:
        comparing.graphs.of(due)
    return comparing


def _seconds(act: Callable[[], Any], times: int = 3) -> float:
    """Calls `act` several times, and returns the seconds of CPU of the fastest call. If `act` returns a
    number, it is the seconds of its own preparation, which are taken off."""
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        left_out = act()
        took = time.process_time() - began
        best = min(best, took - left_out if isinstance(left_out, float) else took)
    return best


def _dealt(pages: list[Changed], times: int) -> list[tuple[int, Changed]]:
    """Returns each page `times` times, with a number. All measurements use each page equally often, because a
    large page takes longer."""
    return list(enumerate(pages * times))


def _due(page: Changed, number: int, size: int, reference: int = 1) -> DuePage:
    watches = tuple(
        Watch(
            sentinel=number * 10_000 + place,
            user="jill",
            name=f"s{place}",
            text=page.texts[place % len(page.texts)],
            interval=3_600_000,
            next_at=0,
            reference=reference,
        )
        for place in range(size)
    )
    return DuePage(
        id=number,
        page=Page(url=URL),
        due=0,
        asked=1,
        failures=0,
        latest=None,
        validators={},
        watches=watches,
    )


# --- pages and sentinels -----------------------------------------------------------------------------


def changed_pages(folder: Path | None = None) -> list[Changed]:
    bodies = _from(folder) if folder else made_up_pages()
    return [Changed(Version(old), Version(new), sentinels_on(old)) for old, new in bodies]


def _from(folder: Path) -> list[tuple[bytes, bytes]]:
    """Returns the pairs of the paper's size."""
    names = sorted(folder.glob("*.old.html"))
    pairs = [
        (old.read_bytes(), old.with_name(old.name.replace(".old.", ".new.")).read_bytes()) for old in names
    ]
    return [both for both in pairs if _SIZES[0] <= len(both[0]) <= _SIZES[1]] or pairs


def made_up_pages(count: int = 12) -> list[tuple[bytes, bytes]]:
    """Returns pages of about 47 KB and 1,700 nodes each, as those of the paper; a few places change."""
    dice = random.Random(7)
    vocabulary = [f"{dice.choice('bcdfgklmnprst')}{number:x}" for number in range(3000)]
    made = []
    for _ in range(count):
        lines = [
            " ".join(dice.choices(vocabulary, k=dice.randint(4, 16))) for _ in range(dice.randint(350, 450))
        ]
        later = list(lines)
        for _ in range(4):
            later[dice.randrange(len(later))] += " " + dice.choice(vocabulary)
        made.append((_html(lines), _html(later)))
    return made


def _html(lines: list[str]) -> bytes:
    """Returns a page with these lines. Every third line is a link, every twelfth has a picture, and the first
    lines are also in a table and in a list."""
    blocks = []
    for number, line in enumerate(lines):
        linked = f'<a class="more" href="/news/{line[:8].replace(" ", "-")}.html">{line}</a>'
        picture = f'<img src="/pictures/{number}.png" alt="">' if number % 12 == 0 else ""
        blocks.append(f'<div class="item"><p>{linked if number % 3 == 0 else line}</p>{picture}</div>')
    rows = "".join(f"<tr><td>{line}<td>{len(line)}" for line in lines[:20])
    items = "".join(f"<li>{line}" for line in lines[20:40])
    return f"<!DOCTYPE html><body><table>{rows}</table><ul>{items}</ul>{''.join(blocks)}</body>".encode()


def sentinels_on(body: bytes, count: int = 100) -> list[str]:
    """Returns canonical texts of sentinels of the nine classic types, each asking for something of its
    own."""
    dice = random.Random(len(body))
    # Nobody watches for "the".
    words = [word for word in read(body, "text/html", URL).words.words if len(word) > 3 and word.isalnum()]
    words = words or ["nothing"]

    def run(length: int) -> str:
        start = dice.randrange(max(1, len(words) - length))
        return " ".join(words[start : start + length])

    kinds: list[Callable[[], str]] = [
        lambda: "any change",
        lambda: "all links",
        lambda: "all images",
        lambda: "all words",
        lambda: f"keywords: {{{dice.choice(words)}, {dice.choice(words)}}}",
        lambda: f"phrase: {{{run(4)}}}",
        lambda: f"table: {{{dice.randint(1, 3)}}}",
        lambda: f"list: {{{dice.randint(1, 3)}}}",
        lambda: f"regular expression: {{{dice.choice(words)}[a-z]* [0-9]+}}",
    ]
    return [
        f"Create Sentinel s{number} Using {URL}\nMonitor {kinds[number % len(kinds)]()}\nFetch 1 hour\n"
        for number in range(count)
    ]


def main() -> None:
    tell(rows(pairs_given()), "{name:55} {ours:14,.3f} {peer:14,.3f} {against:14} {ratio:8.1f}")


if __name__ == "__main__":
    main()
