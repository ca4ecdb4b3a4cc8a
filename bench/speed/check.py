"""What one check costs through the whole worker, and where its CPU goes.

    python -m bench.speed.check [--json] [--profile | --labels] [--pages N]

Pages of 47 KB come from a loopback site in a process of its own; a real worker claims, checks and writes, on
SQLite and a folder of objects. A first look, an unchanged page (304 and 200), a page that differs in a token
only, and an edited page, with `any change` and with nine change types; milliseconds of CPU of this process
for one page. Each row is compared with what we hold ourselves to: a ratio above 1 means that it is held. And
with a simple monitor that looks at pages of the same kind right after it: that ratio depends little on how
fast the machine is.

`--profile` tells the stages apart: fetch (client and event loop of the request), read (parsing, signature),
judge (whether the answer is the page; the signatures of its containers), keep (packing the version), files
(those of the store of objects), load (digests of earlier versions), compare (change types, labels), write
(results in one transaction), schedule (claims, duties, the next look), and the rest: threads, the event loop,
notices. A stage inside another counts for itself alone. Telling them apart takes some hundredths of a
millisecond, so the other rows are measured without it.

The folders of all stores go at the end, together: for minutes after a file was deleted, some file systems
take ten times as long to make a new one.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from difflib import unified_diff
from functools import wraps
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from uuid import uuid4

import aiohttp
from blake3 import blake3
from lxml import html

from bench.peers import runner_ours as runner
from bench.peers.__main__ import _site
from bench.speed.telling import tell
from webvigil import flow
from webvigil.app.operating.garbage import seldom_searched
from webvigil.app.pages import documents
from webvigil.app.pages.documents import Digests
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import read_settings
from webvigil.app.worker import stages
from webvigil.app.worker.evaluate import Evaluator
from webvigil.app.worker.keeper import Keeper
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.detect.in_context import Context
from webvigil.fetch.http import HttpFetcher
from webvigil.store.objects.directory import Directory
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.outbox import SqlOutbox
from webvigil.store.sql.schedule import SqlSchedule

Row = dict[str, Any]
Staged = AbstractContextManager[dict[str, float]]
PAGES = 100
_RUNS = 2
_TURNS = 10
STAGES = ("fetch", "read", "judge", "keep", "files", "load", "compare", "write", "schedule", "rest")


class Case(NamedTuple):
    """A kind of look: the pages of the site, whether the first round is measured or the second, and the most
    milliseconds of CPU that a page may take."""

    name: str
    path: str
    first: bool
    hold: float


CASES = (
    Case("first look", "plain", True, 4.0),
    Case("unchanged, 304", "etag", False, 0.35),
    Case("unchanged, 200", "plain", False, 0.5),
    Case("byte noise", "noise", False, 2.5),
    Case("changed", "edit", False, 4.0),
)
_TYPES = {"any change": False, "nine types": True}
_TIMED: tuple[tuple[str, Any, str], ...] = (
    ("read", stages, "document_of"),
    ("read", documents, "document_of"),
    ("read", stages, "signature_of"),
    ("judge", RealStages, "_examined"),
    ("keep", PageRepository, "made"),
    ("keep", Digests, "keep"),
    ("files", Directory, "put"),
    ("files", Directory, "succeed"),
    ("files", Directory, "get"),
    ("load", Digests, "of"),
    ("compare", Evaluator, "compare"),
    ("compare", stages, "judge"),
    ("write", SqlSchedule, "finish_all"),
    ("schedule", SqlSchedule, "claim"),
    ("schedule", SqlSchedule, "next_at"),
    ("schedule", SqlSchedule, "written"),
    ("schedule", SqlOutbox, "next_at"),
    ("schedule", Keeper, "turn"),
    ("schedule", flow, "_plan"),
)


def measured() -> list[Row]:
    """Returns all rows that have a floor in `bench/floors.json`."""
    return [*rows(), *measured_labels()]


def rows(pages: int = PAGES) -> list[Row]:
    with _site() as site:
        return [
            row
            for case, types, costs in _measured(site, pages, _unstaged)
            for row in _rows(case, types, sum(costs.values()), _simply(site, case, pages))
        ]


def _rows(case: Case, types: str, ours: float, simple: float) -> Iterator[Row]:
    name = f"{case.name}, {types}, ms"
    for peer, against in ((case.hold, "held"), (simple, "a simple monitor")):
        yield {"name": name, "ours": ours, "peer": peer, "against": against, "ratio": peer / ours}


class _Simple:
    """A monitor without a store, a schedule and manners: a hash tells whether a page is another one, lxml
    gives its text, difflib the lines that changed, and gzip packs it."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._at_a_time = asyncio.Semaphore(runner.AT_A_TIME)
        self._hashes: dict[str, bytes] = {}
        self._lines: dict[str, list[str]] = {}

    async def round(self, urls: list[str]) -> float:
        """Looks at all pages, and returns the milliseconds of CPU for one."""
        began = time.process_time()
        await asyncio.gather(*map(self._look, urls))
        return (time.process_time() - began) * 1000 / len(urls)

    async def _look(self, url: str) -> None:
        async with self._at_a_time, self._session.get(url) as response:
            body = await response.read()
        seen = blake3(body).digest()
        if self._hashes.get(url) == seen:
            return
        lines = html.document_fromstring(body).text_content().splitlines()
        list(unified_diff(self._lines.get(url, []), lines, n=0, lineterm=""))
        gzip.compress(body)
        self._hashes[url], self._lines[url] = seen, lines


