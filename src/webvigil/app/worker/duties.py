"""A duty that one worker does for all: leased like a host, and taken over when the lease ends."""

from __future__ import annotations

import time

from webvigil.model.moment import Millis
from webvigil.store.promises import Duties


class Duty:
    """One worker's claim on a duty."""

    def __init__(self, name: str, worker: str, duties: Duties, *, lease: Millis) -> None:
        self._name = name
        self._worker = worker
        self._duties = duties
        self._lease = lease
        self._asked_at = float("-inf")
        self._ours = False

    def held(self) -> bool:
        """Tells whether this worker holds the duty now. Asks the database only after a third of the lease,
        which also renews the lease."""
        now = time.monotonic()
        if now - self._asked_at > self._lease / 3000:
            self._ours = self._duties.take(self._name, self._worker, lease=self._lease)
            self._asked_at = now
        return self._ours

    def lay_down(self) -> None:
        """Gives the duty back, so that another worker need not wait for the end of the lease."""
        if self._ours:
            self._duties.lay_down(self._name, self._worker)
            self._ours = False
