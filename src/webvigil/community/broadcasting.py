"""Broadcasts of an operator to the community in (B2), lines on the dashboards of all peers for some days out.

No notice is sent to anybody. Broadcasts are events of the journal, so two that are made at the same time do
not overwrite each other.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import dataclass
from typing import Any

from webvigil.community.borrowing import PeerStore
from webvigil.community.messages import Message, refuse
from webvigil.community.receiving import Reply
from webvigil.community.sending import Post
from webvigil.errors import PeerError, PeerRefused, SettingRefused
from webvigil.model.moment import DAY, Millis
from webvigil.model.peer import Peer

_log = logging.getLogger("webvigil.agents")

BROADCAST = "broadcast"
BROADCASTS_TOLD = "broadcast told"
LONGEST = 500  # characters of a broadcast
MOST_DAYS = 30  # for which a broadcast can be shown
BROADCASTS_STAND: Millis = (MOST_DAYS + 1) * DAY
"""How long the journal must keep its events about broadcasts: a day longer than any broadcast is shown."""
_SAID, _ENDED, _TOLD = "BroadcastSaid", "BroadcastEnded", "BroadcastTold"
# Events of the journal that are read to find the broadcasts.
_REMEMBERED = 500
# Broadcasts of one peer shown at the same time; further ones are refused.
_MOST_OF_A_PEER = 3
# Broadcasts shown on the dashboard.
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """A text shown until a moment. `sender` is the key of the peer it came from, "" for our own."""

    id: str
    text: str
    until: Millis
    sender: str = ""


class Board:
    """The broadcasts that are shown here, ours and those of peers."""

    def __init__(self, knowledge: PeerStore) -> None:
        self._knowledge = knowledge

    def standing(self) -> list[Broadcast]:
        """Returns the broadcasts that are shown now, the newest first."""
        now = self._knowledge.schedule.now()
        events = self._knowledge.journal.events(subject=BROADCAST, limit=_REMEMBERED)
        ended = {one.details.get("id") for one in events if one.name == _ENDED}
        said = {one.details["id"]: _broadcast(one.details) for one in events if one.name == _SAID}
        peers = {one.key for one in self._knowledge.peers.all() if one.state == "known"} | {""}
        found = [one for one in said.values() if one.until > now and one.id not in ended]
        return [one for one in found if one.sender in peers][:_SHOWN]

    def say(self, text: str, days: int) -> Broadcast:
        """Makes a new broadcast that is shown for `days` days. Raises SettingRefused if the text or the
        number of days does not fit."""
        words = " ".join(text.split())
        if not words or len(words) > LONGEST or not words.isprintable():
            raise SettingRefused(f"say something, in up to {LONGEST} letters")
        if not 1 <= days <= MOST_DAYS:
            raise SettingRefused(f"it can stand from 1 to {MOST_DAYS} days")
        until = self._knowledge.schedule.now() + days * DAY
        return self._put(Broadcast(id=secrets.token_hex(16), text=words, until=until))

    def end(self, id_: str) -> None:
        self._knowledge.journal.record(_ENDED, BROADCAST, {"id": id_})

    def heard(self, sender: Peer, message: Message) -> Reply:
        """Handles the message `broadcast`. A broadcast that was received before, or was ended here, is not
        shown again."""
        one = _from(sender, message, self._knowledge.schedule.now())
        events = self._knowledge.journal.events(subject=BROADCAST, limit=_REMEMBERED)
        if any(event.details.get("id") == one.id for event in events):
            return Reply()
        if sum(known.sender == sender.key for known in self.standing()) >= _MOST_OF_A_PEER:
            raise PeerRefused("enough of your words stand here already")
        self._put(one)
        return Reply()

    def _put(self, one: Broadcast) -> Broadcast:
        details = {"id": one.id, "text": one.text, "until": one.until, "sender": one.sender}
        self._knowledge.journal.record(_SAID, BROADCAST, details)
        return one

    # --- telling peers ---------------------------------------------------------------------------------

    async def turn(self, post: Post) -> None:
        """Sends each of our broadcasts to each peer once, as soon as the peer can be reached."""
        for one, peer in await asyncio.to_thread(self._untold):
            try:
                await post.send(
                    peer.key, peer.url, BROADCAST, {"id": one.id, "text": one.text, "until": one.until}
                )
            except PeerRefused as error:
                _log.info("The peer %s refused our broadcast: %s", peer.url, error)
            except PeerError as error:
                _log.info("The peer %s will get our broadcast later: %s", peer.url, error)
                continue
            told = {"id": one.id, "peer": peer.key}
            await asyncio.to_thread(self._knowledge.journal.record, _TOLD, BROADCASTS_TOLD, told)

    def _untold(self) -> list[tuple[Broadcast, Peer]]:
        ours = [one for one in self.standing() if not one.sender]
        if not ours:
            return []
        now = self._knowledge.schedule.now()
        events = self._knowledge.journal.events(subject=BROADCASTS_TOLD, limit=10 * _REMEMBERED)
        told = {(event.details.get("id"), event.details.get("peer")) for event in events}
        peers = [one for one in self._knowledge.peers.all() if one.state == "known" and one.rest_until <= now]
        return [(one, peer) for one in ours for peer in peers if (one.id, peer.key) not in told]


def _broadcast(details: dict[str, Any]) -> Broadcast:
    return Broadcast(id=details["id"], text=details["text"], until=details["until"], sender=details["sender"])


def _from(sender: Peer, message: Message, now: Millis) -> Broadcast:
    id_, text, until = (message.content.get(name) for name in ("id", "text", "until"))
    if not isinstance(id_, str) or len(id_) != 32 or not isinstance(text, str) or not isinstance(until, int):
        refuse("content")
    if not 0 < len(text) <= LONGEST or not text.isprintable() or isinstance(until, bool):
        refuse("content")
    return Broadcast(id=id_, text=text, until=min(until, now + MOST_DAYS * DAY), sender=sender.key)
