"""Notices that wait for others (N1, T3, N6): told together when the time for a summary comes, when there are
enough of them, or when the gate opens again.

What waits is decided anew at each turn from the notices themselves, so that nothing but them has to survive,
and a changed preference counts at once. A summary takes the place of its notices in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from webvigil.model.moment import NEVER, Millis
from webvigil.model.notice import Notice, Waiting
from webvigil.notify.gate import Gate
from webvigil.notify.timing import next_summary

QUEUES_AT_A_TIME = 200
MOST_MERGED = 1_000

Summarise = Callable[[Sequence[Waiting]], Notice]
# Will more like this notice come, so that it is worth waiting for them?
GoesOn = Callable[[Notice], bool]


class Box(Protocol):
    """The part of the outbox that gathering needs."""

    def ripe(self, *, limit: int) -> list[Notice]: ...

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]: ...

    def place(self, ids: Iterable[int], *, until: Millis) -> None: ...

    def merge(self, ids: Sequence[int], summary: Notice) -> bool: ...

    def let_go(self, waiting: Waiting) -> bool: ...


def gather_due(box: Box, gate: Gate, summarise: Summarise, goes_on: GoesOn, now: Millis) -> int:
    """Merge and let go what has waited long enough; says how many queues were looked at."""
    heads = box.ripe(limit=QUEUES_AT_A_TIME)
    for head in heads:
        if head.needs:
            _gather_counted(box, summarise, goes_on, head)
        else:
            _gather(box, gate, summarise, head, now)
    return len(heads)


def _gather(box: Box, gate: Gate, summarise: Summarise, head: Notice, now: Millis) -> None:
    if head.every:
        _gather_timed(box, gate, summarise, head, now)
    else:
        _gather_held(box, gate, summarise, head)


def _gather_counted(box: Box, summarise: Summarise, goes_on: GoesOn, head: Notice) -> None:
    """Each new one makes us look whether there are enough. So does the end of their sentinel: as no more
    will come, those that were counted so far are told."""
    waiting = box.waiting(head.queue, due=False, limit=head.needs)
    if len(waiting) < head.needs and goes_on(head):
        box.place([one.id for one in waiting], until=NEVER)
    else:
        _tell(box, summarise, waiting)


def _gather_timed(box: Box, gate: Gate, summarise: Summarise, head: Notice, now: Millis) -> None:
    reader = gate.reader(head.user)
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


def _gather_held(box: Box, gate: Gate, summarise: Summarise, head: Notice) -> None:
    waiting = box.waiting(head.queue, due=False, limit=MOST_MERGED)
    until = gate.closed_until(head)
    if until:
        box.place([one.id for one in waiting], until=until)
    else:
        _tell(box, summarise, waiting)


def _tell(box: Box, summarise: Summarise, waiting: Sequence[Waiting]) -> None:
    if len(waiting) == 1:
        box.let_go(waiting[0])
    elif waiting:
        box.merge([one.id for one in waiting], summarise(waiting))
