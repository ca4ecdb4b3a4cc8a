"""The mediator: takes in personal agents of peers, and sends what they find to their homes (B2).

The request broker takes an agent in and later examines its goals, first come, first served, under the limits
of this server. The post office sends what the agent found to its home, in order, and holds what cannot be
sent yet, up to a limit. An agent is a user of its own here, with one sentinel. It cannot sign in, gets no
notices by other channels, and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

from webvigil.community.letters import LETTER, agent_in, goals_from, letter_of
from webvigil.community.messages import Message, refuse
from webvigil.community.openness import OpenHosts, places_of
from webvigil.community.receiving import Reply
from webvigil.community.sending import Post
from webvigil.errors import (
    MessageRefused,
    NotFound,
    PeerError,
    PeerRefused,
    StoreBusy,
    StoreError,
    WebVigilError,
)
from webvigil.model.agent import Agent
from webvigil.model.change import Change
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.peer import Peer
from webvigil.model.version import Answer
from webvigil.store.promises import Agents, Changes, Peers, Schedule, Users, Versions
from webvigil.store.repository import PageRepository

_log = logging.getLogger("webvigil.agents")
# Letters of one agent that are sent in one turn.
_AT_A_TIME = 20
# Milliseconds. The id of a change is assigned before its transaction is committed; after this time, all
# changes with lower ids are there, so none is skipped.
_SETTLED: Millis = 5_000
Admit = Callable[[Agent], None]
"""Lets an agent watch its pages here. Raises WebVigilError with the reason if the agent may not."""


class BrokerStore(Protocol):
    """The parts of the knowledge base that admitting and recalling guests needs."""

    agents: Agents
    peers: Peers
    schedule: Schedule
    users: Users


class PostStore(BrokerStore, Protocol):
    """The parts of the knowledge base that sending the letters of guests needs."""

    changes: Changes
    versions: Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The limits of a mediator: agents of one peer, waiting letters of one agent, and time without a word
    from the agent's home."""

    agents: int
    letters: int
    silence: Millis


class Broker:
    """Handles the messages `agent` and `recall`; `turn` examines the agents that wait."""

    def __init__(self, knowledge: BrokerStore, admit: Admit, house: House) -> None:
        self._knowledge = knowledge
        self._admit = admit
        self._house = house

    def asked(self, sender: Peer, message: Message) -> Reply:
        """Takes an agent in, and answers with its state. The same agent sent twice is one agent."""
        id_, goals = agent_in(message), goals_from(message)
        agents = self._knowledge.agents
        known = agents.get(id_)
        if known is not None:
            if (known.side, known.peer) != ("guest", sender.key):
                refuse("content")
            return Reply({"state": known.state, "reason": known.reason})
        if sum(one.peer == sender.key for one in agents.all("guest")) >= self._house.agents:
            allowed = self._house.agents
            reason = f"there is room for {allowed} agents of a peer here" if allowed else "no agents here"
            return Reply({"state": "refused", "reason": reason})
        now = self._knowledge.schedule.now()
        guest = Agent(
            id=id_,
            side="guest",
            peer=sender.key,
            user=f"guest-{id_[:16]}",
            goals=goals,
            state="waiting",
            at=now,
            heard_at=now,
            told=True,
        )
        agents.put(guest)
        return Reply({"state": "waiting", "reason": ""})

    def recalled(self, sender: Peer, message: Message) -> Reply:
        """Removes an agent that its home wants back."""
        known = self._knowledge.agents.get(agent_in(message))
        if known and (known.side, known.peer) == ("guest", sender.key):
            dismiss(self._knowledge.agents, self._knowledge.users, known)
        return Reply({"state": "gone"})

    def turn(self) -> None:
        """Examines waiting agents, and removes agents whose home is silent or whose user is gone."""
        for one in self._knowledge.agents.all("guest"):
            if one.state == "waiting":
                self._look_into(one)
            elif self._is_forgotten(one) or not self._is_here(one):
                dismiss(self._knowledge.agents, self._knowledge.users, one)

    def _look_into(self, one: Agent) -> None:
        """Lets a waiting agent begin its work, or notes why it may not. Its home learns the result by the
        next letter."""
        try:
            self._admit(one)
        except StoreBusy:
            raise
        except WebVigilError as error:
            _forget_user(self._knowledge.users, one)
            refused = replace(one, state="refused", reason=str(error)[:500], told=False)
            self._knowledge.agents.put(refused, was="waiting")
        else:
            if not self._knowledge.agents.put(replace(one, state="at work", told=False), was="waiting"):
                _forget_user(self._knowledge.users, one)  # the agent was recalled in the meantime

    def _is_here(self, one: Agent) -> bool:
        """Tells whether the user of an agent exists. It does not if removing the agent was interrupted."""
        if one.state == "refused":
            return True
        try:
            self._knowledge.users.get(one.user)
        except NotFound:
            return False
        return True

    def _is_forgotten(self, one: Agent) -> bool:
        """Tells whether neither the agent nor its home's server was heard of for too long."""
        peer = self._knowledge.peers.get(one.peer)
        heard = max(one.heard_at, peer.heard_at if peer else 0)
        return heard < self._knowledge.schedule.now() - self._house.silence


