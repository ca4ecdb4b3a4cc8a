"""Names in styles are read as a browser reads them, so that an escape hides no address (P4)."""

from __future__ import annotations

import pytest

from webvigil.present.css import _read, declarations


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
