"""Announcements of peers in, which servers watch a page and which one fetches it for all out (B4).

Every server is a location server for its peers: they announce the pages that they watch as digests, so nobody
learns an address that they do not know already. The table tells where a page is watched (the navigator of
B2), and who is responsible: the server with the highest digest of page and key together. All servers that
know the same watchers name the same one without asking; when a server comes or goes, only its own pages move.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from webvigil.community.greeting import address
from webvigil.community.keys import fingerprint
from webvigil.community.messages import Message, refuse
from webvigil.community.receiving import Reply
from webvigil.model.moment import DAY, Millis
from webvigil.model.peer import Peer, Wanted
from webvigil.store.promises import Peers, Schedule

ANNOUNCE, LOCATE, COMMUNITIES = "announce", "locate", "communities"
# The most pages that a peer may announce in all, that it may announce in one message, and that it may locate
# in one message.
MOST_PAGES = 500_000
AT_ONCE = 5_000
LOCATED_AT_ONCE = 500
_KEY = 20  # bytes of a page's digest
_ROW = struct.Struct(f">{_KEY}sQ")
_LONGEST_INTERVAL: Millis = 366 * DAY


def responsible(page: str, members: Iterable[str]) -> str:
    """Returns which of the servers that watch a page fetches it for all (rendezvous hashing)."""
    return max(members, key=lambda key: (hashlib.blake2b(f"{page} {key}".encode()).digest(), key))


class Location:
    """Handles the messages `announce`, `locate` and `communities`."""

    def __init__(self, peers: Peers, schedule: Schedule) -> None:
        self._peers = peers
        self._schedule = schedule

    def announced(self, sender: Peer, message: Message) -> Reply:
        """Takes a piece of an announcement, and answers how many pages of the sender are known now."""
        content = message.content
        wanted, gone = unpacked(message.body, content.get("wanted"))
        if content.get("all") is True:
            self._peers.forget_pages(sender.key)
        self._peers.announce(sender.key, wanted, gone)
        count = self._peers.how_many(sender.key)
        if count > MOST_PAGES:
            self._peers.forget_pages(sender.key)
            refuse("size")
        now, url = self._schedule.now(), address(content.get("url"))
        listed = content.get("listed") is True
        self._peers.change(
            sender.key,
            lambda known: replace(known, heard_at=now, rest_until=0, url=url or known.url, listed=listed),
        )
        return Reply({"pages": count})

    def located(self, sender: Peer, message: Message) -> Reply:
        """Answers where else these pages are watched, as far as we know and may tell."""
        pages = message.content.get("pages")
        if not isinstance(pages, list) or len(pages) > LOCATED_AT_ONCE or not all(map(_is_page, pages)):
            refuse("content")
        peers = self._told_of(sender)
        wanting = self._peers.wanting(pages)
        found = {page: [_place(peers[key]) for key in keys if key in peers] for page, keys in wanting.items()}
        return Reply({"found": {page: places for page, places in found.items() if places}})

    def communities(self, sender: Peer, message: Message) -> Reply:
        return Reply({"communities": [_place(one) for one in self._told_of(sender).values()]})

    def _told_of(self, sender: Peer) -> dict[str, Peer]:
        return {
            one.key: one
            for one in self._peers.all()
            if one.state == "known" and one.listed and one.key != sender.key
        }


def announcement(before: Mapping[str, Millis] | None, now: Mapping[str, Millis]) -> list[tuple[Any, bytes]]:
    """Returns content and body of the messages that update a peer which was told `before` (None: nothing).

    There is always at least one message, because it also says that we are there.
    """
    known = before or {}
    wanted = [Wanted(page, interval) for page, interval in now.items() if known.get(page) != interval]
    gone = [page for page in known if page not in now]
    pieces = [wanted[start : start + AT_ONCE] for start in range(0, len(wanted), AT_ONCE)]
    told = [({"wanted": len(some)}, packed(some)) for some in pieces]
    told += [
        ({"wanted": 0}, packed([], gone[start : start + AT_ONCE])) for start in range(0, len(gone), AT_ONCE)
    ]
    told = told or [({"wanted": 0}, b"")]
    told[0][0]["all"] = before is None
    return told


def packed(wanted: Iterable[Wanted], gone: Iterable[str] = ()) -> bytes:
    rows = [_ROW.pack(bytes.fromhex(one.page), min(one.interval, _LONGEST_INTERVAL)) for one in wanted]
    return b"".join(rows) + b"".join(map(bytes.fromhex, gone))


def unpacked(body: bytes, count: object) -> tuple[list[Wanted], list[str]]:
    """Reads `count` wanted pages, and then the pages that are not wanted any more. Raises MessageRefused."""
    if not isinstance(count, int) or not 0 <= count <= AT_ONCE:
        refuse("content")
    end = count * _ROW.size
    left = len(body) - end
    if left < 0 or left % _KEY:
        refuse("content")
    wanted = [Wanted(key.hex(), interval) for key, interval in _ROW.iter_unpack(body[:end])]
    if any(one.interval > _LONGEST_INTERVAL for one in wanted):
        refuse("content")
    return wanted, [body[place : place + _KEY].hex() for place in range(end, len(body), _KEY)]


def _is_page(text: object) -> bool:
    if not isinstance(text, str) or len(text) != 2 * _KEY:
        return False
    return all(letter in "0123456789abcdef" for letter in text)


def _place(peer: Peer) -> dict[str, str]:
    return {"fingerprint": fingerprint(peer.key), "url": peer.url}
