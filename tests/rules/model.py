"""A reference model of sentinels' lives, computed from the definitions without events, clock or rules.

A sentinel may name only earlier ones, so each life follows from the complete lives of the sentinels before
it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from webvigil.model.sentinel import AtEvent, AtTime, LifeSpan, TimePoint

YEAR = timedelta(days=365)


@dataclass
class Lived:
    """The life of one sentinel: start and end of each life span that began; an end that never comes is
    None."""

    spans: list[tuple[datetime, datetime | None]] = field(default_factory=list)
    planned: int = 0

    def times(self, event: str) -> list[datetime]:
        return [time for span in self.spans if (time := span[event == "end"]) is not None]

    def active_at(self, time: datetime) -> bool:
        return any(start <= time and (end is None or time < end) for start, end in self.spans)

    @property
    def over(self) -> datetime | None:
        """Returns when the last life span ended; None if that never happens."""
        return self.spans[-1][1] if len(self.spans) == self.planned else None

    def over_at(self, time: datetime) -> bool:
        return len(self.spans) == self.planned and all(
            end is not None and end <= time for _, end in self.spans
        )


def lives(sentinels: list[tuple[str, tuple[LifeSpan, ...]]], now: datetime) -> dict[str, Lived]:
    lived: dict[str, Lived] = {}
    for name, spans in sentinels:
        lived[name] = _life(spans, now, lived)
    return lived


def history(lived: dict[str, Lived], until: datetime) -> list[tuple[datetime, str, str]]:
    found = []
    for name, life in lived.items():
        for start, end in life.spans:
            found.append((start, name, "start"))
            if end is not None:
                found.append((end, name, "end"))
    return sorted(one for one in found if one[0] <= until)


def _life(spans: tuple[LifeSpan, ...], now: datetime, others: dict[str, Lived]) -> Lived:
    life = Lived(planned=len(spans))
    since = now
    for span in spans:
        start = _start(span.start, since, now, others)
        if start is None:
            break
        end = _end(span.end, start, now, others)
        life.spans.append((start, end))
        if end is None:
            break
        since = end
    return life


def _start(
    point: TimePoint | None, since: datetime, now: datetime, others: dict[str, Lived]
) -> datetime | None:
    if not isinstance(point, AtEvent):
        return max(since, _time(point or AtTime(), now))
    other = others[point.sentinel]
    if point.event == "during" and other.active_at(since):
        return since + point.plus
    kind = "end" if point.event == "end" else "start"
    past = [time for time in other.times(kind) if time <= since]
    if past and past[-1] + point.plus >= since:
        return past[-1] + point.plus
    return next((time + point.plus for time in other.times(kind) if time > since), None)


def _end(
    point: TimePoint | None, start: datetime, now: datetime, others: dict[str, Lived]
) -> datetime | None:
    if point is None:
        return start + YEAR
    if not isinstance(point, AtEvent):
        return max(start, _time(point, now))
    other = others[point.sentinel]
    times = other.times("end" if point.event == "end" else "start")
    if times and other.over_at(start):
        return max(start, times[-1] + point.plus)
    found = next((time + point.plus for time in times if time >= start), None)
    if found is None and other.over is not None:
        return max(start, other.over, times[-1] + point.plus)
    return found


def _time(point: AtTime, now: datetime) -> datetime:
    return (point.time or now) + point.plus
