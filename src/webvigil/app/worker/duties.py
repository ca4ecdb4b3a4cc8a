"""A duty that one worker does for all: taken when it is free, held while it is done, passed on by time."""

from __future__ import annotations

import time

from webvigil.model.moment import Millis
from webvigil.store.promises import Duties


class Duty:
    """`held` says whether the duty is ours now. The database is asked at a third of the lease."""

    def __init__(self, name: str, worker: str, duties: Duties, *, lease: Millis) -> None:
        self._name = name
        self._worker = worker
        self._duties = duties
        self._lease = lease
        self._asked_at = float("-inf")
        self._ours = False

    def held(self) -> bool:
        now = time.monotonic()
        if now - self._asked_at > self._lease / 3000:
            self._ours = self._duties.take(self._name, self._worker, lease=self._lease)
            self._asked_at = now
        return self._ours

    def lay_down(self) -> None:
        if self._ours:
            self._duties.lay_down(self._name, self._worker)
            self._ours = False
