"""Tests of the shares and scores of findings (C15, T2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect import pages
from webvigil import diff
from webvigil.detect.find import find
from webvigil.detect.measure import (
    HIGHEST,
    WEIGHTS,
    Weights,
    _letters_changed,
    characters,
    differing,
    score,
    topic_score,
)
from webvigil.detect.pair import pair
from webvigil.document import PageDigest, read
from webvigil.model.change import ObjectChange, Status
from webvigil.model.sentinel import ChangeType

ANY = ChangeType("any change")


def page(body: str, head: str = "<title>T</title>", attributes: str = "") -> PageDigest:
    html = f"<!DOCTYPE html><html><head>{head}</head><body{attributes}>{body}</body></html>"
    return read(html.encode(), "text/html; charset=utf-8", "https://example.org/")


def weighs(before: PageDigest, after: PageDigest, change: ChangeType = ANY) -> int:
    finding = find(before, after, change)
    assert finding.changed
    return finding.score


@pytest.mark.parametrize(
    ("before", "after", "weight"),
    [
        ("", "<a href=/x></a>", 256),
        ("<a href=/x></a>", "", 256),
        ("<a href=/x></a>", "<a href=/x></a><a href=/x></a><a href=/y></a>", 512),
        ("", "<img src=i.png>", 128),
        ("<p>old</p>", "<p>new</p>", 6),
        ("", "<p>brave new world</p>", 13),
        ("<h1>Old</h1>", "<h1>New</h1>", 64),
        ("<h2>Old</h2>", "<h2>New</h2>", 64),
        ("<h3>Old</h3>", "<h3>New</h3>", 32),
        ("<h6>Old</h6>", "", 32),
        ("", "<h2>Big news</h2><p>text</p>", 64 + 4),
        ("<h2>Big old news</h2>", "<h2>Huge old tidings</h2>", 64),
        ("<p>x</p>", "<applet code=a.class></applet><p>y</p>", 256 + 2),
        ("<p>x</p><embed src=a.swf>", "<p>y</p>", 256 + 2),
    ],
)
def test_every_category_has_its_weight(before: str, after: str, weight: int):
    assert weighs(page(before), page(after)) == weight


@pytest.mark.parametrize(
    ("before", "after", "content_type"),
    [
        (b'{"a": {"b": 1}}', b'{"a": {"b": 1, "c": {"d": 5}}}', "application/json"),
        (b"<r><object>a</object></r>", b"<r><object>a</object><object>b</object></r>", "text/xml"),
    ],
)
def test_an_object_of_data_is_no_applet(before: bytes, after: bytes, content_type: str):
    assert weighs(read(before, content_type), read(after, content_type)) == 1


def test_titles_and_backgrounds_count_for_the_page():
    old, new = page("<p>x</p>"), page("<p>x</p>", "<title>U</title>")
    assert weighs(old, new) == 128
    changed = page("<p>y</p>", attributes=' background="b.png"')
    assert weighs(old, changed) == 64 + 2
    red, blue = page("<p>x</p>", attributes=" bgcolor=red"), page("<p>y</p>", attributes=" bgcolor=blue")
    assert weighs(red, blue) == 64 + 2


@pytest.mark.parametrize(
    ("change", "weight"),
    [
        (ChangeType("all links"), 256),
        (ChangeType("all images"), 128),
        (ChangeType("all words"), 10),
        (ChangeType("keywords", ("growth",)), 6),
        (ChangeType("phrase", ("low growth",)), 9),
        (ChangeType("regular expression", ("growth|risk",)), 10),
        (ChangeType("content"), 10),
    ],
)
def test_a_change_type_weighs_what_it_watches(change: ChangeType, weight: int):
    old = page("<p>low growth</p>")
    new = page("<p>low risk <a href=/x><img src=/i></a></p>")
    assert weighs(old, new, change) == weight


@given(both=pages.versions())
def test_letters_of_words_in_headings_do_not_count_as_text(both: tuple[PageDigest, PageDigest]):
    changed = pair(*both)
    assert plain_letters(both[0], [gap.old for gap in changed.word_gaps]) + plain_letters(
        both[1], [gap.new for gap in changed.word_gaps]
    ) == _letters_changed(*both)


def plain_letters(digest: PageDigest, runs: list[tuple[int, int]]) -> int:
    """Counts the characters word by word."""
    ends = {heading.node: heading.node + int(digest.sizes[heading.node]) for heading in digest.headings}
    nodes = digest.words.nodes.tolist()
    return sum(
        len(digest.words.words[word])
        for start, end in runs
        for word in range(start, end)
        if not any(head <= nodes[word] < ends[head] for head in ends)
    )


def test_weights_are_the_users():
    old, new = page("<p>x</p>"), page("<p>y <a href=/z></a></p>")
    objects = find(old, new, ANY).objects
    assert score(old, new, ANY, objects, Weights(link=10, text=3)) == 10 + 3 * 2


@given(count=st.integers(0, 12))
def test_the_jth_occurrence_of_an_interest_adds_a_power_of_two(count: int):
    came = ObjectChange(object="x", status=Status.NEW, after="other " + "Merger " * count)
    assert topic_score([came], ["merger"]) == sum(2 ** (j + 5) for j in range(1, count + 1))


def test_interests_add_up_and_what_stayed_does_not_count():
    changed = ObjectChange(
        object="x", status=Status.UPDATED, before="merger of a", after="merger of b and takeover"
    )
    assert topic_score([changed], ["merger", "takeover", "Takeover"]) == 64
    old, new = page("<p>x</p>"), page("<p>x merger takeover merger</p>")
    objects = find(old, new, ANY).objects
    assert score(old, new, ANY, objects, interests=("merger", "takeover")) == 20 + 64 + 128 + 64


def test_a_score_stays_a_number_that_every_reader_takes():
    came = ObjectChange(object="x", status=Status.NEW, after="merger " * 5000)
    assert topic_score([came], ["merger"]) == HIGHEST


@pytest.mark.parametrize(
    ("count", "total"), [(46, 2**52 - 64), (47, 2**53 - 64), (48, HIGHEST), (49, HIGHEST), (60, HIGHEST)]
)
def test_of_very_many_occurrences_the_score_is_the_highest(count: int, total: int):
    came = ObjectChange(object="x", status=Status.NEW, after="merger " * count)
    assert topic_score([came], ["merger"]) == total


def test_a_title_that_changed_alone_counts_as_one_word():
    old, new = page("<p>a b c</p>"), page("<p>a b c</p>", "<title>Other</title>")
    finding = find(old, new, ANY)
    assert (finding.share, finding.score) == (1 / 6, WEIGHTS.title)


@pytest.mark.parametrize(
    ("change", "before", "after", "share"),
    [
        (ChangeType("all words"), "<p>a b c d</p>", "<p>a b c e</p>", 2 / 8),
        (ChangeType("all words"), "", "<p>a b</p>", 1.0),
        (
            ChangeType("all links"),
            "<a href=/a></a><a href=/b></a>",
            "<a href=/a></a><a href=/b></a><a href=/c></a>",
            1 / 5,
        ),
        (ChangeType("all images"), "<img src=/a>", "<img src=/b>", 1.0),
        (ANY, "<p>a b c</p>", "<p>a b c <a href=/x></a></p>", 1 / 7),
        (ANY, "<p>a b</p><a href=/x></a><img src=/i>", "<p>a b</p><a href=/y></a><img src=/i>", 2 / 8),
        (ANY, "<p>a b</p><a href=/x></a><img src=/i>", "<p>a b</p><a href=/x></a><img src=/k>", 2 / 8),
        (ANY, "<p>a b</p><img src=/i>", "<p>a c</p><img src=/i><img src=/k>", 3 / 7),
        (
            ChangeType("phrase", ("aa bb",)),
            "<p>aa bb</p><p>aa bb y</p>",
            "<p>aa bb</p><p>aa cc bb y</p>",
            2 / 18,
        ),
        (ChangeType("content"), "<p>one two</p>", "<p>one two!</p>", 7 / 13),
        (ChangeType("keywords", ("two",)), "<p>one two</p>", "<p>one</p>", 3 / 9),
        (ChangeType("list", ("1",)), "<ul><li>aa<li>bbbb<li>c</ul>", "<ul><li>aa<li>dd<li>c</ul>", 6 / 12),
        (
            ChangeType("table", ("1",)),
            "<table><tr><td>aa<td>b</table>",
            "<table><tr><td>aa<td>c</table>",
            2 / 6,
        ),
    ],
)
def test_share_of_what_is_watched(change: ChangeType, before: str, after: str, share: float):
    head = ""
    assert find(page(before, head), page(after, head), change).share == pytest.approx(share)


@given(
    st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"])),
    st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"])),
)
def test_backwards_an_object_changes_by_as_much(before: list[str], after: list[str]):
    old, new = " ".join(before), " ".join(after)
    there = ObjectChange(object="x", status=Status.UPDATED, before=old, after=new)
    back = ObjectChange(object="x", status=Status.UPDATED, before=new, after=old)
    assert sorted(differing(there)) == sorted(differing(back))
    assert characters(there) == characters(back)


def test_one_word_in_a_long_paragraph_counts_as_one_word():
    old = "<p>" + " ".join(f"word{n}" for n in range(300))
    (finding,) = diff(old, old.replace("word150", "other"), "content").findings
    assert finding.share < 0.01
