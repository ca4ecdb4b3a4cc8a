"""One change for somebody without an account: a signed link, over after a week, that opens nothing else."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from webvigil.app.passes import Passes
from webvigil.errors import NotFound, SettingRefused
from webvigil.web.access import Anyone, Writer, knowledge_of
from webvigil.web.api.answers import Id
from webvigil.web.api.changes import change_of
from webvigil.web.around import home_of_request
from webvigil.web.shown import Pass
from webvigil.web.templates import page

router = APIRouter()

DAYS = 7
_KIND = "shared change"


@router.post("/changes/{change}/share")
def share(request: Request, caller: Writer, change: Id) -> Response:
    found = change_of(knowledge_of(request), caller, change)
    what: dict[str, str | int] = {"change": found.id, "user": found.user}
    pass_ = _passes(request).written(_KIND, what, DAYS * 86_400)
    link = f"{home_of_request(request)}/shared/{pass_}"
    return page("share.html", user=caller.user, change=found, link=link, days=DAYS)


@router.get("/shared/{pass_}")
def shared(request: Request, _: Anyone, pass_: Pass) -> Response:
    """Its findings and nothing else: no note, no text of the sentinel, no way further."""
    said = _passes(request).read(_KIND, pass_)
    if said is None:
        raise NotFound("this link is over, or was never one; ask for another")
    found = knowledge_of(request).changes.get(int(said["change"]))
    if found.user != said["user"]:
        raise NotFound("this link is over, or was never one; ask for another")
    answer = page("shared.html", change=found)
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _passes(request: Request) -> Passes:
    found = getattr(request.app.state, "passes", None)
    if not isinstance(found, Passes):
        raise SettingRefused("this server was started without a key")
    return found
