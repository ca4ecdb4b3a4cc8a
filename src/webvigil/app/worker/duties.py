"""A duty that one worker does for all: leased like a host, and taken over when the lease ends."""

from __future__ import annotations

import time
from threading import Lock

from webvigil.model.moment import Millis
from webvigil.store.promises import Duties


class Duty:
    """One worker's claim on a duty."""

    def __init__(self, name: str, worker: str, duties: Duties, *, lease: Millis) -> None:
        self.name = name
        self._worker = worker
        self._duties = duties
        self._lease = lease
        self._asked_at = float("-inf")
        self._ours = False
        self._over = False
        self._asking = Lock()

    def held(self) -> bool:
        """Tells whether this worker holds the duty now. Asks the database only after a third of the lease,
        which also renews the lease."""
        with self._asking:
            now = time.monotonic()
            if now - self._asked_at > self._lease / 3000 and not self._over:
                self._ours = self._duties.take(self.name, self._worker, lease=self._lease)
                self._asked_at = now
            return self._ours

    def lay_down(self) -> None:
        """Gives the duty back, so that another worker need not wait for the end of the lease. This worker
        never takes the duty again: a thread may still be about to ask for it."""
        with self._asking:
            self._over = True
            if self._ours:
                self._duties.lay_down(self.name, self._worker)
                self._ours = False
