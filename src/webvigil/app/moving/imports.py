"""A foreign file in, installed sentinels out: a plan that the user can read first, then the installation."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Protocol

from webvigil.app.moving.formats import read_foreign
from webvigil.app.moving.formats.found import Found, Selects, Told
from webvigil.app.pages.logins import LoginStore, login_from, logins
from webvigil.app.sentinels.by_hand import disable
from webvigil.app.sentinels.install import InstallStore, install
from webvigil.app.sentinels.lookup import named
from webvigil.app.sentinels.registry import RegistryStore, verifier
from webvigil.app.settings import Settings
from webvigil.app.telling.channels import channels_of
from webvigil.app.telling.contacts import put_service, schemes_of
from webvigil.errors import ChannelRefused, SentinelRefused, SettingRefused
from webvigil.language import print_sentinel
from webvigil.model.channels import CHANNELS
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import Contact, Sentinel, Target
from webvigil.notify.services import service_of
from webvigil.store.promises import Journal, Sentinels

_NUMBERS = 20  # numbers for a name that is taken, asked for with one question


class _Store(InstallStore, LoginStore, Protocol):
    """The parts of the knowledge base that installing imported sentinels needs."""

    journal: Journal


@dataclass(frozen=True, slots=True)
class Secrets:
    """What an entry keeps sealed: headers and cookies of a log-in for its page, addresses of services."""

    headers: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One thing from the file. An entry with a `trouble` is not installed; `remarks` are for the user to
    read, and `told` says key by key what became of it. An entry without sentinel and trouble is about the
    file as a whole."""

    source: str
    name: str = ""
    text: str = ""
    enabled: bool = True
    trouble: str = ""
    remarks: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    sentinel: Sentinel | None = None
    secrets: Secrets = Secrets()
    selectors: tuple[Selects, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    format: str
    rows: tuple[Planned, ...]

    @property
    def fine(self) -> tuple[Planned, ...]:
        return tuple(row for row in self.rows if row.sentinel and not row.trouble)

    @property
    def refused(self) -> tuple[Planned, ...]:
        return tuple(row for row in self.rows if row.trouble)


def plan_import(
    knowledge: RegistryStore, settings: Settings, data: bytes, format_: str | None = None
) -> Plan:
    """Returns what an import would install, without installing anything. A name that is taken gets a
    number."""
    name, found = read_foreign(data, format_)
    taken = _Taken(knowledge.sentinels, settings.user)
    taken.look_up(one.sentinel.name for one in found if one.sentinel)
    renamed = [_renamed(_reachable(one, settings), taken) for one in found]
    registry = verifier(knowledge, settings, as_datetime(knowledge.schedule.now()))
    refused = registry.take_all([one.sentinel for one in renamed if one.sentinel])
    return Plan(name, tuple(_planned(one, refused) for one in renamed))


def install_plan(knowledge: _Store, settings: Settings, plan: Plan) -> list[InstalledSentinel]:
    """Installs all entries of the plan without trouble, in one transaction, and disables those that were off
    in the file. Their log-ins and services are sealed first, so that the first look is made with them."""
    for row in plan.fine:
        _keep_secrets(knowledge, settings, row)
    installed = install(knowledge, settings, [row.sentinel for row in plan.fine if row.sentinel])
    for row in plan.fine:
        if not row.enabled:
            disable(knowledge, settings.user, row.name)
    return installed


def secrets_as_json(plan: Plan) -> str:
    """Returns the secrets of a plan by the names of its sentinels, for a form that asks the user first."""
    kept = {row.name: asdict(row.secrets) for row in plan.fine if row.secrets != Secrets()}
    return json.dumps(kept) if kept else ""


def with_secrets(plan: Plan, text: str) -> Plan:
    """Returns the plan with the secrets that `secrets_as_json` gave for it. Raises SettingRefused for any
    other text."""
    try:
        given = {
            name: Secrets(**{key: tuple(map(str, values)) for key, values in about.items()})
            for name, about in (json.loads(text) if text else {}).items()
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise SettingRefused("the log-ins of this form cannot be read; choose the file again") from error
    rows = (replace(row, secrets=given.get(row.name, row.secrets)) for row in plan.rows)
    return replace(plan, rows=tuple(rows))


def _keep_secrets(knowledge: _Store, settings: Settings, row: Planned) -> None:
    secrets = row.secrets
    if (secrets.headers or secrets.cookies) and row.sentinel:
        for url in _addresses(row.sentinel.target):
            login = login_from(url, secrets.headers, secrets.cookies)
            logins(knowledge, settings).put(settings.user, login)
    for one in secrets.services:
        name, _, url = one.partition(" ")
        put_service(knowledge.contacts, settings, settings.user, name, url)


def _addresses(target: Target) -> list[str]:
    return [target.url] if hasattr(target, "url") else []


def _reachable(one: Found, settings: Settings) -> Found:
    """Leaves out contacts that cannot be used here, and log-ins that cannot be sent, and remarks on them."""
    if one.sentinel is None:
        return one
    remarks, contacts, services = [], [], []
    usable = channels_of(settings)
    for contact in one.sentinel.contacts:
        reason = _unusable(contact, one, settings, usable)
        contacts += [] if reason else [contact]
        remarks += [f"{contact.channel}: not taken along; {reason}"] if reason else []
    steps = one.sentinel.steps
    if not settings.step_scripts and any(step.do == "run" for step in steps):
        steps = tuple(step for step in steps if step.do != "run")
        remarks.append("scripts: not taken along; the operator can allow them with the setting step_scripts")
    names = {contact.address for contact in contacts}
    services = [service for service in one.services if service.partition(" ")[0] in names]
    headers, cookies = one.headers, one.cookies
    try:
        if headers or cookies:
            login_from("https://a.test/", headers, cookies)
    except SettingRefused as error:
        remarks.append(f"headers: not taken along; {error}")
        headers, cookies = (), ()
    return replace(
        one,
        sentinel=replace(one.sentinel, contacts=tuple(contacts), steps=steps),
        remarks=(*one.remarks, *remarks),
        services=tuple(services),
        headers=headers,
        cookies=cookies,
    )


def _unusable(contact: Contact, one: Found, settings: Settings, usable: Collection[str]) -> str:
    """Says why nobody can be told by this contact; "" if it can be used."""
    if contact.channel not in usable:
        kind = CHANNELS.get(contact.channel)
        return f"{kind.lacking} (the setting {kind.needs})" if kind else "there is no such channel"
    if contact.channel == "apprise":
        url = next(
            (text for name, _, text in (s.partition(" ") for s in one.services) if name == contact.address),
            "",
        )
        try:
            service_of(url, schemes_of(settings))
        except ChannelRefused as error:
            return str(error)
    return ""


class _Taken:
    """The names that the user's sentinels have, asked for as they are needed, and those given since."""

    def __init__(self, sentinels: Sentinels, user: str) -> None:
        self._sentinels, self._user = sentinels, user
        self._asked: dict[str, bool] = {}

    def look_up(self, names: Iterable[str]) -> None:
        new = [name for name in names if name not in self._asked]
        self._asked |= dict.fromkeys(new, False)
        self._asked |= dict.fromkeys(named(self._sentinels, self._user, new), True)

    def first_free(self, wished: str) -> str:
        """Returns the wished name, with a number if it is taken, and takes it."""
        name = next(one for one in self._numbered(wished) if not self._asked[one])
        self._asked[name] = True
        return name

    def _numbered(self, wished: str) -> Iterator[str]:
        self.look_up([wished])
        yield wished
        for first in count(2, _NUMBERS):
            names = [f"{wished}-{number}" for number in range(first, first + _NUMBERS)]
            self.look_up(names)
            yield from names


def _renamed(one: Found, taken: _Taken) -> Found:
    """Gives a sentinel the first free name, with a number if needed, and remarks on it."""
    if one.sentinel is None:
        return one
    wished = one.sentinel.name
    name = taken.first_free(wished)
    remarks = one.remarks if name == wished else (*one.remarks, f"called {name}: {wished} is taken")
    return replace(one, sentinel=replace(one.sentinel, name=name), remarks=remarks)


def _planned(one: Found, refused: Mapping[str, Sequence[str]]) -> Planned:
    if one.sentinel is None:
        return Planned(source=one.source, trouble=one.trouble, remarks=one.remarks, told=one.told)
    troubles = refused.get(one.sentinel.name, ())
    try:
        text = print_sentinel(one.sentinel)
    except SentinelRefused as error:
        return Planned(source=one.source, trouble=str(error))
    return Planned(
        source=one.source,
        name=one.sentinel.name,
        text=text,
        enabled=one.enabled,
        trouble="; ".join(troubles),
        remarks=one.remarks,
        told=one.told,
        sentinel=one.sentinel,
        secrets=Secrets(one.headers, one.cookies, one.services),
        selectors=one.selectors,
    )
