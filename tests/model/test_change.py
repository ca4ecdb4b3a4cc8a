"""Findings as JSON and back, and whether what changed is a part of its line."""

from __future__ import annotations

import json

import pytest

from webvigil.model.change import (
    Finding,
    ObjectChange,
    Status,
    Surrounding,
    finding_as_json,
    finding_from_json,
    object_as_json,
)

WHOLE = ObjectChange(
    "price",
    Status.UPDATED,
    old=1,
    new=2,
    before="€ 1",
    after="€ 2",
    where=("/html/body/p",),
    label="Sofa",
    section="Shop",
    surrounding=Surrounding("Sofa | € 1", "Sofa | € 2", ((7, 10),), ((7, 10),)),
    link_text="more",
)


@pytest.mark.parametrize(
    "one",
    [
        Finding(type="value", objects=(WHOLE,), score=3, share=0.25, note="why"),
        Finding(type="value", objects=(ObjectChange("x", Status.GONE, old=1, new=0),)),
        Finding(type="all words"),
    ],
)
def test_a_finding_is_written_and_read(one: Finding):
    assert finding_from_json(json.loads(json.dumps(finding_as_json(one)))) == one


def test_what_is_not_there_is_left_out():
    assert object_as_json(ObjectChange("x", Status.NEW, old=0)) == {
        "object": "x",
        "status": "i",
        "old": 0,
        "where": [],
    }
    only_after = WHOLE._replace(surrounding=Surrounding(after="Sofa", after_marks=((0, 4),)))
    assert object_as_json(only_after)["surrounding"] == {"after": "Sofa", "after_marks": [[0, 4]]}
    plain = finding_as_json(Finding(type="value", share=0.123456, score=2))
    assert plain == {"type": "value", "changed": False, "share": 0.1235, "score": 2, "objects": []}


@pytest.mark.parametrize(
    ("surrounding", "is_part"),
    [
        (Surrounding("", "Sofa | € 2", (), ((7, 10),)), False),
        (Surrounding("", "Sofa | € 2", (), ((0, 4),)), False),
        (Surrounding("", "Sofa | € 2 now", (), ((7, 10),)), True),
        (Surrounding("", "a Sofa | € 2", (), ((2, 6),)), True),
        (Surrounding("", "Sofa | € 2", (), ((0, 4), (7, 10))), False),
        (Surrounding("Sofa", "", ((0, 4),), ()), False),
        (Surrounding("A sofa", "", ((2, 6),), ()), True),
        (Surrounding("A sofa", "", (), ()), False),
    ],
)
def test_whether_what_changed_is_a_part_of_its_line(surrounding: Surrounding, is_part: bool):
    assert surrounding.is_part is is_part


@pytest.mark.parametrize(
    ("one", "many"),
    [
        (ObjectChange("1,666 more", Status.NEW), 1_666),
        (ObjectChange("links: 12 more", Status.NEW, where=("/",)), 12),
        (ObjectChange("12 more", Status.NEW, where=("/html/p",)), 1),
        (ObjectChange("12 more", Status.NEW, where=("/", "/")), 1),
        (ObjectChange("12 more words", Status.NEW), 1),
        (ObjectChange("Sofa", Status.NEW), 1),
    ],
)
def test_an_object_may_stand_for_many(one: ObjectChange, many: int):
    assert one.many == many


def test_a_finding_with_objects_has_changed():
    assert Finding(type="value", objects=(WHOLE,)).changed is True
    assert Finding(type="value", score=1).changed is False


def test_a_finding_of_few_words_is_read_with_nothing_in_the_rest():
    assert finding_from_json({"type": "value"}) == Finding(
        type="value", share=0.0, score=0, note="", objects=()
    )
    plain = {"type": "value", "objects": [{"object": "x", "status": "d", "surrounding": {"before": "a"}}]}
    assert finding_from_json(plain).objects == (
        ObjectChange("x", Status.GONE, surrounding=Surrounding(before="a")),
    )
