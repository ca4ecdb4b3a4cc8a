"""Outlines of changes in, numbers per day and the shapes of small bar charts out.

A chart is SVG without a viewBox: x in per cent, y in pixels. So its letters keep their size at any width, and
nothing needs an inline style, which the Content-Security-Policy forbids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from math import ceil
from typing import NamedTuple

from webvigil.app.sentinels.values import Series, moves_of
from webvigil.detect.gist import isolated
from webvigil.document.naming import cut
from webvigil.model.change import ChangeOutline
from webvigil.model.topics import topics_in
from webvigil.model.wanted import WantedChanges
from webvigil.store.promises import Changes
from webvigil.web.chart import stepped
from webvigil.web.times import midnight

# The fill of each topic, in the order of the legend: plain, hatched, dotted, grey.
FILLS = ('class="f1"', 'fill="url(#p2)"', 'fill="url(#p3)"', 'class="f4"')
NAMED = len(FILLS) - 1
REST = "other topics"
NO_TOPIC = "no topic"

TOP, BASE, HEIGHT = 18.0, 180.0, 208
_GAP = 1.5
_LABELS = 5
DAYS = 24
"""The days of the small chart of a sentinel."""
_TEXT = 20  # Characters of a value beside its line.


class Part(NamedTuple):
    """One topic's share of a bar. `fill` is the attribute of the SVG element that paints it."""

    fill: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """The changes of one day, or of the days from `first` to `last`."""

    first: date
    last: date
    counts: tuple[int, ...]
    slot: float
    width: float
    parts: tuple[Part, ...]
    label: str

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def name(self) -> str:
        if self.first == self.last:
            return f"{self.first:%a} {self.first.day} {self.first:%b}"
        return f"{self.first.day} {self.first:%b} to {self.last.day} {self.last:%b}"


@dataclass(frozen=True, slots=True)
class Activity:
    """A chart of changes over time, stacked by topic. `ticks` are the numbers of the axis with their
    heights."""

    topics: tuple[str, ...]
    fills: tuple[str, ...]
    totals: tuple[int, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[int, float], ...]

    @property
    def total(self) -> int:
        return sum(self.totals)

    @property
    def most(self) -> Bar:
        return max(self.bars, key=lambda one: (one.total, one.first))

    def said(self, bar: Bar) -> str:
        """Returns the topics of a bar with their numbers: `Furniture 9, Studies 3`."""
        pairs = zip(self.topics, bar.counts, strict=True)
        return ", ".join(f"{isolated(topic)} {count}" for topic, count in pairs if count)


def activity(
    outlines: Iterable[ChangeOutline], zone: tzinfo, today: date, days: int, step: int = 1
) -> Activity:
    """Returns the chart of the last `days` days, `step` days per bar. Days are those of the reader's zone."""
    first = today - timedelta(days=days - 1)
    placed = [
        ((day - first).days // step, _first(one.topic))
        for one in outlines
        if (day := one.found_at.astimezone(zone).date()) >= first
    ]
    topics, fills, index = _topics(Counter(topic for _, topic in placed))
    counted = [[0] * len(topics) for _ in range(ceil(days / step))]
    for at, topic in placed:
        counted[min(at, len(counted) - 1)][index.get(topic, len(topics) - 1)] += 1
    ticks = _ticks(max(map(sum, counted)))
    bars = _bars(counted, fills, first, today, step, ticks[-1][0])
    totals = tuple(sum(one[at] for one in counted) for at in range(len(topics)))
    return Activity(topics, fills, totals, bars, ticks)


def _first(topics: str) -> str:
    """Returns the first of several topics: each change counts once in a bar."""
    return next(iter(topics_in(topics)), "")


def _topics(counts: Counter[str]) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, int]]:
    """Returns the topics of the legend, the most frequent first; what is left shares the last place."""
    named = [topic for topic, _ in counts.most_common() if topic][:NAMED]
    index = {topic: at for at, topic in enumerate(named)}
    left = [topic for topic in counts if topic not in index]
    if not left and named:
        return tuple(named), FILLS[: len(named)], index
    last = NO_TOPIC if left in ([], [""]) else REST
    return (*named, last), (*FILLS[: len(named)], FILLS[-1]), index


def _ticks(most: int) -> tuple[tuple[int, float], ...]:
    """Returns three or four round numbers from 0 to `most` or a little more."""
    step = next(one * 10**power for power in range(12) for one in (1, 2, 5) if one * 10**power * 3 >= most)
    highest = max(ceil(most / step), 1) * step
    return tuple((number, BASE - (BASE - TOP) * number / highest) for number in range(0, highest + 1, step))


