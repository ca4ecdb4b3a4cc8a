"""A user and a page that others watch, too, in, the versions and looks that the user may see out.

A page, its versions and the looks at it are shared, but they must not tell who else watches it or why. A user
sees the version that was the newest when they began to watch the page and all later ones, the looks since
then, and the troubles of their own sentinels. The setting `share_history` also shows older versions and looks
to all who watch the page. Administrators see everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from webvigil.app.settings import Settings
from webvigil.errors import NotFound
from webvigil.model.installed import PageView
from webvigil.model.moment import as_millis
from webvigil.model.user import User
from webvigil.model.version import Version
from webvigil.model.wanted import FROM_THE_PAST_ON, LARGEST_ID, PIECE
from webvigil.store.promises import Journal, Pasts, Schedule, Sentinels, Versions

Look = dict[str, Any]

# Newest looks among which the picture of a look is searched.
_LOOKS_ASKED = 1_000


class LogStore(Protocol):
    """The parts of the knowledge base that the log of a page needs."""

    journal: Journal
    sentinels: Sentinels


class ViewStore(LogStore, Protocol):
    """The parts of the knowledge base that the view of a page needs."""

    pasts: Pasts
    schedule: Schedule
    versions: Versions


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page as one user sees it. `view` None means that everything is visible. Versions that the `user`
    brought from an archive (`model.past`) come before all others; `user` None sees those of all users."""

    knowledge: ViewStore
    id: int
    view: PageView | None
    history: bool = False
    user: str | None = None

    def versions(self) -> list[Version]:
        """Returns the visible versions, newest first."""
        fetched = [one for one in self.knowledge.versions.of(self.id) if one.number > self._hidden]
        return [*fetched, *self.past()]

    def past(self) -> list[Version]:
        """Returns the versions that were brought from archives, the latest first."""
        return self.knowledge.pasts.of(self.id, self.user)

    def some(
        self,
        *,
        after: int = FROM_THE_PAST_ON,
        before: int = LARGEST_ID,
        until: datetime | None = None,
        oldest_first: bool = False,
        limit: int = PIECE,
    ) -> list[Version]:
        """Returns a piece of the visible versions, newest first unless `oldest_first`; see
        `Versions.some`."""
        fetched = self.knowledge.versions.some(
            self.id,
            after=max(after, self._hidden),
            before=before,
            until=until,
            oldest_first=oldest_first,
            limit=limit,
        )
        if after >= 0 or (len(fetched) >= limit and not oldest_first):
            return fetched
        past = [
            one
            for one in self.past()
            if after < one.number < before and (until is None or one.fetched_at <= until)
        ]
        return ([*reversed(past), *fetched] if oldest_first else [*fetched, *past])[:limit]

    def count(self) -> int:
        """Returns how many versions are visible."""
        return self.knowledge.versions.count(self.id, after=self._hidden) + len(self.past())

    def version(self, number: int) -> Version:
        """Returns one version. Raises NotFound with the same words for a missing and for an invisible
        version, so that the error does not tell which versions exist."""
        if not self._is_open(number):
            raise NotFound(f"page {self.id} has no version {number}")
        return self.knowledge.versions.get(self.id, number)

    def looks(self, limit: int) -> list[Look]:
        """Returns the visible looks, newest first."""
        found = self.knowledge.journal.fetch_log(self.id, limit=limit)
        return looks_seen(found, self.view, history=self.history)

    def picture_of_look(self, key: str) -> str:
        """Returns the object with the picture of a visible look. Raises NotFound if no look shows it."""
        if not key or all(look["picture"] != key for look in self.looks(_LOOKS_ASKED)):
            raise NotFound(f"page {self.id} has no such picture")
        return key

    @property
    def _hidden(self) -> int:
        """Returns the number of the newest version that is not visible, 0 if all are."""
        return 0 if self.history or self.view is None else max(self.view.first_version - 1, 0)

    def _is_open(self, number: int) -> bool:
        if number < 0:
            return any(one.number == number for one in self.past())
        return number > self._hidden


def seen_page(knowledge: ViewStore, settings: Settings, user: str | None, page: int) -> SeenPage:
    """Returns a page as this user sees it; `user` None sees everything. Raises NotFound if the user does not
    watch it."""
    if user is None:
        if not knowledge.sentinels.watch(None, page):
            raise NotFound(f"there is no page {page}")
        return SeenPage(knowledge, page, None)
    view = knowledge.sentinels.views(user, [page]).get(page)
    if view is None:
        raise NotFound(f"there is no page {page}")
    return SeenPage(knowledge, page, view, settings.share_history, user)


def eyes_of(user: User) -> str | None:
    """Returns the name under which a user sees pages, or None for an administrator, who sees everything."""
    return None if user.role == "admin" else user.name


def logs_seen(
    knowledge: LogStore, settings: Settings, user: str, pages: Iterable[int], limit: int
) -> dict[int, list[Look]]:
    """Returns the looks at several pages, newest first, as this user sees them."""
    wanted = list(pages)
    views = knowledge.sentinels.views(user, wanted)
    logs = knowledge.journal.fetch_logs(views, limit=limit)
    return {
        page: looks_seen(looks, views[page], history=settings.share_history) for page, looks in logs.items()
    }


def looks_seen(looks: list[Look], view: PageView | None, *, history: bool = False) -> list[Look]:
    """Returns the visible looks, with the troubles of this user's sentinels in place of the troubles of
    all."""
    since = view.since if view and not history else 0
    return [_seen(look, view) for look in looks if as_millis(look["at"]) >= since]


def _seen(look: Look, view: PageView | None) -> Look:
    told = {name: value for name, value in look.items() if name != "troubles"}
    mine = [text for sentinel, text in look["troubles"] if view is None or sentinel in view.sentinels]
    return told | {"error": "; ".join(filter(None, [look["error"], *mine]))}
