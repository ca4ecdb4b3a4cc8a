"""All stores of a test process share their compiled statements.

SQLAlchemy compiles a statement once for each engine. A program has one engine; a test run opens some thousand
stores, so it compiled the same few hundred statements again for most tests, which took a fifth of the time of
tests that use a store. Engines of the same kind of database compile a statement alike.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.engine import Dialect
from sqlalchemy.util import LRUCache

from webvigil.store.sql import database

_engine = database._engine


def share_statements() -> None:
    shared = _Shared(4_000)

    def engine_that_shares(url: str) -> Engine:
        engine = _engine(url)
        engine.update_execution_options(compiled_cache=shared)
        return engine

    database._engine = engine_that_shares


class _Shared(LRUCache[Any, Any]):
    """The cache of an engine, in which the kind of database stands for the dialect of one engine.

    The first part of a key is the dialect. It is another object for each engine.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(_of_kind(key), default)

    def __getitem__(self, key: tuple[Any, ...]) -> Any:
        return super().__getitem__(_of_kind(key))

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__(_of_kind(key), value)


def _of_kind(key: tuple[Any, ...]) -> tuple[Any, ...]:
    dialect: Dialect = key[0]
    return (dialect.name, dialect.driver, dialect.server_version_info, *key[1:])
