"""A personal agent: a user's goals, sent as data to a peer and evaluated there as a guest (B1, B2)."""

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
"""`sending`: the peer has not got it yet; `waiting`: the peer has not looked into it yet; `recalling`: it is
wanted back and the peer has not heard of it yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """What an agent is to do: a sentinel as text, what its owner cares about, and their time zone.

    Whom to tell is not among it: that is done at home.
    """

    name: str
    text: str
    taste: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """`away`: ours, at the peer; `user` is its owner. `guest`: the peer's, here; `user` is who it is here.

    `letters` is the last letter of it that arrived at home; `told`: its home knows its state.
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
    """What an agent found, as it arrives at home: `number` counts up, so that each is taken once."""

    number: int
    page: Page
    old_version: int
    new_version: int
    found_at: Millis
    findings: tuple[Finding, ...]
    versions: tuple[NewVersion, ...] = ()
    notices: tuple[Notice, ...] = ()
