"""WebVigil as a runner: a line of JSON in, `{"urls": […], "text": …}`, a line of JSON out.

A real worker claims, checks and writes, on SQLite and a folder of objects, in a process that is set up as
`webvigil worker` is. Only the clock is ours: between two rounds an hour passes, and a wish for one page wakes
the worker, so that all pages are due again. A round with other pages than the last one begins anew: sentinels
on the pages before are removed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from webvigil.app.operating.garbage import seldom_searched
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.loop import Worker
from webvigil.app.worker.stages import RealStages
from webvigil.store.objects.directory import Directory
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

HOUR = 3_600_000
AT_A_TIME = 20
NINE = (
    "any change OR all links OR all images OR all words OR keywords: {page, daily} "
    "OR phrase: {the daily page} OR table: {1} OR list: {1} OR regular expression: {\\d+[.,]\\d+}"
)


class Clock:
    def __init__(self) -> None:
        self.now = int(time.time() * 1000)

    def __call__(self) -> int:
        return self.now


async def _tell_nobody(_: str) -> int:
    return 0


async def main() -> None:
    clock = Clock()
    settings = read_settings(
        environment={"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8", "WEBVIGIL_HOST_DELAY": "0"}
    )
    with tempfile.TemporaryDirectory() as folder:
        knowledge = SqlKnowledge(
            f"sqlite:///{folder}/webvigil.sqlite3", delay=0, concurrency=AT_A_TIME, clock=clock
        )
        knowledge.users.add(settings.user, role="admin")
        async with http_fetcher(settings) as fetcher:
            stages = RealStages(
                fetcher,
                knowledge,
                PageRepository(Directory(Path(folder) / "objects"), knowledge.versions.deltas),
            )
            worker = Worker(knowledge, stages, _tell_nobody)
            working = asyncio.create_task(worker.run())
            with seldom_searched():
                while line := await asyncio.to_thread(sys.stdin.readline):
                    print(
                        json.dumps(await _round(knowledge, settings, clock, **json.loads(line))), flush=True
                    )
            worker.stop()
            await working
        knowledge.close()


async def _round(
    knowledge: Knowledge, settings: Settings, clock: Clock, urls: list[str], text: bool
) -> dict[str, Any]:
    before = max((one.id for one in knowledge.changes.all(limit=1)), default=0)
    known = knowledge.sentinels.all(settings.user)
    if known and {page.url for one in known for page in one.pages}.isdisjoint(urls):
        for one in known:
            knowledge.sentinels.set_aside(settings.user, one.name)
        known = []
    if not known:
        _install(knowledge, settings, urls, text)
    began = time.process_time()
    if known:
        clock.now += HOUR
        knowledge.schedule.ask(known[0].pages[0].id)
    while (knowledge.schedule.next_at() or 0) < HOUR // 2:
        await asyncio.sleep(0.25)
    cpu = time.process_time() - began
    changed = {one.url for one in knowledge.changes.all(after=before, limit=10_000)}
    pages = [page for one in knowledge.sentinels.all(settings.user) for page in one.pages]
    errors = [page.url for page in pages if page.failures]
    return {"cpu": cpu, "changed": [url in changed for url in urls], "errors": errors[:3]}


def _install(knowledge: Knowledge, settings: Settings, urls: list[str], text: bool) -> None:
    monitor = NINE if text else "any change"
    sentinels = [
        f"Create Sentinel s{number} Using {url}\nMonitor {monitor}\nFetch 1 hour\n"
        for number, url in enumerate(urls)
    ]
    install_text(knowledge, settings, "\n".join(sentinels))


if __name__ == "__main__":
    asyncio.run(main())
