"""The laws of a merged page (P3), on the pages of bench/quality and on pages changed at random.

Without the insertions a merged page reads as the old page, without the deletions as the new one. It is no
more broken than the pages it was made from. Marks stand inside items and cells, never between them. A removed
column is marked, and the columns beside it are not.
"""

from __future__ import annotations

# ruff: noqa: E501
import random
import re

import html5lib
import pytest
from lxml import etree, html

from bench.quality.corpus import PAIRS
from webvigil.document import PageDigest, read
from webvigil.document.parsing import kind_of
from webvigil.present.comparison import compare
from webvigil.present.dressed import Dress, Dressed, dressed
from webvigil.present.framed import faithful, faithful_side
from webvigil.present.marks import Merging, beside

PAGES = {
    (one.before, one.after): (
        one.before,
        one.after,
        one.content_type,
        one.after_type or one.content_type,
        one.url,
    )
    for one in PAIRS
}
MUTATED = 1_000
WHOLE = ("p", "li", "tr", "div", "h1", "h2", "h3", "td", "th", "ul", "ol", "table", "section", "dl", "dd")
_FRAGMENT = re.compile(rf"<(?:{'|'.join(WHOLE)})\b.*?(?=<(?:{'|'.join(WHOLE)})\b|\Z)", re.DOTALL)
_WORD = re.compile(r"(?<=[ >])[^\s<>]+(?=[ <])")
_TOKENS = ("<td>", "</table>", "<li>", "</p>", "<br>", "<table><tr><td>1<td>2", "<select><option>a<option>b</select>",
           "<svg><title>t</title></svg>", "<p>", "</div>", "<pre>\n x\n y</pre>", "<h3>H</h3>", "<b>", "<ins>i</ins>")  # fmt: skip
_NEW_WORDS = ("", "new", "東京", "x y z", "<b>bo</b>ld", "a-b", "3.5", "<del>old</del>")


HTML = [
    one
    for one in PAGES.values()
    if all(kind_of(body, said) == "html" for body, said in zip(one[:2], one[2:4], strict=True))
]


def pages() -> list[tuple[PageDigest, PageDigest]]:
    return [
        (read(old, old_type, url), read(new, new_type, url)) for old, new, old_type, new_type, url in HTML
    ]


def merge(old: PageDigest, new: PageDigest) -> Dressed:
    return dressed(new, Merging(compare(old, new), old, new).run(), Dress())


def digest(text: str) -> PageDigest:
    return read(text.encode("utf-8", "replace"), "text/html; charset=utf-8", "https://example.org/")


def test_every_pair_of_the_corpus_reads_as_both_its_versions():
    found = pages()
    assert len(found) > 150
    for old, new in found:
        comparison = compare(old, new)
        assert faithful(dressed(new, Merging(comparison, old, new).run(), Dress()).html, old, new), old.title
        assert faithful_side(dressed(old, beside(comparison, old=True), Dress()).html, old)
        assert faithful_side(dressed(new, beside(comparison, old=False), Dress()).html, new)


def test_almost_every_page_changed_at_random_does_and_the_others_are_noticed():
    """Pages that break the law are detected and shown by their words instead, so nobody reads a wrong
    page."""
    dice = random.Random(7)
    sources = [one[0].decode("utf-8", "replace") for one in HTML]
    failed = 0
    for _ in range(MUTATED):
        text = dice.choice(sources)
        before = mutated(text, dice) if dice.random() < 0.3 else text
        old, new = digest(before), digest(mutated(text, dice))
        if old.kind == new.kind == "html":
            failed += not faithful(merge(old, new).html, old, new)
    assert failed <= MUTATED * 0.01, f"{failed} of {MUTATED}"


def mutated(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 5)):
        match dice.randrange(6):
            case 0:
                place = dice.randrange(len(text) + 1)
                text = text[:place] + text[place + dice.randint(1, 60) :]
            case 1 | 2:
                text = _moved(text, dice)
            case 3 | 4:
                words = list(_WORD.finditer(text))
                if words:
                    word = dice.choice(words)
                    text = text[: word.start()] + dice.choice(_NEW_WORDS) + text[word.end() :]
            case _:
                place = dice.randrange(len(text) + 1)
                text = text[:place] + dice.choice(_TOKENS) + text[place:]
    return text


