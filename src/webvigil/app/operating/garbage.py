"""Makes Python search for cyclic garbage less often in a process that runs for a long time.

A document consists of tens of thousands of small objects that come and go. By default Python starts a search
after every 700 new objects, and now and then a search through all objects, including our modules and caches.
These searches took a tenth to a quarter of a check that finds something (docs/decisions/garbage-searches.md
has the figures). Objects that exist when the work begins stay until the end, so every search skips them, and
searches come less often. Objects without cycles are still freed at once.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Python searches the youngest objects after this many new ones. Chosen, not tuned: in a sweep of 700 to
# 50,000 on a busy machine, runs with the same value differed more than runs with different values. A larger
# value would keep the garbage of large pages longer.
SELDOM = 10_000
# Python searches the middle generation after this many searches of the youngest one. By then most versions of
# pages have been replaced by newer ones. With 10 instead of 25, a page that changed took 0.2 ms more.
SELDOM_AGAIN = 25


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Reduces garbage searches while the context is open, and restores the previous thresholds afterwards."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, SELDOM_AGAIN, before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
