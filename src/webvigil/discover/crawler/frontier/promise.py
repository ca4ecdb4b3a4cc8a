"""The protocol of a frontier: leads are added, the next one is taken, and the worth of a visit is learnt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from webvigil.discover.crawler.lead import Lead


class Chosen(NamedTuple):
    """The next lead to visit, and why it was chosen."""

    lead: Lead
    why: str


class Frontier(Protocol):
    """Holds the leads of a crawl and chooses the next one."""

    in_order: bool
    """Whether pages must be visited exactly in the order they are taken, or may wait until their host is
    free."""

    def add(self, leads: Sequence[Lead]) -> None: ...

    def take(self) -> Chosen | None:
        """Removes and returns the next lead; None if there is none."""

    def learn(self, lead: Lead, worth: float) -> None:
        """Takes note of what was found at a visited lead: 1 for a service, 0 for none."""

    def __len__(self) -> int: ...
