"""Workers killed, frozen, and without their database: is every change found exactly once?

    python -m bench.quality.faults [--pages N] [--workers N] [--kills N] [--sqlite] [--json]

A site on loopback changes every page in rounds; workers look at it while one after the other is killed with
-9, one is frozen longer than its lease, and the database crashes and comes back; at the end they are told to
stop. Counted are changes that were lost or found twice, notices lost or written twice, pages fetched by two
at a time, and workers that did not end in peace. All must be 0.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from bench.processes import QUICK, Fleet, Postgres, WorkerProcess, eventually
from tests.site import Site
from webvigil.app.operating.stores import opened, repository
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import outbox, page

Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    pages: int = 1000
    hosts: int = 10
    workers: int = 4
    kills: int = 100
    lease: float = 3.0
    sqlite: bool = False
    pause: float = 1.5  # seconds between two kills, on the average
    seed: int = 42


@dataclass
class Findings:
    """How often each kind of fault was found, and a sentence about the first case of each kind."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def wrong(self, what: str, example: str, count: int = 1) -> None:
        self.counts[what] += count
        self.examples.setdefault(what, example)


WRONGS = (
    "changes lost",
    "changes found twice",
    "notices lost",
    "notices written twice",
    "fetched by two at once",
    "ended badly",
)


class World:
    """The sites with their pages, the number of the present round, and the installation that watches them."""

    def __init__(self, plan: Plan, sites: list[Site], settings: Settings) -> None:
        self.plan = plan
        self.sites = sites
        self.settings = settings
        self.round = 1
        self._pages = [
            sites[number % len(sites)].page(f"/{number}", self.content(number, 1))
            for number in range(plan.pages)
        ]

    @staticmethod
    def content(number: int, round_: int) -> str:
        return f"<title>Page {number}</title><p>This is state {round_} of page {number}."

    def install(self) -> None:
        texts = [
            # Without `Quiet off` a change that a page makes often would be left out, but each version must
            # have one.
            f"Create Sentinel s{number} Using {one.url}\nMonitor any change\nQuiet off\nFetch 2 second\n"
            "Notify By log\n"
            for number, one in enumerate(self._pages)
        ]
        with opened(self.settings) as knowledge:
            install_text(knowledge, self.settings, "".join(texts))

    def change_all(self) -> None:
        self.round += 1
        for number, one in enumerate(self._pages):
            one.becomes(self.content(number, self.round))

    def unseen(self, knowledge: SqlKnowledge) -> int:
        """Returns how many pages were not yet seen in their present state."""
        behind = select(func.count()).select_from(page).where(page.c.latest < self.round)
        with knowledge.database.read() as connection:
            return int(connection.execute(behind).scalar_one())

    def judged(self, knowledge: SqlKnowledge) -> Findings:
        findings = Findings()
        pages = repository(self.settings, knowledge.versions)
        notices = _notices(knowledge)
        for sentinel in knowledge.sentinels.all():
            number, watched = int(sentinel.name[1:]), sentinel.pages[0].id
            versions = knowledge.versions.of(watched)[::-1]
            bodies = [pages.answer(version.object).body.decode() for version in versions]
            expected = [self.content(number, round_) for round_ in range(1, self.round + 1)]
            told = [
                (change.old_version, change.new_version)
                for change in knowledge.changes.all(sentinel=sentinel.name, limit=10_000)
            ]
            wanted = list(pairwise(range(1, self.round + 1)))
            _compare(findings, "changes", "found twice", sentinel.name, Counter(told), Counter(wanted))
            if bodies != expected:
                findings.wrong("changes lost", f"{sentinel.name}: {bodies}")
            keys = Counter(f"{watched}:{sentinel.id}:{old}-{new}:0" for old, new in wanted)
            mine = Counter({key: count for key, count in notices.items() if key in keys})
            _compare(findings, "notices", "written twice", sentinel.name, mine, keys)
        for overlap in self._overlaps():
            findings.wrong("fetched by two at once", overlap)
        return findings

    def _overlaps(self) -> Iterator[str]:
        """Yields a sentence for each page that two workers fetched at the same time, by the logs of the
        sites."""
        for site in self.sites:
            by_path: dict[str, list[Any]] = {}
            for request in site.requests:
                if request.path != "/robots.txt" and request.seconds is not None:
                    by_path.setdefault(request.path, []).append(request)
            for path, requests in by_path.items():
                for earlier, later in pairwise(requests):
                    if later.at < earlier.at + earlier.seconds and later.connection != earlier.connection:
                        yield f"{site.url}{path} at {earlier.at:.3f} and {later.at:.3f}"


def _notices(knowledge: SqlKnowledge) -> Counter[str]:
    with knowledge.database.read() as connection:
        return Counter(connection.scalars(select(outbox.c.dedup)))


