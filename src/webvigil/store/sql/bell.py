"""The bell: wakes sleeping workers when somebody wants a page looked at now.

On PostgreSQL the bell reaches every process, by NOTIFY, when the transaction is committed. NOTIFY takes a
lock that all transactions share, so it is only used for looks that people wait for. On SQLite the bell
reaches this process alone.
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
# Seconds between two looks at whether the listener must end, and between two tries to connect.
_PATIENCE = 1.0
TRUSTED_WITHIN: Millis = 1_000
"""How long a worker on SQLite may sleep, in milliseconds: another process may write to the same file and
cannot ring."""
TRUSTED_ACROSS: Millis = 10_000
"""How long a worker on PostgreSQL may sleep, in milliseconds. A ring that is missed while the connection is
lost is made up for, because the listener rings whenever it connects."""


class Bell:
    """The workers of this process that want to be woken."""

    def __init__(self) -> None:
        self._hearers: list[Callable[[], None]] = []

    def ring(self) -> None:
        for hearer in tuple(self._hearers):
            hearer()

    @contextmanager
    def heard(self, engine: Engine, hearer: Callable[[], None]) -> Iterator[Millis]:
        """Calls `hearer`, from any thread, whenever the bell rings. Yields how many milliseconds a worker may
        sleep and rely on being woken."""
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
    """Rings the bell when the transaction of this connection is committed."""
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
            _log.debug("Lost the connection that wakes sleeping workers, connecting again: %s", error)
            over.wait(_PATIENCE)


def _listen(connection: Any, hearer: Callable[[], None], over: threading.Event) -> None:
    while not over.is_set():
        for _ in connection.notifies(timeout=_PATIENCE):
            hearer()
