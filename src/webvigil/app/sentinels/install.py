"""Sentinel texts in, installed sentinels out: verified, completed from other sentinels, put in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from webvigil.app.sentinels.lookup import named
from webvigil.app.sentinels.registry import RegistryStore, registry_of
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import ConfirmStore, ask_the_unverified
from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import completed, names
from webvigil.rules.order import in_order
from webvigil.store.promises import Sentinels


class InstallStore(RegistryStore, ConfirmStore, Protocol):
    """The parts of the knowledge base that installing a sentinel needs."""


def install_text(knowledge: InstallStore, settings: Settings, text: str) -> list[InstalledSentinel]:
    return install(knowledge, settings, parse(text))


def install(
    knowledge: InstallStore, settings: Settings, sentinels: Iterable[Sentinel]
) -> list[InstalledSentinel]:
    """Installs all of the sentinels or none. Sentinels may name each other, as long as they do not wait for
    each other in a circle.

    Raises SentinelRefused with all reasons.
    """
    given = list(sentinels)
    in_order(given)
    registry = registry_of(knowledge, settings)
    refused = registry.take_all(given)
    troubles = [f"{name}: {trouble}" for name, reasons in refused.items() for trouble in reasons]
    if troubles:
        raise SentinelRefused("; ".join(troubles))
    ask_the_unverified(knowledge, settings.user, (registry.sentinels[one.name] for one in given))
    return knowledge.sentinels.add(*(registry.planned[sentinel.name] for sentinel in given))


def same_as_installed(
    installed: Sentinels, settings: Settings, given: Iterable[Sentinel]
) -> list[InstalledSentinel] | None:
    """Returns the installed sentinels if every given one is already installed with exactly this text; None if
    one is missing or different."""
    wanted = list(given)
    there = named(installed, settings.user, (name for one in wanted for name in (one.name, *names(one))))
    found = []
    for sentinel in wanted:
        present = there.get(sentinel.name)
        if present is None:
            return None
        others = {name: parse(there[name].text)[0] for name in names(sentinel) if name in there}
        if print_sentinel(completed(sentinel, others.get)) != present.written:
            return None
        found.append(present)
    return found or None
