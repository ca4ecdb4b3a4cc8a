"""A page that is due: from the peer that is responsible for it, or from the web (B4, B5).

A peer's answer enters the flow like a fetch of our own. Whatever goes wrong with it (no answer, a wrong one,
a stale one) ends in a fetch of our own in the same check, so that a peer costs a page some seconds at most.
Now and then an answer is compared with what we fetch ourselves; then our own fetch is the one that counts, so
that nothing a peer made up is told by a check that caught it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
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
from webvigil.model.moment import Millis
from webvigil.model.peer import Peer
from webvigil.model.version import Answer
from webvigil.model.work import DuePage
from webvigil.pace.words import in_words
from webvigil.store.promises import Knowledge

_log = logging.getLogger("webvigil.peers")

NOT_BELIEVED = "a peer is not believed any more"
NO_PEER = "a peer is none any more"
_NOT_FROM, _OWN, _OWN_AT = "peer_not", "peer_own", "peer_own_at"
_OURS = (_NOT_FROM, _OWN, _OWN_AT)
_SLACK: Millis = 2_000
_FIRST_LOOK: Millis = 60_000
_KNOWN_FOR = 2.0
# Key, signature and head of a message without its body.
_SURROUNDS = 2_000

Direct = Callable[[dict[str, str]], Awaitable[Fetched]]
"""Fetches the page from the web; given what was learnt about it, or nothing to have it whole."""


@dataclass(frozen=True, slots=True)
class _Loan:
    """A due page, the peer that is asked for it, how, and what it said."""

    due: DuePage
    peer: Peer
    wish: Wish
    given: Given

    def signed(self, signature: Callable[[Answer], str]) -> str:
        return signature(self.given.answer) if self.given.answer else self.wish.have


class Borrower:
    """`signature` tells pages apart; `largest` is the most bytes of a page, `checks` how many answers of a
    hundred are checked, `pause` the rest between two requests to a host, in seconds, by its name."""

    def __init__(
        self,
        post: Post,
        knowledge: Knowledge,
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
        loan = await self._asked(due) if _may_come_from_others(due) else None
        if loan is None or loan.given.what == "later":
            return _with_memory(await direct(_facts(due)), due)
        if self._is_checked(loan):
            return await self._checked(loan, direct)
        return _borrowed(loan)

    async def peers(self) -> dict[str, Peer]:
        """Those that are well, as they were a moment ago."""
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
        """None where the page is ours to fetch, or not to be talked about."""
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
        """On change: as long as we waited for this look, so long we can bear to wait again."""
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
        _log.warning("Cannot get a page from peer %s: %s", peer.url, error)
        await asyncio.to_thread(self._write_failure, peer, error)

    def _write_failure(self, peer: Peer, error: PeerError) -> None:
        self._knowledge.peers.count(peer.key, asked=1, refused=int(isinstance(error, MessageRefused)))
        now = self._knowledge.schedule.now()

        def resting(known: Peer) -> Peer:
            """Those who asked at the same time met the same trouble."""
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
        """Our own fetch counts, whatever comes out. A difference proves nothing yet: the page may have
        changed since the peer looked, or may never be the same twice."""
        fetched_at = time.time_ns() // 1_000_000
        try:
            own = await direct({})
        except PageError:
            if not loan.peer.figures.agreed:
                raise
            return _borrowed(loan)  # it was right before, and sees what we cannot
        theirs, ours = loan.signed(self._signature), self._signature(_answer(own))
        if theirs == ours:
            await self._agreed(loan)
            return replace(own, reason=f"fetched to check what peer {name_of(loan.peer)} says; it is true")
        await asyncio.sleep(self._pause(loan.due.page.host))
        try:
            again = await direct({})
        except PageError:  # it came a moment ago, and that counts; what it means, the next look shows
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
        """We saw the same before and after the moment at which the peer says that it saw another page."""
        facts = loan.due.validators
        before = facts.get(_OWN_AT, "")
        between = before.isdigit() and int(before) < now - loan.given.age
        return between and facts.get(_OWN) == ours

    async def _agreed(self, loan: _Loan) -> None:
        await self._count(loan.peer, checked=1, agreed=1)

    async def _caught(self, loan: _Loan, own: Fetched) -> Fetched:
        """This page is fetched here from now on; all of them, where it was not the only one."""
        _log.warning("Peer %s gave another page than we see: %s", loan.peer.url, loan.due.page.url)
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


def distrust(knowledge: Knowledge, own: str, peer: Peer, reason: str) -> int:
    """The peer is not believed from now on, and its pages are due here at once; how many those are."""
    lost = _pages_of(knowledge, own, peer)
    knowledge.peers.change(peer.key, lambda known: distrusted(known, reason))
    knowledge.journal.record("PeerDistrusted", peer.url, {"reason": reason, "pages": len(lost)})
    for page in lost:
        knowledge.schedule.ask(page, NOT_BELIEVED)
    return len(lost)


def forget(knowledge: Knowledge, own: str, peer: Peer) -> int:
    """The peer is none any more, and its pages are due here at once; how many those are."""
    lost = _pages_of(knowledge, own, peer) if peer.state == "known" else []
    knowledge.peers.remove(peer.key)
    knowledge.journal.record("PeerRemoved", peer.url, {"pages": len(lost)})
    for page in lost:
        knowledge.schedule.ask(page, NO_PEER)
    return len(lost)


def _pages_of(knowledge: Knowledge, own: str, peer: Peer) -> list[int]:
    """Those of ours that it was responsible for."""
    shared = {one.page.key: one.id for one in knowledge.peers.shareable()}
    wanting = knowledge.peers.wanting(shared)
    return [shared[page] for page, keys in wanting.items() if responsible(page, [own, *keys]) == peer.key]


def name_of(peer: Peer) -> str:
    return urlsplit(peer.url).netloc or peer.key[:8]


def _within_bounds(given: Given, wish: Wish) -> Given:
    """An old look is none, whatever it is called; nothing cannot be still the same."""
    if given.what == "same" and not wish.have:
        refuse("content")
    return given if given.age <= wish.age else Given(what="later")


def _may_come_from_others(due: DuePage) -> bool:
    """Who asks for a look now wants us to look; what not everybody sees is not spoken of."""
    page = due.page
    alike = not page.login and page.method == "GET" and page.render == "http"
    return alike and due.wish in ("", PEER_HAS_NEWS)


def _borrowed(loan: _Loan) -> Fetched:
    """With a body of somebody else's, what servers told us about ours is of no use: the next fetch of our own
    is whole."""
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
    """What was learnt about the version that we have; nothing where we have none."""
    return due.validators if due.latest else {}


def _with_memory(fetched: Fetched, due: DuePage) -> Fetched:
    kept = {name: due.validators[name] for name in _OURS if name in due.validators}
    return replace(fetched, validators={**fetched.validators, **kept}) if kept else fetched


def _in_doubt(own: Fetched, loan: _Loan, ours: str, at: Millis) -> Fetched:
    """The next answer is checked, too, and what we see then is compared with what we saw now."""
    noted = {**own.validators, _OWN: ours, _OWN_AT: str(at)}
    reason = f"fetched to check what peer {name_of(loan.peer)} says; it may have looked earlier"
    return replace(own, validators=noted, reason=reason)


def _like(theirs: Answer, own: Answer, again: Answer) -> bool:
    return agree(theirs.body, own.body, distance(own.body, again.body))


def _answer(fetched: Fetched) -> Answer:
    assert fetched.answer is not None, "a page that is asked for without conditions comes"
    return fetched.answer
