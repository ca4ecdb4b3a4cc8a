"""What is told and missed on real histories of pages, beside other ways to compare them (Q1-Q5).

    python -m bench.quality.quiet [--data FOLDER] [--page NAME] [--json] [--check]

A folder has `index.json`, a list of {"page", "versions", "meaningful"}, and for each page `PAGE.tar.xz` with
001.html, 002.html … or a folder of that name. `meaningful` are the numbers of the versions that brought a
change that matters. Every history is looked at by the real check, on a clock of its own and in a store in
memory, twice a day. A row says how many looks there were, how many of them brought a meaningful change, at
how many something was told, and how many meaningful ones were missed. `--check` compares with the bounds
that we hold (exit 1). Text lines, and the main text by trafilatura where that is installed, are compared as
they are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.document import read
from webvigil.fetch.http import Fetched
from webvigil.flow import check
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

Row = dict[str, Any]
DATA = Path(os.environ.get("WEBVIGIL_DATA", Path(__file__).parents[3] / "shared/data")) / "noise"
MONITORS = {
    "any change": "Monitor any change",
    "all words": "Monitor all words",
    "any change, Within main": "Monitor any change Within main",
    "any change, Quiet off": "Monitor any change Quiet off",
}
BOUNDS = {"any change": (7.0, 5 / 28), "any change, Within main": (1.4, 8 / 28)}
"""By monitor: how many reports there may be for each meaningful change, and the largest allowed share of
meaningful changes that are missed."""
_HALF_A_DAY = 12 * 3_600_000


@dataclass(frozen=True)
class History:
    page: str
    versions: list[bytes]
    meaningful: frozenset[int]


@dataclass
class Tally:
    """Counts of one monitor over all histories: looks, meaningful changes, reports and missed changes."""

    looks: int = 0
    meaningful: int = 0
    told: int = 0
    missed: int = 0
    by_page: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)

    def add(self, history: History, told: set[int]) -> None:
        looks = range(2, len(history.versions) + 1)
        matter = history.meaningful.intersection(looks)
        self.looks += len(looks)
        self.meaningful += len(matter)
        self.told += len(told)
        self.missed += len(matter - told)
        self.by_page[history.page] = sorted(told), sorted(matter - told)


def rows(folder: Path = DATA, page: str = "") -> list[Row]:
    found = tallies(folder, page)
    return [
        {
            "monitor": name,
            "looks": one.looks,
            "meaningful": one.meaningful,
            "told": one.told,
            "missed": one.missed,
        }
        for name, one in found.items()
    ]


def beyond(found: list[Row]) -> list[str]:
    """Returns the rows that do not hold their bounds."""
    told = []
    for row in found:
        most, missed = BOUNDS.get(row["monitor"], (float("inf"), 1.0))
        matter = max(1, row["meaningful"])
        if row["told"] / matter > most or row["missed"] / matter > missed:
            told.append(f"{row['monitor']}: {row['told']} told and {row['missed']} missed of {matter}")
    return told


def measured(folder: Path = DATA) -> list[Row]:
    """Returns the bounds against what was measured, as ratios for `bench/floors.json`."""
    return [ratio for row in rows(folder) if row["monitor"] in BOUNDS for ratio in ratios(row)]


def ratios(row: Row) -> list[Row]:
    """Returns how far a row is within its bounds: 1 is at the bound, more is better."""
    matter = max(1, row["meaningful"])
    amounts = {"told per meaningful change": row["told"] / matter, "share missed": row["missed"] / matter}
    return [
        {
            "name": f"{row['monitor']}, {name}",
            "ours": round(ours, 3),
            "peer": round(bound, 3),
            "against": "bound",
            "ratio": round(bound / max(ours, 0.01), 2),
        }
        for (name, ours), bound in zip(amounts.items(), BOUNDS[row["monitor"]], strict=True)
    ]


def tallies(folder: Path, page: str = "") -> dict[str, Tally]:
    others = {"text lines": _lines} | _extractor()
    found = {name: Tally() for name in (*MONITORS, *others)}
    for history in histories(folder):
        if page in history.page:
            for name, told in asyncio.run(_replayed(history)).items():
                found[name].add(history, told)
            for name, text in others.items():
                found[name].add(history, _differing(history, text))
    return found


def histories(folder: Path) -> Iterator[History]:
    for one in json.loads((folder / "index.json").read_text("utf-8")):
        yield History(one["page"], list(_versions(folder / one["page"])), frozenset(one["meaningful"]))


def _versions(place: Path) -> Iterator[bytes]:
    if place.is_dir():
        yield from (file.read_bytes() for file in sorted(place.glob("*.html")))
        return
    with tarfile.open(place.with_name(place.name + ".tar.xz")) as archive:
        for member in sorted(archive.getmembers(), key=lambda one: one.name):
            if content := archive.extractfile(member):
                yield content.read()


# --- the real check ----------------------------------------------------------------------------------


class _Replay:
    """Answers with the version at hand, as a server would."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.body = b""

    async def fetch(self, *_: Any, **__: Any) -> Fetched:
        kind = (("content-type", "text/html; charset=utf-8"),)
        answer = Answer(url=self.url, status=200, headers=kind, body=self.body)
        return Fetched(answer=answer, status=200, validators={}, received=len(self.body))


