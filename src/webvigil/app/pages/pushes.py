"""Messages from sites in, pages looked at now out: pings at secret addresses, and WebSub (F8).

WebSub in short: a page names its hub. WebVigil asks the hub to send news to an address that only the hub
knows. The hub asks back to make sure that WebVigil meant it, and then sends what is new, signed with a secret
that WebVigil chose. WebVigil takes a message only as a hint, and looks at the page itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, Protocol

from webvigil.document import read
from webvigil.errors import PageError, StoreRefused
from webvigil.fetch.client import Ask, Client, resolved
from webvigil.fetch.login import Seal
from webvigil.model.moment import HOUR, NEVER, Millis
from webvigil.model.push import Push
from webvigil.model.version import Answer
from webvigil.store.promises import Paces, Pushes, Schedule

_log = logging.getLogger("webvigil.push")

# How long a subscription is asked for. The hub may decide on another time.
LEASE_SECONDS = 10 * 86_400
# A hub that has not confirmed a subscription after this time is asked again.
_ANSWER_WITHIN: Millis = HOUR
# A subscription is renewed when this much of it is left.
_BEFORE_THE_END: Millis = HOUR
_LINK = re.compile(r"<([^>]*)>([^<]*)")
_REL = re.compile(r'\brel\s*=\s*"?([^";]+)', re.IGNORECASE)
_HASHES = ("sha1", "sha256", "sha384", "sha512")


class PushStore(Protocol):
    """The parts of the knowledge base that pushes need."""

    paces: Paces
    pushes: Pushes
    schedule: Schedule


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_ping(pushes: Pushes, page: int) -> str:
    """Creates an address at which a site can announce a change of this page, and returns its secret part.
    Addresses made before keep working."""
    secret = secrets.token_urlsafe(24)
    pushes.put(Push(digest=digest_of(secret), page=page))
    return secret


def pinged(knowledge: PushStore, secret: str) -> bool:
    found = knowledge.pushes.get(digest_of(secret))
    if found is None or found.kind != "ping":
        return False
    _told(knowledge.paces, knowledge.schedule, found.page, "the site pinged")
    return True


def _told(paces: Paces, schedule: Schedule, page: int, why: str) -> None:
    """Makes the page due now and counts the announcement: a page whose changes are announced need not be
    looked at so often."""
    paces.hint(page, NEVER, why)
    schedule.ask(page, why)


# --- WebSub ----------------------------------------------------------------------------------------


def hub_and_topic(answer: Answer) -> tuple[str, str] | None:
    """Returns the hub that a page names, in its headers or in its markup, and the address by which the hub
    knows the page."""
    found: dict[str, str] = {}
    for rel, target in [*_header_links(answer), *_own_links(answer)]:
        try:
            found.setdefault(rel, resolved(answer.url, target))
        except ValueError:
            continue
    return (found["hub"], found.get("self", answer.url)) if "hub" in found else None


def verified(knowledge: PushStore, secret: str, said: dict[str, str]) -> str | None:
    """Answers a hub that asks whether WebVigil meant a subscription: the challenge to send back, or None if
    it was not meant. A refusal by the hub is stored."""
    found = knowledge.pushes.get(digest_of(secret))
    if found is None or found.kind != "websub" or said.get("hub.topic") != found.topic:
        return None
    if said.get("hub.mode") == "denied":
        knowledge.pushes.put(replace(found, state="refused"))
        return ""
    if said.get("hub.mode") != "subscribe" or found.state == "refused":
        return None
    lasts = said.get("hub.lease_seconds", "")
    seconds = int(lasts[:9]) if lasts.isascii() and lasts.isdigit() else LEASE_SECONDS
    until = knowledge.schedule.now() + seconds * 1000
    knowledge.pushes.put(replace(found, state="active", until=until))
    return said.get("hub.challenge", "")


def subscribed(pushes: Pushes, secret: str) -> bool:
    """Tells whether this is the secret of an address that a hub sends news to."""
    found = pushes.get(digest_of(secret))
    return found is not None and found.kind == "websub"


def distributed(knowledge: PushStore, seal: Seal, secret: str, body: bytes, signature: str) -> bool | None:
    """Handles news from a hub. Returns whether the page will be looked at, or None if there is no such
    address. News without a valid signature is ignored."""
    found = knowledge.pushes.get(digest_of(secret))
    if found is None or found.kind != "websub":
        return None
    if found.state != "active" or not _signed(seal, found, body, signature):
        return False
    _told(knowledge.paces, knowledge.schedule, found.page, "told by WebSub")
    return True


class Subscriber:
    """Subscribes to the hubs that pages name. `public_url` is the address at which hubs reach this server."""

    def __init__(self, knowledge: PushStore, client: Client, seal: Seal, public_url: str) -> None:
        self._knowledge = knowledge
        self._client = client
        self._seal = seal
        self._public_url = public_url.rstrip("/")

    async def noticed(self, page: int, answer: Answer) -> None:
        """Subscribes to the hub that a fetched page names, unless that was done before."""
        place = hub_and_topic(answer)
        if place is None:
            return
        known = await asyncio.to_thread(self._knowledge.pushes.all, page=page, kind="websub")
        if place not in [(one.hub, one.topic) for one in known]:
            await self._ask(await asyncio.to_thread(self._new, page, *place))

    async def renew(self) -> None:
        """Asks hubs again for subscriptions that end soon, and for those that were not confirmed in time."""
        for one in await asyncio.to_thread(self._ending):
            await self._ask(one)

    def _ending(self) -> list[Push]:
        now = self._knowledge.schedule.now()
        ends = {"active": now + _BEFORE_THE_END, "asked": now, "refused": -1}
        return [one for one in self._knowledge.pushes.all(kind="websub") if one.until <= ends[one.state]]

    def _new(self, page: int, hub: str, topic: str) -> Push:
        address, key = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
        one = Push(
            digest=digest_of(address),
            page=page,
            kind="websub",
            hub=hub,
            topic=topic,
            sealed=self._seal.seal_text(json.dumps([address, key]), topic),
            state="asked",
            until=self._knowledge.schedule.now() + _ANSWER_WITHIN,
        )
        self._knowledge.pushes.put(one)
        return one

    async def _ask(self, one: Push) -> None:
        """Sends one subscription request. A hub that refuses is not asked again; a hub that cannot be reached
        is asked later."""
        address, key = json.loads(self._seal.open_text(one.sealed, one.topic))
        ask = Ask(url=one.hub, method="POST", fields=self._request(one.topic, address, key))
        try:
            status = (await self._client.ask(ask)).answer.status
        except PageError as error:
            _log.warning("Cannot reach the hub %s, asking again later: %s", one.hub, error)
            status = 503
        if status >= 400:
            later = self._knowledge.schedule.now() + _ANSWER_WITHIN
            state: Literal["asked", "refused"] = "asked" if status >= 500 else "refused"
            await asyncio.to_thread(self._knowledge.pushes.put, replace(one, state=state, until=later))

    def _request(self, topic: str, address: str, key: str) -> tuple[tuple[str, str], ...]:
        return (
            ("hub.mode", "subscribe"),
            ("hub.topic", topic),
            ("hub.callback", f"{self._public_url}/websub/{address}"),
            ("hub.secret", key),
            ("hub.lease_seconds", str(LEASE_SECONDS)),
        )


def _signed(seal: Seal, one: Push, body: bytes, signature: str) -> bool:
    """Tells whether the hub signed the news with our secret. The comparison takes equally long for every
    wrong signature."""
    method, _, said = signature.partition("=")
    if method not in _HASHES:
        return False
    try:
        _, key = json.loads(seal.open_text(one.sealed, one.topic))
    except StoreRefused:
        return False
    right = hmac.new(key.encode(), body, method).hexdigest()
    return hmac.compare_digest(right.encode(), said.strip().lower().encode())


def _header_links(answer: Answer) -> Iterator[tuple[str, str]]:
    for name, value in answer.headers:
        if name.lower() == "link":
            for target, parameters in _LINK.findall(value):
                for rel in _rels(parameters):
                    yield rel, target


def _rels(parameters: str) -> list[str]:
    found = _REL.search(parameters)
    return found[1].lower().split() if found else []


def says_hub(body: bytes) -> bool:
    """Tells whether the word stands in a body in one of its usual spellings: `rel` may be in upper case. Most
    pages have none, and need not be read for it."""
    return b"hub" in body or b"HUB" in body or b"Hub" in body


def _own_links(answer: Answer) -> Iterator[tuple[str, str]]:
    if not says_hub(answer.body):
        return
    digest = read(answer.body, answer.content_type, answer.url)
    for node in digest.nodes_of("link", "atom:link").tolist():
        for rel in (digest.attribute(node, "rel") or "").lower().split():
            yield rel, digest.attribute(node, "href") or ""
