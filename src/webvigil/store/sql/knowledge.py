"""The knowledge base in SQL as a whole: opening it migrates the schema; each part is made when first used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from webvigil.model.moment import Millis
from webvigil.store.migrate import bring_up_to_date
from webvigil.store.sql.database import Database

if TYPE_CHECKING:
    from webvigil.store.promises import (
        Agents,
        Changes,
        Clock,
        Contacts,
        Discoveries,
        Duties,
        HabitStore,
        Histories,
        Journal,
        Logins,
        Logs,
        Outbox,
        Paces,
        Pasts,
        Peers,
        Pushes,
        Questions,
        Schedule,
        Search,
        Sentinels,
        Users,
        Versions,
    )


class SqlKnowledge:
    """All parts of a knowledge base on one database. `delay` and `concurrency` hold for hosts that have no
    values of their own.

    The module of a part has its name, and its class is named `SqlUsers`, `SqlSentinels` and so on. A part is
    imported when it is first used, because a command needs few of them.
    """

    users: Users
    sentinels: Sentinels
    schedule: Schedule
    versions: Versions
    pasts: Pasts
    histories: Histories
    logs: Logs
    changes: Changes
    search: Search
    outbox: Outbox
    questions: Questions
    journal: Journal
    logins: Logins
    pushes: Pushes
    duties: Duties
    clock: Clock
    paces: Paces
    contacts: Contacts
    habits: HabitStore
    discoveries: Discoveries
    peers: Peers
    agents: Agents

    def __init__(
        self,
        url: str,
        *,
        delay: Millis = 1_000,
        concurrency: int = 1,
        clock: Callable[[], Millis] | None = None,
    ) -> None:
        self.database = Database(url, clock)
        self._options: dict[str, dict[str, Any]] = {"schedule": {"delay": delay, "concurrency": concurrency}}
        self._making = RLock()
        try:
            bring_up_to_date(self.database)
        except BaseException:
            self.database.close()
            raise

    def __getattr__(self, name: str) -> Any:
        """Makes a part that was not used before. Threads that ask at the same time get the same part."""
        if name not in PARTS:
            raise AttributeError(f"a knowledge base has no part {name!r}")
        with self._making:
            if name not in self.__dict__:
                module = import_module(f"webvigil.store.sql.{name}")
                made = getattr(module, f"Sql{name.capitalize()}")
                self.__dict__[name] = made(self.database, **self._options.get(name, {}))
            return self.__dict__[name]

    def visit_hosts(self, *, delay: Millis, concurrency: int) -> None:
        """Sets what holds for hosts that have no values of their own, once it was read from the database.
        Called before the schedule is first used."""
        self._options["schedule"] = {"delay": delay, "concurrency": concurrency}

    def close(self) -> None:
        self.database.close()


PARTS = frozenset(SqlKnowledge.__annotations__)
