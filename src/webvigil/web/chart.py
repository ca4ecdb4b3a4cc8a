"""Steps of a value in, the places of the lines, points and labels of an SVG chart out.

A price holds until it changes, so the line has steps. The chart has no viewBox: x is in per cent, y in
pixels, so that letters keep their size at every width.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal, localcontext

from webvigil.app.sentinels.values import Series, Step, followed
from webvigil.document.naming import JOINT
from webvigil.model.change import Finding
from webvigil.web.axis import LABELS, Label, axis

HEIGHT, TOP, BOTTOM = 228, 28, 196
_COLUMNS = 240  # A chart with more steps draws the lowest and the highest value of each of so many columns.
_POINTS = 60  # With more steps than this the single steps have no dots.
MOST_VALUES = 30  # Values whose moves are listed below the chart.
_LISTED = 100  # Rows in the table below the chart.
_MOST_PLACES, _LARGE = 6, 10_000_000  # Labels with more decimals, and larger ones, are written short.
_DIGITS = 400  # With so many digits every number that a page may show is exact.
_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u2009\u202f ]*\d|\d")

RANGES = {"7": "7 days", "30": "30 days", "365": "1 year", "all": "All"}
"""The ranges of time by their name in the address, with their words."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """The value `text` from `left` to `right` (per cent) at the height `y`, coming from the height `from_y`
    (None for the first)."""

    left: float
    right: float
    y: float
    from_y: float | None
    text: str
    at: datetime

    @property
    def width(self) -> float:
        return round(self.right - self.left, 2)

    @property
    def depth(self) -> float:
        return round(BOTTOM - self.y, 1)


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that the template of the chart writes. `rows` are the newest steps, newest first."""

    strokes: tuple[Stroke, ...]
    across: tuple[Label, ...]
    upright: tuple[Label, ...]
    first: Step
    last: Step
    lowest: Step
    highest: Step
    against: str
    rows: tuple[Step, ...]
    moved: int
    dots: bool
    cut: bool
    others: int = 0
    height: int = HEIGHT
    top: int = TOP
    bottom: int = BOTTOM

    @property
    def older(self) -> int:
        return self.moved + 1 - len(self.rows)


@dataclass(frozen=True, slots=True)
class Move:
    """How one of several values moved in a range of time: `step` is the difference, with its share in
    percent; "" for none."""

    label: str
    place: str
    first: str
    last: str
    step: str


@dataclass(frozen=True, slots=True)
class Spark:
    """A small line of a value: an SVG path in a box of 288 × 56."""

    path: str
    first: Step
    last: Step


def spark(series: Series, now: datetime) -> Spark:
    path, _ = stepped(series.steps, series.steps[0].at, now, (288, 56))
    return Spark(path, series.steps[0], series.steps[-1])


def stepped(steps: Sequence[Step], start: datetime, now: datetime, box: tuple[int, int]) -> tuple[str, float]:
    """Returns the SVG path of a value from `start` until now in a box of this width and height, and the
    height at which it ends. A value holds until the next step."""
    drawn = _thinned(steps, start, now)
    end = max(now, steps[-1].at + timedelta(seconds=1))
    low, high = (pick(drawn, key=_number).number for pick in (min, max))
    tall, (wide, high_box) = (high - low) or Decimal(1), box

    def place(one: Step) -> tuple[float, float]:
        part = max((one.at - start) / (end - start), 0.0)
        return 2 + (wide - 4) * part, high_box - 4 - (high_box - 7) * float((one.number - low) / tall)

    x, y = place(drawn[0])
    path = [f"M{x:.1f} {y:.1f}"]
    for x, y in map(place, drawn[1:]):
        path.append(f"H{x:.1f}V{y:.1f}")
    return "".join([*path, f"H{wide - 2}"]), round(y, 1)


