"""Enabling and disabling by hand (V2)."""

from __future__ import annotations

from webvigil.errors import SentinelRefused
from webvigil.model.installed import InstalledSentinel
from webvigil.store.promises import Knowledge


def enable(knowledge: Knowledge, user: str, name: str) -> InstalledSentinel:
    """Raises SentinelRefused, with the reason, for one whose life is over."""
    found = knowledge.sentinels.get(user, name)
    if found.life.failure:
        raise SentinelRefused(f"{name} cannot be enabled: {found.life.failure}")
    if found.life.over:
        raise SentinelRefused(
            f"{name} cannot be enabled: its life span ended {found.life.ended_at:%Y-%m-%d %H:%M} UTC; "
            "install it anew with another one"
        )
    return _set(knowledge, user, name, enabled=True)


def disable(knowledge: Knowledge, user: str, name: str) -> InstalledSentinel:
    return _set(knowledge, user, name, enabled=False)


def _set(knowledge: Knowledge, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
    found = knowledge.sentinels.enable(user, name, enabled=enabled)
    event = "SentinelEnabled" if enabled else "SentinelDisabled"
    knowledge.journal.record(event, name, {"user": user})
    return found
