"""Why an answer is not taken for the page, and since when: what a page in doubt remembers (Q6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from webvigil.model.moment import Millis, as_datetime, on_clock

_PAST = {
    "answers": "answered",
    "asks": "asked",
    "is": "was",
    "leads": "led",
    "says": "said",
    "shows": "showed",
}


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What an answer is rather than the page. `said` goes on after the address: "asks for a log-in".

    `clear`: the answer has the form of something that is no page, whoever sent it. Otherwise it only differs
    a lot from the last good version, and may be what the page has become.
    """

    kind: str
    said: str
    clear: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A page whose newest answer is not believed. `since` is when the first such answer came; `clear` tells
    of the newest one; `told`: those who watch the page know of it."""

    kind: str
    said: str
    clear: bool
    since: Millis
    told: bool = False

    @property
    def was(self) -> str:
        """What is said of the doubt after it has ended: "asked for a log-in"."""
        verb, _, rest = self.said.partition(" ")
        return f"{_PAST.get(verb, verb)} {rest}"

    @property
    def at(self) -> datetime:
        return as_datetime(self.since)

    def in_words(self, zone: tzinfo) -> str:
        """Goes on after the address of the page: "asks for a log-in since 2026-11-17 14:05 CET"."""
        since = f"{self.said} since {on_clock(self.at, zone)}"
        return since if self.told else f"{since}, it seems; looked at again before anybody is told"
