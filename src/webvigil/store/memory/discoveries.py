"""Discoveries in memory, with their steps and the services they found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from webvigil.errors import NotFound
from webvigil.model.discovery import (
    Counted,
    Discovery,
    DiscoveryState,
    FoundService,
    NewService,
    WantedServices,
)
from webvigil.model.moment import as_datetime
from webvigil.model.wanted import LARGEST_ID, PIECE
from webvigil.store.memory.rows import DiscoveryRow, Part


class MemoryDiscoveries(Part):
    def add(self, user: str, wanted: WantedServices) -> Discovery:
        with self._rows.lock:
            now = as_datetime(self._rows.now())
            made = Discovery(
                id=next(self._rows.ids),
                user=self._rows.user(user).name,
                wanted=wanted,
                state="waiting",
                created_at=now,
            )
            self._rows.discoveries[made.id] = DiscoveryRow(made)
            return made

    def get(self, user: str | None, discovery: int) -> Discovery:
        return self._row(user, discovery).discovery

    def all(
        self, user: str | None = None, *, before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[Discovery]:
        known = (row.discovery for row in reversed(self._rows.discoveries.values()))
        found = [one for one in known if user in (None, one.user) and one.id < before]
        return found[:limit]

    def open(self, user: str | None = None) -> list[Discovery]:
        known = (row.discovery for row in self._rows.discoveries.values())
        return [one for one in known if one.is_open and user in (None, one.user)]

    def begin(self, discovery: int) -> bool:
        with self._rows.lock:
            row = self._rows.discoveries.get(discovery)
            if row is None or not row.discovery.is_open:
                return False
            started = row.discovery.started_at or as_datetime(self._rows.now())
            row.discovery = replace(row.discovery, state="running", started_at=started)
            return True

    def append(
        self,
        discovery: int,
        number: int,
        step: dict[str, Any],
        counted: Counted,
        services: Sequence[NewService] = (),
    ) -> bool:
        with self._rows.lock:
            row = self._rows.discoveries.get(discovery)
            if row is None or row.discovery.state != "running" or len(row.steps) != number:
                return False
            row.steps.append(step)
            now = as_datetime(self._rows.now())
            for place, one in enumerate(services, len(row.services) + 1):
                row.services.append(
                    FoundService(
                        discovery=discovery,
                        number=place,
                        url=one.url,
                        title=one.title,
                        probes=one.probes,
                        profile=one.profile,
                        found_at=now,
                    )
                )
            row.discovery = replace(row.discovery, counted=counted)
            return True

    def steps(self, discovery: int) -> list[dict[str, Any]]:
        row = self._rows.discoveries.get(discovery)
        return list(row.steps) if row else []

    def end(self, discovery: int, state: DiscoveryState, why: str) -> bool:
        with self._rows.lock:
            row = self._rows.discoveries.get(discovery)
            if row is None or not row.discovery.is_open:
                return False
            ended = as_datetime(self._rows.now())
            row.discovery = replace(row.discovery, state=state, why=why, ended_at=ended)
            return True

    def remove(self, user: str, discovery: int) -> None:
        with self._rows.lock:
            self._row(user, discovery)
            del self._rows.discoveries[discovery]

    def services(self, user: str | None, discovery: int) -> list[FoundService]:
        return list(self._row(user, discovery).services)

    def service(self, user: str | None, discovery: int, number: int) -> FoundService:
        found = [one for one in self._row(user, discovery).services if one.number == number]
        if not found:
            raise NotFound(f"discovery {discovery} has found no service {number}")
        return found[0]

    def _row(self, user: str | None, discovery: int) -> DiscoveryRow:
        row = self._rows.discoveries.get(discovery)
        if row is None or user not in (None, row.discovery.user):
            raise NotFound(f"there is no discovery {discovery}")
        return row
