"""Page Digests against parsers and trees: `python -m bench.speed.document [--json] [--pages DIR]`.

Every row names what is measured, our time and the peer's in milliseconds of CPU per page, and the ratio
(above 1: we are ahead). Ours and the peer take turns on each page and the fastest run of each counts, so
that a busy machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import lxml.html
import turbohtml
from lxml import etree

from webvigil.document import PageDigest, read
from webvigil.document.parsing import read_html
from webvigil.document.sink import Sink

ROUNDS = 20
URL = "https://example.org/"
REAL_PAGES = Path("../shared/data/pairs")
_CONTAINERS = (
    "structure", "tags", "tag_names", "content", "texts",
    "attribute_node", "attribute_name", "attribute_value", "attribute_names", "attribute_values",
)  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments.add_argument(
        "--pages", type=Path, default=REAL_PAGES, help="folder of NAME.old.html, NAME.new.html"
    )
    chosen = arguments.parse_args()
    found = rows(pairs(chosen.pages))
    if chosen.json:
        print(json.dumps(found, indent=1))
    for row in [] if chosen.json else found:
        times = f"{row['ours']:>9.4f} {row['peer']:>9.4f} {row['ratio']:>9.2f} ×"
        print(f"{row['name']:<42} {times}  {row['against']}")


def measured() -> list[dict[str, Any]]:
    """Returns the rows of a run without arguments."""
    return rows(pairs(REAL_PAGES))


def rows(pages: Sequence[tuple[bytes, bytes]]) -> list[dict[str, Any]]:
    bodies = [body for pair in pages for body in pair]
    texts = [body.decode("utf-8", "replace") for body in bodies]
    digests = [(read(old, "text/html", URL), read(new, "text/html", URL)) for old, new in pages]
    trees = [(_tree(old), _tree(new)) for old, new in pages]
    stored = [
        (digest.to_bytes(), body)
        for pair, two in zip(digests, pages, strict=True)
        for digest, body in zip(pair, two, strict=True)
    ]
    both = list(zip(digests, trees, strict=True))
    return [
        row(
            "digest from HTML",
            "turbohtml, parsing alone",
            zip(texts, texts, strict=True),
            _digest,
            turbohtml.parse,
        ),
        row(
            "digest from HTML",
            "the same containers by a walk over an lxml tree",
            zip(texts, texts, strict=True),
            _digest,
            _lxml_walk,
        ),
        row("stored digest loaded, all containers", "parsing again", stored, _loaded, _read),
        row("stored digest loaded, text and structure", "parsing again", stored, _partly_loaded, _read),
        row("structure compared", "lxml trees", both, _fresh(_structure), _tree_structure),
        row("links compared", "lxml trees", both, _fresh(_links), _tree_links),
        row("content compared", "lxml trees", both, _fresh(_content), _tree_content),
        row(
            "all three compared on stored digests",
            "lxml, parsing both",
            _stored_pairs(pages, digests),
            _stored_aspects,
            _tree_aspects,
        ),
    ]


def row(
    name: str,
    against: str,
    inputs: Iterable[tuple[Any, Any]],
    ours: Callable[[Any], Any],
    peer: Callable[[Any], Any],
) -> dict[str, Any]:
    mine = theirs = 0.0
    count = 0
    for left, right in inputs:
        first, second = fastest(ours, left, peer, right)
        mine, theirs, count = mine + first, theirs + second, count + 1
    mine, theirs = mine / count * 1000, theirs / count * 1000
    return {
        "name": name,
        "ours": round(mine, 5),
        "peer": round(theirs, 5),
        "against": against,
        "ratio": round(theirs / mine, 2),
    }


def fastest(
    ours: Callable[[Any], Any], left: Any, peer: Callable[[Any], Any], right: Any
) -> tuple[float, float]:
    """Runs ours and the peer in turns, and returns the seconds of CPU of the fastest run of each."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, (run, given) in enumerate(((ours, left), (peer, right))):
            started = time.thread_time()
            run(given)
            best[side] = min(best[side], time.thread_time() - started)
    return best[0], best[1]


def pairs(folder: Path) -> list[tuple[bytes, bytes]]:
    """Returns the old and new versions of the pages in a folder, or made-up pages of the same size if the
    folder has none."""
    real = sorted(folder.glob("*.old.html"))
    if real:
        return [
            (old.read_bytes(), old.with_name(old.name.replace(".old.", ".new.")).read_bytes()) for old in real
        ]
    return [(_made(number, 0), _made(number, 1)) for number in range(6)]


