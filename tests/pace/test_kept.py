"""Made-up pages, what `learned` makes of them, and what fleets come to stay as they are.

Tuned numbers have no tests of their own: one that differs is seen here. After a change that is meant, write
the file anew and read what git says is different: `.venv/bin/python -m tests.pace.test_kept`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from itertools import chain
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

from webvigil.model.moment import Millis
from webvigil.pace.learned import Learned
from webvigil.pace.policy import Observation
from webvigil.pace.simulate.bed import BEDS, CLOCKS, MINUTE, REALISTIC, Bed
from webvigil.pace.simulate.fleet import FLEET_POLICIES, drawn_fleet, run_fleet
from webvigil.pace.words import habit

KEPT = Path(__file__).with_name("kept.txt")
_TOLD = 60
"""After so many looks it is told what is known of a page."""


def kept() -> str:
    return "\n".join(chain(_beds(), *map(_learnt, (*REALISTIC, *CLOCKS)), _fleets())) + "\n"


def _beds() -> Iterator[str]:
    for bed in BEDS.values():
        drawn = bed.drawn(1)
        yield f"{bed.name}: {bed.about}; {bed.changes} changes from {bed.start}, α {bed.alpha}, {bed.bounds}"
        yield f"    {' '.join(map(str, drawn[:3]))} … {drawn[-1]}, in sum {sum(drawn)}"


def _learnt(bed: Bed) -> Iterator[str]:
    """Tells what is learnt from looks at moments that no policy chose, so that nothing small grows large."""
    for dated in (True, False):
        yield f"{bed.name}, {'with' if dated else 'without'} dates"
        policy = Learned(bounds=bed.bounds)
        changes, now = bed.drawn(2)[:100], bed.start
        state, seen = policy.start(now), 0
        for number, now in enumerate(_looks(bed, changes), 1):
            found = sum(one <= now for one in changes[seen : seen + 20])
            seen += found
            told = changes[seen - 1] if found and dated else None
            state = policy.observed(state, Observation(now, found > 0, told))
            if number % _TOLD == 0:
                weights = " ".join(f"{weight:.4f}" for weight in state.known.weights)
                wait = policy.next_look(state, now) - now
                yield f"    {number}: {weights}; {policy.rate(state):.6g}; {wait / MINUTE:.2f} min"
                yield f"        {habit(state, now)}; after a month: {habit(state, now + 43_200 * MINUTE)}"
        for name, part in policy.as_plain(state).items():
            numbers = [float(one) for one in _numbers(part)]
            yield f"    {name}: {len(numbers)} numbers, in sum {fsum(numbers):.10g}"


def _looks(bed: Bed, changes: tuple[Millis, ...]) -> Iterator[Millis]:
    random, now = Random(3), bed.start
    while now < changes[-1]:
        now += round(random.uniform(0.1, 0.7) * (changes[-1] - changes[0]) / len(changes))
        yield now


def _numbers(part: Any) -> Iterable[float]:
    if isinstance(part, dict):
        return chain.from_iterable(map(_numbers, part.values()))
    if isinstance(part, list | tuple):
        return chain.from_iterable(map(_numbers, part))
    return [part] if isinstance(part, int | float) else []


def _fleets() -> Iterator[str]:
    pages = drawn_fleet(300, 40, seed=1)
    changes = [moment for page in pages for moment in page.changes]
    yield f"a fleet: {len(changes)} changes, in sum {sum(changes)}, {sum(page.dated for page in pages)} dated"
    yield f"    weights: {' '.join(str(int(page.weight)) for page in pages)}"
    pages = drawn_fleet(60, 6, seed=2)
    for policy in FLEET_POLICIES:
        outcome = run_fleet(pages, policy, days=6, warm_up=2, looks_per_hour=15.0)
        *counts, delay = astuple(outcome)[1:]
        yield f"    {policy}: {' '.join(map(str, counts))}, {delay:.4f} h"


def test_what_is_learnt_of_made_up_pages_stays_as_it_was():
    told = KEPT.read_text("utf-8")
    assert kept() == told, "if this is meant: .venv/bin/python -m tests.pace.test_kept"


if __name__ == "__main__":
    KEPT.write_text(kept(), "utf-8")
