"""One clock for the applications and the worker, which the test moves.

The worker's database asks this object. Between two moves its time stands still, so that no look comes by
itself. The applications are under libfaketime, which adds to the true time what it reads from a file.
Times of files and waiting are left alone: only what a program calls the time moves. An application that stays
on the true time is watched by a worker that is on it, too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from tests.real.installing import Debian
from webvigil.model.moment import Millis


class TrueClock:
    """The true time, for an application that nobody can give another one. Looks come by themselves, and a
    test waits for them; to wait less they are twice as close."""

    per_second = 0.5
    """How many seconds pass where a test lets one pass."""
    environment: Mapping[str, str] = {}

    def __call__(self) -> Millis:
        return time.time_ns() // 1_000_000

    def passes(self, seconds: int) -> None:
        """The next look comes when it comes."""


class SharedClock:
    per_second = 1.0

    def __init__(self, folder: Path) -> None:
        library = Debian("faketime").path("usr/lib/*/faketime/libfaketimeMT.so.1")
        self._file = folder / "ahead"
        self._start = time.time_ns() // 1_000_000
        self._ahead = 0
        self.passes(0)
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }
        """What a program needs in its environment to have this clock."""

    def __call__(self) -> Millis:
        return self._start + self._ahead * 1000

    def passes(self, seconds: int) -> None:
        """Moves the clock. The file is renamed, so that no program reads a half-written number."""
        self._ahead += seconds
        new = self._file.with_suffix(".new")
        new.write_text(f"+{self._ahead}")
        new.rename(self._file)
