"""Presentations stay as they are, letter for letter, in every form.

After a change that is meant, write them anew and read what git says is different:
`.venv/bin/python -m tests.present.test_golden`
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.detect import golden_pages
from webvigil import diff
from webvigil.present.presentation import present

FOLDER = Path(__file__).with_name("golden")
_SHOWN = re.compile(r"<header>.*</main>", re.DOTALL)
_FRAME = re.compile(r'srcdoc="([^"]*)"')
_BARE = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
"""Our style and script in a page that is shown in its own look."""
TABLE = "<table><tr><th>Name<th>Price<th>Stock{}</table>"
LONG = "We have sold lamps since 1887, and sofas since last year. Come and see them on any day but Sunday. "
PAIRS = {
    "words": (
        "<h1>Shop</h1><p>We sell lamps.</p><p>Open.</p>",
        "<h1>Shop</h1><p>We sell sofas.</p><p>Open.</p>",
    ),
    "paragraphs": (
        "<h1>News</h1><p>one</p><p>two</p><p>three</p><h2>Old</h2><p>four</p>",
        "<h1>News</h1><p>zero</p><p>one</p><p>three</p><h2>Older</h2><p>four</p><p>five</p>",
    ),
    "moved": (
        f"<p>{LONG}</p><p>alpha beta gamma delta epsilon</p><p>omega</p><p>the end of it all</p>",
        f"<p>alpha beta gamma delta epsilon</p><p>omega</p><p>the end of it all</p><p>{LONG}</p>",
    ),
    "cells": (
        TABLE.format("<tr><td>Sofa<td>10<td>3<tr><td>Lamp<td>5<td>1<tr><td>Rug<td>7<td>0"),
        TABLE.format("<tr><td>Sofa<td>11<td>3<tr><td>Bed<td>90<td>1<tr><td>Rug<td>7<td>2"),
    ),
    "columns": (
        "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>",
        "<table><tr><th>A<th>C<th>B<tr><td>1<td>9<td>2<tr><td>3<td>8<td>4</table>",
    ),
    "spans": (
        "<table><tr><td colspan=2>wide<td>x<tr><td>1<td>2<td>3</table>",
        "<table><tr><td colspan=2>wider<td>x<tr><td>1<td>2<td>4</table>",
    ),
    "lists": (
        "<ul><li>one<li>two<ul><li>deep<li>deeper</ul><li>three</ul><ol><li>first<li>second</ol>",
        "<ul><li>one<li>two<ul><li>deep<li>deepest</ul><li>four</ul><ol><li>second</ol>",
    ),
    "links": (
        "<p>See <a href=/a>the news</a> and <a href=/b>more</a>.</p><img src=/x.png alt=Logo>",
        "<p>See <a href=/c>the news</a> and <a href=/b>much more</a>.</p><img src=/y.png alt=Logo>",
    ),
    "code": (
        "<pre>def f():\n    return 1\n\nprint(f())</pre><p>a <b>bold</b> word</p>",
        "<pre>def f():\n    return 2\n\nprint(f())\n</pre><p>a <b>bolder</b> word</p>",
    ),
    "quiet": (
        "<p>5 minutes ago</p><p>Price: 10</p><p lang=ar dir=rtl>سلام</p>",
        "<p>6 minutes ago</p><p>Price: 12</p><p lang=ar dir=rtl>سلام عليكم</p>",
    ),
    "hostile": (
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; {+x+} [-y-] *z* _w_ | | #</p>",
        "<p>&lt;script&gt;alert(2)&lt;/script&gt; {+x+} [-q-] *z* _w_ | | ##\u202e</p>",
    ),
    "long": (
        "".join(f"<p>{n}. {LONG}</p>" for n in range(12)),
        "".join(f"<p>{n}. {LONG}</p>" for n in range(12) if n != 9),
    ),
    "gone": ("<h1>Shop</h1><p>We sell lamps.</p>", ""),
    "same": ("<p>one</p>", "<p>one</p>"),
}
MORE = (
    "news paragraph",
    "law section moved",
    "price list",
    "two tables",
    "table of spans",
    "lists in lists",
    "definitions",
    "form",
    "many languages",
    "xml",
    "json",
    "csv",
    "plain text",
    "pictures",
)
"""Pairs of `tests/detect/golden_pages.py` that are presented, too."""


def presentations(name: str) -> str:
    """Returns a pair in every form, each under a line that names it."""
    if name in MORE:
        pair = golden_pages.PAIRS[name]
        found = diff(pair.old, pair.new, content_type=pair.content_type)
    else:
        found = diff(*PAIRS[name], quiet=name == "quiet")
    pieces = []
    for how in ("only", "single", "dual", "auto"):
        for form in ("text", "terminal", "markdown", "html"):
            shown = present(found.old, found.new, how, form, findings=found.findings, width=80)
            if form == "html":
                shown = "".join(_SHOWN.findall(shown))
            pieces.append(f"=== {how} {form}\n{shown}\n")
    for how in ("single", "dual"):
        page = present(found.old, found.new, how, "page", findings=found.findings)
        pieces += [f"=== {how} page\n{_BARE.sub('', unescape(one))}\n" for one in _FRAME.findall(page)]
    return "".join(pieces)


@pytest.mark.parametrize("name", [*PAIRS, *MORE])
def test_a_presentation_is_as_it_was(name: str):
    kept = (FOLDER / f"{name}.txt").read_bytes().decode()
    assert presentations(name) == kept, "if this is meant: .venv/bin/python -m tests.present.test_golden"


def test_every_pair_and_no_other_is_kept():
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted([*PAIRS, *MORE])


if __name__ == "__main__":
    for one in (*PAIRS, *MORE):
        (FOLDER / f"{one}.txt").write_bytes(presentations(one).encode())
