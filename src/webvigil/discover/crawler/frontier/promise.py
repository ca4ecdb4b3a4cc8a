"""What every frontier promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from webvigil.discover.crawler.lead import Lead


class Chosen(NamedTuple):
    """The next one, and why it and no other."""

    lead: Lead
    why: str


class Frontier(Protocol):
    in_order: bool
    """Whether pages are visited exactly as they are taken, or may wait until their host is free."""

    def add(self, leads: Sequence[Lead]) -> None: ...

    def take(self) -> Chosen | None:
        """The next one; None where there is none."""

    def learn(self, lead: Lead, worth: float) -> None:
        """What was found there: 1 for a service, 0 for none."""

    def __len__(self) -> int: ...
