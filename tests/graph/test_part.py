"""Tests that a sentinel sees its part, follows it when it moves, and reports its loss (L8, V4)."""

from __future__ import annotations

from webvigil.detect.find import evaluate
from webvigil.document import read
from webvigil.graph.part import views
from webvigil.graph.preview import watched
from webvigil.language import parse
from webvigil.model.change import Finding, Status

PAGE = """<!doctype html><title>Shop</title><nav>Home Shop About us and more</nav>
<div class="ad">Buy now! {ad}</div>
<section class="{name}"><h2>Prices of the week</h2>
<p>Apples cost {price} today, pears a little more.</p></section>
<footer>Contact and imprint</footer>"""


def page(ad: str = "one", name: str = "prices", price: str = "10") -> bytes:
    return PAGE.format(ad=ad, name=name, price=price).encode()


def compare(clauses: str, old: bytes, new: bytes) -> tuple[Finding, ...]:
    (sentinel,) = parse(f"Create Sentinel s Using https://a.org/ Monitor all words {clauses}")
    seen = views(read(old), read(new), sentinel)
    if isinstance(seen, Finding):
        return (seen,)
    assert sentinel.monitor is not None
    result = evaluate(*seen, sentinel.monitor)
    return result.findings if result.changed else ()


def test_only_what_is_within_counts():
    within = 'Within css "section.prices"'
    assert compare(within, page(), page(ad="two")) == ()
    (finding,) = compare(within, page(), page(ad="two", price="12"))
    assert [(one.before, one.after) for one in finding.objects] == [("10", "12")]


def test_what_is_ignored_does_not_count():
    assert compare('Ignore css ".ad"', page(), page(ad="two")) == ()
    assert compare('Ignore css ".ad"', page(), page(price="12"))


def test_a_part_is_followed_when_its_name_changes():
    (finding,) = compare('Within css "section.prices"', page(), page(name="p-9f3", price="12"))
    assert [(one.before, one.after) for one in finding.objects] == [("10", "12")]


def test_a_part_that_is_gone_is_told_as_vanished():
    (finding,) = compare(
        'Within css "section.prices"', page(), b"<!doctype html><title>Shop</title><p>Closed"
    )
    assert [one.status for one in finding.objects] == [Status.GONE]
    assert "vanished" in finding.note


def test_what_will_be_watched_is_shown():
    (sentinel,) = parse(
        "Create Sentinel s Using https://a.org/ Monitor all links OR keywords: {apples, plums}"
    )
    links, words = watched(read(b"<a href='/x'>apples</a> apples", "text/html", "https://a.org/"), sentinel)
    assert [one.object for one in links.objects] == ["https://a.org/x"]
    assert [(one.object, one.new) for one in words.objects] == [("apples", 2)]
