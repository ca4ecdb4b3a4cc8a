"""What the history of a page costs, beside keeping each version by itself with gzip -9 (R3).

    python -m bench.speed.history [--json]

Histories are made here; real ones are used as well where they are (`../shared/data/history`, or the folder
that WEBVIGIL_DATA names). Times are processor times, the best of several runs. A ratio above 1 means that we
are ahead.
"""

from __future__ import annotations

import gzip
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.speed.telling import tell
from webvigil.app.pages.documents import document_of, packed, unpacked
from webvigil.document import PageDigest
from webvigil.model.version import Answer
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import Kept, PageRepository

Row = dict[str, Any]
_BESIDE = Path(__file__).parents[3] / "shared/data"
_CONTAINERS = (
    "structure",
    "tags",
    "attribute_node",
    "attribute_name",
    "attribute_value",
    "content",
    "tag_names",
    "attribute_names",
    "attribute_values",
    "texts",
)
_KEY = "0" * 32
_ASPECTS = ("structure_hash", "tags_hash", "attributes_hash", "content_hash", "comments_hash")


def histories() -> dict[str, list[bytes]]:
    return {"made news page": made(30)} | {
        folder.name: [file.read_bytes() for file in sorted(folder.glob("*.html"))] for folder in _real()
    }


def _real() -> list[Path]:
    return sorted((Path(os.environ.get("WEBVIGIL_DATA", _BESIDE)) / "history").glob("*"))


def made(count: int) -> list[bytes]:
    """Returns a page of a hundred stories; each version has a new one at the top and another token in its
    head."""
    dice = random.Random(1)
    words = [f"{dice.randrange(16**5):x}" for _ in range(3000)]

    def story() -> str:
        said = " ".join(dice.choices(words, k=60))
        return (
            f'<article class="story"><h2><a href="/{dice.randrange(10**8)}">{said[:40]}</a></h2><p>{said}</p>'
        )

    stories = [story() for _ in range(100)]
    found = []
    for _ in range(count):
        stories = [story(), *stories[:-1]]
        head = f'<!doctype html><title>News</title><meta name=token content="{dice.randrange(16**32):x}">'
        found.append((head + "\n".join(stories)).encode())
    return found


def answer(body: bytes, number: int) -> Answer:
    """Returns an answer with this body, and with headers that differ from answer to answer."""
    headers = (
        ("Date", f"Mon, 16 Nov 2026 12:{number:02}:00 GMT"),
        ("Content-Type", "text/html; charset=utf-8"),
        ("ETag", f'"{hash(body) & 0xFFFFFFFF:x}"'),
        ("Server", "nginx"),
    )
    return Answer(url="https://site.test/page", status=200, headers=headers, body=body)


def kept(pages: PageRepository, answers: list[Answer]) -> list[Kept]:
    found: list[Kept] = []
    for one in answers:
        found.append(pages.keep(one, after=found[-1].object if found else ""))
    return found


def rows() -> list[Row]:
    found: list[Row] = []
    ours = theirs = 0
    for name, bodies in histories().items():
        answers = [answer(body, number) for number, body in enumerate(bodies)]
        sizes = sum(one.stored for one in kept(PageRepository(MemoryObjects()), answers))
        zipped = sum(len(gzip.compress(body, 9)) for body in bodies)
        found.append(_row(f"history of {name}, bytes", sizes, zipped, "gzip -9"))
        ours, theirs = ours + sizes, theirs + zipped
    found.append(_row("history of all, bytes", ours, theirs, "gzip -9"))
    return found + list(_times()) + list(_digests())


def _times() -> Iterator[Row]:
    bodies = list(histories().values())[-1]
    answers = [answer(body, number) for number, body in enumerate(bodies)]
    pages = PageRepository(MemoryObjects())
    stored = kept(pages, answers)
    write = best(lambda: kept(PageRepository(MemoryObjects()), answers)) / len(bodies)
    zipping = best(lambda: [gzip.compress(body, 9) for body in bodies]) / len(bodies)
    yield _row("a version written, ms", write, zipping, "gzip -9")
    read = best(lambda: [pages.answer(one.object) for one in stored]) / len(bodies)
    zipped = [gzip.compress(body, 9) for body in bodies]
    unzipping = best(lambda: [gzip.decompress(one) for one in zipped]) / len(bodies)
    yield _row("a version read, ms", read, unzipping, "gunzip")


def _digests() -> Iterator[Row]:
    """Yields rows that compare loading a stored digest with parsing the body again."""
    answers = [answer(bodies[-1], 0) for bodies in histories().values()]
    digests = [document_of(one) for one in answers]
    stored = [packed(one, _KEY) for one in digests]
    parsing = best(lambda: [_all(document_of(one)) for one in answers])
    questions: dict[str, Callable[[PageDigest], object]] = {"signatures": _aspects, "all of it": _all}
    for name, ask in questions.items():
        loading = best(lambda ask=ask: [ask(_loaded(one)) for one in stored])
        yield _row(
            f"digest loaded, {name}, ms", loading / len(stored), parsing / len(stored), "parsing again"
        )
    packing = best(lambda: [packed(one, _KEY) for one in digests])
    yield _row("digest packed, ms", packing / len(stored), parsing / len(stored), "parsing")
    zipped = sum(len(gzip.compress(one.body, 9)) for one in answers)
    yield _row("digest of the newest version, bytes", sum(map(len, stored)), zipped, "its body, gzip -9")


def _loaded(data: bytes) -> PageDigest:
    found = unpacked(data, _KEY)
    assert found is not None
    return found


def _aspects(digest: PageDigest) -> list[object]:
    return [getattr(digest, name) for name in _ASPECTS]


def _all(digest: PageDigest) -> list[object]:
    return [getattr(digest, name) for name in (*_CONTAINERS, *_ASPECTS)]


def best(act: Callable[[], object], seconds: float = 0.6) -> float:
    """Calls `act` for some seconds, and returns the milliseconds of processor time of the fastest call."""
    least, end = float("inf"), time.process_time() + seconds
    while time.process_time() < end:
        began = time.process_time()
        act()
        least = min(least, time.process_time() - began)
    return least * 1e3


def _row(name: str, ours: float, peer: float, against: str) -> Row:
    digits = 4 if max(ours, peer) < 1000 else 1
    return {
        "name": name,
        "ours": round(ours, digits),
        "peer": round(peer, digits),
        "against": against,
        "ratio": round(peer / ours, 2),
    }


def main() -> None:
    head = f"{'':48}{'ours':>12}{'peer':>12}  {'against':<20}{'ratio':>8}"
    tell(rows(), "{name:48}{ours:12.3f}{peer:12.3f}  {against:<20}{ratio:8.2f}", head)


if __name__ == "__main__":
    main()
