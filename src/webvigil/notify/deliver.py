"""Delivery from the outbox: at least once, in order, with back-off; what cannot be delivered is kept and
shown (N5).

Queues are worked off side by side, each in order: after a failure the rest of a queue waits behind it. No
queue waits for another: what is under way goes on while the next notices are taken up. Notices under way are
leased, and the leases renewed, so that others take them up soon after a worker has died.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from webvigil.errors import ChannelBusy, ChannelError, ChannelLocked, ChannelRefused, StoreError
from webvigil.model.moment import Millis
from webvigil.model.notice import Receipt
from webvigil.model.work import OutboxItem
from webvigil.notify.channel import Channel
from webvigil.notify.channels import FOR_PEOPLE
from webvigil.notify.gate import Gate

LEASE: Millis = 30_000
FIRST_WAIT: Millis = 30_000
LONGEST_WAIT: Millis = 6 * 3_600_000
# So often we see whether a key that is missing is back.
LOCKED_WAIT: Millis = 15_000
MOST_ATTEMPTS = 12
LONGEST_SENDING = 45.0
# So many are begun at a time. One that takes longer than a moment is slow: it makes room for the next.
AT_A_TIME = 32
A_MOMENT = 0.5
# A lease is renewed at a third of it, and nothing is begun after nine tenths.
RENEWALS, TRUSTED = 3, 0.9

_log = logging.getLogger("webvigil.notify")


class Box(Protocol):
    """The part of the outbox that delivery needs."""

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]: ...

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None: ...

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool: ...

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def hold(self, item: OutboxItem, *, until: Millis) -> bool: ...

    def put_back(self, items: Sequence[OutboxItem]) -> None: ...

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]: ...


class Delivery:
    """What one worker has under way."""

    def __init__(self, box: Box, channels: Mapping[str, Channel], *, lease: Millis = LEASE) -> None:
        self._box = box
        self._channels = channels
        self._lease = lease
        self._slots = asyncio.Semaphore(AT_A_TIME)
        self._queues: set[asyncio.Task[None]] = set()
        # By id, what is leased and until when that is to be trusted, by time.monotonic().
        self._held: dict[int, tuple[OutboxItem, float]] = {}
        self._renewing: asyncio.Task[None] | None = None
        self._passed: Counter[str] = Counter()
        self._told: list[tuple[OutboxItem, Receipt]] = []
        self._settling = False
        self._stopping = False

    async def begin(self, worker: str, *, gate: Gate | None = None, count: int = 100) -> int:
        """Take up what is due now; says how many notices that are. Waits for none of them."""
        asked_at = time.monotonic()
        items = await asyncio.to_thread(self._box.claim, worker, count=count, lease=self._lease)
        self._hold(items, asked_at)
        for queue in _queues(items):
            task = asyncio.create_task(self._work_off(queue, gate))
            self._queues.add(task)
            task.add_done_callback(self._ended)
        if items and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renew())
        return len(items)

    async def all_done(self) -> None:
        """Returns when nothing is under way. Raises what one of the queues met."""
        await asyncio.gather(*self._queues)

    async def close(self) -> None:
        """Begins nothing more, and waits for what is under way."""
        self._stopping = True
        await asyncio.gather(*self._queues, return_exceptions=True)
        if self._renewing:
            self._renewing.cancel()

    def under_way(self, user: str) -> int:
        """How many notices to a person passed the gate and are not written down as delivered yet."""
        return self._passed[user]

    # --- Leases ------------------------------------------------------------------------------------

    def _hold(self, items: Sequence[OutboxItem], asked_at: float) -> None:
        end = asked_at + self._lease / 1000 * TRUSTED
        self._held.update({item.id: (item, end) for item in items})

    def _let_go(self, items: Sequence[OutboxItem]) -> None:
        for item in items:
            self._held.pop(item.id, None)

    def _may_begin(self, item: OutboxItem) -> bool:
        _, end = self._held.get(item.id, (item, 0.0))
        return not self._stopping and time.monotonic() < end

    async def _renew(self) -> None:
        while self._held:
            await asyncio.sleep(self._lease / 1000 / RENEWALS)
            asked_at, items = time.monotonic(), [item for item, _ in self._held.values()]
            with suppress(StoreError):  # a database that does not answer takes no lease away; time does
                renewed = await asyncio.to_thread(self._box.renew, items, lease=self._lease)
                self._hold([item for item in renewed if item.id in self._held], asked_at)

    # --- Queues ------------------------------------------------------------------------------------

    async def _work_off(self, queue: list[OutboxItem], gate: Gate | None) -> None:
        """Until one of them has to wait, or is slow; those behind it were not tried, and are free again."""
        try:
            for number, item in enumerate(queue):
                async with self._slots:
                    telling = asyncio.create_task(self._tell_if_it_may(item, gate))
                    await asyncio.wait({telling}, timeout=A_MOMENT)
                if not telling.done() or not telling.result():
                    await self._put_back(queue[number + 1 :])
                    await telling
                    return
                self._let_go([item])
        finally:
            self._let_go(queue)

    async def _put_back(self, items: list[OutboxItem]) -> None:
        self._let_go(items)
        if items:
            await asyncio.to_thread(self._box.put_back, items)

    async def _tell_if_it_may(self, item: OutboxItem, gate: Gate | None) -> bool:
        """Whether the next one of the queue may follow."""
        if not self._may_begin(item):
            await self._put_back([item])
            return False
        if not await self._passes(item, gate):
            return False
        user = item.notice.user if item.notice.channel in FOR_PEOPLE else ""
        self._passed[user] += 1
        try:
            return await self._tell(item)
        finally:
            self._passed[user] -= 1

    async def _passes(self, item: OutboxItem, gate: Gate | None) -> bool:
        if gate is None or item.notice.channel not in FOR_PEOPLE:
            return True
        if gate.knows(item.notice):
            until = gate.closed_until(item.notice)
        else:
            until = await asyncio.to_thread(gate.closed_until, item.notice)
        if until:
            await asyncio.to_thread(self._box.hold, item, until=until)
            return False
        gate.passed(item.notice)
        return True

    async def _tell(self, item: OutboxItem) -> bool:
        try:
            receipt = await self._send(item)
        except ChannelError as error:
            return await asyncio.to_thread(_failed, self._box, item, error)
        self._told.append((item, receipt))
        await self._settle()
        return True

    async def _send(self, item: OutboxItem) -> Receipt:
        channel = self._channels.get(item.notice.channel)
        if channel is None:
            raise ChannelRefused(f"there is no channel {item.notice.channel!r} here")
        try:
            async with asyncio.timeout(LONGEST_SENDING):
                return await channel.send(item.notice)
        except TimeoutError as error:
            raise ChannelBusy(f"not taken within {LONGEST_SENDING:g} seconds") from error
        except ChannelError:
            raise
        except Exception as error:
            _log.exception("Delivering a notice by %s failed with an unexpected error.", item.notice.channel)
            raise ChannelBusy("a fault in WebVigil; its log tells the operator more") from error

    async def _settle(self) -> None:
        """Those that were told while the last ones were written are written together; those that could not
        be written are written with the next."""
        while self._told and not self._settling:
            self._settling = True
            told, self._told = self._told, []
            try:
                await asyncio.to_thread(self._box.delivered_all, told)
            except StoreError:
                self._told = told + self._told
                raise
            finally:
                self._settling = False

    def _ended(self, queue: asyncio.Task[None]) -> None:
        self._queues.discard(queue)
        if not queue.cancelled() and (error := queue.exception()):
            _log.warning("Delivering notices was interrupted: %s", error)


def _queues(items: Sequence[OutboxItem]) -> list[list[OutboxItem]]:
    queues: dict[str, list[OutboxItem]] = {}
    for item in items:
        queues.setdefault(item.notice.queue, []).append(item)
    return list(queues.values())


def _failed(box: Box, item: OutboxItem, error: ChannelError) -> bool:
    if isinstance(error, ChannelLocked):  # nobody was asked to take it, so it is no attempt
        box.retry(item, wait=LOCKED_WAIT, error=str(error), tried=False)
        return False
    if not error.transient or item.attempts + 1 >= MOST_ATTEMPTS:
        box.give_up(item, error=str(error))
        return True
    asked = error.wait if isinstance(error, ChannelBusy) else 0
    wait = min(max(FIRST_WAIT * 2**item.attempts, asked), LONGEST_WAIT)
    box.retry(item, wait=wait, error=str(error))
    return False
