"""A due page in, its content out: from the peer that is responsible for it, or from the web (B4, B5).

A peer's answer enters the flow like a fetch of our own. If it fails in any way (missing, wrong or stale), the
same check fetches the page itself, so a peer delays a page by some seconds at most. Now and then an answer is
compared with a fetch of our own. Then our own fetch is used, so that a made-up page is never reported by the
check that caught it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol
from urllib.parse import urlsplit

from webvigil.community.location import responsible
from webvigil.community.messages import refuse
from webvigil.community.openness import OpenHosts
from webvigil.community.sending import Post
from webvigil.community.sharing import (
    FROM_PEER,
    PAGE,
    PEER_HAS_NEWS,
    Given,
    Wish,
    given_from,
)
from webvigil.community.trust import agree, chance_of_check, distance, distrusted, failed, is_liar
from webvigil.errors import MessageRefused, PageError, PeerError
from webvigil.fetch.http import Fetched
from webvigil.model.approach import PLAIN
from webvigil.model.moment import Millis, in_words
from webvigil.model.peer import Peer
from webvigil.model.version import Answer
from webvigil.model.work import DuePage
from webvigil.store.promises import Journal, Peers, Schedule

_log = logging.getLogger("webvigil.peers")

NOT_BELIEVED = "a peer is not believed any more"
NO_PEER = "a peer is none any more"
_NOT_FROM, _OWN, _OWN_AT = "peer_not", "peer_own", "peer_own_at"
_OURS = (_NOT_FROM, _OWN, _OWN_AT)
# Added to the age that an answer may have, so that a look that is barely late still counts.
_SLACK: Millis = 2_000
# The interval told to a peer for a page that has no interval and was never looked at.
_FIRST_LOOK: Millis = 60_000
# Seconds for which the list of peers is used before it is read again.
_KNOWN_FOR = 2.0
# Bytes for the key, the signature and the head of a message around its body.
_SURROUNDS = 2_000

Direct = Callable[[dict[str, str]], Awaitable[Fetched]]
"""Fetches the page from the web. Takes the facts learnt about the page, or nothing to get the page
unconditionally."""


class PeerStore(Protocol):
    """The parts of the knowledge base that working with peers needs."""

    journal: Journal
    peers: Peers
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class _Loan:
    """A due page that a peer may lend us: the peer that was asked, our wish and the peer's answer."""

    due: DuePage
    peer: Peer
    wish: Wish
    given: Given

    def signed(self, signature: Callable[[Answer], str]) -> str:
        return signature(self.given.answer) if self.given.answer else self.wish.have


