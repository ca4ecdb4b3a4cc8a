"""Peers as people and programs handle them: found by a name, listed with their figures, ended; and the
navigator, which knows where else a page is watched (B2)."""

from __future__ import annotations

import asyncio

from webvigil.app.operating.metrics import Metrics
from webvigil.community.borrowing import distrust, forget, name_of
from webvigil.community.keys import fingerprint
from webvigil.community.location import LOCATE
from webvigil.community.sending import Post
from webvigil.errors import NotFound, PeerError, SettingRefused
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.page import Page, normal_url
from webvigil.model.peer import Peer
from webvigil.model.shapes import PeerShape, PlaceShape, SavedShape
from webvigil.store.promises import Knowledge

_SHORTEST_NAME = 4
_LONGEST_URL = 300


def peer_named(knowledge: Knowledge, name: str) -> Peer:
    """By its fingerprint, or the beginning of it, or its address; NotFound if it is none or several."""
    letters = name.lower().replace("-", "").replace(" ", "")
    found = [
        one
        for one in knowledge.peers.all()
        if name in (one.url, name_of(one))
        or (len(letters) >= _SHORTEST_NAME and fingerprint(one.key).replace("-", "").startswith(letters))
    ]
    if len(found) != 1:
        raise NotFound(f"there is {'more than one' if found else 'no'} peer {name[:80]!r}")
    return found[0]


def distrust_peer(knowledge: Knowledge, own: str, name: str, reason: str = "") -> int:
    """By hand; how many pages are fetched here again."""
    return distrust(knowledge, own, peer_named(knowledge, name), reason or "distrusted by an administrator")


def remove_peer(knowledge: Knowledge, own: str, name: str) -> int:
    """It is told nothing; when it speaks to us next, we do not know it."""
    return forget(knowledge, own, peer_named(knowledge, name))


async def where(knowledge: Knowledge, post: Post, url: str) -> list[PlaceShape]:
    """Where else a page is watched: as our peers told us, and as those know who are peers of theirs."""
    key = _page_key(url)
    peers = await asyncio.to_thread(knowledge.peers.all)
    known = {one.key: one for one in peers if one.state == "known"}
    wanting = await asyncio.to_thread(knowledge.peers.wanting, [key])
    found = {fingerprint(one): known[one].url for one in wanting.get(key, ()) if one in known}
    well = [one for one in known.values() if not one.failures]
    for places in await asyncio.gather(*(_located(post, one, key) for one in well)):
        found = places | found
    found.pop(post.identity.fingerprint, None)
    return [{"fingerprint": name, "url": place} for name, place in sorted(found.items())]


async def _located(post: Post, peer: Peer, key: str) -> dict[str, str]:
    """What a peer says of others is worth no more than its word; whoever it names is no peer of ours yet."""
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


def saved(knowledge: Knowledge, metrics: Metrics | None) -> SavedShape:
    """What sharing saves (B6): N looks asked for, M fetches made, (N − M) / M; with peers, and since when the
    worker of this process is at work."""
    figures = [one.figures for one in knowledge.peers.all()]
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
