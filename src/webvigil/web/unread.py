"""The number of unread changes, which every page of the dashboard shows in its navigation.

A template knows the user but no database. The middleware therefore puts the store of changes into a context
variable for the time of a request, and the template asks for the number by the user alone.
"""

from __future__ import annotations

from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

from webvigil.errors import StoreError
from webvigil.model.user import User
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Changes

MOST = 100
_changes: ContextVar[Changes | None] = ContextVar("changes", default=None)


class Counting:
    def __init__(self, application: ASGIApp, changes: Changes) -> None:
        self._application = application
        self._changes = changes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _changes.set(self._changes)
        await self._application(scope, receive, send)


def unread_of(user: User | None) -> str:
    """Returns how many changes the user has not read, "99+" for very many, and "" for none. A page that tells
    of a broken database is shown without the number."""
    changes = _changes.get()
    if user is None or changes is None:
        return ""
    try:
        number = changes.count(WantedChanges(user=user.name, seen=False), most=MOST)
    except StoreError:
        return ""
    return f"{MOST - 1}+" if number >= MOST else str(number or "")
