"""Atom feeds at secret addresses (N4).

Whoever knows the address of a feed can read it until its owner removes it.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from webvigil.app.telling.contacts import feed_of
from webvigil.app.telling.feeds import atom_of
from webvigil.web.access import Anyone, knowledge_of
from webvigil.web.api.answers import file_answer
from webvigil.web.around import home_of_request

router = APIRouter()


@router.get(
    "/feeds/{secret}.atom",
    response_class=Response,
    responses={**file_answer("application/atom+xml"), 304: {"description": "Nothing new"}},
    summary="The changes of a user, a topic or a sentinel, as a feed",
)
def feed(request: Request, _: Anyone, secret: Annotated[str, Path(max_length=200)]) -> Response:
    knowledge = knowledge_of(request)
    found = feed_of(knowledge.contacts, secret)
    home = home_of_request(request)
    content = atom_of(
        knowledge.changes, knowledge.journal, found, address=f"{home}/feeds/{secret}.atom", home=home
    )
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/atom+xml", headers=headers)
