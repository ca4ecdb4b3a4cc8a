"""READ FIRST: the life of one check, top to bottom. It carries values and decides nothing.

1. A worker has claimed a host and its due pages (`store`: leases, `app.worker`: the loop).
2. The page is fetched, or we learn that it has not changed (`fetch`).
3. New content is kept as the next version (`store.repository`).
4. Every sentinel whose time has come is compared with the version it knows (`graph`, `detect`).
5. What was found becomes changes, and notices for those who want to be told (`notify`).
6. All of it, and when to look next (`pace`), goes back to the store in one transaction.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Protocol

from webvigil.errors import PageError, WebVigilError
from webvigil.fetch.http import Fetched
from webvigil.graph.compare import due_watches, has_news
from webvigil.model.change import Finding
from webvigil.model.moment import NEVER, Millis
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.model.work import CheckResult, DuePage, Look, NewChange, NewVersion, Watch, WatchUpdate
from webvigil.pace.backoff import wait_after
from webvigil.pace.naive import next_look


class Stages(Protocol):
    """What a check needs from the outside."""

    async def fetch(self, page: Page, validators: dict[str, str]) -> Fetched: ...

    async def keep(self, answer: Answer, due: DuePage) -> NewVersion | None:
        """The answer as the page's next version; None where we have it already."""

    async def compare(self, due: DuePage, watch: Watch, newest: NewVersion | None) -> tuple[Finding, ...]:
        """What this sentinel asked about, between the version it knows and the newest."""

    def notices(
        self, due: DuePage, watch: Watch, newest: int, findings: tuple[Finding, ...]
    ) -> tuple[Notice, ...]: ...

    def notices_of_failure(self, due: DuePage, now: Millis, error: str) -> tuple[Notice, ...]:
        """For those who watch a page that keeps failing."""


async def check(due: DuePage, now: Millis, stages: Stages) -> CheckResult:
    started = time.monotonic()
    try:
        fetched = await stages.fetch(due.page, due.validators)
    except PageError as error:
        result = failed(due, now, error, _since(started))
        return replace(result, notices=stages.notices_of_failure(due, now, str(error)))
    version = await stages.keep(fetched.answer, due) if fetched.answer else None
    newest = version.number if version else _latest(due)
    compared = [
        await _compared(due, watch, version, newest, stages) for watch in due_watches(due.watches, now)
    ]
    updates = tuple(_moved_on(one, newest, now) for one in compared)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=_next_due(due, updates),
        failures=0,
        look=_look(fetched, version, compared, _since(started)),
        validators=fetched.validators,
        version=version,
        watches=updates,
        changes=tuple(one.change for one in compared if one.change),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """What became of one sentinel. After trouble it keeps its version, so that no change is lost."""

    watch: Watch
    change: NewChange | None = None
    trouble: str = ""


async def _compared(
    due: DuePage, watch: Watch, version: NewVersion | None, newest: int, stages: Stages
) -> _Compared:
    if not has_news(watch, newest):
        return _Compared(watch=watch)
    try:
        findings = await stages.compare(due, watch, version)
    except WebVigilError as error:
        return _Compared(watch=watch, trouble=f"{watch.name}: {error}")
    if not findings:
        return _Compared(watch=watch)
    change = NewChange(
        sentinel=watch.sentinel,
        old_version=watch.reference,
        new_version=newest,
        findings=findings,
        notices=stages.notices(due, watch, newest, findings),
    )
    return _Compared(watch=watch, change=change)


def _moved_on(compared: _Compared, newest: int, now: Millis) -> WatchUpdate:
    watch = compared.watch
    return WatchUpdate(
        sentinel=watch.sentinel,
        reference=watch.reference if compared.trouble else newest,
        next_at=next_look(watch.next_at, watch.interval, now),
    )


def _next_due(due: DuePage, updates: tuple[WatchUpdate, ...]) -> Millis:
    moved = {update.sentinel: update.next_at for update in updates}
    return min((moved.get(watch.sentinel, watch.next_at) for watch in due.watches), default=NEVER)


def failed(due: DuePage, now: Millis, error: PageError, duration: Millis) -> CheckResult:
    """A failure is a result like any other: it is written down, and the page is left alone for a while."""
    failures = due.failures + 1
    interval = min((watch.interval for watch in due.watches), default=NEVER)
    return CheckResult(
        page=due.id,
        asked=due.asked,
        due=min(NEVER, now + wait_after(failures, interval)),
        failures=failures,
        look=Look(why="due", decision="failed", duration=duration, error=str(error)),
        validators=due.validators,
    )


def _look(fetched: Fetched, version: NewVersion | None, compared: list[_Compared], duration: Millis) -> Look:
    return Look(
        why="due",
        decision="new version" if version else "same" if fetched.answer else "not modified",
        status=fetched.status,
        bytes=len(fetched.answer.body) if fetched.answer else 0,
        duration=duration,
        error="; ".join(one.trouble for one in compared if one.trouble),
    )


def _latest(due: DuePage) -> int:
    return due.latest.number if due.latest else 0


def _since(started: float) -> Millis:
    return int((time.monotonic() - started) * 1000)