def since_of(range_: str, now: datetime) -> datetime | None:
    """Returns the beginning of a range of time, None for all of it."""
    return now - timedelta(days=int(range_)) if range_ in RANGES and range_ != "all" else None


def chart(series: Series, now: datetime, zone: tzinfo, range_: str = "all") -> Chart:
    """Returns the chart of a series from its first step until now. Times are labelled in `zone`."""
    steps = series.steps
    low, high = min(steps, key=_number), max(steps, key=_number)
    ticks = _ticks(low.number, high.number)
    start = steps[0].at
    end = max(now, steps[-1].at + timedelta(seconds=1))
    return Chart(
        strokes=tuple(_strokes(_thinned(steps, start, end), start, end, ticks)),
        across=tuple(axis(start, end, zone, "Now")),
        upright=tuple(
            Label(round(_height(tick, ticks) + 4, 1), text)
            for tick, text in zip(ticks, _written(ticks), strict=True)
        ),
        first=steps[0],
        last=steps[-1],
        lowest=low,
        highest=high,
        against=_against(steps[0], steps[-1], beginning(steps[0], now, range_)),
        rows=tuple(steps[: -_LISTED - 1 : -1]),
        moved=len(steps) - 1,
        dots=len(steps) <= _POINTS,
        cut=series.cut,
        others=series.others,
    )


def value_name(findings: Iterable[Finding], place: str = "") -> str:
    """Returns what a followed value is called, such as `Price` for the label `Polaris sofa · Price`. Of
    several values the one at `place` is meant, and its whole label is told."""
    values = [one for finding in findings for one in followed(finding)]
    here = [one for one in values if place in (*one.where, one.label)] or values
    label = next((one.label for one in here if one.label), "")
    return (label if len(values) > 1 else label.rpartition(JOINT)[2]) or "Value"


def moves(every: Sequence[Series]) -> list[Move]:
    """Returns how each value moved, the largest fall first and what stayed last."""
    ordered = sorted(every, key=lambda one: (one.steps[0].number == one.steps[-1].number, _ratio(one)))
    return [
        Move(
            one.label or one.place,
            one.place,
            one.steps[0].text,
            one.steps[-1].text,
            _step(one.steps[0], one.steps[-1]),
        )
        for one in ordered[:MOST_VALUES]
    ]


def _step(first: Step, last: Step) -> str:
    """Returns `−€ 20.00 (−1.5 %)`, or "" if both values are equal."""
    step = last.number - first.number
    if not step:
        return ""
    sign = "+" if step > 0 else "−"
    share = f" ({_percent(step / first.number, sign)})" if first.number else ""
    return f"{sign}{like(last.text, abs(step))}{share}"


def _percent(share: Decimal, sign: str = "") -> str:
    """Returns a share in per cent; one that is too small for its one decimal is not told as nothing."""
    told = f"{abs(share) * 100:.1f}"
    return "under 0.1\u00a0%" if told == "0.0" else f"{sign}{told}\u00a0%"


def _ratio(series: Series) -> Decimal:
    first, last = series.steps[0].number, series.steps[-1].number
    return (last - first) / abs(first) if first else Decimal(0)


def _number(step: Step) -> Decimal:
    return step.number


def _thinned(steps: Sequence[Step], start: datetime, end: datetime) -> list[Step]:
    """Returns few enough steps to draw: where many fall into one column, its lowest, its highest and its
    last."""
    if len(steps) <= _COLUMNS:
        return list(steps)
    wide = (end - start) / _COLUMNS
    columns: dict[int, list[Step]] = {}
    for one in steps:
        columns.setdefault(int((one.at - start) / wide), []).append(one)
    return [one for some in columns.values() for one in _extremes(some)]


def _extremes(steps: list[Step]) -> list[Step]:
    chosen = {id(one) for one in (min(steps, key=_number), max(steps, key=_number), steps[-1])}
    return [one for one in steps if id(one) in chosen]


