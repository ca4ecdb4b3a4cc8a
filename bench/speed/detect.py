"""How long it takes to find what changed, on pairs of pages, against what others would use for it.

    python -m bench.speed.detect [--pairs DIR] [--json]

DIR holds `NAME.old.html` and `NAME.new.html`, two versions of one page each. Without it pages are made up.
Digests, and the objects in them, are there already: their speed is measured elsewhere; but for the row
"first time on fresh digests", which loads both from their stored form and derives everything. A ratio
above 1 means that we are ahead.
"""

from __future__ import annotations

import difflib
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from lxml.html.diff import htmldiff

from bench.speed.telling import pairs_given, tell
from webvigil.detect.find import find
from webvigil.detect.pair import Pair, pair
from webvigil.document import PageDigest, read
from webvigil.model.sentinel import ChangeType

Row = dict[str, Any]
Version = tuple[str, PageDigest]
REAL = Path(__file__).parents[2].parent / "shared" / "data" / "pairs"
MEAN, MOST = 0.5, 10.0
_SHORT = 60_000


def rows(folder: Path | None = None) -> list[Row]:
    pairs = _pairs(folder)
    changed = [both for both in pairs if Pair(both[0][1], both[1][1]).word_gaps]
    nine = [_milliseconds(lambda both=both: _nine(*both)) for both in pairs]
    fresh = [_milliseconds(_first_time(*both), times=5) for both in pairs]
    parsed = [_milliseconds(lambda both=both: _reading(*both), times=3) for both in pairs]
    short = [both for both in changed if len(both[0][0]) < _SHORT]
    return [
        _row("word difference, mean ms", *_mean(pairs, _words, _difflib), "difflib"),
        _row("nine classic types, mean ms", fmean(nine), MEAN, "limit"),
        _row("nine classic types, slowest pair, ms", max(nine), MOST, "limit"),
        _row("nine types, first time on fresh digests, mean ms", fmean(fresh), fmean(parsed), "reading both"),
        _row("nine classic types, mean ms on short pages", *_mean(short, _nine, _htmldiff), "lxml.html.diff"),
    ]


def measured() -> list[Row]:
    """Returns the rows of a run without arguments."""
    return rows()


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    return {
        "name": name,
        "ours": round(ours, 4),
        "peer": round(peer, 4),
        "against": against,
        "ratio": peer / ours,
    }


def _mean(
    pairs: list[tuple[Version, Version]],
    ours: Callable[[Version, Version], Any],
    peer: Callable[[Version, Version], Any],
) -> tuple[float, float]:
    return (
        fmean(_milliseconds(lambda both=both: ours(*both)) for both in pairs),
        fmean(_milliseconds(lambda both=both: peer(*both), times=1) for both in pairs),
    )


def _milliseconds(act: Callable[[], Any], times: int = 15) -> float:
    """Calls `act` several times, and returns the milliseconds of CPU of the fastest call: the others were
    disturbed by other work of the machine."""
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        act()
        best = min(best, time.process_time() - began)
    return best * 1000


# --- what is measured --------------------------------------------------------------------------------


def _words(old: Version, new: Version) -> Any:
    return Pair(old[1], new[1]).word_gaps


def _difflib(old: Version, new: Version) -> Any:
    return difflib.SequenceMatcher(None, old[1].words.words, new[1].words.words).get_opcodes()


def _nine(old: Version, new: Version) -> None:
    pair.forget()
    for change in _classic(old[1]):
        find(old[1], new[1], change)


def _first_time(old: Version, new: Version) -> Callable[[], None]:
    """Returns a function that loads both digests from their stored form and compares them, so that everything
    which is derived from a digest is measured as well."""
    stored = old[1].to_bytes(), new[1].to_bytes()
    changes = _classic(old[1])

    def act() -> None:
        before, after = map(PageDigest.from_bytes, stored)
        for change in changes:
            find(before, after, change)

    return act


def _reading(old: Version, new: Version) -> None:
    for text, _ in (old, new):
        read(text.encode(), "text/html", "https://example.org/")


def _htmldiff(old: Version, new: Version) -> Any:
    return htmldiff(old[0], new[0])


_asked: dict[int, list[ChangeType]] = {}


def _classic(digest: PageDigest) -> list[ChangeType]:
    """Returns the nine classic change types. Those with a parameter ask for something that is on the page."""
    if id(digest) not in _asked:
        words = digest.words.words or ["nothing"]
        middle = len(words) // 2
        _asked[id(digest)] = [
            ChangeType("any change"),
            ChangeType("all links"),
            ChangeType("all images"),
            ChangeType("all words"),
            ChangeType("keywords", tuple(sorted(set(words), key=len)[-3:])),
            ChangeType("phrase", (" ".join(words[middle : middle + 5]),)),
            ChangeType("table", ("1",)),
            ChangeType("list", ("1",)),
            ChangeType("regular expression", (r"\d+[.,]\d+",)),
        ]
    return _asked[id(digest)]


# --- pages -------------------------------------------------------------------------------------------


def _pairs(folder: Path | None) -> list[tuple[Version, Version]]:
    folder = folder or (REAL if REAL.is_dir() else None)
    texts = _from(folder) if folder else _made_up()
    return [(_version(old), _version(new)) for old, new in texts]


def _from(folder: Path) -> list[tuple[bytes, bytes]]:
    olds = sorted(folder.glob("*.old.html"))
    return [
        (old.read_bytes(), old.with_name(old.name.replace(".old.", ".new.")).read_bytes()) for old in olds
    ]


def _version(body: bytes) -> Version:
    digest = read(body, "text/html", "https://example.org/")
    for change in _classic(digest):
        # This comparison makes the digest derive everything beforehand, so that it is not measured later.
        find(digest, _EMPTY, change)
    return body.decode("utf-8", "replace"), digest


_EMPTY = read(b"", "text/html")


def _made_up() -> list[tuple[bytes, bytes]]:
    dice = random.Random(7)
    vocabulary = [f"{dice.choice('bcdfgklmnprst')}{number:x}" for number in range(3000)]
    pages = []
    for size in (40, 200, 600, 1200):
        lines = [" ".join(dice.choices(vocabulary, k=12)) for _ in range(size)]
        changed = [f"{line} {dice.choice(vocabulary)}" if dice.random() < 0.05 else line for line in lines]
        pages.append((_page(lines), _page(changed)))
    return pages


def _page(lines: list[str]) -> bytes:
    body = "".join(f"<p><a href=/{line[:4]}>{line}</a></p>" for line in lines)
    return f"<!DOCTYPE html><html><body><ul><li>x</ul>{body}</body></html>".encode()


def main() -> None:
    tell(rows(pairs_given()), "{name:45} {ours:10.3f} {peer:10.3f} {against:16} {ratio:8.1f}")


if __name__ == "__main__":
    main()
