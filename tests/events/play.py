"""A detector on a virtual clock for tests; it writes what was detected in a short form.

The n-th time that `a` is raised is written `a.n`; a composite occurrence is written as the primitive ones
that it was made of.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from webvigil.events import Context, Detector, Expression, Occurrence, Rule, RuleFailure, VirtualClock

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


class Play:
    """A detector, its clock, and what its rules have seen."""

    def __init__(self, **options: Any) -> None:
        self.clock = VirtualClock(NEW_YEAR)
        self.failures: list[RuleFailure] = []
        self.detector = Detector(self.clock, on_failure=self.failures.append, **options)
        self.seen: list[Occurrence] = []
        self._raised: Counter[str] = Counter()

    def watch(self, event: Expression, context: Context = Context.RECENT, name: str = "watch") -> None:
        self.detector.add(Rule(name=name, event=event, action=self.seen.append, context=context))

    def raise_(self, name: str) -> None:
        self._raised[name] += 1
        self.detector.raise_event(name, label=f"{name}.{self._raised[name]}")

    def tell(self, story: str) -> list[str]:
        """Raises the events of a story, one a second, and returns what was seen."""
        for name in story.split():
            self.clock.advance(SECOND)
            self.raise_(name)
        return self.told()

    def told(self) -> list[str]:
        """Returns what was seen since the last call."""
        told, self.seen[:] = [as_text(occurrence) for occurrence in self.seen], []
        return told

    def times(self) -> list[timedelta]:
        """Returns when occurrences were seen since the last call, counted from the beginning."""
        times, self.seen[:] = [occurrence.end - NEW_YEAR for occurrence in self.seen], []
        return times


def as_text(occurrence: Occurrence) -> str:
    return " ".join(leaf.parameters.get("label", leaf.name) for leaf in occurrence.primitives)


def seen(story: str, event: Expression, context: Context) -> list[str]:
    """Returns what a rule on this event sees of a story."""
    play = Play()
    play.watch(event, context)
    return play.tell(story)
