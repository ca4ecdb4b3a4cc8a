"""The page of settings: what is set and where, and what an administrator may choose here.

The mail server is tested before it is saved.

The form is made from the table of settings (`app.settings.TABLE`). Secrets are only written: a field for a
secret is empty, and an empty one keeps what is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from webvigil.app.operating.chosen import CHOOSABLE, candidate, choose, stored
from webvigil.app.settings import TABLE, Settings, When
from webvigil.app.telling.contacts import test_notice
from webvigil.app.telling.delivery import open_channels
from webvigil.errors import SettingRefused, WebVigilError
from webvigil.model.sentinel import Contact
from webvigil.store.promises import Contacts
from webvigil.web.access import Admin, Caller, knowledge_of, settings_of
from webvigil.web.problem import told_of
from webvigil.web.templates import page

router = APIRouter()

# Settings whose values are not shown. The addresses of database, object store and proxy may hold a password.
SECRETS = {name for name, entry in TABLE.items() if entry.kind == "secret"} | {"database", "objects", "proxy"}
MAIL = "mail"
# The parts of the form. A setting belongs to the first part that one of its beginnings fits.
PARTS = {
    MAIL: ("Mail server", ("smtp_", "mail_from")),
    "telling": ("Telling", ("notices_", "apprise_", "public_url")),
    "looking": (
        "Looking at pages",
        (
            *("default_interval", "minimum_interval", "on_change", "second_look", "shortest_wait"),
            *("longest_wait", "confirm_after", "looks_per_hour", "host_", "linked_pages", "link_patience"),
            *("first_look", "concurrency", "endless"),
        ),
    ),
    "fetching": (
        "Fetching",
        ("fetch_", "longest_timeout", "step_timeout", "user_agent", "obey_robots", "browser_pages"),
    ),
    "keeping": ("Keeping", ("keep_", "log_", "version_steps", "collect_interval", "share_history")),
    "meaning": ("Language model", ("ai_",)),
    "others": ("Other servers", ("community", "peer_", "agent")),
}
# Seconds that a test mail may take, so that no reverse proxy gives up before; and characters of a value.
_SECONDS = 25.0
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Field:
    """One setting in the form. `fixed` names the place that sets it, if that wins over a choice here."""

    name: str
    kind: str
    help: list[str]
    value: str
    default: str
    choices: tuple[str, ...]
    fixed: str
    late: bool
    chosen: bool
    is_set: bool


@router.get("/settings")
def settings(
    request: Request, caller: Admin, saved: Annotated[str, Query(max_length=2000)] = "", part: str = ""
) -> Response:
    """`saved` names the settings of the form that was just sent, and `part` that form."""
    return _page(request, caller, done=_saved(saved.split(",")) if saved else "", opened=part)


@router.post("/settings/{part}")
async def save(request: Request, caller: Admin, part: str) -> Response:
    present, sent = settings_of(request), await _sent(request)
    journal = knowledge_of(request).journal
    try:
        texts = _changed(present, stored(journal), part, sent)
        await asyncio.to_thread(choose, present, journal, texts, caller.name)
    except WebVigilError as error:
        return _page(request, caller, status=400, trouble=told_of(error), typed=sent, opened=part)
    await asyncio.to_thread(request.app.state.present.read)
    said = urlencode({"saved": ",".join(sorted(texts)) or "nothing", "part": part})
    return RedirectResponse(f"/settings?{said}", status_code=303)


@router.post("/settings/mail/test")
async def test_mail(request: Request, caller: Admin) -> Response:
    """Sends a mail with what stands in the form, saved or not, and says what became of it."""
    knowledge, sent = knowledge_of(request), await _sent(request)
    try:
        texts = _changed(settings_of(request), stored(knowledge.journal), MAIL, sent)
        wanted = candidate(settings_of(request), texts)
        said, fine = await _tried(request, wanted, caller.name, sent.get("test_address", "").strip()), True
    except WebVigilError as error:
        said, fine = told_of(error), False
    if request.headers.get("hx-request"):
        return page("mail_test.html", user=caller.user, said=said, fine=fine)
    return page("trouble.html", status=200 if fine else 400, user=caller.user, message=said, back="/settings")


async def _tried(request: Request, wanted: Settings, user: str, address: str) -> str:
    if not wanted.smtp_host:
        raise SettingRefused("Write the name of the mail server first.")
    if not address:
        raise SettingRefused("Write an address that the test is sent to.")
    knowledge = knowledge_of(request)
    notice = test_notice(knowledge.schedule.now(), user, Contact("email", address))
    try:
        async with asyncio.timeout(_SECONDS), open_channels(wanted, knowledge) as channels:
            receipt = await channels["email"].send(notice)
    except TimeoutError as error:
        raise SettingRefused(f"The mail server gave no answer in {_SECONDS:g} seconds.") from error
    return f"The mail server took the test for {address}: {receipt.reference or 'accepted'}."


async def _sent(request: Request) -> dict[str, str]:
    form = await request.form()
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _changed(
    present: Settings, kept: Mapping[str, str], part: str, sent: Mapping[str, str]
) -> dict[str, str]:
    """Returns the texts of this part of the form that differ from what is set now."""
    found = {}
    for name in _names(part):
        text = sent.get(name, "").strip()
        if len(text) > _LONGEST:
            raise SettingRefused(f"{name} is longer than {_LONGEST} characters")
        if name in SECRETS:
            if text or sent.get(f"forget_{name}"):
                found[name] = text
        elif name in sent and text != _text_of(present, kept, name):
            found[name] = text
    return found


def _names(part: str) -> list[str]:
    return [name for name in CHOOSABLE if part_of(name) == part]


def part_of(name: str) -> str:
    """Returns the part of the form that a setting belongs to; "" if none was written for it."""
    return next((part for part, (_, begins) in PARTS.items() if name.startswith(begins)), "")


def _page(
    request: Request,
    caller: Caller,
    *,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    **more: Any,
) -> Response:
    present, kept = settings_of(request), stored(knowledge_of(request).journal)
    parts = [
        (part, title, [_field(present, kept, name, typed or {}) for name in _names(part)])
        for part, (title, _) in PARTS.items()
    ]
    rest = [
        (name, _shown(name, getattr(present, name)), present.given.get(name, ""), entry.help.split("`"))
        for name, entry in TABLE.items()
        if not entry.when
    ]
    values = {"parts": parts, "rest": rest, "test_address": _address(knowledge_of(request).contacts, caller)}
    return page("settings.html", status=status, user=caller.user, mail=MAIL, **values, **more)


def _field(present: Settings, kept: Mapping[str, str], name: str, typed: Mapping[str, str]) -> Field:
    entry = TABLE[name]
    secret = name in SECRETS
    value = "" if secret else typed.get(name, _text_of(present, kept, name))
    return Field(
        name=name,
        kind=entry.kind,
        help=entry.help.split("`"),
        value=value,
        default=entry.default,
        choices=_CHOICES.get(entry.kind, ()),
        fixed=present.given.get(name, ""),
        late=entry.when is When.AFTER_RESTART,
        chosen=name in kept,
        is_set=secret and bool(getattr(present, name)),
    )


_CHOICES = {
    "switch": ("yes", "no"),
    "security": ("starttls", "tls", "none"),
    "level": ("debug", "info", "warning", "error"),
    "policy": ("learned", "bea", "naive"),
}


def _text_of(present: Settings, kept: Mapping[str, str], name: str) -> str:
    """Returns the text of a setting as the form shows it: what was chosen, also if it counts only after a
    restart."""
    return kept[name] if name in kept and name not in present.given else _text(getattr(present, name))


def _address(contacts: Contacts, caller: Caller) -> str:
    return next((one.address for one in contacts.all(caller.name) if one.channel == "email"), "")


def _saved(names: list[str]) -> str:
    known = [name for name in names if name in CHOOSABLE]
    if not known:
        return "Nothing was changed."
    late = [name for name in known if TABLE[name].when is When.AFTER_RESTART]
    waits = f" Counts after a restart: {', '.join(late)}." if late else ""
    return f"Saved {', '.join(known)}.{waits}"


def _shown(name: str, value: Any) -> str:
    return "(set, not shown)" if name in SECRETS and value else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
