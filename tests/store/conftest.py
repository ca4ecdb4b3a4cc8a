"""Fixtures for tests of the store: a clock, and every kind of knowledge base and object store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import fresh_bucket, fresh_postgres, migrated_postgres, migrated_sqlite
from webvigil.model.moment import Millis
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.bucket import Bucket
from webvigil.store.objects.directory import Directory
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge, Objects
from webvigil.store.sql.knowledge import SqlKnowledge


class Clock:
    """A clock that only moves when a test tells it to."""

    def __init__(self) -> None:
        # A moment in January 2027; tests only use differences to it.
        self.now: Millis = 1_800_000_000_000

    def __call__(self) -> Millis:
        return self.now

    def passes(self, *, seconds: float) -> None:
        self.now += int(seconds * 1000)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yields the address of a database with our schema and nothing in it."""
    if request.param == "sqlite":
        yield migrated_sqlite(tmp_path / "webvigil.sqlite3")
    else:
        with migrated_postgres() as url:
            yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yields the address of a database without a single table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'webvigil.sqlite3'}"
    else:
        with fresh_postgres() as url:
            yield url


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def knowledge(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Knowledge]:
    """Yields a knowledge base with a user, in turn in memory, SQLite and PostgreSQL: each test runs against
    all three."""
    if request.param == "memory":
        yield _with_a_user(MemoryKnowledge(delay=1_000, clock=clock))
    elif request.param == "sqlite":
        yield from _opened(migrated_sqlite(tmp_path / "webvigil.sqlite3"), clock)
    else:
        with migrated_postgres() as url:
            yield from _opened(url, clock)


@pytest.fixture(params=["memory", "directory", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "memory":
        return MemoryObjects()
    if request.param == "directory":
        return Directory(tmp_path / "objects")
    return Bucket(fresh_bucket())


def _opened(url: str, clock: Clock) -> Iterator[Knowledge]:
    knowledge = SqlKnowledge(url, delay=1_000, clock=clock)
    yield _with_a_user(knowledge)
    knowledge.close()


def _with_a_user(knowledge: Knowledge) -> Knowledge:
    knowledge.users.add("jill")
    return knowledge
