"""Every dependency has a row in docs/decisions/dependencies.md: what for, what else, when to change."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=; ]", one, maxsplit=1)[0].lower() for one in requirements}


def _rows() -> list[str]:
    page = (ROOT / "docs/decisions/dependencies.md").read_text("utf-8")
    return [
        row for row in page.splitlines() if row.startswith("|") and not row.startswith(("| package", "|---"))
    ]


def test_every_dependency_says_what_it_is_for_and_when_it_would_go():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = _named(project["dependencies"]).union(
        *(_named(extras[name]) for name in extras if name != "dev")
    )
    told = {re.split(r"[ (]", row.strip("| "), maxsplit=1)[0] for row in _rows()}
    assert told - wanted == set(), "rows of docs/decisions/dependencies.md that pyproject.toml does not name"
    assert wanted - told == set(), "add a row for each of these to docs/decisions/dependencies.md"
    for row in _rows():
        assert len(row.strip("|").split("|")) in (4, 5), f"a column is missing: {row}"
