"""Looking at a sentinel's pages now, whatever their schedule says; also at those that they link to."""

from __future__ import annotations

from webvigil.store.promises import Knowledge


def run(knowledge: Knowledge, user: str, name: str) -> int:
    """How many pages are looked at."""
    found = knowledge.sentinels.get(user, name)
    linked = knowledge.sentinels.linked(user, name) if found.linked else []
    for page in (*found.pages, *linked):
        knowledge.schedule.ask(page.id)
    return len(found.pages) + len(linked)
