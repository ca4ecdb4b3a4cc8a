"""Links of pages in SQL, and the watches of sentinels that follow links (B7).

The links of a page are written together with the version that brought them. Which pages sentinels watch
because of these links is computed afterwards, a few sentinels at a time, in a separate transaction. That
transaction takes its locks in the same order as installing does: hosts, then sentinels. It starts from stored
rows alone, so it may run at any time and any number of times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, and_, delete, exists, func, insert, or_, select, tuple_, update

from webvigil.model.approach import approach_from_text, approach_text
from webvigil.model.following import (
    NO_LINKS,
    Followed,
    KnownLead,
    KnownLinks,
    Limits,
    PageLinks,
    Place,
    Reach,
    follow,
)
from webvigil.model.moment import Millis
from webvigil.model.page import Page
from webvigil.model.work import CheckResult
from webvigil.store.sql.installing import hosts_for, pages_for_all
from webvigil.store.sql.planning import batched, reschedule, settle_priorities
from webvigil.store.sql.rows import Row, given, insert_given, update_given
from webvigil.store.sql.schema import link, linked, page, page_about, reach, sentinel, watch

# --- with a version --------------------------------------------------------------------------------


def write_links(connection: Connection, results: Iterable[CheckResult], now: Millis) -> None:
    """Writes the links that checks read. The caller holds the leases of the pages' hosts, so nobody else
    writes these links."""
    for result in results:
        for found in result.links:
            if _write_links(connection, result.page, found, now):
                _call_followers(connection, result.page, now)


def _write_links(connection: Connection, page_id: int, found: PageLinks, now: Millis) -> bool:
    """Writes the links of one part of a page. Returns whether anything changed for sentinels that follow
    them."""
    here = (link.c.page_id == page_id) & (link.c.part == found.part)
    before = {row.key: row for row in connection.execute(select(link).where(here))}
    rows = {lead.page.key: _row(page_id, found.part, at, lead) for at, lead in enumerate(found.leads)}
    gone = [key for key, row in before.items() if key not in rows and row.gone_at is None]
    moved = [row for key, row in rows.items() if key in before and not _same(before[key], row)]
    new = [row for key, row in rows.items() if key not in before]
    for keys in batched(gone):
        connection.execute(update(link).where(here & link.c.key.in_(keys)).values(gone_at=now))
    for row in moved:
        connection.execute(update(link).where(here & (link.c.key == row["key"])).values(**row))
    insert_given(connection, link, new)
    return _remember(connection, page_id, found) or bool(gone or moved or new)


def _remember(connection: Connection, page_id: int, found: PageLinks) -> bool:
    """Stores which version the links were read from. Returns whether that changes anything for followers."""
    mine = (linked.c.page_id == page_id) & (linked.c.part == found.part)
    before = connection.execute(select(linked).where(mine)).first()
    values = {"version": found.version, "more": found.more}
    if before is None:
        connection.execute(insert(linked).values(page_id=page_id, part=found.part, **values))
    else:
        connection.execute(update(linked).where(mine).values(**values))
    return before is None or before.more != found.more


def _row(page_id: int, part: str, position: int, lead: Any) -> Row:
    return {
        "page_id": page_id,
        "part": part,
        "key": lead.page.key,
        "position": position,
        "url": lead.page.url,
        "render": lead.page.render,
        "login": lead.page.login,
        "approach": approach_text(lead.page.approach),
        "near": lead.near,
        "gone_at": None,
    }


def _same(before: Any, row: Row) -> bool:
    return (before.position, before.near, before.gone_at) == (row["position"], row["near"], None)


def _call_followers(connection: Connection, page_id: int, now: Millis) -> None:
    watching = select(watch.c.sentinel_id).where(watch.c.page_id == page_id)
    call(connection, list(connection.scalars(watching)), now)


def call(connection: Connection, sentinels: Sequence[int], now: Millis) -> None:
    """Makes the sentinels due for `settle`. Rows are locked in ascending order, so that two transactions
    never wait for each other."""
    for some in batched(sorted(sentinels)):
        mine = select(reach.c.sentinel_id).where(reach.c.sentinel_id.in_(some))
        ids = connection.scalars(mine.order_by(reach.c.sentinel_id).with_for_update()).all()
        connection.execute(update(reach).where(reach.c.sentinel_id.in_(ids)).values(due=now))


def links_read(connection: Connection, pages: Iterable[int]) -> dict[int, dict[str, int]]:
    """Returns, by page and part, the version that the links were read from."""
    found: dict[int, dict[str, int]] = {}
    for row in connection.execute(select(linked).where(linked.c.page_id.in_(list(pages)))):
        found.setdefault(row.page_id, {})[row.part] = row.version
    return found


# --- with a sentinel -------------------------------------------------------------------------------


def write_reach(connection: Connection, found: int, wanted: Reach, now: Millis) -> None:
    """Changes how far an installed sentinel follows links. If it follows other links than before, its pages
    are due, so that the links are read. If it follows none any more, `settle` releases its linked pages."""
    mine = reach.c.sentinel_id == found
    before = connection.execute(select(reach.c.depth, reach.c.part, reach.c.below).where(mine)).first()
    if before is None and not wanted.depth:
        return
    values = {"depth": wanted.depth, "part": wanted.part, "below": wanted.below}
    others = values | {"due": now, "most": wanted.most}
    if before is None:
        connection.execute(insert(reach).values(sentinel_id=found, **others))
    else:
        connection.execute(update(reach).where(mine).values(**others))
    if before is None or tuple(before) != tuple(values.values()):
        connection.execute(update(watch).where(watch.c.sentinel_id == found).values(next_at=now))


def forget_unfollowed(connection: Connection, pages: Iterable[int]) -> None:
    """Deletes the links of pages that nobody follows any more."""
    for some in batched(sorted(pages)):
        for table in (link, linked):
            connection.execute(delete(table).where(table.c.page_id.in_(some), ~_is_followed(table)))


def _is_followed(table: Any) -> Any:
    at_top = and_(watch.c.level == 0, reach.c.part == table.c.part)
    below = and_(watch.c.level > 0, reach.c.below == table.c.part)
    return (
        exists()
        .where(watch.c.page_id == table.c.page_id, reach.c.sentinel_id == watch.c.sentinel_id)
        .where(reach.c.depth > watch.c.level, or_(at_top, below))
    )


# --- what is watched -------------------------------------------------------------------------------


def settle(connection: Connection, limits: Limits, now: Millis, most: int) -> int:
    """Lets up to `most` waiting sentinels watch the linked pages that they should, and returns how many there
    were."""
    due = select(reach.c.sentinel_id).where(reach.c.due <= now).order_by(reach.c.due).limit(most)
    waiting = list(connection.scalars(due))
    if waiting:
        # The hosts to lock follow from the links, and links may change until the locks are held. So
        # everything is computed once to find the hosts, and again under the locks.
        names = _Scene(connection, waiting, limits, now).hosts_wanted()
        locked = hosts_for(connection, names)
        mine = select(sentinel.c.id).where(sentinel.c.id.in_(waiting)).order_by(sentinel.c.id)
        here = connection.scalars(mine.with_for_update(key_share=True)).all()
        _Scene(connection, list(here), limits, now).apply(set(locked))
    return len(waiting)


@dataclass(frozen=True, slots=True)
class _Watched:
    page_id: int
    level: int
    via_id: int | None
    reference: int


class _Scene:
    """Some sentinels, their pages and links, and the linked pages that follow from them."""

    def __init__(self, connection: Connection, sentinels: list[int], limits: Limits, now: Millis) -> None:
        self._connection = connection
        self._now = now
        self._reaches = _reaches(connection, sentinels)
        self._watches = _watches(connection, sentinels)
        every = {one.page_id: key for mine in self._watches.values() for key, one in mine.items()}
        self._links, self._pages = _links(connection, every)
        self._wanted = {one: self._followed(one, limits) for one in self._reaches}

    def _followed(self, one: int, limits: Limits) -> Followed:
        mine = self._watches.get(one, {})
        roots = [key for key, watched in mine.items() if watched.level == 0]
        row = self._reaches[one]
        wanted = Reach(depth=row.depth, part=row.part, below=row.below, most=row.most)

        def links_of(key: str, level: int) -> KnownLinks:
            return self._links.get((key, wanted.part_at(level)), NO_LINKS)

        watched = {key for key, found in mine.items() if found.level}
        return follow(roots, wanted.depth, links_of, watched, limits.within(wanted), self._now)

    def hosts_wanted(self) -> list[str]:
        """Returns the names of the hosts of all pages that become watched or released."""
        new = {key for _, key in self._coming()}
        going = [one.page_id for _, one in self._going()]
        about = select(page_about.c.url).where(page_about.c.page_id.in_(going))
        old = {Page(url=url).host for url in self._connection.scalars(about)}
        return sorted({self._pages[key].host for key in new} | old)

    def _coming(self) -> Iterable[tuple[int, str]]:
        for one, wanted in self._wanted.items():
            mine = self._watches.get(one, {})
            yield from ((one, key) for key in wanted.places if key not in mine)

    def _going(self) -> Iterable[tuple[int, _Watched]]:
        for one, wanted in self._wanted.items():
            for key, found in self._watches.get(one, {}).items():
                if found.level and key not in wanted.places:
                    yield one, found

    def apply(self, hosts: set[str]) -> None:
        """Writes the new watches and releases the old ones. New pages at hosts that are not locked have to
        wait for the next run."""
        coming = [(one, key) for one, key in self._coming() if self._pages[key].host in hosts]
        going = list(self._going())
        ids = self._let_in(coming)
        self._move(ids)
        let_go = {found.page_id for _, found in going}
        leaving = [{"sentinel_id": one, "page_id": found.page_id} for one, found in going]
        update_given(self._connection, _leave, leaving)
        self._settle_reaches(set(coming))
        settle_priorities(self._connection, let_go)
        reschedule(self._connection, {ids[key] for _, key in coming} | let_go)
        _prune(
            self._connection, {found.page_id for mine in self._watches.values() for found in mine.values()}
        )
        forget_unfollowed(self._connection, let_go)

    def _let_in(self, coming: Sequence[tuple[int, str]]) -> dict[str, int]:
        """Inserts the new watches. Returns the ids of all pages involved, by key."""
        urgency: dict[str, int] = {}
        for one, key in coming:
            urgency[key] = max(urgency.get(key, 0), self._reaches[one].priority)
        ids = pages_for_all(self._connection, {key: self._pages[key] for key in urgency}, urgency)
        ids |= {key: found.page_id for mine in self._watches.values() for key, found in mine.items()}
        latest = _latest(self._connection, [ids[key] for key in urgency])
        rows = [self._watch_row(one, key, ids, latest) for one, key in coming]
        insert_given(self._connection, watch, rows)
        return ids

    def _watch_row(self, one: int, key: str, ids: Mapping[str, int], latest: Mapping[int, int]) -> Row:
        place = self._wanted[one].places[key]
        return {
            "sentinel_id": one,
            "page_id": ids[key],
            "interval_ms": self._reaches[one].interval_ms,
            "next_at": self._now,
            "reference": latest[ids[key]],
            "measured_from": 0,
            "first_version": latest[ids[key]],
            "since": self._now,
            "level": place.level,
            "via_id": ids.get(place.via),
        }

    def _move(self, ids: Mapping[str, int]) -> None:
        """Updates level and origin of linked pages that stay and are now reached by another link."""
        for one, wanted in self._wanted.items():
            for key, found in self._watches.get(one, {}).items():
                place = wanted.places.get(key) if found.level else None
                if place and _stands(place, ids) != (found.level, found.via_id):
                    level, via = _stands(place, ids)
                    mine = (watch.c.sentinel_id == one) & (watch.c.page_id == found.page_id)
                    self._connection.execute(update(watch).where(mine).values(level=level, via_id=via))

    def _settle_reaches(self, came: set[tuple[int, str]]) -> None:
        """Sets when each sentinel is due for `settle` again. It is due at once if it got new linked pages and
        follows their links, too, because those links may be stored already; or if a page had to wait because
        its host was not locked."""
        left = {one for one, key in self._coming() if (one, key) not in came}
        again = left | {one for one, _ in came if self._reaches[one].depth > 1}
        for one, wanted in self._wanted.items():
            mine = reach.c.sentinel_id == one
            if not self._reaches[one].depth:
                self._connection.execute(delete(reach).where(mine))
                continue
            due = self._now if one in again else wanted.until
            values = {"due": due, "linked": len(wanted.places), "overfull": wanted.full}
            self._connection.execute(update(reach).where(mine).values(**values))


@cache
def _leave(dialect: str) -> Any:
    rows = given(dialect, {"sentinel_id": BigInteger(), "page_id": BigInteger()})
    leaving = select(rows.c.sentinel_id, rows.c.page_id)
    return delete(watch).where(tuple_(watch.c.sentinel_id, watch.c.page_id).in_(leaving))


def _stands(place: Place, ids: Mapping[str, int]) -> tuple[int, int | None]:
    return place.level, ids.get(place.via)


def _reaches(connection: Connection, sentinels: list[int]) -> dict[int, Any]:
    """Returns the reach of each sentinel, with its interval and priority."""
    query = (
        select(reach, sentinel.c.priority, func.min(watch.c.interval_ms).label("interval_ms"))
        .join(sentinel, sentinel.c.id == reach.c.sentinel_id)
        .join(watch, watch.c.sentinel_id == reach.c.sentinel_id)
        .where(reach.c.sentinel_id.in_(sentinels), watch.c.level == 0)
        .group_by(*reach.c, sentinel.c.priority)
    )
    return {row.sentinel_id: row for row in connection.execute(query)}


def _watches(connection: Connection, sentinels: list[int]) -> dict[int, dict[str, _Watched]]:
    """Returns, by sentinel and key of the page, how the page is watched; the oldest pages first."""
    query = (
        select(watch, page_about.c.key)
        .join(page_about, page_about.c.page_id == watch.c.page_id)
        .where(watch.c.sentinel_id.in_(sentinels))
        .order_by(watch.c.sentinel_id, watch.c.page_id)
    )
    found: dict[int, dict[str, _Watched]] = {}
    for row in connection.execute(query):
        one = _Watched(row.page_id, row.level, row.via_id, row.reference)
        found.setdefault(row.sentinel_id, {})[row.key] = one
    return found


def _links(
    connection: Connection, keys: Mapping[int, str]
) -> tuple[dict[tuple[str, str | None], KnownLinks], dict[str, Page]]:
    """Returns the links by key of the page and part, and the pages that they lead to."""
    leads: dict[tuple[str, str | None], list[KnownLead]] = {}
    pages: dict[str, Page] = {}
    more: dict[tuple[str, str | None], bool] = {}
    for some in batched(sorted(keys)):
        query = select(link).where(link.c.page_id.in_(some)).order_by(link.c.position, link.c.key)
        for row in connection.execute(query):
            lead = KnownLead(row.key, row.near, row.gone_at)
            leads.setdefault((keys[row.page_id], row.part), []).append(lead)
            approach = approach_from_text(row.approach)
            pages[row.key] = Page(url=row.url, render=row.render, login=row.login, approach=approach)
        for row in connection.execute(select(linked).where(linked.c.page_id.in_(some))):
            more[keys[row.page_id], row.part] = row.more
    return {place: KnownLinks(tuple(leads.get(place, ())), more[place]) for place in more}, pages


def _latest(connection: Connection, pages: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for some in batched(sorted(set(pages))):
        query = select(page.c.id, page.c.latest).where(page.c.id.in_(some))
        found |= {row.id: row.latest for row in connection.execute(query)}
    return found


def _prune(connection: Connection, pages: Iterable[int]) -> None:
    """Deletes vanished links to pages that nobody watches as linked pages: no sentinel waits for such a link
    to come back."""
    waited_for = (
        exists()
        .where(page_about.c.key == link.c.key)
        .where(watch.c.page_id == page_about.c.page_id, watch.c.level > 0)
    )
    for some in batched(sorted(pages)):
        gone = link.c.page_id.in_(some) & link.c.gone_at.is_not(None)
        connection.execute(delete(link).where(gone & ~waited_for))
