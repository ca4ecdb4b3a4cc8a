"""Pages for links that show one change to people without an account: make, list, end, open."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.telling.shares import DAYS, Share, end_share, shares
from webvigil.app.telling.shares import share as new_share
from webvigil.app.telling.shares import shared as change_shared
from webvigil.errors import NotFound
from webvigil.model.change import Change
from webvigil.model.wanted import LARGEST_ID
from webvigil.present.claimed import MOST_OBJECTS
from webvigil.store.promises import Versions
from webvigil.web.access import Anyone, Caller, Reader, Writer, knowledge_of
from webvigil.web.api.answers import PastId
from webvigil.web.api.changes import change_of
from webvigil.web.api.shares import ShareId, link_of
from webvigil.web.dashboard.change import shared_figures, views
from webvigil.web.found import found_in
from webvigil.web.frame import Frame, frame_of
from webvigil.web.templates import page

router = APIRouter()

LASTING = {1: "a day", 7: "a week", 30: "30 days", 365: "a year"}
Secret = Annotated[str, Path(max_length=8_000)]
Days = Annotated[int, Form(ge=1, le=365)]


@router.get("/changes/{change}/share")
def sharing(request: Request, caller: Reader, change: PastId) -> Response:
    return _page(request, caller, change_of(knowledge_of(request).changes, caller, change))


@router.post("/changes/{change}/share")
def share(request: Request, caller: Writer, change: PastId, days: Days = DAYS) -> Response:
    knowledge = knowledge_of(request)
    shown = change_of(knowledge.changes, caller, change)
    secret, made = new_share(knowledge, shown, days)
    return _page(request, caller, shown, link=link_of(request, secret), made=made)


@router.get("/account/shares")
def all_shares(request: Request, caller: Reader) -> Response:
    """Lists the user's links, each with the change it opens."""
    knowledge = knowledge_of(request)
    rows = [(one, _change(request, one)) for one in shares(knowledge.users, caller.name)]
    return page("shares.html", user=caller.user, rows=rows)


@router.post("/account/shares/{share_id}/end")
def end(
    request: Request,
    caller: Writer,
    share_id: ShareId,
    change: Annotated[int | None, Form(ge=0, lt=LARGEST_ID)] = None,
) -> Response:
    """Ends a link and returns to the list that the user came from: that of one change, or of all links."""
    knowledge = knowledge_of(request)
    owner = change_of(knowledge.changes, caller, change).user if change is not None else caller.name
    end_share(knowledge.users, owner, share_id)
    place = "/account/shares" if change is None else f"/changes/{change}/share"
    return RedirectResponse(place, status_code=303)


@router.get("/shared/{secret}")
def shared(
    request: Request, _: Anyone, secret: Secret, view: Annotated[str, Query(max_length=20)] = "auto"
) -> Response:
    """Shows the shared change as its owner sees it, without the owner's note, the name and text of the
    sentinel, other versions or links into the dashboard."""
    knowledge = knowledge_of(request)
    try:
        shown, made = change_shared(knowledge.users, knowledge.changes, secret)
    except NotFound:
        answer = page("link_over.html", status=404, link="shared")
    else:
        hidden = _is_hidden(knowledge.versions, shown)
        frame = None if hidden else _frame(request, shown, view)
        answer = page(
            "shared.html",
            change=shown,
            share=made,
            found=found_in(shown.findings, MOST_OBJECTS),
            frame=frame,
            **views(),
            **({} if hidden else shared_figures(knowledge, shown)),
        )
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _is_hidden(versions: Versions, change: Change) -> bool:
    """Tells whether the page is fetched with somebody's log-in, or is gone: whoever shares a change of it
    shares the change alone."""
    try:
        return bool(versions.page(change.page).login)
    except NotFound:
        return True


def _frame(request: Request, change: Change, view: str) -> Frame | None:
    names = f"version {change.old_version}", f"version {change.new_version}"
    return frame_of(request, change, view, rendered=False, captions=names, shared=True)


def _page(request: Request, caller: Caller, change: Change, **values: Any) -> Response:
    others = shares(knowledge_of(request).users, change.user, change.id)
    return page("share.html", user=caller.user, change=change, shares=others, lasting=LASTING, **values)


def _change(request: Request, one: Share) -> Change | None:
    try:
        return knowledge_of(request).changes.get(one.change)
    except NotFound:
        return None
