"""A page is written in its own look: what stays, what becomes a box, and where marks and pieces are put."""

from __future__ import annotations

from collections import defaultdict

import pytest

from webvigil.document import PageDigest, read
from webvigil.present.dressed import Dress, Dressed, dressed
from webvigil.present.marks import Marks, Range

URL = "http://a.test/b/"
TEXT = "<p>ab <b>cd</b> ef</p><p>gh</p>"
PIXEL = "data:image/png;base64,iVBORw0KGgo="
PLUS = "<i>+</i>"


def page(text: str) -> PageDigest:
    return read(text.encode(), "text/html", URL)


def shown(text: str, marks: Marks | None = None, dress: Dress | None = None) -> Dressed:
    return dressed(page(text), marks or Marks(), dress or Dress())


def put(at: int, *pieces: str) -> defaultdict[int, list[str]]:
    return defaultdict(list, {at: list(pieces)})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('<input value="tea" class="a b">', '<button class="a b  wv-field" data-wv-value="tea"></button>'),
        ("<input type=hidden value=1>", '<button class="wv-field" data-wv-hidden=""></button>'),
        ("<input type=Password value=s placeholder=p>", '<button class="wv-field"></button>'),
        ("<input type=image value=s>", '<button class="wv-field"></button>'),
        ("<input>", '<button class="wv-field"></button>'),
        ("<input placeholder=find>", '<button class="wv-field" data-wv-value="find"></button>'),
        (
            f"<input value={'x' * 201}>",
            f'<button class="wv-field" data-wv-value="{"x" * 200}"></button>',
        ),
        ("<textarea class=t>long</textarea>", '<button class="t  wv-field">long</button>'),
        (
            "<select><option>One<option>Two</select>",
            '<button class="wv-field"><br><span>One</span><br><br><span>Two</span><br></button>',
        ),
        ("<form action=x>in</form>", "<div>in</div>"),
        ("<dialog open>a</dialog><dir><li>b</dir>", "<div>a</div><ul><li>b</li></ul>"),
        ("<ins>c</ins><del>d</del>", "<u>c</u><s>d</s>"),
        ("<listing>e</listing><xmp>f</xmp><object>g</object>", "<pre>e</pre><pre>f</pre><div>g</div>"),
        (
            "<svg><title>t</title><g>u</g></svg>",
            _DRAWN := '<span class="wv-drawing"><br><span>t</span><br><span>u</span></span>',
        ),
        ("<svg><title>t</title><g>u</g></svg><em>v</em>", f"{_DRAWN}<em>v</em>"),
        ("<math><mi>y</mi></math>", '<span class="wv-drawing"><span>y</span></span>'),
        ('<my-box class="wv-x y">in</my-box>', '<my-box class="y">in</my-box>'),
        ("<blink>in</blink>", "<span>in</span>"),
        ("<section>in</section>", "<section>in</section>"),
        ("a<br>b<hr class=h>", 'a<br>b<hr class="h">'),
        ("<a href='/x?a=1&b=2'>l</a>", '<a title="http://a.test/x?a=1&amp;b=2" href="#">l</a>'),
        ("<a name=q id=wv-c1 onclick=1 title=t>n</a>", '<a title="t">n</a>'),
        ("<p hidden>b</p><script>1</script><!--x--><p>d</p>", "<p>d</p>"),
        ("<canvas width=9999 height=10000></canvas>", '<canvas class="wv-box" width="9999"></canvas>'),
        ("<video width=100% height=٣></video>", '<canvas class="wv-box"></canvas>'),
        (
            "<iframe width=20 height=30></iframe>",
            '<canvas class="wv-box" width="20" height="30"></canvas>',
        ),
    ],
)
def test_elements_are_written_so_that_they_cannot_act(text: str, written: str):
    assert shown(text).html == written


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        (
            '<html class=h lang=en><body class=b style="margin:0" dir=rtl onload=1 title=t>x',
            ' class="h b" lang="en" style="margin:0" dir="rtl"',
        ),
        ("<body bgcolor='#fff' text=black>x", ' style="background-color:#fff;color:black;"'),
        ("<body bgcolor=#fff style='margin:0'>x", ' style="background-color:#fff;margin:0"'),
        ("<body style='color:red' text=black>x", ' style="color:black;color:red"'),
        ("<html id=i><body text='red;x:y' link=blue class=wv-a>x", ' id="i"'),
        (f"<body text={'a' * 31} bgcolor={'a' * 30}>x", f' style="background-color:{"a" * 30};"'),
        ("<html id=h><body id=b>x", ' id="b"'),
        ("<body id=wv-b>x", ""),
        ("<p>x", ""),
    ],
)
def test_the_body_keeps_what_style_sheets_refer_to(text: str, attributes: str):
    assert shown(text).attributes == attributes


