"""A peer's message in, our signed answer out: a table says which handler takes which kind of message.

A kind is one line in that table: a name and a `Kind`. Its handler gets the sender and the message, both
verified by then, and returns a `Reply`. It may raise MessageRefused ("content") for a message that lacks
something, or PeerRefused with a sentence for the sender.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from webvigil.community.keys import Identity
from webvigil.community.messages import SKEW, Message, opened, refuse, written
from webvigil.errors import MessageRefused
from webvigil.model.moment import Millis
from webvigil.model.peer import Peer
from webvigil.store.promises import Peers

LARGEST_MESSAGE = 256_000
"""Most bytes of a message that we read. Answers have another limit, because they may hold a page."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The content and body of an answer."""

    content: dict[str, Any] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Kind:
    """A handler. `strangers`: messages from servers that are not peers (yet) are handled too, but never from
    distrusted ones."""

    handle: Callable[[Peer, Message], Reply]
    strangers: bool = False


class Receiver:
    """Verifies messages and calls the handler of their kind."""

    def __init__(
        self,
        identity: Identity,
        peers: Peers,
        kinds: Mapping[str, Kind],
        now: Callable[[], Millis] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.identity = identity
        self._peers = peers
        self._kinds = kinds
        self._now = now

    def received(self, wire: bytes) -> bytes:
        """Returns the signed answer to a message. Raises MessageRefused, or what the handler raises."""
        message = opened(wire, self.identity, now=self._now(), largest=LARGEST_MESSAGE)
        peer = self._peers.get(message.sender)
        try:
            kind = self._kind(message, peer)
            reply = kind.handle(peer or Peer(key=message.sender, url=""), message)
        except MessageRefused:
            if peer:
                self._peers.count(peer.key, refused=1)
            raise
        return written(
            self.identity,
            message.sender,
            message.kind,
            reply.content,
            reply.body,
            sent=self._now(),
            answers=message.id,
        )[1]

    def _kind(self, message: Message, peer: Peer | None) -> Kind:
        """Returns the kind of a message after checking its sender.

        A stranger learns nothing about kinds that only peers may send. Only ids of messages from peers are
        remembered, so strangers cannot fill the memory.
        """
        kind = self._kinds.get(message.kind)
        known = peer is not None and peer.state == "known"
        if (peer and peer.state == "distrusted") or not (known or (kind and kind.strangers)):
            refuse("sender")
        if kind is None or message.answers:
            refuse("kind")
        if known and not self._peers.first_time(message.id, until=message.sent + 2 * SKEW):
            refuse("repeat")
        return kind
