"""API routes for contacts and preferences: where and when the caller is told (N4, N6)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response

from webvigil.app.telling.contacts import ask_to_verify, new_feed, put_service, put_webhook, remove_contact
from webvigil.app.telling.preferences import preferences_as_json, preferences_from
from webvigil.app.to_json import contact_as_json
from webvigil.model.channels import Kept
from webvigil.model.sentinel import Contact
from webvigil.model.shapes import ContactShape, PreferencesShape
from webvigil.web.access import Reader, Writer, home_of_request, knowledge_of, settings_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces

router = APIRouter(tags=["contacts"])


@router.get("/contacts", summary="The contacts of the user; secrets are not shown")
def contacts(
    request: Request, response: Response, user: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[ContactShape]:
    every = knowledge_of(request).contacts.all(user.name)
    return [contact_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.post("/contacts", summary="Add a contact; the answer holds its secret, once")
def add(
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


@router.delete("/contacts/{channel}", status_code=204, summary="Forget a contact; a feed or a secret ends")
def drop(
    request: Request, user: Writer, channel: str, address: Annotated[str, Query(max_length=2000)] = ""
) -> None:
    remove_contact(knowledge_of(request).contacts, user.name, Contact(channel, address))


@router.get("/preferences", summary="Quiet hours, rate, and how summaries come")
def preferences(request: Request, user: Reader) -> PreferencesShape:
    return preferences_as_json(knowledge_of(request).contacts.preferences(user.name))


@router.patch("/preferences", summary="Change some of them")
def prefer(request: Request, user: Writer, wanted: Annotated[dict[str, Any], Body()]) -> PreferencesShape:
    knowledge = knowledge_of(request)
    chosen = preferences_from(knowledge.contacts.preferences(user.name), wanted)
    knowledge.contacts.prefer(user.name, chosen)
    return preferences_as_json(chosen)