@pytest.mark.parametrize(
    ("picture", "address", "more"),
    [
        ("<img src=a.png>", "a.png", ""),
        ("<img src=a.png alt=A width=3 class=c>", "a.png", ' alt="A" width="3" class="c"'),
        (f"<img data-src=l.png src='{PIXEL}'>", "l.png", ' data-src="l.png"'),
        ("<img data-src=l.png>", "l.png", ' data-src="l.png"'),
        ("<img src=e.png data-src=l.png>", "e.png", ' data-src="l.png"'),
        ('<img srcset="s1.png 1x, s2.png 2x">', "s1.png", ""),
        ('<img data-srcset="t1.png 1x">', "t1.png", ' data-srcset="t1.png 1x"'),
        ('<img src=e.png srcset="s1.png 1x">', "e.png", ""),
        ('<img srcset="s1.png 1x" data-srcset="t1.png 1x">', "s1.png", ' data-srcset="t1.png 1x"'),
    ],
)
def test_a_picture_is_shown_from_where_the_dress_says(picture: str, address: str, more: str):
    dress = Dress(address=lambda url: f"/through?{url}")
    assert shown(picture, dress=dress).html == f'<img src="/through?{URL}{address}"{more}>'


@pytest.mark.parametrize(
    ("picture", "box"),
    [
        ("<img src=a.png alt=A width=3 class=c>", ' data-wv-alt="A" width="3"'),
        ("<img src=a.png>", ' data-wv-alt="a.png"'),
        (f"<img src={'a' * 61}>", f' data-wv-alt="{"a" * 60}"'),
        ("<img>", ' data-wv-alt="picture"'),
        ("<img src='javascript:1'>", ' data-wv-alt="picture"'),
    ],
)
def test_a_picture_that_cannot_be_shown_becomes_its_description(picture: str, box: str):
    assert shown(picture).html == f'<span class="wv-picture"{box}></span>'


def test_a_picture_inside_the_page_needs_no_address_and_may_be_marked():
    text = f"<p><img src='{PIXEL}' alt=x></p>"
    (node,) = page(text).nodes_of("img").tolist()
    plain = f'<img src="{PIXEL}" alt="x">'
    assert shown(text).html == f"<p>{plain}</p>"
    marked = shown(text, Marks(pictures={node: "new"}))
    assert marked.html == f'<p><span class="wv-new-picture">{plain}</span></p>'


def test_the_old_version_prefers_the_earlier_pictures():
    dress = Dress(address=lambda _: "/now", earlier=lambda url: "/then" if url.endswith("a") else "")
    assert shown("<img src=a><img src=b>", dress=dress.of_old).html == '<img src="/then"><img src="/now">'
    assert shown("<img src=a>", dress=dress).html == '<img src="/now">'


