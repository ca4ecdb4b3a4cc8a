"""Which blocks are versions of one block."""

from __future__ import annotations

import pytest

from webvigil.present.pairing import Look, likeness, paired


def look(words: str, kind: str = "p", **more: object) -> Look:
    return Look(frozenset(words.split()), kind, pieces=words.split(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        (look("a b"), look("a b"), 1.0),
        (look("a b"), look("a c"), 0.5),
        (look("a b c d"), look("a"), 0.4),
        (look("a b c d e f g"), look("a x y z u v w"), 0.0),
        (look("a b"), look("a b", "h1"), 0.0),
        (look(""), look(""), 0.0),
        (look("a"), look(""), 0.0),
        (look("a b c d e", short=True), look("a v w x y", short=True), 0.2),
        (look("a b c d e", short=True), look("a v w x y"), 0.0),
        (look("a b c d e"), look("a v w x y", short=True), 0.0),
        (look("a b", key="k"), look("c d", key="k"), 1.0),
        (look("a b", key="k"), look("a b", key="k"), 2.0),
        (look("a", key="k"), look("b", key="l"), 0.0),
        (look("", key="k"), look("", key="k"), 1.0),
        (look("a", "p", key="k"), look("a", "td", key="k"), 0.0),
    ],
)
def test_blocks_are_alike_by_the_share_of_their_common_words(old: Look, new: Look, share: float):
    assert likeness(old, new) == likeness(new, old) == pytest.approx(share)


@pytest.mark.parametrize(("words", "share"), [(20, 0.3), (21, 0.0)])
def test_three_of_ten_words_are_enough(words: int, share: float):
    common = ["a", "b", "c"]
    old = look(" ".join([*common, *(f"o{n}" for n in range(7))]))
    new = look(" ".join([*common, *(f"n{n}" for n in range(words - 13))]))
    assert likeness(old, new) == pytest.approx(share)


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ([], [], []),
        (["a b"], [], [(0, None)]),
        ([], ["a b"], [(None, 0)]),
        (["a b", "c d"], ["c d", "e f"], [(0, None), (1, 0), (None, 1)]),
        (["a b"], ["a x", "a b"], [(None, 0), (0, 1)]),
    ],
)
def test_every_block_is_paired_once_in_order(
    old: list[str], new: list[str], pairs: list[tuple[int | None, int | None]]
):
    assert paired([look(one) for one in old], [look(one) for one in new]) == pairs


def test_very_many_blocks_are_paired_by_their_rare_words():
    old = [look(f"row number{n} of the table") for n in range(60)]
    new = [look(f"row number{n} of this table") for n in range(60) if n not in (0, 30, 59)]
    new.insert(10, look("quite another thing"))
    found = paired(old, new)
    places = [n for n in range(60) if n not in (0, 30, 59)]
    wanted = {n: at + (at >= 10) for at, n in enumerate(places)}
    assert {i: j for i, j in found if i is not None and j is not None} == wanted
    assert [i for i, j in found if j is None] == [0, 30, 59]
    assert [j for i, j in found if i is None] == [10]
