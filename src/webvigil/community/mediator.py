"""The mediator: where the personal agents of peers stay (B2).

The request broker takes an agent in, and later looks into what it wants: first come, first served, under the
limits of this house. The post office brings what it found to its home, in order, and holds what cannot be
brought yet: that is its accommodation, of which there is only so much. An agent is a user of its own here,
with one sentinel; it cannot sign in, is told nothing by other ways, and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile

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
from webvigil.store.promises import Knowledge
from webvigil.store.repository import PageRepository

_log = logging.getLogger("webvigil.agents")
_AT_A_TIME = 20
# Numbers are given before what they count is written; by then all that have lower ones are there.
_SETTLED: Millis = 5_000
Admit = Callable[[Agent], None]
"""Lets an agent watch its pages here; raises WebVigilError with the reason where it may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """So many agents of one peer, so many letters of each that wait, and so long without a word from home."""

    agents: int
    letters: int
    silence: Millis


class Broker:
    """Handles `agent` and `recall`; `turn` looks into those who wait."""

    def __init__(self, knowledge: Knowledge, admit: Admit, house: House) -> None:
        self._knowledge = knowledge
        self._admit = admit
        self._house = house

    def asked(self, sender: Peer, message: Message) -> Reply:
        """The same agent twice is one agent."""
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
        known = self._knowledge.agents.get(agent_in(message))
        if known and (known.side, known.peer) == ("guest", sender.key):
            dismiss(self._knowledge, known)
        return Reply({"state": "gone"})

    def turn(self) -> None:
        for one in self._knowledge.agents.all("guest"):
            if one.state == "waiting":
                self._look_into(one)
            elif self._is_forgotten(one) or not self._is_here(one):
                dismiss(self._knowledge, one)

    def _look_into(self, one: Agent) -> None:
        try:
            self._admit(one)
        except StoreBusy:
            raise
        except WebVigilError as error:
            _forget_user(self._knowledge, one)
            refused = replace(one, state="refused", reason=str(error)[:500], told=False)
            self._knowledge.agents.put(refused, was="waiting")
        else:
            if not self._knowledge.agents.put(replace(one, state="at work", told=False), was="waiting"):
                _forget_user(self._knowledge, one)  # it was recalled meanwhile

    def _is_here(self, one: Agent) -> bool:
        """Not where we were interrupted while it left."""
        if one.state == "refused":
            return True
        try:
            self._knowledge.users.get(one.user)
        except NotFound:
            return False
        return True

    def _is_forgotten(self, one: Agent) -> bool:
        """Neither it nor anybody else has heard of its home for long."""
        peer = self._knowledge.peers.get(one.peer)
        heard = max(one.heard_at, peer.heard_at if peer else 0)
        return heard < self._knowledge.schedule.now() - self._house.silence


class PostOffice:
    """What our own users may see in private networks is not for guests: whatever leads there, by a link or a
    redirect or in a frame, is told to nobody's home."""

    def __init__(
        self, post: Post, knowledge: Knowledge, pages: PageRepository, hosts: OpenHosts, house: House
    ) -> None:
        self._post = post
        self._hosts = hosts
        self._knowledge = knowledge
        self._pages = pages
        self._house = house

    async def turn(self) -> None:
        """Each home by itself: one that is away keeps nobody else waiting."""
        waiting = await asyncio.to_thread(self._waiting)
        await asyncio.gather(*(self._bring(peer, some) for peer, some in waiting))

    def _waiting(self) -> list[tuple[Peer, list[Agent]]]:
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
            except (PeerRefused, MessageRefused) as error:  # those of others may be taken
                _log.info(
                    "Cannot bring the letters of agent %s to peer %s, trying again: %s",
                    one.goals.name,
                    peer.url,
                    error,
                )
            except (PeerError, StoreError) as error:
                _log.info("Cannot bring letters to peer %s, trying again: %s", peer.url, error)
                return

    async def _bring_all(self, peer: Peer, one: Agent) -> None:
        changes = await asyncio.to_thread(self._unread, one)
        news: list[Change | None] = [*changes] if changes or one.told else [None]
        for change in news:
            if change and not await asyncio.to_thread(self._is_everybodys, change):
                await asyncio.to_thread(self._knowledge.agents.posted, one.id, change.id)
                continue
            content, body = await asyncio.to_thread(letter_of, one, change, self._answer)
            answer = await self._post.send(peer.key, peer.url, LETTER, content, body)
            if answer.content.get("wanted") is not True or one.state == "refused":
                await asyncio.to_thread(dismiss, self._knowledge, one)
                return
            await asyncio.to_thread(self._brought, one, change)

    def _unread(self, one: Agent) -> list[Change]:
        """The oldest first. Of more than may wait here only the newest are kept."""
        found = self._knowledge.changes.all(one.user, after=one.letters, limit=self._house.letters)
        settled = as_datetime(self._knowledge.schedule.now() - _SETTLED)
        return list(takewhile(lambda change: change.found_at <= settled, found[::-1][:_AT_A_TIME]))

    def _is_everybodys(self, change: Change) -> bool:
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


def dismiss(knowledge: Knowledge, one: Agent) -> None:
    """It leaves, with all that is its own."""
    _forget_user(knowledge, one)
    knowledge.agents.remove(one.id)


def _forget_user(knowledge: Knowledge, one: Agent) -> None:
    with suppress(NotFound):
        knowledge.users.remove(one.user)
