"""What two versions differ in, calmed: quiet where it is noise, told where it is not (Q1, Q2, Q8)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.detect.pages import digest
from webvigil import diff
from webvigil.detect.find import find
from webvigil.detect.quiet.calm import calmed
from webvigil.document import read
from webvigil.model.quiet import Why
from webvigil.model.sentinel import ChangeType

ANY = ChangeType("any change")


def left_out(before: str, after: str, change: ChangeType = ANY) -> tuple[list[str], set[Why]]:
    """The objects that are told, and the reasons why others are not."""
    old, new = digest(before), digest(after)
    calm = calmed(old, new, change, find(old, new, change))
    return [one.object for one in calm.finding.objects], {one.why for one in calm.left_out}


def test_a_tracker_that_nobody_sees_is_left_out():
    page = '<p>News</p><img src="https://t.example/p.gif?x={}" width="1" height="1">'
    assert left_out(page.format("a"), page.format("b")) == ([], {Why.UNSEEN})


def test_hidden_pictures_and_links_are_left_out():
    page = '<img src="/{0}.gif" style="display: none"><a href="/{0}" hidden>x</a>'
    page += '<noscript><img src="/n{0}"></noscript>'
    assert left_out(page.format("a"), page.format("b")) == ([], {Why.UNSEEN})


def test_a_picture_that_is_seen_is_told():
    page = '<p>News</p><img src="/{}.png" width="100" height="1">'
    told, why = left_out(page.format("lamp"), page.format("chair"))
    assert len(told) == 2
    assert not why


def test_a_picture_that_comes_into_sight_is_told():
    hidden, shown = '<img src="/a.png" width="1" height="1">', '<img src="/a.png"><img src="/a.png">'
    assert left_out(hidden, shown)[0] == ["https://example.org/a.png"]


def test_the_same_link_more_often_is_told():
    once, twice = (
        '<a href="/x?utm_source=a">x</a>',
        '<a href="/x?utm_source=b">x</a><a href="/x?utm_source=c">y</a>',
    )
    told, _ = left_out(once, twice, ChangeType("all links"))
    assert told


def test_a_time_is_left_out_and_the_edit_beside_it_told():
    before = "<p>Posted 6 minutes ago by Jill</p><p>The lamp is here</p>"
    after = "<p>Posted 2 hours ago by Jill</p><p>The chair is here</p>"
    assert left_out(before, after) == (["lamp"], {Why.TICKING})


def test_blocks_with_a_time_are_left_out():
    content = ChangeType("content")
    assert left_out("<p>6 minutes ago</p>", "<p>7 minutes ago</p>", content) == ([], {Why.TICKING})
    assert "sold out" in left_out("<p>6 minutes ago</p>", "<p>sold out</p>", content)[0]


def test_leaves_of_a_feed_are_read_as_they_are():
    page = "<?xml version='1.0'?><feed><entry><title>{}</title><when>{} minutes ago</when></entry></feed>"
    old, new = (read(page.format(*one).encode(), "application/xml") for one in (("a", 5), ("b", 6)))
    calm = calmed(old, new, ANY, find(old, new, ANY))
    assert [one.after for one in calm.finding.objects] == ["b"]


def test_explicit_types_are_never_calmed():
    for change in (ChangeType("exact change"), ChangeType("value", ("p",), "css"), ChangeType("attributes")):
        old, new = digest('<p id="a?v=1">6 minutes ago</p>'), digest('<p id="a?v=2">7 minutes ago</p>')
        found = find(old, new, change)
        assert calmed(old, new, change, found).finding is found


def test_diff_is_quiet_only_when_asked():
    before, after = '<a href="/x?utm_a=1">x</a><p>6 minutes ago', '<a href="/x?utm_a=2">x</a><p>7 minutes ago'
    plain, quiet = diff(before, after), diff(before, after, quiet=True)
    assert plain.changed
    assert "left_out" not in plain.as_json()
    assert not quiet.changed
    assert {one["why"] for one in quiet.as_json()["left_out"]} == {Why.ADDRESS, Why.TICKING}


def test_what_is_left_is_measured_anew():
    before = '<p>one two</p><a href="/x?utm_a=1">x</a>'
    after = '<p>one three</p><a href="/x?utm_a=2">x</a>'
    calm, plain = diff(before, after, quiet=True).findings[0], diff(before, after).findings[0]
    assert 0 < calm.score < plain.score
    assert calm == diff(before, after.replace("utm_a=2", "utm_a=1")).findings[0]


@given(st.lists(st.sampled_from(["lamp", "chair", "6 minutes ago", "1", "ago"]), max_size=6),
       st.lists(st.sampled_from(["lamp", "chair", "7 minutes ago", "2", "ago"]), max_size=6))  # fmt: skip
def test_nothing_is_told_that_does_not_differ_and_all_is_told_or_left_out(one: list[str], other: list[str]):
    before, after = ("".join(f"<p>{text}</p>" for text in texts) for texts in (one, other))
    old, new = digest(before), digest(after)
    found = find(old, new, ANY)
    calm = calmed(old, new, ANY, found)
    assert sorted([*calm.finding.objects, *(left.object for left in calm.left_out)]) == sorted(found.objects)
    back = calmed(new, old, ANY, find(new, old, ANY))
    assert len(back.left_out) == len(calm.left_out)
