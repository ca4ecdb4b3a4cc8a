"""Pages that must have changed together, as a tree and as it is stored (L3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webvigil.model.joint import Joint, each_page, is_complete, joint_as_json, pages_in, unless_any_will_do
from webvigil.model.page import Page

A, B, C = (Page(url=f"http://{name}.test/") for name in "abc")
BOTH = Joint("AND", (A, B))
EITHER = Joint("OR", (A, B))
MIXED = Joint("AND", (A, Joint("OR", (B, C))))


def test_the_pages_of_a_joint_are_found_and_changed():
    assert list(pages_in(MIXED)) == [A, B, C]
    shown = each_page(MIXED, lambda page: replace(page, render="browser"))
    assert isinstance(shown, Joint)
    assert (shown.operator, [page.render for page in pages_in(shown)]) == ("AND", ["browser"] * 3)
    assert each_page(shown, lambda page: replace(page, render="http")) == MIXED


@pytest.mark.parametrize(
    ("one", "needed"),
    [
        (A, None),
        (BOTH, BOTH),
        (EITHER, None),
        (MIXED, MIXED),
        (Joint("AND", (A, A)), None),
        (Joint("OR", (BOTH, A)), Joint("OR", (BOTH, A))),
        (Joint("OR", (EITHER, C)), None),
        (Joint("AND", (EITHER, EITHER)), None),
    ],
)
def test_a_joint_is_needed_unless_any_page_completes_it(one: Page | Joint, needed: Joint | None):
    assert unless_any_will_do(one) == needed


def test_a_stored_joint_is_complete_when_enough_pages_changed():
    plain = joint_as_json(MIXED, lambda page: {A: 7, B: 8, C: 9}[page])
    assert plain == ["AND", 7, ["OR", 8, 9]]
    complete = [changed for changed in ([], [7], [8], [7, 8], [7, 9], [8, 9]) if is_complete(plain, changed)]
    assert complete == [[7, 8], [7, 9]]
