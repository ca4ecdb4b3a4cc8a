"""What is found on pages that were put together by lot stays as it is.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.detect.test_by_lot`
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.lots import (
    Lot,
    catalogue,
    catalogue_changed,
    changed,
    data,
    data_changed,
    page,
    written,
)
from webvigil import diff
from webvigil.detect.headline import amounts
from webvigil.document.words import words_of
from webvigil.model.change import finding_as_json
from webvigil.model.quiet import left_out_as_json

FOLDER = Path(__file__).with_name("lots")
ALL = (
    *("any change", "exact change", "all words", "all words by loctags", "content", "content any order"),
    *("structure", "layout", "tags", "attributes", "comments", "regular expression: {[0-9]+}"),
)
OF_PAGES = (
    *("all links", "all images", "appearance", "product", "product variants"),
    *("list: {1}", "list: {2}", "table: {1}", "table: {2} text only"),
    *('value css "span, b, td:nth-of-type(2)"', 'value regex "[0-9]+"', 'value xpath "//li"'),
    'regular expression: {"/[a-z]+} in source',
)
OF_DATA = ('value xpath "//*[contains(., 2)]"', 'value json "$..*"', 'value regex "[0-9]+"')
URL = "https://harbour.example/town/news.html"
PAGES, DOCUMENTS = range(48), range(100, 124)


def pages(seed: int) -> tuple[str, str]:
    """Returns two versions of a page. Every sixth page became another one."""
    lot = Lot(seed)
    old = page(lot)
    new = page(lot) if seed % 6 == 5 else changed(lot, old, most=3 + seed % 5)
    titles = "Harbour Post", "Harbour Post" if lot.happens(80) else "Harbour News"
    return written(old, titles[0]), written(new, titles[1])


def documents(seed: int) -> tuple[str, str, str]:
    """Returns two versions of a document of XML, or of JSON, and its content type."""
    lot = Lot(seed)
    if seed % 2:
        root = catalogue(lot)
        return root.xml, catalogue_changed(lot, root).xml, "application/xml"
    value = {"all": [data(lot) for _ in range(4)]}
    return json.dumps(value), json.dumps(data_changed(lot, value)), "application/json"


def asked(old: str, new: str, lot: Lot) -> Iterator[str]:
    """Yields change types that ask for words of one of the pages."""
    words = words_of(re.sub(r"<[^>]*>", " ", lot.one_of((old, new)).partition("</head>")[2] or old))
    some = [word for word in words if word.isalpha() and len(word) > 1] or ["lamp"]
    at = lot.below(len(some))
    for size in (1, 2, 3):
        yield f"phrase: {{{' '.join(some[at : at + size])}}}"
    yield f"phrase: {{{lot.one_of(some)}}} context 3 tags"
    yield f"keywords: {{{', '.join(sorted({lot.one_of(some) for _ in range(4)}))}}}"
    yield f"keywords part {{{lot.one_of(some)[:3]}, {lot.one_of(some)[:2]}}}"
    yield f"keywords all {{{lot.one_of(some)}, {lot.one_of(some)}}}"
    yield f"all words except {{{lot.one_of(some)}, {lot.one_of(some)}}}"


def findings(seed: int) -> str:
    """Returns what each change type finds on a pair, with a number for all that is said of it."""
    if seed in PAGES:
        (old, new), content_type = pages(seed), "text/html; charset=utf-8"
    else:
        old, new, content_type = documents(seed)
    monitors = (*ALL, *(OF_PAGES if seed in PAGES else OF_DATA), *asked(old, new, Lot(1_000 + seed)))
    return "\n".join(_found(old, new, monitors, content_type)) + "\n"


def _found(old: str, new: str, monitors: Iterable[str], content_type: str) -> Iterator[str]:
    for monitor in monitors:
        found, calm = (
            diff(old, new, monitor, content_type=content_type, url=URL, quiet=quiet)
            for quiet in (False, True)
        )
        whole: list[object] = [finding_as_json(one) for one in (*found.findings, *calm.findings)]
        whole += [left_out_as_json(one) for one in calm.left_out]
        told = f" {found.headline} [{amounts(found.findings)}]" if found.changed else ""
        yield f"=== {monitor}: {crc32(repr(whole).encode()):08x}{told}"
        if calm.headline != found.headline:
            yield f"--- {calm.headline}"
        for one in found.findings[0].objects[:12]:
            now = one.before if one.after is None else one.after
            yield f"{one.status} {one.object[:30]!r} {(now or '')[:50]!r} {'; '.join(one.where[:2])}"


@pytest.mark.parametrize("seed", [*PAGES, *DOCUMENTS])
def test_what_is_found_by_lot_is_as_it_was(seed: int):
    kept = (FOLDER / f"{seed}.txt").read_bytes().decode()
    assert findings(seed) == kept, "if this is meant: .venv/bin/python -m tests.detect.test_by_lot"


if __name__ == "__main__":
    for number in (*PAGES, *DOCUMENTS):
        (FOLDER / f"{number}.txt").write_bytes(findings(number).encode())
