"""Tests of keywords: how often each occurs, and all of them coming or going together (C5)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detect import pages
from webvigil.detect.find import find
from webvigil.detect.sequences import Finder, Haystack
from webvigil.detect.wording import folded, folded_words
from webvigil.document import PageDigest, read
from webvigil.errors import PatternRefused
from webvigil.model.sentinel import ChangeType

keywords = st.lists(st.lists(pages.words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


def naive(digest: PageDigest, keyword: str) -> int:
    """Returns every place where the words of the keyword follow each other."""
    words, wanted = [folded(word) for word in digest.words.words], list(folded_words(keyword))
    return sum(words[at : at + len(wanted)] == wanted for at in range(len(words)))


def test_words_far_from_what_changed_are_not_hashed_for_a_search():
    lines = "".join(f"<p>Some words of line {number}.</p>" for number in range(50))
    old, new = (read(f"{lines}<p>{word} word</p>{lines}".encode()) for word in ("OLD", "New"))
    assert find(old, new, ChangeType("keywords", ("absent",))).objects == ()
    assert True not in new.words.numbers
    (one,) = find(old, new, ChangeType("keywords", ("new word",))).objects
    assert (one.old, one.new) == (0, 1)


@settings(max_examples=100, deadline=None)
@given(both=pages.versions(), listed=keywords)
def test_counts_are_those_of_a_naive_search(both: tuple[PageDigest, PageDigest], listed: list[str]):
    finding = find(*both, ChangeType("keywords", tuple(listed)))
    different = {folded_words(one): (naive(both[0], one), naive(both[1], one)) for one in listed}
    expected = Counter(counts for counts in different.values() if counts[0] != counts[1])
    assert Counter((one.old, one.new) for one in finding.objects) == expected


@settings(max_examples=100, deadline=None)
@given(both=pages.versions(), listed=keywords)
def test_all_appear_when_the_last_one_comes(both: tuple[PageDigest, PageDigest], listed: list[str]):
    was, is_now = (all(naive(digest, one) for one in listed) for digest in both)
    appear = find(*both, ChangeType("keywords", tuple(listed), "all appear"))
    disappear = find(*both, ChangeType("keywords", tuple(listed), "all disappear"))
    assert appear.changed is (is_now and not was)
    assert disappear.changed is (was and not is_now)


@given(words=st.lists(pages.words, max_size=20), sequence=st.lists(pages.words, min_size=1, max_size=3))
def test_sequences_are_found_wherever_they_stand(words: list[str], sequence: list[str]):
    wanted = [folded(word) for word in sequence]
    plain = [folded(word) for word in words]
    expected = [at for at in range(len(plain)) if plain[at : at + len(wanted)] == wanted]
    assert [at for _, at in Finder([wanted]).hits_in(Haystack(words))] == expected
    assert Haystack(words).places(wanted, 100) == expected
    assert Haystack(words).words == plain


@pytest.mark.parametrize(
    ("keyword", "text", "count"),
    [
        ("cat", "concatenate the cat, the CAT and the cat's cats", 2),
        ("straße", "STRASSE Straße strasse", 3),
        ("istanbul", "Istanbul ISTANBUL", 2),
        ("café", "cafe\u0301 CAFÉ café", 3),
        ("coop", "co\u00adop coop", 2),
        ("投資", "低リスク成長投資と投資", 2),
        ("C++", "C++ and C and c + +", 2),
        ("new york", "New York, new\n york; newyork", 2),
        ("a a", "a a a", 2),
        ("1,234.5", "1,234.5 and 1234.5", 1),
    ],
)
def test_whole_words_count_whatever_their_case(keyword: str, text: str, count: int):
    old, new = (read(f"<p>{one}</p>".encode(), "text/html; charset=utf-8") for one in ("nothing", text))
    (one,) = find(old, new, ChangeType("keywords", (keyword,))).objects
    assert (one.object, one.old, one.new) == (keyword, 0, count)


def test_a_keyword_without_a_word_is_refused():
    old, new = read(b"<p>a</p>", "text/html"), read(b"<p>b</p>", "text/html")
    with pytest.raises(PatternRefused, match=r"'\?!' has no letter or digit"):
        find(old, new, ChangeType("keywords", ("?!",)))
