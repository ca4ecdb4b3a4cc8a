"""A clock whose ticks nobody tells: the brackets in which changes lie in, when the next tick is due out.

Where the server does not date a change, we know two looks between which it was made. Each such bracket bounds
the phase and the period of the clock a little more, as long as looks fall near its ticks; and they do, since
a look is worth most where a change is likely and not certain.

A `Hand` believes in one period and one phase, each with its doubt, and in a jitter: by how much a change may
miss its tick, as a share of the period. It is a Kalman filter whose measurement is not a value but a bracket:
of the change that was foretold only the part within the bracket remains. Several hands with different jitters
run side by side, and one of them believes only in periods that people set (an hour, a day, a week). Each
counts by how well it foretold the changes so far. A clock may leave out ticks (a newspaper has no edition on
Sunday), so we learn as well which of the coming ticks brings the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import erf, exp, log, sqrt, tau

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
# The chance of each of the next ticks to bring the change, at first; how fast it is learnt; the least of it.
_FIRST_TICKS = (0.94, 0.03, 0.02, 0.01)
_LEARNING, _RAREST = 0.1, 0.005
# What a new start leaves of what was learnt of left-out ticks.
_KEPT = 0.8
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
class Ticks:
    """What is known of a clock.

    `chances` says which of the next ticks brings a change, `evidence` by how much the hands have beaten the
    expert for any page since their start, `changes` how many changes ago that was.
    """

    hands: tuple[Hand, ...] = ()
    chances: tuple[float, ...] = _FIRST_TICKS
    evidence: float = 0.0
    changes: int = 0

    @property
    def period(self) -> float:
        """Returns the most likely gap to the next change; 0 if nothing is known."""
        if not self.hands:
            return 0.0
        likely = max(range(len(self.chances)), key=self.chances.__getitem__) + 1
        return likely * max(self.hands, key=lambda hand: hand.weight).period

    def bracketed(self, low: float, high: float, gaps: Sequence[float], plain: float) -> Ticks:
        """Returns the ticks after a change somewhere in (low, high], counted from the change before it.

        `gaps` are the last gaps, with that of this change. `plain` is the chance that the expert for any page
        had given to the bracket. From now on times count from the middle of the bracket.
        """
        if not self.hands:
            return _started(low, high, gaps, _FIRST_TICKS)
        found = [self._found(hand, jitter, low, high) for hand, jitter in self._pairs]
        shares = [sum(one) for one in zip(*(chances for _, chances in found), strict=True)]
        total = sum(shares)
        gain = min(max(log(max(total, 1e-9) / max(plain, 1e-9)), _LIMITS[0]), _LIMITS[1])
        evidence = self.evidence + _AVERAGING * (gain - self.evidence)
        lost = all(hand is None for hand, _ in found)
        if lost or (self.changes >= _TRIAL and evidence < _MARGIN):
            chances = (_mixed(_KEPT, *pair) for pair in zip(self.chances, _FIRST_TICKS, strict=True))
            return _started(low, high, gaps, tuple(chances))
        learnt = (
            max(_mixed(1.0 - _LEARNING, known, share / total), _RAREST)
            for known, share in zip(self.chances, shares, strict=True)
        )
        return Ticks(_weighed(self.hands, found), tuple(learnt), evidence, self.changes + 1)

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

    def _found(
        self, hand: Hand, jitter: float, low: float, high: float
    ) -> tuple[Hand | None, tuple[float, ...]]:
        """Returns a hand after a change in (low, high], None if it is lost.

        The second value is the weighted chance that it had given to the bracket, tick by tick.
        """
        ahead = [hand.after(tick, jitter) for tick in range(1, len(self.chances) + 1)]
        varied = (jitter * hand.period) ** 2
        chances = [
            chance * _between(one.at, one.spread + varied, low, high)
            for one, chance in zip(ahead, self.chances, strict=True)
        ]
        weighted = tuple(hand.weight * chance for chance in chances)
        if sum(chances) < _LOST:
            return None, weighted
        best = max(range(len(chances)), key=chances.__getitem__)
        corrected = ahead[best].corrected(jitter, low, high)
        return replace(corrected, at=corrected.at - (low + high) / 2.0), weighted

    @cached_property
    def _parts(self) -> list[tuple[float, float, float]]:
        """Returns the forecast as weight, mean and standard deviation of normal distributions."""
        parts = []
        for hand, jitter in self._pairs:
            at, period, spread = hand.at, hand.period, hand.spread
            varied = (jitter * period) ** 2
            wandering = _WANDERING**2 * varied
            for tick, chance in enumerate(self.chances, 1):
                weight = hand.weight * chance
                if weight >= _HEARD:
                    variance = max(spread + tick * (2.0 * hand.shared + tick * hand.doubt), 0.0)
                    parts.append((weight, at + tick * period, sqrt(variance + tick * wandering + varied)))
        total = sum(weight for weight, _, _ in parts)
        return [(weight / total, mean, width) for weight, mean, width in parts]


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


def _started(low: float, high: float, gaps: Sequence[float], chances: tuple[float, ...]) -> Ticks:
    """Returns hands that know the last bracket, and of the period only what the last gaps say."""
    recent = sorted(gaps[-_RECENT:])
    period = recent[len(recent) // 2]
    spread = (high - low) ** 2 / 12.0
    hand = Hand(1.0 / len(_JITTERS), 0.0, period, spread, spread / 2.0, max(spread, (_DOUBT * period) ** 2))
    hands = [hand.in_round_time() if place == _ROUND else hand for place in range(len(_JITTERS))]
    return Ticks(tuple(hands), chances)


def _weighed(
    before: tuple[Hand, ...], found: Sequence[tuple[Hand | None, tuple[float, ...]]]
) -> tuple[Hand, ...]:
    """Returns the hands with their new weights. A hand that is lost follows the best of the others."""
    _, best = max(
        ((sum(chances), hand) for hand, chances in found if hand is not None), key=lambda pair: pair[0]
    )
    hands = [
        hand or (best.in_round_time() if place == _ROUND else best) for place, (hand, _) in enumerate(found)
    ]
    weights = [
        hand.weight**_FAITH * max(sum(chances) / hand.weight, _LOST)
        for hand, (_, chances) in zip(before, found, strict=True)
    ]
    scale = (1.0 - _LEAST * len(hands)) / sum(weights)
    return tuple(
        replace(hand, weight=scale * weight + _LEAST) for hand, weight in zip(hands, weights, strict=True)
    )


def _mixed(share: float, first: float, second: float) -> float:
    return share * first + (1.0 - share) * second
