"""An installed sentinel in, its state in the words of the dashboard out, with the reason and the next step.

Only a sentinel whose page was read and whose part was found is said to be watching.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from functools import partial
from typing import Any
from urllib.parse import quote

from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.sentinel import State
from webvigil.store.promises import Journal
from webvigil.web.times import distance, in_time

_REFUSED = ("403", "429", "503", "robot", "challenge", "JavaScript", "script")
WANTS_LOG_IN = "it wants a log-in"
"""What an error says of a page that lets nobody in without a log-in."""


class Stand(StrEnum):
    WATCHING = "watching"
    FAILING = "failing"
    NOTHING = "nothing"
    PAUSED = "paused"
    FIRST = "first"
    WAITING = "waiting"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`word` and `icon` are those of the chip, `tone` is its colour. The remedy is a link with `step` as its
    words, or, where `action` is set, a button that does the action."""

    kind: Stand
    word: str
    icon: str
    tone: str = ""
    why: str = ""
    step: str = ""
    path: str = ""
    action: str = ""

    @property
    def needs_attention(self) -> bool:
        return self.kind in (Stand.FAILING, Stand.NOTHING)


def standing_of(
    one: InstalledSentinel, zone: tzinfo, *, error: str = "", now: datetime | None = None
) -> Standing:
    """Returns how a sentinel stands, and what its user can do about it. `error` is what went wrong at the
    newest look at a page that fails."""
    edit = f"/sentinels/{quote(one.name, safe='')}/edit"
    if one.state in (State.EXPIRED, State.FAILED):
        return _ended(one, zone, now)
    if one.state is State.DISABLED:
        return Standing(kind=Stand.PAUSED, word="Paused", icon="pause", step="Watch again", action="enable")
    if one.state is State.WAITING:
        start = (
            f"Starts {distance(one.life.next_at, zone, now)}" if one.life.next_at else "Waits for its start"
        )
        return Standing(kind=Stand.WAITING, word=start, icon="clock")
    bad = next((page for page in one.pages if page.failures or page.doubt or page.trouble), None)
    if bad is not None:
        return _trouble(one, bad, zone, error, edit, now)
    first = next((page for page in one.pages if not page.checks), None)
    if first is not None:
        when = f" {in_time(first.due, zone, now)}" if first.due else ""
        return Standing(kind=Stand.FIRST, word=f"First look{when}", icon="clock")
    return Standing(kind=Stand.WATCHING, word="Watching", icon="check", tone="ok")


def _ended(one: InstalledSentinel, zone: tzinfo, now: datetime | None) -> Standing:
    at = f" {distance(one.life.ended_at, zone, now)}" if one.life.ended_at else ""
    why = one.life.failure or f"Its time ended{at}."
    return Standing(
        kind=Stand.ENDED, word="Ended", icon="end", why=why, step="Watch for another year", action="year"
    )


def _trouble(
    one: InstalledSentinel, page: WatchedPage, zone: tzinfo, error: str, edit: str, now: datetime | None
) -> Standing:
    failing = partial(Standing, kind=Stand.FAILING, word="Failing", icon="alert", tone="bad")
    if page.failures:
        since = f", first {distance(page.failing_since, zone, now)}" if page.failing_since else ""
        times = "once" if page.failures == 1 else f"{page.failures} times in a row"
        why = f"{sentence(in_dashboard(error) or 'the page could not be read')} It failed {times}{since}."
        if WANTS_LOG_IN in error:
            return failing(why=why, step="Log in", path=_log_in(page))
        if any(word in error for word in _REFUSED) and "browser" not in one.text.lower():
            return failing(why=why, step="Look with a browser", action="browser")
        return failing(why=why, step="Look now", action="run")
    if page.doubt:
        why = f"The page {page.doubt.said}, first seen {distance(page.doubt.at, zone, now)}."
        if "log-in" in page.doubt.said:
            return failing(why=why, step="Log in", path=_log_in(page))
        return failing(why=why, step="Look now", action="run")
    return Standing(
        kind=Stand.NOTHING,
        word="Watching nothing",
        icon="blank",
        tone="warn",
        why=sentence(page.trouble),
        step="Choose it again",
        path=edit,
    )


def _log_in(page: WatchedPage) -> str:
    return f"/add?log_in=true&url={quote(page.url, safe='')}"


def in_dashboard(error: str) -> str:
    """Returns an error without the hint how a command gives the log-in that it asks for: the dashboard has a
    form for it."""
    before, wants, _ = error.partition(WANTS_LOG_IN)
    return before + wants


def sentence(words: str) -> str:
    """Returns words as a sentence: with a capital letter, and with a full stop unless they are a question."""
    whole = words.rstrip()
    return whole[:1].upper() + whole[1:] + ("" if whole[-1:] in ("", *".?!…") else ".")


def errors_of(journal: Journal, sentinels: Iterable[InstalledSentinel]) -> dict[int, str]:
    """Returns, by sentinel, what went wrong at the newest look at its first page that fails."""
    failing = {
        one.id: bad for one in sentinels if (bad := next((page.id for page in one.pages if page.failures), 0))
    }
    logs = journal.fetch_logs(set(failing.values()), limit=1) if failing else {}
    return {one: error_of(log[0]) for one, bad in failing.items() if (log := logs.get(bad))}


def error_of(look: dict[str, Any]) -> str:
    """Returns what went wrong at a look. A page that was not tried, because its host had just failed, has a
    reason instead of an error."""
    return look["error"] or (look["reason"] or "").partition("; tried again")[0]
