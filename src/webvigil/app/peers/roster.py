"""Peers as people and programs handle them: found by name, listed with their figures, distrusted, removed.

The function `where` also asks peers at which other servers a page is watched (B2).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webvigil.app.operating.metrics import Metrics
from webvigil.community.borrowing import PeerStore, distrust, forget, name_of
from webvigil.community.keys import fingerprint
from webvigil.community.location import LOCATE
from webvigil.community.sending import Post
from webvigil.errors import NotFound, PeerError, SettingRefused
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.page import Page, normal_url
from webvigil.model.peer import Peer
from webvigil.store.promises import Peers

if TYPE_CHECKING:
    from webvigil.model.shapes import PeerShape, PlaceShape, SavedShape

# A beginning of a fingerprint must have this many letters, so that it rarely fits two peers.
_SHORTEST_NAME = 4
# Characters of an address that is accepted from a peer.
_LONGEST_URL = 300


def peer_named(peers: Peers, name: str) -> Peer:
    """Returns the peer with this address, or with a fingerprint that begins with this name. Raises NotFound
    if no peer or several peers fit."""
    letters = name.lower().replace("-", "").replace(" ", "")
    found = [
        one
        for one in peers.all()
        if name in (one.url, name_of(one))
        or (len(letters) >= _SHORTEST_NAME and fingerprint(one.key).replace("-", "").startswith(letters))
    ]
    if len(found) != 1:
        raise NotFound(f"there is {'more than one' if found else 'no'} peer {name[:80]!r}")
    return found[0]


def distrust_peer(knowledge: PeerStore, own: str, name: str, reason: str = "") -> int:
    """Marks a peer as distrusted, and returns how many pages are therefore fetched here again."""
    return distrust(
        knowledge, own, peer_named(knowledge.peers, name), reason or "distrusted by an administrator"
    )


def remove_peer(knowledge: PeerStore, own: str, name: str) -> int:
    """Forgets a peer, and returns how many pages are therefore fetched here again. The peer is not told; this
    server does not know it when it sends the next message."""
    return forget(knowledge, own, peer_named(knowledge.peers, name))


async def where(peers: Peers, post: Post, url: str) -> list[PlaceShape]:
    """Returns the other servers that watch a page: peers that told so, and servers that peers know of."""
    key = _page_key(url)
    all_peers = await asyncio.to_thread(peers.all)
    known = {one.key: one for one in all_peers if one.state == "known"}
    wanting = await asyncio.to_thread(peers.wanting, [key])
    found = {fingerprint(one): known[one].url for one in wanting.get(key, ()) if one in known}
    well = [one for one in known.values() if not one.failures]
    for places in await asyncio.gather(*(_located(post, one, key) for one in well)):
        found = places | found
    found.pop(post.identity.fingerprint, None)
    return [{"fingerprint": name, "url": place} for name, place in sorted(found.items())]


async def _located(post: Post, peer: Peer, key: str) -> dict[str, str]:
    """Asks one peer who watches a page. Returns fingerprints with addresses, as the peer claims them; a
    server named there does not become a peer. Returns {} if the peer gives no usable answer."""
    try:
        answer = await post.send(peer.key, peer.url, LOCATE, {"pages": [key]})
        places = answer.content["found"].get(key, [])
        return {str(one["fingerprint"])[:60]: str(one["url"])[:_LONGEST_URL] for one in places[:100]}
    except (PeerError, KeyError, TypeError, AttributeError):
        return {}


def _page_key(url: str) -> str:
    try:
        return Page(url=normal_url(url)).key
    except ValueError as error:
        raise SettingRefused(str(error)) from error


def peer_as_json(peer: Peer) -> PeerShape:
    figures = peer.figures
    return {
        "fingerprint": fingerprint(peer.key),
        "key": peer.key,
        "url": peer.url,
        "state": peer.shown_state,
        "reason": peer.reason,
        "added_at": as_datetime(peer.added_at).isoformat(),
        "heard_at": _moment(peer.heard_at),
        "rests_until": _moment(peer.rest_until),
        "asked": figures.asked,
        "got": figures.got,
        "same": figures.same,
        "given": figures.given,
        "checked": figures.checked,
        "agreed": figures.agreed,
        "strikes": figures.strikes,
        "refused": figures.refused,
    }


def saved(peers: Peers, metrics: Metrics | None) -> SavedShape:
    """Returns what sharing saves (B6): N looks asked for and M fetches made since the worker of this process
    started, (N - M) / M, and how many answers were got from and given to peers."""
    figures = [one.figures for one in peers.all()]
    asked, fetches = metrics.shared() if metrics else (0, 0)
    return {
        "looks": asked,
        "fetches": fetches,
        "utilisation": round(metrics.utilisation(), 3) if metrics and fetches else None,
        "got": sum(one.got for one in figures),
        "given": sum(one.given for one in figures),
    }


def _moment(moment: Millis) -> str | None:
    return as_datetime(moment).isoformat() if moment else None
