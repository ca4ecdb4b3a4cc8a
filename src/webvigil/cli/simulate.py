"""`webvigil simulate`: tries the policies for the next look on pages whose changes are known (A5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webvigil.cli.options import as_json
from webvigil.cli.saying import say_json

if TYPE_CHECKING:
    from webvigil.pace.simulate.experiment import Options
    from webvigil.pace.simulate.fleet import FleetOutcome
    from webvigil.pace.simulate.play import Outcome

_FLEET = "fleet"
# Simulated days, and the first of them that do not count because policies are still learning.
_FLEET_DAYS, _FLEET_WARM_UP = 14, 4


@click.command()
@click.option("--case", "cases", metavar="C", multiple=True, help="A page to look at (default: the thesis').")
@click.option("--policy", "policies", metavar="P", multiple=True, help="ideal, naive, bea or learned.")
@click.option("--seed", metavar="N", default=0, show_default=True, help="The first page that is drawn.")
@click.option(
    "--runs",
    metavar="N",
    type=click.IntRange(1, 10_000),
    default=5,
    show_default=True,
    help="How many pages are drawn; results are means.",
)
@click.option(
    "--price",
    type=click.FloatRange(0.001, 1000),
    help="Price of a look for learned; without it learned makes as many looks as bea.",
)
@click.option("--alpha", type=click.IntRange(1, 1000), help="α of bea (default: that of the experiment).")
@click.option("--beta", type=click.IntRange(1, 1000), default=2, show_default=True, help="β of bea.")
@click.option("--history", type=click.IntRange(1, 1000), default=20, show_default=True, help="H of bea.")
@click.option("--no-last-modified", is_flag=True, help="The server does not tell when the page changed.")
@click.option("--tables", is_flag=True, help="Repeat Tables 4.2 to 4.9 of the thesis: every α, β and H.")
@click.option(
    "--pages", type=click.IntRange(10, 100_000), default=500, show_default=True, help="Size of the fleet."
)
@as_json
def simulate(
    cases: tuple[str, ...],
    policies: tuple[str, ...],
    seed: int,
    runs: int,
    price: float | None,
    alpha: int | None,
    beta: int,
    history: int,
    no_last_modified: bool,
    tables: bool,
    pages: int,
    as_json: bool,
) -> None:
    """Try the policies for the next look on pages whose changes are known.

    Cases are RFast240, Cons240, Rand240, CONST1000 and RAND1000 of the WebVigiL thesis, morning-paper,
    six-hourly-job, office-hours, and fleet: many pages under one budget of looks. Policies are ideal
    (knows the changes), naive (fixed interval), bea (the thesis') and learned (ours).

    \b
    Example:
      webvigil simulate
      webvigil simulate --case Rand240 --policy bea --policy learned --runs 40 --json
      webvigil simulate --case fleet --pages 2000
    """
    from webvigil.pace.simulate.experiment import Options

    options = Options(last_modified=not no_last_modified, price=price, alpha=alpha, beta=beta, memory=history)
    seeds = range(seed, seed + runs)
    if tables:
        rows = _tables(seeds, options)
        say_json(rows) if as_json else click.echo(_tables_text(rows))
        return
    rows = [row for case in cases or _thesis() for row in _rows(case, policies, seeds, options, pages)]
    if as_json:
        say_json(rows[0] if len(rows) == 1 else rows)
    else:
        click.echo(_text(rows))


def _thesis() -> list[str]:
    from webvigil.pace.simulate.bed import THESIS

    return [bed.name for bed in THESIS]


def _rows(
    case: str, policies: tuple[str, ...], seeds: range, options: Options, pages: int
) -> list[dict[str, Any]]:
    from webvigil.pace.simulate.experiment import POLICIES, bed_named, experiment

    if case.lower() == _FLEET:
        return _fleet_rows(policies, seeds[0], pages)
    bed = bed_named(case)
    return [
        _row(bed.name, policy, experiment(bed, policy, seeds, options)) for policy in policies or POLICIES
    ]


def _row(case: str, policy: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "case": case,
        "policy": policy,
        "changes": _number(outcome.changes),
        "captured": _number(outcome.captured),
        "cycles": _number(outcome.cycles),
        "mean_delay": round(outcome.mean_delay, 4),
        "convergence": {level: _number(count) for level, count in outcome.convergence.items()},
    }


def _fleet_rows(policies: tuple[str, ...], seed: int, pages: int) -> list[dict[str, Any]]:
    from webvigil.pace.simulate.fleet import FLEET_POLICIES, LOOKS_PER_PAGE, drawn_fleet, run_fleet

    fleet = drawn_fleet(pages, _FLEET_DAYS, seed)
    return [
        _fleet_row(
            run_fleet(
                fleet,
                policy,
                days=_FLEET_DAYS,
                warm_up=_FLEET_WARM_UP,
                looks_per_hour=LOOKS_PER_PAGE * pages,
            )
        )
        for policy in policies or FLEET_POLICIES
    ]


def _fleet_row(outcome: FleetOutcome) -> dict[str, Any]:
    return {
        "case": _FLEET,
        "policy": outcome.policy,
        "changes": outcome.changes,
        "captured": outcome.captured,
        "cycles": outcome.looks,
        "mean_delay": round(outcome.mean_delay * 3600, 1),
        "convergence": {},
    }


def _tables(seeds: range, options: Options) -> list[dict[str, Any]]:
    from dataclasses import replace

    from webvigil.pace.simulate.experiment import bed_named, experiment
    from webvigil.pace.simulate.thesis import TUNINGS

    rows = []
    for tuning in TUNINGS:
        tuned = replace(options, alpha=tuning.alpha, beta=tuning.beta, memory=tuning.memory)
        ours = _row(tuning.case, "bea", experiment(bed_named(tuning.case), "bea", seeds, tuned))
        told = {
            "captured": tuning.captured,
            "cycles": tuning.cycles,
            "convergence": list(tuning.convergence),
        }
        rows.append(
            {**ours, "alpha": tuning.alpha, "beta": tuning.beta, "history": tuning.memory, "thesis": told}
        )
    return rows


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 2)


def _text(rows: list[dict[str, Any]]) -> str:
    from webvigil.pace.simulate.thesis import REPORTED

    head = "case            policy    changes  captured  cycles  mean delay   c=1  thesis: captured/cycles"
    lines = [head]
    for row in rows:
        told = REPORTED.get((row["case"], row["policy"]))
        lines.append(
            f"{row['case']:15} {row['policy']:8} {row['changes']:8.0f} {row['captured']:9.1f} "
            f"{row['cycles']:7.1f} {_span(row['mean_delay']):>11} {_converged(row):>5}"
            + (f"  {told[0]}/{told[1]}" if told else "")
        )
    return "\n".join(lines)


def _converged(row: dict[str, Any]) -> str:
    return f"{row['convergence']['1']:.0f}" if row["convergence"] else ""


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.2f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.2f} h"


def _tables_text(rows: list[dict[str, Any]]) -> str:
    lines = [
        "case       α β  H   captured/cycles: ours        thesis     c=1, 0.5, 0.33, 0.25: ours      thesis"
    ]
    for row in rows:
        told, ours = row["thesis"], list(row["convergence"].values())[:4]
        lines.append(
            f"{row['case']:10} {row['alpha']} {row['beta']} {row['history']}"
            f" {row['captured']:21.0f}/{row['cycles']:<6.0f} {told['captured']:9}/{told['cycles']:<6}"
            f" {' '.join(f'{count:4.0f}' for count in ours):>28}   {' '.join(map(str, told['convergence']))}"
        )
    return "\n".join(lines)
