"""READ FIRST: the life of one check, top to bottom. It carries values and decides nothing.

1. A worker has claimed a host and its due pages (`store`: leases, `app.worker`: the loop).
2. The page is fetched, or we learn that it has not changed (`fetch`).
3. New content is kept as the next version (`store.repository`).
4. Every sentinel whose time has come is compared, all of them in one go (`graph`, `detect`).
5. What was found and is worth telling (`trigger`) becomes changes, and notices (`notify`).
6. All of it, and when to look next (`pace`), goes back to the store in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from webvigil.errors import HostBusy, HostUnreachable, PageError
from webvigil.fetch.http import Fetched
from webvigil.fetch.manners import LONGEST_REST, spread
from webvigil.graph.compare import Compared, Found, due_watches
from webvigil.model.change import Finding
from webvigil.model.moment import NEVER, Millis
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, DuePage, Look, NewChange, NewVersion, Watch, WatchUpdate
from webvigil.pace.backoff import wait_after
from webvigil.pace.naive import next_look


class Stages(Protocol):
    """What a check needs from the outside."""

    async def fetch(self, due: DuePage) -> Fetched: ...

    async def keep(self, fetched: Fetched, due: DuePage) -> NewVersion | None:
        """The answer as the page's next version; None where we have it already."""

    async def compare(
        self, due: DuePage, watches: Sequence[Watch], newest: NewVersion | None
    ) -> list[Compared]:
        """What each of these asked about, between the versions it wants compared."""

    def notices(
        self, due: DuePage, watch: Watch, newest: int, findings: tuple[Finding, ...]
    ) -> tuple[Notice, ...]: ...

    def notices_of_failure(self, due: DuePage, now: Millis, error: str) -> tuple[Notice, ...]:
        """For those who watch a page that keeps failing."""


async def check(due: DuePage, now: Millis, stages: Stages, chance: float = 0.0) -> CheckResult:
    """`chance`, between 0 and 1, spreads what would otherwise be tried again at the same moment."""
    started = time.monotonic()
    try:
        fetched = await stages.fetch(due)
    except PageError as error:
        result = failed(due, now, error, _since(started), chance)
        return replace(result, notices=stages.notices_of_failure(due, now, str(error)))
    version = await stages.keep(fetched, due) if fetched.answer else None
    compared = await stages.compare(due, due_watches(due.watches, now), version)
    updates = tuple(_moved_on(one, now) for one in compared)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=_next_due(due, updates),
        failures=0,
        look=_look(due, fetched, version, compared, _since(started)),
        validators=fetched.validators,
        version=version,
        watches=updates,
        changes=tuple(_change(due, one.watch, found, stages) for one in compared for found in one.found),
    )


def _change(due: DuePage, watch: Watch, found: Found, stages: Stages) -> NewChange:
    return NewChange(
        sentinel=watch.sentinel,
        old_version=found.old,
        new_version=found.new,
        findings=found.findings,
        notices=stages.notices(due, replace(watch, reference=found.old), found.new, found.findings),
    )


def _moved_on(compared: Compared, now: Millis) -> WatchUpdate:
    watch = compared.watch
    return WatchUpdate(
        sentinel=watch.sentinel,
        reference=compared.reference,
        measured_from=compared.measured_from,
        next_at=next_look(watch.next_at, watch.interval, now),
    )


def _next_due(due: DuePage, updates: tuple[WatchUpdate, ...]) -> Millis:
    moved = {update.sentinel: update.next_at for update in updates}
    return min((moved.get(watch.sentinel, watch.next_at) for watch in due.watches), default=NEVER)


def failed(due: DuePage, now: Millis, error: PageError, duration: Millis, chance: float = 0.0) -> CheckResult:
    """A failure is a result like any other: it is written down, and the page is left alone for a while."""
    failures = due.failures + 1
    host_down = isinstance(error, HostUnreachable | HostBusy)
    host_wait = error.wait if isinstance(error, HostBusy) else 0
    wait = max(spread(_wait(due, failures, host_down), chance), host_wait)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=min(NEVER, now + wait),
        failures=failures,
        look=Look(
            why=_why(due),
            decision="failed",
            duration=duration,
            error=str(error),
            reason=f"tried again in {_in_words(wait)}" if wait < NEVER else "",
        ),
        validators=due.validators,
        host_down=host_down,
        host_wait=host_wait,
    )


def postponed(due: DuePage, now: Millis, rest: Millis) -> CheckResult:
    """Its host was not there for another page, so nobody tried; the page itself did nothing wrong."""
    reason = f"the host did not answer for other pages; tried again in {_in_words(rest)}"
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=now + rest,
        failures=due.failures,
        look=Look(why=_why(due), decision="postponed", reason=reason),
        validators=due.validators,
    )


def _wait(due: DuePage, failures: int, host_down: bool) -> Millis:
    """A host that comes back is to be noticed soon, however long it was away."""
    interval = min((watch.interval for watch in due.watches), default=NEVER)
    wait = wait_after(failures, interval)
    return min(wait, max(interval, LONGEST_REST)) if host_down else wait


def _why(due: DuePage) -> str:
    if due.wish:
        return due.wish
    if due.failures:
        return "retry"
    return "due" if due.latest else "first look"


def _in_words(wait: Millis) -> str:
    for size, name in ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second")):
        if wait >= size:
            count = round(wait / size)
            return f"{count} {name}" + ("s" if count != 1 else "")
    return "a moment"


def _look(
    due: DuePage,
    fetched: Fetched,
    version: NewVersion | None,
    compared: list[Compared],
    duration: Millis,
) -> Look:
    return Look(
        why=_why(due),
        decision="new version" if version else "same" if fetched.answer else "not modified",
        status=fetched.status,
        bytes=fetched.received,
        duration=duration,
        error="; ".join(one.trouble for one in compared if one.trouble),
        reason=fetched.reason,
    )


def _since(started: float) -> Millis:
    return int((time.monotonic() - started) * 1000)
