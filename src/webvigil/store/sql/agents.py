"""Personal agents in SQL, and the letters that they send home."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from webvigil.model.agent import Agent, AgentSide, AgentState, Goals, Letter
from webvigil.model.change import finding_as_json
from webvigil.model.moment import Millis
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.installing import pages_for
from webvigil.store.sql.outbox import write_notices
from webvigil.store.sql.rows import Row, insert_given
from webvigil.store.sql.schema import agent, change, page, sentinel, user, version
from webvigil.store.sql.search import FoundOnPage, remember_words


class SqlAgents:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, one: Agent, *, was: AgentState | None = None) -> bool:
        values = _values(one)
        known = update(agent).where(agent.c.id == one.id).values(**values)
        with self._database.write() as connection:
            if was is not None:
                return bool(connection.execute(known.where(agent.c.state == was)).rowcount)
            if not connection.execute(known).rowcount:
                connection.execute(insert(agent).values(id=one.id, letters=one.letters, **values))
            return True

    def get(self, id_: str) -> Agent | None:
        with self._database.read() as connection:
            row = connection.execute(select(agent).where(agent.c.id == id_)).first()
        return _agent(row) if row else None

    def all(self, side: AgentSide | None = None, *, user: str | None = None) -> list[Agent]:
        query = select(agent).order_by(agent.c.at, agent.c.id)
        if side is not None:
            query = query.where(agent.c.side == side)
        if user is not None:
            query = query.where(agent.c.user_name == user)
        with self._database.read() as connection:
            return [_agent(row) for row in connection.execute(query)]

    def remove(self, id_: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(agent).where(agent.c.id == id_))

    def arrived(self, id_: str, letter: Letter) -> int:
        with self._database.write() as connection:
            # This locks the host of the page. In every transaction hosts are locked before other rows.
            found = pages_for(connection, {letter.page.key: letter.page}, 0)[letter.page.key]
            row = connection.execute(select(agent).where(agent.c.id == id_).with_for_update()).first()
            if row is None or letter.number <= row.letters:
                return row.letters if row else 0
            mine = select(sentinel.c.id).join(user).where(user.c.name == row.user_name)
            owner = connection.scalar(mine.where(sentinel.c.name == row.goals["name"]))
            if owner is not None:
                _write(connection, owner, found, letter, self._database.now(connection))
            connection.execute(update(agent).where(agent.c.id == id_).values(letters=letter.number))
            return letter.number

    def posted(self, id_: str, number: int) -> None:
        with self._database.write() as connection:
            later = (agent.c.id == id_) & (agent.c.letters < number)
            connection.execute(update(agent).where(later).values(letters=number))


def _write(connection: Connection, owner: int, found: int, letter: Letter, now: Millis) -> None:
    """Writes the versions, the change and the notices of a letter."""
    insert_given(connection, version, [_version(found, one, letter.found_at) for one in letter.versions])
    highest = max((one.number for one in letter.versions), default=0)
    newer = (page.c.id == found) & (page.c.latest < highest)
    connection.execute(update(page).where(newer).values(latest=highest))
    connection.execute(
        insert_new(connection, change).values(
            sentinel_id=owner,
            page_id=found,
            old_version=letter.old_version,
            new_version=letter.new_version,
            found_at=letter.found_at,
            findings=[finding_as_json(one) for one in letter.findings],
        )
    )
    versions = letter.old_version, letter.new_version
    remember_words(connection, [FoundOnPage(owner, found, versions, letter.findings)])
    write_notices(connection, list(letter.notices), now)


def _version(page_id: int, new: Any, at: Millis) -> Row:
    names = ("number", "url", "status", "signature", "object", "size", "picture", "base", "stored")
    return {"page_id": page_id, "fetched_at": at, **{name: getattr(new, name) for name in names}}


def _values(one: Agent) -> dict[str, Any]:
    return {
        "side": one.side,
        "peer_key": one.peer,
        "user_name": one.user,
        "goals": asdict(one.goals),
        "state": one.state,
        "reason": one.reason,
        "at": one.at,
        "heard_at": one.heard_at,
        "told": one.told,
    }


def _agent(row: Any) -> Agent:
    return Agent(
        id=row.id,
        side=row.side,
        peer=row.peer_key,
        user=row.user_name,
        goals=Goals(**row.goals),
        state=row.state,
        reason=row.reason,
        at=row.at,
        heard_at=row.heard_at,
        letters=row.letters,
        told=row.told,
    )
