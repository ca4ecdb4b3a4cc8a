"""Peers in SQL: other servers, the pages they watch, and which pages of this server they may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Connection, Select, case, delete, func, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.moment import Millis
from webvigil.model.peer import Figures, Peer, SeenPage, SharedPage, Wanted
from webvigil.model.sentinel import State
from webvigil.model.work import NOT_SEEN
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.page_row import page_of
from webvigil.store.sql.planning import batched
from webvigil.store.sql.schema import (
    look,
    page,
    page_about,
    peer,
    peer_message,
    peer_page,
    preference,
    sentinel,
    version,
    watch,
)

_FIGURES = tuple(one.name for one in fields(Figures))


class SqlPeers:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, one: Peer) -> None:
        values = _values(one)
        with self._database.write() as connection:
            if not connection.execute(update(peer).where(peer.c.key == one.key).values(**values)).rowcount:
                connection.execute(insert(peer).values(key=one.key, **values))

    def change(self, key: str, change: Callable[[Peer], Peer]) -> Peer | None:
        with self._database.write() as connection:
            row = connection.execute(select(peer).where(peer.c.key == key).with_for_update()).first()
            if row is None:
                return None
            new = change(_peer(row))
            connection.execute(update(peer).where(peer.c.key == key).values(**_values(new)))
        return new

    def get(self, key: str) -> Peer | None:
        with self._database.read() as connection:
            row = connection.execute(select(peer).where(peer.c.key == key)).first()
        return _peer(row) if row else None

    def all(self) -> list[Peer]:
        with self._database.read() as connection:
            return [_peer(row) for row in connection.execute(select(peer).order_by(peer.c.url, peer.c.key))]

    def remove(self, key: str) -> None:
        with self._database.write() as connection:
            if not connection.execute(delete(peer).where(peer.c.key == key)).rowcount:
                raise NotFound("there is no such peer")

    def count(self, key: str, **more: int) -> None:
        added = {name: peer.c[name] + number for name, number in more.items()}
        with self._database.write() as connection:
            connection.execute(update(peer).where(peer.c.key == key).values(**added))

    def first_time(self, message: str, *, until: Millis) -> bool:
        with self._database.write() as connection:
            now = self._database.now(connection)
            connection.execute(delete(peer_message).where(peer_message.c.until < now))
            new = insert_new(connection, peer_message).values(id=message, until=until)
            return connection.scalar(new.returning(peer_message.c.id)) is not None

    def announce(self, key: str, wanted: Iterable[Wanted], gone: Iterable[str] = ()) -> None:
        rows = {one.page: one.interval for one in wanted}
        mine = peer_page.c.peer_key == key
        with self._database.write() as connection:
            if connection.scalar(select(peer.c.key).where(peer.c.key == key).with_for_update()) is None:
                return
            for some in batched([*rows, *gone]):
                connection.execute(delete(peer_page).where(mine, peer_page.c.page_key.in_(some)))
            for some in batched(list(rows)):
                values = [{"peer_key": key, "page_key": one, "interval_ms": rows[one]} for one in some]
                connection.execute(insert(peer_page), values)

    def announced(self, key: str) -> dict[str, Millis]:
        query = select(peer_page).where(peer_page.c.peer_key == key).order_by(peer_page.c.page_key)
        with self._database.read() as connection:
            return {row.page_key: row.interval_ms for row in connection.execute(query)}

    def how_many(self, key: str) -> int:
        mine = select(func.count()).select_from(peer_page).where(peer_page.c.peer_key == key)
        with self._database.read() as connection:
            return int(connection.scalar(mine) or 0)

    def forget_pages(self, key: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(peer_page).where(peer_page.c.peer_key == key))

    def wanting(self, pages: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        with self._database.read() as connection:
            for some in batched(list(dict.fromkeys(pages))):
                for row in connection.execute(_wanting().where(peer_page.c.page_key.in_(some))):
                    found.setdefault(row.page_key, []).append(row.peer_key)
        return found

    def shareable(self) -> list[SharedPage]:
        with self._database.read() as connection:
            rows = connection.execute(_shareable(connection)).all()
        return [_shared(row) for row in rows if not _names_somebody(row.url)]

    def shared(self, page: str) -> SharedPage | None:
        with self._database.read() as connection:
            row = connection.execute(_shareable(connection).where(page_about.c.key == page)).first()
        return None if row is None or _names_somebody(row.url) else _shared(row)

    def seen(self, page: str) -> SeenPage | None:
        with self._database.read() as connection:
            row = connection.execute(_seen(connection).where(page_about.c.key == page)).first()
        if row is None or row.seen_at is None or _names_somebody(row.url):
            return None
        return SeenPage(
            id=row.page_id,
            url=row.url,
            object=row.object,
            signature=row.signature,
            seen_at=row.seen_at,
            facts=row.validators,
        )


def _values(one: Peer) -> dict[str, Any]:
    return {name: value for name, value in asdict(one).items() if name not in ("key", "figures")}


def _wanting() -> Select[Any]:
    return (
        select(peer_page.c.page_key, peer_page.c.peer_key)
        .join(peer, peer.c.key == peer_page.c.peer_key)
        .where(peer.c.state == "known")
        .order_by(peer_page.c.peer_key)
    )


def _open_to_all(connection: Connection) -> Any:
    """Returns the SQL condition that a page looks the same to everybody and that no user who watches it keeps
    pages to this server."""
    wishes = connection.execute(select(preference.c.user_id, preference.c.content))
    keeping = [row.user_id for row in wishes if not row.content.get("share_pages", True)]
    kept = (
        select(watch.c.page_id)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(sentinel.c.user_id.in_(keeping))
    )
    alike = (page_about.c.login == "") & (page_about.c.method == "GET") & (page_about.c.render == "http")
    alike &= page_about.c.approach == ""
    return alike & page_about.c.page_id.not_in(kept) if keeping else alike


def _watched() -> Select[Any]:
    active = (
        select(
            watch.c.page_id,
            func.min(case((watch.c.interval_ms > 0, watch.c.interval_ms))).label("wanted"),
        )
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(sentinel.c.state == str(State.ACTIVE))
        .group_by(watch.c.page_id)
        .subquery()
    )
    return select(page_about, active.c.wanted).join(active, active.c.page_id == page_about.c.page_id)


def _shareable(connection: Connection) -> Select[Any]:
    return _watched().where(_open_to_all(connection)).order_by(page_about.c.page_id)


def _seen(connection: Connection) -> Select[Any]:
    """Selects a page's newest version and last successful look. It is used for one page at a time, and the
    index finds the look without reading through the log."""
    there = look.c.decision.not_in(NOT_SEEN)
    mine = select(look.c.at).where(look.c.page_id == page_about.c.page_id, there)
    last = mine.order_by(look.c.at.desc()).limit(1).scalar_subquery()
    active = (
        select(watch.c.page_id)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(watch.c.page_id == page_about.c.page_id, sentinel.c.state == str(State.ACTIVE))
        .exists()
    )
    newest = (version.c.page_id == page.c.id) & (version.c.number == page.c.latest)
    return (
        select(page_about, version.c.object, version.c.signature, last.label("seen_at"))
        .join(page, page.c.id == page_about.c.page_id)
        .join(version, newest)
        .where(_open_to_all(connection), active)
    )


def _shared(row: Any) -> SharedPage:
    return SharedPage(id=row.page_id, page=page_of(row), interval=row.wanted or 0)


def _names_somebody(url: str) -> bool:
    """Says whether the address contains a user name, which mostly comes with a password."""
    return "@" in url.partition("?")[0]


def _peer(row: Any) -> Peer:
    return Peer(
        key=row.key,
        url=row.url,
        state=row.state,
        reason=row.reason,
        added_at=row.added_at,
        heard_at=row.heard_at,
        failures=row.failures,
        rest_until=row.rest_until,
        listed=row.listed,
        figures=Figures(**{name: getattr(row, name) for name in _FIGURES}),
    )