def _made(number: int, version: int) -> bytes:
    words = re.split(" ", "shares rose after the bank left its rate where it was while rain fell in town")
    blocks = [
        f"<div class='story s{place % 7}' id=n{place}><h2>{words[place % 16].title()} {place}</h2>"
        f"<p>{' '.join(words[(place * step) % 16] for step in range(1, 40))} "
        f"<a href='/story/{place}?v={version if place == number else 0}'>more</a></p>"
        f"<ul><li><img src='/i/{place}.png' alt=''> one<li>two &amp; <b>three</b></ul></div>"
        for place in range(150 + 40 * number)
    ]
    return f"<!DOCTYPE html><title>News {number}</title><body>{''.join(blocks)}".encode()


# --- ours -----------------------------------------------------------------------------------------


def _digest(text: str) -> PageDigest:
    return read_html(text, URL)


def _read(body: bytes) -> PageDigest:
    return read(body, "text/html", URL)


def _loaded(data: bytes) -> None:
    digest = PageDigest.from_bytes(data)
    for name in _CONTAINERS:
        getattr(digest, name)


def _partly_loaded(data: bytes) -> None:
    digest = PageDigest.from_bytes(data)
    for name in _CONTAINERS[:5]:
        getattr(digest, name)


def _fresh(compare: Callable[[PageDigest, PageDigest], bool]) -> Callable[[Any], bool]:
    """Returns a function that compares new copies of two digests, which have only their containers. So what
    was derived in an earlier run does not help this run."""

    def run(pair: tuple[PageDigest, PageDigest]) -> bool:
        return compare(*(PageDigest(digest._containers, known={"depths": digest.depths}) for digest in pair))

    return run


def _structure(old: PageDigest, new: PageDigest) -> bool:
    return old.same_structure(new) and old.same_tags(new)


def _links(old: PageDigest, new: PageDigest) -> bool:
    return old.same_links(new)


def _content(old: PageDigest, new: PageDigest) -> bool:
    return old.same_content(new)


def _stored_pairs(pages: Sequence[Any], digests: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [((old.to_bytes(), new.to_bytes()), page) for (old, new), page in zip(digests, pages, strict=True)]


def _stored_aspects(pair: tuple[bytes, bytes]) -> tuple[bool, bool, bool]:
    old, new = map(PageDigest.from_bytes, pair)
    return _structure(old, new), old.same_attributes(new), _content(old, new)


# --- peers ----------------------------------------------------------------------------------------


def _tree(body: bytes) -> Any:
    return lxml.html.document_fromstring(body.decode("utf-8", "replace"))


def _lxml_walk(text: str) -> PageDigest:
    """Makes the same Page Digest from a tree of lxml, node by node in Python."""
    sink = Sink()
    for event, element in etree.iterwalk(
        lxml.html.document_fromstring(text), events=("start", "end", "comment", "pi")
    ):
        if event == "start":
            sink.start_element(element.tag, tuple(element.attrib.items()))
            if element.text:
                sink.characters(element.text)
            continue
        if event == "end":
            sink.end_element(element.tag)
        else:
            sink.comment(element.text or "")
        if element.tail:
            sink.characters(element.tail)
    return sink.digest("html", URL)


def _tree_structure(pair: tuple[Any, Any]) -> bool:
    old, new = ([(element.tag, len(element)) for element in tree.iter()] for tree in pair)
    return old == new


def _tree_links(pair: tuple[Any, Any]) -> bool:
    old, new = (Counter(_links_of(tree)) for tree in pair)
    return old == new


def _links_of(tree: Any) -> Iterable[str]:
    for element in tree.iter("a", "area", "form"):
        address = element.get("action" if element.tag == "form" else "href")
        if address and not address.lower().startswith(("mailto:", "javascript:")):
            yield urljoin(URL, address)


def _tree_content(pair: tuple[Any, Any]) -> bool:
    old, new = (list(tree.itertext()) for tree in pair)
    return old == new


def _tree_aspects(pair: tuple[bytes, bytes]) -> tuple[bool, bool, bool]:
    trees = (_tree(pair[0]), _tree(pair[1]))
    return _tree_structure(trees), _tree_links(trees), _tree_content(trees)


if __name__ == "__main__":
    main()
