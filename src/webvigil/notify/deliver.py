"""Due notices of the outbox in, delivered or retried notices out: at least once and in order (N5).

Each queue of notices is worked off in order, and all queues at the same time. After a failure the rest of a
queue waits behind the failed notice, which is tried again after a growing pause. A notice that cannot be
delivered is kept and shown to its user. No queue waits for another: sending goes on while the next notices
are claimed. Notices in progress are leased and the leases renewed, so that another worker takes them up soon
after a worker has died.
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
from webvigil.model.channels import FOR_PEOPLE
from webvigil.model.moment import HOUR, Millis
from webvigil.model.notice import Receipt
from webvigil.model.work import OutboxItem
from webvigil.notify.channel import Channel
from webvigil.notify.waits import Waits

# A worker that died delays its notices by one lease at most. The pauses between attempts double from the
# first wait to the longest.
LEASE: Millis = 30_000
FIRST_WAIT: Millis = 30_000
LONGEST_WAIT: Millis = 6 * HOUR
# How long to wait before looking again whether the missing key for a sealed secret is there.
LOCKED_WAIT: Millis = 15_000
# After so many attempts the notice is given up. With doubling pauses the last one comes at least 14.5 hours
# after the first. No single attempt may take longer than the longest sending (in seconds).
MOST_ATTEMPTS = 12
LONGEST_SENDING = 45.0
_NOT_HERE = {
    "email": "no mail server is set; an administrator names one in the settings",
    "apprise": "chat, push and SMS are not set up on this server",
}
# So many notices are being sent at a time. A notice that takes longer than a moment (in seconds) gives its
# slot to the next, so that slow receivers do not block the others.
AT_A_TIME = 32
A_MOMENT = 0.5
# Leases are renewed every third of their length, so that one failed renewal does no harm. No sending begins
# after nine tenths of a lease, because another worker may soon claim the notice.
RENEWALS, TRUSTED = 3, 0.9

_log = logging.getLogger("webvigil.notify")


class Box(Protocol):
    """The methods of the outbox that delivery calls."""

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]: ...

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None: ...

    def retry(self, item: OutboxItem, *, wait: Millis, error: str, tried: bool = True) -> bool: ...

    def give_up(self, item: OutboxItem, *, error: str) -> bool: ...

    def hold(self, item: OutboxItem, *, until: Millis) -> bool: ...

    def put_back(self, items: Sequence[OutboxItem]) -> None: ...

    def renew(self, items: Sequence[OutboxItem], *, lease: Millis) -> list[OutboxItem]: ...


class Delivery:
    """The notices that one worker is delivering."""

    def __init__(self, box: Box, channels: Mapping[str, Channel], *, lease: Millis = LEASE) -> None:
        self._box = box
        self._channels = channels
        self._lease = lease
        self._slots = asyncio.Semaphore(AT_A_TIME)
        self._queues: set[asyncio.Task[None]] = set()
        # The leased notices by id, each with the time (of time.monotonic()) until which the lease is trusted.
        self._held: dict[int, tuple[OutboxItem, float]] = {}
        self._renewing: asyncio.Task[None] | None = None
        self._passed: Counter[str] = Counter()
        self._told: list[tuple[OutboxItem, Receipt]] = []
        self._settling = False
        self._stopping = False

    async def begin(self, worker: str, *, waits: Waits | None = None, count: int = 100) -> int:
        """Claims the notices that are due and starts to deliver them. Returns their number without waiting
        for any of them."""
        asked_at = time.monotonic()
        items = await asyncio.to_thread(self._box.claim, worker, count=count, lease=self._lease)
        self._hold(items, asked_at)
        for queue in _queues(items):
            task = asyncio.create_task(self._work_off(queue, waits))
            self._queues.add(task)
            task.add_done_callback(self._ended)
        if items and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renew())
        return len(items)

    async def all_done(self) -> None:
        """Waits until no notice is being delivered. Raises the error that stopped one of the queues, if
        any."""
        await asyncio.gather(*self._queues)

    async def close(self) -> None:
        """Starts no further delivery, and waits for those in progress."""
        self._stopping = True
        await asyncio.gather(*self._queues, return_exceptions=True)
        if self._renewing:
            self._renewing.cancel()

    def under_way(self, user: str) -> int:
        """Returns how many notices to a user need not wait and are not yet recorded as delivered."""
        return self._passed[user]

    # --- Leases ------------------------------------------------------------------------------------

    def _hold(self, items: Sequence[OutboxItem], asked_at: float) -> None:
        """Remembers the leases of these notices, counted from the moment they were asked for."""
        end = asked_at + self._lease / 1000 * TRUSTED
        self._held.update({item.id: (item, end) for item in items})

    def _let_go(self, items: Sequence[OutboxItem]) -> None:
        for item in items:
            self._held.pop(item.id, None)

    def _may_begin(self, item: OutboxItem) -> bool:
        """Returns True if the lease of this notice can still be trusted and the worker is not stopping."""
        _, end = self._held.get(item.id, (item, 0.0))
        return not self._stopping and time.monotonic() < end

    async def _renew(self) -> None:
        """Renews all leases from time to time, until no notice is held any more."""
        while self._held:
            await asyncio.sleep(self._lease / 1000 / RENEWALS)
            asked_at, items = time.monotonic(), [item for item, _ in self._held.values()]
            with suppress(StoreError):  # only time ends a lease, so a database that fails once does no harm
                renewed = await asyncio.to_thread(self._box.renew, items, lease=self._lease)
                self._hold([item for item in renewed if item.id in self._held], asked_at)

    # --- Queues ------------------------------------------------------------------------------------

    async def _work_off(self, queue: list[OutboxItem], waits: Waits | None) -> None:
        """Delivers the notices of a queue in order, until one of them has to wait or is slow. The notices
        behind that one were not tried; they are put back, so that they can be claimed again."""
        try:
            for number, item in enumerate(queue):
                async with self._slots:
                    telling = asyncio.create_task(self._tell_if_it_may(item, waits))
                    # At its timeout wait() does not cancel the task: a slow sending goes on, but frees its
                    # slot.
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

    async def _tell_if_it_may(self, item: OutboxItem, waits: Waits | None) -> bool:
        """Delivers a notice that need not wait, if its lease holds. Returns True if the next of its queue may
        follow."""
        if not self._may_begin(item):
            await self._put_back([item])
            return False
        if not await self._passes(item, waits):
            return False
        user = item.notice.user if item.notice.channel in FOR_PEOPLE else ""
        self._passed[user] += 1
        try:
            return await self._tell(item)
        finally:
            self._passed[user] -= 1

    async def _passes(self, item: OutboxItem, waits: Waits | None) -> bool:
        """Returns True if the notice may go now. If not, it is held until the time that `waits` gives."""
        if waits is None or item.notice.channel not in FOR_PEOPLE:
            return True
        if waits.knows(item.notice):
            until = waits.until(item.notice)
        else:
            until = await asyncio.to_thread(waits.until, item.notice)
        if until:
            await asyncio.to_thread(self._box.hold, item, until=until)
            return False
        waits.passed(item.notice)
        return True

    async def _tell(self, item: OutboxItem) -> bool:
        """Sends a notice and records the outcome. Returns True if the next notice of the queue may follow."""
        try:
            receipt = await self._send(item)
        except ChannelError as error:
            return await asyncio.to_thread(_failed, self._box, item, error)
        self._told.append((item, receipt))
        await self._settle()
        return True

    async def _send(self, item: OutboxItem) -> Receipt:
        """Sends a notice through its channel. Every failure comes out as ChannelBusy or ChannelRefused."""
        channel = self._channels.get(item.notice.channel)
        if channel is None:
            raise ChannelRefused(
                _NOT_HERE.get(item.notice.channel, f"{item.notice.channel} is not set up here")
            )
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
        """Records delivered notices in the outbox. Notices that are delivered during one write are recorded
        together by the next write; if a write fails, its notices are recorded with the next."""
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
    """Groups notices by their queue, keeping their order."""
    queues: dict[str, list[OutboxItem]] = {}
    for item in items:
        queues.setdefault(item.notice.queue, []).append(item)
    return list(queues.values())


def _failed(box: Box, item: OutboxItem, error: ChannelError) -> bool:
    """Records a failed attempt: try later, or give up. Returns True if the next notice of the queue may
    follow."""
    if isinstance(error, ChannelLocked):  # no receiver was asked, so it does not count as an attempt
        box.retry(item, wait=LOCKED_WAIT, error=str(error), tried=False)
        return False
    if not isinstance(error, ChannelBusy) or item.attempts + 1 >= MOST_ATTEMPTS:
        box.give_up(item, error=str(error))
        return True
    wait = min(max(FIRST_WAIT * 2**item.attempts, error.wait), LONGEST_WAIT)
    box.retry(item, wait=wait, error=str(error))
    return False
