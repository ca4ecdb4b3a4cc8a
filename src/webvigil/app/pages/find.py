"""What a person types in, the id of a watched page out.

A person names a page by its address (as everybody sees it, as seen with the user's log-in, or rendered in a
browser) or by the name of the sentinel that watches it. The answers of a form are several pages at one
address, one for each set of values; the address then means the one that this user watches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from webvigil.app.pages.logins import with_login
from webvigil.app.pages.view import ViewStore, eyes_of
from webvigil.app.sentinels.lookup import every
from webvigil.errors import NotFound
from webvigil.model.installed import InstalledSentinel
from webvigil.model.page import Page, normal_url
from webvigil.model.wanted import WantedSentinels
from webvigil.store.promises import Logins, Sentinels, Users, Versions


class FindStore(Protocol):
    """The parts of the knowledge base that finding a page needs."""

    logins: Logins
    sentinels: Sentinels
    users: Users
    versions: Versions


class SeenStore(FindStore, ViewStore, Protocol):
    """The parts of the knowledge base that finding a page and its versions needs."""


def page_of(knowledge: FindStore, user: str, name: str) -> int:
    """Returns the id of the page. Raises NotFound if this user does not watch such a page; administrators
    find pages of all users. Raises ValueError if `name` is no address."""
    if "://" not in name:
        with suppress(NotFound):
            return _only(knowledge.sentinels.get(user, name))
    address = normal_url(name)
    eyes = eyes_of(knowledge.users.get(user))
    for page in _spellings(knowledge.logins, user, address):
        with suppress(NotFound):
            found = knowledge.versions.page_id(page)
            if knowledge.sentinels.watch(eyes, found):
                return found
    return _form(knowledge.sentinels, user, address)


def _only(sentinel: InstalledSentinel) -> int:
    if len(sentinel.pages) != 1:
        raise ValueError(f"{sentinel.name} watches {len(sentinel.pages)} pages; name one by its address")
    return sentinel.pages[0].id


def _form(sentinels: Sentinels, user: str, address: str) -> int:
    """Returns the page at this address that a form sentinel of the user watches. Raises ValueError if there
    are several."""
    there = every(sentinels, WantedSentinels(user=user, address=address))
    watched = {page.id: one.name for one in there for page in one.pages if page.url == address}
    if len(watched) > 1:
        names = ", ".join(sorted(watched.values()))
        raise ValueError(f"{address} is watched with several values; name the sentinel instead: {names}")
    if not watched:
        raise NotFound(f"no sentinel of {user} watches {address}")
    return next(iter(watched))


def _spellings(logins: Logins, user: str, url: str) -> Iterator[Page]:
    """Yields the pages that an address may mean: with and without the user's log-in, plain and rendered."""
    known = logins.all(user)
    for plain in (Page(url=url), Page(url=url, render="browser"), Page(url=url, render="status")):
        mine = with_login(plain, known)
        yield mine
        if mine != plain:
            yield replace(mine, login="")
