"""A model of Snoop written from its definitions: a whole history in, all occurrences of an event out.

Unlike the detector, the model looks at the whole history at once and keeps no state between events. A place
in the history is a key that sorts: (time, rank, number of the event, number of its start). Rank is 0 for
absolute, 1 for relative and 2 for periodic times, 3 for raised events. Occurrences are a list in that order.
An operator merges the occurrences of its operands into a tape of letters and reads the answer off the tape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from webvigil.events import (
    And,
    Aperiodic,
    AperiodicStar,
    At,
    Context,
    Expression,
    Not,
    Or,
    Periodic,
    PeriodicStar,
    Plus,
    Primitive,
    Seq,
)

Key = tuple[int, int, int, int]


class Happened(NamedTuple):
    """One occurrence in the model."""

    key: Key
    parts: tuple[Any, ...]  # the constituents (Happened); for a primitive event, the number of its raising

    @property
    def time(self) -> int:
        return self.key[0]


def as_tree(happened: Happened) -> Any:
    """Returns (time, number) for a raised event, (time, parts) for any other."""
    if happened.key[1] == 3 and not any(isinstance(part, Happened) for part in happened.parts):
        return happened.time, *happened.parts
    return happened.time, tuple(as_tree(part) for part in happened.parts)


@dataclass
class Model:
    """`history` lists (time, name) of raised events, in whole seconds from 0; `until` is the last second."""

    history: list[tuple[int, str]]
    until: int
    context: Context

    def all(self, event: Expression) -> list[Happened]:
        numbers: dict[Expression, int] = {}
        _number(event, numbers)
        return self._of(event, numbers)

    def _of(self, event: Expression, numbers: dict[Expression, int]) -> list[Happened]:
        inner = [self._of(operand, numbers) for operand in event.operands]
        found = self._operate(event, numbers[event], inner)
        return sorted(found, key=lambda happened: happened.key)

    def _operate(self, event: Expression, number: int, inner: list[list[Happened]]) -> list[Happened]:
        match event:
            case Primitive(name):
                raised = [(at, n) for n, (at, its) in enumerate(self.history) if its == name]
                return [Happened((at, 3, 0, n), (n,)) for at, n in raised]
            case At(time):
                seconds = int(time.timestamp())
                return [Happened((seconds, 0, number, 0), ())] if 0 < seconds <= self.until else []
            case Or(left, right):
                either = inner[0] if left == right else inner[0] + inner[1]
                return [Happened(one.key, (one,)) for one in either]
            case And():
                return _and(*inner, self.context)
            case Seq():
                return _seq(_tape({"R": inner[1], "L": inner[0]}), self.context)
            case Not():
                return list(_not(*inner, self.context))
            case Aperiodic():
                return _aperiodic(*inner, self.context)
            case AperiodicStar():
                return _aperiodic_star(*inner, self.context)
            case Periodic(_, interval):
                return self._periodic(number, int(interval.total_seconds()), *inner)
            case PeriodicStar(_, interval):
                return self._periodic_star(number, int(interval.total_seconds()), *inner)
            case Plus(_, interval):
                return list(self._plus(number, int(interval.total_seconds()), inner[0]))
        raise AssertionError(event)

    def _ticks(self, number: int, interval: int, span: Span) -> list[Happened]:
        times = range(span.starts[0].time + interval, self.until + 1, interval)
        keys = [(time, 2, number, span.number) for time in times]
        return [Happened(key, span.before(key)) for key in keys if span.contains(key)]

    def _periodic(
        self, number: int, interval: int, starts: list[Happened], ends: list[Happened]
    ) -> list[Happened]:
        return [
            tick
            for span in _spans(starts, ends, self.context)
            for tick in self._ticks(number, interval, span)
        ]

    def _periodic_star(
        self, number: int, interval: int, starts: list[Happened], ends: list[Happened]
    ) -> list[Happened]:
        return [
            Happened(span.end.key, (*span.starts, *ticks, span.end))
            for span in _spans(starts, ends, self.context)
            if span.end and (ticks := self._ticks(number, interval, span))
        ]

    def _plus(self, number: int, interval: int, starts: list[Happened]) -> Iterator[Happened]:
        first = 0
        while first < len(starts):
            key = (starts[first].time + interval, 1, number, first)
            together = [start for start in starts[first:] if start.key < key]
            taken = together if self.context is Context.CUMULATIVE else together[:1]
            overtaken = self.context is Context.RECENT and len(together) > 1
            if key[0] <= self.until and not overtaken:
                yield Happened(key, tuple(taken))
            first += len(taken)


def _number(event: Expression, numbers: dict[Expression, int]) -> None:
    for operand in event.operands:
        _number(operand, numbers)
    numbers.setdefault(event, len(numbers) + 1)


# --- Operators on a tape ---------------------------------------------------------------------------

Tape = list[tuple[str, Happened]]


def _tape(tracks: dict[str, list[Happened]]) -> Tape:
    """Merges tracks into one tape. At the same place, the track named first comes first."""
    letters = [(letter, happened) for letter, track in tracks.items() for happened in track]
    return sorted(letters, key=lambda one: one[1].key)


def _letters(tape: Tape) -> str:
    return "".join(letter for letter, _ in tape)


def _joined(tape: Tape, *places: int) -> Happened:
    parts = [tape[place][1] for place in places]
    return Happened(parts[-1].key, tuple(parts))


def _seq(tape: Tape, context: Context) -> list[Happened]:
    """Returns the sequences of an L and a later R on the tape."""
    letters = _letters(tape)
    rights = [place for place, letter in enumerate(letters) if letter == "R"]
    if context is Context.RECENT:
        return [_joined(tape, left, right) for right in rights if (left := letters.rfind("L", 0, right)) >= 0]
    if context is Context.CHRONICLE:
        return [_joined(tape, left, right) for left, right in _fifo(letters)]
    return _runs(tape, "L+R", context)


def _fifo(letters: str) -> list[tuple[int, int]]:
    """Pairs each right that finds a left waiting with the left that waits longest."""
    lefts = [place for place, letter in enumerate(letters) if letter == "L"]
    pairs: list[tuple[int, int]] = []
    for right in (place for place, letter in enumerate(letters) if letter == "R"):
        if len(pairs) < len(lefts) and lefts[len(pairs)] < right:
            pairs.append((lefts[len(pairs)], right))
    return pairs


def _runs(tape: Tape, pattern: str, context: Context) -> list[Happened]:
    """Returns the occurrences of runs of initiators that end with a terminator: together, or one by one."""
    found = []
    for run in re.finditer(pattern, _letters(tape)):
        *initiators, terminator = range(*run.span())
        if context is Context.CUMULATIVE:
            found.append(_joined(tape, *initiators, terminator))
        else:
            found += [_joined(tape, initiator, terminator) for initiator in initiators]
    return found


def _and(lefts: list[Happened], rights: list[Happened], context: Context) -> list[Happened]:
    tape = _tape({"L": lefts, "R": rights})
    letters = _letters(tape)
    if context is Context.RECENT:
        other = {"L": "R", "R": "L"}
        partners = [(letters.rfind(other[letter], 0, place), place) for place, letter in enumerate(letters)]
        return [_joined(tape, partner, place) for partner, place in partners if partner >= 0]
    if context is Context.CHRONICLE:
        pairs = zip(_places(letters, "L"), _places(letters, "R"), strict=False)
        return [_joined(tape, min(pair), max(pair)) for pair in sorted(pairs, key=max)]
    return _runs(tape, "L+R|R+L", context)


def _places(letters: str, wanted: str) -> list[int]:
    return [place for place, letter in enumerate(letters) if letter == wanted]


def _not(
    starts: list[Happened], middles: list[Happened], ends: list[Happened], context: Context
) -> Iterator[Happened]:
    """Yields the sequences within each stretch of history that has no middle in it."""
    spoilt = {middle.key for middle in middles}
    lefts = [start for start in starts if start.key not in spoilt]
    rights = [end for end in ends if end.key not in spoilt]
    tape = _tape({"M": middles, "R": rights, "L": lefts})
    for is_middle, stretch in groupby(tape, key=lambda one: one[0] == "M"):
        if not is_middle:
            yield from _seq(list(stretch), context)


# --- From a start to an end ------------------------------------------------------------------------


class Span(NamedTuple):
    """Starts that share an end. `overtaken` is the later start that replaced them before the end came."""

    number: int
    starts: tuple[Happened, ...]
    end: Happened | None
    overtaken: Happened | None = None

    def contains(self, key: Key) -> bool:
        """Says whether this place lies after the first start and before the end."""
        return (
            self.starts[0].key < key
            and (self.end is None or key < self.end.key)
            and (self.overtaken is None or key <= self.overtaken.key)
        )

    def before(self, key: Key) -> tuple[Happened, ...]:
        return tuple(start for start in self.starts if start.key < key)


def _spans(starts: list[Happened], ends: list[Happened], context: Context) -> list[Span]:
    """Returns the spans that starts and ends make in a context."""
    closing = [next((end for end in ends if end.key > start.key), None) for start in starts]
    if context is Context.CONTINUOUS:
        return [Span(n, (start,), end) for n, (start, end) in enumerate(zip(starts, closing, strict=True))]
    if context is Context.CUMULATIVE:
        numbered = list(enumerate(zip(starts, closing, strict=True)))
        groups = [list(group) for _, group in groupby(numbered, key=lambda one: id(one[1][1]))]
        return [
            Span(group[0][0], tuple(start for _, (start, _) in group), group[0][1][1]) for group in groups
        ]
    if context is Context.CHRONICLE:
        tape = _tape({"R": ends, "L": starts})
        partner = {id(tape[left][1]): tape[right][1] for left, right in _fifo(_letters(tape))}
        return [Span(n, (start,), partner.get(id(start))) for n, start in enumerate(starts)]
    return [
        _recent(n, start, end, starts) for n, (start, end) in enumerate(zip(starts, closing, strict=True))
    ]


def _recent(number: int, start: Happened, end: Happened | None, starts: list[Happened]) -> Span:
    following = starts[number + 1] if number + 1 < len(starts) else None
    if following is not None and (end is None or following.key < end.key):
        return Span(number, (start,), None, following)
    return Span(number, (start,), end)


def _aperiodic(
    starts: list[Happened], middles: list[Happened], ends: list[Happened], context: Context
) -> list[Happened]:
    spans = _spans(starts, ends, context)
    return [
        Happened(middle.key, (*span.before(middle.key), middle))
        for middle in middles
        for span in spans
        if span.contains(middle.key)
    ]


def _aperiodic_star(
    starts: list[Happened], middles: list[Happened], ends: list[Happened], context: Context
) -> list[Happened]:
    spans = _spans(starts, ends, context)
    return [
        Happened(span.end.key, (*span.starts, *inside, span.end))
        for span in spans
        if span.end and (inside := [middle for middle in middles if span.contains(middle.key)])
    ]
