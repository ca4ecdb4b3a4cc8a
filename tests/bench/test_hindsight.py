"""The benchmark policy that knows the changes of a recorded page beforehand plans its looks by them."""

from __future__ import annotations

from random import Random

from bench.quality.hindsight import Hindsight, fitted
from bench.quality.pace import WINDOW, recorded_beds
from webvigil.pace.policy import DAY, HOUR, Bounds
from webvigil.pace.simulate.play import play

MONDAY = 1_704_067_200_000


def test_recorded_changes_are_played_at_the_hours_at_which_they_were_made():
    beds = [*recorded_beds()]
    assert beds
    for bed in beds:
        first, last = bed.begins(0), bed.begins(7)
        assert first == bed.start
        assert bed.drawn(0)[0] == first + bed.gaps[0]
        assert len(bed.drawn(7)) == WINDOW
        assert bed.drawn(7)[-1] == first + sum(bed.gaps)
        assert last == bed.drawn(7)[0] - bed.gaps[-WINDOW]


def test_it_looks_when_a_page_is_changed_and_not_at_night():
    random = Random("office")
    minutes = (random.randrange(9 * 60, 17 * 60) + 24 * 60 * day for day in range(60) for _ in range(3))
    changes = tuple(MONDAY + 60_000 * minute for minute in sorted(set(minutes)))
    rates = fitted(changes, MONDAY)
    assert rates.cells[9] > 5 * rates.cells[3]
    found = play(Hindsight(Bounds(60_000, 2 * DAY), 0.8, rates, 0.5), changes, start=MONDAY)
    even = 60 * 24 / found.cycles / 2 * 3600
    assert found.mean_delay < 0.7 * even
    assert found.cycles < 2 * len(changes)


def test_an_impatient_one_looks_more_often_and_waits_less():
    changes = tuple(MONDAY + step * 5 * HOUR for step in range(1, 60))
    rates, bounds = fitted(changes, MONDAY), Bounds(60_000, 2 * DAY)
    patient, impatient = (
        play(Hindsight(bounds, threshold, rates, 0.5), changes, start=MONDAY) for threshold in (1.5, 0.1)
    )
    assert impatient.cycles > patient.cycles
    assert impatient.mean_delay < patient.mean_delay
