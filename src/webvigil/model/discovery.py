"""A discovery: one user's search for services of a class, starting from seeds, and the services it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

DiscoveryState = Literal["waiting", "running", "done", "cancelled", "failed"]
OPEN: tuple[DiscoveryState, ...] = ("waiting", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedServices:
    """What to look for, from which seeds and how far. `description` is the text of the service class."""

    service: str
    description: str
    seeds: tuple[str, ...]
    frontier: str = "learned"
    hints: tuple[str, ...] = ()
    pages: int = 200
    depth: int = 8
    probes_per_form: int = 12
    probes_per_site: int = 60
    post: bool = False
    dry_run: bool = False
    ask: tuple[str, ...] = ()
    """Words to ask before the examples of the class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The progress of a discovery: pages visited, forms seen, requests sent to forms, services found."""

    pages: int = 0
    forms: int = 0
    probes: int = 0
    services: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """One search and its state. `why` says how the search ended, or what went wrong."""

    id: int
    user: str
    wanted: WantedServices
    state: DiscoveryState
    counted: Counted = field(default_factory=Counted)
    why: str = ""
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class NewService:
    """A form that turned out to be a service: its address, the number of probes it took, and its capability
    profile."""

    url: str
    title: str = ""
    probes: int
    profile: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundService(NewService):
    """A stored service. Services are numbered 1, 2, 3 … within their discovery."""

    discovery: int
    number: int
    found_at: datetime
