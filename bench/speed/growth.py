"""What the store's work costs with few and with many sentinels of one user, and how it grows.

    python -m bench.speed.growth [--json] [--sizes 1000,10000] [--database sqlite|postgresql]

The first thousand sentinels are installed as a user does, from one text; each has a page of its own, a
version and a change with a notice. The others are copies of their rows (`bench.speed.many`). Every row is
measured in each size, in milliseconds of CPU, with PostgreSQL those of the server included. `exponent` tells
how it grows between the two largest sizes: 0 is not at all, 1 is in proportion. The ratio compares the
largest size with work on the same sentinels: parsing their texts, reading them all, or foretelling all their
lives. That is measured with at most ten thousand, and counted in proportion for more. A ratio above 1 means
that less is done than that.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.processes import Postgres
from bench.speed.many import SEED, TEXT, copied, seeded
from bench.speed.telling import tell
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install
from webvigil.app.sentinels.timeline import timeline_for, timeline_of
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.language import parse
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.model.work import CheckResult, Claim, HostAfter, Look, Visited, WatchUpdate
from webvigil.store.archive import back_up
from webvigil.store.objects import open_objects
from webvigil.store.sql.knowledge import SqlKnowledge

Row = dict[str, Any]
SIZES = (1_000, 10_000)
TIMES = 5
ENOUGH = 2_000  # milliseconds; work that takes longer is measured once
_COMPARED = 10_000  # the most sentinels with which the other side of a ratio is measured
_A_DAY = 86_400_000


class Costs(NamedTuple):
    """Milliseconds of CPU by the name of the row: of the store's work, and of the work it is compared
    with."""

    ours: dict[str, float]
    peers: dict[str, float]


_AGAINST = {
    "installing one": "parsing it",
    "the keeper's first turn": "parsing all",
    "a page of the list": "reading all",
    "the list with words that nothing has": "reading all",
    "the list of a topic": "reading all",
    "the list of what has trouble": "reading all",
    "the list by the newest change": "reading all",
    "counting all states": "reading all",
    "a piece of the time line, 200": "the time line of all",
    "the inbox with its counts": "reading all",
    "searching a rare word": "reading all",
    "searching a word of every change": "reading all",
    "claiming 100 pages": "reading all",
    "finishing 100 pages": "reading all",
    "a backup": "reading all",
}


def rows(sizes: tuple[int, ...] = SIZES, database: str = "sqlite") -> list[Row]:
    found = {size: _measured(size, database) for size in sorted(sizes)}
    compared = max((size for size in found if size <= _COMPARED), default=min(found))
    return [_row(name, against, found, compared) for name, against in _AGAINST.items()]


def _row(name: str, against: str, found: dict[int, Costs], compared: int) -> Row:
    few, many = sorted(found)[-2:] if len(found) > 1 else (max(found), max(found))
    ours = found[many].ours[name]
    times = 1 if against.endswith(" it") else many / compared
    peer = found[compared].peers[against] * times
    growth = math.log(ours / found[few].ours[name]) / math.log(many / few) if many > few else 0.0
    return {
        "name": f"{name}, ms",
        "ours": ours,
        "peer": peer,
        "against": against,
        "ratio": peer / ours,
        "exponent": round(growth, 2),
        "sizes": {size: round(costs.ours[name], 2) for size, costs in found.items()},
    }


def _measured(size: int, database: str) -> Costs:
    seed = min(SEED, size)
    texts = "\n".join(
        TEXT.format(number=number, host=number % 500, hours=1) for number in range(size, size + seed)
    )
    parse(TEXT.format(number=0, host=0, hours=1))  # the grammar is loaded before anything is measured
    with _store(database) as (knowledge, settings, busy):
        seeded(knowledge, settings, seed)
        copied(knowledge, seed, size // seed)
        meter = Meter(busy)
        parsing = meter.once(lambda: parse(texts)) / seed
        installing = meter.once(lambda: install(knowledge, settings, parse(texts))) / seed
        ours = {name: meter.least(work) for name, work in _works(knowledge, settings).items()}
        ours |= {"installing one": installing, "finishing 100 pages": meter.least_of(_finishes(knowledge))}
        peers = {"parsing it": parsing, "parsing all": parsing * size}
        if size <= _COMPARED:
            peers |= {
                "reading all": meter.once(lambda: knowledge.sentinels.all(settings.user)),
                "the time line of all": meter.once(lambda: timeline_of(knowledge, settings.user)),
            }
    return Costs(ours, peers)


@contextmanager
def _store(database: str) -> Iterator[tuple[SqlKnowledge, Settings, Callable[[], float]]]:
    """Yields an empty store, and how to read the seconds of CPU that its server has used."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"data": folder, "host_delay": "0"}
        if database == "sqlite":
            with opened(settings := read_settings(given, environment={})) as knowledge:
                assert isinstance(knowledge, SqlKnowledge)
                yield knowledge, settings, lambda: 0.0
            return
        with Postgres() as server:
            settings = read_settings({**given, "database": server.url}, environment={})
            with opened(settings) as knowledge:
                assert isinstance(knowledge, SqlKnowledge)
                yield knowledge, settings, server.processor_time