def _strokes(
    steps: Sequence[Step], start: datetime, end: datetime, ticks: Sequence[Decimal]
) -> Iterator[Stroke]:
    before: float | None = None
    for place, one in enumerate(steps):
        until = steps[place + 1].at if place + 1 < len(steps) else end
        y = round(_height(one.number, ticks), 1)
        yield Stroke(_part(one.at, start, end), _part(until, start, end), y, before, one.text, one.at)
        before = y


def _part(at: datetime, start: datetime, end: datetime) -> float:
    return round(100 * ((at - start) / (end - start)), 2)


def _height(number: Decimal, ticks: Sequence[Decimal]) -> float:
    low, high = ticks[0], ticks[-1]
    return BOTTOM - float((number - low) / (high - low)) * (BOTTOM - TOP)


def _ticks(low: Decimal, high: Decimal) -> list[Decimal]:
    """Returns three to five round numbers that reach from the lowest to the highest value."""
    if high <= low:
        room = abs(low) / 10 or Decimal(1)
        low, high = low - room, high + room
    with localcontext(prec=_DIGITS):
        for step in _round_steps((high - low) / (LABELS - 1)):
            first, last = math.floor(low / step), math.ceil(high / step)
            if last - first < LABELS:
                break
        return [number * step for number in range(first, last + 1)]


def _round_steps(least: Decimal) -> Iterator[Decimal]:
    """Yields round numbers from `least` on. The last is more than a third larger: with it no axis has more
    labels than it may have."""
    for factor in (1, 2, Decimal("2.5"), 5, 10, 20):
        step = factor * Decimal(1).scaleb(least.adjusted())
        if step >= least:
            yield step


def _written(ticks: Sequence[Decimal]) -> list[str]:
    """Returns the labels of an axis: with as many decimals as its step has, or short for numbers with many
    digits, if the labels then still differ."""
    places = max(0, -int((ticks[1] - ticks[0]).normalize().as_tuple().exponent))
    if places > _MOST_PLACES or max(map(abs, ticks)) >= _LARGE:
        short = [f"{float(tick):.3g}" for tick in ticks]
        if len({*short}) == len(ticks):
            return short
    return [f"{tick:,.{places}f}" for tick in ticks]


def beginning(first: Step, now: datetime, range_: str) -> str:
    """Returns when the first step of a chart was: `30 days ago`, or later if nothing is known from then."""
    since = since_of(range_, now)
    return f"{RANGES[range_]} ago" if since and first.at <= since else "at the first look"


def _against(first: Step, last: Step, ago: str) -> str:
    """Returns how the value stands against the beginning: `€ 70.00 (5.2 %) less than 30 days ago`."""
    step = last.number - first.number
    if not step:
        return f"the same as {ago}"
    share = f" ({_percent(step / first.number)})" if first.number else ""
    return f"{like(last.text, abs(step))}{share} {'more' if step > 0 else 'less'} than {ago}"


def like(text: str, number: Decimal) -> str:
    """Writes a number as a text writes its own: with the same unit, decimals and groups of digits. A number
    with more decimals has four of them, or as many as its first two digits need."""
    shown = " ".join(text.split())
    found = _NUMBER.search(shown)
    if found is None:
        return f"{number:,f}"
    digits = found[0]
    places = re.search(r"[.,](\d{1,2})$", digits)
    comma = bool(places and digits[places.start()] == ",") or bool(re.search(r"\d\.\d{3}(?:\D|$)", digits))
    needed = -min(int(number.normalize().as_tuple().exponent), 0)
    enough = max(4, 1 - number.adjusted())
    written = f"{number:,.{max(len(places[1]) if places else 0, min(needed, enough))}f}"
    if comma:
        written = written.translate(str.maketrans(",.", ".,"))
    around = shown[: found.start()].lstrip("+-−"), shown[found.end() :]
    short = [one if len(one) <= 12 else "" for one in around]
    return f"{short[0]}{written}{short[1]}".replace(" ", "\u00a0")
