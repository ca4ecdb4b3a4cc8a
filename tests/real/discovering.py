"""A crawl for searches through a real application, and what came of it: found, wrongly found, written."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.discover.crawling import crawl
from tests.real.application import Application
from tests.real.proxy import Proxy
from webvigil.discover.analyser import analyse
from webvigil.discover.bounds import Bounds
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.report import analyses_in, services_in
from webvigil.discover.search_words import asked
from webvigil.discover.service import service_class

_PAGES = 40


@dataclass
class Searched:
    """What a crawl found in one application."""

    application: str
    wanted: int = 0
    found: set[int] = field(default_factory=set)
    """Which of the searches of the application, by number."""
    wrong: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    refused: int = 0
    probes: int = 0
    samples: list[str] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        return (
            self.application,
            f"{len(self.found)} of {self.wanted}",
            str(len(self.wrong)),
            str(len(self.unsafe)),
            str(self.refused),
            str(self.probes),
            next(iter(self.samples), "")[:60],
        )


def searched(application: Application, proxy: Proxy, folder: Path, words: Sequence[str]) -> Searched:
    """Crawls from the pages of an application and from its forms that write, with POST allowed, and returns
    what was found and what was sent."""
    before = contents(folder, application.content)
    paths = [*(page.path.partition("#")[0] for page in application.pages), *application.forms]
    _, steps = crawl(
        *(proxy.address + path for path in dict.fromkeys(paths)),
        analyse=analyse,
        service=asked(service_class("keyword-search"), words),
        reach=Reach(pages=_PAGES),
        bounds=Bounds(post=True),
        frontier="learned",
    )
    result = Searched(application.name, wanted=len(application.searches))
    for one in (service for step in steps for service in services_in(step)):
        _sort_in(result, one["profile"], application.searches)
    told = analyses_in(steps)
    result.refused = sum(one["outcome"] == "refused by manners" for one in told)
    result.probes = sum(one["probes"] for one in told)
    result.unsafe = [
        f"{one.method} {one.path}" for one in proxy.requests if one.method not in ("GET", "HEAD")
    ]
    if contents(folder, application.content) != before:
        result.unsafe.append("the contents have changed")
    return result


def _sort_in(
    result: Searched, profile: dict[str, Any], searches: Sequence[Sequence[tuple[str, str]]]
) -> None:
    first = profile["steps"][0]
    path = urlsplit(first["url"]).path
    names = {one["name"] for one in first["fields"] if one.get("argument")}
    sent = {(path, name) for name in names}
    hits = [number for number, ways in enumerate(searches) if sent & {*ways}]
    result.found.update(hits)
    if hits:
        result.samples.append(profile["found"])
    else:
        result.wrong.append(f"{path} {sorted(names)}: {profile['found'][:80]}")


def contents(folder: Path, kept: Sequence[str]) -> str:
    """Returns a hash of what an application keeps. Each entry names files by a pattern, or tables of a
    database after a #, with the columns that count where a visit alone writes others."""
    digest = hashlib.blake2b()
    for entry in kept:
        pattern, _, tables = entry.partition("#")
        for file in sorted(folder.glob(pattern)):
            if tables:
                digest.update(_rows(file, tables.split(",")).encode())
            elif file.is_file():
                digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    return digest.hexdigest()


def _rows(file: Path, tables: Sequence[str]) -> str:
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return repr([database.execute(f"select {_columns(one)}").fetchall() for one in tables])
    finally:
        database.close()


def _columns(entry: str) -> str:
    """Returns what follows `select` for a table, or for some of its columns (`table:column+column`)."""
    table, _, columns = entry.partition(":")
    return f'{columns.replace("+", ", ") or "*"} from "{table}"'
