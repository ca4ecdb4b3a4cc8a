"""The home of personal agents: it sends agents to peers and turns their letters into changes (B1, B2).

A letter becomes an ordinary change of the sentinel that the agent works for. The page that the agent saw is
stored as a page of its own, with the version numbers of the peer; this server never fetches it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from webvigil.community.letters import (
    AGENT,
    RECALL,
    Found,
    agent_in,
    found_from,
    goals_as_json,
    state_from,
)
from webvigil.community.messages import Message
from webvigil.community.receiving import Reply
from webvigil.community.sending import Post
from webvigil.errors import NotFound, PeerError, PeerRefused, StoreError
from webvigil.language import parse
from webvigil.model.agent import Agent, AgentState, Letter
from webvigil.model.moment import as_datetime
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.peer import Peer
from webvigil.model.version import Answer
from webvigil.model.work import DuePage, NewVersion, Watch
from webvigil.notify.notices import notices_for, report_of
from webvigil.store.promises import Agents, Peers, Schedule, Sentinels
from webvigil.store.repository import PageRepository

_log = logging.getLogger("webvigil.agents")
OfSentinel = Callable[[Agent], None]
"""An action on the sentinel that an agent works for."""


class HomeStore(Protocol):
    """The parts of the knowledge base that the home of agents needs."""

    agents: Agents
    peers: Peers
    schedule: Schedule
    sentinels: Sentinels


class Home:
    """Handles the message `letter`; `turn` sends new agents out and calls recalled agents back.

    `again` makes the sentinel of an agent watch here again, `rest` stops that. Either server may be switched
    off between two steps, so the step that keeps the pages watched comes first.
    """

    def __init__(
        self,
        knowledge: HomeStore,
        pages: PageRepository,
        signature: Callable[[Answer], str],
        again: OfSentinel,
        rest: OfSentinel,
    ) -> None:
        self._knowledge = knowledge
        self._pages = pages
        self._signature = signature
        self._again = again
        self._rest = rest

    def received(self, sender: Peer, message: Message) -> Reply:
        """Stores the state of an agent and the change in its letter, and answers whether the agent is still
        wanted."""
        state, reason = state_from(message)
        found = found_from(message)
        one = self._knowledge.agents.get(agent_in(message))
        if one is None or (one.side, one.peer) != ("away", sender.key) or one.state == "recalling":
            return Reply({"wanted": False})
        self._note(one, state, reason)
        if found and found.number > one.letters:
            self._knowledge.agents.arrived(one.id, self._letter(one, found))
        return Reply({"wanted": True})

    def _note(self, one: Agent, state: AgentState, reason: str) -> None:
        """Stores the state of an agent. If a peer refused the agent, its sentinel watches here again."""
        now = self._knowledge.schedule.now()
        noted = replace(one, state=state, reason=reason, heard_at=now)
        if state == "refused" != one.state and self._is_still(one, one.state):
            self._again(noted)
        self._knowledge.agents.put(noted, was=one.state)

    def _letter(self, one: Agent, found: Found) -> Letter:
        """Returns a found change as a letter to store. The login of its page keeps it apart from pages that
        are fetched here."""
        now = self._knowledge.schedule.now()
        at = min(found.at, now)
        page = Page(url=found.url, login=f"agent:{one.id}")
        versions = tuple(self._kept(number, answer) for number, answer in sorted(found.answers.items()))
        return Letter(
            number=found.number,
            page=page,
            old_version=found.old,
            new_version=found.new,
            found_at=at,
            findings=found.findings,
            versions=versions,
            notices=self._notices(one, found, page),
        )

    def _kept(self, number: int, answer: Answer) -> NewVersion:
        kept = self._pages.keep(answer)
        return NewVersion(
            number=number,
            url=answer.url,
            status=answer.status,
            signature=self._signature(answer),
            object=kept.object,
            size=len(answer.body),
            picture=kept.picture,
            base=kept.base,
            stored=kept.stored,
        )

    def _notices(self, one: Agent, found: Found, page: Page) -> tuple[Notice, ...]:
        """Returns the notices about a found change, for the channels that the owner's sentinel names."""
        try:
            installed = self._knowledge.sentinels.get(one.user, one.goals.name)
        except NotFound:
            return ()
        watch = Watch(
            sentinel=installed.id,
            user=one.user,
            name=installed.name,
            text=installed.text,
            interval=0,
            next_at=0,
            reference=0,
        )
        told = notices_for(
            parse(installed.text)[0],
            watch,
            DuePage.unscheduled(page, (watch,)),
            (found.old, found.new),
            report_of(found.findings),
            as_datetime(min(found.at, self._knowledge.schedule.now())),
        )
        return tuple(
            replace(notice, dedup=f"agent:{one.id}:{found.number}:{place}")
            for place, notice in enumerate(told)
        )

    # --- going and coming ------------------------------------------------------------------------------

    async def turn(self, post: Post) -> None:
        for one in await asyncio.to_thread(self._travelling):
            peer = await asyncio.to_thread(self._knowledge.peers.get, one.peer)
            try:
                await self._travel(post, one, peer)
            except (PeerError, StoreError) as error:
                _log.info("The agent of the sentinel %s waits: %s", one.goals.name, error)

    def _travelling(self) -> list[Agent]:
        """Returns the agents to send or to call back.

        An agent is recalled if its sentinel is gone, or if the sentinel watches here: somebody enabled it, or
        a recall was interrupted.
        """
        found = []
        for one in self._knowledge.agents.all("away"):
            if one.state != "recalling" and not self._has_work(one):
                one = replace(one, state="recalling")
                self._knowledge.agents.put(one)
            if one.state in ("sending", "recalling"):
                found.append(one)
        return found

    def _has_work(self, one: Agent) -> bool:
        try:
            sentinel = self._knowledge.sentinels.get(one.user, one.goals.name)
        except NotFound:
            return False
        return not (sentinel.enabled and one.state in ("waiting", "at work"))

    async def _travel(self, post: Post, one: Agent, peer: Peer | None) -> None:
        """Sends an agent to its peer, or calls it back. If the server is no peer any more, the agent is
        turned away."""
        if peer is None or peer.state in ("asking", "distrusted"):
            await asyncio.to_thread(self._turned_away, one, "the server is no peer of ours any more")
        elif one.state == "recalling":
            await post.send(peer.key, peer.url, RECALL, {"agent": one.id})
            await asyncio.to_thread(self._knowledge.agents.remove, one.id)
        else:
            await asyncio.to_thread(self._leave, one)
            try:
                answer = await post.send(peer.key, peer.url, AGENT, goals_as_json(one))
            except PeerRefused as error:
                await asyncio.to_thread(self._turned_away, one, str(error))
            else:
                await asyncio.to_thread(self._taken_in, one, answer)

    def _leave(self, one: Agent) -> None:
        """Stops the sentinel from watching here before its agent leaves; whoever sent the agent may have been
        interrupted before that.

        If the agent was recalled in the meantime, the sentinel watches again.
        """
        self._rest(one)
        if not self._is_still(one, "sending"):
            self._again(one)

    def _is_still(self, one: Agent, state: AgentState) -> bool:
        known = self._knowledge.agents.get(one.id)
        return known is not None and known.state == state

    def _taken_in(self, one: Agent, answer: Message) -> None:
        """Stores the state with which a peer took the agent in. Does nothing if the owner recalled the agent
        in the meantime."""
        state, reason = state_from(answer)
        known = self._knowledge.agents.get(one.id)
        if known and known.state == "sending":
            self._note(known, state, reason)

    def _turned_away(self, one: Agent, reason: str) -> None:
        """Marks the agent as refused, or removes an agent that was being recalled."""
        if one.state == "recalling":
            self._knowledge.agents.remove(one.id)
        else:
            self._note(one, "refused", reason)
