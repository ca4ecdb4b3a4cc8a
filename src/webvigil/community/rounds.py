"""What a server does for its peers: greetings and announcements every ten seconds, hints after a change (B4).

A round says hello to peers that have not answered yet and tells the others which pages are watched here,
which also shows who can be reached. A peer that failed is asked for pages again only after it has answered in
a round. One worker does the rounds for all workers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from webvigil.community.borrowing import Borrower
from webvigil.community.greeting import greet
from webvigil.community.location import ANNOUNCE, announcement
from webvigil.community.openness import OpenHosts
from webvigil.community.sending import Post
from webvigil.community.sharing import FROM_PEER, HINT
from webvigil.community.trust import failed, well_again
from webvigil.errors import PeerError, PeerRefused, StoreError
from webvigil.model.moment import Millis
from webvigil.model.peer import Peer, PeerState
from webvigil.model.work import CheckResult
from webvigil.store.promises import Peers, Schedule, Versions

_log = logging.getLogger("webvigil.peers")

# Seconds between two rounds.
EVERY = 10.0
# Seconds between two looks whether a peer was added or changed.
_GLANCE = 1.0
# Peers that are contacted at the same time.
_AT_A_TIME = 8
# Host names that are looked up at the same time.
_NAMES_AT_A_TIME = 64
_SHARE = 50
"""Listing the pages that are watched here may take one fiftieth of the time: the list is used for fifty times
as long as it took to make."""


class _Store(Protocol):
    """The parts of the knowledge base that the rounds need."""

    peers: Peers
    schedule: Schedule
    versions: Versions


class Writings(Protocol):
    """Lets a task sleep until something is written to the database after `count` was `seen`, but at most
    `longest` seconds; without `longest`, half a minute at most."""

    @property
    def count(self) -> int: ...

    async def after(self, seen: int, longest: float | None = None) -> None: ...


class Rounds:
    """Does the rounds. `url` returns where peers reach us; `listed` says whether they may tell others about
    us."""

    def __init__(
        self,
        post: Post,
        knowledge: _Store,
        hosts: OpenHosts,
        borrower: Borrower,
        *,
        url: Callable[[], str],
        listed: bool,
    ) -> None:
        self._post = post
        self._knowledge = knowledge
        self._hosts = hosts
        self._borrower = borrower
        self._url = url
        self._listed = listed
        self._wanting: dict[str, Millis] = {}
        self._wanted_until = 0.0
        self._told: dict[str, dict[str, Millis]] = {}
        self._hinting: set[asyncio.Task[None]] = set()

    async def for_ever(self, held: Callable[[], bool], writings: Writings | None = None) -> None:
        """Does a round every ten seconds and soon after a peer was added, while `held` says that this worker
        is in charge. With `writings` the database is only asked for new peers after something was
        written to it. As long as there are no peers, nothing else is done."""
        standing, turned_at = None, float("-inf")
        while True:
            seen = writings.count if writings else 0
            try:
                if await asyncio.to_thread(held):
                    now = await asyncio.to_thread(self._standing)
                    if now != standing or time.monotonic() - turned_at >= EVERY:
                        await self.turn()
                        standing, turned_at = await asyncio.to_thread(self._standing), time.monotonic()
            except StoreError as error:
                _log.warning("Could not tell the peers which pages are watched here: %s", error)
            await (writings.after(seen, EVERY if standing else None) if writings else asyncio.sleep(_GLANCE))

    def _standing(self) -> set[tuple[str, str]]:
        return {(one.key, one.state) for one in self._knowledge.peers.all()}

    async def turn(self) -> None:
        """Does one round. Peers are contacted side by side, so that a peer that hangs does not delay the
        others."""
        now, peers = await asyncio.to_thread(self._due)
        wanted = await self._wanted() if peers else {}
        slots = asyncio.Semaphore(_AT_A_TIME)

        async def one(peer: Peer) -> None:
            async with slots:
                await self._attend(peer, wanted, now)

        await asyncio.gather(*(one(peer) for peer in peers))

    def _due(self) -> tuple[Millis, list[Peer]]:
        now = self._knowledge.schedule.now()
        ours = ("known", "invited")
        found = [one for one in self._knowledge.peers.all() if one.state in ours and one.rest_until <= now]
        return now, found

    async def _wanted(self) -> dict[str, Millis]:
        """Returns the pages that are watched here and may be shared, by key, with their intervals.

        The list is made anew in each round as long as that takes little time; otherwise an older one is used.
        """
        started = time.monotonic()
        if started >= self._wanted_until:
            shared = await asyncio.to_thread(self._knowledge.peers.shareable)
            opened = await self._opened({one.page.host for one in shared})
            self._wanting = {one.page.key: one.interval for one in shared if one.page.host in opened}
            self._wanted_until = time.monotonic() + _SHARE * (time.monotonic() - started)
        return self._wanting

    async def _opened(self, hosts: set[str]) -> set[str]:
        found: set[str] = set()
        left = sorted(hosts)
        for start in range(0, len(left), _NAMES_AT_A_TIME):
            some = left[start : start + _NAMES_AT_A_TIME]
            judged = await asyncio.gather(*map(self._hosts.is_open, some))
            found |= {host for host, is_open in zip(some, judged, strict=True) if is_open}
        return found

    async def _attend(self, peer: Peer, wanted: dict[str, Millis], now: Millis) -> None:
        """Greets a peer, or announces our pages to it. A failure is stored with the peer."""
        try:
            if peer.state == "invited":
                url = await asyncio.to_thread(self._url)
                await greet(self._post, self._knowledge.peers, peer, url, listed=self._listed)
            else:
                await self._announce(peer, wanted)
        except PeerError as error:
            self._told.pop(peer.key, None)
            refused = isinstance(error, PeerRefused)
            await asyncio.to_thread(self._in_trouble, peer, str(error), now, refused)

    async def _announce(self, peer: Peer, wanted: dict[str, Millis]) -> None:
        """Announces only what changed since the last time; everything if the peer's count shows that it knows
        something else."""
        known, about = None, {"url": await asyncio.to_thread(self._url), "listed": self._listed}
        for content, body in announcement(self._told.get(peer.key), wanted):
            content |= about
            answer = await self._post.send(peer.key, peer.url, ANNOUNCE, content, body)
            known = answer.content.get("pages")
        if known == len(wanted):
            self._told[peer.key] = wanted
        else:
            self._told.pop(peer.key, None)
        if peer.failures:
            now = await asyncio.to_thread(self._knowledge.schedule.now)
            await asyncio.to_thread(self._change, peer, lambda one: well_again(one, now))

    def _in_trouble(self, peer: Peer, reason: str, now: Millis, refused: bool) -> None:
        """Gives the peer a pause. If it refused, it has withdrawn its consent: it becomes "invited" again and
        will be asked anew."""
        state: PeerState = "invited" if refused else peer.state
        self._change(peer, lambda one: replace(failed(one, now, reason), state=state))

    def _change(self, peer: Peer, change: Callable[[Peer], Peer]) -> None:
        """Changes the stored peer, unless its state has changed in the meantime."""
        self._knowledge.peers.change(
            peer.key, lambda known: change(known) if known.state == peer.state else known
        )

    # --- hints -----------------------------------------------------------------------------------------

    def wrote(self, results: Iterable[CheckResult]) -> None:
        """Tells peers about new versions that we fetched ourselves, of pages that they watch too."""
        news = [
            one.page
            for one in results
            if one.version and one.version.number > 1 and FROM_PEER not in one.validators
        ]
        if news:
            task = asyncio.get_running_loop().create_task(self._tell(news))
            self._hinting.add(task)
            task.add_done_callback(self._hinting.discard)

    async def _tell(self, pages: list[int]) -> None:
        """Sends hints about new versions to the peers that watch these pages."""
        peers = await self._borrower.peers()
        if not peers:
            return
        try:
            told = await asyncio.to_thread(self._watchers, pages)
        except StoreError:
            return  # The hints are lost, which is harmless: the peers look again when their interval is over.
        hints = [
            self._hint(peers[key], page)
            for page, host, keys in told
            if await self._hosts.is_open(host)
            for key in keys
            if key in peers
        ]
        await asyncio.gather(*hints)

    def _watchers(self, pages: list[int]) -> list[tuple[str, str, list[str]]]:
        known = [self._knowledge.versions.page(one) for one in pages]
        wanting = self._knowledge.peers.wanting([one.key for one in known])
        return [
            (one.key, one.host, wanting[one.key])
            for one in known
            if one.key in wanting and self._knowledge.peers.shared(one.key)
        ]

    async def _hint(self, peer: Peer, page: str) -> None:
        try:
            await self._post.send(peer.key, peer.url, HINT, {"page": page})
        except PeerError as error:
            _log.info("Could not send the peer %s a hint about a new version: %s", peer.url, error)
