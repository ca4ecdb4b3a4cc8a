"""When to look: `bea` against the thesis, `learned` against `bea`, a fleet under a budget, time per decision.

    python -m bench.quality.pace [--json] [--runs N] [--pages N] [--only PART]

A row says what is the case (`ours`), what it is compared with (`peer`), our share of that, what is held
(`against`), and by how much we are ahead: a ratio above 1 is better than held. `learned` makes as many looks
as `bea` on the same pages (`webvigil.pace.simulate.equal`). Exit 1 where a floor is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path
from random import Random
from typing import Any

from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.policy import DAY, Bounds, Observation
from webvigil.pace.simulate.bed import BEDS, MINUTE, REALISTIC, THESIS, Bed
from webvigil.pace.simulate.experiment import Options, experiment
from webvigil.pace.simulate.fleet import FLEET_POLICIES, LOOKS_PER_PAGE, drawn_fleet, run_fleet
from webvigil.pace.simulate.play import Outcome

Row = dict[str, Any]

# For each case of the thesis: the changes that `bea` captures and the looks that it makes, each with its
# tolerance.
REPRODUCED = {
    "Cons240": ((240, 0), (295, 0)),
    "RFast240": ((214, 3), (342, 8)),
    "Rand240": ((223, 4), (360, 10)),
    "CONST1000": ((888, 6), (1226, 15)),
    "RAND1000": ((976, 5), (1590, 15)),
}
# The largest allowed delay of `learned` as a share of the delay of `bea`, if servers send Last-Modified.
DELAYS = {
    "RFast240": 0.90,
    "Cons240": 0.15,
    "Rand240": 0.95,
    "CONST1000": 0.52,
    "RAND1000": 0.88,
    "morning-paper": 0.12,
    "six-hourly-job": 0.08,
    "office-hours": 0.55,
}
CAPTURED_UNDATED, DELAY_UNDATED = 0.985, 1.02
# The same without Last-Modified, for pages that change at fixed times and in office hours.
DELAYS_UNDATED = {
    "morning-paper": 0.25,
    "six-hourly-job": 0.25,
    "weekly": 0.25,
    "workday-paper": 0.25,
    "workday-job": 0.25,
    "local-paper": 0.25,
    "hourly-loop": 0.25,
    "odd-job": 0.25,
    "office-hours": 0.75,
}
# The largest allowed mean of these shares, over the cases above and over recorded changes of real pages.
DELAY_REALISTIC, DELAY_RECORDED = 0.60, 0.75
HISTORIES = Path(__file__).with_name("histories.json")
WINDOW, WINDOWS = 200, 8
UNIFORM, STRETCHED = 0.5, 0.4
MICROSECONDS = 50.0

FLEET_DAYS, FLEET_WARM_UP = 14, 4


PARTS = ("bea", "dated", "realistic", "undated", "clocks", "recorded", "fleet", "speed")


def rows(runs: int, pages: int, parts: Sequence[str] = PARTS) -> Iterator[Row]:
    seeds = range(runs)
    for part in parts:
        match part:
            case "bea":
                yield from _reproduced(seeds)
            case "dated":
                yield from (row for bed in THESIS for row in _dated(bed.name, seeds))
            case "realistic":
                yield from (row for bed in REALISTIC for row in _dated(bed.name, seeds))
            case "undated":
                # The short cases are drawn more often: they change at whole seconds, which coincide with some
                # waits between looks.
                for bed in THESIS:
                    yield from _undated(bed.name, range(runs if bed.changes > 240 else 3 * runs))
            case "clocks":
                yield from _clocks(seeds)
            case "recorded":
                yield from _recorded()
            case "fleet":
                yield from _fleet(pages)
            case "speed":
                yield from _speed()


def measured() -> list[Row]:
    """Returns the rows that `bench.floors` compares with floors, measured on few pages of each kind."""
    return list(rows(8, 0, ("clocks", "recorded")))


def _reproduced(seeds: range) -> Iterator[Row]:
    for case, bands in REPRODUCED.items():
        outcome = experiment(BEDS[case], "bea", seeds)
        for name, ours, (middle, tolerance) in zip(
            ("captured", "cycles"), (outcome.captured, outcome.cycles), bands, strict=True
        ):
            yield {
                "name": f"bea {case} {name}",
                "ours": round(ours, 1),
                "peer": middle,
                "share": round(ours / middle, 3),
                "against": f"±{tolerance}",
                "ratio": round(ours / middle, 4),
                "held": abs(ours - middle) <= tolerance,
            }


def _dated(case: str, seeds: range) -> Iterator[Row]:
    bea, ours = (experiment(BEDS[case], policy, seeds) for policy in ("bea", "learned"))
    yield _most(f"learned {case} looks", ours.cycles, bea.cycles)
    yield _least(f"learned {case} captured per look", ours.captured / ours.cycles, bea.captured / bea.cycles)
    yield _most(f"learned {case} delay, s", ours.mean_delay, bea.mean_delay, DELAYS[case])


def _undated(case: str, seeds: range) -> Iterator[Row]:
    options = Options(last_modified=False)
    bea, ours = (experiment(BEDS[case], policy, seeds, options) for policy in ("bea", "learned"))
    name = f"learned {case} without Last-Modified"
    yield _most(f"{name}, looks", ours.cycles, bea.cycles)
    yield _least(f"{name}, captured", ours.captured, bea.captured, CAPTURED_UNDATED)
    yield _most(f"{name}, delay, s", ours.mean_delay, bea.mean_delay, DELAY_UNDATED)


def _clocks(seeds: range) -> Iterator[Row]:
    """Yields rows for pages that change at fixed times, on servers that send no Last-Modified."""
    ratios = []
    for case, most in DELAYS_UNDATED.items():
        bea, ours = _at_equal_looks(BEDS[case], seeds)
        ratios.append(ours.mean_delay / bea.mean_delay)
        name = f"learned {case} without Last-Modified"
        yield _most(f"{name}, looks", ours.cycles, bea.cycles)
        yield _most(f"{name}, delay, s", ours.mean_delay, bea.mean_delay, most)
    mean = sum(ratios) / len(ratios)
    yield _most("learned, all of these, mean of the shares of delay", mean, 1.0, DELAY_REALISTIC)


def _recorded() -> Iterator[Row]:
    """Yields rows for recorded changes of real pages. Each recording is played in windows that begin at
    different times."""
    ratios = []
    for bed in recorded_beds():
        bea, ours = _at_equal_looks(bed, range(WINDOWS))
        ratios.append(ours.mean_delay / bea.mean_delay)
        yield _most(f"recorded: {bed.name}, looks", ours.cycles, bea.cycles)
        yield _most(f"recorded: {bed.name}, delay, s", ours.mean_delay, bea.mean_delay)
    yield _most("recorded, mean of the shares of delay", sum(ratios) / len(ratios), 1.0, DELAY_RECORDED)


def _at_equal_looks(bed: Bed, seeds: range) -> tuple[Outcome, Outcome]:
    options = Options(last_modified=False)
    return experiment(bed, "bea", seeds, options), experiment(bed, "learned", seeds, options)


def recorded_beds() -> Iterator[RecordedBed]:
    """Yields the recorded changes as beds, at the hours at which they were made. A seed is the place of a
    window; its first change is its beginning."""
    for history in json.loads(HISTORIES.read_text(encoding="utf-8")):
        yield RecordedBed(
            name=history["name"],
            about=history["origin"],
            moments=_no_draw,
            changes=WINDOW,
            bounds=Bounds(MINUTE, 2 * DAY),
            start=1000 * history["first"],
            gaps=tuple(1000 * gap for gap in history["gaps"]),
        )


def _no_draw(_: Random) -> Iterator[int]:
    return iter(())


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBed(Bed):
    gaps: tuple[int, ...]

    def drawn(self, seed: int) -> tuple[int, ...]:
        first = self._first(seed)
        return tuple(accumulate(self.gaps[first : first + WINDOW], initial=self.begins(seed)))[1:]

    def begins(self, seed: int) -> int:
        return self.start + sum(self.gaps[: self._first(seed)])

    def _first(self, seed: int) -> int:
        return (len(self.gaps) - WINDOW) * seed // (WINDOWS - 1)


def _fleet(pages: int) -> Iterator[Row]:
    fleet = drawn_fleet(pages, FLEET_DAYS, seed=0)
    delay = {
        policy: run_fleet(
            fleet,
            policy,
            days=FLEET_DAYS,
            warm_up=FLEET_WARM_UP,
            looks_per_hour=LOOKS_PER_PAGE * pages,
        ).mean_delay
        for policy in FLEET_POLICIES
    }
    for ours in ("learned", "steered"):
        name = f"fleet of {pages}, {ours}, weighted delay, h"
        yield _most(name, delay[ours], delay["uniform"], UNIFORM, "uniform")
        yield _most(name, delay[ours], delay["bea"], STRETCHED, "stretched")


def _speed() -> Iterator[Row]:
    for case, dated in product(("RAND1000", "CONST1000", "office-hours", "six-hourly-job"), (True, False)):
        bed = BEDS[case]
        yield _most(
            f"a decision on {case}{'' if dated else ' without Last-Modified'}, µs",
            _decision(Learned(bounds=bed.bounds), bed, dated),
            MICROSECONDS,
        )


def _decision(policy: Learned, bed: Bed, dated: bool) -> float:
    """Returns the CPU time of `next_look`, in the mean over all looks at a page; the best of three."""
    states = _states(policy, bed.drawn(0), bed.start, dated)
    return min(_cpu(policy, states) for _ in range(3)) / len(states) * 1e6


def _cpu(policy: Learned, states: list[LearnedState]) -> float:
    began = time.process_time()
    for state in states:
        policy.next_look(state, state.looked)
    return time.process_time() - began


def _states(policy: Learned, changes: tuple[int, ...], start: int, dated: bool) -> list[LearnedState]:
    states, now, seen = [policy.start(start)], start, 0
    while seen < len(changes):
        now = policy.next_look(states[-1], now)
        before = seen
        while seen < len(changes) and changes[seen] <= now:
            seen += 1
        told = changes[seen - 1] if seen > before and dated else None
        states.append(policy.observed(states[-1], Observation(now, seen > before, told)))
    return states


def _most(name: str, ours: float, peer: float, floor: float = 1.0, against: str = "bea") -> Row:
    """Returns a row for a figure of ours that may be at most `floor` times the figure of the peer."""
    return _row(name, ours, peer, floor, against, floor * peer / max(ours, 1e-9))


def _least(name: str, ours: float, peer: float, floor: float = 1.0, against: str = "bea") -> Row:
    """Returns a row for a figure of ours that must be at least `floor` times the figure of the peer."""
    return _row(name, ours, peer, floor, against, ours / max(floor * peer, 1e-9))


def _row(name: str, ours: float, peer: float, floor: float, against: str, ratio: float) -> Row:
    return {
        "name": name,
        "ours": round(ours, 4),
        "peer": round(peer, 4),
        "share": round(ours / max(peer, 1e-9), 3),
        "against": f"{against} ×{floor:g}" if peer != MICROSECONDS else "limit",
        "ratio": round(ratio, 3),
        "held": ratio >= 1.0,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be given several times")
    given = parser.parse_args()
    found = []
    if not given.json:
        print(f"{'row':56}{'ours':>13}{'peer':>13}{'share':>8}   {'held':16}{'ahead':>8}", flush=True)
    for row in rows(given.runs, given.pages, given.only or PARTS):
        found.append(row)
        if not given.json:
            mark = "" if row["held"] else "  MISSED"
            print(
                "{name:56}{ours:13.3f}{peer:13.3f}{share:8.3f}   {against:16}{ratio:8.3f}".format(**row)
                + mark,
                flush=True,
            )
    if given.json:
        print(json.dumps(found, indent=1))
    return 0 if all(row["held"] for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
