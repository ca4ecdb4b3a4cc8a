"""Objects that occur more or less often than before: a few of them by name, very many of them by arrays."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect import counts
from webvigil.detect.counts import Placed, changed, together
from webvigil.model.change import Status

names = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(old=names, new=names, told=st.integers(0, 9))
def test_very_many_objects_are_counted_as_few_are(old: list[str], new: list[str], told: int):
    before, after = Placed(old, range(100, 100 + len(old))), Placed(new, range(200, 200 + len(new)))
    with patch.object(counts, "TOLD", told):
        few = changed(before, after)
        with patch.object(counts, "_MANY", -1):
            many = changed(before, after)
    assert (many[0], sorted(many[1])) == (few[0], sorted(few[1]))
    differing = {name for name in {*old, *new} if Counter(old)[name] != Counter(new)[name]}
    assert [name for name, _, _ in few[0]] == [
        name for name in dict.fromkeys([*old, *new]) if name in sorted(differing)[:told]
    ]
    for name, there, here in few[0]:
        assert there == [100 + place for place, one in enumerate(old) if one == name]
        assert here == [200 + place for place, one in enumerate(new) if one == name]
    assert len(few[1]) == len(differing) - len(few[0])


def test_too_many_objects_are_summed_up_by_what_became_of_them():
    found = {(one.status, one.object, one.old, one.new) for one in together([(0, 1), (0, 1), (2, 3), (4, 0)])}
    assert found == {
        (Status.NEW, "2 more", 0, 2),
        (Status.MORE, "1 more", 2, 3),
        (Status.GONE, "1 more", 4, 0),
    }
