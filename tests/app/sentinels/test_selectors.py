"""An element has a short selector that finds it again, and no other element."""

from __future__ import annotations

import pytest

from webvigil.app.sentinels.selectors import selected, selector, selector_of_one
from webvigil.document import PageDigest, read


def page(markup: str) -> PageDigest:
    return read(markup.encode(), "text/html", "http://a.test/")


def last(digest: PageDigest, tag: str) -> int:
    return int(digest.nodes_of(tag)[-1])


@pytest.mark.parametrize(
    ("markup", "short", "alone"),
    [
        ("<p>x", "p", "p"),
        ("<div><p>x<p>y</div>", "div > p:nth-of-type(2)", "div > p:nth-of-type(2)"),
        ("<div id=d><p>x</div>", "#d > p", "#d > p"),
        ("<div id=d><section><p>x</div>", "#d > section > p", "#d > section > p"),
        ("<p id=a>x<p id=p>y", "#p", "#p"),
        ("<p class='a b c'>x", "p.a.b", "p.a.b"),
        ("<p class='a'>x<p class='a'>y", "p.a", "html > body > p:nth-of-type(2)"),
        ("<p id=p>x<p id=p>y", "#p", "html > body > p:nth-of-type(2)"),
        ("<div id=d><b class=x>1</b><b class=x>2</b></div>", "#d > b.x", "#d > b:nth-of-type(2)"),
        ("<p id='1a'>x", "p", "p"),
        ("<p id='a:b'>x", "p", "p"),
        ("<p id='-_'>x", "p", "p"),
        ("<p id='ä'>x", "p", "p"),
        ("<p id='a-b_1'>x", "#a-b_1", "#a-b_1"),
        (f"<p id={'a' * 59}>x", f"#{'a' * 59}", f"#{'a' * 59}"),
        (f"<p id={'a' * 60}>x", "p", "p"),
        ("<p class='1 a:b'>x", "p", "p"),
    ],
)
def test_a_selector_is_short_and_finds_one_element(markup: str, short: str, alone: str):
    digest = page(markup)
    node = last(digest, "b" if "<b" in markup else "p")
    assert (selector(digest, node), selector_of_one(digest, node)) == (short, alone)
    assert selected(digest, alone) == [node]


@pytest.mark.parametrize(("depth", "steps"), [(58, 59), (59, 60), (60, 60)])
def test_a_way_has_at_most_sixty_steps(depth: int, steps: int):
    digest = page("<div>" * depth + "<b>x</b>")
    assert selector(digest, last(digest, "b")).count(">") + 1 == steps


def test_the_whole_page_has_no_selector_and_a_wrong_one_finds_nothing():
    digest = page("<p>x")
    assert [selector(digest, int(digest.nodes_of(tag)[0])) for tag in ("html", "body")] == ["", ""]
    assert selector(digest, 0) == ""
    assert selector_of_one(digest, int(digest.nodes_of("body")[0])) == "html > body"
    assert selected(digest, "p[") == []
