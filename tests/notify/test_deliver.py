"""Tests that no contact waits for another, and that a dead worker's notices are taken up soon (N5)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import wraps
from types import SimpleNamespace
from typing import Any

import pytest

from tests.notify.telling import change
from webvigil.errors import ChannelLocked, StoreBusy
from webvigil.model.moment import NEVER
from webvigil.model.notice import Notice, Receipt
from webvigil.notify import deliver
from webvigil.notify.deliver import Delivery
from webvigil.store.memory import MemoryKnowledge


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs the test in an event loop of its own."""

    @wraps(test)
    def run(*given: Any, **more: Any) -> None:
        asyncio.run(test(*given, **more))

    return run


class Door:
    """A channel that takes notices to others at once, and notices to `slow` only after it is opened."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.begun: set[str] = set()
        self.told: list[str] = []

    async def send(self, notice: Notice) -> Receipt:
        self.begun.add(notice.dedup)
        if notice.address.startswith("slow"):
            await self.open.wait()
        self.told.append(notice.dedup)
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))


class Post:
    """An outbox by a clock that stands still until the test moves it, and a worker that delivers from it."""

    def __init__(self, lease: int = 30_000) -> None:
        self.now = 0
        self.knowledge = MemoryKnowledge(clock=lambda: self.now)
        self.knowledge.users.add("jill")
        self.door = Door()
        channels = {"webhook": self.door, "email": self.door}
        self.delivery = Delivery(self.knowledge.outbox, channels, lease=lease)

    def add(self, *names: str, to: str, channel: str = "webhook") -> None:
        for name in names:
            self.knowledge.outbox.add(change(name, channel=channel, to=to))

    async def begins(self, waits: Any = None) -> int:
        return await self.delivery.begin("w1", waits=waits)

    async def tells(self, *names: str) -> None:
        await _until(lambda: set(names) <= set(self.door.told))

    async def ends(self) -> None:
        self.door.open.set()
        await self.delivery.close()

    def states(self) -> dict[str, str]:
        return {one.notice.dedup: one.state for one in self.knowledge.outbox.all()}


async def _until(enough: Callable[[], Any], within: float = 60.0) -> None:
    end = time.monotonic() + within
    while not enough():
        assert time.monotonic() < end, "it takes too long"
        await asyncio.sleep(0.01)


@awaited
async def test_what_comes_later_does_not_wait_for_a_slow_receiver():
    post = Post()
    post.add("1", "2", to="slow")
    assert await post.begins()
    post.add("3", to="quick")
    await post.begins()
    await post.tells("3")
    assert post.door.told == ["3"]
    await post.ends()


@awaited
async def test_a_hundred_slow_receivers_do_not_keep_a_quick_one_waiting():
    post = Post()
    for number in range(100):
        post.add(f"s{number}", to=f"slow {number}")
    post.add("quick", to="quick")
    while await post.begins():
        pass
    await post.tells("quick")
    await post.ends()


@awaited
async def test_the_queue_of_a_slow_receiver_is_told_in_order_and_each_once():
    post = Post()
    names = [str(number) for number in range(20)]
    post.add(*names, to="slow")
    await post.begins()
    await asyncio.sleep(0.7)
    assert await post.begins() == 0, "none behind one that is under way"
    post.door.open.set()
    await _until(lambda: len(post.door.told) == 1)
    await post.delivery.all_done()
    while await post.begins():
        await post.delivery.all_done()
    assert post.door.told == names
    assert set(post.states().values()) == {"delivered"}


@awaited
async def test_what_is_under_way_longer_than_a_lease_stays_ours(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(deliver, "RENEWALS", 3000)
    post = Post()
    post.add("1", "2", to="slow")
    renew, renewals = post.knowledge.outbox.renew, 0

    def counted(*asked: Any, **more: Any) -> Any:
        nonlocal renewals
        renewed = renew(*asked, **more)
        renewals += 1
        return renewed

    monkeypatch.setattr(post.knowledge.outbox, "renew", counted)
    await post.begins()
    for _ in range(10):
        until = renewals + 2  # the second one began after the clock was moved
        await _until(lambda until=until: renewals >= until)
        post.now += 20_000
        assert post.knowledge.outbox.claim("w2", count=9, lease=30_000) == []
    await post.ends()
    assert post.states()["1"] == "delivered"


@awaited
async def test_a_lease_that_was_renewed_is_trusted_for_as_long_again(monkeypatch: pytest.MonkeyPatch):
    """The second notice begins after the first lease is over."""
    now = [0.0]
    monkeypatch.setattr(deliver, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(deliver, "RENEWALS", 30_000)
    monkeypatch.setattr(deliver, "A_MOMENT", 60.0)
    post = Post()
    post.add("1", "2", to="slow")
    renew, renewed_at = post.knowledge.outbox.renew, list[float]()

    def noted(*asked: Any, **more: Any) -> Any:
        renewed_at.append(now[0])
        return renew(*asked, **more)

    monkeypatch.setattr(post.knowledge.outbox, "renew", noted)
    await post.begins()
    now[0] = 20.0
    await _until(lambda: renewed_at.count(20.0) >= 2)
    now[0] = 30.0
    post.door.open.set()
    await post.delivery.all_done()
    assert post.door.told == ["1", "2"]
    await post.ends()


@awaited
async def test_leases_are_renewed_three_times_before_they_end(monkeypatch: pytest.MonkeyPatch):
    pauses, sleep = list[float](), asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0.001)

    post = Post(lease=30_000)
    post.add("1", to="slow")
    with monkeypatch.context() as patched:
        patched.setattr("webvigil.notify.deliver.asyncio.sleep", noted)
        await post.begins()
        while len(pauses) < 2:
            await sleep(0.001)
        await post.ends()
    assert set(pauses) == {10.0}


@awaited
async def test_nothing_runs_after_the_end():
    post = Post()
    for name in "12":
        post.add(name, to=f"slow {name}")
        await post.begins()
    post.door.open.set()
    await post.delivery.all_done()
    assert set(post.states().values()) == {"delivered"}
    await post.ends()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


@awaited
async def test_what_a_dead_worker_held_is_taken_up_after_its_lease_with_what_stands_behind():
    post = Post()
    post.add("1", "2", "3", to="slow")
    assert len(post.knowledge.outbox.claim("dead", count=2, lease=30_000)) == 2
    post.door.open.set()
    post.now = 29_999
    assert await post.begins() == 0
    post.now = 30_000
    assert await post.begins() == 3
    await post.tells("1", "2", "3")
    assert post.door.told == ["1", "2", "3"]
    await post.ends()


@awaited
async def test_a_worker_that_lost_its_lease_sends_nothing_more(monkeypatch: pytest.MonkeyPatch):
    post = Post(lease=200)
    post.add("1", "2", to="quick")

    def away(*_: Any, **__: Any) -> Any:
        raise StoreBusy("the database does not answer")

    monkeypatch.setattr(post.knowledge.outbox, "renew", away)
    claim = post.knowledge.outbox.claim

    def slowly(*asked: Any, **more: Any) -> Any:
        items = claim(*asked, **more)
        time.sleep(0.3)
        return items

    monkeypatch.setattr(post.knowledge.outbox, "claim", slowly)
    await post.begins()
    await post.delivery.all_done()
    assert post.door.told == []
    assert set(post.states().values()) == {"pending"}


@pytest.mark.parametrize(("claimed_after", "begins"), [(26.9, True), (27.0, False)])
@awaited
async def test_no_sending_begins_after_nine_tenths_of_a_lease(
    claimed_after: float, begins: bool, monkeypatch: pytest.MonkeyPatch
):
    now, post = [0.0], Post(lease=30_000)
    monkeypatch.setattr(deliver, "time", SimpleNamespace(monotonic=lambda: now[0]))
    claim = post.knowledge.outbox.claim

    def slowly(*asked: Any, **more: Any) -> Any:
        items = claim(*asked, **more)
        now[0] = claimed_after
        return items

    monkeypatch.setattr(post.knowledge.outbox, "claim", slowly)
    post.add("1", to="quick")
    await post.begins()
    await post.delivery.all_done()
    assert post.door.told == ["1"] * begins
    await post.ends()


@awaited
async def test_a_notice_that_could_not_begin_is_not_overtaken_by_one_whose_lease_is_renewed(
    monkeypatch: pytest.MonkeyPatch,
):
    now = [0.0]
    monkeypatch.setattr(deliver, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(deliver, "RENEWALS", 30_000)
    post, renewals, wanted = Post(), list[int](), threading.Event()
    box = post.knowledge.outbox
    post.add("1", "2", to="quick")
    claim, renew, put_back = box.claim, box.renew, box.put_back

    def slowly(*asked: Any, **more: Any) -> Any:
        items = claim(*asked, **more)
        now[0] = 28.0
        return items

    def late(*asked: Any, **more: Any) -> Any:
        assert wanted.wait(60)
        renewals.append(1)
        return renew(*asked, **more)

    def meanwhile(items: Any) -> None:
        wanted.set()
        while len(renewals) < 2:
            time.sleep(0.001)
        put_back(items)

    monkeypatch.setattr(box, "claim", slowly)
    monkeypatch.setattr(box, "renew", late)
    monkeypatch.setattr(box, "put_back", meanwhile)
    await post.begins()
    await post.delivery.all_done()
    assert (post.door.told, post.states()) == ([], {"1": "pending", "2": "pending"})
    await post.ends()


class Gate:
    """Waits that hold the first notice that they are asked for, or none. They note what they are asked, what
    they let through, and whether they are asked in the main thread."""

    def __init__(self, *, known: bool = False, holds: bool = False) -> None:
        self._known, self._holds = known, holds
        self.asked: list[str] = []
        self.let_through: list[str] = []
        self.threads: set[bool] = set()

    def knows(self, notice: Notice) -> bool:
        return self._known

    def until(self, notice: Notice) -> int:
        self.asked.append(notice.dedup)
        self.threads.add(threading.current_thread() is threading.main_thread())
        return NEVER if self._holds and len(self.asked) == 1 else 0

    def passed(self, notice: Notice) -> None:
        self.let_through.append(notice.dedup)


@awaited
async def test_a_notice_to_a_person_that_has_to_wait_holds_those_behind_it():
    post, gate = Post(), Gate(holds=True)
    post.add("1", "2", to="jill@a.test", channel="email")
    await post.begins(gate)
    await post.delivery.all_done()
    assert post.states() == {"1": "held", "2": "pending"}
    assert (post.door.told, gate.asked, gate.let_through) == ([], ["1"], [])
    await post.ends()


@awaited
async def test_notices_to_a_person_that_need_not_wait_are_told_in_order_and_counted():
    post, gate = Post(), Gate()
    post.add("1", "2", to="jill@a.test", channel="email")
    await post.begins(gate)
    await post.delivery.all_done()
    assert post.door.told == gate.asked == gate.let_through == ["1", "2"]
    await post.ends()


@awaited
async def test_a_program_is_told_whatever_holds_the_notices_to_people():
    post, gate = Post(), Gate()
    post.add("1", to="quick")
    await post.begins(gate)
    await post.delivery.all_done()
    assert (post.door.told, gate.asked, gate.let_through) == (["1"], [], [])
    await post.ends()


@pytest.mark.parametrize("known", [False, True])
@awaited
async def test_only_a_question_to_the_database_is_asked_in_a_thread(known: bool):
    post, gate = Post(), Gate(known=known)
    post.add("1", to="jill@a.test", channel="email")
    await post.begins(gate)
    await post.delivery.all_done()
    assert gate.threads == {known}
    await post.ends()


@awaited
async def test_notices_to_people_count_as_under_way_until_they_are_told():
    post = Post()
    post.add("1", to="slow 1", channel="email")
    post.add("2", to="slow 2", channel="email")
    post.add("3", to="slow")
    await post.begins()
    await _until(lambda: post.door.begun == {"1", "2", "3"})
    assert (post.delivery.under_way("jill"), post.delivery.under_way("jack")) == (2, 0)
    post.door.open.set()
    await post.delivery.all_done()
    assert post.delivery.under_way("jill") == 0
    await post.ends()


@awaited
async def test_what_was_told_while_the_database_was_away_is_written_with_the_next(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    post = Post()
    post.add("1", to="quick")
    write, away = post.knowledge.outbox.delivered_all, [True]

    def maybe(told: Any) -> None:
        if away.pop() if away else False:
            raise StoreBusy("the database does not answer")
        write(told)

    monkeypatch.setattr(post.knowledge.outbox, "delivered_all", maybe)
    await post.begins()
    with pytest.raises(StoreBusy):
        await post.delivery.all_done()
    assert caplog.messages == ["Delivering notices was interrupted: the database does not answer"]
    post.add("2", to="another")
    await post.begins()
    await post.delivery.all_done()
    assert post.states() == {"1": "delivered", "2": "delivered"}
    assert post.door.told == ["1", "2"]


class Locked(Door):
    locked = True

    async def send(self, notice: Notice) -> Receipt:
        if self.locked:
            raise ChannelLocked("sealed with another secret_key")
        return await super().send(notice)


@awaited
async def test_what_waits_for_a_key_is_never_given_up_and_is_told_when_the_key_is_back():
    now = [0]
    knowledge = MemoryKnowledge(clock=lambda: now[0])
    knowledge.users.add("jill")
    door = Locked()
    delivery = Delivery(knowledge.outbox, {"webhook": door})
    for name in "12":
        knowledge.outbox.add(change(name, channel="webhook", to="quick"))
    for _ in range(20):
        await delivery.begin("w1")
        await delivery.all_done()
        now[0] += 60_000
    waiting = {one.notice.dedup: one for one in knowledge.outbox.all()}
    assert [one.state for one in waiting.values()] == ["pending", "pending"]
    assert (waiting["1"].error, waiting["1"].attempts) == ("sealed with another secret_key", 0)
    door.locked = False
    await delivery.begin("w1")
    await delivery.all_done()
    assert door.told == ["1", "2"]
