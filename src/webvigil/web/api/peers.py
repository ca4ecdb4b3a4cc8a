"""API routes for administrators about peers: the servers that share the work, what that saves (B4–B6)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.operating.metrics import Metrics
from webvigil.app.peers.roster import distrust_peer, peer_as_json, peer_named, remove_peer, saved
from webvigil.app.peers.roster import where as found_where
from webvigil.app.peers.wiring import add_peer, address_of, post_of
from webvigil.community.keys import Identity
from webvigil.community.receiving import Receiver
from webvigil.errors import NotFound
from webvigil.fetch.client import Client
from webvigil.model.peer import Peer
from webvigil.model.shapes import CommunityShape, PeerShape, PlaceShape
from webvigil.web.access import Admin, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces

router = APIRouter(tags=["peers"])
PeerName = Annotated[str, Path(max_length=300, description="The fingerprint, or the beginning of it.")]
NOBODY = "this server shares its work with no others"


class NewPeer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    url: str = Field(max_length=300, examples=["https://vigil.example"])
    fingerprint: str = Field(max_length=100, examples=["k3tq-9xzm-2l4w-aaaa-bbbb-cccc-dddd-eeee"])


class Distrust(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reason: str = Field("", max_length=200)


@router.get("/peers", summary="This server, its peers, and what sharing saves")
def peers(request: Request, _: Admin) -> CommunityShape:
    mine, knowledge = identity_of_request(request), knowledge_of(request)
    return {
        "fingerprint": mine.fingerprint,
        "key": mine.key,
        "url": address_of(knowledge_of(request).journal, settings_of(request)),
        "saved": saved(knowledge.peers, metrics_of(request)),
        "peers": [peer_as_json(one) for one in knowledge.peers.all()],
    }


@router.post("/peers", status_code=201, summary="Make another server a peer; its administrator must, too")
async def add(request: Request, _: Admin, body: NewPeer) -> PeerShape:
    return peer_as_json(await added(request, body.url, body.fingerprint))


@router.get("/peers/where", summary="Where else a page is watched")
async def where(
    request: Request,
    response: Response,
    _: Admin,
    url: Annotated[str, Query(max_length=4_000)],
    skip: Skip = 0,
    limit: Limit = MOST,
) -> list[PlaceShape]:
    post = post_of(settings_of(request), _client(request))
    every = await found_where(knowledge_of(request).peers, post, url)
    return list(in_pieces(request, response, every, skip, limit))


@router.get("/peers/{peer}", summary="One peer")
def one(request: Request, _: Admin, peer: PeerName) -> PeerShape:
    return peer_as_json(peer_named(knowledge_of(request).peers, peer))


@router.post("/peers/{peer}/distrust", summary="Believe a peer no more; its pages are fetched here")
def distrust(request: Request, _: Admin, peer: PeerName, body: Distrust | None = None) -> PeerShape:
    knowledge = knowledge_of(request)
    key = peer_named(knowledge.peers, peer).key
    distrust_peer(knowledge, identity_of_request(request).key, peer, body.reason if body else "")
    return peer_as_json(knowledge.peers.get(key) or peer_named(knowledge.peers, peer))


@router.delete("/peers/{peer}", status_code=204, summary="End sharing with a peer")
def remove(request: Request, _: Admin, peer: PeerName) -> None:
    knowledge = knowledge_of(request)
    peer_named(knowledge.peers, peer)
    remove_peer(knowledge, identity_of_request(request).key, peer)


async def added(request: Request, url: str, fingerprint: str) -> Peer:
    return await add_peer(knowledge_of(request), settings_of(request), _client(request), url, fingerprint)


def identity_of_request(request: Request) -> Identity:
    receiver: Receiver | None = getattr(request.app.state, "receiver", None)
    if receiver is None:
        raise NotFound(NOBODY)
    return receiver.identity


def metrics_of(request: Request) -> Metrics | None:
    found: Metrics | None = getattr(request.app.state, "metrics", None)
    return found


def _client(request: Request) -> Client:
    """Returns the HTTP client of the running server. Raises NotFound where the server has no peers or is not
    serving."""
    found: Client | None = getattr(request.app.state, "client", None)
    if found is None or getattr(request.app.state, "receiver", None) is None:
        raise NotFound(NOBODY)
    return found