def _works(knowledge: SqlKnowledge, settings: Settings) -> dict[str, Callable[[], object]]:
    sentinels, changes, user = knowledge.sentinels, knowledge.changes, settings.user
    wanted, piece = WantedSentinels(user=user), WantedSentinels(user=user, limit=200)
    unread = WantedChanges(user=user, seen=False)
    listed = {
        "a page of the list": wanted,
        "the list with words that nothing has": WantedSentinels(user=user, words="what nobody wrote"),
        "the list of a topic": WantedSentinels(user=user, topic="rare"),
        "the list of what has trouble": WantedSentinels(user=user, trouble=True),
        "the list by the newest change": WantedSentinels(user=user, order="time"),
    }
    return {
        **{name: lambda one=one: sentinels.some(one) for name, one in listed.items()},  # type: ignore[misc]
        "the keeper's first turn": lambda: Keeper(knowledge).turn(),
        "counting all states": lambda: sentinels.states(user),
        "a piece of the time line, 200": lambda: timeline_for(knowledge, user, sentinels.some(piece)),
        "the inbox with its counts": lambda: (
            changes.some(unread),
            changes.count(unread, most=1000),
            changes.outlines(WantedChanges(user=user, seen=False, limit=1000)),
        ),
        "searching a rare word": lambda: knowledge.search.find(user, "rarity7", limit=50),
        "searching a word of every change": lambda: knowledge.search.find(user, "offer", limit=50),
        "claiming 100 pages": lambda: knowledge.schedule.claim("w", hosts=50, pages=2, lease=1),
        "a backup": lambda: _backed_up(knowledge, settings),
    }


def _backed_up(knowledge: SqlKnowledge, settings: Settings) -> None:
    with tempfile.TemporaryDirectory() as folder:
        back_up(knowledge.database, open_objects(settings.objects_url), Path(folder) / "backup.zip")


def _finishes(knowledge: SqlKnowledge) -> Iterator[Callable[[], object]]:
    """Yields functions that each write back a hundred pages. The pages are claimed before the function is
    measured."""
    time.sleep(0.01)  # until the leases of the claims that were measured before have run out
    for _ in range(TIMES):
        claims = knowledge.schedule.claim("w", hosts=50, pages=2, lease=600_000)
        if not claims:
            return
        visits = [_visited(claim) for claim in claims]
        yield lambda visits=visits: knowledge.schedule.finish_all(visits)  # type: ignore[misc]


def _visited(claim: Claim) -> Visited:
    """Returns a visit in which every claimed page is unchanged and due again tomorrow."""
    tomorrow = claim.now + _A_DAY
    results = [
        CheckResult(
            page=due.id,
            asked=due.asked,
            due=tomorrow,
            failures=0,
            look=Look(why="due", decision="not modified", status=304, reason="the server says so by ETag"),
            validators=due.validators,
            watches=tuple(
                WatchUpdate(sentinel=one.sentinel, reference=one.reference, next_at=tomorrow)
                for one in due.watches
            ),
        )
        for due in claim.pages
    ]
    return Visited(claim=claim, results=tuple(results), after=HostAfter(rest=0))


class Meter:
    """Measures the milliseconds of CPU that this process and a database server need for some work."""

    def __init__(self, busy: Callable[[], float]) -> None:
        self._busy = busy

    def once(self, work: Callable[[], object]) -> float:
        theirs, ours = self._busy(), time.process_time()  # in this order: asking the server takes our time
        work()
        ours, theirs = time.process_time() - ours, self._busy() - theirs
        return max(1e-3, (ours + theirs) * 1000)

    def least(self, work: Callable[[], object]) -> float:
        return self.least_of(work for _ in range(TIMES))

    def least_of(self, works: Iterator[Callable[[], object]]) -> float:
        """Returns the least of some runs of the same work; one run is enough of what takes long."""
        least = math.inf
        for work in works:
            least = min(least, self.once(work))
            if least > ENOUGH:
                break
        return least


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    line = "{name:44}{ours:11.2f} {against:22}{peer:11.2f} {ratio:8.1f}  grows as n^{exponent}  {sizes}"
    tell(rows(sizes, given.database), line)


if __name__ == "__main__":
    main()