class PostOffice:
    """Sends letters to the homes of agents.

    Pages in private networks are for our own users, not for guests: a change that involves one, by a link, a
    redirect or a frame, is not sent.
    """

    def __init__(
        self, post: Post, knowledge: PostStore, pages: PageRepository, hosts: OpenHosts, house: House
    ) -> None:
        self._post = post
        self._hosts = hosts
        self._knowledge = knowledge
        self._pages = pages
        self._house = house

    async def turn(self) -> None:
        """Sends waiting letters. Each home is served separately, so that one that cannot be reached does not
        delay the others."""
        waiting = await asyncio.to_thread(self._waiting)
        await asyncio.gather(*(self._bring(peer, some) for peer, some in waiting))

    def _waiting(self) -> list[tuple[Peer, list[Agent]]]:
        """Returns the agents by home, for homes that are peers and can be contacted now."""
        now = self._knowledge.schedule.now()
        homes: dict[str, list[Agent]] = {}
        for one in self._knowledge.agents.all("guest"):
            homes.setdefault(one.peer, []).append(one)
        peers = {key: self._knowledge.peers.get(key) for key in homes}
        return [
            (peer, homes[key])
            for key, peer in peers.items()
            if peer and peer.state == "known" and peer.rest_until <= now
        ]

    async def _bring(self, peer: Peer, agents: list[Agent]) -> None:
        for one in agents:
            try:
                await self._bring_all(peer, one)
            # letters of other agents to the same home may still be accepted
            except (PeerRefused, MessageRefused) as error:
                _log.info("The letters of the agent %s to %s wait: %s", one.goals.name, peer.url, error)
            except (PeerError, StoreError) as error:
                _log.info("All letters to %s wait: %s", peer.url, error)
                return

    async def _bring_all(self, peer: Peer, one: Agent) -> None:
        """Sends the changes of one agent, or its state if that is all there is to tell.

        An agent that its home does not want any more is removed.
        """
        changes = await asyncio.to_thread(self._unread, one)
        news: list[Change | None] = [*changes] if changes or one.told else [None]
        for change in news:
            if change and not await asyncio.to_thread(self._is_everybodys, change):
                await asyncio.to_thread(self._knowledge.agents.posted, one.id, change.id)
                continue
            content, body = await asyncio.to_thread(letter_of, one, change, self._answer)
            answer = await self._post.send(peer.key, peer.url, LETTER, content, body)
            if answer.content.get("wanted") is not True or one.state == "refused":
                await asyncio.to_thread(dismiss, self._knowledge.agents, self._knowledge.users, one)
                return
            await asyncio.to_thread(self._brought, one, change)

    def _unread(self, one: Agent) -> list[Change]:
        """Returns the changes to send, the oldest first. If there are more than may wait here, only the
        newest are kept."""
        found = self._knowledge.changes.all(one.user, after=one.letters, limit=self._house.letters)
        settled = as_datetime(self._knowledge.schedule.now() - _SETTLED)
        return list(takewhile(lambda change: change.found_at <= settled, found[::-1][:_AT_A_TIME]))

    def _is_everybodys(self, change: Change) -> bool:
        """Tells whether the page of a change and everything shown in it came from public addresses."""
        versions = [self._answer(change.page, one) for one in (change.old_version, change.new_version)]
        seen = [place for one in versions if one for place in places_of(one)]
        return self._hosts.are_open([change.url, *seen])

    def _brought(self, one: Agent, change: Change | None) -> None:
        now = self._knowledge.schedule.now()
        self._knowledge.agents.put(replace(one, told=True, heard_at=now), was=one.state)
        if change:
            self._knowledge.agents.posted(one.id, change.id)

    def _answer(self, page: int, number: int) -> Answer | None:
        try:
            return self._pages.answer(self._knowledge.versions.get(page, number).object)
        except (NotFound, StoreError):
            return None


def dismiss(agents: Agents, users: Users, one: Agent) -> None:
    """Removes an agent and everything that belongs to it."""
    _forget_user(users, one)
    agents.remove(one.id)


def _forget_user(users: Users, one: Agent) -> None:
    with suppress(NotFound):
        users.remove(one.user)
