"""Writing the results of checks in SQL: versions, watches, changes, notices, the log and the next due times.

The caller holds the hosts' leases and the transaction. All results are written with a handful of statements,
however many results there are. An insert may find that an earlier try has written its row; then that row
stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    FromClause,
    Text,
    case,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.types import TypeEngine

from webvigil.model.change import finding_as_json
from webvigil.model.meaning import condition_as_json
from webvigil.model.memo import Once
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, DuePage, Visited
from webvigil.store.sql.doubts import write_doubts
from webvigil.store.sql.following import write_links
from webvigil.store.sql.habits import write_habits
from webvigil.store.sql.holding import with_what_fires
from webvigil.store.sql.outbox import write_notices
from webvigil.store.sql.paces import write_paces
from webvigil.store.sql.rows import Row, given, insert_given, judgement_text, update_given
from webvigil.store.sql.schema import (
    IDLE,
    PRESENT,
    Json,
    change,
    host,
    look,
    page,
    page_about,
    question,
    sentinel,
    version,
    watch,
)
from webvigil.store.sql.search import FoundOnPage, remember_words
from webvigil.store.sql.versions import delta_text

Result = tuple[DuePage | None, CheckResult]


def write_visits(connection: Connection, visits: Sequence[Visited], now: Millis) -> None:
    """Writes all results of these visits and gives their hosts back."""
    results = _results(connection, visits, now)
    insert_given(connection, version, _versions(results, now), _known_page)
    write_changes(connection, [result for _, result in results], now)
    insert_given(connection, look, _looks(results, now), _known_page)
    # Paces before watches: sentinels that look on change at certain hours have times of their own.
    write_paces(connection, [result for _, result in results])
    update_given(connection, _update_watches, _watches(results))
    update_given(connection, _update_troubles, _troubles(results))
    write_habits(connection, [result for _, result in results if result.habits])
    update_given(connection, _update_about, _about(results))
    write_links(connection, [result for _, result in results if result.links], now)
    write_doubts(connection, results, _known_page)
    # Pages before hosts: the next time of a host is computed from the due times of its pages.
    update_given(connection, _update_pages, _pages(results))
    update_given(connection, _give_back, _hosts(visits, now))


def write_changes(connection: Connection, results: Sequence[CheckResult], now: Millis) -> None:
    """Writes the changes of these results, and all their notices. The changes that wait for others were held
    back before."""
    insert_given(connection, change, _changes(results, now), _known_sentinel)
    remember_words(connection, _found(results))
    write_notices(connection, list(_notices(connection, results)), now)


def _found(results: Iterable[CheckResult]) -> list[FoundOnPage]:
    return [
        FoundOnPage(one.sentinel, result.page, (one.old_version, one.new_version), one.findings)
        for result in results
        for one in result.changes
    ]


def _results(connection: Connection, visits: Sequence[Visited], now: Millis) -> list[Result]:
    """Returns the results with the pages they belong to. Changes that depend on what they mean wait for an
    answer, and changes that wait for other pages are held back (G5)."""
    known = {due.id: due for visited in visits for due in visited.claim.pages}
    found = [_without_questions(result) for visited in visits for result in visited.results]
    asked = [result for visited in visits for result in visited.results]
    insert_given(connection, question, _questions(asked, now), _known_sentinel)
    return [(known.get(one.page), one) for one in with_what_fires(connection, found, now)]


# --- the rows --------------------------------------------------------------------------------------


def _versions(results: Iterable[Result], now: Millis) -> Iterator[Row]:
    for _, result in results:
        if new := result.version:
            yield {
                "page_id": result.page,
                "number": new.number,
                "fetched_at": now,
                "url": new.url,
                "status": new.status,
                "signature": new.signature,
                "object": new.object,
                "size": new.size,
                "picture": new.picture,
                "base": new.base,
                "stored": new.stored,
                "delta": delta_text(new.delta),
            }


def _watches(results: Iterable[Result]) -> Iterator[Row]:
    for _, result in results:
        for one in result.watches:
            yield {
                "page_id": result.page,
                "sentinel_id": one.sentinel,
                "asked": result.asked,
                "next_at": one.next_at,
                "reference": one.reference,
                "measured_from": one.measured_from,
            }


def _troubles(results: Iterable[Result]) -> Iterator[Row]:
    for _, result in results:
        for one in result.troubles:
            yield {
                "page_id": result.page,
                "sentinel_id": one.sentinel,
                "asked": result.asked,
                "trouble": str(one.trouble.why),
                "trouble_words": one.trouble.words,
            }


def _without_questions(result: CheckResult) -> CheckResult:
    told = tuple(one for one in result.changes if one.question is None)
    return result if len(told) == len(result.changes) else replace(result, changes=told)


def _questions(results: Iterable[CheckResult], now: Millis) -> Iterator[Row]:
    as_json = Once(finding_as_json)
    for result in results:
        for found in result.changes:
            if asked := found.question:
                yield {
                    "sentinel_id": found.sentinel,
                    "page_id": result.page,
                    "old_version": found.old_version,
                    "new_version": found.new_version,
                    "found_at": now,
                    "findings": [as_json(one) for one in found.findings],
                    "notices": [asdict(one) for one in found.notices],
                    "key": asked.key,
                    "prompt": asked.prompt,
                    "tokens": asked.tokens,
                    "condition": json.dumps(condition_as_json(asked.when)),
                    "summed_up": asked.summed_up,
                    "state": "waiting",
                    "due": now,
                    "lease": 0,
                    "token": 0,
                    "owner": "",
                    "attempts": 0,
                }


def _changes(results: Iterable[CheckResult], now: Millis) -> Iterator[Row]:
    as_json = Once(finding_as_json)
    for result in results:
        for found in result.changes:
            yield {
                "sentinel_id": found.sentinel,
                "page_id": result.page,
                "old_version": found.old_version,
                "new_version": found.new_version,
                "found_at": now,
                "findings": [as_json(one) for one in found.findings],
                "judgement": judgement_text(found.judgement),
            }


def _notices(connection: Connection, results: Sequence[CheckResult]) -> Iterator[Notice]:
    """Yields the notices. If a sentinel was removed while its page was looked at, its notices are left
    out."""
    told = {found.sentinel for result in results for found in result.changes if found.notices}
    known = _present(connection, told) if told else set()
    for result in results:
        for found in result.changes:
            yield from found.notices if found.sentinel in known else ()
        yield from result.notices


def _present(connection: Connection, sentinels: set[int]) -> set[int]:
    """Returns those of the sentinels that are not removed."""
    return set(connection.scalars(select(sentinel.c.id).where(sentinel.c.id.in_(sentinels), PRESENT)))


def _looks(results: Iterable[Result], now: Millis) -> Iterator[Row]:
    for _, result in results:
        seen = result.look
        yield {
            "page_id": result.page,
            "at": now,
            "why": seen.why,
            "decision": seen.decision,
            "status": seen.status,
            "bytes": seen.bytes,
            "duration_ms": seen.duration,
            "error": seen.error,
            "reason": seen.reason,
            "plan": seen.plan,
            "troubles": [list(one) for one in seen.troubles],
            "left_out": seen.left_out,
            "picture": seen.picture,
        }


def _about(results: Iterable[Result]) -> Iterator[Row]:
    """Yields a row for each page whose facts changed. Most checks learn nothing new, and then the row is not
    written."""
    for due, result in results:
        told = due is None or due.wish or result.wish or due.validators != result.validators
        if told or result.version:
            yield {
                "page_id": result.page,
                "asked": result.asked,
                "validators": result.validators,
                "wish": result.wish,
                "title": result.version.title if result.version else None,
            }


def _pages(results: Iterable[Result]) -> Iterator[Row]:
    for _, result in results:
        yield {
            "id": result.page,
            "asked": result.asked,
            "due": result.due,
            "failures": result.failures,
            "latest": result.version.number if result.version else None,
            "failing_since": result.failing_since,
        }


def _hosts(visits: Iterable[Visited], now: Millis) -> Iterator[Row]:
    for visited in visits:
        after = visited.after
        yield {"id": visited.claim.host, "lease": now + after.rest, "failures": after.failures}


# --- the statements --------------------------------------------------------------------------------


# A page or sentinel may be removed while a worker looks at it. Rows that would refer to it are left out.
def _known_page(rows: FromClause) -> Any:
    return exists().where(page.c.id == rows.c.page_id)


def _known_sentinel(rows: FromClause) -> Any:
    return exists().where(sentinel.c.id == rows.c.sentinel_id)


@cache
def _update_watches(dialect: str) -> Any:
    names = ("page_id", "sentinel_id", "asked", "next_at", "reference", "measured_from")
    rows = given(dialect, {name: BigInteger() for name in names})
    mine = (watch.c.sentinel_id == rows.c.sentinel_id) & (watch.c.page_id == rows.c.page_id)
    next_at = case((page.c.asked == rows.c.asked, rows.c.next_at), else_=watch.c.next_at)
    return (
        update(watch)
        .where(mine, page.c.id == rows.c.page_id)
        .values(reference=rows.c.reference, measured_from=rows.c.measured_from, next_at=next_at)
    )


@cache
def _update_troubles(dialect: str) -> Any:
    """Updates troubles, except on pages for which somebody asked for a look or changed a sentinel in the
    meantime: there the next look judges again."""
    numbers = {name: BigInteger() for name in ("page_id", "sentinel_id", "asked")}
    rows = given(dialect, numbers | {"trouble": Text(), "trouble_words": Text()})
    mine = (watch.c.sentinel_id == rows.c.sentinel_id) & (watch.c.page_id == rows.c.page_id)
    undisturbed = (page.c.id == rows.c.page_id) & (page.c.asked == rows.c.asked)
    return (
        update(watch)
        .where(mine, undisturbed)
        .values(trouble=rows.c.trouble, trouble_words=rows.c.trouble_words)
    )


@cache
def _update_about(dialect: str) -> Any:
    kinds: dict[str, TypeEngine[Any]] = {
        "page_id": BigInteger(),
        "asked": BigInteger(),
        "validators": Json(),
        "wish": Text(),
        "title": Text(),
    }
    rows = given(dialect, kinds)
    wish = case((page.c.asked == rows.c.asked, rows.c.wish), else_=page_about.c.wish)
    mine = (page_about.c.page_id == rows.c.page_id) & (page.c.id == rows.c.page_id)
    title = func.coalesce(rows.c.title, page_about.c.title)
    return update(page_about).where(mine).values(validators=rows.c.validators, wish=wish, title=title)


@cache
def _update_pages(dialect: str) -> Any:
    """Updates the pages. The new due time is dropped if somebody asked for a look in the meantime."""
    names = ("id", "asked", "due", "failures", "latest", "failing_since")
    rows = given(dialect, {name: BigInteger() for name in names})
    return (
        update(page)
        .where(page.c.id == rows.c.id)
        .values(
            checks=page.c.checks + 1,
            failures=rows.c.failures,
            failing_since=rows.c.failing_since,
            due=case((page.c.asked == rows.c.asked, rows.c.due), else_=page.c.due),
            latest=func.coalesce(rows.c.latest, page.c.latest),
        )
    )


@cache
def _give_back(dialect: str) -> Any:
    """Gives hosts back: a host is ready when its first page is due, and not before it has rested.

    The token is raised, so that results handed in twice under one lease are written once.
    """
    rows = given(dialect, {"id": BigInteger(), "lease": BigInteger(), "failures": BigInteger()})
    first = select(func.min(page.c.due)).where(page.c.host_id == host.c.id).scalar_subquery()
    return (
        update(host)
        .where(host.c.id == rows.c.id)
        .values(
            next_at=func.coalesce(first, IDLE),
            lease=rows.c.lease,
            failures=rows.c.failures,
            owner="",
            token=host.c.token + 1,
        )
    )
