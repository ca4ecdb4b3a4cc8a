"""The knowledge base in SQL as a whole: opening it migrates the schema and puts its parts together."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.model.moment import Millis
from webvigil.store.migrate import bring_up_to_date
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
    Schedule,
    Search,
    Sentinels,
    Users,
    Versions,
)
from webvigil.store.sql.agents import SqlAgents
from webvigil.store.sql.changes import SqlChanges
from webvigil.store.sql.clock import SqlClock
from webvigil.store.sql.contacts import SqlContacts
from webvigil.store.sql.database import Database
from webvigil.store.sql.discoveries import SqlDiscoveries
from webvigil.store.sql.duties import SqlDuties
from webvigil.store.sql.habits import SqlHabits
from webvigil.store.sql.histories import SqlHistories
from webvigil.store.sql.journal import SqlJournal
from webvigil.store.sql.logins import SqlLogins
from webvigil.store.sql.logs import SqlLogs
from webvigil.store.sql.outbox import SqlOutbox
from webvigil.store.sql.paces import SqlPaces
from webvigil.store.sql.pasts import SqlPasts
from webvigil.store.sql.peers import SqlPeers
from webvigil.store.sql.pushes import SqlPushes
from webvigil.store.sql.schedule import SqlSchedule
from webvigil.store.sql.search import SqlSearch
from webvigil.store.sql.sentinels import SqlSentinels
from webvigil.store.sql.users import SqlUsers
from webvigil.store.sql.versions import SqlVersions


class SqlKnowledge:
    """All parts of a knowledge base on one database. `delay` and `concurrency` hold for hosts that have no
    values of their own."""

    def __init__(
        self,
        url: str,
        *,
        delay: Millis = 1_000,
        concurrency: int = 1,
        clock: Callable[[], Millis] | None = None,
    ) -> None:
        self.database = Database(url, clock)
        try:
            bring_up_to_date(self.database)
        except BaseException:
            self.database.close()
            raise
        self.users: Users = SqlUsers(self.database)
        self.sentinels: Sentinels = SqlSentinels(self.database)
        self.schedule: Schedule = SqlSchedule(self.database, delay=delay, concurrency=concurrency)
        self.versions: Versions = SqlVersions(self.database)
        self.pasts: Pasts = SqlPasts(self.database)
        self.histories: Histories = SqlHistories(self.database)
        self.logs: Logs = SqlLogs(self.database)
        self.changes: Changes = SqlChanges(self.database)
        self.search: Search = SqlSearch(self.database)
        self.outbox: Outbox = SqlOutbox(self.database)
        self.journal: Journal = SqlJournal(self.database)
        self.logins: Logins = SqlLogins(self.database)
        self.pushes: Pushes = SqlPushes(self.database)
        self.duties: Duties = SqlDuties(self.database)
        self.clock: Clock = SqlClock(self.database)
        self.paces: Paces = SqlPaces(self.database)
        self.contacts: Contacts = SqlContacts(self.database)
        self.habits: HabitStore = SqlHabits(self.database)
        self.discoveries: Discoveries = SqlDiscoveries(self.database)
        self.peers: Peers = SqlPeers(self.database)
        self.agents: Agents = SqlAgents(self.database)

    def close(self) -> None:
        self.database.close()
