"""Settings in, the pacing of pages out; and a worker's part in keeping to the budget of looks (A4).

A worker counts its looks, reports them to the database every few seconds, and reads there what a look costs.
Looks that a best-effort rule plans are drawn from a budget that all workers share, several at a time.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

from webvigil.app.settings import Settings
from webvigil.errors import SettingRefused
from webvigil.model.moment import Millis
from webvigil.model.pace import Steering
from webvigil.model.work import CheckResult, DuePage
from webvigil.pace.learned import ALONE
from webvigil.pace.pacing import Pacing
from webvigil.pace.policy import DAY, HOUR, Bounds
from webvigil.pace.steering import (
    Budget,
    Made,
    drawn,
    host_price,
    is_time_to_price,
    left_for_best_effort,
    repriced,
    with_looks,
)
from webvigil.store.promises import Paces, Schedule

_HEAVIEST = 10_000
"""Hosts whose own budget is considered when the price for all is computed; only those with the most pages."""
# Hosts whose price is kept in memory.
_REMEMBERED = 10_000
# Time after which the price of a host is computed again.
_FRESH: Millis = 600_000
_INTERVAL: Millis = 300_000
"""Interval of the policy `naive` if the setting default_interval is 0."""
# A worker draws the looks of this many seconds at once, so that it need not ask the database for each look,
# but not more than this many looks, so that other workers get their share.
_SECONDS_AT_ONCE = 2
_MOST_AT_ONCE = 100


class PaceStore(Protocol):
    """The parts of the knowledge base that pacing needs."""

    paces: Paces
    schedule: Schedule


def pacing_of(settings: Settings) -> Pacing:
    try:
        bounds = Bounds(int(settings.shortest_wait * 1000), int(settings.longest_wait * 1000))
    except ValueError as error:
        raise SettingRefused(f"shortest_wait and longest_wait: {error}") from error
    interval = int(settings.default_interval * 1000) or _INTERVAL
    return Pacing(
        name=settings.on_change,
        bounds=bounds,
        interval=interval,
        confirm_after=int(settings.confirm_after * 1000),
        second_look=int(settings.second_look * 1000),
    )


def budget_of(settings: Settings) -> Budget:
    return Budget(overall=settings.looks_per_hour, host=settings.host_looks_per_hour)


@dataclass(frozen=True, slots=True)
class _HostPrice:
    price: float
    until: Millis


class Pace:
    """Paces the pages of one worker. Without a budget each page is paced as if it were the only one."""

    def __init__(
        self, knowledge: PaceStore, pacing: Pacing | None = None, budget: Budget | None = None
    ) -> None:
        self._paces = knowledge.paces
        self._now = knowledge.schedule.now
        self._budget = budget or Budget()
        self._made = Made()
        self._price = 0.0
        self._hosts: dict[str, _HostPrice] = {}
        self._drawn = 0
        pacing = pacing or Pacing()
        if self._budget.overall or self._budget.host:
            gap = DAY if self._budget.overall else pacing.typical_gap
            least = 0.0 if self._budget.overall else ALONE
            pacing = replace(pacing, price=self._price_at, least=least, typical_gap=gap)
        self.pacing = pacing

    @property
    def is_bounded(self) -> bool:
        """Tells whether the looks of all workers together have a budget."""
        return bool(self._budget.overall)

    def turn(self) -> None:
        """Reports the looks made since the last turn to the database, and reads the current price of a
        look."""
        if not self._budget.overall:
            return
        made, self._made, now = self._made, Made(), self._now()
        steering = self._paces.steer(lambda old: with_looks(old, made, now, self._budget))
        if is_time_to_price(steering, now):
            shares = self._paces.shares(_HEAVIEST if self._budget.host else 0)
            steering = self._paces.steer(
                lambda old: repriced(old, shares, now, self._budget) if is_time_to_price(old, now) else old
            )
        self._price = steering.price

    async def wait(self, due: DuePage, now: Millis) -> Millis:
        """Returns by how many milliseconds a look must be put off to keep to the budget; 0 if it may be made
        now."""
        if self._budget.host and due.pace and not self._knows(due.page.host, now):
            await asyncio.to_thread(self._learn_host, due.page.host, now)
        if not self._budget.overall or _is_fixed(due, now) or _had_to_wait(due):
            return 0
        if not self._drawn:
            self._drawn, wait = await asyncio.to_thread(self._draw, now)
            if wait:
                return wait
        self._drawn -= 1
        return 0

    def looked(self, due: DuePage, result: CheckResult, now: Millis) -> None:
        """Counts a look that was made: as fixed, or as best-effort with the part of its interval by which it
        was late."""
        if not self._budget.overall:
            return
        made = self._made
        if _is_fixed(due, now) or result.pace is None:
            self._made = replace(made, fixed=made.fixed + 1)
        else:
            late = (now - _planned(due)) / max(result.pace.next_at - now, 1)
            self._made = replace(made, looks=made.looks + 1, late=made.late + min(late, 1.0))

    def _price_at(self, host: str) -> float | None:
        known = self._hosts.get(host)
        return max(self._price, known.price if known else 0.0) or None

    def _knows(self, host: str, now: Millis) -> bool:
        return host in self._hosts and self._hosts[host].until > now

    def _learn_host(self, host: str, now: Millis) -> None:
        if len(self._hosts) >= _REMEMBERED:
            self._hosts.clear()
        price = host_price(self._paces.host_share(host), self._budget)
        self._hosts[host] = _HostPrice(price, now + _FRESH)

    def _draw(self, now: Millis) -> tuple[int, Millis]:
        """Draws looks from the shared budget. Returns how many were granted, and how long to wait if none
        were."""
        granted, wait = 0, 0

        def take(steering: Steering) -> Steering:
            nonlocal granted, wait
            rate = left_for_best_effort(self._budget, steering.fixed_rate)
            wanted = min(max(1, round(rate * _SECONDS_AT_ONCE * 1000 / HOUR)), _MOST_AT_ONCE)
            after, granted, wait = drawn(steering, wanted, now, self._budget)
            return after

        self._paces.steer(take)
        return granted, wait


def _planned(due: DuePage) -> Millis:
    return min(watch.next_at for watch in due.watches if watch.on_change)


def _had_to_wait(due: DuePage) -> bool:
    """Tells whether the look was put off before, so that it is due later than planned. It need not wait
    again."""
    return due.due > _planned(due)


def _is_fixed(due: DuePage, now: Millis) -> bool:
    """Tells whether a look must be made whatever it costs: somebody asked for it, an interval demands it, or
    the page has no version or pace yet."""
    by_interval = any(not watch.on_change and watch.next_at <= now for watch in due.watches)
    return bool(due.wish) or due.latest is None or by_interval or due.pace is None
