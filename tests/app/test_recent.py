"""Memory that holds what fits."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from webvigil.app.recent import Recent

STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "get", "forget"]), st.sampled_from("abcdefgh"), st.integers(0, 60)),
    max_size=60,
)


@dataclass
class Thing:
    weight: int


def weight_of(thing: Thing) -> int:
    return thing.weight


@given(STEPS, st.integers(0, 100), st.integers(1, 4))
def test_it_is_a_list_from_which_the_longest_unused_goes_when_it_is_full(
    steps: list[tuple[str, str, int]], room: int, few: int
):
    recent: Recent[Thing] = Recent(room, weight_of, few)
    plain: list[tuple[str, Thing]] = []
    for step, key, weight in steps:
        found = next((one for one in plain if one[0] == key), None)
        plain = [one for one in plain if one[0] != key]
        if step == "get":
            assert recent.get(key) is (found[1] if found else None)
            plain += [found] if found else []
        elif step == "forget":
            recent.forget(key)
        else:
            thing = Thing(0)
            recent.put(key, thing)
            plain.append((key, thing))
            while sum(one.weight for _, one in plain) > room and len(plain) > few:
                plain.pop(0)
            thing.weight = weight  # it grows when it is used, which is after it came
        assert len(recent) == len(plain)


def test_what_grows_as_it_is_used_again_is_weighed_again():
    recent: Recent[Thing] = Recent(100, weight_of, few=1)
    old = Thing(10)
    recent.put("old", old)
    recent.put("new", Thing(10))
    assert recent.weight == 10
    assert recent.get("old") is old
    old.weight = 200
    recent.put("next", Thing(10))
    assert (recent.get("old"), len(recent)) == (None, 1)


def test_one_that_is_put_again_is_the_new_one():
    recent: Recent[str] = Recent(10, len)
    recent.put("a", "old")
    recent.put("a", "new")
    assert (recent.get("a"), len(recent)) == ("new", 1)
