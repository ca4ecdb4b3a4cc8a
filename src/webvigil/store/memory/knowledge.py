"""The knowledge base in memory as a whole: its parts over one set of rows."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.model.moment import Millis
from webvigil.store.memory.agents import MemoryAgents
from webvigil.store.memory.changes import MemoryChanges
from webvigil.store.memory.clock import MemoryClock
from webvigil.store.memory.contacts import MemoryContacts
from webvigil.store.memory.discoveries import MemoryDiscoveries
from webvigil.store.memory.duties import MemoryDuties
from webvigil.store.memory.histories import MemoryHistories
from webvigil.store.memory.journal import MemoryJournal
from webvigil.store.memory.logins import MemoryLogins
from webvigil.store.memory.logs import MemoryLogs
from webvigil.store.memory.outbox import MemoryOutbox
from webvigil.store.memory.paces import MemoryPaces
from webvigil.store.memory.pasts import MemoryPasts
from webvigil.store.memory.peers import MemoryPeers
from webvigil.store.memory.pushes import MemoryPushes
from webvigil.store.memory.questions import MemoryQuestions
from webvigil.store.memory.rows import Rows
from webvigil.store.memory.schedule import MemoryHabits, MemorySchedule
from webvigil.store.memory.search import MemorySearch
from webvigil.store.memory.sentinels import MemorySentinels
from webvigil.store.memory.users import MemoryUsers
from webvigil.store.memory.versions import MemoryVersions
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


class MemoryKnowledge:
    def __init__(
        self, *, delay: Millis = 1_000, concurrency: int = 1, clock: Callable[[], Millis] | None = None
    ) -> None:
        rows = Rows(clock)
        self.users: Users = MemoryUsers(rows)
        self.sentinels: Sentinels = MemorySentinels(rows)
        self.schedule: Schedule = MemorySchedule(rows, delay, concurrency)
        self.versions: Versions = MemoryVersions(rows)
        self.pasts: Pasts = MemoryPasts(rows)
        self.histories: Histories = MemoryHistories(rows)
        self.logs: Logs = MemoryLogs(rows)
        self.changes: Changes = MemoryChanges(rows)
        self.search: Search = MemorySearch(rows)
        self.outbox: Outbox = MemoryOutbox(rows)
        self.questions: Questions = MemoryQuestions(rows)
        self.journal: Journal = MemoryJournal(rows)
        self.logins: Logins = MemoryLogins(rows)
        self.pushes: Pushes = MemoryPushes(rows)
        self.duties: Duties = MemoryDuties(rows)
        self.clock: Clock = MemoryClock(rows)
        self.paces: Paces = MemoryPaces(rows)
        self.contacts: Contacts = MemoryContacts(rows)
        self.habits: HabitStore = MemoryHabits(rows)
        self.discoveries: Discoveries = MemoryDiscoveries(rows)
        self.peers: Peers = MemoryPeers(rows)
        self.agents: Agents = MemoryAgents(rows)

    def close(self) -> None:
        pass