class Borrower:
    """Gets pages from peers. `signature` returns a text that differs for different pages.

    `largest` is the most bytes of a page, `checks` the percentage of answers that are checked, and `pause`
    returns, by host, the seconds between two requests.
    """

    def __init__(
        self,
        post: Post,
        knowledge: PeerStore,
        hosts: OpenHosts,
        signature: Callable[[Answer], str],
        *,
        largest: int,
        checks: int,
        pause: Callable[[str], float] = lambda _: 1.0,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._post = post
        self._knowledge = knowledge
        self._hosts = hosts
        self._signature = signature
        self._largest = largest
        self._checks = checks
        self._pause = pause
        self._chance = chance
        self._known: dict[str, Peer] = {}
        self._known_until = 0.0

    async def fetch(self, due: DuePage, direct: Direct) -> Fetched:
        """Returns a due page, from a peer if possible, else by calling `direct`."""
        loan = await self._asked(due) if _may_come_from_others(due) else None
        if loan is None or loan.given.what == "later":
            return _with_memory(await direct(_facts(due)), due)
        if self._is_checked(loan):
            return await self._checked(loan, direct)
        return _borrowed(loan)

    async def peers(self) -> dict[str, Peer]:
        """Returns the peers without failures, by key; the list may be two seconds old."""
        if time.monotonic() > self._known_until:
            self._known = await asyncio.to_thread(self._well)
            self._known_until = time.monotonic() + _KNOWN_FOR
        return self._known

    def _well(self) -> dict[str, Peer]:
        found = self._knowledge.peers.all()
        return {one.key: one for one in found if one.state == "known" and not one.failures}

    # --- asking ----------------------------------------------------------------------------------------

    async def _asked(self, due: DuePage) -> _Loan | None:
        peers = await self.peers()
        if not peers or not await self._hosts.is_open(due.page.host):
            return None
        found = await asyncio.to_thread(self._lender, due, peers)
        if found is None:
            return None
        peer, wish = found
        given = await self._ask(peer, wish)
        return _Loan(due, peer, wish, given) if given else None

    def _lender(self, due: DuePage, peers: dict[str, Peer]) -> tuple[Peer, Wish] | None:
        """Returns the peer to ask and the wish, or None if the page is ours to fetch or must not be
        shared."""
        key, store = due.page.key, self._knowledge.peers
        wanting = [one for one in store.wanting([key]).get(key, ()) if one in peers]
        shared = store.shared(key) if wanting else None
        if shared is None:
            return None
        chosen = responsible(key, [self._post.identity.key, *wanting])
        if chosen not in peers or chosen == due.validators.get(_NOT_FROM):
            return None
        interval = shared.interval or self._since_last(key)
        have = due.latest.signature if due.latest else ""
        age, largest = interval * 5 // 4 + _SLACK, max(0, self._largest - _SURROUNDS)
        return peers[chosen], Wish(page=key, have=have, age=age, interval=interval, largest=largest)

    def _since_last(self, key: str) -> Millis:
        """Returns the interval that a peer is told for a page without a fixed interval: the time since our
        last look, because the next wait may be as long."""
        seen = self._knowledge.peers.seen(key)
        return max(0, self._knowledge.schedule.now() - seen.seen_at) if seen else _FIRST_LOOK

    async def _ask(self, peer: Peer, wish: Wish) -> Given | None:
        try:
            answer = await self._post.send(peer.key, peer.url, PAGE, wish.as_json(), largest=self._largest)
            given = _within_bounds(given_from(answer), wish)
        except PeerError as error:
            await self._failed(peer, error)
            return None
        await self._count(peer, asked=1, got=given.what != "later", same=given.what == "same")
        return given

    async def _failed(self, peer: Peer, error: PeerError) -> None:
        self._known.pop(peer.key, None)
        _log.warning("The peer %s failed to answer for a page: %s", peer.url, error)
        await asyncio.to_thread(self._write_failure, peer, error)

    def _write_failure(self, peer: Peer, error: PeerError) -> None:
        self._knowledge.peers.count(peer.key, asked=1, refused=int(isinstance(error, MessageRefused)))
        now = self._knowledge.schedule.now()

        def resting(known: Peer) -> Peer:
            """Returns the peer with a pause. Requests made at the same time met the same trouble, so only the
            first failure counts."""
            counts = known.state == "known" and not known.failures
            return failed(known, now, str(error)) if counts else known

        self._knowledge.peers.change(peer.key, resting)

    async def _count(self, peer: Peer, **more: int) -> None:
        numbers = {name: int(number) for name, number in more.items() if number}
        await asyncio.to_thread(partial(self._knowledge.peers.count, peer.key, **numbers))

    # --- checking --------------------------------------------------------------------------------------

    def _is_checked(self, loan: _Loan) -> bool:
        if _OWN in loan.due.validators:
            return True
        changed = loan.given.what == "new"
        return self._chance() < chance_of_check(loan.peer.figures, changed, self._checks)

    async def _checked(self, loan: _Loan, direct: Direct) -> Fetched:
        """Fetches the page and compares it with the peer's answer. Our own fetch is returned in any case.

        A difference proves nothing yet: the page may have changed since the peer looked, or may differ on
        every request.
        """
        fetched_at = time.time_ns() // 1_000_000
        try:
            own = await direct({})
        except PageError:
            if not loan.peer.figures.agreed:
                raise
            return _borrowed(loan)  # The peer was right before, and may see a page that we cannot reach now.
        theirs, ours = loan.signed(self._signature), self._signature(_answer(own))
        if theirs == ours:
            await self._agreed(loan)
            return replace(own, reason=f"fetched to check what peer {name_of(loan.peer)} says; it is true")
        await asyncio.sleep(self._pause(loan.due.page.host))
        try:
            again = await direct({})
        except PageError:  # Our first fetch counts; the next look will show what the difference means.
            return _in_doubt(own, loan, ours, fetched_at)
        if self._signature(_answer(again)) == ours:
            lied = self._proven(loan, ours, fetched_at)
        else:
            if not loan.given.answer or _like(loan.given.answer, _answer(own), _answer(again)):
                await self._agreed(loan)
                return replace(own, reason="fetched to check a peer; the page is never the same twice")
            lied = _OWN in loan.due.validators
        if lied:
            return await self._caught(loan, own)
        return _in_doubt(own, loan, ours, fetched_at)

    def _proven(self, loan: _Loan, ours: str, now: Millis) -> bool:
        """Tells whether we saw the same page both before and after the moment at which the peer claims to
        have seen another one."""
        facts = loan.due.validators
        before = facts.get(_OWN_AT, "")
        between = before.isdigit() and int(before) < now - loan.given.age
        return between and facts.get(_OWN) == ours

    async def _agreed(self, loan: _Loan) -> None:
        await self._count(loan.peer, checked=1, agreed=1)

    async def _caught(self, loan: _Loan, own: Fetched) -> Fetched:
        """Counts a lie. This page is fetched here from now on; if the peer has lied too often, so are all of
        its pages."""
        _log.warning("The peer %s sent another page than we fetched: %s", loan.peer.url, loan.due.page.url)
        await self._count(loan.peer, checked=1, strikes=1)
        await asyncio.to_thread(self._judge, loan.peer)
        reason = f"peer {name_of(loan.peer)} tells another page than we see; fetched here from now on"
        return replace(own, validators={**own.validators, _NOT_FROM: loan.peer.key}, reason=reason)

    def _judge(self, peer: Peer) -> None:
        known = self._knowledge.peers.get(peer.key)
        if known and known.state == "known" and is_liar(known.figures):
            what = f"{known.figures.strikes} of its pages are not as we see them ourselves"
            distrust(self._knowledge, self._post.identity.key, known, what)
            self._known.pop(peer.key, None)


def distrust(knowledge: PeerStore, own: str, peer: Peer, reason: str) -> int:
    """Marks a peer as distrusted, and makes the pages due here that it was responsible for. Returns how many
    those are."""
    lost = _pages_of(knowledge.peers, own, peer)
    knowledge.peers.change(peer.key, lambda known: distrusted(known, reason))
    knowledge.journal.record("PeerDistrusted", peer.url, {"reason": reason, "pages": len(lost)})
    for page in lost:
        knowledge.schedule.ask(page, NOT_BELIEVED)
    return len(lost)


def forget(knowledge: PeerStore, own: str, peer: Peer) -> int:
    """Removes a peer, and makes the pages due here that it was responsible for. Returns how many those
    are."""
    lost = _pages_of(knowledge.peers, own, peer) if peer.state == "known" else []
    knowledge.peers.remove(peer.key)
    knowledge.journal.record("PeerRemoved", peer.url, {"pages": len(lost)})
    for page in lost:
        knowledge.schedule.ask(page, NO_PEER)
    return len(lost)


def _pages_of(peers: Peers, own: str, peer: Peer) -> list[int]:
    """Returns the ids of our pages that a peer was responsible for."""
    shared = {one.page.key: one.id for one in peers.shareable()}
    wanting = peers.wanting(shared)
    return [shared[page] for page, keys in wanting.items() if responsible(page, [own, *keys]) == peer.key]


def name_of(peer: Peer) -> str:
    return urlsplit(peer.url).netloc or peer.key[:8]


def _within_bounds(given: Given, wish: Wish) -> Given:
    """Turns an answer that is too old into "later". Raises MessageRefused for "same" if we have no
    version."""
    if given.what == "same" and not wish.have:
        refuse("content")
    return given if given.age <= wish.age else Given(what="later")


def _may_come_from_others(due: DuePage) -> bool:
    """Tells whether a peer may be asked for this page.

    A look that a user asked for must be our own. Pages that not everybody sees (log-ins, forms, rendered
    pages) are not shared.
    """
    page = due.page
    alike = not page.login and page.method == "GET" and page.render == "http" and page.approach == PLAIN
    return alike and due.wish in ("", PEER_HAS_NEWS)


def _borrowed(loan: _Loan) -> Fetched:
    """Returns a peer's answer in the form of a fetch.

    The validators of our last fetch do not fit a body from elsewhere. They are dropped, so that our next own
    fetch is unconditional.
    """
    given, name = loan.given, name_of(loan.peer)
    told = f"from peer {name}, which fetched it {in_words(given.age)} ago"
    if given.answer is None:
        facts = {**loan.due.validators, FROM_PEER: name}
        return Fetched(answer=None, status=304, validators=facts, reason=told)
    kept = {name: value for name, value in loan.due.validators.items() if name == _NOT_FROM}
    return Fetched(
        answer=given.answer,
        status=given.answer.status,
        validators={**kept, FROM_PEER: name},
        reason=told,
        received=len(given.answer.body),
    )


def _facts(due: DuePage) -> dict[str, str]:
    """Returns what was learnt about the version that we have; nothing if we have none."""
    return due.validators if due.latest else {}


def _with_memory(fetched: Fetched, due: DuePage) -> Fetched:
    """Returns the fetch with our notes about peers, which the fetcher does not know, kept among the facts."""
    kept = {name: due.validators[name] for name in _OURS if name in due.validators}
    return replace(fetched, validators={**fetched.validators, **kept}) if kept else fetched


def _in_doubt(own: Fetched, loan: _Loan, ours: str, at: Millis) -> Fetched:
    """Returns our own fetch with a note of what we saw, so that the next answer is checked too and compared
    with it."""
    noted = {**own.validators, _OWN: ours, _OWN_AT: str(at)}
    reason = f"fetched to check what peer {name_of(loan.peer)} says; it may have looked earlier"
    return replace(own, validators=noted, reason=reason)


def _like(theirs: Answer, own: Answer, again: Answer) -> bool:
    return agree(theirs.body, own.body, distance(own.body, again.body))


def _answer(fetched: Fetched) -> Answer:
    assert fetched.answer is not None, "a page that is asked for without conditions comes"
    return fetched.answer
