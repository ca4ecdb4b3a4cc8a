"""Commands of a user on one sentinel: enable it, disable it, look at its pages now (V2)."""

from __future__ import annotations

from typing import Protocol

from webvigil.errors import SentinelRefused
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import on_clock, zone_named
from webvigil.store.promises import Journal, Schedule, Sentinels, Users


class HandStore(Protocol):
    """The parts of the knowledge base that switching sentinels on and off needs."""

    journal: Journal
    sentinels: Sentinels
    users: Users


def enable(knowledge: HandStore, user: str, name: str) -> InstalledSentinel:
    """Enables a sentinel. Raises SentinelRefused, with the reason, if its life span has ended or failed."""
    found = knowledge.sentinels.get(user, name)
    if found.life.failure:
        raise SentinelRefused(f"{name} cannot be enabled: {found.life.failure}")
    if found.life.over:
        raise SentinelRefused(
            f"{name} cannot be enabled: its life span ended {_ended(knowledge.users, found)}; "
            "install it anew with another one"
        )
    return _set(knowledge.journal, knowledge.sentinels, user, name, enabled=True)


def _ended(users: Users, found: InstalledSentinel) -> str:
    assert found.life.ended_at is not None, "its life is over"
    return on_clock(found.life.ended_at, zone_named(users.get(found.user).zone))


def disable(knowledge: HandStore, user: str, name: str) -> InstalledSentinel:
    return _set(knowledge.journal, knowledge.sentinels, user, name, enabled=False)


def _set(journal: Journal, sentinels: Sentinels, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
    found = sentinels.enable(user, name, enabled=enabled)
    event = "SentinelEnabled" if enabled else "SentinelDisabled"
    journal.record(event, name, {"user": user})
    return found


def run(schedule: Schedule, sentinels: Sentinels, user: str, name: str) -> int:
    """Makes every page of the sentinel due now, also the pages that it links to, and returns how many there
    are."""
    found = sentinels.get(user, name)
    linked = sentinels.linked(user, name) if found.linked else []
    for page in (*found.pages, *linked):
        schedule.ask(page.id)
    return len(found.pages) + len(linked)
