"""Log-ins of users: read from text, sealed, stored, found for a page, opened for a fetch (F7)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from webvigil.app.sentinels.lookup import every
from webvigil.app.settings import Settings
from webvigil.errors import NotFound, PageRefused, SettingRefused, StoreError
from webvigil.fetch.client import same_origin
from webvigil.fetch.login import Login, Pairs, Seal, key_from
from webvigil.language import names
from webvigil.model.login import SealedLogin
from webvigil.model.page import Page, normal_url
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Logins as LoginRows
from webvigil.store.promises import Schedule, Sentinels, Versions

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# Characters of one cookie or header. Browsers keep cookies of at most 4,096 bytes.
_LONGEST_SECRET = 4_000
_NOT_OURS = ("host", "content-length", "transfer-encoding", "connection", "content-encoding", "upgrade")


class LoginStore(Protocol):
    """The parts of the knowledge base that log-ins need."""

    logins: LoginRows
    schedule: Schedule
    sentinels: Sentinels
    versions: Versions


class Logins:
    """The log-ins of all users, sealed in the knowledge base."""

    def __init__(self, knowledge: LoginStore, seal: Seal) -> None:
        self._knowledge = knowledge
        self._seal = seal

    def put(self, user: str, login: Login) -> None:
        """Stores a log-in; it replaces another one for the same address. All pages that are seen with the
        log-in are looked at now, because some may have failed without it."""
        self._knowledge.logins.put(user, login.url, self._seal.seal(login, user))
        self._apply(user, login.url)
        (kept,) = (one for one in self._knowledge.logins.all(user) if one.url == login.url)
        for number, page in self._pages(user, login.url).items():
            if page.login == str(kept.id):
                self._knowledge.schedule.ask(number, "a new log-in")

    def remove(self, user: str, url: str) -> None:
        """Deletes a log-in. Its pages are then seen with the next log-in above them, or as everybody sees
        them."""
        self._knowledge.logins.remove(user, url)
        self._apply(user, url)

    def _apply(self, user: str, url: str) -> None:
        """Makes the user's sentinels watch the pages that fit the present log-ins, after a change of the
        log-in for an address. A page seen with a log-in is a page of its own, so each watch moves from the
        old page to the new one."""
        known = self._knowledge.logins.all(user)
        pages = self._pages(user, url)
        seen = {number: with_login(replace(page, login=""), known) for number, page in pages.items()}
        instead = {number: page for number, page in seen.items() if page != pages[number]}
        if instead:
            self._knowledge.sentinels.rewatch(user, instead)

    def _pages(self, user: str, url: str) -> dict[int, Page]:
        """Returns the pages that the user's sentinels name at the host of an address; a log-in is used for
        pages of its host only."""
        host = Page(url=url).host
        there = every(self._knowledge.sentinels, WantedSentinels(user=user, host=host))
        watched = {page.id for one in there for page in one.pages if Page(url=page.url).host == host}
        return {number: self._knowledge.versions.page(number) for number in watched}

    def with_secrets(self, user: str) -> list[tuple[str, tuple[str, ...]]]:
        """Returns the addresses of the user's log-ins, each with the names of its secrets. A log-in that
        cannot be opened has none."""
        return [(one.url, self._names(one)) for one in self._knowledge.logins.all(user)]

    def _names(self, one: SealedLogin) -> tuple[str, ...]:
        with suppress(StoreError):
            return tuple(name for name, _ in self._seal.open(one.sealed, one.url, one.user).secrets)
        return ()

    def secrets_for(self, user: str, url: str) -> tuple[str, ...] | None:
        """Returns the names of the secrets that steps on a page may type; None if the user has no log-in for
        the page."""
        seen = with_login(Page(url=url), self._knowledge.logins.all(user))
        login = self.of(seen)
        return tuple(name for name, _ in login.secrets) if login else None

    def beside(self, page: Page) -> list[SealedLogin]:
        """Returns all log-ins of the user whose log-in this page is seen with."""
        try:
            return self._knowledge.logins.all(self._knowledge.logins.get(int(page.login)).user)
        except (NotFound, ValueError):
            return []

    def of(self, page: Page) -> Login | None:
        """Returns the log-in that the page is fetched with. Raises PageRefused if it is gone or cannot be
        opened."""
        if not page.login:
            return None
        try:
            found = self._knowledge.logins.get(int(page.login))
            return self._seal.open(found.sealed, found.url, found.user)
        except (NotFound, StoreError, ValueError) as error:
            raise PageRefused(f"the log-in of this page cannot be used: {error}") from error


def logins(knowledge: LoginStore, settings: Settings) -> Logins:
    return Logins(knowledge, seal_of(settings))


@lru_cache(4)
def seal_of(settings: Settings) -> Seal:
    key = partial(key_from, settings.secret_key, settings.data)
    return Seal(key(), again=key)


def with_login(page: Page, known: Iterable[SealedLogin]) -> Page:
    """Returns the page as this user sees it: with the log-in for the nearest address above it, if there is
    one."""
    fitting = [login for login in known if _covers(login.url, page.url)]
    if page.login or not fitting:
        return page
    nearest = max(fitting, key=lambda login: len(login.url))
    return replace(page, login=str(nearest.id))


def login_from(
    url: str, headers: Iterable[str], cookies: Iterable[str], secrets: Iterable[str] = ()
) -> Login:
    """Reads a log-in as a person writes it: headers as `Name: value`, cookies and secrets as `name=value`. A
    Cookie header becomes cookies. Raises SettingRefused if it cannot be read."""
    try:
        address = normal_url(url)
    except ValueError as error:
        raise SettingRefused(str(error)) from error
    found: list[tuple[str, str]] = []
    jar = [_pair(one, "=", "cookie") for one in cookies]
    for line in headers:
        name, value = _pair(line, ":", "header")
        if name.lower() == "cookie":
            jar += [_pair(one, "=", "cookie") for one in value.split(";") if one.strip()]
        elif name.lower() in _NOT_OURS:
            raise SettingRefused(f"the header {name} is not for you to set")
        else:
            found.append((name, value))
    hidden = _distinct(_secret(one) for one in secrets)
    if not found and not jar and not hidden:
        raise SettingRefused("a log-in needs at least one cookie, header or secret")
    return Login(url=address, headers=tuple(found), cookies=_distinct(jar), secrets=hidden)


def folder_of(url: str) -> str:
    """Returns the folder of an address. Somebody who logs in to a page mostly means the page and its
    neighbours."""
    return urljoin(url, ".")


def _covers(above: str, url: str) -> bool:
    """Tells whether a log-in for `above` is used for `url`. `/account` covers itself and everything below
    `/account/`, but not `/accounting`."""
    place, path = urlsplit(above).path, urlsplit(url).path
    return same_origin(above, url) and (path == place or path.startswith(place.rstrip("/") + "/"))


def _pair(text: str, sign: str, what: str) -> tuple[str, str]:
    name, found, value = text.partition(sign)
    name, value = name.strip(), value.strip()
    if not found or not _NAME.fullmatch(name):
        raise SettingRefused(f"{name[:40]!r} is no {what}; write NAME{sign}VALUE")
    if any(ord(letter) < 32 and letter != "\t" for letter in value) or not value.isascii():
        raise SettingRefused(f"the value of the {what} {name} contains a character that cannot be sent")
    return name, value


def _secret(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name.strip() or not value:
        raise SettingRefused("a secret is written NAME=VALUE, and one is not")
    if trouble := names.trouble_with(name.strip()):
        raise SettingRefused(f"a secret cannot have this name: {trouble}")
    if len(value) > _LONGEST_SECRET or "\0" in value:
        raise SettingRefused(f"the value of the secret {name.strip()} cannot be typed")
    return names.normal(name.strip()), value


def _distinct(pairs: Iterable[tuple[str, str]]) -> Pairs:
    return tuple(dict(pairs).items())