@pytest.mark.parametrize(
    ("ranges", "written"),
    [
        ([Range(0, 2, "ins", "i")], '<p><ins class="wv-i">ab</ins> <b>cd</b> ef</p><p>gh</p>'),
        (
            [Range(1, 3, "ins", "")],
            "<p>a<ins>b</ins> <b><ins>c</ins>d</b> ef</p><p>gh</p>",
        ),
        ([Range(2, 4, "ins", "")], "<p>ab <b><ins>cd</ins></b> ef</p><p>gh</p>"),
        ([Range(4, 6, "ins", "", lead=True)], "<p>ab <b>cd</b><ins> ef</ins></p><p>gh</p>"),
        ([Range(4, 6, "ins", "")], "<p>ab <b>cd</b> <ins>ef</ins></p><p>gh</p>"),
        (
            [Range(0, 8, "ins", "")],
            "<p><ins>ab</ins> <b><ins>cd</ins></b><ins> ef</ins></p><p><ins>gh</ins></p>",
        ),
        ([Range(6, 8, "del", "")], "<p>ab <b>cd</b> ef</p><p><del>gh</del></p>"),
        ([Range(5, 7, "del", "")], "<p>ab <b>cd</b> e<del>f</del></p><p><del>g</del>h</p>"),
        ([Range(1, 1, "ins", "")], TEXT),
        (
            [Range(0, 1, "ins", ""), Range(1, 2, "del", "")],
            "<p><ins>a</ins><del>b</del> <b>cd</b> ef</p><p>gh</p>",
        ),
        (
            [Range(0, 2, "ins", ""), Range(3, 5, "del", "")],
            "<p><ins>ab</ins> <b>c<del>d</del></b><del> e</del>f</p><p>gh</p>",
        ),
    ],
)
def test_a_mark_is_closed_and_opened_again_at_every_element(ranges: list[Range], written: str):
    assert shown(TEXT, Marks(ranges=ranges)).html == written


@pytest.mark.parametrize(
    ("text", "lead", "written"),
    [
        ("<p>a b c</p>", True, "<p>a<ins> b</ins> c</p>"),
        ("<p>a b c</p>", False, "<p>a <ins>b</ins> c</p>"),
    ],
)
def test_white_space_before_a_mark_belongs_to_it_if_it_says_so(text: str, lead: bool, written: str):
    mark = Range(1, 2, "ins", "", lead=lead)
    assert shown(text, Marks(ranges=[mark])).html == written
    pieces = shown(text, Marks(ranges=[mark], before=put(1, PLUS), after=put(1, "<u>-</u>")))
    assert pieces.html == written.replace("<ins>", f"{PLUS}<ins>").replace("</ins>", "</ins><u>-</u>")


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (0, "<p><i>+</i>ab <b>cd</b> ef</p><p>gh</p>"),
        (1, "<p>a<i>+</i>b <b>cd</b> ef</p><p>gh</p>"),
        (2, "<p>ab <b><i>+</i>cd</b> ef</p><p>gh</p>"),
        (3, "<p>ab <b>c<i>+</i>d</b> ef</p><p>gh</p>"),
        (4, "<p>ab <b>cd</b> <i>+</i>ef</p><p>gh</p>"),
        (6, "<p>ab <b>cd</b> ef</p><p><i>+</i>gh</p>"),
        (8, "<p>ab <b>cd</b> ef</p><p>gh</p><i>+</i>"),
        (9, TEXT),
    ],
)
def test_a_piece_is_put_before_a_character(at: int, written: str):
    assert shown(TEXT, Marks(before=put(at, PLUS))).html == written


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (0, "<p>a<i>+</i>b <b>cd</b> ef</p><p>gh</p>"),
        (1, "<p>ab<i>+</i> <b>cd</b> ef</p><p>gh</p>"),
        (3, "<p>ab <b>cd<i>+</i></b> ef</p><p>gh</p>"),
        (4, "<p>ab <b>cd</b> e<i>+</i>f</p><p>gh</p>"),
        (5, "<p>ab <b>cd</b> ef<i>+</i></p><p>gh</p>"),
        (7, "<p>ab <b>cd</b> ef</p><p>gh<i>+</i></p>"),
        (8, TEXT),
    ],
)
def test_a_piece_is_put_after_a_character(at: int, written: str):
    assert shown(TEXT, Marks(after=put(at, PLUS))).html == written


