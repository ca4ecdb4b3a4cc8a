"""The number of unread changes, which every page of the dashboard shows in its navigation.

A template knows the user but no database. The middleware therefore puts the knowledge base into a context
variable for the time of a request, and the template asks for the number by the user alone.
"""

from __future__ import annotations

from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

from webvigil.model.user import User
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Knowledge

MOST = 100
_knowledge: ContextVar[Knowledge | None] = ContextVar("knowledge", default=None)


class Counting:
    def __init__(self, application: ASGIApp, knowledge: Knowledge) -> None:
        self._application = application
        self._knowledge = knowledge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _knowledge.set(self._knowledge)
        await self._application(scope, receive, send)


def unread_of(user: User | None) -> str:
    """Returns how many changes the user has not read, "99+" for very many, and "" for none."""
    knowledge = _knowledge.get()
    if user is None or knowledge is None:
        return ""
    number = knowledge.changes.count(WantedChanges(user=user.name, seen=False), most=MOST)
    return f"{MOST - 1}+" if number >= MOST else str(number or "")
