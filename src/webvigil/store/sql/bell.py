"""Waking those who sleep when somebody wants a page looked at now.

On PostgreSQL it rings in every process, by NOTIFY, when the transaction is committed. That takes a lock which
all share, so it is done only for what people wait for. On SQLite it rings in this process.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, text

from webvigil.model.moment import Millis

_log = logging.getLogger("webvigil.store")

_CHANNEL = "webvigil"
_NOTIFY = text("SELECT pg_notify(:channel, '')").bindparams(channel=_CHANNEL)
_PATIENCE = 1.0
TRUSTED_WITHIN: Millis = 1_000
"""Others may write to the same file unheard."""
TRUSTED_ACROSS: Millis = 10_000
"""What is missed while the connection is away is made up for by ringing when it is back."""


class Bell:
    def __init__(self) -> None:
        self._hearers: list[Callable[[], None]] = []

    def ring(self) -> None:
        for hearer in tuple(self._hearers):
            hearer()

    @contextmanager
    def heard(self, engine: Engine, hearer: Callable[[], None]) -> Iterator[Millis]:
        """Calls `hearer`, from any thread; says how long one may sleep and trust to be woken."""
        self._hearers.append(hearer)
        try:
            if engine.dialect.name == "postgresql":
                with _listening(engine, hearer):
                    yield TRUSTED_ACROSS
            else:
                yield TRUSTED_WITHIN
        finally:
            self._hearers.remove(hearer)


def ring_when_written(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY)
    else:
        connection.info["rings"] = True


@contextmanager
def _listening(engine: Engine, hearer: Callable[[], None]) -> Iterator[None]:
    over = threading.Event()
    listener = threading.Thread(
        target=_listen_for_ever, args=(engine, hearer, over), name="webvigil-bell", daemon=True
    )
    listener.start()
    try:
        yield
    finally:
        over.set()
        listener.join(2 * _PATIENCE)


def _listen_for_ever(engine: Engine, hearer: Callable[[], None], over: threading.Event) -> None:
    import psycopg

    arguments, options = engine.dialect.create_connect_args(engine.url)
    while not over.is_set():
        try:
            with psycopg.connect(*arguments, **{**options, "autocommit": True}) as connection:
                connection.execute(f"LISTEN {_CHANNEL}")
                hearer()
                _listen(connection, hearer, over)
        except psycopg.Error as error:
            _log.debug("Cannot listen for the bell in the database, trying again: %s", error)
            over.wait(_PATIENCE)


def _listen(connection: Any, hearer: Callable[[], None], over: threading.Event) -> None:
    while not over.is_set():
        for _ in connection.notifies(timeout=_PATIENCE):
            hearer()
