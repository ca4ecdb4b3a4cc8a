"""Checks on real pages that nothing crashes, that a page equals itself, and that swapped pages swap changes.

Real pairs have no annotation, so there are no figures; what must hold for any two pages is checked.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from webvigil.document import PageDigest, read
from webvigil.model.change import OPPOSITE, ObjectChange

DATA = Path(__file__).parents[3] / "shared" / "data"
MONITORS = (
    "any change",
    "all links",
    "all images",
    "all words",
    "all words except {the, a, de, la}",
    "keywords: {data, service, terms, conditions, privacy}",
    "phrase: {personal data}",
    "phrase: {données personnelles}",
    "table: {1}",
    "list: {2}",
    "regular expression: {[0-9]+}",
    "regular expression: {https?://[^\"' <>]+} in source",
    "content",
    "structure",
    "layout",
    "tags",
    "attributes",
    "comments",
    'value css "h1"',
    'value xpath "//title"',
    'value regex "([0-9]{4})"',
)


def main(folder: Path) -> int:
    if not folder.is_dir():
        print(f"{folder} is not there; --real takes the folder with pairs/ and history/", file=sys.stderr)
        return 2
    broken = seen = 0
    for name, old, new in pairs(folder):
        for monitor in MONITORS:
            seen += 1
            for complaint in complaints(old, new, monitor):
                broken += 1
                print(f"{name}: {monitor}: {complaint}")
    print(f"{seen} comparisons, {broken} broken laws")
    return 1 if broken else 0


def pairs(folder: Path) -> Iterator[tuple[str, PageDigest, PageDigest]]:
    """Yields the pairs, and the neighbours of each history."""
    for old in sorted(folder.glob("pairs/*.old.html")):
        yield (
            old.name.removesuffix(".old.html"),
            _read(old),
            _read(old.with_name(old.name.replace(".old.", ".new."))),
        )
    for history in sorted(folder.glob("history/*")):
        versions = sorted(history.glob("*.html"))
        for earlier, later in pairwise(versions):
            yield f"{history.name} {earlier.stem}-{later.stem}", _read(earlier), _read(later)


def complaints(old: PageDigest, new: PageDigest, monitor: str) -> Iterator[str]:
    """Yields a sentence for each law that two pages break."""
    from webvigil.detect.find import evaluate
    from webvigil.language import parse_expression

    expression = parse_expression(monitor)
    started = time.perf_counter()
    try:
        evaluation = evaluate(old, new, expression)
        forward = _objects(evaluation)
        backward = _objects(evaluate(new, old, expression))
        itself = _objects(evaluate(new, new, expression))
    except Exception as error:  # noqa: BLE001 - the point is to find them
        yield f"{type(error).__name__}: {error}"
        return
    if time.perf_counter() - started > 3:
        yield f"three comparisons took {time.perf_counter() - started:.1f} s"
    if itself:
        yield f"a page differs from itself: {itself[0]}"
    if nameless := [one for one in forward if not one.object]:
        yield f"{len(nameless)} objects without a name"
    yield from (
        f"share {finding.share}, score {finding.score}"
        for finding in evaluation.findings
        if not (0 <= finding.share <= 1 and finding.score >= 0)
    )
    here, there = Counter(map(_told, forward)), Counter(map(_reversed, backward))
    if here != there:
        only_here, only_there = [*(here - there)][:2], [*(there - here)][:2]
        yield f"backwards is not the reverse: {only_here} / {only_there}"


def _read(path: Path) -> PageDigest:
    return read(path.read_bytes(), "text/html", f"https://example.org/{path.stem}")


def _objects(evaluation: object) -> list[ObjectChange]:
    return [one for finding in evaluation.findings for one in finding.objects]  # type: ignore[attr-defined]


def _told(one: ObjectChange) -> tuple[object, ...]:
    return (_name(one), str(one.status), one.old, one.new, one.before, one.after)


def _reversed(one: ObjectChange) -> tuple[object, ...]:
    return (_name(one), str(OPPOSITE[one.status]), one.new, one.old, one.after, one.before)


def _name(one: ObjectChange) -> str:
    """Returns the name of an object; "" for an updated object, which may have the name of its old or of its
    new form."""
    return "" if one.before is not None and one.after is not None else one.object
