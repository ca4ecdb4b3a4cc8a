"""Discoveries in SQL, with their steps and the services they found.

A step is written once, under its number. If two workers both believe that a discovery is theirs, the second
finds the number taken and stops. Steps and profiles are stored as text and not as JSON columns, because they
quote pages, and a database may refuse such strings in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.discovery import (
    OPEN,
    Counted,
    Discovery,
    DiscoveryState,
    FoundService,
    NewService,
    WantedServices,
)
from webvigil.model.json_text import json_text
from webvigil.model.moment import as_datetime
from webvigil.model.wanted import LARGEST_ID, PIECE
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.schema import discovery as run
from webvigil.store.sql.schema import discovery_service as found
from webvigil.store.sql.schema import discovery_step, user
from webvigil.store.sql.users import user_id


class SqlDiscoveries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, user: str, wanted: WantedServices) -> Discovery:
        with self._database.write() as connection:
            row = {
                "user_id": user_id(connection, user, lock=True),
                "wanted": json_text(asdict(wanted)),
                "state": "waiting",
                "why": "",
                "counted": json_text(asdict(Counted())),
                "created_at": self._database.now(connection),
            }
            made = connection.execute(insert(run).values(**row).returning(run.c.id)).scalar_one()
            return _one(connection, None, made)

    def get(self, user: str | None, discovery: int) -> Discovery:
        with self._database.read() as connection:
            return _one(connection, user, discovery)

    def all(
        self, user: str | None = None, *, before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[Discovery]:
        query = _runs(user).where(run.c.id < before).order_by(run.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [_discovery(row) for row in connection.execute(query)]

    def open(self, user: str | None = None) -> list[Discovery]:
        query = _runs(user).where(run.c.state.in_(OPEN)).order_by(run.c.id)
        with self._database.read() as connection:
            return [_discovery(row) for row in connection.execute(query)]

    def begin(self, discovery: int) -> bool:
        with self._database.write() as connection:
            now = self._database.now(connection)
            begun = update(run).where(run.c.id == discovery, run.c.state.in_(OPEN))
            begun = begun.values(state="running", started_at=func.coalesce(run.c.started_at, now))
            return bool(connection.execute(begun).rowcount)

    def append(
        self,
        discovery: int,
        number: int,
        step: dict[str, Any],
        counted: Counted,
        services: Sequence[NewService] = (),
    ) -> bool:
        with self._database.write() as connection:
            ours = update(run).where(run.c.id == discovery, run.c.state == "running")
            if not connection.execute(ours.values(counted=json_text(asdict(counted)))).rowcount:
                return False
            if number != _count(connection, discovery):
                # Another worker has written this step, so the counts written above must not stay.
                connection.rollback()
                return False
            row = {"discovery_id": discovery, "number": number, "content": json_text(step)}
            connection.execute(insert_new(connection, discovery_step).values(**row))
            self._add_services(connection, discovery, services)
            return True

    def steps(self, discovery: int) -> list[dict[str, Any]]:
        query = select(discovery_step.c.content).where(discovery_step.c.discovery_id == discovery)
        with self._database.read() as connection:
            return [json.loads(text) for text in connection.scalars(query.order_by(discovery_step.c.number))]

    def end(self, discovery: int, state: DiscoveryState, why: str) -> bool:
        with self._database.write() as connection:
            ended = update(run).where(run.c.id == discovery, run.c.state.in_(OPEN))
            ended = ended.values(state=state, why=why, ended_at=self._database.now(connection))
            return bool(connection.execute(ended).rowcount)

    def remove(self, user: str, discovery: int) -> None:
        with self._database.write() as connection:
            _one(connection, user, discovery)
            connection.execute(delete(run).where(run.c.id == discovery))

    def services(self, user: str | None, discovery: int) -> list[FoundService]:
        with self._database.read() as connection:
            _one(connection, user, discovery)
            query = select(found).where(found.c.discovery_id == discovery).order_by(found.c.number)
            return [_service(row) for row in connection.execute(query)]

    def service(self, user: str | None, discovery: int, number: int) -> FoundService:
        with self._database.read() as connection:
            _one(connection, user, discovery)
            query = select(found).where(found.c.discovery_id == discovery, found.c.number == number)
            row = connection.execute(query).first()
        if row is None:
            raise NotFound(f"discovery {discovery} has found no service {number}")
        return _service(row)

    def _add_services(self, connection: Connection, discovery: int, new: Sequence[NewService]) -> None:
        if not new:
            return
        now = self._database.now(connection)
        query = select(func.count()).select_from(found).where(found.c.discovery_id == discovery)
        for number, one in enumerate(new, connection.execute(query).scalar_one() + 1):
            row = {
                "url": one.url,
                "title": one.title,
                "probes": one.probes,
                "profile": json_text(one.profile),
                "found_at": now,
            }
            connection.execute(insert(found).values(discovery_id=discovery, number=number, **row))


def _count(connection: Connection, discovery: int) -> int:
    """Returns how many steps are stored. The caller holds the lock on the discovery's row."""
    query = select(func.max(discovery_step.c.number)).where(discovery_step.c.discovery_id == discovery)
    last = connection.execute(query).scalar()
    return 0 if last is None else last + 1


def _runs(owner: str | None) -> Select[Any]:
    query = select(run, user.c.name.label("owner")).join(user, user.c.id == run.c.user_id)
    return query if owner is None else query.where(user.c.name == owner)


def _one(connection: Connection, owner: str | None, discovery: int) -> Discovery:
    row = connection.execute(_runs(owner).where(run.c.id == discovery)).first()
    if row is None:
        raise NotFound(f"there is no discovery {discovery}")
    return _discovery(row)


def _discovery(row: Any) -> Discovery:
    wanted = {name: _frozen(value) for name, value in json.loads(row.wanted).items()}
    return Discovery(
        id=row.id,
        user=row.owner,
        wanted=WantedServices(**wanted),
        state=row.state,
        counted=Counted(**json.loads(row.counted)),
        why=row.why,
        created_at=as_datetime(row.created_at),
        started_at=None if row.started_at is None else as_datetime(row.started_at),
        ended_at=None if row.ended_at is None else as_datetime(row.ended_at),
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _service(row: Any) -> FoundService:
    return FoundService(
        discovery=row.discovery_id,
        number=row.number,
        url=row.url,
        title=row.title,
        probes=row.probes,
        profile=json.loads(row.profile),
        found_at=as_datetime(row.found_at),
    )
