"""A peer: another WebVigil server that shares the work with this one and is known by its key (B4, B5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from webvigil.model.moment import Millis
from webvigil.model.page import Page

PeerState = Literal["asking", "invited", "known", "distrusted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Counts of what this server and a peer did for each other.

    `asked`: pages that this server asked the peer for. `got`: answers that came back, `same` of them without
    a body. `given`: answers that this server gave. `checked`: answers of the peer that were compared with a
    fetch by this server, `agreed` of them alike. `strikes`: pages on which the two differed. `refused`:
    messages of the peer that could not be believed.
    """

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
    """Another server and how far both sides agreed to share work. `asking`: the other server wants to be a
    peer and nobody here has agreed. `invited`: this server agreed and the other has not. `known`: both
    agreed. `distrusted`: the peer misbehaved, and `reason` says how.

    A peer that does not answer is left alone until `rest_until`. `listed` says whether others may learn of
    it.
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
        """Returns the state in one word; a known peer that does not answer is `resting`."""
        return "resting" if self.state == "known" and self.failures else self.state


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage:
    """A page that is public and that no user of this server wants kept secret from peers.

    `interval` is the shortest interval of its sentinels; 0 means on change.
    """

    id: int
    page: Page
    interval: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A shared page as this server last saw it: its newest version, when that version was last found
    unchanged, and `facts` about the page."""

    id: int
    url: str
    object: str
    signature: str
    seen_at: Millis
    facts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that a peer watches, by its key, and how often the peer wants it looked at; 0 means on
    change."""

    page: str
    interval: Millis
