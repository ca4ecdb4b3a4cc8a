"""Sequences of words are found in many texts at once as they are in each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webvigil.detect.leaf_search import Searched
from webvigil.detect.sequences import finder
from webvigil.detect.wording import folded_words

texts = st.lists(
    st.text(alphabet="aAbé .,-京", max_size=12).map(lambda text: " ".join(text.split())), max_size=8
)


@given(texts, st.lists(st.sampled_from(["a", "b a", "a b a", "é", "京"]), min_size=1, unique=True))
def test_every_occurrence_is_found_in_its_text(given: list[str], wanted: list[str]):
    searched = [folded_words(one) for one in wanted]
    hits = Searched(given).hits(finder(*searched))
    found = sorted(zip(hits.texts.tolist(), hits.sequences.tolist(), hits.words.tolist(), strict=True))
    assert found == [
        (text, number, place)
        for text, line in enumerate(given)
        for number, words in enumerate(searched)
        for place in range(len(folded_words(line)))
        if folded_words(line)[place : place + len(words)] == words
    ]


def test_no_occurrence_reaches_into_the_next_text():
    assert len(Searched(["low risk", "growth"]).hits(finder(("risk", "growth"))).texts) == 0
