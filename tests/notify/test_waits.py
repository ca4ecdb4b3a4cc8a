"""When a notice may be sent: verified addresses, the limit of the hour, and what the store is asked."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from tests.notify.telling import change
from webvigil.model.contact import Preferences
from webvigil.model.moment import HOUR, NEVER
from webvigil.model.notice import Notice
from webvigil.notify.waits import Reader, Waits

NOW = 1_000 * HOUR


class Door:
    """The waits of one round of delivery. `asked` lists the questions to the store."""

    def __init__(self, *, rate: int = 2, verified: bool = True, sent: Sequence[int] = (), under_way: int = 0):
        self.asked: list[str] = []
        self._rate, self._verified, self._sent = rate, verified, sent
        self.waits = Waits(self, self._reader, self._is_verified, NOW, lambda _: under_way)

    def sent(self, user: str, channels: Sequence[str], *, since: int) -> list[int]:
        self.asked.append("sent")
        return [at for at in self._sent if at >= since]

    def _reader(self, user: str) -> Reader:
        self.asked.append("reader")
        return Reader(preferences=Preferences(), zone=ZoneInfo("UTC"), rate=self._rate)

    def _is_verified(self, notice: Notice) -> bool:
        self.asked.append("verified")
        return self._verified


def letter(name: str = "1", to: str = "jill@a.test") -> Notice:
    return change(name, channel="email", to=to)


def test_the_first_notice_of_a_round_asks_the_database_and_the_next_one_does_not():
    door = Door()
    assert not door.waits.knows(letter())
    assert door.waits.until(letter()) == 0
    assert door.asked == ["verified", "reader", "sent"]
    assert door.waits.knows(letter("2"))
    assert not door.waits.knows(letter("2", "jack@a.test"))
    assert door.waits.until(letter("2")) == 0
    assert door.asked == ["verified", "reader", "sent"]


def test_what_passed_or_is_under_way_counts_towards_the_hour():
    door = Door(rate=2)
    for _ in range(2):
        assert door.waits.until(letter()) == 0
        door.waits.passed(letter())
    assert door.waits.until(letter()) == NOW + HOUR
    assert Door(rate=2, under_way=2).waits.until(letter()) == NOW + HOUR
    assert Door(rate=2, under_way=1).waits.until(letter()) == 0
    assert Door(rate=1, sent=[NOW - HOUR // 2]).waits.until(letter()) == NOW + HOUR // 2
    assert Door(rate=1, sent=[NOW - 2 * HOUR]).waits.until(letter()) == 0


def test_an_address_that_is_not_verified_gets_nothing_and_a_program_is_never_asked_for():
    assert Door(verified=False).waits.until(letter()) == NEVER
    door = Door(verified=False, rate=1, under_way=5)
    assert door.waits.until(change("1", channel="webhook", to="https://a.test/")) == 0
    assert door.asked == []
