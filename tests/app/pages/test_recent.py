"""The cache for large things keeps what fits into its room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webvigil.app.pages.documents import Recent


class Thing:
    pass


STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "get", "forget"]), st.sampled_from("abcdefgh"), st.integers(0, 60)),
    max_size=60,
)


@given(STEPS, st.integers(0, 100), st.integers(1, 4))
def test_the_cache_is_a_list_from_which_the_longest_unused_thing_goes_when_it_is_full(
    steps: list[tuple[str, str, int]], room: int, few: int
):
    recent: Recent[Thing] = Recent(room, few)
    plain: list[tuple[str, int]] = []
    for step, key, weight in steps:
        if step == "get":
            found = next((one for one in plain if one[0] == key), None)
            assert (recent.get(key) is not None) == (found is not None)
            if found:
                plain.remove(found)
                plain.append(found)
            continue
        plain = [one for one in plain if one[0] != key]
        if step == "forget":
            recent.forget(key)
        else:
            recent.put(key, Thing(), weight)
            plain.append((key, weight))
            while sum(one[1] for one in plain) > room and len(plain) > few:
                plain.pop(0)
        assert len(recent) == len(plain)


def test_a_thing_that_is_put_again_replaces_the_old_one():
    recent: Recent[Thing] = Recent(10)
    new = Thing()
    recent.put("a", Thing(), 4)
    recent.put("a", new, 6)
    assert (recent.get("a"), len(recent)) == (new, 1)


def test_what_somebody_works_with_is_found_although_it_had_to_go():
    recent: Recent[Thing] = Recent(room=10, few=1)
    used, unused = Thing(), Thing()
    recent.put("used", used, 10)
    recent.put("unused", unused, 10)
    recent.put("last", Thing(), 10)
    del unused
    assert recent.get("used") is used
    assert recent.get("unused") is None
    assert (len(recent), recent.weight) == (1, 10)
    recent.forget("used")
    assert recent.get("used") is None, "what is forgotten is not found, though it is still used"


def test_what_fills_the_room_to_the_last_byte_stays():
    recent: Recent[Thing] = Recent(room=10, few=1)
    things = [Thing() for _ in range(3)]
    recent.put("a", things[0], 4)
    recent.put("b", things[1], 6)
    assert (len(recent), recent.weight) == (2, 10)
    recent.put("c", things[2], 1)
    assert (len(recent), recent.weight) == (2, 7)


def test_two_things_stay_however_heavy_they_are():
    recent: Recent[Thing] = Recent(room=1)
    for key in "abc":
        recent.put(key, Thing(), 10)
    assert (len(recent), recent.weight) == (2, 20)


def test_a_quarter_of_the_room_stays_in_use():
    recent: Recent[Thing] = Recent(room=12)
    for key in "abcd":
        recent.put(key, Thing(), 1)
    recent.trim()
    assert (len(recent), recent.weight) == (3, 3)
    recent.put("e", Thing(), 100)
    recent.trim()
    assert (len(recent), recent.weight) == (0, 0)
