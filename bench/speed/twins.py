"""Each compiled function against its plain twin, with the arguments that it gets when pages are compared.

    python -m bench.speed.twins [--pairs DIR] [--json]

DIR holds `NAME.old.html` and `NAME.new.html`, two versions of one page each. Without it pages are made up.
Both versions are read, stored, loaded and compared by every change type, and each call of a compiled function
is noted. Then both twins answer the same calls in turn, and the fastest of some rounds counts. The comments
in `src/webvigil/document/native` name the ratios ("Gain"): run this again after a change there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webvigil.document import fast

Call = tuple[Any, ...]
Row = dict[str, Any]
Pair = tuple[bytes, bytes]
ROUNDS = 7
# Calls of one function that are timed; further calls of the same pages are like them.
MOST_CALLS = 300
URL = "https://example.org/"
OF_PATHS = ("paths", "run_paths")


class Noting:
    """The compiled module, noting the arguments of its functions while `calls` is a dictionary."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self.calls: dict[str, list[Call]] | None = {}

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._native, name)
        if isinstance(function, type):
            return function

        def noted(*given: Any) -> Any:
            if self.calls is not None:
                calls = self.calls.setdefault(name, [])
                if len(calls) < MOST_CALLS:
                    calls.append(given)
            return function(*given)

        return noted


# Modules choose between the twins when they are imported, so the compiled module is replaced before that.
assert "webvigil.document.arrays" not in sys.modules, "run it alone: python -m bench.speed.twins"
native = fast.native
noting = Noting(native)
fast.native = noting

from bench.speed.document import pairs as given_or_made  # noqa: E402
from bench.speed.telling import pairs_given, tell  # noqa: E402
from webvigil.detect import coarse, places  # noqa: E402
from webvigil.detect.find import find  # noqa: E402
from webvigil.detect.in_context import in_context  # noqa: E402
from webvigil.detect.quiet.calm import calmed  # noqa: E402
from webvigil.detect.wording import wording  # noqa: E402
from webvigil.document import PageDigest, arrays, paths, read, sink, string_tables  # noqa: E402
from webvigil.document.parsing import turbohtml  # noqa: E402
from webvigil.errors import WebVigilError  # noqa: E402
from webvigil.model.change_types import KINDS  # noqa: E402


def rows(folder: Path | None = None) -> list[Row]:
    if native is None:
        raise SystemExit("the accelerator is not compiled here: python hatch_build.py")
    pages = given_or_made(folder or Path("none"))
    digests = [_compared(*both, "text/html; charset=utf-8") for both in pages]
    _compared(_feed(0), _feed(1), "application/rss+xml")
    calls, noting.calls = noting.calls or {}, None
    found = [
        _row(name, len(calls[name]), _all(getattr(native, name), calls[name]), _all(plain, calls[name]))
        for name, (plain, _) in sorted(fast.twins.items())
        if name in calls
    ]
    found += [_of_paths(name, digests) for name in OF_PATHS]
    found.append(_of_events([body for both in pages for body in both]))
    return found


def measured() -> list[Row]:
    """Returns the rows of a run without arguments."""
    return rows()


def _compared(old: bytes, new: bytes, content_type: str) -> tuple[PageDigest, PageDigest]:
    """Returns both versions, after everything was done with them that a user can ask for."""
    fresh = [read(body, content_type, URL) for body in (old, new)]
    before, after = (PageDigest.from_bytes(one.to_bytes()) for one in fresh)
    assert fresh[0] != fresh[1], "two versions differ"
    for kind in KINDS.values():
        try:
            finding = find(before, after, kind.example)
            calmed(before, after, kind.example, finding)
            in_context(before, after, [finding])
        except WebVigilError:
            continue  # for example a picture of the page, which these pages do not have
    for one in (*fresh, before, after):
        one.as_document()
        _ = one.tables, one.lists, one.headings, one.links, one.images, one.sizes, one.ranks
        # Packed pages, and the coarse comparison of long pages, call these functions with whole columns.
        arrays.node_depths(one.structure)
        coarse.ranks_among(wording(one).hashes)
    _tables_compared(before, after)
    _tables_compared(before, fresh[0])
    return before, after


