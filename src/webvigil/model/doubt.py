"""Why an answer is not taken for the page, and since when: what a page in doubt remembers (Q6)."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.moment import Millis


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
