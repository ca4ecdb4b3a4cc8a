"""The outbox in memory: notices are leased, retried and settled. Settled rows stay: none is sent twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis
from webvigil.model.notice import AT_ONCE, Notice, OutboxRecord, Receipt, Stuck, Waiting
from webvigil.model.notice import Told as ToldNotices
from webvigil.model.work import Backlog, OutboxItem, UndeliveredNotice
from webvigil.store.memory.rows import OutboxRow, Part


class MemoryOutbox(Part):
    def add(self, notice: Notice) -> bool:
        with self._rows.lock:
            return bool(self._rows.write_notices([notice]))

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        with self._rows.lock:
            now = self._rows.now()
            ready = sorted(self._first_of_queues(now), key=_urgency)[:count]
            for row in ready:
                row.lease, row.owner = now + lease, worker
                row.token += 1
            return [
                OutboxItem(id=row.id, token=row.token, attempts=row.attempts, notice=row.notice)
                for row in ready
            ]

    def _first_of_queues(self, now: Millis) -> Iterable[OutboxRow]:
        """Yields the notices that may be delivered now. A notice that waits blocks those behind it in its
        queue."""
        blocked: set[str] = set()
        for row in self._unsettled():
            if row.ready > now or row.state == "held":
                blocked.add(row.notice.queue)
            elif row.notice.queue not in blocked:
                yield row

    def _unsettled(self) -> list[OutboxRow]:
        return sorted((row for row in self._rows.outbox.values() if row.unsettled), key=lambda row: row.id)

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        return self._settle(item, state="delivered", settled_at=as_millis(receipt.delivered_at))

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool:
        due, attempts = self._rows.now() + wait, item.attempts + tried
        return self._settle(item, state="pending", due=due, error=error, attempts=attempts)

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        return self._settle(item, state="given up", error=error)

    def hold(self, item: OutboxItem, *, until: Millis) -> bool:
        return self._settle(item, state="held", due=until, attempts=item.attempts)

    def put_back(self, items: Sequence[OutboxItem]) -> None:
        for item in items:
            self._settle(item, state="pending", due=self._rows.now(), attempts=item.attempts)

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]:
        with self._rows.lock:
            tokens = {row.id: row for row in self._unsettled() if row.state == "pending" and row.owner}
            held = [one for one in items if one.id in tokens and tokens[one.id].token == one.token]
            for item in held:
                tokens[item.id].lease = self._rows.now() + lease
            return held

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None:
        for item, receipt in told:
            self.delivered(item, receipt)

    def ripe(self, *, limit: int) -> list[Notice]:
        with self._rows.lock:
            now = self._rows.now()
            ready = [row for row in self._unsettled() if row.state == "held" and row.ready <= now]
            first: dict[str, Notice] = {}
            for row in ready:
                first.setdefault(row.notice.queue, row.notice)
            return list(first.values())[:limit]

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]:
        with self._rows.lock:
            now = self._rows.now()
            return [
                Waiting(id=row.id, since=row.created_at, due=row.due, notice=row.notice)
                for row in self._unsettled()
                if row.notice.queue == queue and row.lease <= now and (row.due <= now or not due)
            ][:limit]

    def place(self, ids: Iterable[int], *, until: Millis) -> None:
        with self._rows.lock:
            for row in self._among(ids):
                row.due = until

    def merge(self, ids: Sequence[int], summary: Notice) -> bool:
        with self._rows.lock:
            now = self._rows.now()
            found = [row for row in self._among(ids) if row.lease <= now]
            if len(found) != len(ids):
                return False
            for row in found:
                row.state, row.due, row.settled_at, row.merged_into = "merged", NEVER, now, summary.dedup
            self._rows.write_notices([summary])
            return True

    def let_go(self, waiting: Waiting) -> bool:
        with self._rows.lock:
            found = [row for row in self._among([waiting.id]) if row.lease <= self._rows.now()]
            for row in found:
                row.notice, row.state, row.due = row.notice.at_once(), "pending", self._rows.now()
            return bool(found)

    def wake(self, user: str, channel: str, address: str) -> int:
        with self._rows.lock:
            found = [
                row
                for row in self._unsettled()
                if row.state == "held"
                and not row.notice.waits
                and (row.notice.user, row.notice.channel, row.notice.address) == (user, channel, address)
            ]
            for row in found:
                row.due = self._rows.now()
            return len(found)

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]:
        with self._rows.lock:
            return sorted(
                row.settled_at
                for row in self._rows.outbox.values()
                if row.state == "delivered"
                and row.notice.user == user
                and row.notice.channel in channels
                and row.settled_at is not None
                and row.settled_at > since
            )

    def given_up(self, user: str | None = None, *, limit: int | None = None) -> list[UndeliveredNotice]:
        return [
            UndeliveredNotice(id=one.id, notice=one.notice, attempts=one.attempts, error=one.error)
            for one in self.all(user, state="given up", limit=NEVER if limit is None else limit)
        ]

    def stuck(self, user: str) -> list[Stuck]:
        groups: dict[tuple[bool, str, str], list[OutboxRecord]] = {}
        for state in ("given up", "pending"):
            for one in self.all(user, state=state, limit=NEVER):
                if one.error:
                    key = state == "given up", one.notice.channel, one.notice.address
                    groups.setdefault(key, []).append(one)
        return [
            Stuck(channel=channel, address=address, count=len(mine), error=mine[0].error, given_up=given_up)
            for (given_up, channel, address), mine in groups.items()
        ]

    def count_delivered(self, user: str, *, since: Millis) -> int:
        with self._rows.lock:
            mine = (row for row in self._rows.outbox.values() if row.notice.user == user)
            return sum(row.state == "delivered" and (row.settled_at or 0) >= since for row in mine)

    def all(
        self, user: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[OutboxRecord]:
        with self._rows.lock:
            rows = sorted(self._rows.outbox.values(), key=lambda row: -row.id)
            found = (row for row in rows if user in (None, row.notice.user) and state in (None, row.state))
            return [_record(row) for row, _ in zip(found, range(limit), strict=False)]

    def revive(self, user: str | None = None, *, notice: int | None = None) -> int:
        with self._rows.lock:
            found = [
                row
                for row in self._rows.outbox.values()
                if row.state == "given up" and user in (None, row.notice.user) and notice in (None, row.id)
            ]
            for row in found:
                row.state, row.attempts, row.due, row.lease = "pending", 0, self._rows.now(), 0
            return len(found)

    def told(self, user: str, sentinels: Collection[str]) -> dict[str, ToldNotices]:
        with self._rows.lock:
            times: dict[str, list[Millis]] = {}
            for row in self._rows.outbox.values():
                mine = row.notice.user == user and row.notice.sentinel in sentinels
                if mine and row.state in ("delivered", "merged") and row.settled_at is not None:
                    times.setdefault(row.notice.sentinel, []).append(row.settled_at)
            return {
                name: ToldNotices(count=len(found), last=as_datetime(max(found)))
                for name, found in times.items()
            }

    def take_over(self) -> None:
        with self._rows.lock:
            for row in self._rows.outbox.values():
                if row.owner:
                    row.lease, row.owner = 0, ""
                    row.token += 1

    def next_at(self) -> Millis | None:
        with self._rows.lock:
            first = min((row.ready for row in self._rows.outbox.values()), default=NEVER)
            return None if first >= NEVER else max(0, first - self._rows.now())

    def backlog(self) -> Backlog:
        rows = self._rows.outbox.values()
        waiting = sum(row.unsettled and row.ready < NEVER for row in rows)
        return Backlog(pending=waiting, given_up=sum(row.state == "given up" for row in rows))

    def _among(self, ids: Iterable[int]) -> list[OutboxRow]:
        wanted = set(ids)
        return [row for row in self._unsettled() if row.id in wanted]

    def _settle(
        self,
        item: OutboxItem,
        *,
        state: str,
        due: Millis = NEVER,
        error: str = "",
        settled_at: Millis | None = None,
        attempts: int | None = None,
    ) -> bool:
        with self._rows.lock:
            row = self._rows.outbox[item.notice.dedup]
            if row.token != item.token:
                return False
            row.state, row.due, row.lease, row.owner, row.error = state, due, 0, "", error
            row.attempts = item.attempts + 1 if attempts is None else attempts
            row.settled_at = settled_at
            return True


def _urgency(row: OutboxRow) -> tuple[bool, int]:
    return row.notice.lane != AT_ONCE, row.id


def _record(row: OutboxRow) -> OutboxRecord:
    return OutboxRecord(
        id=row.id,
        notice=row.notice,
        state=row.state,
        attempts=row.attempts,
        error=row.error,
        created_at=as_datetime(row.created_at),
        due=None if row.due >= NEVER else as_datetime(row.due),
        settled_at=None if row.settled_at is None else as_datetime(row.settled_at),
        merged_into=row.merged_into,
    )
