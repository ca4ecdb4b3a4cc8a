"""What came and went is marked on both pages, and what went is put back where it stood."""

from __future__ import annotations

import re

import pytest

from webvigil.document import PageDigest, read
from webvigil.present.comparison import compare
from webvigil.present.dressed import Dress, dressed
from webvigil.present.marks import Merging, _leads, beside, flag
from webvigil.present.runs import Run


@pytest.mark.parametrize(
    ("run", "rest", "leads"),
    [
        (Run("-", " old"), [], False),  # at the end of a block there is space enough
        (Run("-", " old"), [Run("=", " stays")], False),
        (Run("-", " old"), [Run("=", ", stays")], True),
        (Run("-", " old"), [Run("-", " older"), Run("=", ", stays")], True),
        (Run("-", "old"), [Run("=", ", stays")], False),
        (Run("+", " new"), [Run("-", ".")], True),
    ],
)
def test_the_space_before_a_run_belongs_to_it_where_none_would_be_left(
    run: Run, rest: list[Run], leads: bool
):
    assert _leads(run, rest) is leads


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", "http://a.test/")


def grid(*rows: str) -> str:
    cells = "".join("<tr><td>" + row.replace(" ", "<td>") for row in rows)
    return f"<table>{cells}</table>"


def short(html: str) -> str:
    """Returns the HTML with `[1 new]` for a flag, `[=1]` for a lock and `!` for the class of what is gone."""
    html = re.sub(r'<span class="wv-flag wv-(\w+)" id="wv-c(\d+)" data-wv="\2"></span>', r"[\2 \1]", html)
    html = re.sub(r'<span class="wv-lock" data-wv-lock="(\d+)"></span>', r"[=\1]", html)
    return re.sub("</?tbody>|</t[dhr]>", "", html.replace(' class="wv-gone"', "!"))


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        (
            "<p>one two three four",
            "<p>one two six four",
            "<p>[1 changed]one two <del>three</del> <ins>six</ins> four</p>",
        ),
        ("<p>two three four", "<p>one two three four", "<p>[1 changed]<ins>one</ins> two three four</p>"),
        ("<p>one two three four", "<p>two three four", "<p>[1 changed]<del>one </del>two three four</p>"),
        ("<p>one two three four", "<p>one two three", "<p>[1 changed]one two three<del> four</del></p>"),
        (
            "<p>one <b>two three</b> four",
            "<p>one <b>two</b> four",
            "<p>[1 changed]one <b>two <del>three</del></b> four</p>",
        ),
        ("<p>a b<p>gone now", "<p>a b", "<p>a b</p><p!>[1 gone]<del!>gone now</del></p>"),
        ("<p>gone now<p>a b", "<p>a b", "<p!>[1 gone]<del!>gone now</del></p><p>a b</p>"),
        (
            "<p>x y<p class='k wv-a'>gone now<p>a b",
            "<p>x y<p class='k wv-a'>a b",
            '<p>x y</p><p class="k wv-gone">[1 gone]<del!>gone now</del></p><p class="k">a b</p>',
        ),
        (
            "<p>x y<p>gone now<p class=k>a b",
            "<p>x y<p class=k>a b",
            '<p>x y</p><p!>[1 gone]<del!>gone now</del></p><p class="k">a b</p>',
        ),
        (
            "<h2>x y</h2><div>gone now</div><p>a b",
            "<h2>x y</h2><p>a b",
            "<h2>x y</h2><div!>[1 gone]<del!>gone now</del></div><p>a b</p>",
        ),
        (
            "<ul><li>x y<li>gone now<li>a b</ul>",
            "<ul><li>x y<li>a b</ul>",
            "<ul><li>x y</li><li!>[1 gone]<del!>gone now</del></li><li>a b</li></ul>",
        ),
        (
            "<ul><li>x y<li>gone now</ul><p>a b",
            "<ul><li>x y</ul><p>a b",
            "<ul><li>x y</li><li!>[1 gone]<del!>gone now</del></li></ul><p>a b</p>",
        ),
        (
            "<p>x y<ul><li>gone now</ul><p>a b",
            "<p>x y<p>a b",
            "<p>x y</p><ul><li!>[1 gone]<del!>gone now</del></li></ul><p>a b</p>",
        ),
        (
            "<p>x y<ul><li>gone now</ul>",
            "<p>x y",
            "<p>x y</p><ul><li!>[1 gone]<del!>gone now</del></li></ul>",
        ),
        ("<p>gone now", "<ul></ul>", "<ul></ul><p!>[1 gone]<del!>gone now</del></p>"),
        ("gone now<p>a b", "<p>a b", "<div!>[1 gone]<del!>gone now</del></div><p>a b</p>"),
        ("<p>gone now</p>a b", "a b", "<p!>[1 gone]<del!>gone now</del></p>a b"),
        (
            "<p>x y<p>gone now</p><span>a b</span>",
            "<p>x y</p><span>a b</span>",
            "<p>x y</p><p!>[1 gone]<del!>gone now</del></p><span>a b</span>",
        ),
        (
            "<p>x y<h3>gone now</h3><button>a b</button>",
            "<p>x y<button>a b</button>",
            "<p>x y<button>[1 gone]<del>gone now</del><br>a b</button></p>",
        ),
        (
            "<ul><li>x y</ul><p>gone now<p>older too",
            "<ul><li>x y</ul>",
            "<ul><li>x y<p!>[1 gone]<del!>gone now</del></p><p!><del!>older too</del></p></li></ul>",
        ),
        (
            grid("n p", "a 1", "b 2", "c 3"),
            grid("n p", "a 1", "c 3"),
            (
                "<table><tr><td>n<td>p<tr><td>a<td>1<tr!><td!>[1 gone]<del>b</del><td!><del>2</del><tr>"
                "<td>c<td>3</table>"
            ),
        ),
        (
            grid("n p", "a 1", "b 2"),
            grid("n p", "a 1"),
            ("<table><tr><td>n<td>p<tr><td>a<td>1<tr!><td!>[1 gone]<del>b</del><td!><del>2</del></table>"),
        ),
        (
            grid("n p", "a 1", "b 2"),
            grid("a 1", "b 2"),
            ("<table><tr!><td!>[1 gone]<del>n</del><td!><del>p</del><tr><td>a<td>1<tr><td>b<td>2</table>"),
        ),
        (
            grid("n p", "a 1", "b 2") + "<p>x y",
            "<p>x y",
            (
                '<table class="wv-table"><tr!><td!>[1 gone]<del>n</del><td!><del>p</del><tr!><td!><del>a'
                "</del><td!><del>1</del><tr!><td!><del>b</del><td!><del>2</del></table><p>x y</p>"
            ),
        ),
        (
            "<p>x y" + grid("n p", "a 1", "b 2"),
            "<p>x y",
            (
                '<p>x y</p><table class="wv-table"><tr!><td!>[1 gone]<del>n</del><td!><del>p</del><tr!>'
                "<td!><del>a</del><td!><del>1</del><tr!><td!><del>b</del><td!><del>2</del></table>"
            ),
        ),
        (
            "<p>x y<p>gone now" + grid("n p", "a 1"),
            "<p>x y" + grid("n p", "a 1"),
            (
                "<p>x y</p><p!>[1 gone]<del!>gone now</del></p><table><tr><td>n<td>p<tr><td>a<td>1"
                "</table><p></p>"
            ),
        ),
        (
            grid("n p", "a 1") + "<p>gone now",
            grid("n p", "a 1"),
            "<table><tr><td>n<td>p<tr><td>a<td>1</table><p!>[1 gone]<del!>gone now</del></p>",
        ),
        (
            grid("n p q", "a 1 z", "b 2 z"),
            grid("n p", "a 1", "b 2"),
            (
                "<table><tr><td>[1 changed]n<td>p<td!><del>q</del><tr><td>[2 changed]a<td>1<td!><del>z"
                "</del><tr><td>[3 changed]b<td>2<td!><del>z</del></table>"
            ),
        ),
        (
            grid("n q p", "a z 1", "b z 2"),
            grid("n p", "a 1", "b 2"),
            (
                "<table><tr><td>[1 changed]n<td!><del>q</del><td>p<tr><td>[2 changed]a<td!><del>z</del>"
                "<td>1<tr><td>[3 changed]b<td!><del>z</del><td>2</table>"
            ),
        ),
        (
            grid("n p", "a 1", "b 2"),
            grid("n q p", "a z 1", "b z 2"),
            (
                "<table><tr><td>[1 changed]n<td><ins>q</ins><td>p<tr><td>[2 changed]a<td><ins>z</ins>"
                "<td>1<tr><td>[3 changed]b<td><ins>z</ins><td>2</table>"
            ),
        ),
        (
            grid("n p", "a 1 z", "b 2"),
            grid("n p", "a", "b 2"),
            (
                "<table><tr><td>n<td>p<tr><td>[1 changed]a<del> 1 </del><td!><del>z</del><tr><td>b<td>2"
                "</table>"
            ),
        ),
        (
            grid("n p", "a 1", "b 2"),
            "<table><tr><td>n<td>p<tr><td>a<td><tr><td>b<td>2</table>",
            "<table><tr><td>n<td>p<tr><td>[1 changed]a<td><del>1</del><tr><td>b<td>2</table>",
        ),
        (
            "<table><tr><th>n<th>p<tr><td>a<td>1<tr><td>b<td>2</table>",
            "<table><tr><td>a<td>1<tr><td>b<td>2</table>",
            ("<table><tr!><th!>[1 gone]<del>n</del><th!><del>p</del><tr><td>a<td>1<tr><td>b<td>2</table>"),
        ),
        (
            "<p>first thing<p>second<p>third<p>fourth",
            "<p>second<p>third<p>fourth<p>first thing",
            (
                '<p class="wv-left"><del class="wv-left">first thing</del></p><p>second</p><p>third</p>'
                '<p>fourth</p><p>[1 moved]<ins class="wv-moved">first thing</ins></p>'
            ),
        ),
        (
            grid("first thing", "b 2", "c 3", "d 4"),
            grid("b 2", "c 3", "d 4", "first thing"),
            (
                '<table><tr class="wv-left"><td!><del>first</del><td!><del>thing</del><tr><td>b<td>2<tr>'
                '<td>c<td>3<tr><td>d<td>4<tr class="wv-moved"><td>[1 moved]<ins class="wv-moved">first'
                '</ins><td><ins class="wv-moved">thing</ins></table>'
            ),
        ),
        ("<p>a <i>b</i>", "<p>a <i>b</i><p>new here", "<p>a <i>b</i></p><p>[1 new]<ins>new here</ins></p>"),
        (
            "<table><tr><td>a<td>1<tr><td><p>x y<p>gone now</table>",
            "<table><tr><td>a<td>1<tr><td><p>x y</table>",
            "<table><tr><td>a<td>1<tr><td><p>[1 changed]x y<del> gone now</del></p></table>",
        ),
        (
            "<p>a b<p>gone<p>away",
            "<p>a b<p>came",
            (
                "<p>a b</p><p!>[1 gone]<del!>gone</del></p><p!><del!>away</del></p><p>[2 new]<ins>came"
                "</ins></p>"
            ),
        ),
    ],
)
def test_what_went_is_put_back_where_it_stood(old: str, new: str, merged: str):
    before, after = page(old), page(new)
    marks = Merging(compare(before, after), before, after).run()
    assert short(dressed(after, marks, Dress()).html) == merged