def _compare(
    findings: Findings, what: str, twice: str, name: str, found: Counter[Any], wanted: Counter[Any]
) -> None:
    if lost := wanted - found:
        findings.wrong(f"{what} lost", f"{name}: {dict(lost)}", lost.total())
    if surplus := found - wanted:
        findings.wrong(f"{what} {twice}", f"{name}: {dict(surplus)}", surplus.total())


@contextmanager
def world(plan: Plan) -> Iterator[tuple[World, Postgres | None]]:
    with ExitStack() as open_, tempfile.TemporaryDirectory(prefix="webvigil-faults-") as folder:
        sites = [open_.enter_context(Site(f"127.0.0.{number + 1}")) for number in range(plan.hosts)]
        server = None if plan.sqlite else open_.enter_context(Postgres())
        given = {"data": folder, "objects": str(Path(folder) / "objects")}
        given |= {"database": server.url} if server else {}
        settings = read_settings(given, environment={**QUICK})
        made = World(plan, sites, settings)
        made.install()
        yield made, server


def worker_of(made: World, **environment: str) -> WorkerProcess:
    settings = made.settings
    arguments = ["--data", str(settings.data), "--objects", settings.objects]
    if settings.database:
        arguments += ["--database", settings.database]
    return WorkerProcess(
        *arguments, WEBVIGIL_LOG_LEVEL="info", WEBVIGIL_LEASE=str(made.plan.lease), **environment
    )


def suffer(plan: Plan, say: Any = lambda _: None) -> tuple[Findings, Row]:
    """Runs the plan: kills, a frozen worker and a crash of the database while pages change. Returns what was
    wrong and what was done. `say` gets a line after each round."""
    chance = random.Random(plan.seed)
    with world(plan) as (made, server), Fleet(plan.workers, partial(worker_of, made)) as fleet:
        knowledge = SqlKnowledge(made.settings.database_url)
        try:
            started = time.monotonic()
            _see_round(made, knowledge)
            troubling = threading.Thread(target=_trouble, args=(plan, fleet, server, chance), daemon=True)
            troubling.start()
            while troubling.is_alive():
                made.change_all()
                _see_round(made, knowledge)
                say(f"round {made.round}: {fleet.kills} kills")
            troubling.join()
            made.change_all()
            _see_round(made, knowledge)
            seconds = time.monotonic() - started
            done = {
                "pages": plan.pages,
                "workers": plan.workers,
                "kills": fleet.kills,
                "rounds": made.round,
                "changes": plan.pages * (made.round - 1),
                "seconds": round(seconds, 1),
            }
            codes = fleet.drain()
            findings = made.judged(knowledge)
            for code in filter(None, codes):
                findings.wrong("ended badly", f"exit code {code}")
            return findings, done
        finally:
            knowledge.close()


def _see_round(made: World, knowledge: SqlKnowledge) -> None:
    within = 60 + made.plan.pages / 10

    def seen() -> bool:
        try:
            return made.unseen(knowledge) == 0
        except Exception:  # noqa: BLE001  (the database is away, as planned)
            return False

    eventually(seen, within=within, what="the present state of every page", every=0.25)


def _trouble(plan: Plan, fleet: Fleet, server: Postgres | None, chance: random.Random) -> None:
    crash, freeze = plan.kills // 2, plan.kills // 3
    for number in range(plan.kills):
        time.sleep(chance.uniform(0.2, 1.8) * plan.pause)
        if server and number == crash:
            server.crash_and_come_back()
        if number == freeze:
            fleet.freeze_one(chance, plan.lease * 1.5)
        fleet.kill_one(chance)


def rows(plan: Plan | None = None) -> list[Row]:
    findings, done = suffer(plan or Plan())
    return [
        {"name": what, "ours": findings.counts[what], "peer": 0, "against": "none at all", "ratio": 1.0}
        | {"run": done, "example": findings.examples.get(what, "")}
        for what in WRONGS
    ]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=Plan.pages)
    parser.add_argument("--hosts", type=int, default=Plan.hosts)
    parser.add_argument("--workers", type=int, default=Plan.workers)
    parser.add_argument("--kills", type=int, default=Plan.kills)
    parser.add_argument("--pause", type=float, default=Plan.pause)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = vars(parser.parse_args())
    as_json = given.pop("json")
    if given["sqlite"]:
        given["workers"] = 1
    plan = Plan(**given)
    if as_json:
        found = rows(plan)
        print(json.dumps(found, indent=1))
        return 1 if any(row["ours"] for row in found) else 0
    findings, done = suffer(plan, lambda line: print(line, flush=True))
    print(", ".join(f"{value} {name}" for name, value in done.items()))
    for what in WRONGS:
        print(f"{findings.counts[what]:6} {what}  {findings.examples.get(what, '')[:200]}")
    return 1 if findings.counts else 0


if __name__ == "__main__":
    sys.exit(main())
