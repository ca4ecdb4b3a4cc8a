"""Questions to a language model in SQL: they are leased, asked again later, and settled (J3).

A question was written in the transaction of the check that found its change. Settling it writes the change
and its notices, or notes that the change was not told, in one transaction; so a change is neither lost nor
told twice, whenever a worker dies. Of equal questions one is leased at a time, and its answer settles
all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, select, text, update

from webvigil.model.change import finding_from_json
from webvigil.model.history import Ages, Forgotten
from webvigil.model.meaning import (
    Allowance,
    Answer,
    JudgedChange,
    Judgement,
    NewQuestion,
    Spent,
    WaitingQuestion,
    answer_as_json,
    answer_from_json,
    condition_from_json,
    judged,
    judgement_from_json,
    with_judgement,
)
from webvigil.model.moment import DAY, Millis
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, Look, NewChange
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.finish import write_changes
from webvigil.store.sql.holding import with_what_fires
from webvigil.store.sql.rows import judgement_text, sound
from webvigil.store.sql.schema import (
    PRESENT,
    WAITING,
    answer,
    later,
    page_about,
    question,
    sentinel,
    spending,
    user,
)
from webvigil.store.sql.users import user_id

_READY = later(question.c.due, question.c.lease)
# The key of PostgreSQL's advisory lock for claiming: without it two workers could ask the same question.
_CLAIM_LOCK = 0x57656251


class SqlQuestions:
    def __init__(self, database: Database) -> None:
        self._database = database

    # --- Asking ------------------------------------------------------------------------------------

    def claim(self, worker: str, *, count: int, lease: Millis, allowance: Allowance) -> list[WaitingQuestion]:
        with self._database.write() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _CLAIM_LOCK})
            now = self._database.now(connection)
            rows = connection.execute(_first_of_equals(now, count)).all()
            leased = update(question).where(question.c.id.in_([row.id for row in rows]))
            if rows:
                connection.execute(leased.values(lease=now + lease, token=question.c.token + 1, owner=worker))
            known = _known(connection, [row.key for row in rows])
            return [_charged(connection, row, known.get(row.key), allowance, now) for row in rows]

    def retry(self, item: WaitingQuestion, *, wait: Millis, spent: Spent) -> bool:
        with self._database.write() as connection:
            now = self._database.now(connection)
            later_on = update(question).where(_held_by(item))
            later_on = later_on.values(due=now + wait, lease=0, owner="", attempts=question.c.attempts + 1)
            if not connection.execute(later_on).rowcount:
                return False
            _spend(connection, user_id(connection, item.user), spent, now)
            return True

    def settle(self, item: WaitingQuestion, said: Answer, spent: Spent, *, alone: bool = False) -> int | None:
        with self._database.write() as connection:
            now = self._database.now(connection)
            mine = select(question.c.id, question.c.key)
            held = connection.execute(mine.where(_held_by(item)).with_for_update()).first()
            if held is None:
                return None
            _spend(connection, user_id(connection, item.user), spent, now)
            if not said.trouble:
                _remember(connection, held.key, said, now)
            which = question.c.id == held.id if alone else question.c.key == held.key
            rows = connection.execute(select(question).where(WAITING, which).order_by(question.c.id)).all()
            return sum(_settle(connection, row, judged(_question(row), said), now) for row in rows)

    def take_over(self) -> None:
        with self._database.write() as connection:
            leased = update(question).where(WAITING, question.c.owner != "")
            connection.execute(leased.values(lease=0, owner="", token=question.c.token + 1))

    def next_at(self) -> Millis | None:
        with self._database.read() as connection:
            ready = select(func.max(_READY).label("at")).where(WAITING).group_by(question.c.key).subquery()
            first = connection.scalar(select(func.min(ready.c.at)))
            return None if first is None else max(0, first - self._database.now(connection))

    def waiting(self) -> int:
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(question).where(WAITING)) or 0

    # --- What was answered, and what it took ----------------------------------------------------------

    def known(self, keys: Sequence[str]) -> dict[str, Answer]:
        with self._database.read() as connection:
            return _known(connection, keys)

    def remember(self, key: str, said: Answer) -> None:
        with self._database.write() as connection:
            _remember(connection, key, said, self._database.now(connection))

    def spend(self, name: str, more: Spent, allowance: Allowance | None = None) -> str:
        with self._database.write() as connection:
            now, payer = self._database.now(connection), user_id(connection, name, lock=True)
            refusal = allowance.refusal(_spent(connection, payer, now), more) if allowance else ""
            if not refusal:
                _spend(connection, payer, more, now)
            return refusal

    def spent(self, name: str) -> Spent:
        with self._database.read() as connection:
            return _spent(connection, user_id(connection, name), self._database.now(connection))

    def spent_by_all(self) -> dict[str, Spent]:
        with self._database.read() as connection:
            today = self._database.now(connection) // DAY
            query = select(spending, user.c.name.label("payer")).join(user, user.c.id == spending.c.user_id)
            rows = connection.execute(query.where(spending.c.day == today).order_by(user.c.name))
            return {row.payer: _as_spent(row) for row in rows}

    # --- For people ----------------------------------------------------------------------------------

    def judged(self, name: str, watching: str | None = None, *, limit: int = 20) -> list[JudgedChange]:
        query = (
            select(question, sentinel.c.name.label("watching"), page_about.c.url.label("url"))
            .join(sentinel, sentinel.c.id == question.c.sentinel_id)
            .join(user, user.c.id == sentinel.c.user_id)
            .join(page_about, page_about.c.page_id == question.c.page_id)
            .where(PRESENT, user.c.name == name, question.c.state != "waiting")
            .order_by(question.c.id.desc())
            .limit(limit)
        )
        if watching is not None:
            query = query.where(sentinel.c.name == watching)
        with self._database.read() as connection:
            return [_judged_change(row) for row in connection.execute(query)]

    def forget(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        """Removes settled questions, answers and spendings from before `ages.log`."""
        with self._database.write() as connection:
            old = (question.c.state != "waiting") & (question.c.found_at < ages.log)
            some = select(question.c.id).where(question.c.id > after, old).order_by(question.c.id)
            ids = list(connection.scalars(some.limit(limit)))
            if not dry_run:
                connection.execute(delete(question).where(question.c.id.in_(ids)))
                connection.execute(delete(answer).where(answer.c.at < ages.log))
                connection.execute(delete(spending).where(spending.c.day < ages.log // DAY))
        return Forgotten(removed=len(ids), next=ids[-1] if len(ids) == limit else None)


def _first_of_equals(now: Millis, count: int) -> Select[Any]:
    """Selects the first of each group of equal questions, with its user, if none of the group waits for later
    or is being asked."""
    firsts = (
        select(func.min(question.c.id))
        .where(WAITING)
        .group_by(question.c.key)
        .having(func.max(_READY) <= now)
        .order_by(func.min(question.c.id))
        .limit(count)
    )
    return (
        select(question, sentinel.c.user_id, user.c.name.label("owner_name"))
        .join(sentinel, sentinel.c.id == question.c.sentinel_id)
        .join(user, user.c.id == sentinel.c.user_id)
        .where(question.c.id.in_(firsts))
        .order_by(question.c.id)
    )


def _charged(
    connection: Connection, row: Any, known: Answer | None, allowance: Allowance, now: Millis
) -> WaitingQuestion:
    """Returns a leased question. What it may take is charged to its user now: a worker that dies while it
    asks has paid, and workers that ask at the same time cannot spend the same tokens."""
    asked = _question(row)
    item = WaitingQuestion(
        id=row.id,
        token=row.token + 1,
        attempts=row.attempts,
        user=row.owner_name,
        found_at=row.found_at,
        question=asked,
    )
    if known:
        return replace(item, answer=known)
    more = Spent(read=asked.tokens)
    if refusal := allowance.refusal(_spent(connection, row.user_id, now, lock=True), more):
        return replace(item, refused=refusal)
    _spend(connection, row.user_id, more, now)
    return item


def _question(row: Any) -> NewQuestion:
    return NewQuestion(
        key=row.key,
        prompt=row.prompt,
        tokens=row.tokens,
        when=condition_from_json(json.loads(row.condition)),
        summed_up=row.summed_up,
    )


def _settle(connection: Connection, row: Any, judgement: Judgement, now: Millis) -> bool:
    """Writes what became of one question: the change with its notices, or that it was not told. Returns
    whether it is told."""
    if judgement.told:
        found = NewChange(
            sentinel=row.sentinel_id,
            old_version=row.old_version,
            new_version=row.new_version,
            findings=tuple(finding_from_json(one) for one in row.findings),
            notices=with_judgement([Notice(**one) for one in row.notices], judgement),
            judgement=judgement,
        )
        result = CheckResult(
            page=row.page_id, asked=0, due=0, failures=0, look=Look(why="", decision=""), changes=(found,)
        )
        write_changes(connection, with_what_fires(connection, [result], now), now)
    settled: dict[str, Any] = {
        "state": "told" if judgement.told else "not told",
        "judgement": judgement_text(judgement),
        "notices": [],
        "prompt": "",
        "owner": "",
        "lease": 0,
    }
    connection.execute(update(question).where(question.c.id == row.id).values(**settled))
    return judgement.told


def _judged_change(row: Any) -> JudgedChange:
    judgement = judgement_from_json(json.loads(row.judgement))
    assert judgement is not None, "a settled question has a judgement"
    return JudgedChange(
        sentinel=row.watching,
        page=row.page_id,
        url=row.url,
        old_version=row.old_version,
        new_version=row.new_version,
        found_at=row.found_at,
        findings=tuple(finding_from_json(one) for one in row.findings),
        judgement=judgement,
    )


def _held_by(item: WaitingQuestion) -> ColumnElement[bool]:
    return (question.c.id == item.id) & (question.c.token == item.token) & (question.c.state == "waiting")


def _known(connection: Connection, keys: Iterable[str]) -> dict[str, Answer]:
    wanted = list(keys)
    rows = connection.execute(select(answer).where(answer.c.key.in_(wanted))) if wanted else ()
    return {row.key: answer_from_json(json.loads(row.content)) for row in rows}


def _remember(connection: Connection, key: str, said: Answer, now: Millis) -> None:
    content = sound(json.dumps(answer_as_json(said)))
    connection.execute(insert_new(connection, answer).values(key=key, at=now, content=content))


def _spent(connection: Connection, payer: int, now: Millis, *, lock: bool = False) -> Spent:
    mine = (spending.c.user_id == payer) & (spending.c.day == now // DAY)
    query = select(spending).where(mine)
    row = connection.execute(query.with_for_update() if lock else query).first()
    return _as_spent(row) if row else Spent()


def _as_spent(row: Any) -> Spent:
    return Spent(questions=row.questions, read=row.tokens_read, written=row.tokens_written, time=row.time_ms)


def _spend(connection: Connection, payer: int, more: Spent, now: Millis) -> None:
    """Adds what a question took to the day of its user; a negative number gives back what was charged too
    much."""
    if more == Spent():
        return
    connection.execute(insert_new(connection, spending).values(user_id=payer, day=now // DAY))
    mine = (spending.c.user_id == payer) & (spending.c.day == now // DAY)
    numbers = {
        spending.c.questions: more.questions,
        spending.c.tokens_read: more.read,
        spending.c.tokens_written: more.written,
        spending.c.time_ms: more.time,
    }
    added = {column: later(column + number, 0) for column, number in numbers.items()}
    connection.execute(update(spending).where(mine).values(added))
