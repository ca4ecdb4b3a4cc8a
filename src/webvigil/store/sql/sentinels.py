"""Installed sentinels in SQL, and the pages that they share.

Every change of who watches a page ends in `reschedule`, which sets the page's due time to the earliest of its
active watches and makes the host ready no later than that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from webvigil.errors import NotFound
from webvigil.model.following import Limits
from webvigil.model.installed import InstalledSentinel, NewSentinel, PageView, RemovedSentinel, WatchedPage
from webvigil.model.life import LifeNews, LifeStep, LivingSentinel, state_of
from webvigil.model.moment import Millis
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.topics import counted
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedSentinels
from webvigil.model.work import Watch
from webvigil.store.sql.database import Database
from webvigil.store.sql.doubts import COLUMNS as DOUBT
from webvigil.store.sql.following import settle
from webvigil.store.sql.installing import install, rewatch
from webvigil.store.sql.life import (
    locked,
    move_on,
    read_living,
    read_news,
    write_step,
)
from webvigil.store.sql.prepared import Prepared, swift
from webvigil.store.sql.readers import pages_by_sentinel, read_life, read_page, read_sentinels
from webvigil.store.sql.removing import bring_back, forget_hidden, hide, removed_by
from webvigil.store.sql.replacing import replace
from webvigil.store.sql.schema import (
    FAILING,
    IDLE,
    PRESENT,
    TROUBLED,
    change,
    doubt,
    host,
    on_topic,
    page,
    page_about,
    reach,
    sentinel,
    user,
    watch,
)
from webvigil.store.sql.users import user_id
from webvigil.store.sql.watching import watches_of

_PAGE = (
    page.c.id,
    page.c.due,
    page.c.latest,
    page.c.checks,
    page.c.failures,
    page.c.failing_since,
    page_about.c.url,
    page_about.c.title,
    *DOUBT,
)
_SEARCHED = (sentinel.c.name, sentinel.c.topic, sentinel.c.text)


class SqlSentinels:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._database.write() as connection:
            ids = install(connection, new, self._database.now(connection))
        with self._database.read() as connection:
            between = sentinel.c.id.between(min(ids, default=0), max(ids, default=0))
            found = {one.id: one for one in _installed(connection, between)}
        return [found[id_] for id_ in ids]

    def get(self, user: str, name: str) -> InstalledSentinel:
        with self._database.asking() as ask:
            rows = ask(_one_by_name(), its_user=user, its_name=name)
            pages = ask(_pages_of_one(), its_id=rows[0].id) if rows else []
        if not rows:
            with self._database.read() as connection:
                self._id(connection, user, name)  # raises NotFound for the user or for the sentinel
        return read_sentinels(rows, pages_by_sentinel(pages))[0]

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        with self._database.read() as connection:
            if user is None:
                return _installed(connection, true())
            return _installed(connection, sentinel.c.user_id == user_id(connection, user))

    def some(self, wanted: WantedSentinels) -> list[InstalledSentinel]:
        query = select(sentinel.c.id).where(_which(wanted), _place(wanted) < wanted.before)
        ordered = query.order_by(*_order(wanted)).offset(wanted.skip).limit(wanted.limit)
        with self._database.read() as connection:
            ids = connection.scalars(ordered).all()
            found = {one.id: one for one in _installed(connection, sentinel.c.id.in_(ids))} if ids else {}
            return [found[one] for one in ids]

    def count(self, wanted: WantedSentinels) -> int:
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(sentinel).where(_which(wanted))) or 0

    def states(self, user: str) -> dict[State, int]:
        query = select(sentinel.c.state, func.count()).where(_owned_by(user)).group_by(sentinel.c.state)
        with self._database.read() as connection:
            return {State(state): number for state, number in connection.execute(query)}

    def topics(self, user: str | None = None) -> dict[str, int]:
        topics = sentinel.c.topic
        query = select(topics, func.count()).where(topics != "", _owned_by(user)).group_by(topics)
        with self._database.read() as connection:
            return counted((text, number) for text, number in connection.execute(query))

    def pages(
        self, user: str | None = None, *, words: str = "", before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[WatchedPage]:
        mine = select(watch.c.page_id).join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        named = [_holds(page_about.c.url, word) for word in words.split()]
        query = (
            _pages()
            .where(page.c.id < before, page.c.id.in_(mine.where(_owned_by(user))), *named)
            .order_by(page.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            return [read_page(row) for row in connection.execute(query)]

    def page(self, user: str | None, page: int) -> WatchedPage:
        if not self.watch(user, page):
            raise NotFound(f"there is no page {page}")
        with self._database.read() as connection:
            return read_page(connection.execute(_pages().where(page_about.c.page_id == page)).one())

    def coming(self, user: str, *, limit: int) -> list[tuple[str, WatchedPage]]:
        query = (
            select(*_PAGE, sentinel.c.name)
            .join(page_about, page_about.c.page_id == page.c.id)
            .outerjoin(doubt, doubt.c.page_id == page.c.id)
            .join(watch, watch.c.page_id == page.c.id)
            .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
            .where(_owned_by(user), sentinel.c.state == State.ACTIVE, page.c.due < IDLE, watch.c.level == 0)
            .order_by(page.c.due, sentinel.c.id)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [(row.name, read_page(row)) for row in connection.execute(query)]

    def watch(self, user: str | None, page: int) -> bool:
        query = select(watch.c.page_id).join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        wanted = query.where(watch.c.page_id == page, _owned_by(user)).limit(1)
        with self._database.read() as connection:
            return connection.scalar(wanted) is not None

    def views(self, user: str, pages: Iterable[int]) -> dict[int, PageView]:
        columns = watch.c.page_id, watch.c.sentinel_id, watch.c.first_version, watch.c.since
        query = (
            select(*columns)
            .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
            .where(watch.c.page_id.in_(set(pages)), _owned_by(user))
            .order_by(watch.c.page_id)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return {page_id: _view(list(mine)) for page_id, mine in groupby(rows, key=attrgetter("page_id"))}

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        with self._database.write() as connection:
            found = self._id(connection, user, name)
            life = read_life(locked(connection, found))
            values = {"enabled": enabled, "state": str(state_of(life, enabled=enabled))}
            move_on(connection, found, values, self._database.now(connection))
        return self.get(user, name)

    def replace(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._database.write() as connection:
            for owner in sorted({one.user for one in new}):
                user_id(connection, owner, lock=True)
            ids = {self._id(connection, one.user, one.name): one for one in new}
            replace(connection, ids, self._database.now(connection))
        return [self.get(one.user, one.name) for one in new]

    def set_aside(self, user: str, name: str) -> RemovedSentinel:
        with self._database.write() as connection:
            found = self._id(connection, user, name)
            hide(connection, found, self._database.now(connection))
            return removed_by(connection, user, found)[0]

    def removed(self, user: str) -> list[RemovedSentinel]:
        with self._database.read() as connection:
            return removed_by(connection, user)

    def restore(self, user: str, removed: int) -> InstalledSentinel:
        with self._database.write() as connection:
            owner = user_id(connection, user, lock=True)
            name = bring_back(connection, owner, removed, self._database.now(connection))
        return self.get(user, name)

    def forget_removed(self, before: Millis, *, limit: int) -> int:
        with self._database.write() as connection:
            return forget_hidden(connection, before, limit)

    def linked(self, user: str, name: str) -> list[WatchedPage]:
        with self._database.read() as connection:
            found = self._id(connection, user, name)
            return [read_page(row) for row in connection.execute(_linked_to(), {"its_id": found})]

    def follow(self, limits: Limits, *, most: int = 100) -> int:
        with self._database.write() as connection:
            return settle(connection, limits, self._database.now(connection), most)

    def follow_at(self) -> Millis | None:
        with self._database.read() as connection:
            first = connection.scalar(select(reach.c.due).order_by(reach.c.due).limit(1))
            if first is None or first >= IDLE:
                return None
            return max(0, int(first) - self._database.now(connection))

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        with self._database.write() as connection:
            rewatch(connection, user, instead, self._database.now(connection))

    def watching(self, page: int) -> list[Watch]:
        with self._database.read() as connection:
            return watches_of(connection, [page]).get(page, [])

    def live(self, step: LifeStep) -> bool:
        with self._database.write() as connection:
            return write_step(connection, step, self._database.now(connection))

    def news(self, since: int, *, until: Millis | None = None) -> LifeNews:
        with self._database.read() as connection:
            return read_news(connection, since, until)

    def living(self, user: str, names: Collection[str]) -> list[LivingSentinel]:
        with self._database.read() as connection:
            return read_living(connection, user, names)

    @staticmethod
    def _id(connection: Connection, user: str, name: str) -> int:
        found = _find(connection, user_id(connection, user), name)
        if found is None:
            raise NotFound(f"there is no sentinel {name!r}")
        return found


class _like(FunctionElement[bool]):  # noqa: N801  (reads as the SQL operator it is)
    """Says whether a text is like a pattern, in any case. For SQLite this is LIKE itself, which takes half
    the time of LIKE on texts in small letters, and finds the same."""

    type = Boolean()
    inherit_cache = True


@compiles(_like, "sqlite")
def _like_in_sqlite(element: _like, compiler: SQLCompiler, **options: Any) -> str:
    column, pattern = (compiler.process(one, **options) for one in element.clauses)
    return f"{column} LIKE {pattern} ESCAPE '/'"


@compiles(_like, "postgresql")
def _like_in_postgresql(element: _like, compiler: SQLCompiler, **options: Any) -> str:
    column, pattern = (compiler.process(one, **options) for one in element.clauses)
    return f"{column} ILIKE {pattern} ESCAPE '/'"


def _holds(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    escaped = "".join(f"/{letter}" if letter in "/%_" else letter for letter in word)
    return _like(column, literal(f"%{escaped}%"))


def _view(watches: Sequence[Any]) -> PageView:
    return PageView(
        first_version=min(one.first_version for one in watches),
        since=min(one.since for one in watches),
        sentinels=frozenset(one.sentinel_id for one in watches),
    )


def _which(wanted: WantedSentinels) -> ColumnElement[bool]:
    conditions = [_owned_by(wanted.user)]
    for word in wanted.words.split():
        either = [_holds(column, word) for column in _SEARCHED]
        conditions.append(or_(*either))
    if wanted.state is not None:
        state = sentinel.c.state.concat("") if _is_narrow(wanted) else sentinel.c.state
        conditions.append(state == wanted.state)
    if wanted.topic is not None:
        conditions.append(on_topic(wanted.topic))
    if wanted.names is not None:
        conditions.append(sentinel.c.name.in_(wanted.names))
    if wanted.pages is not None:
        conditions.append(sentinel.c.id.in_(_watching().where(watch.c.page_id.in_(wanted.pages))))
    if wanted.host is not None:
        conditions.append(sentinel.c.id.in_(_watching_at(wanted.host)))
    if wanted.address is not None:
        there = _watching_at(Page(url=wanted.address).host)
        there = there.join(page_about, page_about.c.page_id == page.c.id)
        conditions.append(sentinel.c.id.in_(there.where(page_about.c.url == wanted.address)))
    if wanted.trouble:
        conditions.append(sentinel.c.id.in_(_in_trouble()))
    return and_(*conditions)


def _watching() -> Select[tuple[int]]:
    return select(watch.c.sentinel_id)


def _watching_at(name: str) -> Select[tuple[int]]:
    """Returns a query for the ids of sentinels that watch a page of a host. Hosts have an index; addresses
    have none."""
    return (
        _watching()
        .join(page, page.c.id == watch.c.page_id)
        .join(host, host.c.id == page.c.host_id)
        .where(host.c.name == name)
    )


def _in_trouble() -> CompoundSelect[tuple[int]]:
    """Returns a query for the ids of sentinels in trouble. The watches in trouble and the pages that fail
    have an index each; one condition for both would read every watch."""
    bad = union_all(select(page.c.id).where(FAILING), select(doubt.c.page_id).where(doubt.c.told))
    named = watch.c.level == 0
    return union_all(_watching().where(named, TROUBLED), _watching().where(named, watch.c.page_id.in_(bad)))


def _place(wanted: WantedSentinels) -> ColumnElement[int]:
    """Returns the place of a sentinel in a list: its id, as an expression without an index if the query is
    narrow."""
    return sentinel.c.id + 0 if _is_narrow(wanted) else sentinel.c.id


def _is_narrow(wanted: WantedSentinels) -> bool:
    """Says whether few sentinels can match, which an index finds. Other indexes must not be offered then:
    SQLite would rather read all sentinels of a user than sort a few, and all active ones rather than find
    those in trouble."""
    return wanted.trouble or (wanted.names, wanted.pages, wanted.host, wanted.address) != (None,) * 4


def _order(wanted: WantedSentinels) -> Sequence[ColumnElement[Any]]:
    newest_first = _place(wanted).desc()
    if wanted.order is None:
        return [newest_first]
    last = select(func.max(change.c.id)).where(change.c.sentinel_id == sentinel.c.id).scalar_subquery()
    changed_last = [func.coalesce(last, 0).desc(), newest_first]
    if wanted.order == "priority":
        return [sentinel.c.priority.desc(), *changed_last]
    if wanted.order == "topic":
        return [sentinel.c.topic == "", func.lower(sentinel.c.topic), *changed_last]
    return changed_last


def _owned_by(name: str | None) -> ColumnElement[bool]:
    if name is None:
        return PRESENT
    return PRESENT & (sentinel.c.user_id == select(user.c.id).where(user.c.name == name).scalar_subquery())


def _find(connection: Connection, owner: int, name: str) -> int | None:
    return connection.scalar(
        select(sentinel.c.id).where(PRESENT, sentinel.c.user_id == owner, sentinel.c.name == name)
    )


def _installed(connection: Connection, which: ColumnElement[bool]) -> list[InstalledSentinel]:
    watched = connection.execute(_watched().where(which))
    pages = pages_by_sentinel(swift(watched, watched.keys()))
    found = connection.execute(_sentinels().where(which))
    return read_sentinels(swift(found, found.keys()), pages)


# Building a statement takes longer than running it, and these run with almost every request.
@cache
def _one_by_name() -> Prepared:
    mine = user.c.name == bindparam("its_user")
    return Prepared(_sentinels().where(mine, sentinel.c.name == bindparam("its_name")))


@cache
def _pages_of_one() -> Prepared:
    return Prepared(_watched().where(sentinel.c.id == bindparam("its_id")))


def _sentinels() -> Select[Any]:
    count = (
        select(func.count())
        .select_from(change)
        .where(change.c.sentinel_id == sentinel.c.id)
        .correlate(sentinel)
        .scalar_subquery()
    )
    query = select(
        sentinel, user.c.name.label("owner"), count.label("changes"), reach.c.linked, reach.c.overfull
    )
    return (
        query.join(user, user.c.id == sentinel.c.user_id)
        .outerjoin(reach, reach.c.sentinel_id == sentinel.c.id)
        .where(PRESENT)
        .order_by(sentinel.c.id.desc())
    )


def _watched() -> Select[Any]:
    return (
        select(watch.c.sentinel_id, watch.c.trouble, watch.c.trouble_words, *_PAGE)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .join(page, page.c.id == watch.c.page_id)
        .join(page_about, page_about.c.page_id == page.c.id)
        .outerjoin(doubt, doubt.c.page_id == page.c.id)
        .where(watch.c.level == 0)
        .order_by(page.c.id)
    )


@cache
def _pages() -> Select[Any]:
    return (
        select(*_PAGE)
        .join(page_about, page_about.c.page_id == page.c.id)
        .outerjoin(doubt, doubt.c.page_id == page.c.id)
    )


@cache
def _linked_to() -> Select[Any]:
    above = page_about.alias("above")
    return (
        select(*_PAGE, watch.c.level, above.c.url.label("via"))
        .join(watch, watch.c.page_id == page.c.id)
        .join(page_about, page_about.c.page_id == page.c.id)
        .outerjoin(doubt, doubt.c.page_id == page.c.id)
        .outerjoin(above, above.c.page_id == watch.c.via_id)
        .where(watch.c.sentinel_id == bindparam("its_id"), watch.c.level > 0)
        .order_by(watch.c.level, page.c.id)
    )
