"""A clock that a test sets for a server process: the true time plus the difference that a file contains.

The product asks its database for the time. A process whose environment names such a file (`spawning` looks
for it) asks this clock instead, whichever database it uses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from webvigil.model.moment import Millis
from webvigil.store.sql.database import Database

VARIABLE = "JOURNEY_CLOCK"


def set_ahead(file: Path, millis: Millis) -> None:
    """Writes the difference to the file by renaming, so that a reader never finds a half-written number."""
    new = file.with_suffix(".new")
    new.write_text(str(millis))
    new.rename(file)


def shifted(file: Path) -> Callable[[], Millis]:
    return lambda: time.time_ns() // 1_000_000 + int(file.read_text())


def go_by(file: Path) -> None:
    """Makes every database of this process use the clock of the file from now on."""
    opened = Database.__init__

    def open_with_clock(self: Database, url: str, clock: Callable[[], Millis] | None = None) -> None:
        opened(self, url, clock or shifted(file))

    Database.__init__ = open_with_clock  # type: ignore[method-assign]
