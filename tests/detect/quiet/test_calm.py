"""Of the differences between two versions, noise is left out and everything else is told (Q1, Q2, Q8)."""

from __future__ import annotations

import time

import pytest
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
    """Returns the objects that are told, and the reasons why others are not."""
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


AGED = "<h1>Recent changes</h1><{0}>{1}</{0}><ul><li><a href=/h>{2}</a></ul>"


@pytest.mark.parametrize("tag", ["h2", "summary"])
def test_a_heading_that_names_a_group_by_its_age_is_left_out_and_the_edit_beside_it_told(tag: str):
    before = AGED.format(tag, "Within a Minute", "Harbour")
    assert left_out(before, AGED.format(tag, "Within an Hour", "Harbour"))[0] == []
    assert left_out(before, AGED.format(tag, "Within an Hour", "Lighthouse"))[0] != []
    assert left_out(AGED.format(tag, "Within an Hour", "Harbour"), before)[0] != [], "something happened"


def test_a_promise_is_told():
    promise = "<p>We answer letters</p><p>{}</p>"
    assert left_out(promise.format("within an hour"), promise.format("within a day"))[0] != []
    sale = "<p>The sale ends <b>{}</b></p>"
    assert left_out(sale.format("today"), sale.format("this week"))[0] != []


@pytest.mark.parametrize("tag", ["h2", "p", "li", "span"])
def test_yesterday_follows_today(tag: str):
    today, yesterday = (AGED.format(tag, word, "Harbour") for word in ("Today, 14:05", "Yesterday, 14:05"))
    assert left_out(today, yesterday)[0] == []
    assert left_out(yesterday, today)[0] != []


def test_a_line_is_what_a_browser_shows_as_one():
    page = "<p>The lamp is {}</p><footer>This page was generated in about\n0.00{}s by\nthe server</footer>"
    assert left_out(page.format("here", 3), page.format("here", 4)) == ([], {Why.TICKING})
    assert left_out(page.format("here", 3), page.format("gone", 4)) == (["here"], {Why.TICKING})


def test_a_time_that_touches_the_next_element_is_a_time():
    page = "<div><span class=age>{} min ago</span>Rules of the {}</div>"
    assert left_out(page.format(14, "harbour"), page.format(15, "harbour")) == ([], {Why.TICKING})
    assert left_out(page.format(14, "harbour"), page.format(15, "river")) == (["harbour"], {Why.TICKING})
    price = "<div><span>{} min</span>agonising wait</div>"
    assert left_out(price.format(14), price.format(15)) == (["14"], set())


def test_words_that_touch_the_next_element_are_a_time():
    page = "<div><span class=age>{}</span>Rules of the {}</div>"
    assert left_out(page.format("right now", "bay"), page.format("24 sec ago", "bay")) == ([], {Why.TICKING})
    behind = "<div>Rules<span>{}</span></div>"
    assert left_out(behind.format("a minute ago"), behind.format("an hour ago")) == ([], {Why.TICKING})
    told, why = left_out(page.format("right now", "bay"), page.format("sold out", "bay"))
    assert told
    assert not why
    told, why = left_out(page.format("right now", "bay"), page.format("24 sec ago", "sea"))
    assert told


SHOWN = '<table><tr><td><span {}="{}">{}</span></td><td>Rules of the harbour</td></tr></table>'


@pytest.mark.parametrize(
    ("name", "moment", "before", "after"),
    [
        ("title", "2026-11-17 14:47:46 +0000", "2 min.", "3 min."),
        ("title", "2026-11-17 14:47:46 +0000", "59 min.", "an hour"),
        ("datetime", "2026-11-17T14:47Z", "3 d", "4 d"),
        ("data-timestamp", "1795100866", "1 hour, 59 minutes", "2 hours"),
        ("title", "17 November 2026, 14:47", "14:47", "15:47"),  # shown in another time zone
    ],
)
def test_an_age_of_a_moment_that_its_element_names_ticks(name: str, moment: str, before: str, after: str):
    assert left_out(SHOWN.format(name, moment, before), SHOWN.format(name, moment, after)) == (
        [],
        {Why.TICKING},
    )


@pytest.mark.parametrize(
    ("name", "moments", "texts"),
    [
        ("title", ("", ""), ("2 min.", "3 min.")),  # may be a waiting time
        ("title", ("Waiting time", "Waiting time"), ("2 min.", "3 min.")),
        ("title", ("2026-11-17 14:47", "2026-11-17 15:47"), ("9 hours", "8 hours")),  # another moment
        ("datetime", ("2026-11-17T14:47Z",) * 2, ("2 min.", "sold out")),
        ("datetime", ("2026-11-17T14:47Z",) * 2, ("12 crowns", "13 crowns")),
    ],
)
def test_what_is_no_age_of_a_named_moment_is_told(
    name: str, moments: tuple[str, str], texts: tuple[str, str]
):
    told, why = left_out(*(SHOWN.format(name, *both) for both in zip(moments, texts, strict=True)))
    assert told
    assert not why


def test_lines_of_a_text_that_is_shown_as_it_is_written_are_lines():
    page = "<pre>Generated by hand\nThe race took place at noon\nFirst: {} s</pre>"
    assert left_out(page.format("9.81"), page.format("9.79")) == (["9.81"], set())
    plain = "<div>Results\n<p>First: {} s</p>The page was generated</div>"
    assert left_out(plain.format("9.81"), plain.format("9.79")) == (["9.81"], set())


MOMENTS = (
    '<p>Changes <a href="/r?days=7&amp;from={}&amp;shown={}">since then</a></p><p><a href="/{}">Terms</a></p>'
)


def test_a_link_that_leads_on_from_now_is_left_out():
    before = MOMENTS.format("20261117121302", "12%3A13%2C+17+November+2026", "terms")
    after = MOMENTS.format("20261117121402", "12%3A14%2C+17+November+2026", "{}")
    assert left_out(before, after.format("terms")) == ([], {Why.ADDRESS})
    told, why = left_out(before, after.format("rules"))
    assert told == ["https://example.org/terms", "https://example.org/rules"]
    assert why == {Why.ADDRESS}


def test_a_list_of_moments_that_goes_on_is_told():
    page = "<ul>{}</ul>"
    items = [f'<li><a href="/old?at=2026111712{n:02}00">copy</a></li>' for n in range(6)]
    told, _ = left_out(
        page.format("".join(items[:5])), page.format("".join(items[1:])), ChangeType("all links")
    )
    assert len(told) == 2


def test_a_link_to_another_day_is_told():
    page = '<a href="/calendar?day={}">The next evening</a>'
    told, _ = left_out(page.format("2026-11-17"), page.format("2026-11-19"))
    assert len(told) == 2


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


@pytest.mark.parametrize("unit", ["1", "1.", "1,", "\uff11", "1h", "12:3", "1m ", "an ", "1\u00a0"])
def test_hostile_texts_are_compared_soon(unit: str):
    text = (unit * 300_000)[:300_000]
    left_out("<p>1 minute ago</p>", "<p>2 minutes ago</p>")  # fills the caches before the time is taken
    started = time.process_time()
    told, _ = left_out(f"<h1>A</h1><p>{text} x</p>", f"<h1>A</h1><p>{text}2 x</p>")
    assert told
    assert time.process_time() - started < 4
