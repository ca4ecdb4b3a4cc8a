"""Tests that elements are found again by the words in them that stayed (C8)."""

from webvigil.detect.pair import Pair
from webvigil.detect.same_place import Standing
from webvigil.document import read


def both(old, new):
    pair = Pair(*(read(page.encode(), "text/html") for page in (old, new)))
    went, came = pair.word_runs
    return (
        Standing(pair.old, pair.old.nodes_of("ul").tolist(), went),
        Standing(pair.new, pair.new.nodes_of("ul").tolist(), came),
    )


def test_a_list_with_mostly_the_same_words_stands_where_it_stood():
    old, new = both("<ul><li>a b c</ul><p>m<ul><li>x y z", "<ul><li>n</ul><p>m<ul><li>x y z new")
    assert old.partner(1, new) == 1
    assert new.partner(1, old) == 1


def test_a_list_without_a_word_that_stayed_is_the_one_between_the_same_words():
    old, new = both("<p>one two<ul><li>a</ul><p>three four", "<p>one two<ul><li>b c</ul><p>three four")
    assert old.partner(0, new) == 0


def test_where_lists_came_between_the_same_words_it_is_unclear():
    old, new = both("<p>one<ul><li>a</ul><p>two", "<p>one<ul><li>b</ul><ul><li>c</ul><p>two")
    assert old.partner(0, new) == -1
