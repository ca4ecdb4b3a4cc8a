"""Writing the results of checks in memory: versions, watches, changes, notices, the log and the next due
times."""

from __future__ import annotations

from typing import Any

from webvigil.model.joint import is_complete
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.version import Version
from webvigil.model.work import CheckResult, NewChange
from webvigil.store.memory.following import write_links
from webvigil.store.memory.rows import Held, PageRow, QuestionRow, Rows


def write(rows: Rows, result: CheckResult, now: Millis) -> None:
    page = rows.pages[result.page]
    # If somebody asked for a look in the meantime, the times that this check planned are dropped.
    undisturbed = page.asked == result.asked
    if result.version:
        page.versions.append(_version(page, result, now))
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


def _version(page: PageRow, result: CheckResult, now: Millis) -> Version:
    new = result.version
    assert new is not None
    return Version(
        page=page.id,
        number=new.number,
        fetched_at=as_datetime(now),
        url=new.url,
        status=new.status,
        signature=new.signature,
        object=new.object,
        size=new.size,
        picture=new.picture,
        base=new.base,
        stored=new.stored,
    )


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
