"""Removing sentinels in a way that can be undone for a week, and bringing them back with their changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Protocol

from webvigil.errors import NotFound
from webvigil.model.installed import InstalledSentinel, RemovedSentinel
from webvigil.store.promises import Journal, Sentinels

# How long a removed sentinel can be brought back. The collector deletes it after that time.
KEPT = timedelta(days=7)


class RemovalStore(Protocol):
    """The parts of the knowledge base that removing and restoring need."""

    journal: Journal
    sentinels: Sentinels


def remove(knowledge: RemovalStore, user: str, name: str) -> RemovedSentinel:
    """Removes a sentinel with its changes. `restore` brings it back until `KEPT` has passed."""
    gone = knowledge.sentinels.set_aside(user, name)
    knowledge.journal.record("SentinelRemoved", name, {"user": user})
    return gone


def restore(knowledge: RemovalStore, user: str, removed: int) -> InstalledSentinel:
    """Brings a removed sentinel back by its id. Raises NotFound or NameTaken."""
    found = knowledge.sentinels.restore(user, removed)
    knowledge.journal.record("SentinelRestored", found.name, {"user": user})
    return found


def restore_named(knowledge: RemovalStore, user: str, name: str) -> InstalledSentinel:
    """Brings the sentinel of this name back that was removed last."""
    for one in knowledge.sentinels.removed(user):
        if one.name == name:
            return restore(knowledge, user, one.id)
    raise NotFound(f"there is no removed sentinel {name!r}; removals can be undone for {KEPT.days} days")


def told(gone: Iterable[RemovedSentinel]) -> str:
    """Returns one sentence on what was removed."""
    removed = list(gone)
    what = f"Removed {removed[0].name}" if len(removed) == 1 else f"Removed {len(removed)} sentinels"
    changes = sum(one.changes for one in removed)
    return f"{what} with {changes} change{'' if changes == 1 else 's'}."
