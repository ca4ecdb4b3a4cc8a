"""Commands of a user on one sentinel: enable it, disable it, look at its pages now (V2)."""

from __future__ import annotations

from webvigil.errors import SentinelRefused
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import on_clock, zone_named
from webvigil.store.promises import Knowledge


def enable(knowledge: Knowledge, user: str, name: str) -> InstalledSentinel:
    """Enables a sentinel. Raises SentinelRefused, with the reason, if its life span has ended or failed."""
    found = knowledge.sentinels.get(user, name)
    if found.life.failure:
        raise SentinelRefused(f"{name} cannot be enabled: {found.life.failure}")
    if found.life.over:
        raise SentinelRefused(
            f"{name} cannot be enabled: its life span ended {_ended(knowledge, found)}; "
            "install it anew with another one"
        )
    return _set(knowledge, user, name, enabled=True)


def _ended(knowledge: Knowledge, found: InstalledSentinel) -> str:
    assert found.life.ended_at is not None, "its life is over"
    return on_clock(found.life.ended_at, zone_named(knowledge.users.get(found.user).zone))


def disable(knowledge: Knowledge, user: str, name: str) -> InstalledSentinel:
    return _set(knowledge, user, name, enabled=False)


def _set(knowledge: Knowledge, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
    found = knowledge.sentinels.enable(user, name, enabled=enabled)
    event = "SentinelEnabled" if enabled else "SentinelDisabled"
    knowledge.journal.record(event, name, {"user": user})
    return found


def run(knowledge: Knowledge, user: str, name: str) -> int:
    """Makes every page of the sentinel due now, also the pages that it links to, and returns how many there
    are."""
    found = knowledge.sentinels.get(user, name)
    linked = knowledge.sentinels.linked(user, name) if found.linked else []
    for page in (*found.pages, *linked):
        knowledge.schedule.ask(page.id)
    return len(found.pages) + len(linked)
