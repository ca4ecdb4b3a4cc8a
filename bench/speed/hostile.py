"""Hostile pages, made to hurt: the seconds that reading, comparing and showing a megabyte of them takes.

    python -m bench.speed.hostile [--size BYTES] [--shape NAME] [--job WORDS] [--all] [--json]

Two versions of every shape of `shapes.py`, each up to 250 KB and up to 1 MB (or --size), are read, compared
and shown. A row is one shape in one size: the seconds of CPU of the job that takes longest on it, from
digests that know nothing yet, against the second that no page may hold a worker. `--all` prints every job,
the slowest first:

    reading            one version, from bytes to its digest
    nine types         the nine classic change types together, as a worker runs them for nine sentinels
    any other name     one change type alone
    css, xpath, …      the page through the mask of a part, within it and without it
    storing, loading   the digest as bytes, and back
    edit script        what turns one version into the other (Sdiff)
    only, single, dual the presentations, as the file that `diff -o` writes
    as text            the presentation of a mail
    a look: KIND, …    what a worker does with both versions for a sentinel, see `looks.py`

`--job` chooses those whose name has these words in it. What is not over after PATIENCE seconds is given up
and counted as that long. Garbage is searched for as seldom as in a worker.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from bench.speed.looks import LOOKS, URL, Job, of_answers
from bench.speed.shapes import SHAPES
from webvigil.app.operating.garbage import seldom_searched
from webvigil.detect.edits import edit_script
from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.document.containers import NUMBERS, TABLES, to_bytes
from webvigil.document.masks import view
from webvigil.errors import WebVigilError
from webvigil.model.sentinel import ChangeType, Part
from webvigil.model.version import Answer
from webvigil.present.presentation import present

SIZES = (250_000, 1_000_000)
LIMIT = 1.0
PATIENCE = 20.0

Row = dict[str, Any]

CLASSIC = (
    ChangeType("any change"),
    ChangeType("all links"),
    ChangeType("all images"),
    ChangeType("all words"),
    ChangeType("keywords", ("a", "b", "word")),
    ChangeType("phrase", ("a b a",)),
    ChangeType("table", ("1",)),
    ChangeType("list", ("1",)),
    ChangeType("regular expression", (r"\w+ \w+",)),
)
TYPES = (
    *CLASSIC,
    ChangeType("exact change"),
    ChangeType("all words", ("the", "a b")),
    ChangeType("phrase", ("a",)),
    ChangeType("phrase", ("low risk growth",), "context tags"),
    ChangeType("table", ("word",)),
    ChangeType("list", ("word",)),
    ChangeType("regular expression", (r"a",), "in source"),
    ChangeType("content"),
    ChangeType("structure"),
    ChangeType("layout"),
    ChangeType("tags"),
    ChangeType("attributes"),
    ChangeType("comments"),
    ChangeType("value", ("p",), "css"),
    ChangeType("value", ("//*",), "xpath"),
    ChangeType("value", (r"\d+",), "regex"),
    ChangeType("value", ("$..*",), "json"),
    ChangeType("keywords", tuple(f"b{number}" for number in range(0, 2000, 4))),
    ChangeType("keywords", ("a", "b"), "all appear"),
    ChangeType("phrase", ("word word",)),
    ChangeType("regular expression", (r"(?:\d+|[a-z])",)),
    ChangeType("regular expression", (r"\w+",)),
    ChangeType("regular expression", (r"(?<=\w)\b.",)),
)
# Parts of a page that a sentinel may watch or ignore.
PARTS = (
    Part("css", "p, li, td, a:not([b]), div > *"),
    Part("xpath", "//*[contains(., 'a')]"),
    Part("xpath", "//p[1] | //td/text()"),
    Part("regex", r"\w+ \w+"),
    Part("words", ("a", "b a")),
)


def _found(change: ChangeType, old: PageDigest, new: PageDigest) -> None:
    with suppress(WebVigilError):
        find(old, new, change)


def _nine(old: PageDigest, new: PageDigest) -> None:
    for change in CLASSIC:
        _found(change, old, new)


def _seen(part: Part, old: PageDigest, new: PageDigest) -> None:
    with suppress(WebVigilError):
        view(new, within=[part])
        view(new, ignore=[part])


def _stored(old: PageDigest, new: PageDigest) -> None:
    to_bytes(new)


def _loaded(old: PageDigest, new: PageDigest) -> None:
    loaded = PageDigest.from_bytes(old.to_bytes())
    for name in (*TABLES[:-1], *NUMBERS):
        getattr(loaded, name)


def _named(change: ChangeType) -> str:
    return " ".join([change.kind, *change.arguments[:4], change.option]).strip()


JOBS: dict[str, Job] = {
    "nine types": _nine,
    **{_named(change): partial(_found, change) for change in TYPES},
    "edit script": edit_script,
    **{f"{part.by} {part.argument}": partial(_seen, part) for part in PARTS},
    "storing the digest": _stored,
    "storing and loading the digest": _loaded,
    **{how: partial(present, how=how, form="page") for how in ("only", "single", "dual")},
    "as text": partial(present, form="text"),
    **LOOKS,
}


def measured_on(shape: str, size: int, words: str = "") -> Iterator[Row]:
    """Yields a row with the seconds of CPU for reading a shape, and for each job whose name contains
    `words`."""
    versions, content_type = SHAPES[shape](size)
    named = f"{shape}, {size // 1000} KB"
    answers = [_answer(version, content_type) for version in versions]
    began = time.process_time()
    digests: list[PageDigest] = []
    # A page that is refused with an error of ours was handled as well.
    with suppress(WebVigilError):
        digests = [read(answer.body, content_type, URL) for answer in answers]
    if words in "reading":
        yield _row(f"{named}: reading", (time.process_time() - began) / 2)
    if not digests:
        return
    for name, job in {**JOBS, **of_answers(*answers)}.items():
        if words in name:
            yield _row(f"{named}: {name}", _seconds(job, digests))


def _answer(version: str, content_type: str) -> Answer:
    body = version.encode("utf-8", "surrogatepass")
    return Answer(url=URL, status=200, headers=(("content-type", content_type),), body=body)


def rows(
    shapes: list[str] | None = None, sizes: tuple[int, ...] = SIZES, words: str = "", each: bool = False
) -> Iterator[Row]:
    """Yields the slowest job of each shape, or all of them."""
    for shape in shapes or SHAPES:
        for size in sizes:
            found = sorted(measured_on(shape, size, words), key=lambda row: -row["ours"])
            yield from found if each else found[:1]


def measured() -> list[Row]:
    """Returns the rows of a run without arguments."""
    return list(rows())


def _seconds(job: Job, digests: list[PageDigest]) -> float:
    old, new = (PageDigest(digest._containers) for digest in digests)
    with seldom_searched():
        began = time.process_time()
        with _patience():
            job(old, new)
        return time.process_time() - began


class _GivenUp(BaseException):
    pass


@contextmanager
def _patience() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise _GivenUp

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        with suppress(_GivenUp):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _row(name: str, seconds: float) -> Row:
    return {
        "name": name,
        "ours": round(seconds, 3),
        "peer": LIMIT,
        "against": "limit, s",
        "ratio": round(LIMIT / max(seconds, 1e-3), 2),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments.add_argument("--all", action="store_true", help="every job, not only the slowest")
    arguments.add_argument("--size", type=int, action="append", help="bytes of each version")
    arguments.add_argument("--shape", action="append", choices=list(SHAPES), help="only this shape")
    arguments.add_argument("--job", default="", help="only jobs with these words in their name")
    chosen = arguments.parse_args()
    found = []
    for row in rows(chosen.shape, tuple(chosen.size or SIZES), chosen.job, chosen.all):
        found.append(row)
        if not chosen.json:
            print(_line(row), flush=True)
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        late = sorted((row for row in found if row["ours"] > LIMIT), key=lambda row: -row["ours"])
        print(f"\n{len(late)} of {len(found)} take more than {LIMIT} s", *map(_line, late), sep="\n")


def _line(row: Row) -> str:
    verdict = "" if row["ours"] <= LIMIT else "TOO SLOW"
    return f"{row['name']:70} {row['ours']:8.3f} s {verdict}".rstrip()


if __name__ == "__main__":
    main()
