"""How two servers become peers: both operators agree, each knowing the other server by its fingerprint (B5).

`hello` says that a server wants to share work, and where it can be reached. If our operator has not invited
that server, it is remembered for a person to decide; otherwise it becomes a peer at once. So it does not
matter which server says hello first, nor how often.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from urllib.parse import urlsplit

from webvigil.community.keys import fingerprint, same_fingerprint
from webvigil.community.messages import Message, refuse
from webvigil.community.receiving import Reply
from webvigil.community.sending import Post
from webvigil.errors import PeerRefused, PeerUnreachable
from webvigil.model.moment import DAY, Millis
from webvigil.model.page import normal_url
from webvigil.model.peer import Peer, PeerState
from webvigil.store.promises import Peers, Schedule

HELLO = "hello"
# Strangers that wait for the answer of an operator: in all, of one host, and for how long. Anybody may say
# hello, so the places are few, and `_newcomer` says who loses one.
MOST_ASKING = 20
MOST_OF_A_HOST = 3
ASKS_FOR: Millis = 7 * DAY
_LONGEST_URL = 300  # characters


class Greeting:
    """Handles the message `hello`."""

    def __init__(self, peers: Peers, schedule: Schedule) -> None:
        self._peers = peers
        self._schedule = schedule

    def greeted(self, sender: Peer, message: Message) -> Reply:
        """Stores who says hello, and answers with the state of that server here."""
        url, listed = address(message.content.get("url")), message.content.get("listed")
        if not url or not isinstance(listed, bool):
            refuse("content")
        now = self._schedule.now()

        def heard(known: Peer) -> Peer:
            """Returns the known server with its new address. It can reach us, so its pause ends; our next
            round shows whether we reach it."""
            if known.state == "distrusted":  # the operator has distrusted it just now
                refuse("sender")
            state: PeerState = "asking" if known.state == "asking" else "known"
            told = replace(known, url=url, listed=listed, heard_at=now)
            return replace(told, state=state, rest_until=0, reason="")

        peer = self._peers.change(sender.key, heard)
        if peer is None:
            peer = heard(self._newcomer(sender.key, url, now))
            self._peers.put(peer)
        return Reply({"state": peer.state})

    def _newcomer(self, key: str, url: str, now: Millis) -> Peer:
        """Returns a record for a server that is not known yet, and removes others that have waited too long.

        Only a few unknown servers wait for the operator, and even fewer of one host. If all places are taken,
        the server that was silent for the longest time loses its place. A server that still wants to share
        work says hello again, so nobody can block the places by taking them once.
        """
        asking = [one for one in self._peers.all() if one.state == "asking"]
        late = [one for one in asking if one.added_at < now - ASKS_FOR]
        waiting = sorted((one for one in asking if one not in late), key=lambda one: one.heard_at)
        neighbours = [one for one in waiting if urlsplit(one.url).hostname == urlsplit(url).hostname]
        if len(neighbours) >= MOST_OF_A_HOST:
            late.append(neighbours[0])
        elif len(waiting) >= MOST_ASKING:
            late.append(waiting[0])
        for one in late:
            self._peers.remove(one.key)
        return Peer(key=key, url="", added_at=now)


async def invite(post: Post, peers: Peers, schedule: Schedule, url: str, expected: str) -> Peer:
    """Agrees to share work with the server at this address, which must have the expected fingerprint. `greet`
    tells that server.

    Raises PeerUnreachable or PeerRefused; then nothing is stored.
    """
    place = address(url)
    if not place:
        raise PeerRefused(f"{url[:80]!r} is no address of a server; write https://vigil.example")
    key = await post.key_of(place)
    if not same_fingerprint(fingerprint(key), expected):
        raise PeerRefused(
            f"the server at {place} has the fingerprint {fingerprint(key)}, not the one given; "
            "ask its operator which is right"
        )
    if key == post.identity.key:
        raise PeerRefused("this is our own server; a peer is another one")
    return await asyncio.to_thread(_invited, peers, schedule, key, place)


def _invited(peers: Peers, schedule: Schedule, key: str, url: str) -> Peer:
    known = peers.get(key) or Peer(key=key, url=url, added_at=schedule.now())
    # inviting a distrusted server again forgives it: its bad record is cleared
    if known.state == "distrusted":
        spoiled = ("checked", "agreed", "strikes", "refused")
        peers.count(key, **{name: -getattr(known.figures, name) for name in spoiled})
    state: PeerState = "known" if known.state == "known" else "invited"
    invited = replace(known, url=url, state=state, reason="", failures=0, rest_until=0)
    peers.put(invited)
    return peers.get(key) or invited


async def greet(post: Post, peers: Peers, peer: Peer, url: str, *, listed: bool) -> Peer:
    """Says hello to a peer, and returns the peer with its new state. A peer that cannot be reached is greeted
    again later."""
    try:
        answer = await post.send(peer.key, peer.url, HELLO, {"url": url, "listed": listed})
    except PeerUnreachable:
        return peer
    state: PeerState = "known" if answer.content.get("state") == "known" else "invited"
    return await asyncio.to_thread(_greeted, peers, peer, state)


def _greeted(peers: Peers, peer: Peer, state: PeerState) -> Peer:
    def greeted(known: Peer) -> Peer:
        if known.state == "distrusted":
            return known
        return replace(known, state=state, reason="", failures=0, rest_until=0)

    return peers.change(peer.key, greeted) or peer


def address(text: object) -> str:
    """Returns the address of a server in its one spelling, or "" for a text that is no such address."""
    if not isinstance(text, str) or len(text) > _LONGEST_URL:
        return ""
    try:
        return normal_url(text).partition("?")[0].rstrip("/")
    except ValueError:
        return ""
