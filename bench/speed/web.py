"""How long the dashboard and the API take to answer when there is much: 10,000 sentinels, 100,000 changes.

    python -m bench.speed.web [--sentinels N] [--changes N] [--json]

The store is SQLite in a folder of its own, filled by raw inserts; the times are the server's (the whole way
through the application, without a network), the median of several answers. The limit is 150 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from fastapi.testclient import TestClient

from webvigil.app.operating.stores import opened
from webvigil.app.people.sign_in import new_session
from webvigil.app.settings import read_settings
from webvigil.model.moment import NEVER
from webvigil.web.access import COOKIE
from webvigil.web.application import create_application

Row = dict[str, Any]
LIMIT = 150.0
TIMES = 5
ADDRESSES = (
    "/",
    "/?show=unread",
    "/?show=seen",
    "/?topic=t3",
    "/?topic=none",
    "/?type=phrase",
    "/?type=visual",
    "/?sentinel=s77",
    "/?show=unread&topic=t3&type=visual",
    "/summaries",
    "/summaries?by=week&order=priority",
    "/summaries?by=topic&order=topic",
    "/bulletin",
    "/bulletin?order=topic&topic=t3",
    "/sentinels",
    "/sentinels?words=s77",
    "/sentinels?trouble=true",
    "/sentinels?topic=t3&state=active",
    "/sentinels?words=nothing",
    "/sentinels/s77",
    "/search?q=word77",
    "/search?q=common&topic=t3",
    "/api/v1/changes",
    "/api/v1/changes?topic=t3&seen=false",
    "/api/v1/sentinels",
    "/api/v1/search?q=word77",
    "/api/v1/summary",
    "/api/v1/pages",
    "/pages",
)
_NOW = int(time.time() * 1000)  # the changes must be recent, because summaries show the last days


def rows(sentinels: int = 10_000, changes: int = 100_000) -> list[Row]:
    with _client(sentinels, changes) as client:
        return [_row(address, client) for address in ADDRESSES]


def measured() -> list[Row]:
    """Returns the rows of a run without arguments."""
    return rows()


def _row(address: str, client: TestClient) -> Row:
    took = []
    for _ in range(TIMES):
        start = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    ours = median(took)
    return {
        "name": f"GET {address}, ms",
        "ours": round(ours, 2),
        "peer": LIMIT,
        "against": "limit",
        "ratio": LIMIT / ours,
    }


@contextmanager
def _client(sentinels: int, changes: int) -> Iterator[TestClient]:
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings({"data": folder}, environment={})
        with opened(settings) as knowledge:
            knowledge.users.add("jill")
            fill(Path(folder, "webvigil.sqlite3"), sentinels, changes)
            application = create_application(knowledge, settings)
            with TestClient(application, headers={"accept": "text/html"}) as client:
                client.cookies.set(COOKIE, new_session(knowledge, "jill"))
                yield client


def fill(file: Path, sentinels: int, changes: int) -> None:
    """Fills the database with what a user has after a year: sentinels, pages with looks, one page in fifty in
    trouble, and changes of which a tenth is unread."""
    chance = random.Random(4)
    with sqlite3.connect(file) as database:
        (user,) = database.execute("SELECT id FROM wv_user WHERE name = 'jill'").fetchone()
        database.executemany(
            "INSERT INTO host (id, name, next_at, lease, token, owner) VALUES (?, ?, ?, 0, 0, '')",
            ((one, f"h{one}.test", NEVER) for one in range(1, 201)),
        )
        numbers = range(1, sentinels + 1)
        _insert(database, "page", (_page(one) for one in numbers))
        _insert(database, "page_about", (_about(one) for one in numbers))
        _insert(database, "sentinel", (_sentinel(one, user) for one in numbers))
        _insert(database, "watch", (_watch(one) for one in numbers))
        _insert(database, "look", (look for one in numbers for look in _looks(one, chance)))
        oldest = _NOW - changes * 1000
        found = (_change(one, sentinels, chance, oldest) for one in range(1, changes + 1))
        _insert(database, "change", found)
        _insert(database, "change_words", (_words(one) for one in range(1, changes + 1)))


def _insert(database: sqlite3.Connection, table: str, some: Iterator[Row]) -> None:
    first = next(some)
    names, marks = ", ".join(first), ", ".join("?" * len(first))
    statement = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'
    database.execute(statement, tuple(first.values()))
    database.executemany(statement, (tuple(one.values()) for one in some))


def _page(one: int) -> Row:
    failures = int(one % 50 == 0)
    return {
        "id": one,
        "host_id": one % 200 + 1,
        "due": _NOW,
        "priority": 0,
        "checks": 30,
        "asked": 0,
        "failures": failures,
        "latest": 11,
    }


def _about(one: int) -> Row:
    return {
        "page_id": one,
        "key": f"key{one}",
        "url": f"https://h{one % 200 + 1}.test/{one}",
        "method": "GET",
        "fields": "[]",
        "render": "http",
        "validators": "{}",
    }


def _sentinel(one: int, user: int) -> Row:
    url, topic = f"https://h{one % 200 + 1}.test/{one}", f"t{one % 40}"
    return {
        "id": one,
        "user_id": user,
        "name": f"s{one}",
        "text": f"Create Sentinel s{one} Using {url}\nMonitor all links\nTopic {topic}",
        "state": "active",
        "priority": 0,
        "topic": topic,
        "installed_at": _NOW - 10**10,
        "enabled": 1,
        "span": 0,
        "within": 1,
        "life_at": _NOW + 10**10,
        "started_at": _NOW - 10**10,
        "warned": 0,
        "over": 0,
        "failure": "",
        "revision": one,
    }


def _watch(one: int) -> Row:
    return {
        "sentinel_id": one,
        "page_id": one,
        "interval_ms": 3_600_000,
        "next_at": _NOW,
        "reference": 11,
    }


def _looks(one: int, chance: random.Random) -> Iterator[Row]:
    for number in range(30):
        decision = chance.choice(("same", "same", "new version"))
        yield {
            "page_id": one,
            "at": _NOW - 10**9 + number * 10**6,
            "why": "due",
            "decision": decision,
            "status": 200,
            "bytes": 40_000,
            "duration_ms": 120,
            "error": "",
        }


def _change(one: int, sentinels: int, chance: random.Random, oldest: int) -> Row:
    page = chance.randint(1, sentinels)
    objects = [
        {"object": f"https://x.test/{one}/{number}", "status": "i", "old": 0, "new": 1, "where": ["/html/a"]}
        for number in range(5)
    ]
    kind = "phrase" if one % 100 == 0 else "all links"
    return {
        "id": one,
        "sentinel_id": page,
        "page_id": page,
        "old_version": one,
        "new_version": one + 1,
        "found_at": oldest + one * 1000,
        "findings": json.dumps(
            [{"type": kind, "changed": True, "share": 0.1, "score": 100, "objects": objects}]
        ),
        "seen_at": None if one % 10 == 0 else _NOW,
    }


def _words(one: int) -> Row:
    return {"change_id": one, "words": f"common word{one % 1000} link"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentinels", type=int, default=10_000)
    parser.add_argument("--changes", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = rows(asked.sentinels, asked.changes)
    if asked.json:
        json.dump(found, sys.stdout, indent=2)
        return
    for one in found:
        print(f"{one['ours']:9.1f} ms  {one['name']}")


if __name__ == "__main__":
    main()