@pytest.mark.parametrize(
    ("old", "new", "left", "right"),
    [
        (
            "<p>one two three four",
            "<p>one two six four",
            "<p>[1 changed][=0]one two <del>three</del> four</p>",
            "<p>[1 changed][=0]one two <ins>six</ins> four</p>",
        ),
        (
            "<p>two three four",
            "<p>one two three four",
            "<p>[1 changed][=0]two three four</p>",
            "<p>[1 changed][=0]<ins>one</ins> two three four</p>",
        ),
        (
            "<p>one two three four",
            "<p>two three four",
            "<p>[1 changed][=0]<del>one</del> two three four</p>",
            "<p>[1 changed][=0]two three four</p>",
        ),
        (
            "<p>a b<p>gone now",
            "<p>a b",
            "<p>[=0]a b</p><p>[1 gone]<del>gone now</del></p>",
            "<p>[=0]a b</p>[1 quiet]",
        ),
        (
            "<p>gone now<p>a b",
            "<p>a b",
            "<p>[1 gone]<del>gone now</del></p><p>a b</p>",
            "<p>[1 quiet]a b</p>",
        ),
        (
            grid("n p", "a 1", "b 2", "c 3"),
            grid("n p", "a 1", "c 3"),
            (
                "<table><tr><td>[=0]n<td>p<tr><td>a<td>1<tr><td>[1 gone]<del>b</del><td><del>2</del><tr>"
                "<td>c<td>3</table>"
            ),
            "<table><tr><td>[=0]n<td>p<tr><td>a<td>1<tr><td>[1 quiet]c<td>3</table>",
        ),
        (
            grid("n p q", "a 1 z", "b 2 z"),
            grid("n p", "a 1", "b 2"),
            (
                "<table><tr><td>[1 changed][=0]n<td>p<td><del>q</del><tr><td>[2 changed]a<td>1<td><del>z"
                "</del><tr><td>[3 changed]b<td>2<td><del>z</del></table>"
            ),
            (
                "<table><tr><td>[1 changed][=0]n<td>p<tr><td>[2 changed]a<td>1<tr><td>[3 changed]b<td>2"
                "</table>"
            ),
        ),
        (
            grid("n p", "a 1", "b 2"),
            grid("n q p", "a z 1", "b z 2"),
            (
                "<table><tr><td>[1 changed][=0]n<td>p<tr><td>[2 changed]a<td>1<tr><td>[3 changed]b<td>2"
                "</table>"
            ),
            (
                "<table><tr><td>[1 changed][=0]n<td><ins>q</ins><td>p<tr><td>[2 changed]a<td><ins>z</ins>"
                "<td>1<tr><td>[3 changed]b<td><ins>z</ins><td>2</table>"
            ),
        ),
        (
            "<p>first thing<p>second<p>third<p>fourth",
            "<p>second<p>third<p>fourth<p>first thing",
            ('<p>[1 left]<del class="wv-left">first thing</del></p><p>second</p><p>third</p><p>fourth</p>'),
            ('<p>second</p><p>third</p><p>fourth</p><p>[1 moved]<ins class="wv-moved">first thing</ins></p>'),
        ),
        (
            "<p>a <i>b</i>",
            "<p>a <i>b</i><p>new here",
            "<p>[=0]a <i>b</i></p>[1 quiet]",
            "<p>[=0]a <i>b</i></p><p>[1 new]<ins>new here</ins></p>",
        ),
        (
            "<p>a b<p>gone<p>away",
            "<p>a b<p>came",
            "<p>[=0]a b</p><p>[1 gone]<del>gone</del></p><p><del>away</del></p>[2 quiet]",
            "<p>[=0]a b</p><p>[1 quiet][2 new]<ins>came</ins></p>",
        ),
    ],
)
def test_each_of_two_columns_marks_what_the_other_does_not_have(old: str, new: str, left: str, right: str):
    before, after = page(old), page(new)
    found = compare(before, after)
    sides = ((before, beside(found, old=True)), (after, beside(found, old=False)))
    assert [short(dressed(one, marks, Dress()).html) for one, marks in sides] == [left, right]


def test_every_eighth_block_and_every_heading_is_locked():
    text = "".join(f"<p>number {n}" for n in range(17)) + "<h2>end"
    found = compare(page(text), page(text))
    html = short(dressed(page(text), beside(found, old=True), Dress()).html)
    assert re.findall(r"\[=(\d+)\]", html) == ["0", "8", "16", "17"]


def test_a_change_that_is_not_asked_for_has_a_hollow_flag():
    assert flag(2, "new", mine=(1,)) == '<span class="wv-flag wv-new wv-other" id="wv-c2" data-wv="2"></span>'
    assert flag(2, mine=(2,)) == flag(2) == '<span class="wv-flag wv-quiet" id="wv-c2" data-wv="2"></span>'
