"""When a peer is asked again, how often its answers are checked, and when it has lied too often (B5)."""

from __future__ import annotations

import pytest

from webvigil.community.trust import agree, chance_of_check, distance, distrusted, failed, is_liar, well_again
from webvigil.model.peer import Figures, Peer

PEER = Peer(key="k", url="http://peer.test/", state="known")


@pytest.mark.parametrize(
    ("failures", "rest"),
    [(0, 10_000), (1, 20_000), (2, 40_000), (8, 2_560_000), (9, 3_600_000), (10_000, 3_600_000)],
)
def test_a_peer_that_fails_rests_twice_as_long_each_time_and_at_most_an_hour(failures: int, rest: int):
    known = Peer(key="k", url="http://peer.test/", state="known", failures=failures)
    after = failed(known, 7, "x" * 301)
    assert (after.failures, after.rest_until, after.reason) == (failures + 1, 7 + rest, "x" * 300)
    assert after.shown_state == "resting"


def test_a_peer_that_answers_is_well_again_and_one_that_lied_is_not_known():
    after = failed(PEER, 7, "no answer")
    assert well_again(after, 9) == Peer(key="k", url="http://peer.test/", state="known", heard_at=9)
    lied = distrusted(after, "y" * 301)
    assert (lied.state, lied.reason, lied.failures, lied.rest_until) == ("distrusted", "y" * 300, 0, 0)
    assert lied.shown_state == "distrusted"


@pytest.mark.parametrize(
    ("agreed", "changed", "usual", "chance"),
    [
        (0, True, 5, 1.0),
        (20, True, 5, 0.5),
        (60, True, 5, 0.25),
        (60, True, 30, 0.3),
        (0, False, 5, 0.05),
        (0, False, 100, 1.0),
        (0, False, 150, 1.0),
    ],
)
def test_news_of_a_peer_are_checked_less_the_more_of_them_proved_right(
    agreed: int, changed: bool, usual: int, chance: float
):
    assert chance_of_check(Figures(agreed=agreed), changed, usual) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("strikes", "checked", "lies"),
    [(2, 2, False), (3, 3, True), (3, 29, True), (3, 30, False), (4, 30, True)],
)
def test_a_liar_has_several_wrong_pages_and_more_than_a_tenth(strikes: int, checked: int, lies: bool):
    assert is_liar(Figures(strikes=strikes, checked=checked)) is lies


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        (b"a b", b"a b", 0.0),
        (b"<p>a</p>", b"a  p p /p", 0.25),
        (b"a b c d", b"a b", 0.5),
        (b"a", b"b", 1.0),
        (b"", b"", 0.0),
        (b"", b"<>", 1.0),
    ],
)
def test_the_distance_is_the_share_of_words_that_one_alone_has(one: bytes, other: bytes, far: float):
    assert distance(one, other) == pytest.approx(far)
    assert distance(other, one) == distance(one, other)


def test_bodies_agree_if_they_differ_little_more_than_our_own_do():
    words = [b"%d" % n for n in range(100)]
    ours, near, far = (b" ".join(words[:count]) for count in (100, 75, 74))
    assert agree(near, ours, 0.10)
    assert not agree(far, ours, 0.10)
    assert agree(ours, ours, 0.0)
    assert not agree(b" ".join(words[:99]), ours, 0.0)