def _tables_compared(old: PageDigest, new: PageDigest) -> None:
    """Compares the texts in their order, as is done for pages with as many texts as before."""
    ours, theirs = (one.content[one.is_text] for one in (old, new))
    if len(ours) == len(theirs):
        string_tables.same_strings(old.texts, ours, new.texts, theirs)
        string_tables.reworded(old.texts, ours, new.texts, theirs)


def _feed(version: int) -> bytes:
    """Returns a feed of 200 entries, a few of them with other words in each version."""
    entries = (
        f"<item><title>Entry {place}</title><link>https://example.org/{place}</link><description>"
        f"{'Shares rose' if place % 20 or not version else 'Rain fell'} while the bank left its rate alone"
        f"{'.' if version else ' .'}</description></item>"
        for place in range(200)
    )
    return f"<rss><channel><title>News</title>{''.join(entries)}</channel></rss>".encode()


def _all(function: Callable[..., Any], calls: list[Call]) -> Callable[[], None]:
    def run() -> None:
        for given in calls:
            function(*given)

    return run


def _row(name: str, calls: int, compiled: Callable[[], Any], plain: Callable[[], Any]) -> Row:
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, run in enumerate((compiled, plain)):
            started = time.thread_time()
            run()
            best[side] = min(best[side], time.thread_time() - started)
    ours, peer = (1e6 * seconds / calls for seconds in best)
    return {
        "name": name,
        "calls": calls,
        "ours": round(ours, 3),
        "peer": round(peer, 3),
        "against": "its plain twin",
        "ratio": peer / ours,
    }


# --- functions whose plain twin is not chosen by `accelerated` ----------------------------------------------


def _of_paths(name: str, digests: list[tuple[PageDigest, PageDigest]]) -> Row:
    """Returns the row for computing the paths of every tenth node, or of every tenth word for `run_paths`."""
    pages = [page for both in digests for page in both]
    runs = [_every_tenth(len(page.words)) for page in pages]
    nodes = [list(range(1, len(page), 10)) for page in pages]

    def work() -> None:
        for page, some, words in zip(pages, nodes, runs, strict=True):
            page.places.known.clear()
            page.places.known[0] = ""
            if name == "run_paths":
                places.paths_of(page, words)
            else:
                page.paths(some)

    def plainly() -> None:
        with _without_twins():
            work()

    asked = runs if name == "run_paths" else nodes
    return _row(name, sum(map(len, asked)) if name != "paths" else len(pages), work, plainly)


def _every_tenth(count: int) -> Any:
    import numpy as np

    starts = np.arange(0, count, 10, dtype=np.int64)
    return np.stack([starts, np.minimum(starts + 3, count)], axis=1)


@contextmanager
def _without_twins() -> Iterator[None]:
    paths.native = places.native = None
    try:
        yield
    finally:
        paths.native = places.native = noting


def _of_events(bodies: list[bytes]) -> Row:
    """Returns the row for handling the events of whole documents, without the parser that raises them."""
    noted = [_Noted(body.decode("utf-8", "replace")).events for body in bodies]

    def work(make: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            for events in noted:
                taker = make()
                for name, given in events:
                    getattr(taker, name)(*given)
                taker.taken()

        return run

    return _row("Events", len(bodies), work(native.Events), work(sink.Events))


class _Noted(sink.Sink):
    """A sink that notes its events."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.events: list[tuple[str, Call]] = []
        for name in ("start_element", "end_element", "characters", "leaf"):
            setattr(self, name, self._noting(name))
        turbohtml(text, self)

    def _noting(self, name: str) -> Callable[..., None]:
        def note(*given: Any) -> None:
            # Attributes may be an iterator, which is read once.
            self.events.append((name, tuple(list(one) if not isinstance(one, str) else one for one in given)))

        return note


def main() -> None:
    tell(
        sorted(rows(pairs_given()), key=lambda row: row["ratio"]),
        "{name:<18}{calls:>8}{ours:>12.2f}{peer:>12.2f}{ratio:>9.1f} ×",
        f"{'function':<18}{'calls':>8}{'µs compiled':>12}{'µs plain':>12}{'gain':>9}",
    )


if __name__ == "__main__":
    main()
