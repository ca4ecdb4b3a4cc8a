"""How often Python looks for garbage that refers to itself, in a process that works for a long time.

A document is tens of thousands of small objects that come and go; by default every seven hundred of them set
off a search, and every now and then one through all that is there: our modules, what the caches hold. That
took up to a fifth of the time of a check that finds something, in two of three pairs of runs. What is there
when the work begins stays until the end, so it is left out of every search, and searches come less often.
Objects that nothing refers to any more go at once, as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before the youngest are searched. Chosen, not tuned: a sweep of 700 to 50,000 on a busy machine
# varied more by itself than from value to value. More would hold on to the garbage of large pages.
SELDOM = 10_000
# So many searches through the youngest come before one through what these left: by then most versions of
# pages have made room for the next ones. With 10, a page that changed took 0.2 ms more.
SELDOM_AGAIN = 25


@contextmanager
def seldom_searched() -> Iterator[None]:
    """While it lasts; afterwards all is as it was."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, SELDOM_AGAIN, before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
