"""Detection by folders: cases/<change type>/<case>/{before.*, after.*, expected.json}.

`expected.json` names the monitor expression, whether it changed, and the objects; only the keys an
expected object lists are compared, the order does not count. More keys: `content_type`, `url`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webvigil.detect.find import evaluate
from webvigil.detect.table import DETECTORS
from webvigil.document import PageDigest
from webvigil.language import parse_expression
from webvigil.library import digest_of
from webvigil.model.change import finding_as_json

CASES = Path(__file__).parent / "cases"
TYPES = {".html": "text/html; charset=utf-8", ".xml": "application/xml", ".json": "application/json"}


def folders() -> list[Path]:
    return sorted(path.parent for path in CASES.glob("*/*/expected.json"))


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_a_case_is_found_as_expected(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    old, new = version(folder, "before", expected), version(folder, "after", expected)
    answer = evaluate(old, new, parse_expression(expected["monitor"]))
    found = [one for finding in answer.findings for one in finding_as_json(finding)["objects"]]
    assert answer.changed is expected["changed"], found
    if "objects" in expected:
        assert_same_objects(found, expected["objects"])


@pytest.mark.parametrize(
    "kind",
    [
        "any change",
        "exact change",
        "all links",
        "all images",
        "all words",
        "keywords",
        "phrase",
        "table",
        "list",
        "regular expression",
        "content",
        "structure",
        "layout",
        "tags",
        "attributes",
        "comments",
        "value",
        "visual",
    ],
)
def test_a_change_type_has_cases_of_both_outcomes(kind: str) -> None:
    outcomes = [
        json.loads((folder / "expected.json").read_text("utf-8"))["changed"]
        for folder in folders()
        if folder.parent.name == kind.replace(" ", "-")
    ]
    assert len(outcomes) >= 6
    assert {*outcomes} == {True, False}


def test_every_folder_is_named_after_a_change_type() -> None:
    known = {kind.replace(" ", "-") for kind in DETECTORS}
    assert {folder.parent.name for folder in folders()} <= known


def version(folder: Path, name: str, expected: dict[str, Any]) -> PageDigest:
    file = next(folder.glob(f"{name}.*"))
    content_type = expected.get("content_type") or TYPES.get(file.suffix, "text/plain; charset=utf-8")
    return digest_of(file.read_bytes(), content_type, expected.get("url", "https://example.org/"))


def assert_same_objects(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    rest = list(found)
    for wanted in expected:
        match = next((one for one in rest if wanted.items() <= comparable(one, wanted)), None)
        assert match is not None, f"{wanted} is not among {rest}"
        rest.remove(match)
    assert not rest, f"not expected: {rest}"


def comparable(one: dict[str, Any], wanted: dict[str, Any]) -> Any:
    return {key: one.get(key) for key in wanted}.items()


def test_all_ten_cases_of_the_context_boxes_are_there() -> None:  # C7, CQ Fig. 5
    found = sorted(folder.name[:7] for folder in (CASES / "phrase").iterdir() if folder.name[:4] == "fig5")
    assert found == [f"fig5-{number:02}" for number in range(1, 11)]
