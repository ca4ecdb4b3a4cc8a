"""A foreign file in, installed sentinels out: a plan that the user can read first, then the installation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from webvigil.app.moving.formats import read_foreign
from webvigil.app.moving.formats.found import Found
from webvigil.app.sentinels.by_hand import disable
from webvigil.app.sentinels.install import InstallStore, install
from webvigil.app.sentinels.registry import RegistryStore, verifier
from webvigil.app.settings import Settings
from webvigil.errors import SentinelRefused
from webvigil.language import print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import Sentinel
from webvigil.store.promises import Journal


class _Store(InstallStore, Protocol):
    """The parts of the knowledge base that installing imported sentinels needs."""

    journal: Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One thing from the file. An entry with a `trouble` is not installed; `remarks` are for the user to
    read."""

    source: str
    name: str = ""
    text: str = ""
    enabled: bool = True
    trouble: str = ""
    remarks: tuple[str, ...] = ()
    sentinel: Sentinel | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    format: str
    rows: tuple[Planned, ...]

    @property
    def fine(self) -> tuple[Planned, ...]:
        return tuple(row for row in self.rows if not row.trouble)

    @property
    def refused(self) -> tuple[Planned, ...]:
        return tuple(row for row in self.rows if row.trouble)


def plan_import(
    knowledge: RegistryStore, settings: Settings, data: bytes, format_: str | None = None
) -> Plan:
    """Returns what an import would install, without installing anything. A name that is taken gets a
    number."""
    name, found = read_foreign(data, format_)
    taken = {one.name for one in knowledge.sentinels.all(settings.user)}
    renamed = [_renamed(one, taken) for one in found]
    registry = verifier(knowledge, settings, as_datetime(knowledge.schedule.now()))
    refused = registry.take_all([one.sentinel for one in renamed if one.sentinel])
    return Plan(name, tuple(_planned(one, refused) for one in renamed))


def install_plan(knowledge: _Store, settings: Settings, plan: Plan) -> list[InstalledSentinel]:
    """Installs all entries of the plan without trouble, in one transaction, and disables those that were off
    in the file."""
    installed = install(knowledge, settings, [row.sentinel for row in plan.fine if row.sentinel])
    for row in plan.fine:
        if not row.enabled:
            disable(knowledge, settings.user, row.name)
    return installed


def _renamed(one: Found, taken: set[str]) -> Found:
    """Gives a sentinel the first free name, with a number if needed, and remarks on it."""
    if one.sentinel is None:
        return one
    wished = one.sentinel.name
    numbered = (wished if number == 1 else f"{wished}-{number}" for number in range(1, len(taken) + 2))
    name = next(name for name in numbered if name not in taken)
    taken.add(name)
    remarks = one.remarks if name == wished else (*one.remarks, f"called {name}: {wished} is taken")
    return replace(one, sentinel=replace(one.sentinel, name=name), remarks=remarks)


def _planned(one: Found, refused: Mapping[str, Sequence[str]]) -> Planned:
    if one.sentinel is None:
        return Planned(source=one.source, trouble=one.trouble)
    troubles = refused.get(one.sentinel.name, ())
    try:
        text = print_sentinel(one.sentinel)
    except SentinelRefused as error:
        return Planned(source=one.source, trouble=str(error))
    return Planned(
        source=one.source,
        name=one.sentinel.name,
        text=text,
        enabled=one.enabled,
        trouble="; ".join(troubles),
        remarks=one.remarks,
        sentinel=one.sentinel,
    )
