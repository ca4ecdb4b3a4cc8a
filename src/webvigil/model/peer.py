"""A peer: another WebVigil server that shares the work with this one, known by its key (B4, B5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from webvigil.model.moment import Millis
from webvigil.model.page import Page

PeerState = Literal["asking", "invited", "known", "distrusted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a peer did for us and we for it. `asked`: pages that we asked it for; `got`: answers that came,
    `same` of them without a body; `given`: answers that we gave; `checked`: answers compared with a fetch of
    our own, `agreed` of them alike; `strikes`: pages on which they were not; `refused`: messages of it that
    could not be believed."""

    asked: int = 0
    got: int = 0
    same: int = 0
    given: int = 0
    checked: int = 0
    agreed: int = 0
    strikes: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """`asking`: it wants to be a peer and nobody here has said yes; `invited`: we said yes and it has not;
    `known`: both have; `distrusted`: it was found out, `reason` says how.

    One that does not answer rests until `rest_until`. `listed`: others may be told of it.
    """

    key: str
    url: str
    state: PeerState = "asking"
    reason: str = ""
    added_at: Millis = 0
    heard_at: Millis = 0
    failures: int = 0
    rest_until: Millis = 0
    listed: bool = False
    figures: Figures = field(default_factory=Figures)

    @property
    def shown_state(self) -> str:
        """In one word: one that is known and does not answer is `resting`."""
        return "resting" if self.state == "known" and self.failures else self.state


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage:
    """A page that everybody may see and nobody here wants kept to this server.

    `interval` is how often the most eager sentinel wants it looked at; 0: on change.
    """

    id: int
    page: Page
    interval: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A shared page as it was last seen: its newest version, when that was last found to hold, and what is
    remembered of the page."""

    id: int
    url: str
    object: str
    signature: str
    seen_at: Millis
    facts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that a peer watches, and how often it wants it looked at; 0: on change."""

    page: str
    interval: Millis
