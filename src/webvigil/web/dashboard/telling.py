"""The page for notifications: contacts, feeds, quiet hours, rate, and notices that failed (N4–N6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.telling.channels import channels_of
from webvigil.app.telling.contacts import send_test
from webvigil.app.telling.preferences import preferences_as_json
from webvigil.errors import WebVigilError
from webvigil.model.channels import Kept
from webvigil.model.notice import OutboxRecord
from webvigil.model.sentinel import Contact
from webvigil.model.wanted import WantedSentinels
from webvigil.web.access import Admin, Caller, Reader, Writer, knowledge_of, settings_of
from webvigil.web.api import contacts as api
from webvigil.web.api.answers import Id
from webvigil.web.dashboard.sign_in import way
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()

DEAD_SHOWN = 20
SENTINELS_SHOWN = 100
NOTICES = 300
"""The newest notices among which the last one of each contact is looked for."""
Text = Annotated[str, Form(max_length=4000)]
Channel = Annotated[Kept, Form()]


@router.get("/account/telling")
def telling(request: Request, caller: Reader) -> Response:
    return _page(request, caller)


@router.post("/account/contacts")
def add_contact(
    request: Request, caller: Writer, channel: Channel, address: Text = "", url: Text = ""
) -> Response:
    """Adds a contact. Its secret, or the secret address of its feed, is shown in this answer and never
    again."""
    try:
        made = api.add(request, caller, channel, address.strip()[:2000], url.strip())
    except WebVigilError as error:
        wanted = {"channel": channel, "address": address, "url": url}
        return _page(request, caller, status=400, trouble=told_of(error), wanted=wanted)
    secret = made.get("secret") or made.get("url") or ""
    return _page(request, caller, secret=secret, secret_of=channel, calendar=made.get("calendar"))


@router.post("/account/contacts/remove")
def remove_contact(request: Request, caller: Writer, channel: Text, address: Text = "") -> Response:
    return _done(request, caller, lambda: api.drop(request, caller, channel, address))


@router.post("/account/contacts/test")
def try_contact(request: Request, caller: Writer, channel: Text, address: Text = "") -> Response:
    """Sends a message to a contact of the caller, and shows the page with what became of it so far."""
    knowledge = knowledge_of(request)
    known = knowledge.contacts.get(caller.name, channel, address)
    if known is None:
        return _page(request, caller, status=404, trouble="There is no such contact.")
    sent = send_test(knowledge.outbox, knowledge.schedule.now(), caller.name, Contact(channel, address))
    words = f"A test is on its way to {address}." if sent else "A test was sent within this minute already."
    return _page(request, caller, done=f"{words} What became of it stands beside the contact.")


@router.post("/account/preferences")
def prefer(
    request: Request,
    caller: Writer,
    quiet: Text = "",
    rate: Text = "",
    summary_at: Text = "08:00",
    order: Text = "time",
) -> Response:
    wanted = {"quiet": quiet, "rate": rate, "summary_at": summary_at, "order": order}
    try:
        api.prefer(request, caller, wanted)
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error), prefers=wanted)
    return RedirectResponse("/account/telling", status_code=303)


@router.post("/account/notices/retry")
def retry_all(request: Request, caller: Writer, back: Text = "/account/telling") -> Response:
    knowledge_of(request).outbox.revive(caller.name)
    return RedirectResponse(way(back), status_code=303)


@router.post("/account/notices/{notice}/retry")
def retry(request: Request, caller: Writer, notice: Id) -> Response:
    knowledge_of(request).outbox.revive(caller.name, notice=notice)
    return RedirectResponse("/account/telling", status_code=303)


@router.post("/health/notices/{notice}/retry")
def retry_anybodys(request: Request, _: Admin, notice: Id) -> Response:
    knowledge_of(request).outbox.revive(notice=notice)
    return RedirectResponse("/health", status_code=303)


def _done(request: Request, caller: Caller, act: Callable[[], object]) -> Response:
    try:
        act()
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error))
    return RedirectResponse("/account/telling", status_code=303)


def _page(request: Request, caller: Caller, *, status: int = 200, **values: Any) -> Response:
    knowledge = knowledge_of(request)
    listed = knowledge.sentinels.some(WantedSentinels(user=caller.name, limit=SENTINELS_SHOWN + 1))
    prefers = preferences_as_json(knowledge.contacts.preferences(caller.name))
    newest = _newest_by_contact(knowledge.outbox.all(caller.name, limit=NOTICES))
    return page(
        "telling.html",
        status=status,
        user=caller.user,
        contacts=knowledge.contacts.all(caller.name),
        newest=newest,
        channels=channels_of(settings_of(request)),
        services=find_spec("apprise") is not None,
        undelivered=knowledge.outbox.given_up(caller.name, limit=DEAD_SHOWN),
        waiting=[one for one in knowledge.outbox.all(caller.name, state="pending") if one.error][:DEAD_SHOWN],
        topics=knowledge.sentinels.topics(caller.name),
        sentinels=listed[:SENTINELS_SHOWN],
        more=len(listed) > SENTINELS_SHOWN,
        **{"prefers": prefers, "wanted": {}} | values,
    )


def _newest_by_contact(records: Iterable[OutboxRecord]) -> dict[tuple[str, str], OutboxRecord]:
    """Returns the newest notice of each contact that was tried: delivered, given up, or refused so far."""
    found: dict[tuple[str, str], OutboxRecord] = {}
    for one in records:
        if one.state in ("delivered", "given up") or one.error:
            found.setdefault((one.notice.channel, one.notice.address), one)
    return found
