"""Pages made to hurt: how long does each change type take on a megabyte of them?

    python -m bench.speed.hostile [--shape NAME] [--all] [--json]

Two versions of every shape, each up to 1 MB, are made here. A row is one shape: the seconds of CPU of the
change type that takes longest on it, from digests that know nothing yet, against the second that no page
may hold a worker. `--all` prints every change type. `reading` is the time it takes to make the digest.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from webvigil.detect.find import find
from webvigil.document import PageDigest, read
from webvigil.errors import WebVigilError
from webvigil.model.sentinel import ChangeType

MEGABYTE = 1_000_000
LIMIT = 1.0

Row = dict[str, Any]
Versions = tuple[str, str]

TYPES = (
    ChangeType("any change"),
    ChangeType("exact change"),
    ChangeType("all links"),
    ChangeType("all images"),
    ChangeType("all words"),
    ChangeType("all words", ("the", "a b")),
    ChangeType("keywords", ("a", "b", "word")),
    ChangeType("phrase", ("a b a",)),
    ChangeType("phrase", ("a",)),
    ChangeType("phrase", ("low risk growth",), "context tags"),
    ChangeType("table", ("1",)),
    ChangeType("table", ("word",)),
    ChangeType("list", ("1",)),
    ChangeType("list", ("word",)),
    ChangeType("regular expression", (r"\w+ \w+",)),
    ChangeType("regular expression", (r"a",), "in source"),
    ChangeType("content"),
    ChangeType("structure"),
    ChangeType("layout"),
    ChangeType("tags"),
    ChangeType("attributes"),
    ChangeType("comments"),
    ChangeType("value", ("p",), "css"),
)


# --- shapes ------------------------------------------------------------------------------------------


def _filled(piece: str, size: int = MEGABYTE) -> str:
    return piece * (size // len(piece.encode()))


def _joined(pieces: Iterator[str], size: int = MEGABYTE) -> str:
    found, length = [], 0
    for piece in pieces:
        length += len(piece.encode())
        if length > size:
            break
        found.append(piece)
    return "".join(found)


def _endless(make: Callable[[int], str]) -> Iterator[str]:
    number = 0
    while True:
        yield make(number)
        number += 1


def _each(make: Callable[[int, int], str]) -> Versions:
    """The two versions of what is made of a number and the version, as often as there is room."""
    return _joined(_endless(lambda n: make(n, 0))), _joined(_endless(lambda n: make(n, 1)))


def _shuffled(make: Callable[[int], str], around: str = "{}") -> Versions:
    old: list[str] = []
    length = 0
    while length < MEGABYTE - 100:
        old.append(make(len(old)))
        length += len(old[-1])
    new = old[:]
    random.Random(1).shuffle(new)
    return around.format("".join(old)), around.format("".join(new))


def _chance(words: str, seed: int) -> str:
    dice = random.Random(seed)
    return " ".join(dice.choices(words.split(), k=MEGABYTE // 3))


def _halves(make: Callable[[int], str]) -> Versions:
    pieces = _joined(_endless(make)).split(" ")
    half = len(pieces) // 2
    return " ".join(pieces), " ".join(pieces[half:] + pieces[:half])


def _ragged(version: int) -> str:
    wide = "".join(f"<td>{n}" for n in range(20_000))
    rows = _filled(f"<tr><td>word{version}<td>b", 800_000)
    return f"<table><tr>{wide}{rows}</table>"


def _spread(version: int) -> str:
    return "<table>" + _filled(f"<tr><td colspan=1000 rowspan=1000>word {version}<td>a") + "</table>"


def _record(number: int, version: int) -> str:
    return f"<r id='{number}'><a>{number * (1 + version)}</a><b>word {number}</b></r>"


SHAPES: dict[str, Callable[[], tuple[Versions, str]]] = {
    "nested divs": lambda: ((_filled("<div>") + "old", _filled("<div>") + "new"), "text/html"),
    "nested with text": lambda: (_each(lambda n, v: f"<div>word {n + v}"), "text/html"),
    "nested tables": lambda: (_each(lambda n, v: f"<table><tr><td>{n * (1 + v)}"), "text/html"),
    "nested lists": lambda: (_each(lambda n, v: f"<ul><li>{n * (1 + v)} word"), "text/html"),
    "many tables": lambda: (_each(lambda n, v: f"<table><tr><td>{n * (1 + v)}</table>"), "text/html"),
    "many lists": lambda: (_each(lambda n, v: f"<ul><li>{n % (7 + v)} word</ul>"), "text/html"),
    "equal paragraphs, some new": lambda: (
        (_filled("<p>x"), _filled("<p>x" * 9 + "<p>y")),
        "text/html",
    ),
    "paragraphs, all changed": lambda: (_each(lambda n, v: f"<p>a {n * 2 + v} b"), "text/html"),
    "paragraphs, shuffled": lambda: (_shuffled(lambda n: f"<p>word {n} a b a"), "text/html"),
    "paragraphs with ids, all changed": lambda: (
        _each(lambda n, v: f"<p id=i{n} class=c{n % (5 + v)}>{n + v}"),
        "text/html",
    ),
    "one word": lambda: ((_filled("a "), _filled("a ") + "a b a"), "text/html"),
    "one word and another": lambda: ((_filled("a "), _filled("a a a b ")), "text/html"),
    "two words by chance": lambda: ((_chance("a b", 1), _chance("a b", 2)), "text/html"),
    "few words by chance": lambda: (
        (_chance("a b c d e the of", 1), _chance("a b c d e the of", 2)),
        "text/html",
    ),
    "all words changed": lambda: (_each(lambda n, v: f"{'ab'[v]}{n} "), "text/html"),
    "halves exchanged": lambda: (_halves(lambda n: f"w{n} "), "text/html"),
    "phrases with new neighbours": lambda: (_each(lambda n, v: f"{n * 2 + v} a b a "), "text/html"),
    "phrases in paragraphs": lambda: (
        _each(lambda n, v: f"<p>{n * 2 + v} <b>low</b> risk growth"),
        "text/html",
    ),
    "phrases, every other gone": lambda: (
        _each(lambda n, v: f"<p>{n} a {'c' if v and n % 2 else 'b'} a"),
        "text/html",
    ),
    "large table": lambda: (
        tuple("<table>" + text for text in _each(lambda n, v: f"<tr><td>{n}<td>{n * (1 + v)}<td>a b")),
        "text/html",
    ),
    "large table, shuffled": lambda: (
        _shuffled(lambda n: f"<tr><td>{n}<td>{n % 7}<td>word", "<table>{}</table>"),
        "text/html",
    ),
    "table of equal rows": lambda: (
        (
            "<table>" + _filled("<tr><td>a<td>b"),
            "<table>" + _filled("<tr><td>a<td>b<tr><td>b<td>a<tr><td>a<td>c"),
        ),
        "text/html",
    ),
    "wide table": lambda: (
        tuple("<table><tr>" + text for text in _each(lambda n, v: f"<td>{n * (1 + v)}")),
        "text/html",
    ),
    "ragged table": lambda: ((_ragged(0), _ragged(1)), "text/html"),
    "spans": lambda: ((_spread(0), _spread(1)), "text/html"),
    "large list, shuffled": lambda: (_shuffled(lambda n: f"<li>word {n}", "<ul>{}</ul>"), "text/html"),
    "large list, all changed": lambda: (
        tuple("<ul>" + text for text in _each(lambda n, v: f"<li>{n * 2 + v} and more words of it")),
        "text/html",
    ),
    "links, all changed": lambda: (_each(lambda n, v: f"<a href=/{'ab'[v]}{n}>x</a>"), "text/html"),
    "links, shuffled": lambda: (_shuffled(lambda n: f"<a href=/{n}>x</a> "), "text/html"),
    "pictures, all changed": lambda: (_each(lambda n, v: f"<img src=/{'ab'[v]}{n}>"), "text/html"),
    "comments, all changed": lambda: (_each(lambda n, v: f"<!--{n * 2 + v}-->"), "text/html"),
    "comments, shuffled": lambda: (_shuffled(lambda n: f"<!--{n}-->"), "text/html"),
    "different names": lambda: (_each(lambda n, v: f"<x{n * 2 + v}>a"), "text/html"),
    "other elements": lambda: (_each(lambda n, v: f"<{'pb'[v]}>{n}</{'pb'[v]}>"), "text/html"),
    "headings, all changed": lambda: (_each(lambda n, v: f"<h2>word {n * 2 + v}</h2>"), "text/html"),
    "ideographs": lambda: (_each(lambda n, v: chr(0x4E00 + (n * (7 + v)) % 5000)), "text/html"),
    "lines of text, shuffled": lambda: (_shuffled(lambda n: f"word {n} a b\n"), "text/plain"),
    "XML records, all changed": lambda: (
        tuple(f"<x>{text}</x>" for text in _each(_record)),
        "text/xml",
    ),
    "XML records, shuffled": lambda: (_shuffled(lambda n: _record(n, 0), "<x>{}</x>"), "text/xml"),
    "deep XML": lambda: (
        ("<a>" * 140_000 + "a" + "</a>" * 140_000, "<a>" * 140_000 + "b" + "</a>" * 140_000),
        "text/xml",
    ),
    "JSON numbers": lambda: (
        tuple(f"[{text}0]" for text in _each(lambda n, v: f"{n * 2 + v},")),
        "application/json",
    ),
    "JSON keys, shuffled": lambda: (_shuffled(lambda n: f'"k{n}":{n},', '{{{}"end":0}}'), "application/json"),
}  # type: ignore[dict-item]


# --- measuring ---------------------------------------------------------------------------------------


def measured_on(shape: str) -> list[Row]:
    """Seconds for reading a shape and for every change type on it."""
    versions, content_type = SHAPES[shape]()
    began = time.process_time()
    digests = [read(version.encode(), content_type, "https://example.org/") for version in versions]
    rows = [_row(f"{shape}: reading", (time.process_time() - began) / 2)]
    for change in TYPES:
        old, new = (PageDigest(digest._containers) for digest in digests)
        began = time.process_time()
        # A clear refusal is an answer, too.
        with suppress(WebVigilError):
            find(old, new, change)
        rows.append(_row(f"{shape}: {_named(change)}", time.process_time() - began))
    return rows


def rows(shapes: list[str] | None = None, each: bool = False) -> list[Row]:
    """The slowest change type of each shape, or all of them."""
    found = []
    for shape in shapes or SHAPES:
        all_rows = measured_on(shape)
        found += all_rows if each else [max(all_rows, key=lambda row: row["ours"])]
    return found


def _named(change: ChangeType) -> str:
    return " ".join([change.kind, *change.arguments, change.option]).strip()


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
    arguments.add_argument("--all", action="store_true", help="every change type, not only the slowest")
    arguments.add_argument("--shape", action="append", choices=list(SHAPES), help="only this shape")
    chosen = arguments.parse_args()
    if chosen.json:
        print(json.dumps(rows(chosen.shape, chosen.all), indent=1))
        return
    for shape in chosen.shape or SHAPES:
        for row in rows([shape], chosen.all):
            verdict = "" if row["ours"] <= LIMIT else "TOO SLOW"
            print(f"{row['name']:60} {row['ours']:8.3f} s {verdict}", flush=True)


if __name__ == "__main__":
    main()
