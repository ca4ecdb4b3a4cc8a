"""Contacts of users: e-mail addresses verified by a link, webhooks, services and feeds with their secrets.

Of secrets in links only digests are stored. Secrets that the server itself must use are stored sealed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from webvigil.app.forbidden import refuse_forbidden
from webvigil.app.pages.logins import seal_of
from webvigil.app.settings import Settings
from webvigil.errors import ChannelRefused, NotFound, SettingRefused, StoreRefused
from webvigil.fetch.login import Seal
from webvigil.model.contact import KnownContact
from webvigil.model.moment import DAY, HOUR, NEVER, Millis, as_datetime
from webvigil.model.notice import Notice
from webvigil.model.sentinel import Contact, Sentinel
from webvigil.notify.mail import address_of
from webvigil.notify.services import service_of
from webvigil.notify.waits import VERIFY
from webvigil.store.promises import Contacts, Outbox, Schedule, Sentinels

LINK_LASTS: Millis = 7 * DAY
# Time between two mails to an address that nobody has confirmed, so that WebVigil cannot be used to pester
# strangers.
ASKED_AGAIN_AFTER: Millis = HOUR
# Unconfirmed addresses of one user. More would make WebVigil a tool to send mail to strangers.
MOST_UNVERIFIED = 20
_STOP = "no more mail"


class ConfirmStore(Protocol):
    """The parts of the knowledge base that confirming an address needs."""

    contacts: Contacts
    outbox: Outbox
    schedule: Schedule


def home_of(settings: Settings) -> str:
    """Returns the address at which people reach the dashboard."""
    return (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")


# --- E-mail ----------------------------------------------------------------------------------------


def ask_the_unverified(knowledge: ConfirmStore, user: str, sentinels: Iterable[Sentinel]) -> None:
    """Sends a mail to each new e-mail address of these sentinels that asks its reader to confirm the
    address."""
    wanted = {one for sentinel in sentinels for one in sentinel.contacts if one.channel == "email"}
    for one in sorted(wanted, key=lambda contact: contact.address):
        if knowledge.contacts.get(user, "email", one.address) is None:
            ask_to_verify(knowledge, user, one.address)


def ask_to_verify(knowledge: ConfirmStore, user: str, address: str) -> KnownContact:
    """Returns the contact. If it is not verified yet, queues a mail that asks for confirmation, at most one
    in an hour. Raises SettingRefused if it is no e-mail address or too many addresses wait."""
    try:
        address_of(address)
    except ChannelRefused as error:
        raise SettingRefused(str(error)) from error
    known = knowledge.contacts.get(user, "email", address)
    if known and known.verified_at is not None:
        return known
    if known is None:
        _refuse_too_many(knowledge.contacts, user)
        known = KnownContact(user=user, channel="email", address=address)
        knowledge.contacts.put(known)
    hour = knowledge.schedule.now() // ASKED_AGAIN_AFTER
    name = hashlib.sha256(f"{user}\0{address}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
    knowledge.outbox.add(
        Notice(
            dedup=f"verify:{name}:{hour}",
            user=user,
            channel="email",
            address=address,
            subject="Is this your address?",
            body={"event": VERIFY},
            lane=VERIFY,
        )
    )
    return known


def _refuse_too_many(contacts: Contacts, user: str) -> None:
    known = contacts.all(user)
    if sum(one.channel == "email" and one.verified_at is None for one in known) >= MOST_UNVERIFIED:
        raise SettingRefused(f"{MOST_UNVERIFIED} of your addresses are not confirmed yet; remove some first")


def new_verification(contacts: Contacts, schedule: Schedule, user: str, address: str) -> str:
    """Returns the secret of a link that verifies this address. A link made before becomes invalid."""
    secret = secrets.token_urlsafe(24)
    known = contacts.get(user, "email", address)
    known = known or KnownContact(user=user, channel="email", address=address)
    expires = schedule.now() + LINK_LASTS
    contacts.put(replace(known, digest=digest_of(secret), expires=expires))
    return secret


def contact_to_verify(knowledge: ConfirmStore, secret: str) -> KnownContact | None:
    """Returns the contact that a verification link belongs to, or None if the link is not valid any more."""
    known = knowledge.contacts.of_digest(digest_of(secret))
    if known is None or known.channel != "email" or known.expires <= knowledge.schedule.now():
        return None
    return known


def verify(knowledge: ConfirmStore, secret: str) -> KnownContact | None:
    """Marks the address of a link as confirmed and releases the notices that waited for it. Returns None if
    the link is not valid."""
    known = contact_to_verify(knowledge, secret)
    if known is None:
        return None
    confirmed = replace(known, digest="", expires=0, verified_at=knowledge.schedule.now())
    knowledge.contacts.put(confirmed)
    knowledge.outbox.wake(known.user, known.channel, known.address)
    return confirmed


def stop_token(seal: Seal, user: str, address: str) -> str:
    """Returns the token for the unsubscribe link in every mail. The token contains the contact, sealed, so
    nothing has to be stored for it."""
    return seal.seal_text(f"{user}\0{address}", _STOP).replace("+", "-").replace("/", "_")


def contact_to_stop(contacts: Contacts, seal: Seal, token: str) -> KnownContact | None:
    try:
        said = seal.open_text(token.replace("-", "+").replace("_", "/"), _STOP)
    except StoreRefused:
        return None
    user, _, address = said.partition("\0")
    return contacts.get(user, "email", address)


def stop(contacts: Contacts, known: KnownContact) -> None:
    """Sends nothing more to this address until it is verified again."""
    contacts.put(replace(known, verified_at=None, digest="", expires=0))


# --- Webhooks and services -------------------------------------------------------------------------


def webhook_secret(contacts: Contacts, seal: Seal, user: str, address: str) -> str:
    """Returns the secret that signs messages to this address, and creates it when it is first needed."""
    known = contacts.get(user, "webhook", address)
    if known and known.sealed:
        return seal.open_text(known.sealed, address, user)
    return new_webhook_secret(contacts, seal, user, address)


def put_webhook(contacts: Contacts, settings: Settings, user: str, address: str) -> str:
    """Returns a new secret that signs messages to this address from now on. Raises SettingRefused if nothing
    may be sent to the address."""
    refuse_forbidden(settings, address)
    return new_webhook_secret(contacts, seal_of(settings), user, address)


def new_webhook_secret(contacts: Contacts, seal: Seal, user: str, address: str) -> str:
    """Replaces the secret that signs messages to this address, and returns the new one."""
    secret = secrets.token_urlsafe(32)
    sealed = seal.seal_text(secret, address, user)
    contacts.put(KnownContact(user=user, channel="webhook", address=address, sealed=sealed))
    return secret


def put_service(contacts: Contacts, settings: Settings, user: str, name: str, url: str) -> None:
    """Stores the URL of a notification service, sealed, under a name that sentinels use. Raises
    SettingRefused for an unusable name or URL."""
    if not name or any(letter.isspace() for letter in name):
        raise SettingRefused(f"{name!r} is no name for a service; use a word")
    try:
        service_of(url, schemes_of(settings))
    except ChannelRefused as error:
        raise SettingRefused(str(error)) from error
    sealed = seal_of(settings).seal_text(url, name, user)
    contacts.put(KnownContact(user=user, channel="apprise", address=name, sealed=sealed))


def service_url(contacts: Contacts, seal: Seal, user: str, name: str) -> str:
    known = contacts.get(user, "apprise", name)
    if known is None:
        raise ChannelRefused(
            f"there is no service {name!r}; add it with 'webvigil contact add apprise {name}'"
        )
    return seal.open_text(known.sealed, name, user)


def schemes_of(settings: Settings) -> frozenset[str]:
    return frozenset(one.strip().lower() for one in settings.apprise_schemes.split(",") if one.strip())


# --- Feeds -----------------------------------------------------------------------------------------


def new_feed(contacts: Contacts, sentinels: Sentinels, user: str, scope: str = "") -> str:
    """Returns the secret of a feed of everything (''), of `topic:NAME` or of `sentinel:NAME`. The earlier
    secret of the same feed becomes invalid."""
    kind, _, name = scope.partition(":")
    if scope and (kind not in ("topic", "sentinel") or not name or not name.isprintable()):
        raise SettingRefused(f"{scope!r} is no feed; write topic:NAME or sentinel:NAME, or nothing for all")
    if kind == "sentinel":
        sentinels.get(user, name)
    secret = secrets.token_urlsafe(24)
    feed = KnownContact(user=user, channel="feed", address=scope, digest=digest_of(secret), expires=NEVER)
    contacts.put(feed)
    return secret


def feed_of(contacts: Contacts, secret: str) -> KnownContact:
    known = contacts.of_digest(digest_of(secret))
    if known is None or known.channel != "feed":
        raise NotFound("there is no such feed")
    return known


def send_test(outbox: Outbox, now: Millis, user: str, contact: Contact) -> bool:
    """Puts a message into the outbox that shows whether messages reach the contact. Returns False if one was
    asked for in the same minute, so that nobody is flooded with tests."""
    return outbox.add(test_notice(now, user, contact))


def test_notice(now: Millis, user: str, contact: Contact) -> Notice:
    minute = now // 60_000
    return Notice(
        dedup=f"test:{user}:{contact.channel}:{contact.address}:{minute}",
        user=user,
        channel=contact.channel,
        address=contact.address,
        subject="A test of WebVigil",
        body={
            "event": "test",
            "at": as_datetime(now).isoformat(),
            "reason": "You asked for this message. Changes that your sentinels find reach you here.",
        },
    )


def remove_contact(contacts: Contacts, user: str, contact: Contact) -> None:
    contacts.remove(user, contact.channel, contact.address)


def digest_of(secret: str) -> str:
    """Returns the digest that is stored of a secret. A fast hash is enough, because the secrets are long and
    random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
