"""Runs the folders of cases: cases/<change type>/<case>/{before.*, after.*, expected.json}.

`expected.json` holds the monitor expression, whether it changed, and the objects. Only the keys that an
expected object lists are compared, in any order. Further keys are `content_type`, `url`, and `findings` with
what else a finding says (C15).

Four folders are not named after a change type: `cx-diff` (XML, C13), `findings` (C15), `sdiff` (C11: the
paths of the nodes with each mark, and how many edits of each kind lead to the new version) and `loctags`
(C12: the words that went and came in each pair of contexts, and the tags).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from webvigil.detect import loctags
from webvigil.detect.edits import apply, edit_script
from webvigil.detect.find import evaluate
from webvigil.detect.sdiff import Mark, sdiff
from webvigil.document import PageDigest
from webvigil.language import parse_expression
from webvigil.library import digest_of
from webvigil.model.change import finding_as_json
from webvigil.model.change_types import KINDS, Kind

CASES = Path(__file__).parent / "cases"
TYPES = {".html": "text/html; charset=utf-8", ".xml": "application/xml", ".json": "application/json"}


BESIDES = ("cx-diff", "findings", "loctags", "sdiff")


def folders(*names: str) -> list[Path]:
    """Returns the cases of these folders, or without a name all cases that have an expression."""
    found = sorted(path.parent for path in CASES.glob("*/*/expected.json"))
    if names:
        return [folder for folder in found if folder.parent.name in names]
    return [folder for folder in found if folder.parent.name not in ("loctags", "sdiff")]


def named(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


@pytest.mark.parametrize("folder", folders(), ids=named)
def test_a_case_is_found_as_expected(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    old, new = version(folder, "before", expected), version(folder, "after", expected)
    answer = evaluate(old, new, parse_expression(expected["monitor"]))
    found = [one for finding in answer.findings for one in finding_as_json(finding)["objects"]]
    assert answer.changed is expected["changed"], found
    if "objects" in expected:
        assert_same_objects(found, expected["objects"])
    if "findings" in expected:
        assert_same_findings([finding_as_json(one) for one in answer.findings], expected["findings"])


@pytest.mark.parametrize("folder", folders("sdiff"), ids=named)
def test_every_node_is_marked_as_expected(folder: Path) -> None:  # C11
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    old, new = version(folder, "before", expected), version(folder, "after", expected)
    difference = sdiff(old, new)
    wanted = expected["sdiff"]
    assert difference.changed is wanted["changed"]
    for mark in (Mark.CONTENT, Mark.ATTRIBUTE, Mark.MOVED, Mark.INSERTED):
        assert paths(new, difference.new.nodes(mark)) == wanted.get(str(mark.name).lower(), [])
    assert paths(old, difference.old.nodes(Mark.DELETED)) == wanted.get("deleted", [])
    edits = edit_script(old, new)
    assert Counter(type(edit).__name__ for edit in edits) == expected["edits"]
    assert apply(old, edits) == new


@pytest.mark.parametrize("folder", folders("loctags"), ids=named)
def test_contexts_are_compared_as_expected(folder: Path) -> None:  # C12
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["loctags"]
    old, new = version(folder, "before", {}), version(folder, "after", {})
    found = loctags.compare(old, new)
    words = [
        [
            " ".join(old.words.words[change.old_start : change.old_end]),
            " ".join(new.words.words[change.new_start : change.new_end]),
        ]
        for change in found.changes
    ]
    assert words == expected["changes"]
    assert list(found.deleted_tags) == expected["deleted tags"]
    assert list(found.added_tags) == expected["added tags"]


@pytest.mark.parametrize("name", BESIDES)
def test_what_is_no_change_type_has_cases_as_well(name: str) -> None:
    assert len(folders(name)) >= 6


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_change_type_has_cases_of_both_outcomes(kind: Kind) -> None:
    place = CASES / kind.name.replace(" ", "-")
    outcomes = [json.loads(one.read_text("utf-8"))["changed"] for one in place.glob("*/expected.json")]
    assert len(outcomes) >= 6, f"{kind.name} has {len(outcomes)} cases and needs six: add folders to {place}"
    assert {*outcomes} == {True, False}, f"{place} needs a case with a change and one without"


def test_every_folder_is_named_after_a_change_type() -> None:
    known = {kind.replace(" ", "-") for kind in KINDS}
    assert {folder.name for folder in CASES.iterdir()} <= known | {*BESIDES}


def version(folder: Path, name: str, expected: dict[str, Any]) -> PageDigest:
    file = next(folder.glob(f"{name}.*"))
    content_type = expected.get("content_type") or TYPES.get(file.suffix, "text/plain; charset=utf-8")
    return digest_of(file.read_bytes(), content_type, expected.get("url", "https://example.org/"))


def paths(digest: PageDigest, nodes: list[int]) -> list[str]:
    return [digest.path(node) for node in nodes]


def assert_same_findings(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Compares findings in the order of the expression; numbers have four decimals."""
    for one, wanted in zip(found, expected, strict=True):
        listed = {key: value for key, value in wanted.items() if key != "objects"}
        assert {key: one[key] for key in listed} == pytest.approx(listed, abs=0.0001)
        if "objects" in wanted:
            assert_same_objects(one["objects"], wanted["objects"])


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
