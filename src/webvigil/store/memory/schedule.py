"""The schedule in memory: workers claim due pages by leasing their hosts, and hand back what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from webvigil.model.joint import is_complete
from webvigil.model.moment import HOUR, NEVER, Millis, as_datetime
from webvigil.model.quiet import PageHabits
from webvigil.model.work import (
    CheckResult,
    Claim,
    DuePage,
    HostAfter,
    LatestVersion,
    NewChange,
    Visited,
    most_pages,
)
from webvigil.store.memory.following import write_links
from webvigil.store.memory.rows import Held, Host, PageRow, Part, QuestionRow, Rows

# The same numbers as in `sql.schedule` and `sql.bell`, which give the reasons.
_PRIORITY_BONUS: Millis = 60_000
_TRUSTED: Millis = 1_000
_NUMBERS = count()
_LONGEST_CHECK: Millis = 12 * HOUR


class MemorySchedule(Part):
    def __init__(self, rows: Rows, delay: Millis, concurrency: int) -> None:
        super().__init__(rows)
        self._delay = delay
        self._concurrency = concurrency

    def claim(
        self, worker: str, *, hosts: int, pages: int, lease: Millis, within: Millis | None = None
    ) -> list[Claim]:
        pages = most_pages(pages, self._delay, within)
        with self._rows.lock:
            now = self._rows.now()
            ready = sorted((host for host in self._rows.hosts.values() if host.ready <= now), key=_readiness)
            return [self._claim(worker, host, pages, now, lease) for host in ready[:hosts]]

    def renew(self, *claims: Claim, lease: Millis) -> list[Claim]:
        with self._rows.lock:
            held = [claim for claim in claims if self._rows.hosts[claim.name].token == claim.token]
            for claim in held:
                self._rows.hosts[claim.name].lease = self._rows.now() + lease
            return held

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        after = after or HostAfter(rest=claim.delay)
        with self._rows.lock:
            host = self._rows.hosts[claim.name]
            now = self._rows.now()
            if host.token != claim.token or host.lease <= now - _LONGEST_CHECK:
                return False
            visited = Visited(claim=claim, results=tuple(results), after=after)
            for result in visited.by_clock(now).results:
                write(self._rows, result, now)
            self._rows.settle(host)
            host.lease, host.owner, host.failures = now + after.rest, "", after.failures
            host.token += 1
            return True

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        with self._rows.lock:
            return [self.finish(one.claim, one.results, one.after) for one in visits]

    def ask(self, page: int, why: str = "asked") -> None:
        with self._rows.lock:
            row = self._rows.pages.get(page)
            watches = [one.watches[page] for one in self._rows.sentinels.values() if page in one.watches]
            if row is None or not watches:
                return
            for watch in watches:
                watch.next_at = self._rows.now()
            row.due = self._rows.now()
            row.asked += 1
            row.wish = why
            self._rows.settle(row.host)
        self._rows.ring()

    def look_by(self, page: int, at: Millis, why: str) -> None:
        with self._rows.lock:
            row = self._rows.pages.get(page)
            if row is None or row.due <= at or not self._rows.active_watches(page):
                return
            row.due, row.wish = at, why
            self._rows.settle(row.host)
        self._rows.ring()

    def reserve(self, host: str, spell: Millis) -> Millis:
        with self._rows.lock:
            known = self._rows.hosts.get(host)
            now = self._rows.now()
            if known is None:
                return 0
            if known.lease > now:
                return known.lease - now
            known.lease = now + spell
            return 0

    def take_over(self) -> None:
        with self._rows.lock:
            for host in self._rows.hosts.values():
                if host.owner:
                    host.lease, host.owner = 0, ""
                    host.token += 1

    def next_at(self) -> Millis | None:
        with self._rows.lock:
            first = min((host.ready for host in self._rows.hosts.values()), default=NEVER)
            return None if first >= NEVER else max(0, first - self._rows.now())

    def age(self) -> Millis:
        with self._rows.lock:
            first = min((host.ready for host in self._rows.hosts.values()), default=NEVER)
            return max(0, self._rows.now() - first)

    @contextmanager
    def listen(self, ring: Callable[[], None]) -> Iterator[Millis]:
        self._rows.hearers.append(ring)
        try:
            yield _TRUSTED
        finally:
            self._rows.hearers.remove(ring)

    def now(self) -> Millis:
        return self._rows.now()

    def written(self) -> str:
        """Returns another text each time, as if somebody had always written: writes are not counted in
        memory."""
        return str(next(_NUMBERS))

    def _claim(self, worker: str, host: Host, pages: int, now: Millis, lease: Millis) -> Claim:
        host.lease, host.owner = now + lease, worker
        host.token += 1
        due = [page for page in self._rows.pages.values() if page.host is host and page.due <= now]
        due.sort(key=lambda page: page.due - page.priority * _PRIORITY_BONUS)
        return Claim(
            host=host.id,
            name=host.name,
            token=host.token,
            now=now,
            until=host.lease,
            delay=self._delay,
            pages=tuple(self._due_page(page) for page in due[:pages]),
            concurrency=self._concurrency,
            failures=host.failures,
        )

    def _due_page(self, row: PageRow) -> DuePage:
        last = row.versions[-1] if row.versions else None
        latest = None
        if last:
            latest = LatestVersion(
                number=last.number, signature=last.signature, object=last.object, picture=last.picture
            )
        watches = tuple(self._rows.watches(row.id))
        return DuePage(
            id=row.id,
            page=row.page,
            due=row.due,
            asked=row.asked,
            failures=row.failures,
            latest=latest,
            validators=row.validators,
            watches=watches,
            wish=row.wish,
            priority=row.priority,
            doubt=row.doubt,
            pace=row.pace if any(watch.on_change for watch in watches) else None,
            failing_since=row.failing_since,
            checks=row.checks,
            has_habits=bool(row.habits),
            links={part: one.version for (id_, part), one in self._rows.links.items() if id_ == row.id},
        )


def _readiness(host: Host) -> Millis:
    return host.ready


def write(rows: Rows, result: CheckResult, now: Millis) -> None:
    page = rows.pages[result.page]
    # If somebody asked for a look in the meantime, the times that this check planned are dropped.
    undisturbed = page.asked == result.asked
    if result.version:
        page.versions.append(result.version.of_page(page.id, as_datetime(now)))
        if result.version.delta:
            page.deltas[result.version.object] = result.version.delta
        page.title = result.version.title
    _write_pace(rows, page, result, undisturbed)
    for update in result.watches:
        sentinel = rows.sentinels.get(update.sentinel)
        if sentinel and (watch := sentinel.watches.get(page.id)):
            watch.reference = update.reference
            watch.measured_from = update.measured_from
            watch.next_at = update.next_at if undisturbed else watch.next_at
    _write_troubles(rows, page, result, undisturbed)
    for change in result.changes:
        if change.question:
            asked = QuestionRow(id=next(rows.ids), change=change, page=page, found_at=now, due=now)
            rows.questions[asked.id] = asked
        else:
            write_change(rows, page, change, now)
    rows.write_notices(result.notices)
    if result.links:
        write_links(rows, result, now)
    page.habits.update(result.habits)
    page.looks.append(_look(result, now))
    page.checks += 1
    page.failures = result.failures
    page.failing_since = result.failing_since
    page.validators = result.validators
    page.doubt = result.doubt
    page.wish = result.wish if undisturbed else page.wish
    page.due = result.due if undisturbed else page.due


def write_change(rows: Rows, page: PageRow, change: NewChange, now: Millis) -> None:
    """Writes a change and its notices, unless it has to wait for changes of other pages."""
    for where, found, at in _what_fires(rows, page, change, now):
        rows.write_change(where, found, at)


def _write_troubles(rows: Rows, page: PageRow, result: CheckResult, undisturbed: bool) -> None:
    for one in result.troubles if undisturbed else ():
        sentinel = rows.sentinels.get(one.sentinel)
        if sentinel and (watch := sentinel.watches.get(page.id)):
            watch.trouble = one.trouble


def _write_pace(rows: Rows, page: PageRow, result: CheckResult, undisturbed: bool) -> None:
    new = result.pace
    if new is None:
        return
    page.memory, page.share = new.memory, new.share
    page.pings = max(0, page.pings - new.pings)
    for watch in rows.on_change(page.id) if undisturbed else ():
        watch.next_at = new.next_at


def _what_fires(
    rows: Rows, page: PageRow, change: NewChange, now: Millis
) -> list[tuple[PageRow, NewChange, Millis]]:
    """Returns the changes to write now: this change and those held back before, or none if this change has to
    be held back as well."""
    row = rows.sentinels.get(change.sentinel)
    if row is None or row.joint is None:
        return [(page, change, now)]
    root = row.root_of(page.id)
    if not is_complete(row.joint, {root, *row.roots_waiting()}):
        row.held[page.id] = Held(change, now, root)
        return []
    fired = [(rows.pages[id_], one.change, one.at) for id_, one in row.held.items()]
    row.held.clear()
    return [*fired, (page, change, now)]


def _look(result: CheckResult, now: Millis) -> dict[str, Any]:
    look = result.look
    return {
        "at": as_datetime(now),
        "why": look.why,
        "decision": look.decision,
        "status": look.status,
        "bytes": look.bytes,
        "duration": look.duration,
        "error": look.error,
        "reason": look.reason,
        "plan": look.plan,
        "troubles": [list(one) for one in look.troubles],
        "left_out": look.left_out,
        "picture": look.picture,
    }


class MemoryHabits(Part):
    def of(self, page_id: int) -> PageHabits:
        with self._rows.lock:
            row = self._rows.pages.get(page_id)
            return PageHabits(looks=row.checks, parts=dict(row.habits)) if row else PageHabits()

    def forget(self, page_id: int) -> None:
        with self._rows.lock:
            if row := self._rows.pages.get(page_id):
                row.habits.clear()