def _simply(site: str, case: Case, pages: int) -> float:
    """Returns the milliseconds of CPU that a simple monitor takes for such a look. The best of some runs
    counts."""
    return min(
        asyncio.run(_simple_look([f"{site}/{case.path}/{one}/{uuid4().hex}" for one in range(pages)], case))
        for _ in range(_RUNS)
    )


async def _simple_look(urls: list[str], case: Case) -> float:
    async with aiohttp.ClientSession() as session:
        monitor = _Simple(session)
        first = await monitor.round(urls)
        return first if case.first else await monitor.round(urls)


def _measured(
    site: str, pages: int, staged: Callable[[], Staged]
) -> Iterator[tuple[Case, str, dict[str, float]]]:
    with tempfile.TemporaryDirectory() as place:
        _warm_up(site, place)
        for types, nine in _TYPES.items():
            for case in CASES:
                urls = [f"{site}/{case.path}/{number}/{types[:3]}{case.first}" for number in range(pages)]
                yield case, types, asyncio.run(_costs(place, urls, nine, staged, first=case.first))


def _warm_up(site: str, place: str) -> None:
    """Compiles the patterns, as a worker does once."""
    urls = [f"{site}/edit/{1000 + number}" for number in range(10)]
    asyncio.run(_costs(place, urls, nine=True, staged=_unstaged, first=False))


@contextmanager
def _unstaged() -> Iterator[dict[str, float]]:
    """Measures no stage: all is the rest."""
    yield {}


