"""What `webvigil simulate` prints of pages whose changes are known stays as it is, letter for letter.

After a change that is meant, write it anew and read what git says is different:
`.venv/bin/python -m tests.pace.test_simulated`
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from webvigil.cli.simulate import simulate

KEPT = Path(__file__).with_name("simulated.txt")
KNOWN = "--policy ideal --policy naive --policy bea"
PEOPLE = "--case morning-paper --case six-hourly-job --case office-hours"
RUNS = (
    f"{KNOWN} --runs 3",
    f"{KNOWN} --runs 2 --seed 5 --no-last-modified",
    f"{PEOPLE} {KNOWN} --runs 2",
    f"{PEOPLE} --policy bea --runs 1 --alpha 6 --beta 4 --history 50",
    "--tables --runs 1",
    "--case Rand240 --policy bea --runs 2 --json",
)


def simulated() -> str:
    pieces = []
    for words in RUNS:
        done = CliRunner().invoke(simulate, words.split(), catch_exceptions=False)
        pieces.append(f"$ webvigil simulate {words}\n{done.output}")
    return "\n".join(pieces)


def test_simulations_come_to_what_they_came_to():
    kept = KEPT.read_text("utf-8")
    assert simulated() == kept, "if this is meant: .venv/bin/python -m tests.pace.test_simulated"


if __name__ == "__main__":
    KEPT.write_text(simulated(), "utf-8")
