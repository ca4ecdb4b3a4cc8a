"""Installing sentinels in SQL: any number of them with a handful of statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from webvigil.errors import NameTaken
from webvigil.model.following import Reach
from webvigil.model.installed import NewSentinel
from webvigil.model.joint import Joint, joint_as_json
from webvigil.model.life import state_of
from webvigil.model.moment import Millis, as_millis
from webvigil.model.page import Page
from webvigil.model.trouble import Why
from webvigil.store.sql.database import insert_new
from webvigil.store.sql.life import life_values, next_revision
from webvigil.store.sql.outbox import outbox_row
from webvigil.store.sql.page_row import identity_of
from webvigil.store.sql.planning import batched, lock_hosts, reschedule, settle_priorities
from webvigil.store.sql.schema import (
    IDLE,
    event,
    host,
    joint,
    outbox,
    page,
    page_about,
    reach,
    sentinel,
    watch,
)
from webvigil.store.sql.users import user_id


def install(connection: Connection, new: Sequence[NewSentinel], now: Millis) -> list[int]:
    """Installs the sentinels and returns their ids, in order. Users are locked first, then hosts, then
    pages."""
    owners = {name: user_id(connection, name, lock=True) for name in sorted({one.user for one in new})}
    _refuse_taken(connection, new, owners)
    wanted = {found.key: found for one in new for found in one.pages}
    pages = pages_for_all(connection, wanted, {key: one.priority for one in new for key in _keys(one)})
    ids = _insert_sentinels(connection, new, owners)
    watched = [(id_, one, pages[found]) for id_, one in zip(ids, new, strict=True) for found in _keys(one)]
    insert_watches(connection, watched, now)
    _insert_all(
        connection,
        joint,
        [_joint_row(id_, one.joint, pages) for id_, one in zip(ids, new, strict=True) if one.joint],
    )
    _insert_all(
        connection,
        reach,
        [_reach_row(id_, one.reach, now) for id_, one in zip(ids, new, strict=True) if one.reach.depth],
    )
    reschedule(connection, {page_id for *_, page_id in watched})
    _insert_all(connection, event, [_installed_event(one, now) for one in new])
    _insert_all(connection, outbox, [outbox_row(notice, now) for one in new for notice in one.notices])
    return ids


def pages_for(connection: Connection, wanted: dict[str, Page], priority: int) -> dict[str, int]:
    """Returns the ids of pages by key, and inserts pages that nobody watches yet."""
    return pages_for_all(connection, wanted, dict.fromkeys(wanted, priority))


def rewatch(connection: Connection, user: str, instead: Mapping[int, Page], now: Millis) -> None:
    """Moves the user's watches to the other pages. They keep their interval and begin with the newest version
    there.

    Linked pages are found again from the new pages.
    """
    mine = select(sentinel.c.id).where(sentinel.c.user_id == user_id(connection, user, lock=True))
    wanted = {one.key: one for one in instead.values()}
    pages = pages_for(connection, wanted, 0)
    for old, one in instead.items():
        new = pages[one.key]
        latest = select(page.c.latest).where(page.c.id == new).scalar_subquery()
        moving = (watch.c.page_id == old) & (watch.c.level == 0) & watch.c.sentinel_id.in_(mine)
        moved = select(watch.c.sentinel_id).where(moving)
        linked = (watch.c.page_id == new) & (watch.c.level > 0) & watch.c.sentinel_id.in_(moved)
        # The sentinel may watch the new page already as a linked one; from now on it watches the page for
        # itself.
        connection.execute(delete(watch).where(linked))
        there = select(watch.c.sentinel_id).where(watch.c.page_id == new)
        # A sentinel that names both pages keeps its watch on the new page.
        connection.execute(delete(watch).where(moving & watch.c.sentinel_id.in_(there)))
        begun = {"reference": latest, "first_version": latest, "since": now, "next_at": now}
        begun |= {"trouble": str(Why.UNSEEN), "trouble_words": ""}
        connection.execute(update(watch).where(moving).values(page_id=new, **begun))
    connection.execute(update(reach).where(reach.c.sentinel_id.in_(mine)).values(due=now))
    reschedule(connection, {*instead, *pages.values()})
    settle_priorities(connection, {*instead, *pages.values()})


def _refuse_taken(connection: Connection, new: Sequence[NewSentinel], owners: dict[str, int]) -> None:
    seen: set[tuple[str, str]] = set()
    for user, owner in owners.items():
        names = [one.name for one in new if one.user == user]
        query = select(sentinel.c.name).where(sentinel.c.user_id == owner)
        for some in batched(names):
            seen |= {(user, name) for name in connection.scalars(query.where(sentinel.c.name.in_(some)))}
    for one in new:
        if (one.user, one.name) in seen:
            raise NameTaken(f"there is a sentinel {one.name!r} already; choose another name or remove it")
        seen.add((one.user, one.name))


def _insert_sentinels(
    connection: Connection, new: Sequence[NewSentinel], owners: dict[str, int]
) -> list[int]:
    revision = next_revision(connection)
    rows = [
        {
            "user_id": owners[one.user],
            "name": one.name,
            "text": one.text,
            "own": one.own,
            "state": str(state_of(one.life, enabled=True)),
            "priority": one.priority,
            "topic": one.topic,
            "installed_at": as_millis(one.life.installed_at),
            "enabled": True,
            "revision": revision,
            **life_values(one.life),
        }
        for one in new
    ]
    return _inserted(connection, sentinel, rows)


def pages_for_all(
    connection: Connection, wanted: dict[str, Page], priorities: dict[str, int]
) -> dict[str, int]:
    """Returns the ids of all wanted pages by key. Pages that others watch already are shared; missing pages
    are inserted."""
    hosts = hosts_for(connection, sorted({one.host for one in wanted.values()}))
    known = dict(_look_up(connection, page_about.c.key, page_about.c.page_id, list(wanted)))
    for key, page_id in known.items():
        if priorities[key] > 0:
            raised = (page.c.id == page_id) & (page.c.priority < priorities[key])
            connection.execute(update(page).where(raised).values(priority=priorities[key]))
    missing = [(key, one) for key, one in wanted.items() if key not in known]
    ids = _inserted(connection, page, [_page_row(hosts[one.host], priorities[key]) for key, one in missing])
    made = {key: id_ for (key, _), id_ in zip(missing, ids, strict=True)}
    _insert_all(connection, page_about, [_about_row(made[key], one) for key, one in missing])
    return known | made


def hosts_for(connection: Connection, names: list[str]) -> dict[str, int]:
    """Returns the ids of the hosts, with their rows locked: two transactions that insert the same new page
    wait for each other."""
    rows = [{"name": name, "next_at": IDLE, "lease": 0, "token": 0, "owner": ""} for name in names]
    _insert_all(connection, host, rows)
    known = dict(_look_up(connection, host.c.name, host.c.id, names))
    lock_hosts(connection, known.values())
    return known


def insert_watches(connection: Connection, watched: list[tuple[int, NewSentinel, int]], now: Millis) -> None:
    """Inserts watches. The first comparison is with the newest stored version of the page; 0 if there is
    none."""
    latest = dict(
        _look_up(connection, page.c.id, page.c.latest, sorted({page_id for *_, page_id in watched}))
    )
    rows = [
        {
            "sentinel_id": id_,
            "page_id": page_id,
            "interval_ms": one.interval,
            "next_at": now,
            "reference": latest[page_id],
            "first_version": latest[page_id],
            "since": now,
        }
        for id_, one, page_id in watched
    ]
    _insert_all(connection, watch, rows)


def _joint_row(id_: int, one: Joint, pages: dict[str, int]) -> dict[str, Any]:
    return {"sentinel_id": id_, "pages": joint_as_json(one, lambda page: pages[page.key])}


def _reach_row(id_: int, one: Reach, now: Millis) -> dict[str, Any]:
    parts = {"part": one.part, "below": one.below, "most": one.most}
    return {"sentinel_id": id_, "depth": one.depth, **parts, "due": now}


def _keys(one: NewSentinel) -> Iterable[str]:
    return dict.fromkeys(found.key for found in one.pages)


def _page_row(host_id: int, priority: int) -> dict[str, int]:
    zeros = dict.fromkeys(("checks", "asked", "failures", "latest"), 0)
    return {"host_id": host_id, "due": IDLE, "priority": priority, **zeros}


def _about_row(page_id: int, one: Page) -> dict[str, Any]:
    return {"page_id": page_id, "validators": {}, **identity_of(one)}


def _installed_event(one: NewSentinel, now: Millis) -> dict[str, Any]:
    return {"at": now, "name": "SentinelInstalled", "subject": one.name, "details": {"user": one.user}}


def _inserted(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> list[int]:
    if not rows:
        return []
    statement = insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return list(connection.scalars(statement, rows))


def _insert_all(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert_new(connection, table), rows)


def _look_up(connection: Connection, key: Any, value: Any, wanted: list[Any]) -> Iterator[tuple[Any, int]]:
    for some in batched(wanted):
        query = select(key, value).where(key.in_(some)).order_by(key)
        for row in connection.execute(query):
            yield row[0], row[1]
