"""The only access to the database: connections, transactions, its clock, and its errors in our words."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from threading import Lock
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
    select,
    text,
)
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
_PRAGMAS = ("busy_timeout = 15000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
"""How SQLite is set up. With WAL readers never wait for a writer; with FULL committed data survives a power
failure."""
Ask = Callable[..., list[Any]]
# Words in the messages of SQLite and PostgreSQL for troubles that pass by themselves.
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
    """Reads and writes in transactions. Times come from the database's clock, unless a test provides
    another."""

    def __init__(self, url: str, clock: Callable[[], Millis] | None = None) -> None:
        self.engine = _engine(url)
        self.bell = Bell()
        self._clock = clock
        self._watcher = _watcher(self.engine, moved=clock is not None)
        self._now = Prepared(
            select(literal_column(_CLOCKS[self.engine.dialect.name], BigInteger).label("now"))
        )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with _our_errors(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Opens one transaction, which is written completely or not at all. Rings the bell afterwards if the
        transaction asked for it."""
        with (
            _our_errors(self.engine),
            self.engine.connect().execution_options(writes=True) as connection,
        ):
            # The connection comes from a pool, and may carry the mark of a transaction that failed.
            connection.info.pop("rings", None)
            with connection.begin():
                yield connection
            if connection.info.pop("rings", None):
                self.bell.ring()

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Opens a transaction in which tables may be made again. SQLite does not enforce references in it,
        because dropping the old table would delete the rows that refer to it."""
        if self.engine.dialect.name != "sqlite":
            with self.write() as connection:
                yield connection
            return
        with _our_errors(self.engine), self.engine.connect().execution_options(writes=True) as connection:
            driver: Any = connection.connection.driver_connection
            # SQLite ignores this pragma inside a transaction, so it stands before BEGIN.
            driver.execute("PRAGMA foreign_keys = OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                driver.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def asking(self) -> Iterator[Ask]:
        """Yields a function that takes a prepared statement and its values and returns its rows. Several
        calls need not see the same snapshot."""
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
        return int(self._now.within(connection)[0].now)

    @property
    def clock(self) -> ColumnElement[Millis]:
        """The expression for the present time in a prepared statement."""
        if self._clock:
            return bindparam("now", type_=BigInteger)
        return literal_column(_CLOCKS[self.engine.dialect.name], BigInteger)

    def written(self) -> str:
        """Returns a text that is another one after every transaction that writes. It may also change without
        one. Raises StoreBusy if the database cannot be asked."""
        with _our_errors(self.engine):
            return self._watcher()

    def close(self) -> None:
        watcher, self._watcher = self._watcher, _every_time()
        if isinstance(watcher, _DataVersion):
            watcher.close()
        self.engine.dispose()


def _watcher(engine: Engine, *, moved: bool) -> Callable[[], str]:
    """Returns the function that tells whether somebody has written. With a clock that a test moves, time
    passes without a transaction, so the text changes every time."""
    if moved or (engine.dialect.name == "sqlite" and engine.url.database in (None, "", ":memory:")):
        return _every_time()
    if engine.dialect.name == "sqlite":
        return _DataVersion(str(engine.url.database))
    # The whole snapshot names the transactions that are under way, so it changes when any of them ends. Its
    # upper bound alone stays the same when a transaction ends after one that began later.
    snapshot = text("SELECT CAST(pg_current_snapshot() AS text)")

    def ended() -> str:
        with engine.connect() as connection:
            return str(connection.execute(snapshot).scalar_one())

    return ended


def _every_time() -> Callable[[], str]:
    numbers = count()
    return lambda: str(next(numbers))


class _DataVersion:
    """A connection to SQLite that only asks whether other connections have written. It is opened with the
    first question, and again with the first question after an error."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()

    def __call__(self) -> str:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = sqlite3.connect(
                        self._file, check_same_thread=False, isolation_level=None
                    )
                return str(self._connection.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                self._forget()
                raise StoreBusy(f"{self._file} does not answer ({error})") from error

    def close(self) -> None:
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def insert_new(connection: Connection, table: Table) -> Any:
    """Returns an INSERT that leaves rows alone that exist already."""
    return insert_new_into(connection.dialect.name, table)


def insert_new_into(dialect: str, table: Table) -> Any:
    return insertion(dialect)(table).on_conflict_do_nothing()


def insertion(dialect: str) -> Any:
    """Returns the function that makes an INSERT of this kind of database. Of the two dialects of SQLAlchemy
    only the one at work is loaded."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert


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
    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver must not send BEGIN: `_begun` does
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        # A transaction that will write takes the write lock first. A transaction that has read before cannot
        # wait for the lock: SQLite refuses it at once when another one has written.
        writes = connection.get_execution_options().get("writes")
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN")  # this takes no lock, so it cannot fail as busy


@contextmanager
def _our_errors(engine: Engine) -> Iterator[None]:
    """Turns the errors of the driver into StoreBusy, StoreRefused or StoreError. SQLAlchemy does not wrap
    those of a connection that is used directly, such as one that cannot be opened."""
    driver = engine.dialect.loaded_dbapi
    try:
        yield
    except DBAPIError as error:
        raise _translated(error, engine) from error
    except driver.Error as error:
        raise _translated(DBAPIError(None, None, error), engine) from error


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
    # The error is a fault in WebVigil's own statement, so its text only helps a developer and goes into the
    # log.
    _log.info("The database %s refused a statement: %s", place, reason)
    return StoreError(
        "the database refused a statement of ours; this is a fault of WebVigil, please report it"
    )