# The nodes of TEXT: 3 the body, 4 the first paragraph, 5 `ab `, 6 the bold element, 7 `cd`, 8 ` ef`, 9 the
# second paragraph, 10 `gh`.
@pytest.mark.parametrize(
    ("side", "at", "written"),
    [
        ("ahead", 3, "<i>+</i>-<p>ab <b>cd</b> ef</p><p>gh</p>"),
        ("ahead", 4, "<i>+</i>-<p>ab <b>cd</b> ef</p><p>gh</p>"),
        ("ahead", 5, "<p><i>+</i>-ab <b>cd</b> ef</p><p>gh</p>"),
        ("ahead", 6, "<p>ab <i>+</i>-<b>cd</b> ef</p><p>gh</p>"),
        ("ahead", 10, "<p>ab <b>cd</b> ef</p><p><i>+</i>-gh</p>"),
        ("ahead", 11, TEXT),
        ("inside", 3, "<i>+</i>-<p>ab <b>cd</b> ef</p><p>gh</p>"),
        ("inside", 4, "<p><i>+</i>-ab <b>cd</b> ef</p><p>gh</p>"),
        ("inside", 5, TEXT),
        ("inside", 9, "<p>ab <b>cd</b> ef</p><p><i>+</i>-gh</p>"),
        ("inside", 10, TEXT),
        ("ending", 4, "<p>ab <b>cd</b> ef<i>+</i>-</p><p>gh</p>"),
        ("ending", 6, "<p>ab <b>cd<i>+</i>-</b> ef</p><p>gh</p>"),
        ("ending", 99, TEXT),
        ("behind", 4, "<p>ab <b>cd</b> ef</p><i>+</i>-<p>gh</p>"),
        ("behind", 6, "<p>ab <b>cd</b><i>+</i>- ef</p><p>gh</p>"),
        ("behind", 9, "<p>ab <b>cd</b> ef</p><p>gh</p><i>+</i>-"),
        ("behind", 99, TEXT),
    ],
)
def test_a_piece_is_put_at_an_element(side: str, at: int, written: str):
    assert shown(TEXT, Marks(**{side: put(at, PLUS, "-")})).html == written


def test_elements_get_classes_numbers_and_a_tail():
    assert shown(TEXT, Marks(classes={6: "x"})).html == TEXT.replace("<b>", '<b class="x">')
    named = "<p class=c title=t>a</p>"
    assert shown(named, Marks(classes={4: "x"})).html == '<p class="c x" title="t">a</p>'
    numbered = (
        '<p data-wv-node="4">ab <b data-wv-node="6" data-wv-kind="k">cd</b> ef</p><p data-wv-node="9">gh</p>'
    )
    assert shown(TEXT, Marks(kinds={6: "k", 5: "t"})).html == numbered
    assert shown(TEXT, Marks(tail=["<i>t</i>", "u"])).html == f"{TEXT}<i>t</i>u"


SHEETS = """<style>b {{ color: red }}</style>
<link rel=StyleSheet href=a.css><link rel=icon href=b.css><link rel="alternate stylesheet" href=c.css>
<link rel=stylesheet href=none.css><link rel=stylesheet href=d.css disabled>
<link rel=stylesheet href=e.css media="{}"><style></style><p>x"""


@pytest.mark.parametrize(
    ("media", "limit"),
    [
        ("print", "@media print {"),
        (" ", ""),
        ("all { } b", ""),
        ("(min-width: 3em)", "@media (min-width: 3em) {"),
    ],
)
def test_the_sheets_of_a_page_come_in_order(media: str, limit: str):
    def sheet(url: str) -> str:
        return "" if url.endswith("none.css") else f"i {{ content: '{url[-5:]}' }}"

    first, linked, limited, *rest = shown(SHEETS.format(media), dress=Dress(sheet=sheet)).sheets
    assert "color: red" in first
    assert "a.css" in linked
    assert ("e.css" in limited, limited.partition("\n")[0] if limit else "") == (True, limit)
    assert rest == []


def test_a_picture_or_style_sheet_without_an_address_is_not_the_page_itself():
    asked: list[str] = []
    dress = Dress(address=lambda url: asked.append(url) or url, sheet=lambda url: asked.append(url) or "")
    written = shown(
        "<link rel=stylesheet><link rel=stylesheet href=' '><img alt=a><img src=' '>", None, dress
    )
    assert written.sheets == ()
    assert URL not in asked
    assert written.html.count("wv-picture") == 2
