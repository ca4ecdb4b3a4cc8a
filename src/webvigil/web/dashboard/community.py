"""The page /community: the servers that share the work with this one, and what that saves (B4–B6)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from webvigil.app.peers.roster import distrust_peer, peer_named, remove_peer, saved
from webvigil.app.peers.wiring import address_of
from webvigil.community.keys import fingerprint
from webvigil.errors import NotFound, WebVigilError
from webvigil.model.moment import as_datetime
from webvigil.model.peer import Peer
from webvigil.web.access import Admin, Caller, Writer, knowledge_of, settings_of
from webvigil.web.api.contacts import prefer
from webvigil.web.api.peers import PeerName, added, identity_of_request, metrics_of
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()
Text = Annotated[str, Form(max_length=300)]
# The states of peers in the order of the list: those on which an administrator must decide come first.
_ORDER = ("asking", "distrusted", "resting", "invited", "known")


@router.get("/community")
def community(request: Request, caller: Admin) -> Response:
    return _page(request, caller)


@router.get("/community/figures")
def figures(request: Request, _: Admin) -> Response:
    return page("community_figures.html", saved=saved(knowledge_of(request).peers, metrics_of(request)))


@router.post("/community/peers")
async def add(request: Request, caller: Admin, url: Text, fingerprint: Text) -> Response:
    return await _added(request, caller, url, fingerprint)


@router.post("/community/peers/{peer}/confirm")
async def confirm(request: Request, caller: Admin, peer: PeerName) -> Response:
    """Accepts a server that asked to be a peer. The administrator has compared its fingerprint before."""
    found = await run_in_threadpool(peer_named, knowledge_of(request).peers, peer)
    return await _added(request, caller, found.url, fingerprint(found.key))


@router.post("/community/peers/{peer}/remove")
def remove(request: Request, caller: Admin, peer: PeerName) -> Response:
    remove_peer(knowledge_of(request), identity_of_request(request).key, peer)
    return RedirectResponse("/community", status_code=303)


@router.post("/community/peers/{peer}/distrust")
def distrust(request: Request, caller: Admin, peer: PeerName) -> Response:
    reason = f"distrusted by {caller.name}"
    distrust_peer(knowledge_of(request), identity_of_request(request).key, peer, reason)
    return RedirectResponse("/community", status_code=303)


@router.post("/account/share-pages")
def share_pages(request: Request, caller: Writer, share: Annotated[str, Form(max_length=10)]) -> Response:
    """Stores whether peers may learn which pages this user watches. Each user decides for their own pages."""
    prefer(request, caller, {"share_pages": share})
    return RedirectResponse("/account#community", status_code=303)


async def _added(request: Request, caller: Caller, url: str, expected: str) -> Response:
    try:
        await added(request, url, expected)
    except WebVigilError as error:
        told = {"trouble": told_of(error), "url": url, "expected": expected}
        return await run_in_threadpool(_page, request, caller, status=400, **told)
    return RedirectResponse("/community", status_code=303)


def _page(request: Request, caller: Caller, *, status: int = 200, **values: Any) -> Response:
    try:
        mine = identity_of_request(request)
    except NotFound:
        return page("community.html", user=caller.user, mine=None)
    return page(
        "community.html",
        status=status,
        user=caller.user,
        mine=mine,
        public=settings_of(request).public_url,
        home=address_of(knowledge_of(request).journal, settings_of(request)),
        rows=_rows(knowledge_of(request).peers.all()),
        saved=saved(knowledge_of(request).peers, metrics_of(request)),
        **values,
    )


def _rows(peers: list[Peer]) -> list[tuple[Peer, str, str]]:
    """Returns the peers in the order of the list, each with its fingerprint and the time of its last
    message."""
    in_order = sorted(peers, key=lambda one: (_ORDER.index(one.shown_state), one.url))
    return [(one, fingerprint(one.key), _when(one.heard_at)) for one in in_order]


def _when(moment: int) -> str:
    return as_datetime(moment).strftime("%Y-%m-%d %H:%M:%S UTC") if moment else ""
