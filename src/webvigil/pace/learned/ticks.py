"""The times between which regular changes were made in, the moment of the next change out.

Where the server does not date a change, we know two looks between which it was made. Each such bracket bounds
the phase and the period of the clock a little more, as long as looks fall near its ticks; and they do, since
a look is worth most where a change is likely and not certain.

A `Hand` believes in one period and one phase, each with its doubt, and in a jitter: by how much a change may
miss its tick, as a share of the period. It is a Kalman filter whose measurement is not a value but a bracket:
of the change that was foretold only the part within the bracket remains. Several hands with different jitters
run side by side, and one of them believes only in periods that people set (an hour, a day, a week). Each
counts by how well it foretold the changes so far. A clock may leave out ticks (a newspaper has no edition on
Sunday), so we learn as well on which days of the week its ticks bring changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import erf, exp, log, sqrt, tau

from webvigil.pace.policy import DAY, WEEK

# All numbers here were tuned together on the clocks of bench/quality/pace.py (`--only clocks`), and held on
# draws that were not used for tuning. After a change of one, run that again, `--only undated` and `--only
# recorded`, too.
#
# The jitter of each hand as a share of its period, and the place of the hand whose period is one people set.
_JITTERS = (0.002, 0.01, 0.05, 0.005)
_ROUND = 3
_PERIODS = tuple(
    1000.0 * seconds
    for seconds in (
        *(1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30),
        *(60 * minutes for minutes in (1, 2, 3, 5, 10, 15, 20, 30)),
        *(3600 * hours for hours in (1, 2, 3, 4, 6, 8, 12, 24, 168)),
    )
)
# By how much the phase wanders from tick to tick as a share of the jitter, and what of that the period does.
_WANDERING = 0.2
_PERIOD_WANDERING = 0.001
# A hand that gave a change less chance than this has lost the page.
_LOST = 0.002
# What a change leaves of the differences between the hands, and the least weight of a hand.
_FAITH, _LEAST = 0.9, 0.02
# The chance of a tick to bring a change, at first (the guess counts for so many ticks); for how many ticks of
# a day the chance on any day counts; what a tick leaves of the counts of its day.
_BRINGS, _GUESSED, _SHARED, _FADING = 0.94, 2.0, 1.0, 0.9
# How many ticks are tried for a change at least and at most, and the least chance of each.
_AHEAD, _FARTHEST, _RAREST = 4, 12, 0.005
# All ticks of this time are tried, if they are no more than the most: a job of the workdays rests so long.
_WEEKEND = 2.5 * DAY
# By what share of a day the days begin before the tick, so that a tick that wanders stays on its day.
_BEFORE = 0.4
# A new start with a period that differs by more than this factor forgets the days.
_SAME_PERIOD = 1.5
# Hands that after so many changes do not beat the expert for any page by this margin (in nats per change,
# averaged over the last few, each within the limits) start anew from the gaps remembered.
_TRIAL, _MARGIN = 4, 0.3
_AVERAGING = 0.25
_LIMITS = (-1.5, 3.0)
# How many gaps the period of a new start is taken from, and its least doubt as a share of it.
_RECENT, _DOUBT = 5, 0.05
# Ticks with less chance than this are left out of a forecast.
_HEARD = 0.025
_HALF = sqrt(0.5)
_PEAK = 1.0 / sqrt(tau)


@dataclass(frozen=True, slots=True)
class Hand:
    """One belief: the last tick was `at` (counted from the last change), and the next are `period` apart.

    `spread` and `doubt` are the variances of both, `shared` their covariance. A doubt of 0 stays 0: the hand
    believes in this period only.
    """

    weight: float
    at: float
    period: float
    spread: float
    shared: float
    doubt: float

    def after(self, ticks: int, jitter: float) -> Hand:
        """Returns the hand when so many further ticks have passed."""
        wandering = ticks * (_WANDERING * jitter * self.period) ** 2
        doubt = self.doubt
        return Hand(
            self.weight,
            self.at + ticks * self.period,
            self.period,
            max(self.spread + 2 * ticks * self.shared + ticks * ticks * doubt, 0.0) + wandering,
            self.shared + ticks * doubt,
            doubt + _PERIOD_WANDERING * wandering if doubt else 0.0,
        )

    def corrected(self, jitter: float, low: float, high: float) -> Hand:
        """Returns the hand after its last tick brought a change in (low, high].

        If further ticks fit into the bracket, the last of them becomes the last tick: the look at `high` saw
        whatever they brought.
        """
        variance = self.spread + (jitter * self.period) ** 2
        _, mean, left = truncated(self.at, variance, low, high)
        gain, period_gain = self.spread / variance, self.shared / variance
        off, less = mean - self.at, variance - left
        hand = Hand(
            self.weight,
            self.at + gain * off,
            max(self.period + period_gain * off, 0.2 * self.period) if self.doubt else self.period,
            max(self.spread - gain * gain * less, 0.0),
            self.shared - gain * period_gain * less,
            max(self.doubt - period_gain * period_gain * less, 1e-12) if self.doubt else 0.0,
        )
        passed = int((high - hand.at) // hand.period)
        return hand.after(passed, jitter) if passed > 0 else hand

    def in_round_time(self) -> Hand:
        """Returns the hand with the nearest of the periods that people set, in which it does not doubt."""
        period = min(_PERIODS, key=lambda one: max(one, self.period) / min(one, self.period))
        return replace(self, period=period, shared=0.0, doubt=0.0)


@dataclass(frozen=True)
class Days:
    """On which days of the week ticks bring changes: for each day, how many ticks did, and how many ticks.

    Older ticks count less. The days are counted from a tick of the clock; `now` says at which time of this
    week the last change was.
    """

    brought: tuple[float, ...] = (0.0,) * 7
    ticks: tuple[float, ...] = (0.0,) * 7
    now: float = 0.0

    @property
    def overall(self) -> float:
        """Returns the chance of a tick to bring a change, on any day."""
        return (sum(self.brought) + _GUESSED * _BRINGS) / (sum(self.ticks) + _GUESSED)

    @cached_property
    def chances(self) -> list[float]:
        """Returns the chance of a tick to bring a change, for each day."""
        some = _SHARED * self.overall
        return [
            (brought + some) / (ticks + _SHARED)
            for brought, ticks in zip(self.brought, self.ticks, strict=True)
        ]

    def day(self, y: float) -> int:
        """Returns the day of the moment y after the last change."""
        return int((self.now + y) / DAY + _BEFORE) % 7

    def after(self, left_out: Iterable[float], bringing: float) -> Days:
        """Returns the days after some ticks that were left out and one that brought a change."""
        brought, ticks = list(self.brought), list(self.ticks)
        for y, count in (*((one, 0.0) for one in left_out), (bringing, 1.0)):
            day = self.day(y)
            brought[day] = round(_FADING * brought[day] + count, 3)
            ticks[day] = round(_FADING * ticks[day] + 1.0, 3)
        return Days(tuple(brought), tuple(ticks), self.now)

    def counted_from(self, y: float) -> Days:
        """Returns the days when times count from y instead of from the last change."""
        return replace(self, now=(self.now + y) % WEEK)

    def started(self) -> Days:
        """Returns the days with the last change as the tick from which they are counted."""
        return replace(self, now=float(DAY * self.day(0.0)))


@dataclass(frozen=True)
class Ticks:
    """What is known of a clock.

    `days` says which ticks bring changes, `evidence` by how much the hands have beaten the expert for any
    page since their start, `changes` how many changes ago that was.
    """

    hands: tuple[Hand, ...] = ()
    days: Days = field(default_factory=Days)
    evidence: float = 0.0
    changes: int = 0

    @property
    def period(self) -> float:
        """Returns the usual gap between two changes, in whole ticks; 0 if nothing is known."""
        return round(1.0 / self.days.overall) * self._leading.period if self.hands else 0.0

    @property
    def _leading(self) -> Hand:
        return max(self.hands, key=lambda hand: hand.weight)

    def bracketed(self, low: float, high: float, gaps: Sequence[float], plain: float) -> Ticks:
        """Returns the ticks after a change somewhere in (low, high], counted from the change before it.

        `gaps` are the last gaps, with that of this change. `plain` is the chance that the expert for any page
        had given to the bracket. From now on times count from the middle of the bracket.
        """
        if not self.hands:
            return _started(low, high, gaps)
        found = [self._found(hand, jitter, low, high) for hand, jitter in self._pairs]
        gain = log(max(sum(one.chance for one in found), 1e-9) / max(plain, 1e-9))
        evidence = self.evidence + _AVERAGING * (min(max(gain, _LIMITS[0]), _LIMITS[1]) - self.evidence)
        best = max(found, key=lambda one: one.chance)
        days = self.days.after(best.left_out, best.bringing) if best.hand else self.days
        days = days.counted_from((low + high) / 2.0)
        if best.hand is None or (self.changes >= _TRIAL and evidence < _MARGIN):
            return _with_days(_started(low, high, gaps), days, self._leading.period)
        return Ticks(_weighed(self.hands, found), days, evidence, self.changes + 1)

    def within(self, y: float) -> tuple[float, float]:
        """Returns the chance of a change within y, and the integral of that chance from 0 to y."""
        chance = integral = 0.0
        for weight, mean, width in self._parts:
            off = (y - mean) / width
            if off < -5.0:
                continue
            if off > 5.0:
                chance += weight
                integral += weight * (y - mean)
                continue
            part = 0.5 + 0.5 * erf(_HALF * off)
            chance += weight * part
            integral += weight * ((y - mean) * part + width * _PEAK * exp(-0.5 * off * off))
        return chance, integral

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """Returns the times between which the next change is most likely."""
        _, mean, width = max(self._parts)
        return mean - width, mean + 2.0 * width

    def density(self, y: float) -> float:
        """Returns the density of the next change at y."""
        return sum(
            weight * _PEAK / width * exp(-0.5 * ((y - mean) / width) ** 2)
            for weight, mean, width in self._parts
        )

    @property
    def _pairs(self) -> Iterable[tuple[Hand, float]]:
        return zip(self.hands, _JITTERS, strict=True)

    def _found(self, hand: Hand, jitter: float, low: float, high: float) -> _Found:
        """Returns what a hand says of a change in (low, high]."""
        varied = (jitter * hand.period) ** 2
        last, most, total = 0, 0.0, 0.0
        for tick, chance in self._ahead(hand, _least(hand.period)):
            one = hand.after(tick, jitter)
            share = max(chance, _RAREST) * _between(one.at, one.spread + varied, low, high)
            total += share
            if share > most:
                last, most = tick, share
        if total < _LOST:
            return _Found(hand.weight * total)
        passed = (hand.at + tick * hand.period for tick in range(1, last))
        corrected = hand.after(last, jitter).corrected(jitter, low, high)
        return _Found(
            hand.weight * total,
            replace(corrected, at=corrected.at - (low + high) / 2.0),
            [at for at in passed if at < low],
            hand.at + last * hand.period,
        )

    def _ahead(self, hand: Hand, least: int) -> Iterator[tuple[int, float]]:
        """Yields the next ticks, each with the chance that it brings the next change.

        There are at least so many, and more while a later one may still bring the change.
        """
        days, chances = self.days, self.days.chances
        left, at = 1.0, hand.at
        for tick in range(1, _FARTHEST + 1):
            if left < _HEARD and tick > least:
                return
            at += hand.period
            chance = left * chances[days.day(at)]
            left -= chance
            yield tick, chance

    @cached_property
    def _parts(self) -> list[tuple[float, float, float]]:
        """Returns the forecast as weight, mean and standard deviation of normal distributions."""
        parts = []
        for hand, jitter in self._pairs:
            at, period, spread = hand.at, hand.period, hand.spread
            varied = (jitter * period) ** 2
            wandering = _WANDERING**2 * varied
            for tick, chance in self._ahead(hand, 1):
                weight = hand.weight * chance
                if weight >= _HEARD:
                    variance = max(spread + tick * (2.0 * hand.shared + tick * hand.doubt), 0.0)
                    parts.append((weight, at + tick * period, sqrt(variance + tick * wandering + varied)))
        total = sum(weight for weight, _, _ in parts)
        return [(weight / total, mean, width) for weight, mean, width in parts]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a hand says of a change: the weighted chance that it had given to the bracket, itself after the
    change (None if it is lost), the ticks that were left out before, and the tick that brought the change."""

    chance: float
    hand: Hand | None = None
    left_out: Sequence[float] = ()
    bringing: float = 0.0


