"""What the store's work costs with few and with many sentinels of one user, and how it grows.

    python -m bench.speed.growth [--json] [--sizes 1000,10000]

The sentinels are installed as a user does, from one text, in an SQLite database; each has a page of its own.
Every row is measured in each size. `exponent` tells how it grows with their number: 0 is not at all, 1 is in
proportion. The ratio compares the largest size with work on the same sentinels in the same run: parsing their
texts, reading them all, or foretelling all their lives. A ratio above 1 means that less is done than that.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.speed.telling import tell
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install
from webvigil.app.sentinels.timeline import timeline_for, timeline_of
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.language import parse
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Knowledge

Row = dict[str, Any]
SIZES = (1_000, 10_000)
TIMES = 5
_TEXT = """Create Sentinel s{number} Using http://host{host}.test/page{number}
Monitor all links OR keywords: {{price, offer}}
Fetch {hours} hour
"""


class Costs(NamedTuple):
    """Milliseconds of CPU: what is measured, and what it is compared with."""

    ours: dict[str, float]
    peers: dict[str, float]


_AGAINST = {
    "installing one": "parsing it",
    "the keeper's first turn": "parsing all",
    "a page of the list": "reading all",
    "the list with words that nothing has": "reading all",
    "counting all states": "reading all",
    "a piece of the time line, 200": "the time line of all",
    "claiming 100 pages": "reading all",
}


def rows(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    found = {size: _measured(size) for size in sizes}
    first, last = min(found), max(found)
    return [
        _row(name, against, found[first], found[last], last / first) for name, against in _AGAINST.items()
    ]


def _row(name: str, against: str, few: Costs, many: Costs, times: float) -> Row:
    ours, peer = many.ours[name], many.peers[against]
    exponent = math.log(ours / few.ours[name]) / math.log(times) if times > 1 else 0.0
    return {
        "name": f"{name}, ms",
        "ours": ours,
        "peer": peer,
        "against": against,
        "ratio": peer / ours,
        "exponent": round(exponent, 2),
    }


def _measured(size: int) -> Costs:
    texts = "\n".join(
        _TEXT.format(number=number, host=number % 500, hours=1 + number % 12) for number in range(size)
    )
    parse(_TEXT.format(number=0, host=0, hours=1))  # the grammar is loaded before anything is measured
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings({"data": folder}, environment={})
        with opened(settings) as knowledge:
            parsing = _cpu(lambda: parse(texts))
            installing = _cpu(lambda: install(knowledge, settings, parse(texts)))
            reading = _cpu(lambda: knowledge.sentinels.all(settings.user))
            foretelling = _cpu(lambda: timeline_of(knowledge, settings.user))
            ours = {name: _least(work) for name, work in _works(knowledge, settings).items()}
    each = {"installing one": installing / size}
    peers = {"parsing it": parsing / size, "parsing all": parsing, "reading all": reading}
    return Costs(ours | each, peers | {"the time line of all": foretelling})


def _works(knowledge: Knowledge, settings: Settings) -> dict[str, Callable[[], object]]:
    sentinels, user = knowledge.sentinels, settings.user
    wanted = WantedSentinels(user=user)
    missing = WantedSentinels(user=user, words="what nobody wrote")
    piece = WantedSentinels(user=user, limit=200)
    return {
        "the keeper's first turn": lambda: Keeper(knowledge).turn(),
        "a page of the list": lambda: sentinels.some(wanted),
        "the list with words that nothing has": lambda: sentinels.some(missing),
        "counting all states": lambda: sentinels.states(user),
        "a piece of the time line, 200": lambda: timeline_for(knowledge, user, sentinels.some(piece)),
        "claiming 100 pages": lambda: knowledge.schedule.claim("w", hosts=50, pages=2, lease=1),
    }


def _least(work: Callable[[], object]) -> float:
    return min(_cpu(work) for _ in range(TIMES))


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return max(1e-3, (time.process_time() - began) * 1000)


def main() -> None:
    words = sys.argv[1:]
    told = words[words.index("--sizes") + 1] if "--sizes" in words else ""
    sizes = tuple(int(size) for size in told.split(",")) if told else SIZES
    tell(rows(sizes), "{name:44}{ours:9.2f} {against:22}{peer:10.2f} {ratio:8.1f}  grows as n^{exponent}")


if __name__ == "__main__":
    main()
