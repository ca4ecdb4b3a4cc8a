"""The one door to the database: connections, transactions, the clock, and errors in our own words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Table,
    bindparam,
    create_engine,
    event,
    literal_column,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from webvigil.errors import SettingRefused, StoreBusy, StoreError, StoreRefused
from webvigil.model.moment import Millis
from webvigil.store.sql.bell import Bell
from webvigil.store.sql.prepared import Prepared

_log = logging.getLogger("webvigil.store")
_CLOCKS = {
    "sqlite": "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
    "postgresql": "CAST(EXTRACT(epoch FROM clock_timestamp()) * 1000 AS bigint)",
}
Ask = Callable[..., list[Any]]
_BUSY = (
    "locked",
    "connection",
    "starting up",
    "shutting down",
    "recovery mode",
    "terminat",
    "timeout",
    "could not connect",
    "deadlock",
    "too many clients",
)


class Database:
    """Reads and writes in transactions. The database's clock counts, unless a test brings its own."""

    def __init__(self, url: str, clock: Callable[[], Millis] | None = None) -> None:
        self.engine = _engine(url)
        self.bell = Bell()
        self._clock = clock
        self._now = text(f"SELECT {_CLOCKS[self.engine.dialect.name]}")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with _our_errors(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it, or nothing."""
        with (
            _our_errors(self.engine),
            self.engine.connect().execution_options(writes=True) as connection,
        ):
            connection.info.pop("rings", None)
            with connection.begin():
                yield connection
            if connection.info.pop("rings", None):
                self.bell.ring()

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A transaction in which tables may be made anew. SQLite does not heed references in it: when the old
        table is dropped, the rows that refer to it would go with it."""
        if self.engine.dialect.name != "sqlite":
            with self.write() as connection:
                yield connection
            return
        with _our_errors(self.engine), self.engine.connect().execution_options(writes=True) as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute("PRAGMA foreign_keys = OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                driver.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def asking(self) -> Iterator[Ask]:
        """A prepared statement and its values in, its rows out; each by itself, by the shortest way."""
        dialect = self.engine.dialect
        with _our_errors(self.engine), closing(self.engine.raw_connection()) as connection:
            held = cast(DBAPIConnection, connection)

            def ask(prepared: Prepared, **values: Any) -> list[Any]:
                if self._clock:
                    values["now"] = self._clock()
                return prepared.rows(held, dialect, values)

            yield ask

    def now(self, connection: Connection) -> Millis:
        if self._clock:
            return self._clock()
        return int(connection.execute(self._now).scalar_one())

    @property
    def clock(self) -> ColumnElement[Millis]:
        """What `now` says, as a part of a prepared statement."""
        if self._clock:
            return bindparam("now", type_=BigInteger)
        return literal_column(_CLOCKS[self.engine.dialect.name], BigInteger)

    def close(self) -> None:
        self.engine.dispose()


def insert_new(connection: Connection, table: Table) -> Any:
    """An INSERT that leaves a row that is already there alone."""
    return insert_new_into(connection.dialect.name, table)


def insert_new_into(dialect: str, table: Table) -> Any:
    return (postgresql if dialect == "postgresql" else sqlite).insert(table).on_conflict_do_nothing()


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in _CLOCKS:
            raise SettingRefused(
                f"{parsed.get_backend_name()!r} is no database we know; use sqlite or postgresql+psycopg"
            )
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError) as error:
        raise SettingRefused(
            f"{url!r} is not a database address; write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        ) from error
    except ModuleNotFoundError as error:
        raise SettingRefused(
            f"the driver {error.name!r} is not installed; pip install 'webvigil[postgres]'"
        ) from error
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine)
    return engine


def _prepare_sqlite(engine: Engine) -> None:
    """WAL, so that readers never wait; FULL, so that what was said to be written is on the disk."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        for pragma in (
            "busy_timeout = 15000",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        # A transaction that will write takes its lock first: one that read before cannot get it later.
        writes = connection.get_execution_options().get("writes")
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN")  # it takes no lock, so nothing can go wrong


@contextmanager
def _our_errors(engine: Engine) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise _translated(error, engine) from error


def _translated(error: DBAPIError, engine: Engine) -> StoreError:
    reason = " ".join(str(error.orig).split())
    lower = reason.lower()
    place = engine.url.database if engine.dialect.name == "sqlite" else engine.url.render_as_string()
    if "not a database" in lower or "malformed" in lower:
        return StoreRefused(f"{place} is not a WebVigil database ({reason})")
    if "unable to open" in lower or "readonly" in lower or "read-only" in lower:
        return StoreRefused(f"{place} cannot be opened for writing; check the folder and its permissions")
    if "disk is full" in lower or "disk i/o" in lower or "no space" in lower or "disk full" in lower:
        return StoreRefused(f"{place}: the disk is full or cannot be written ({reason})")
    if error.connection_invalidated or any(word in lower for word in _BUSY):
        return StoreBusy(f"{place} does not answer ({reason})")
    # Neither the user's mistake nor the operator's: its words are of use to who mends it alone.
    _log.info("%s answered: %s", place, reason)
    return StoreError(
        "the database refused a statement of ours; this is a fault of WebVigil, please report it"
    )
