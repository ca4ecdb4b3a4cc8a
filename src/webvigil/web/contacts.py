"""The pages behind the links in our mail: confirm an address, or end the mail to it (V4)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from webvigil.app.telling.contacts import contact_to_stop, contact_to_verify, stop, verify
from webvigil.model.contact import KnownContact
from webvigil.web.access import Anyone, knowledge_of, seal_of_request
from webvigil.web.templates import page

router = APIRouter(include_in_schema=False)

Token = Annotated[str, Query(max_length=2000)]


@router.get("/contacts/verify")
def ask_verify(request: Request, _: Anyone, token: Token = "") -> Response:
    """Shows a page with a button that confirms the contact. The link alone does not confirm it, because some
    mail programs open every link by themselves."""
    known = contact_to_verify(knowledge_of(request), token)
    return _asked(known, "verify", "Tell me here", token)


@router.post("/contacts/verify")
def do_verify(request: Request, _: Anyone, token: Token = "") -> Response:
    known = verify(knowledge_of(request), token)
    if known is None:
        return _over("verify")
    return _said("verify", f"{known.address} is confirmed")


@router.get("/contacts/stop")
def ask_stop(request: Request, _: Anyone, token: Token = "") -> Response:
    known = contact_to_stop(knowledge_of(request).contacts, seal_of_request(request), token)
    return _asked(known, "stop", "No more mail", token)


@router.post("/contacts/stop")
def do_stop(request: Request, _: Anyone, token: Token = "") -> Response:
    known = contact_to_stop(knowledge_of(request).contacts, seal_of_request(request), token)
    if known is None:
        return _over("stop")
    stop(knowledge_of(request).contacts, known)
    return _said("stop", f"No more mail goes to {known.address}")


def _asked(known: KnownContact | None, what: str, button: str, token: str) -> Response:
    if known is None:
        return _over(what)
    return page("contact.html", what=what, button=button, address=known.address, token=token)


def _said(what: str, message: str) -> Response:
    return page("contact.html", what=what, message=message)


def _over(what: str) -> Response:
    return page("link_over.html", status=404, link=what)
