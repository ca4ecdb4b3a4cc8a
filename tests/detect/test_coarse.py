"""Large documents are matched by their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect import coarse
from webvigil.document import read

_ROOTS = st.sampled_from(["[%s]", '{"a": [%s]}', "[[%s]]", '{"b": [%s]}', "[1, [%s]]", "[[%s], [%s]]"])
_ITEMS = st.lists(st.sampled_from("12"), min_size=30, max_size=40).map(", ".join)


@given(_ROOTS, _ROOTS, _ITEMS, _ITEMS)
def test_only_children_are_matched_as_by_their_places(root: str, other: str, before: str, after: str):
    pages = [
        read(one.replace("%s", items).encode(), "application/json")
        for one, items in ((root, before), (other, after))
    ]
    quick = [side.tolist() for side in coarse.match_coarsely(*pages)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coarse._Coarse, "_are_only_children", lambda *_: False)
        assert [side.tolist() for side in coarse.match_coarsely(*pages)] == quick
