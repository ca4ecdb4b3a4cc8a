"""Tests that LOCTAGS pairs contexts by the tags around them and then compares them word by word (C12)."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.detect import all_words
from webvigil.detect.loctags import compare
from webvigil.detect.pair import pair
from webvigil.document import PageDigest, read
from webvigil.model.sentinel import ChangeType

WORDS = ["low", "risk", "growth", "a", "b"]


def page(body: str) -> PageDigest:
    return read(f"<!doctype html><title>t</title><body>{body}".encode())


def changes(old: PageDigest, new: PageDigest) -> list[tuple[str, str]]:
    return [
        (
            " ".join(old.words.words[change.old_start : change.old_end]),
            " ".join(new.words.words[change.new_start : change.new_end]),
        )
        for change in compare(old, new).changes
    ]


def longest(old: list[str], new: list[str]) -> int:
    """Returns the length of the longest common subsequence, computed with the textbook table."""
    row = [0] * (len(new) + 1)
    for one in old:
        last = 0
        for place, other in enumerate(new):
            above = row[place + 1]
            row[place + 1] = last + 1 if one == other else max(above, row[place])
            last = above
    return row[-1]


blocks = st.lists(
    st.tuples(st.sampled_from(["p", "div", "li", "b"]), st.lists(st.sampled_from(WORDS), max_size=5)),
    max_size=10,
)


def html(listed: list[tuple[str, list[str]]]) -> str:
    return "".join(f"<{name}>{' '.join(words)}</{name}>" for name, words in listed)


@settings(max_examples=150, deadline=None)
@given(blocks, blocks)
def test_the_common_tags_are_a_longest_common_subsequence(
    one: list[tuple[str, list[str]]], other: list[tuple[str, list[str]]]
) -> None:
    old, new = html(one), html(other)
    found = compare(page(old), page(new))
    before, after = (
        ["html", "body", *re.findall(r"<(/?\w+)>", text), "/body", "/html"] for text in (old, new)
    )
    common = longest(before, after)
    assert len(found.deleted_tags) == len(before) - common
    assert len(found.added_tags) == len(after) - common


@settings(max_examples=150, deadline=None)
@given(blocks, blocks)
def test_each_pair_is_compared_by_a_longest_common_subsequence_of_words(
    one: list[tuple[str, list[str]]], other: list[tuple[str, list[str]]]
) -> None:
    old, new = page(html(one)), page(html(other))
    place, there = 0, 0
    for both in compare(old, new).pairs:
        assert (both.old_start, both.new_start) == (place, there)
        place, there = both.old_end, both.new_end
        before = old.words.words[both.old_start : both.old_end]
        after = new.words.words[both.new_start : both.new_end]
        gone = sum(change.old_end - change.old_start for change in both.changes)
        come = sum(change.new_end - change.new_start for change in both.changes)
        assert len(before) - gone == len(after) - come == longest(before, after)
    assert (place, there) == (len(old.words), len(new.words))


@settings(max_examples=100, deadline=None)
@given(blocks, blocks)
def test_reading_backwards_finds_the_same_changes(
    one: list[tuple[str, list[str]]], other: list[tuple[str, list[str]]]
) -> None:
    old, new = page(html(one)), page(html(other))
    assert [(after, before) for before, after in changes(old, new)] == changes(new, old)
    assert changes(old, old) == []


def test_a_word_that_went_to_another_cell_is_not_the_same_word() -> None:
    old = page("<table><tr><td>red</td><td>green blue</td></tr></table>")
    new = page("<table><tr><td>red green</td><td>blue</td></tr></table>")
    assert changes(old, new) == [("", "green"), ("green", "")]


def test_contexts_are_paired_past_a_new_item() -> None:
    old, new = page("<ul><li>one<li>two</ul>"), page("<ul><li>zero<li>one<li>two</ul>")
    assert changes(old, new) == [("", "zero")]
    assert compare(old, new).added_tags == ("li", "/li")


def test_text_around_a_tag_that_went_is_one_context() -> None:
    old, new = page("<p>a <b>bold</b> word</p>"), page("<p>a bold words</p>")
    assert changes(old, new) == [("word", "words")]
    assert compare(old, new).deleted_tags == ("b", "/b")


def test_empty_tags_have_no_end() -> None:
    assert compare(page("a"), page("a<br><img src=x>")).added_tags == ("br", "img")


def test_scripts_and_other_hidden_parts_are_no_context() -> None:
    assert changes(page("<script>let a = 1</script><p>x"), page("<script>let b = 2</script><p>x")) == []


def test_of_too_many_nodes_the_words_are_compared_without_their_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    old = page("<table><tr><td>red</td><td>green blue</td></tr></table>")
    new = page("<table><tr><td>red green</td><td>blue gold</td></tr></table>")
    by_tags, in_order = ChangeType("all words", (), "by loctags"), ChangeType("all words")
    assert len(all_words.detect(old, new, by_tags)) == 3
    pair.forget()
    monkeypatch.setattr(all_words, "_MOST_NODES", len(old) + len(new) - 1)
    assert all_words.detect(old, new, by_tags) == all_words.detect(old, new, in_order)
    pair.forget()
    assert all_words.detect(old, page("<p>red</p><b>green</b> blue"), by_tags) == []


def test_huge_streams_are_compared_soon() -> None:
    old = page("".join(f"<p>{number % 7} <b>x</b>" for number in range(30_000)))
    new = page("".join(f"<p>{number % 7} <i>x</i>" for number in range(500, 30_000)))
    started = time.process_time()
    assert compare(old, new).changes
    assert time.process_time() - started < 10
