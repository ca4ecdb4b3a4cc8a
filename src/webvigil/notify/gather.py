"""Waiting notices in, summaries or single notices out when their time has come (N1, T3, N6).

A notice waits for the time of a summary, for enough further notices, or until its reader may be reached.
Every round decides anew from the notices themselves, so no other state has to survive a restart, and a
changed preference counts at once. A summary replaces its notices in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from webvigil.model.moment import NEVER, Millis
from webvigil.model.notice import Notice, Waiting
from webvigil.notify.timing import next_summary
from webvigil.notify.waits import Waits

# Bound the work and the memory of one round; the next round takes the rest.
QUEUES_AT_A_TIME = 200
MOST_MERGED = 1_000

Summarise = Callable[[Sequence[Waiting]], Notice]
# Returns True if more notices like this one can come, so that it is worth waiting for them.
GoesOn = Callable[[Notice], bool]


class Box(Protocol):
    """The methods of the outbox that gathering calls."""

    def ripe(self, *, limit: int) -> list[Notice]: ...

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]: ...

    def place(self, ids: Iterable[int], *, until: Millis) -> None: ...

    def merge(self, ids: Sequence[int], summary: Notice) -> bool: ...

    def let_go(self, waiting: Waiting) -> bool: ...


def gather_due(box: Box, waits: Waits, summarise: Summarise, goes_on: GoesOn, now: Millis) -> int:
    """Merges and releases the notices that have waited long enough. Returns the number of queues examined."""
    heads = box.ripe(limit=QUEUES_AT_A_TIME)
    for head in heads:
        if head.needs:
            _gather_counted(box, summarise, goes_on, head)
        else:
            _gather(box, waits, summarise, head, now)
    return len(heads)


def _gather(box: Box, waits: Waits, summarise: Summarise, head: Notice, now: Millis) -> None:
    if head.every:
        _gather_timed(box, waits, summarise, head, now)
    else:
        _gather_held(box, waits, summarise, head)


def _gather_counted(box: Box, summarise: Summarise, goes_on: GoesOn, head: Notice) -> None:
    """Merges the notices of a queue if there are enough of them. Also merges fewer if their sentinel has
    ended, because no further notice will come. Otherwise they wait without end: each new notice makes the
    queue ripe."""
    waiting = box.waiting(head.queue, due=False, limit=head.needs)
    if len(waiting) < head.needs and goes_on(head):
        box.place([one.id for one in waiting], until=NEVER)
    else:
        _tell(box, summarise, waiting)


def _gather_timed(box: Box, waits: Waits, summarise: Summarise, head: Notice, now: Millis) -> None:
    """Merges the notices whose time for a summary has come, and sets the times of the others."""
    reader = waits.reader(head.user)
    ripe: list[Waiting] = []
    later: dict[Millis, list[int]] = defaultdict(list)
    for one in box.waiting(head.queue, due=True, limit=MOST_MERGED):
        at = next_summary(one.since, one.notice.every, reader.preferences, reader.zone)
        if at <= now:
            ripe.append(one)
        else:
            later[at].append(one.id)
    for at, ids in later.items():
        box.place(ids, until=at)
    if ripe:
        _tell(box, summarise, ripe)


def _gather_held(box: Box, waits: Waits, summarise: Summarise, head: Notice) -> None:
    """Merges the notices that were held back, if they need not wait any more."""
    waiting = box.waiting(head.queue, due=False, limit=MOST_MERGED)
    until = waits.until(head)
    if until:
        box.place([one.id for one in waiting], until=until)
    else:
        _tell(box, summarise, waiting)


def _tell(box: Box, summarise: Summarise, waiting: Sequence[Waiting]) -> None:
    """Releases a single notice as it is, and replaces several notices by their summary."""
    if len(waiting) == 1:
        box.let_go(waiting[0])
    elif waiting:
        box.merge([one.id for one in waiting], summarise(waiting))
