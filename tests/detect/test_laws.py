"""Tests of the laws that hold for every change type."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from tests.detect import pages
from webvigil.detect.find import find
from webvigil.document import PageDigest
from webvigil.model.change import OPPOSITE, Finding, ObjectChange, finding_as_json, finding_from_json
from webvigil.model.change_types import KINDS
from webvigil.model.sentinel import ChangeType

moderately = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

MORE = (
    ChangeType("all words", ("risk", "growth investing"), "except"),
    ChangeType("all words"),
    ChangeType("all images", (), "content"),
    ChangeType("keywords", ("risk", "low risk", "低成")),
    ChangeType("keywords", ("risk", "growth"), "all appear"),
    ChangeType("keywords", ("risk", "growth"), "all disappear"),
    ChangeType("phrase", ("low risk growth investing",)),
    ChangeType("phrase", ("risk", "low growth"), "context 3"),
    ChangeType("phrase", ("low risk growth",), "context 4 tags"),
    ChangeType("regular expression", (r"\w+ risk",)),
    ChangeType("regular expression", (r"(\w+) (?=risk)",)),
    ChangeType("regular expression", (r"<[a-z]+",), "in source"),
)
CHANGES = [*(KINDS[kind].example for kind in KINDS if kind != "visual"), *MORE]


def named(change: ChangeType) -> str:
    return f"{change.kind} {change.option} {','.join(change.arguments)}".strip()


def backwards(change: ChangeType) -> ChangeType:
    """Returns the change type for the opposite direction: `all appear` becomes `all disappear`, and vice
    versa."""
    swap = {"all appear": "all disappear", "all disappear": "all appear"}
    return ChangeType(change.kind, change.arguments, swap.get(change.option, change.option))


def known_by(one: ObjectChange) -> tuple[object, ...]:
    """Returns the name to compare by. An updated object is named after its old form, which is the new one
    backwards."""
    name = one.object if one.before is None or one.after is None else ""
    return name, one.status, one.old, one.new, one.before, one.after


def reversed_(one: ObjectChange) -> tuple[object, ...]:
    name = one.object if one.before is None or one.after is None else ""
    return name, OPPOSITE[one.status], one.new, one.old, one.after, one.before


@pytest.mark.parametrize("change", CHANGES, ids=named)
@moderately
@given(blocks=pages.pages)
def test_a_page_has_not_changed_from_itself(change: ChangeType, blocks: list[str]) -> None:
    assert not find(pages.digest(blocks), pages.digest(blocks), change).changed


@pytest.mark.parametrize("change", CHANGES, ids=named)
@moderately
@given(both=pages.versions())
def test_reading_backwards_finds_the_same_changes_reversed(
    change: ChangeType, both: tuple[PageDigest, PageDigest]
) -> None:
    old, new = both
    there, back = find(old, new, change), find(new, old, backwards(change))
    assert Counter(map(known_by, back.objects)) == Counter(map(reversed_, there.objects))


@pytest.mark.parametrize("change", CHANGES, ids=named)
@moderately
@given(both=pages.versions())
def test_a_finding_says_all_there_is_to_say(change: ChangeType, both: tuple[PageDigest, PageDigest]) -> None:
    finding = find(*both, change)  # C15
    assert finding.type == change.kind
    assert 0 <= finding.share <= 1
    assert finding.score >= 0
    assert finding.changed is bool(finding.objects)
    if not finding.changed:
        assert finding == Finding(type=change.kind)
    for one in finding.objects:
        assert one.object or one.before or one.after
        assert (one.old, one.new) != (None, None) or (one.before, one.after) != (None, None)
        assert one.old != one.new or one.before != one.after or one.status in ("m", "u")
        assert all(path.startswith(("/", "$")) for path in one.where)
        assert one.where or change.option == "in source"
    assert finding_as_json(finding_from_json(finding_as_json(finding))) == finding_as_json(finding)


@moderately
@given(both=pages.edited())
def test_what_is_known_of_the_version_before_changes_nothing(both: tuple[list[str], list[str]]) -> None:
    """A version that was compared before is compared with the next one: what it has cached must not change
    findings."""
    old, new, next_one = (pages.digest(blocks) for blocks in (*both, both[0]))
    for change in CHANGES:
        find(old, new, change)
    for change in CHANGES:
        fresh = find(pages.digest(both[1]), pages.digest(both[0]), change)
        assert find(new, next_one, change) == fresh