def _bars(
    counted: Sequence[Sequence[int]], fills: Sequence[str], first: date, today: date, step: int, highest: int
) -> tuple[Bar, ...]:
    slot = 100 / len(counted)
    every = max(ceil(len(counted) / _LABELS), 1)
    bars = []
    for at, counts in enumerate(counted):
        day = first + timedelta(days=at * step)
        last = min(day + timedelta(days=step - 1), today)
        is_last = at == len(counted) - 1
        label = (
            "Today" if is_last else _label(day) if at % every == 0 and len(counted) - at > every / 2 else ""
        )
        bars.append(
            Bar(
                day,
                last,
                tuple(counts),
                at * slot,
                slot,
                _parts(counts, fills, at * slot, slot, highest),
                label,
            )
        )
    return tuple(bars)


def _parts(
    counts: Sequence[int], fills: Sequence[str], x: float, slot: float, highest: int
) -> tuple[Part, ...]:
    parts, floor = [], BASE
    for count, fill in zip(counts, fills, strict=True):
        if count:
            tall = (BASE - TOP) * count / highest
            parts.append(Part(fill, x + slot * 0.135, floor - tall, slot * 0.73, max(tall - _GAP, 1)))
            floor -= tall
    return tuple(parts)


def _label(day: date) -> str:
    return f"{day.day} {day:%b}"


class Stroke(NamedTuple):
    """One day of a small bar chart; `kind` is "z" for a day without changes and "x" for one that failed."""

    x: float
    y: float
    width: float
    height: float
    kind: str


def sparkline(counts: Sequence[int], failed: Sequence[bool] = ()) -> tuple[Stroke, ...]:
    """Returns the strokes of a chart of 96 by 28 pixels. A day on which looks failed hangs from the top, so
    that it differs by its shape and not by its colour alone."""
    slot, most = 96 / max(len(counts), 1), max([*counts, 1])
    strokes = []
    for at, count in enumerate(counts):
        x, width = at * slot, slot * 0.62
        if at < len(failed) and failed[at] and not count:
            strokes.append(Stroke(x, 0, width, 9, "x"))
        elif count:
            tall = 4 + 22 * count / most
            strokes.append(Stroke(x, 28 - tall, width, tall, ""))
        else:
            strokes.append(Stroke(x, 26, width, 2, "z"))
    return tuple(strokes)


def per_day(rhythm: Mapping[datetime, int], zone: tzinfo, today: date, days: int) -> list[int]:
    """Returns the number of changes of each of the last `days` days, oldest first. `rhythm` counts them by
    their time."""
    counts = [0] * days
    for at, count in rhythm.items():
        before = (today - at.astimezone(zone).date()).days
        if 0 <= before < days:
            counts[days - 1 - before] += count
    return counts


class Pulse(NamedTuple):
    """How busy a sentinel was in the last `DAYS` days: the strokes of its small chart, and the same in words.
    Of a sentinel that follows one value `line` is that value in these days, and `ends` the height of its
    end."""

    strokes: tuple[Stroke, ...]
    words: str
    line: str = ""
    ends: float = 0


def pulse(rhythm: Mapping[datetime, int], zone: tzinfo, today: date, failed: Sequence[bool] = ()) -> Pulse:
    counts = per_day(rhythm, zone, today, DAYS)
    number = sum(counts)
    said = f"{number} change{'' if number == 1 else 's'} in {DAYS} days"
    return Pulse(sparkline(counts, failed), f"{said}; the last {sum(failed)} failed" if any(failed) else said)


def with_line(busy: Pulse, series: Series | None, now: datetime) -> Pulse:
    """Returns a pulse that draws a value as a line, if there is one. The line begins a little before the
    first step, so that the value before it is seen."""
    if series is None:
        return busy
    first, last = series.steps[0], series.steps[-1]
    start = first.at - max((now - first.at) / 8, timedelta(minutes=1))
    line, ends = stepped((replace(first, at=start), *series.steps[1:]), start, now, (96, 28))
    texts = [isolated(cut(one.text, _TEXT)) for one in (first, last)]
    moved = texts[0] if texts[0] == texts[1] else " → ".join(texts)
    lately = " lately" if series.cut else ""
    return busy._replace(line=line, ends=ends, words=f"{moved}{lately}; {busy.words}")


def pulses(
    changes: Changes, user: str, names: Iterable[str], followed: Collection[str], zone: tzinfo, now: datetime
) -> dict[str, Pulse]:
    """Returns how busy each of these sentinels of a user was, by their names. `followed` are those that may
    follow a value."""
    chosen = tuple(set(names))
    if not chosen:
        return {}
    today = now.astimezone(zone).date()
    since = midnight(today - timedelta(days=DAYS - 1), zone)
    found = changes.rhythms(WantedChanges(user=user, sentinels=chosen, since=since))
    numbers = {name: sum(found[name].values()) for name in followed if name in found}
    moved = moves_of(changes, user, numbers, since)
    return {name: with_line(pulse(found.get(name, {}), zone, today), moved.get(name), now) for name in chosen}
