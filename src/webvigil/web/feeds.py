"""Feeds and calendars at secret addresses (N4, N7).

Whoever knows the secret of a feed can read it until its owner removes it: the changes as Atom, the looks and
ends that are coming as a calendar.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from webvigil.app.telling.calendar import ical_of
from webvigil.app.telling.contacts import feed_of
from webvigil.app.telling.feeds import atom_of
from webvigil.web.access import Anyone, home_of_request, knowledge_of
from webvigil.web.api.answers import file_answer

router = APIRouter(tags=["feeds"])
Secret = Annotated[str, Path(max_length=200)]


@router.get(
    "/feeds/{secret}.atom",
    response_class=Response,
    responses={**file_answer("application/atom+xml"), 304: {"description": "Nothing new"}},
    summary="The changes of a user, a topic or a sentinel, as a feed",
)
def feed(request: Request, _: Anyone, secret: Secret) -> Response:
    knowledge = knowledge_of(request)
    found = feed_of(knowledge.contacts, secret)
    home = home_of_request(request)
    content = atom_of(
        knowledge.changes, knowledge.journal, found, address=f"{home}/feeds/{secret}.atom", home=home
    )
    return Response(content, media_type="application/atom+xml")


@router.get(
    "/feeds/{secret}.ics",
    response_class=Response,
    responses=file_answer("text/calendar"),
    summary="When the sentinels of the same feed look next, begin and end, as a calendar",
)
def calendar(request: Request, _: Anyone, secret: Secret) -> Response:
    knowledge = knowledge_of(request)
    content = ical_of(knowledge, feed_of(knowledge.contacts, secret), home=home_of_request(request))
    return Response(content, media_type="text/calendar; charset=utf-8")
