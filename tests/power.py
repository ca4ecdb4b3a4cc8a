"""Files of tests need not survive a power failure, so nobody waits until the disk has them.

A commit of SQLite and a new object each wait some milliseconds for the disk, and a test run makes some ten
thousand of them. What a process wrote is still there when the process is killed: the system has it.
"""

from __future__ import annotations

import os

from webvigil.store.sql import database

PRAGMAS = database._PRAGMAS
"""How the product sets up SQLite."""


def do_without_disk() -> None:
    database._PRAGMAS = tuple(one.replace("synchronous = FULL", "synchronous = OFF") for one in PRAGMAS)
    os.fsync = lambda _: None
