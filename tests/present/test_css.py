"""Names in styles are read as a browser reads them, so that an escape hides no address (P4)."""

from __future__ import annotations

import pytest

from webvigil.present.css import _read, data_picture, declarations, style_sheet


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("URL", "url"),
        (r"ur\6c", "url"),
        (r"ur\6C", "url"),
        (r"\75 rl", "url"),
        (r"\00006frl", "orl"),
        (r"u\rl", "url"),
        (r"\110000", "\ufffd"),
    ],
)
def test_escapes_in_a_name_are_undone(written: str, meant: str):
    assert _read(written) == meant


@pytest.mark.parametrize(
    ("written", "shown", "alone"),
    [
        ("url(a.png) no-repeat", 'url("kept:https://h.test/d/a.png") no-repeat', "none no-repeat"),
        ('url("a b.png")', 'url("kept:https://h.test/d/a%20b.png")', "none"),
        (r"url( 'x\'y.png' ) red", 'url("kept:https://h.test/d/x%27y.png") red', "none red"),
        ('url("a.png" x), url(b.png)',
         'url("kept:https://h.test/d/a.png"), url("kept:https://h.test/d/b.png")', "none, none"),
        ('url("")', "none", "none"),
        ("image-set('a.png' 1x)", "none", "none"),
    ],
)  # fmt: skip
def test_a_style_shows_what_was_kept_and_fetches_nothing(written: str, shown: str, alone: str):
    kept = declarations(f"background: {written}", "kept:{}".format, "https://h.test/d/")
    assert kept == f"background: {shown}"
    assert declarations(f"background: {written}") == f"background: {alone}"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("p { color: red }", "p { color: red }"),
        ("@media print { p { color: red } } b {}", "@media print { p { color: red } } b {}"),
        ("@-moz-keyframes x { from { top: 0 } }", "@-moz-keyframes x { from { top: 0 } }"),
        ("@KEYFRAMES x { from { top: 0 } }", "@KEYFRAMES x { from { top: 0 } }"),
        ("@import 'a.css'; p {}", " p {}"),
        ("@font-face { src: url(a) } p {}", " p {}"),
        ("@font-feature-values x { @swash { y: 1 } } p {}", " p {}"),
        ("@media print { @import 'a' } p {}", "@media print { } p {}"),
        ("@unknown", ""),
        ("p { } /* c */ b { }", "p { }   b { }"),
        ("p::after { content: '</style><!--' }", r"p::after { content: '<\/style><\!--' }"),
        ("p { background: url(a) }", "p { background: none }"),
        ("p { background: image(url(a), red) } b {}", "p { background: none } b {}"),
        ("p\0 { color: red }", "p\ufffd { color: red }"),
        ("", ""),
    ],
)
def test_a_sheet_keeps_the_rules_that_fetch_nothing(written: str, kept: str):
    assert style_sheet(written) == kept


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("color: red", "color: red"),
        ("color: red } b { color: blue", "color: red  b  color: blue"),
        ("@import 'a'; color: red", " color: red"),
    ],
)
def test_the_style_of_an_element_opens_and_closes_no_block(written: str, kept: str):
    assert declarations(written) == kept


@pytest.mark.parametrize("kind", ["png", "jpg", "jpeg", "gif", "webp", "svg+xml", "x-icon", "PNG"])
def test_a_picture_that_stands_in_its_address_is_shown_up_to_a_length(kind: str):
    head = f"data:image/{kind};base64,"
    assert data_picture(head) == head
    longest = head.ljust(200_000, "A")
    assert data_picture(longest) == longest
    assert data_picture(longest + "A") == ""


@pytest.mark.parametrize(
    "url", ["", "data:text/html,x", "data:image/pngx,", " data:image/png,", "http://e.org/"]
)
def test_another_address_holds_no_picture(url: str):
    assert data_picture(url) == ""
