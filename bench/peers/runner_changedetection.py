"""changedetection.io as a runner: a line of JSON in, `{"urls": […], …}`, a line of JSON out.

Run in its own environment, so nothing of ours is imported. Its own worker takes the watches from its own
queue; we put them in and wait until each was checked once more.
"""

import asyncio
import json
import os
import queue
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

os.environ["ALLOW_IANA_RESTRICTED_ADDRESSES"] = "true"
os.environ["WORKER_MAX_JOBS"] = "1000000"
os.environ["LOGGER_LEVEL"] = "CRITICAL"

from changedetectionio import queuedWatchMetaData
from changedetectionio.queue_handlers import RecheckPriorityQueue
from changedetectionio.store import ChangeDetectionStore
from changedetectionio.worker import async_update_worker
from loguru import logger


async def main() -> None:
    logger.remove()
    with tempfile.TemporaryDirectory() as folder:
        store = ChangeDetectionStore(datastore_path=folder, include_default_watches=False)
        store.data["settings"]["application"]["ui"]["favicons_enabled"] = False
        waiting = RecheckPriorityQueue()
        app = SimpleNamespace(config=SimpleNamespace(exit=threading.Event()))
        threads = ThreadPoolExecutor(4)
        worker = asyncio.create_task(
            async_update_worker(0, waiting, queue.Queue(), app, store, executor=threads)
        )
        watches = {}
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await look(store, waiting, watches, json.loads(line)["urls"])), flush=True)
        app.config.exit.set()
        await worker
        os._exit(0)


async def look(store, waiting, watches, urls):
    for url in urls:
        if url not in watches:
            watches[url] = store.add_watch(url=url, save_immediately=False)
    seen = [store.data["watching"][watches[url]] for url in urls]
    checks = [watch.get("check_count", 0) for watch in seen]
    versions = [watch.history_n for watch in seen]
    began = time.process_time()
    for url in urls:
        item = queuedWatchMetaData.PrioritizedItem(priority=1, item={"uuid": watches[url]})
        waiting.put(item)
    while any(watch.get("check_count", 0) == count for watch, count in zip(seen, checks, strict=True)):
        await asyncio.sleep(0.05)
    cpu = time.process_time() - began
    changed = [watch.history_n > count > 0 for watch, count in zip(seen, versions, strict=True)]
    errors = [str(watch["last_error"]) for watch in seen if watch.get("last_error")]
    return {"cpu": cpu, "changed": changed, "errors": errors[:3]}


if __name__ == "__main__":
    asyncio.run(main())