async def _costs(
    place: str, urls: list[str], nine: bool, staged: Callable[[], Staged], *, first: bool
) -> dict[str, float]:
    """Returns the milliseconds of each stage for one page, in the first round or the one after it. The store
    is a new folder in `place`."""
    clock, folder = runner.Clock(), tempfile.mkdtemp(dir=place)
    settings = read_settings(
        environment={"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
    )
    with seldom_searched():
        knowledge = SqlKnowledge(
            f"sqlite:///{folder}/webvigil.sqlite3", delay=0, concurrency=runner.AT_A_TIME, clock=clock
        )
        knowledge.users.add(settings.user, role="admin")
        runner._install(knowledge, settings, urls[:1], nine)  # modules are loaded before they are measured
        knowledge.sentinels.set_aside(settings.user, "s0")
        async with http_fetcher(settings) as fetcher:
            for number in range(256):  # a store that has been in use for a while has all its folders
                (Path(folder) / "objects" / f"{number:02x}").mkdir(parents=True)
            real = RealStages(
                fetcher,
                knowledge,
                PageRepository(Directory(Path(folder) / "objects"), knowledge.versions.deltas),
            )
            worker = Worker(knowledge, real, runner._tell_nobody)
            working = asyncio.create_task(worker.run())
            for _ in range(1 if first else 2):
                with staged() as costs:
                    found = await runner._round(knowledge, settings, clock, urls, nine)
                assert not found["errors"], found["errors"]
            worker.stop()
            await working
        knowledge.close()
    told = {stage: costs.get(stage, 0.0) for stage in STAGES}
    told["rest"] = max(0.0, found["cpu"] - sum(told.values()))
    return {stage: seconds * 1000 / len(urls) for stage, seconds in told.items()}


# --- the stages -----------------------------------------------------------------------------------------


@contextmanager
def timed_stages() -> Iterator[dict[str, float]]:
    """Adds up the CPU seconds of each stage while the block runs."""
    watch = _Watch()
    before = [(owner, name, getattr(owner, name)) for _, owner, name in _TIMED]
    fetch = HttpFetcher.fetch
    for stage, owner, name in _TIMED:
        setattr(owner, name, watch.timed(stage, getattr(owner, name)))
    HttpFetcher.fetch = watch.stepwise("fetch", fetch)  # type: ignore[method-assign]
    try:
        yield watch.costs
    finally:
        HttpFetcher.fetch = fetch  # type: ignore[method-assign]
        for owner, name, function in before:
            setattr(owner, name, function)


class _Watch:
    """Measures the CPU time of the thread in which a function runs. The time of measured functions that it
    calls is taken off."""

    def __init__(self) -> None:
        self.costs: dict[str, float] = defaultdict(float)
        self._inner = threading.local()
        self._lock = threading.Lock()

    @contextmanager
    def _measuring(self, stage: str) -> Iterator[None]:
        outer = getattr(self._inner, "seconds", 0.0)
        self._inner.seconds = 0.0
        began = time.thread_time()
        try:
            yield
        finally:
            took = time.thread_time() - began
            with self._lock:
                self.costs[stage] += took - self._inner.seconds
            self._inner.seconds = outer + took

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def measured(*given: Any, **more: Any) -> Any:
            with self._measuring(stage):
                return function(*given, **more)

        return measured

    def stepwise(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the same for a coroutine: each of its steps is measured, and not what runs while it
        waits."""

        @wraps(function)
        async def measured(*given: Any, **more: Any) -> Any:
            return await _Steps(self, stage, function(*given, **more))

        return measured


class _Steps:
    def __init__(self, watch: _Watch, stage: str, coroutine: Any) -> None:
        self._watch = watch
        self._stage = stage
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, Any]:
        step, value = self._coroutine.send, None
        while True:
            try:
                with self._watch._measuring(self._stage):
                    waited = step(value)
            except StopIteration as done:
                return done.value
            try:
                step, value = self._coroutine.send, (yield waited)
            except BaseException as error:  # noqa: BLE001 - the coroutine itself decides what to do with it
                step, value = self._coroutine.throw, error


def _profile(pages: int) -> list[Row]:
    with _site() as site:
        return [
            {"name": f"{case.name}, {types}", "all": sum(costs.values()), **costs}
            for case, types, costs in _measured(site, pages, timed_stages)
        ]


def measured_labels(pages: int = PAGES) -> Iterator[Row]:
    """Yields, for each choice of change types, what a changed page costs with labels and without them.

    The CPU of naming is measured within the looks. Looks with and without labels in turns differ by a fifth
    from turn to turn, and by more than the labels cost.
    """
    with _site() as site, tempfile.TemporaryDirectory() as place:
        _warm_up(site, place)
        for types, nine in _TYPES.items():
            turns = [
                _with_and_without(
                    place, [f"{site}/edit/{number}/{types[:3]}{turn}" for number in range(pages)], nine
                )
                for turn in range(_TURNS)
            ]
            ours, without = (median(costs) for costs in zip(*turns, strict=True))
            yield {
                "name": f"changed with labels, {types}, ms",
                "ours": ours,
                "peer": without,
                "against": "without labels",
                "ratio": without / ours,
                "grown": ours / without,
            }


def _with_and_without(place: str, urls: list[str], nine: bool) -> tuple[float, float]:
    """Returns the milliseconds of a changed page, and those that are left without the naming of objects."""
    watch, described = _Watch(), Context.described
    Context.described = watch.timed("labels", described)  # type: ignore[method-assign]
    try:
        ours = sum(asyncio.run(_costs(place, urls, nine, _unstaged, first=False)).values())
    finally:
        Context.described = described  # type: ignore[method-assign]
    return ours, ours - watch.costs["labels"] * 1000 / len(urls)


def main() -> None:
    words = sys.argv[1:]
    pages = int(words[words.index("--pages") + 1]) if "--pages" in words else PAGES
    if "--profile" in words:
        head = f"{'ms of CPU for a page':30}{'all':>8}" + "".join(f"{stage:>9}" for stage in STAGES)
        line = "{name:30}{all:8.2f}" + "".join(f"{{{stage}:9.2f}}" for stage in STAGES)
        tell(_profile(pages), line, head)
    elif "--labels" in words:
        tell(list(measured_labels(pages)), "{name:40}{ours:8.2f} {against}{peer:8.2f} {grown:6.2f}")
    else:
        tell(rows(pages), "{name:40}{ours:8.2f} {against:17}{peer:6.2f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
