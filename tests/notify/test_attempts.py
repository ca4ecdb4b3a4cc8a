"""What a failed attempt to deliver a notice leads to: try later, or give up (N5)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.notify.telling import change
from webvigil.errors import ChannelBusy, ChannelError, ChannelLocked, ChannelRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.model.work import OutboxItem
from webvigil.notify import deliver
from webvigil.notify.deliver import MOST_ATTEMPTS, Delivery, _failed, _queues
from webvigil.store.memory import MemoryKnowledge

HOUR = 3_600_000


class Box:
    """An outbox that notes what it is told."""

    def __init__(self) -> None:
        self.noted: list[tuple[Any, ...]] = []

    def retry(self, item: OutboxItem, *, wait: int, error: str, tried: bool = True) -> bool:
        self.noted.append(("retry", wait, error, tried))
        return True

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        self.noted.append(("give up", error))
        return True


def item(attempts: int = 0) -> OutboxItem:
    knowledge = MemoryKnowledge(clock=lambda: 0)
    knowledge.users.add("jill")
    knowledge.outbox.add(change("1", channel="webhook", to="a"))
    (one,) = knowledge.outbox.claim("w", count=1, lease=30_000)
    return replace(one, attempts=attempts)


@pytest.mark.parametrize(
    ("attempts", "error", "noted", "goes_on"),
    [
        (0, ChannelBusy("busy"), ("retry", 30_000, "busy", True), False),
        (1, ChannelBusy("busy"), ("retry", 60_000, "busy", True), False),
        (9, ChannelBusy("busy"), ("retry", 512 * 30_000, "busy", True), False),
        (0, ChannelBusy("busy", wait=30_001), ("retry", 30_001, "busy", True), False),
        (1, ChannelBusy("busy", wait=30_001), ("retry", 60_000, "busy", True), False),
        (0, ChannelBusy("busy", wait=7 * HOUR), ("retry", 6 * HOUR, "busy", True), False),
        (10, ChannelBusy("busy"), ("retry", 6 * HOUR, "busy", True), False),
        (11, ChannelBusy("busy"), ("give up", "busy"), True),
        (0, ChannelRefused("never"), ("give up", "never"), True),
        (0, ChannelLocked("no key"), ("retry", 15_000, "no key", False), False),
        (99, ChannelLocked("no key"), ("retry", 15_000, "no key", False), False),
    ],
)
def test_pauses_double_up_to_six_hours_and_a_refusal_is_final(
    attempts: int, error: ChannelError, noted: tuple[Any, ...], goes_on: bool
):
    box: Any = Box()
    assert _failed(box, item(attempts), error) is goes_on
    assert box.noted == [noted]


def test_the_last_attempt_comes_at_least_fourteen_hours_after_the_first():
    pauses = [min(30_000 * 2**attempt, 6 * HOUR) for attempt in range(MOST_ATTEMPTS - 1)]
    assert 14 * HOUR < sum(pauses) < 15 * HOUR


def test_notices_are_grouped_by_their_queue_in_order():
    one = item()
    items = [
        replace(one, id=number, notice=replace(one.notice, address=address))
        for number, address in enumerate("abacb")
    ]
    assert [[one.id for one in queue] for queue in _queues(items)] == [[0, 2], [1, 4], [3]]


class Channel:
    """A channel that fails in one way, or hangs."""

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    async def send(self, notice: Notice) -> Receipt:
        if self._error is None:
            await asyncio.sleep(60)
        assert self._error
        raise self._error


@pytest.mark.parametrize(
    ("channel", "made", "error", "words"),
    [
        ("email", {}, ChannelRefused, "no mail server is set; an administrator names one in the settings"),
        ("apprise", {}, ChannelRefused, "chat, push and SMS are not set up on this server"),
        ("webhook", {}, ChannelRefused, "webhook is not set up here"),
        ("webhook", {"webhook": Channel(None)}, ChannelBusy, "not taken within 0.01 seconds"),
        ("webhook", {"webhook": Channel(ChannelRefused("no"))}, ChannelRefused, "no"),
        (
            "webhook",
            {"webhook": Channel(KeyError("x"))},
            ChannelBusy,
            "a fault in WebVigil; its log tells the operator more",
        ),
    ],
)
def test_every_failure_has_a_sentence(
    channel: str,
    made: dict[str, Any],
    error: type[Exception],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(deliver, "LONGEST_SENDING", 0.01)
    one = item()
    box: Any = Box()
    delivery = Delivery(box, made)
    with pytest.raises(error) as caught:
        asyncio.run(delivery._send(replace(one, notice=replace(one.notice, channel=channel))))
    assert str(caught.value) == words