def _least(period: float) -> int:
    """Returns how many of the next ticks are tried for a change at least."""
    ticks = int(_WEEKEND // period)
    return max(_AHEAD, ticks) if ticks <= _FARTHEST else _AHEAD


def truncated(mean: float, variance: float, low: float, high: float) -> tuple[float, float, float]:
    """Returns the share of a normal distribution within (low, high], and the mean and variance of that share.

    Where the share is too small to reckon with, mean and variance are those of the whole.
    """
    width = sqrt(variance)
    below, above = (low - mean) / width, (high - mean) / width
    share = _between(mean, variance, low, high)
    if share < 1e-9:
        return 0.0, mean, variance
    at_low, at_high = _PEAK * exp(-0.5 * below * below), _PEAK * exp(-0.5 * above * above)
    moved = (at_low - at_high) / share
    left = 1.0 + (below * at_low - above * at_high) / share - moved * moved
    return share, mean + width * moved, variance * min(max(left, 1e-6), 1.0)


def _between(mean: float, variance: float, low: float, high: float) -> float:
    """Returns the share of a normal distribution within (low, high]."""
    scale = _HALF / sqrt(variance)
    return 0.5 * (erf((high - mean) * scale) - erf((low - mean) * scale))


def _started(low: float, high: float, gaps: Sequence[float]) -> Ticks:
    """Returns hands that know the last bracket, and of the period only what the last gaps say."""
    recent = sorted(gaps[-_RECENT:])
    period = recent[len(recent) // 2]
    spread = (high - low) ** 2 / 12.0
    hand = Hand(1.0 / len(_JITTERS), 0.0, period, spread, spread / 2.0, max(spread, (_DOUBT * period) ** 2))
    hands = [hand.in_round_time() if place == _ROUND else hand for place in range(len(_JITTERS))]
    return Ticks(tuple(hands))


def _with_days(ticks: Ticks, days: Days, period: float) -> Ticks:
    """Returns ticks after a new start, with the days of the clock before if their periods are about equal."""
    new = ticks.hands[0].period
    equal = max(new, period) < _SAME_PERIOD * min(new, period)
    return replace(ticks, days=days.started()) if equal else ticks


def _weighed(before: tuple[Hand, ...], found: Sequence[_Found]) -> tuple[Hand, ...]:
    """Returns the hands with their new weights. A hand that is lost follows the best of the others."""
    _, best = max(((one.chance, one.hand) for one in found if one.hand is not None), key=lambda pair: pair[0])
    hands = [
        one.hand or (best.in_round_time() if place == _ROUND else best) for place, one in enumerate(found)
    ]
    weights = [
        hand.weight**_FAITH * max(one.chance / hand.weight, _LOST)
        for hand, one in zip(before, found, strict=True)
    ]
    scale = (1.0 - _LEAST * len(hands)) / sum(weights)
    return tuple(
        replace(hand, weight=scale * weight + _LEAST) for hand, weight in zip(hands, weights, strict=True)
    )
