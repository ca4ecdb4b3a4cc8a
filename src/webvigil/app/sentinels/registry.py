"""The installed sentinels of a user and those to be installed in, objections and planned sentinels out (V1).

Checking a text needs this module and nothing that installs, so that `webvigil check` starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from webvigil.app.forbidden import forbidden
from webvigil.app.sentinels.lookup import named
from webvigil.app.sentinels.topic_clauses import said_by_topics
from webvigil.app.settings import Settings
from webvigil.app.telling.channels import channels_of
from webvigil.errors import NameTaken, PageRefused, SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel, NewSentinel
from webvigil.model.joint import each_page, pages_in, unless_any_will_do
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_datetime
from webvigil.model.objection import Objection
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel
from webvigil.rules import notices
from webvigil.rules.inherit import completed, names, with_topics
from webvigil.rules.install import installation
from webvigil.rules.joining import Joining
from webvigil.rules.life import newborn
from webvigil.rules.order import in_order
from webvigil.rules.verify import Surroundings, objections

if TYPE_CHECKING:
    from webvigil.model.login import SealedLogin
    from webvigil.store.promises import Logins, Schedule, Sentinels, Users, Versions


class RegistryStore(Protocol):
    """The parts of the knowledge base that verifying a sentinel needs."""

    logins: Logins
    schedule: Schedule
    sentinels: Sentinels
    users: Users
    versions: Versions


def verifier(
    knowledge: RegistryStore | None, settings: Settings, now: datetime, *, edited: str = ""
) -> Registry:
    """Returns a registry that checks sentinels one after the other as installing would, and installs nothing.
    `edited` names the installed sentinel that gets a new text."""
    if knowledge is None:
        return Registry(None, settings, now)
    return replace(registry_of(knowledge, settings), edited=edited)


@dataclass
class Registry:
    """The installed sentinels of a user together with those that are about to be installed."""

    knowledge: RegistryStore | None
    settings: Settings
    now: datetime
    zone: str = "UTC"
    sentinels: dict[str, Sentinel] = field(default_factory=dict)
    planned: dict[str, NewSentinel] = field(default_factory=dict)
    edited: str = ""  # name of an installed sentinel that gets another text
    read: dict[str, Sentinel] = field(default_factory=dict)  # installed sentinels that were parsed so far
    # What the store said of each name that was asked for; a user may have very many sentinels.
    found: dict[str, InstalledSentinel | None] = field(default_factory=dict)

    def take_all(self, sentinels: Sequence[Sentinel]) -> dict[str, list[Objection]]:
        """Plans all sentinels that can be installed, and returns the objections against the others, by name.
        Sentinels that wait for each other in a circle are all refused."""
        self._look_up(name for one in sentinels for name in (one.name, *names(one)))
        try:
            self._refuse_circles(sentinels)
            return {one.name: troubles for one in in_order(sentinels) if (troubles := self.take(one))}
        except SentinelRefused as error:
            return {one.name: [Objection(str(error))] for one in sentinels if names(one)}

    def take(self, sentinel: Sentinel) -> list[Objection]:
        """Plans a sentinel if nothing speaks against it, and returns the objections."""
        try:
            if self._is_taken(sentinel.name):
                raise NameTaken(
                    f"there is a sentinel {sentinel.name!r} already; choose another name or remove it"
                )
            own = completed(sentinel, self._sentinel)
            whole = with_topics(own, self.topics)
            life = self._life_that_goes_on(whole)
            troubles = objections(replace(whole, life=()) if life else whole, self._surroundings())
            if not troubles:
                self._plan(own, whole, life or self._newborn(whole))
        except SentinelRefused as error:
            return [Objection(str(error))]
        return troubles

    def _is_taken(self, name: str) -> bool:
        return name in self.planned or bool(name != self.edited and self._installed(name))

    def _life_that_goes_on(self, whole: Sentinel) -> LifeRecord | None:
        """Returns the life of a sentinel that is edited without a change of its life spans. Such a life is
        not verified again: its start may be in the past by now."""
        installed = self._installed(whole.name)
        if installed is None or parse(installed.text)[0].life != whole.life:
            return None
        return installed.life

    def _newborn(self, whole: Sentinel) -> LifeRecord:
        """Returns the life of a new sentinel, or of one with other life spans. One that is watching and goes
        on watching was installed and began when it did."""
        made = newborn(whole, ZoneInfo(self.zone), self.now, self._life)[0].record
        before = self._installed(whole.name)
        if before is None or not (before.life.within and made.within):
            return made
        return replace(made, installed_at=before.life.installed_at, started_at=before.life.started_at)

    def _refuse_circles(self, sentinels: Sequence[Sentinel]) -> None:
        """Raises SentinelRefused if an edited sentinel would wait, through others, for itself. A new sentinel
        cannot: no installed one waits for it."""
        if not self.edited:
            return
        found = {one.name: one for one in sentinels}
        waiting = [name for one in sentinels for name in names(one)]
        while waiting:
            name = waiting.pop()
            installed = None if name in found else self._installed(name)
            if installed:
                found[name] = parse(installed.text)[0]
                waiting += names(found[name])
        in_order(found.values())

    def _plan(self, sentinel: Sentinel, whole: Sentinel, life: LifeRecord) -> None:
        """Adds the sentinel to the planned ones, with its pages, its life and the notice that it is
        installed."""
        new = installation(
            whole,
            user=self.settings.user,
            text=print_sentinel(whole),
            own="" if sentinel == whole else print_sentinel(sentinel),
            life=life,
            pages_of=self._pages,
            joint_of=self._joint,
            default_interval=timedelta(seconds=self.settings.default_interval),
        )
        installed = self._installed(sentinel.name)
        new = replace(new, replan=bool(installed and parse(installed.text)[0].fetch != whole.fetch))
        new = _seen_through(new, tuple(dict.fromkeys(self._as_seen(page) for page in new.pages)))
        key = f"{self.settings.user}/{sentinel.name}@{self.now.isoformat()}"
        self.sentinels[sentinel.name] = whole
        url = new.pages[0].url if new.pages else ""
        told = notices.installed(whole, self.settings.user, key, url)
        self.planned[sentinel.name] = replace(new, notices=told)

    def _as_seen(self, page: Page) -> Page:
        """Returns the page with the user's log-in for it, if there is one. Seen with a log-in, it is a page
        of its own."""
        if not self._logins:
            return page
        from webvigil.app.pages.logins import with_login

        return with_login(page, self._logins)

    @cached_property
    def _logins(self) -> Sequence[SealedLogin]:
        return self.knowledge.logins.all(self.settings.user) if self.knowledge else ()

    def _surroundings(self) -> Surroundings:
        return Surroundings(
            now=self.now,
            zone=ZoneInfo(self.zone),
            minimum_interval=timedelta(seconds=self.settings.minimum_interval),
            channels=channels_of(self.settings),
            life=self._life,
            forbidden=partial(forbidden, self.settings),
            secrets=self._secrets if self.knowledge else None,
            scripts=self.settings.step_scripts,
            proxies=tuple(name for name, _ in self.settings.proxies),
            longest_timeout=timedelta(seconds=self.settings.longest_timeout),
        )

    def _secrets(self, url: str) -> tuple[str, ...] | None:
        """Returns the names of the user's secrets for a page; None if there is no log-in, or it cannot be
        opened."""
        from webvigil.app.pages.logins import logins

        assert self.knowledge, "only a store has log-ins"
        with suppress(PageRefused):
            return logins(self.knowledge, self.settings).secrets_for(self.settings.user, url)
        return None

    def _installed(self, name: str) -> InstalledSentinel | None:
        if name not in self.found:
            self._look_up([name])
        return self.found[name]

    def _look_up(self, wanted: Iterable[str]) -> None:
        """Asks the store for the installed sentinels of these names."""
        asked = dict.fromkeys(wanted)
        self.found |= asked
        if self.knowledge:
            self.found |= named(self.knowledge.sentinels, self.settings.user, asked)

    @cached_property
    def topics(self) -> Mapping[str, Sentinel]:
        """The clauses that the user's topics say, as sentinels with nothing else."""
        return said_by_topics(self.knowledge.users, self.settings.user) if self.knowledge else {}

    def _sentinel(self, name: str) -> Sentinel | None:
        if name in self.sentinels:
            return self.sentinels[name]
        if name not in self.read and (installed := self._installed(name)):
            self.read[name] = parse(installed.text)[0]
        return self.read.get(name)

    @cached_property
    def _joint(self) -> Joining:
        return Joining(self._pages, self._sentinel)

    def _life(self, name: str) -> LifeRecord | None:
        if name in self.planned:
            return self.planned[name].life
        installed = self._installed(name)
        return installed.life if installed else None

    def _pages(self, name: str) -> tuple[Page, ...]:
        if name in self.planned:
            return self.planned[name].pages
        installed = self._installed(name)
        if installed is None or self.knowledge is None:
            raise SentinelRefused(f"there is no sentinel {name!r}")
        return tuple(self.knowledge.versions.page(page.id) for page in installed.pages)


def _seen_through(new: NewSentinel, pages: tuple[Page, ...]) -> NewSentinel:
    """Returns the planned sentinel with its pages as they are fetched with log-ins, also in the expression
    over several pages."""
    fetched = {replace(page, login=""): page for page in pages}
    if new.joint is None or not all(replace(page, login="") in fetched for page in pages_in(new.joint)):
        return replace(new, pages=pages, joint=None)
    found = each_page(new.joint, lambda page: fetched[replace(page, login="")])
    return replace(new, pages=pages, joint=unless_any_will_do(found))


def registry_of(knowledge: RegistryStore, settings: Settings) -> Registry:
    now = as_datetime(knowledge.schedule.now())
    return Registry(knowledge, settings, now, zone=knowledge.users.get(settings.user).zone)
