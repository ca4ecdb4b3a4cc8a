"""What `simulate` prints: rows in the units that a person reads, beside the results of the thesis."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from webvigil.cli import simulate
from webvigil.cli.main import webvigil
from webvigil.pace.simulate.play import Outcome


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0.00 s"),
        (119.99, "119.99 s"),
        (120, "2.0 min"),
        (7199, "120.0 min"),
        (7200, "2.00 h"),
        (9000, "2.50 h"),
    ],
)
def test_a_delay_is_told_in_the_unit_that_fits(seconds: float, said: str):
    assert simulate._span(seconds) == said


@pytest.mark.parametrize(("value", "number"), [(3.0, 3), (2.345, 2.35), (0.0, 0), (-1.5, -1.5)])
def test_whole_numbers_have_no_point(value: float, number: float):
    found = simulate._number(value)
    assert (found, type(found)) == (number, type(number))


def row(case: str, policy: str, **more: Any) -> dict[str, Any]:
    given = {"changes": 240, "captured": 200.5, "cycles": 300, "mean_delay": 90.0, "convergence": {"1": 150}}
    return {"case": case, "policy": policy, **given, **more}


def test_rows_stand_below_their_heads():
    rows = [row("Cons240", "bea"), row("fleet", "learned", mean_delay=7200.0, convergence={})]
    assert simulate._text(rows).splitlines() == [
        "case            policy    changes  captured  cycles  mean delay   c=1  thesis: captured/cycles",
        "Cons240         bea           240     200.5   300.0     90.00 s   150  239/292",
        "fleet           learned       240     200.5   300.0      2.00 h      ",
    ]


def test_the_tables_of_the_thesis_stand_beside_ours():
    told = {"captured": 907, "cycles": 1326, "convergence": [584, 239, 71, 11]}
    ours = {"1": 580, "0.5": 240, "0.33": 70, "0.25": 9, "0.2": 1}
    one = row("CONST1000", "bea", convergence=ours, alpha=4, beta=2, history=20, thesis=told)
    assert simulate._tables_text([one]).splitlines()[1:] == [
        (
            "CONST1000  4 2 20                   200/300          907/1326             580  240   70    9"
            "   584 239 71 11"
        )
    ]


def printed(*words: str) -> Any:
    done = CliRunner().invoke(webvigil, ["simulate", "--runs", "1", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_one_case_and_policy_is_one_object_and_several_are_a_list():
    one = json.loads(printed("--case", "cons240", "--policy", "ideal", "--json"))
    assert (one["case"], one["policy"], one["changes"], one["captured"]) == ("Cons240", "ideal", 240, 240)
    assert next(iter(one["convergence"])) == "1"
    two = json.loads(printed("--case", "Cons240", "--policy", "ideal", "--policy", "naive", "--json"))
    assert [row["policy"] for row in two] == ["ideal", "naive"]
    assert len(printed("--case", "Cons240", "--policy", "ideal").splitlines()) == 2


def test_another_seed_is_another_page():
    def delays(seed: int) -> float:
        found = json.loads(printed("--case", "Rand240", "--policy", "naive", "--seed", str(seed), "--json"))
        return float(found["mean_delay"])

    assert delays(1) == delays(1) != delays(2)


def test_the_options_of_bea_are_used():
    def cycles(*more: str) -> float:
        found = json.loads(printed("--case", "Rand240", "--policy", "bea", "--json", *more))
        return float(found["cycles"])

    usual = cycles()
    assert usual == cycles("--beta", "2", "--history", "20")
    assert usual != cycles("--beta", "6")
    assert usual != cycles("--alpha", "9")
    assert usual != cycles("--no-last-modified")


def test_a_fleet_has_one_budget_for_all_its_pages():
    one = json.loads(printed("--case", "fleet", "--pages", "10", "--policy", "uniform", "--json"))
    assert (one["case"], one["policy"], one["convergence"]) == ("fleet", "uniform", {})
    assert one["captured"] <= one["changes"]


def test_a_delay_is_rounded_to_what_can_be_told():
    outcome = Outcome(changes=3, captured=2, cycles=5, mean_delay=1.234567, convergence={"1": 2.5})
    assert simulate._row("case", "bea", outcome) == {
        "case": "case",
        "policy": "bea",
        "changes": 3,
        "captured": 2,
        "cycles": 5,
        "mean_delay": 1.2346,
        "convergence": {"1": 2.5},
    }
    hours = SimpleNamespace(policy="bea", changes=3, captured=2, looks=5, mean_delay=0.12345)
    assert simulate._fleet_row(hours)["mean_delay"] == 444.4


def test_without_a_case_the_pages_of_the_thesis_are_tried():
    rows = json.loads(printed("--policy", "ideal", "--json"))
    assert [row["case"] for row in rows] == ["RFast240", "Cons240", "Rand240", "CONST1000", "RAND1000"]
