"""Routes for contacts and preferences: where and when a user is told.

They include the confirmation links in our mail (V4).
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response

from webvigil.app.telling.contacts import (
    ask_to_verify,
    contact_to_stop,
    contact_to_verify,
    new_feed,
    put_service,
    put_webhook,
    remove_contact,
    stop,
    verify,
)
from webvigil.app.telling.preferences import preferences_as_json, preferences_from
from webvigil.app.to_json import contact_as_json
from webvigil.model.channels import Kept
from webvigil.model.contact import KnownContact
from webvigil.model.sentinel import Contact
from webvigil.model.shapes import ContactShape, PreferencesShape
from webvigil.web.access import Anyone, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces
from webvigil.web.around import home_of_request, seal_of_request
from webvigil.web.templates import page

pages = APIRouter(include_in_schema=False)
api = APIRouter()

Token = Annotated[str, Query(max_length=2000)]


@pages.get("/contacts/verify")
def ask_verify(request: Request, _: Anyone, token: Token = "") -> Response:
    """Shows a page with a button that confirms the contact. The link alone does not confirm it, because some
    mail programs open every link by themselves."""
    known = contact_to_verify(knowledge_of(request), token)
    return _asked(known, "verify", "Tell me here", token)


@pages.post("/contacts/verify")
def do_verify(request: Request, _: Anyone, token: Token = "") -> Response:
    known = verify(knowledge_of(request), token)
    if known is None:
        return _said(
            "This link opens nothing (any more). Ask for another one where you added the address.", 404
        )
    return _said(f"Thank you. {known.address} is confirmed; you will be told there.")


@pages.get("/contacts/stop")
def ask_stop(request: Request, _: Anyone, token: Token = "") -> Response:
    known = contact_to_stop(knowledge_of(request).contacts, seal_of_request(request), token)
    return _asked(known, "stop", "No more mail", token)


@pages.post("/contacts/stop")
def do_stop(request: Request, _: Anyone, token: Token = "") -> Response:
    known = contact_to_stop(knowledge_of(request).contacts, seal_of_request(request), token)
    if known is None:
        return _said("This link opens nothing (any more).", 404)
    stop(knowledge_of(request).contacts, known)
    return _said(f"No more mail goes to {known.address}.")


def _asked(known: KnownContact | None, what: str, button: str, token: str) -> Response:
    if known is None:
        return _said("This link opens nothing (any more).", 404)
    return page("contact.html", what=what, button=button, address=known.address, token=token)


def _said(message: str, status: int = 200) -> Response:
    return page("contact.html", status=status, message=message)


@api.get("/contacts", summary="The contacts of the user; secrets are not shown")
def contacts(
    request: Request, response: Response, user: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[ContactShape]:
    every = knowledge_of(request).contacts.all(user.name)
    return [contact_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@api.post("/contacts", summary="Add a contact; the answer holds its secret, once")
def add_contact(
    request: Request,
    user: Writer,
    channel: Annotated[Kept, Body()],
    address: Annotated[str, Body(max_length=2000)] = "",
    url: Annotated[str, Body(max_length=4000)] = "",
) -> ContactShape:
    knowledge = knowledge_of(request)
    match channel:
        case "email":
            return contact_as_json(ask_to_verify(knowledge, user.name, address))
        case "webhook":
            secret = put_webhook(knowledge.contacts, settings_of(request), user.name, address)
            return {"channel": channel, "address": address, "secret": secret}
        case "apprise":
            put_service(knowledge.contacts, settings_of(request), user.name, address, url)
            return {"channel": channel, "address": address}
        case "feed":
            secret = new_feed(knowledge.contacts, knowledge.sentinels, user.name, address)
            place = f"{home_of_request(request)}/feeds/{secret}"
            feed: ContactShape = {"channel": channel, "address": address}
            return {**feed, "url": f"{place}.atom", "calendar": f"{place}.ics"}


@api.delete("/contacts/{channel}", status_code=204, summary="Forget a contact; a feed or a secret ends")
def drop_contact(
    request: Request, user: Writer, channel: str, address: Annotated[str, Query(max_length=2000)] = ""
) -> None:
    remove_contact(knowledge_of(request).contacts, user.name, Contact(channel, address))


@api.get("/preferences", summary="Quiet hours, rate, and how summaries come")
def preferences(request: Request, user: Reader) -> PreferencesShape:
    return preferences_as_json(knowledge_of(request).contacts.preferences(user.name))


@api.patch("/preferences", summary="Change some of them")
def prefer(request: Request, user: Writer, wanted: Annotated[dict[str, Any], Body()]) -> PreferencesShape:
    knowledge = knowledge_of(request)
    chosen = preferences_from(knowledge.contacts.preferences(user.name), wanted)
    knowledge.contacts.prefer(user.name, chosen)
    return preferences_as_json(chosen)
