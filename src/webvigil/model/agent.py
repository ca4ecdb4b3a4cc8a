"""A personal agent: a user's goals, sent as data to a peer and evaluated there for a guest (B1, B2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webvigil.model.change import Finding
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.work import NewVersion

AgentSide = Literal["away", "guest"]
AgentState = Literal["sending", "waiting", "at work", "refused", "recalling"]
"""`sending`: the peer has not received the agent yet. `waiting`: the peer has the agent and has not examined
it yet. `recalling`: its owner wants the agent back and the peer does not know it yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """What an agent has to do: a sentinel as text, what its owner cares about, and the owner's time zone.

    The goals do not say whom to tell, because the home server sends the notices.
    """

    name: str
    text: str
    taste: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent as one of its two servers stores it. Side `away`: an agent of this server that works at the
    peer, and `user` is its owner. Side `guest`: an agent of the peer that works here, and `user` is the
    account it works under.

    `letters` is the number of its last letter that arrived at home. `told` says whether its home server knows
    its current state.
    """

    id: str
    side: AgentSide
    peer: str
    user: str
    goals: Goals
    state: AgentState
    reason: str = ""
    at: Millis = 0
    heard_at: Millis = 0
    letters: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Findings that an agent sends home. `number` counts up by one per letter, so that the home server takes
    each letter once."""

    number: int
    page: Page
    old_version: int
    new_version: int
    found_at: Millis
    findings: tuple[Finding, ...]
    versions: tuple[NewVersion, ...] = ()
    notices: tuple[Notice, ...] = ()