class _Clock:
    now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


async def _replayed(history: History) -> dict[str, set[int]]:
    """Runs the real check over a history, and returns for each monitor the looks that reported something."""
    clock = _Clock()
    knowledge = MemoryKnowledge(delay=0, clock=clock)
    knowledge.users.add("bench")
    url = f"https://{history.page[:50]}.example/page"
    names = {f"s{number}": name for number, name in enumerate(MONITORS)}
    text = "\n".join(
        f"Create Sentinel {name} Using {url} Fetch 12 hour {MONITORS[monitor]}"
        for name, monitor in names.items()
    )
    install_text(knowledge, read_settings({"user": "bench"}, environment={}), text)
    replay = _Replay(url)
    stages = RealStages(replay, knowledge, PageRepository(MemoryObjects()))  # type: ignore[arg-type]
    told: dict[str, set[int]] = {monitor: set() for monitor in MONITORS}
    last = 0
    for number, replay.body in enumerate(history.versions, 1):
        for claim in knowledge.schedule.claim("bench", hosts=1, pages=1, lease=30_000):
            results = [await check(due, claim.now, stages) for due in claim.pages]
            knowledge.schedule.finish(claim, results)
        for one in knowledge.changes.all(after=last):
            told[names[one.sentinel]].add(number)
            last = max(last, one.id)
        clock.now += _HALF_A_DAY
    return told


# --- beside it ---------------------------------------------------------------------------------------


def _differing(history: History, text: Callable[[bytes], object]) -> set[int]:
    texts = [text(body) for body in history.versions]
    return {number + 1 for number in range(1, len(texts)) if texts[number] != texts[number - 1]}


def _lines(body: bytes) -> list[str]:
    return read(body, "text/html; charset=utf-8").visible_text.split("\n")


def _extractor() -> dict[str, Callable[[bytes], object]]:
    try:
        from trafilatura import extract
    except ImportError:
        return {}
    return {"main text by trafilatura": partial(extract, include_comments=False)}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=DATA, help="the folder of histories")
    arguments.add_argument("--page", default="", help="only pages with this in their names, look by look")
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--check", action="store_true", help="exit 1 beyond the bounds")
    chosen = arguments.parse_args()
    if not (chosen.data / "index.json").is_file():
        print(f"{chosen.data} has no index.json", file=sys.stderr)
        return 2
    found = rows(chosen.data, chosen.page)
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(map(_line, found)))
    late = beyond(found) if chosen.check else []
    print("\n".join(late), file=sys.stderr, end="\n" if late else "")
    return 1 if late else 0


def _line(row: Row) -> str:
    each = row["told"] / max(1, row["meaningful"])
    return (
        f"{row['monitor']:26} {row['told']:5} told at {row['looks']} looks, {each:5.1f} per meaningful"
        f" change, {row['missed']:3} of {row['meaningful']} missed"
    )


if __name__ == "__main__":
    sys.exit(main())