def _moved(text: str, dice: random.Random) -> str:
    """Removes a piece of the page, repeats it, or moves it elsewhere."""
    pieces = _FRAGMENT.findall(text)
    if not pieces:
        return text
    one, other = dice.choice(pieces), dice.choice(pieces)
    if dice.random() < 0.6:
        text = text.replace(one, "", 1)
    return text.replace(other, other + one, 1) if dice.random() < 0.7 else text


def test_a_merged_page_is_no_more_broken_than_the_pages_it_was_made_from():
    for (old, new), (before, after, *_) in zip(pages()[::5], HTML[::5], strict=True):
        shown = errors("<!DOCTYPE html><title>x</title>" + merge(old, new).html)
        sources = [one.decode("utf-8", "replace") for one in (before, after)]
        assert shown <= max(map(errors, sources)), new.title


def errors(text: str) -> int:
    parser = html5lib.HTMLParser()
    parser.parse(text)
    return len(parser.errors)


def test_marks_stand_in_text_and_never_between_cells_or_items():
    for old, new in pages()[::2]:
        tree = html.fromstring(f"<div>{merge(old, new).html}</div>")
        for mark in tree.iter("ins", "del"):
            assert len(mark) == 0
            assert mark.getparent().tag not in (
                "table",
                "tbody",
                "thead",
                "tfoot",
                "tr",
                "ul",
                "ol",
                "dl",
                "colgroup",
            )


def test_a_removed_column_marks_itself_alone():
    old = "<table><tr><th>Name<th>Age<th>Town<tr><td>Ann<td>30<td>Rome<tr><td>Bob<td>31<td>Oslo</table>"
    new = "<table><tr><th>Name<th>Town<tr><td>Ann<td>Rome<tr><td>Bob<td>Oslo</table>"
    tree = html.fromstring(merge(digest(old), digest(new)).html)
    assert [mark.text for mark in tree.iter("del")] == ["Age", "30", "31"]
    assert list(tree.iter("ins")) == []
    rows = [[cell.text_content() for cell in row] for row in tree.iter("tr")]
    assert rows == [["Name", "Age", "Town"], ["Ann", "30", "Rome"], ["Bob", "31", "Oslo"]]


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("<ul><li class=i>a b c<li class=i>gone now</ul>", "<ul><li class=i>a b c</ul>", "//ul/li[2]/del"),
        ("<p>a b c</p><p>gone now</p><p>d e f</p>", "<p>a b c</p><p>d e f</p>", "//p[2]/del"),
        ("<div class=k>a b c</div><div class=k>gone now</div><div class=k>d e</div>",
         "<div class=k>a b c</div><div class=k>d e</div>", "//div[@class='k wv-gone'][2 = count(../div[@class='k'])]/del"),
        ("<h2>One</h2><h2>gone now</h2><p>x y z</p>", "<h2>One</h2><p>x y z</p>", "//h2[2]/del"),
        ("<table><tr><td>a<td>1<tr><td>gone<td>now<tr><td>b<td>2</table>",
         "<table><tr><td>a<td>1<tr><td>b<td>2</table>", "//tr[2][@class='wv-gone']/td/del"),
        ("<p>one<br>gone now<br>two</p>", "<p>one<br>two</p>", "//p/del"),
    ],
)  # fmt: skip
def test_what_went_is_put_back_beside_its_like(old: str, new: str, path: str):
    tree = etree.HTML(merge(digest(old), digest(new)).html)
    assert " ".join(mark.text for mark in tree.xpath(path)) == "gone now", etree.tostring(tree)


def test_a_page_keeps_its_look():
    style = "<style>p{color:red}@import 'x';.a{background:url(/x.png) blue}</style>"
    body = (
        "<body class=home bgcolor=#eee><p style='margin:3px'>one two</p><my-box class=a id=b>three</my-box>"
    )
    shown = merge(digest(f"{style}{body}"), digest(f"{style}{body}<p>four"))
    assert shown.sheets == ("p{color:red}.a{background:none blue}",)
    assert shown.attributes == ' class="home" style="background-color:#eee;"'
    assert '<p style="margin:3px">one two</p><my-box class="a" id="b">' in shown.html
