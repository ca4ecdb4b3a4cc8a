"""Settings in, open channels out; and the delivery of notices that are due."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, cast
from zoneinfo import ZoneInfo

from webvigil.app.pages.fetchers import ways_of
from webvigil.app.pages.logins import seal_of
from webvigil.app.settings import Settings
from webvigil.app.telling.channels import channels_of
from webvigil.app.telling.contacts import (
    home_of,
    new_verification,
    schemes_of,
    service_url,
    stop_token,
    webhook_secret,
)
from webvigil.app.telling.standings import RecordStore, records
from webvigil.errors import (
    ChannelBusy,
    ChannelLocked,
    ChannelRefused,
    KeyMissing,
    MistakeInText,
    NotFound,
    PageError,
    StoreRefused,
)
from webvigil.fetch.client import Ask, Client, Limits, tls_context
from webvigil.fetch.login import Seal
from webvigil.fetch.names import system_lookup
from webvigil.fetch.networks import is_address, may_visit
from webvigil.language import parse
from webvigil.model.change import finding_from_json
from webvigil.model.contact import Preferences
from webvigil.model.moment import Millis, zone_named
from webvigil.model.notice import Notice, Waiting
from webvigil.model.sentinel import NotifyEachChanges, State
from webvigil.notify.channel import Channel, Closing, MailServer, Means, Security, make_channel
from webvigil.notify.deliver import LEASE, Delivery
from webvigil.notify.gather import gather_due
from webvigil.notify.render import Links, Renderer
from webvigil.notify.summary import summary
from webvigil.notify.waits import VERIFY, Reader, Waits
from webvigil.notify.webhook import Answered, Post
from webvigil.present.lines import Line, lines
from webvigil.present.rows import Rows, rows_in
from webvigil.store.promises import Contacts, Schedule, Users

Key = TypeVar("Key")
Value = TypeVar("Value")

# Seconds that an opened secret stays in memory. A changed secret is used at most this much longer.
_SECRET_SECONDS = 2.0
# The most rows of a table that a mail shows.
_ROWS_TOLD = 20
_LIMITS = Limits(timeout=20.0, bytes=1_000_000, redirects=0)


class _ChannelStore(Protocol):
    """The parts of the knowledge base that the channels need."""

    contacts: Contacts
    schedule: Schedule
    users: Users


class TellStore(RecordStore, _ChannelStore, Protocol):
    """The parts of the knowledge base that the delivery of notices needs."""


class Teller:
    """Delivers notices. The worker calls `begin` again and again; all state is in the knowledge base."""

    def __init__(
        self,
        knowledge: TellStore,
        channels: Mapping[str, Channel],
        *,
        notices_per_hour: int = 0,
        lease: Millis = LEASE,
    ) -> None:
        self._knowledge = knowledge
        self._delivery = Delivery(knowledge.outbox, channels, lease=lease)
        self._rate = notices_per_hour

    async def begin(self, worker: str) -> int:
        """Starts to deliver the notices that are due, and returns how many they are without waiting for the
        deliveries."""
        waits = await asyncio.to_thread(self._gather)
        return await self._delivery.begin(worker, waits=waits)

    async def turn(self, worker: str) -> int:
        """Delivers the notices that are due, waits until that is done, and returns how many they were."""
        taken = await self.begin(worker)
        await self._delivery.all_done()
        return taken

    async def close(self) -> None:
        """Starts no more deliveries and waits for those under way."""
        await self._delivery.close()

    def _gather(self) -> Waits:
        """Combines waiting notices into summaries and returns what decides which notices may go
        now."""
        now = self._knowledge.schedule.now()
        under_way = self._delivery.under_way
        waits = Waits(self._knowledge.outbox, self._reader, self._is_verified, now, under_way)
        gather_due(self._knowledge.outbox, waits, self._summarise, self._goes_on, now)
        return waits

    def _reader(self, user: str) -> Reader:
        """Returns how a user wants to be told. A user who was removed while a notice waited has no
        preferences any more."""
        try:
            preferences = self._knowledge.contacts.preferences(user)
        except NotFound:
            preferences = Preferences()
        rate = self._rate if preferences.rate is None else preferences.rate
        return Reader(preferences=preferences, zone=zone_of(self._knowledge.users, user), rate=rate)

    def _is_verified(self, notice: Notice) -> bool:
        if notice.channel != "email":
            return True
        known = self._knowledge.contacts.get(notice.user, "email", notice.address)
        return known is not None and known.verified_at is not None

    def _goes_on(self, counted: Notice) -> bool:
        """Tells whether the sentinel of a counted notice still watches and counts in the same way, so that
        more changes can come."""
        try:
            found = self._knowledge.sentinels.get(counted.user, counted.sentinel)
            notify = parse(found.text)[0].notify
        except (NotFound, MistakeInText, IndexError):
            return False
        return found.state is State.ACTIVE and notify == NotifyEachChanges(counted.needs)

    def _summarise(self, waiting: Sequence[Waiting]) -> Notice:
        """Makes one notice of several waiting ones of a user, with the records of their sentinels."""
        user = waiting[0].notice.user
        order = self._reader(user).preferences.order
        names = {one.notice.sentinel for one in waiting} - {""}
        try:
            found = records(self._knowledge, user, names)
        except NotFound:
            found = {}
        return summary(waiting, order, found)


def zone_of(users: Users, user: str) -> ZoneInfo:
    try:
        return zone_named(users.get(user).zone)
    except NotFound:
        return zone_named("UTC")


@asynccontextmanager
async def open_channels(settings: Settings, knowledge: _ChannelStore) -> AsyncIterator[dict[str, Channel]]:
    """Opens the channels that can be used with these settings, by name. The module of each makes it."""
    async with _posting_client(settings) as client:
        means = _means(settings, knowledge, client)
        made = {name: make_channel(name, means) for name in channels_of(settings)}
        try:
            yield made
        finally:
            for one in made.values():
                if isinstance(one, Closing):
                    await one.close()


def _means(settings: Settings, knowledge: _ChannelStore, client: Client) -> Means:
    seal = seal_of(settings)
    return Means(
        folder=settings.data,
        renderer=renderer_of(settings, knowledge.users),
        mail_server=_mail_server(settings),
        links=_links(settings, knowledge, seal),
        post=_post(client),
        secret=_opening(lambda contact: webhook_secret(knowledge.contacts, seal, *contact)),
        service=_opening(lambda contact: service_url(knowledge.contacts, seal, *contact)),
        judge=_judge(settings),
        schemes=schemes_of(settings),
    )


def renderer_of(settings: Settings, users: Users) -> Renderer:
    return Renderer(
        home=home_of(settings),
        lines=lines_of,
        rows=rows_of,
        zone=_ForAWhile[str, ZoneInfo](lambda user: zone_of(users, user), 60),
        templates=Path(settings.templates).expanduser() if settings.templates else None,
    )


class _ForAWhile(Generic[Key, Value]):
    """Remembers answers for some seconds, so that thousands of notices to a hundred people ask the database a
    hundred times."""

    def __init__(self, ask: Callable[[Key], Value], seconds: float) -> None:
        self._ask = ask
        self._seconds = seconds
        self._known: dict[Key, Value] = {}
        self._until = 0.0

    def known(self, key: Key) -> Value | None:
        if time.monotonic() > self._until:
            self._known, self._until = {}, time.monotonic() + self._seconds
        return self._known.get(key)

    def __call__(self, key: Key) -> Value:
        found = self.known(key)
        if found is None:
            found = self._known[key] = self._ask(key)
        return found


def lines_of(finding: dict[str, Any]) -> Iterable[Line]:
    return lines(finding_from_json(finding))


def rows_of(finding: dict[str, Any]) -> Rows | None:
    return rows_in([finding_from_json(finding)], _ROWS_TOLD)


def _links(settings: Settings, knowledge: _ChannelStore, seal: Seal) -> Callable[[Notice], Links]:
    home = home_of(settings)

    def links(notice: Notice) -> Links:
        if notice.body.get("event") == VERIFY:
            secret = new_verification(knowledge.contacts, knowledge.schedule, notice.user, notice.address)
            return Links(home=home, verify=f"{home}/contacts/verify?token={secret}")
        stop = stop_token(seal, notice.user, notice.address)
        return Links(home=home, stop=f"{home}/contacts/stop?token={stop}")

    return links


def _mail_server(settings: Settings) -> MailServer:
    assert settings.smtp_security in ("starttls", "tls", "none")
    return MailServer(
        host=settings.smtp_host,
        port=settings.smtp_port,
        sender=settings.mail_from,
        security=cast(Security, settings.smtp_security),
        user=settings.smtp_user,
        password=settings.smtp_password,
        tls=tls_context(Path(settings.ca_file) if settings.ca_file else None),
    )


def _posting_client(settings: Settings) -> Client:
    return Client(
        user_agent=settings.user_agent,
        limits=_LIMITS,
        allowed=settings.allow_networks,
        ways=ways_of(settings),
        ca_file=Path(settings.ca_file) if settings.ca_file else None,
    )


def _post(client: Client) -> Post:
    async def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answered:
        """Sends a message to a webhook and returns the answer. Raises ChannelBusy or ChannelRefused if it
        cannot be sent."""
        try:
            reply = await client.ask(Ask(url=url, method="POST", body=body, headers=headers))
        except PageError as error:
            kind = ChannelBusy if error.transient else ChannelRefused
            raise kind(str(error)) from error
        return Answered(reply.answer.status, dict(reply.answer.headers))

    return post


def _judge(settings: Settings) -> Callable[[str], Awaitable[None]]:
    async def judge(host: str) -> None:
        """Refuses a host that is not public. This check comes before the connection: Apprise looks the name
        up again when it connects, so a name that changes in between is not caught."""
        try:
            found = [host] if is_address(host) else await asyncio.to_thread(system_lookup, host)
        except (OSError, UnicodeError) as error:
            raise ChannelBusy(f"{host} cannot be found") from error
        for one in found:
            if not may_visit(one, settings.allow_networks):
                raise ChannelRefused(f"{host} is not at a public address; see the setting allow_networks")

    return judge


def _opening(ask: Callable[[tuple[str, str]], str]) -> Callable[[Notice], Awaitable[str]]:
    """Opens what is sealed for the user and the address of a notice; what was opened is kept for a moment."""
    secrets = _ForAWhile(ask, _SECRET_SECONDS)

    async def opened(notice: Notice) -> str:
        contact = notice.user, notice.address
        try:
            known = secrets.known(contact)
            return known if known is not None else await asyncio.to_thread(secrets, contact)
        except KeyMissing as error:
            raise ChannelLocked(f"{error}; it waits until the key is back") from error
        except (NotFound, StoreRefused) as error:
            raise ChannelRefused(str(error)) from error

    return opened
