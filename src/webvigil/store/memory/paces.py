"""Paces in memory: the memory of each page's best-effort rule, and the steering that all workers share."""

from __future__ import annotations

from collections.abc import Callable

from webvigil.model.moment import NEVER, Millis
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.store.memory.rows import Part


class MemoryPaces(Part):
    def get(self, page: int) -> PaceRecord | None:
        with self._rows.lock:
            active = any(watch.interval == 0 for watch in self._rows.active_watches(page))
            return self._rows.pages[page].pace if active else None

    def hint(self, page: int, at: Millis, why: str = "a hint") -> None:
        rows = self._rows
        with rows.lock:
            if self.get(page) is None:
                return
            row = rows.pages[page]
            row.pings += 1
            row.asked += 1
            for watch in rows.on_change(page):
                watch.next_at = min(watch.next_at, at)
            if row.due > at:
                row.due, row.wish = at, why
            rows.settle(row.host)

    def shares(self, hosts: int) -> Shares:
        with self._rows.lock:
            asking = [page for page in self._rows.pages.values() if page.due < NEVER]
            sums: dict[str, float] = {}
            for page in asking:
                sums[page.host.name] = sums.get(page.host.name, 0.0) + page.share
            heaviest = sorted(sums, key=sums.__getitem__, reverse=True)[:hosts]
            return Shares(total=sum(sums.values()), hosts={name: sums[name] for name in heaviest})

    def host_share(self, host: str) -> float:
        return self.shares(len(self._rows.hosts)).hosts.get(host, 0.0)

    def steering(self) -> Steering:
        return self._rows.steering

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        with self._rows.lock:
            self._rows.steering = change(self._rows.steering)
            return self._rows.steering
