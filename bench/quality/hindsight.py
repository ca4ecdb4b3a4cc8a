"""How near to the best the policy `learned` is on recorded pages: a policy that knows each page beforehand.

    python -m bench.quality.hindsight

`Hindsight` knows how likely the page changes at each age of its newest version and at each hour of workdays
and weekends, fitted on the very changes that it is played on, and the server tells it the moment of every
change that it finds. A threshold falls with the rate to the power of `law`; with 0.5 looks are worth the same
at all times. The best law of three is taken for each page. No policy that must learn these rates from its
looks can be expected to be ahead of it. `even` looks in the same number of equal intervals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

from bench.quality.pace import WINDOWS, RecordedBed, recorded_beds
from webvigil.pace.policy import DAY, HOUR, Bounds, Observation
from webvigil.pace.simulate.bed import MINUTE
from webvigil.pace.simulate.equal import at_looks
from webvigil.pace.simulate.experiment import Options, experiment
from webvigil.pace.simulate.play import Outcome, mean, play

_LAWS = (0.0, 0.25, 0.5)
_AGES = (*(MINUTE * 2.0**power for power in range(17)), inf)
_CELLS = 48  # the hours of a workday, then those of a day of the weekend
_ROUNDS = 12  # of fitting ages and hours in turn
_IMAGINED = 0.5  # changes that each age and hour is believed to have had at the mean rate
_GUESSES = 9
_CLOSE = 0.01  # by what share the looks of a guess may differ; then thresholds around it are tried as well
_AROUND = (0.9, 0.95, 1.05, 1.1)
_QUIETEST = 1e-4  # the least rate, as a share of the mean rate, that lowers the threshold

Piece = tuple[int, int, float]
"""An age, a cell of the week, and for how long both lasted."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Changes per millisecond: the product of what the age and what the hour says, and their mean."""

    ages: list[float]
    cells: list[float]
    mean: float


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The policy; its state has the last look and the last known change."""

    bounds: Bounds
    threshold: float
    rates: Rates
    law: float

    def start(self, now: int) -> tuple[int, int]:
        return now, now

    def observed(self, state: tuple[int, int], seen: Observation) -> tuple[int, int]:
        told = seen.last_modified
        return seen.now, told if seen.changed and told is not None else state[1]

    def next_look(self, state: tuple[int, int], now: int) -> int:
        looked, changed = state
        soonest, latest = looked + self.bounds.shortest, looked + self.bounds.longest
        pending, moment = 0.0, float(looked)
        for age, cell, length in _pieces(changed, looked, latest):
            rate = self.rates.ages[age] * self.rates.cells[cell]
            wanted = self.threshold * max(rate / self.rates.mean, _QUIETEST) ** self.law
            reached = moment + max(0.0, wanted - pending) / rate
            if max(reached, soonest) <= moment + length:
                return max(now, soonest, round(reached))
            pending, moment = pending + rate * length, moment + length
        return max(now, latest)


def _pieces(changed: float, begin: float, end: float) -> Iterator[Piece]:
    """Yields the time from `begin` to `end` in pieces of one age and one hour; the page changed at
    `changed`."""
    moment = float(begin)
    while moment < end:
        age = bisect_right(_AGES, moment - changed)
        until = min(changed + _AGES[age], (moment // HOUR + 1) * HOUR, end)
        yield age, _cell(moment), until - moment
        moment = until


def _cell(moment: float) -> int:
    weekend = (int(moment // DAY) + 3) % 7 >= 5  # the epoch began on a Thursday
    return int(moment // HOUR) % 24 + 24 * weekend


def fitted(changes: tuple[int, ...], start: int) -> Rates:
    """Returns the rates that foretell these changes best, each drawn a little towards the mean rate."""
    pieces: list[Piece] = []
    ages, cells = [0] * len(_AGES), [0] * _CELLS
    before = start
    for change in changes:
        pieces += (found := list(_pieces(before, before, change)))
        if found:
            ages[found[-1][0]] += 1
            cells[found[-1][1]] += 1
        before = change
    rate = len(changes) / (changes[-1] - start)
    by_age, by_cell = [rate] * len(_AGES), [1.0] * _CELLS
    for _ in range(_ROUNDS):
        lasted = [0.0] * len(_AGES)
        for age, cell, length in pieces:
            lasted[age] += length * by_cell[cell]
        by_age = [(n + _IMAGINED) / (time + _IMAGINED / rate) for n, time in zip(ages, lasted, strict=True)]
        expected = [0.0] * _CELLS
        for age, cell, length in pieces:
            expected[cell] += length * by_age[age]
        by_cell = [(n + _IMAGINED) / (due + _IMAGINED) for n, due in zip(cells, expected, strict=True)]
    return Rates(by_age, by_cell, rate)


def in_hindsight(bed: RecordedBed, law: float, allowed: float) -> Outcome:
    """Returns the outcome with as many looks as allowed, on a line through those with about as many."""
    windows = [(bed.begins(seed), bed.drawn(seed)) for seed in range(WINDOWS)]
    known = [(start, changes, fitted(changes, start)) for start, changes in windows]
    threshold, few, many, tried = 0.8, 0.0, 0.0, []
    for guess in range(_GUESSES):
        tried.append(_with_threshold(bed, known, threshold, law))
        looks = tried[-1].cycles / allowed
        if abs(looks - 1.0) <= _CLOSE:
            break
        if looks > 1.0:
            many = threshold
        else:
            few = threshold
        threshold = sqrt(few * many) if few and many else threshold * looks ** (1 + guess / 2)
    tried += [_with_threshold(bed, known, factor * threshold, law) for factor in _AROUND]
    return at_looks(tried, allowed)


def _with_threshold(
    bed: RecordedBed, known: list[tuple[int, tuple[int, ...], Rates]], threshold: float, law: float
) -> Outcome:
    return mean(
        [
            play(Hindsight(bed.bounds, threshold, rates, law), changes, start=start)
            for start, changes, rates in known
        ]
    )


def main() -> None:
    print(f"{'page':28}{'looks':>7}{'forced':>8}{'even':>7}{'learned':>9}{'hindsight':>11}   shares of bea")
    shares = []
    undated, seeds = Options(last_modified=False), range(WINDOWS)
    for bed in recorded_beds():
        bea, ours = (experiment(bed, policy, seeds, undated) for policy in ("bea", "learned"))
        found = [in_hindsight(bed, law, bea.cycles) for law in _LAWS]
        best = min(one.mean_delay for one in found)
        length = sum(bed.drawn(seed)[-1] - bed.begins(seed) for seed in seeds) / WINDOWS
        even = length / bea.cycles / 2000
        shares.append((even / bea.mean_delay, ours.mean_delay / bea.mean_delay, best / bea.mean_delay))
        forced = length / bed.bounds.longest
        line = "{:28}{:7.0f}{:8.0f}{:7.2f}{:9.2f}{:11.2f}"
        print(line.format(bed.name, bea.cycles, forced, *shares[-1]), flush=True)
    means = (sum(one) / len(shares) for one in zip(*shares, strict=True))
    print("{:43}{:7.2f}{:9.2f}{:11.2f}".format("mean", *means))


if __name__ == "__main__":
    main()
