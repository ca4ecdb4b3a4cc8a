"""A sentinel's name in, everything that `webvigil show` and the API tell about it out."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from webvigil.app.pages.view import logs_seen
from webvigil.app.sentinels.quiet import left_places
from webvigil.app.sentinels.timeline import next_for
from webvigil.app.sentinels.topic_clauses import origins
from webvigil.app.settings import Settings
from webvigil.app.worker.schedules import schedule_of
from webvigil.model.installed import InstalledSentinel
from webvigil.model.moment import as_datetime, as_millis, zone_named
from webvigil.model.portrait import Portrait
from webvigil.model.user import User
from webvigil.present.story import habit_of
from webvigil.rules.schedule import next_looks
from webvigil.store.promises import HabitStore, Journal, Sentinels, Users

# The latest looks among which the one is searched that left something out.
_LOOKED_BACK = 100


class _Store(Protocol):
    """The parts of the knowledge base that the portrait of a sentinel needs."""

    habits: HabitStore
    journal: Journal
    sentinels: Sentinels
    users: Users


def last_left_out(journal: Journal, page: int) -> str:
    """Returns what was left out at the last look that left something out; "" if none of the latest looks
    did."""
    log = journal.fetch_log(page, limit=_LOOKED_BACK)
    return next((look["left_out"] for look in log if look["left_out"]), "")


def portrait_of(knowledge: _Store, settings: Settings, user: User, name: str) -> Portrait:
    found = knowledge.sentinels.get(user.name, name)
    linked = knowledge.sentinels.linked(user.name, name) if found.linked else []
    seen = logs_seen(knowledge, settings, user.name, (page.id for page in found.pages), 1)
    logs = {page.url: seen.get(page.id, []) for page in found.pages}
    zone = zone_named(user.zone)
    doubted = {page.url: f"it {page.doubt.in_words(zone)}" for page in found.pages if page.doubt}
    failing = [page.url for page in found.pages if page.failures and logs[page.url]]
    return Portrait(
        sentinel=found,
        next=next_for(user, found),
        pace={url: habit_of(log) for url, log in logs.items()},
        trouble=found.trouble | doubted | {url: logs[url][0]["error"] for url in failing},
        linked=tuple(linked),
        most_linked=settings.linked_pages,
        restless=left_places(knowledge.habits, found),
        left_out={
            page.url: said for page in found.pages if (said := last_left_out(knowledge.journal, page.id))
        },
        looks=scheduled_looks(found, user.zone),
        from_topics=dict(origins(knowledge.users, found)),
    )


def scheduled_looks(found: InstalledSentinel, zone: str, count: int = 5) -> tuple[datetime, ...]:
    """Returns the next times at which the schedule of a sentinel wants a look at its first page; () if it has
    no schedule, or is not looked at."""
    schedule = schedule_of(found.text, zone)
    due = found.pages[0].due if found.pages else None
    if schedule is None or due is None:
        return ()
    looks = next_looks(schedule, as_millis(due), count)
    return tuple(as_datetime(at).astimezone(zone_named(zone)) for at in looks)
