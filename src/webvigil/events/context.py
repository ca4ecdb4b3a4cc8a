"""Parameter contexts: which of several waiting occurrences a detection takes, and which it uses up (E2).

With two a's before one b, `a then b` could mean several things:

RECENT       the latest a, which stays for the next b
CHRONICLE    the oldest a, which is used up
CONTINUOUS   each a by itself, all used up
CUMULATIVE   all a's together, all used up
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import Protocol

from webvigil.events.occurrence import Occurrence

Group = tuple[Occurrence, ...]


class Context(StrEnum):
    RECENT = "recent"
    CHRONICLE = "chronicle"
    CONTINUOUS = "continuous"
    CUMULATIVE = "cumulative"


class Initiators(Protocol):
    """Occurrences that wait for a partner to form a composite event with."""

    def open(self, initiator: Occurrence) -> None:
        """Adds an occurrence to those that wait."""

    def take(self) -> list[Group]:
        """Returns the groups of waiting occurrences that a partner which just came completes.

        Each group makes one composite occurrence. Occurrences that the context uses up no longer wait.
        """

    def clear(self) -> None:
        """Forgets all occurrences that wait."""


class RecentInitiators:
    def __init__(self) -> None:
        self._latest: Occurrence | None = None

    def open(self, initiator: Occurrence) -> None:
        self._latest = initiator

    def take(self) -> list[Group]:
        return [] if self._latest is None else [(self._latest,)]

    def clear(self) -> None:
        self._latest = None


class WaitingInitiators:
    """The store of the three contexts in which all occurrences wait; the subclasses differ in `take`."""

    def __init__(self) -> None:
        self._waiting: deque[Occurrence] = deque()

    def open(self, initiator: Occurrence) -> None:
        self._waiting.append(initiator)

    def clear(self) -> None:
        self._waiting.clear()


class ChronicleInitiators(WaitingInitiators):
    def take(self) -> list[Group]:
        return [(self._waiting.popleft(),)] if self._waiting else []


class ContinuousInitiators(WaitingInitiators):
    def take(self) -> list[Group]:
        groups: list[Group] = [(initiator,) for initiator in self._waiting]
        self._waiting.clear()
        return groups


class CumulativeInitiators(WaitingInitiators):
    def take(self) -> list[Group]:
        groups = [tuple(self._waiting)] if self._waiting else []
        self._waiting.clear()
        return groups


INITIATORS: dict[Context, type[Initiators]] = {
    Context.RECENT: RecentInitiators,
    Context.CHRONICLE: ChronicleInitiators,
    Context.CONTINUOUS: ContinuousInitiators,
    Context.CUMULATIVE: CumulativeInitiators,
}
