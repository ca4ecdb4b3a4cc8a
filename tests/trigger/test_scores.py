"""Tests that a user's weights and words of interest change the scores (T2)."""

from __future__ import annotations

import pytest

from webvigil import diff
from webvigil.detect.measure import Weights
from webvigil.document import read
from webvigil.errors import SettingRefused
from webvigil.model.sentinel import ChangeType
from webvigil.trigger.scores import HEAVIEST, Taste, new_taste, taste

OLD, NEW = "<p>one<a href=/a></a>", "<p>one merger<a href=/b></a>"


def scores(wanted: Taste) -> list[int]:
    changes = [ChangeType("all words"), ChangeType("all links"), ChangeType("comments")]
    found = diff(OLD, NEW, "all words OR all links OR comments").findings
    pages = read(OLD.encode()), read(NEW.encode())
    return [one.score for one in wanted.scored(lambda: pages, changes, found)]


def test_without_a_taste_the_table_holds():
    assert scores(Taste()) == [6, 2 * 256, 0]


def test_a_word_of_interest_adds_to_the_score():
    assert scores(Taste(interests=("Merger",))) == [6 + 64, 2 * 256, 0]


def test_weights_are_the_users_own():
    assert scores(Taste(Weights(link=5, text=10))) == [60, 10, 0]


def test_a_taste_is_told_to_a_person():
    lines = new_taste([("link", 5)], ["merger", "interest rate"]).in_words().splitlines()
    assert lines[0].startswith("weights: link 5, applet ")
    assert lines[1:] == ["words of interest: merger, interest rate"]
    assert Taste().in_words().endswith("\nwords of interest: none")


def test_a_taste_is_found_again_in_its_text():
    wanted = new_taste([("link", 5), ("title", 128)], ["merger", "take-over", "merger"])
    assert wanted.interests == ("merger", "take-over")
    assert taste(wanted.as_text()) == wanted
    assert wanted.as_text() == '{"weights": {"link": 5}, "interests": ["merger", "take-over"]}'
    assert Taste().as_text() == ""
    assert taste("") == Taste()


@pytest.mark.parametrize(
    ("weights", "interests", "reason"),
    [
        ([("colour", 1)], [], "there is no weight 'colour'; there are link, applet"),
        ([("link", -1)], [], "must be from 0 to"),
        ([("link", 10**12)], [], "must be from 0 to"),
        ([], ["!"], "no letter or digit"),
        ([], [f"w{n}" for n in range(1001)], "there may be 1,000"),
    ],
)
def test_a_taste_without_sense_is_refused(weights, interests, reason):
    with pytest.raises(SettingRefused, match=reason):
        new_taste(weights, interests)


def test_a_taste_at_its_limits_is_taken():
    words = [f"w{n}" for n in range(1_000)]
    assert new_taste([("link", 0), ("title", HEAVIEST)], words).interests == tuple(words)
    with pytest.raises(SettingRefused, match=f"from 0 to {HEAVIEST:,}, not {HEAVIEST + 1}"):
        new_taste([("link", HEAVIEST + 1)], [])
