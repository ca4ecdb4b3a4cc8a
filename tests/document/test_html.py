"""HTML is read as browsers read it: other parsers of the same standard agree."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.document.lexbor import lexbor
from tests.document.trees import events, html5lib_events
from webvigil.document import read
from webvigil.document.parsing import read_html

SNIPPETS = [
    "<p>one<p>two",
    "<ul><li>a<li>b</ul>",
    "<table>lost<tr><td>cell<p>in</table>after",
    "<b><p>bold</b> not",
    "<a href=1>x<a href=2>y</a>",
    "<div><span></div>late</span>",
    "<title>a &amp; b</title><body id=x class='y z' data-q>",
    "<!-- note --><html lang=en><head></head><body><!-- in --></body></html><!-- end -->",
    "<pre>\n\nkept</pre><textarea>\n<b></textarea>",
    "<script>if (a < b) '</p>'</script><style>p > a {}</style>",
    "<h1>x<h2>y</h1>",
    "<dl><dt>t<dd>d<dt>u</dl>",
    "<form><form><input name=a></form></form>",
    "<svg viewBox='0 0 1 1'><circle r=1 /><desc>d</desc></svg><math><mi>x</mi></math>",
    "<img src=a.png alt='&lt;&copy;&#x41;&notit;'>",
    "<p>\x00nul</p>",
    "text only",
    "",
    "<br/><hr></br>",
    "<nobr>a<nobr>b",
    "<iframe><p>raw</iframe><noframes><p></noframes>",
    "<frameset><frame src=a><frame src=b></frameset>",
]


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_html5lib_sees_the_same_tree(snippet):  # D1
    page = f"<!DOCTYPE html>{snippet}"
    assert events(read_html(page)) == html5lib_events(page)


PIECES = re.split(
    r"\|",
    "<div>|</div>|<p>|</p>|<b>|</b>|<i>|<a>|</a>|<ul>|<li>|</li>|</ul>|<table>|<tr>|<td>|</td>|</table>|"
    "<span>|</span>|text| |<br>|<!--c-->|<h1>|</h1>|<form>|</form>|<input id=x>|<pre>|\n|</pre>|<title>|"
    "</title>|<script>|</script>|&amp;|&lt|<body class=a>|</html>|<caption>|<thead>|<tbody>|<dd>|<dt>|"
    "<button>|</button>|<font>|</font>|<em>",
)
# html5lib drops the line break after <pre> even where another tag stands between, against the standard.
PIECES_OF_SOUP = [piece for piece in PIECES if piece != "\n"]
# Straight in a table, outside of its cells, it does not end these where the next one begins.
ENDED_BY_THE_NEXT = ["<p>", "</p>", "<li>", "<dd>", "<dt>", "<button>", "<ul>"]


def soup(*without: str) -> st.SearchStrategy[str]:
    pieces = [piece for piece in PIECES_OF_SOUP if piece not in without]
    return st.lists(st.sampled_from(pieces), max_size=14).map(
        lambda chosen: "<!DOCTYPE html>" + "".join(chosen)
    )


@given(soup("<table>") | soup(*ENDED_BY_THE_NEXT))
@settings(max_examples=150)
def test_html5lib_sees_the_same_tree_in_any_soup_of_tags(page):  # D1
    assert events(read_html(page)) == html5lib_events(page)


@given(soup())
@settings(max_examples=100)
def test_html5lib_or_lexbor_sees_the_same_tree_where_html5lib_errs(page):  # D1
    ours = events(read_html(page))
    assert ours == html5lib_events(page) or ours == events(read_html(page, parser=lexbor))


FOREIGN = [
    "<svg>",
    "<path d=m />",
    "</svg>",
    "<math>",
    "<mi>",
    "</mi>",
    "<foreignObject>",
    "<desc>",
]


@given(st.lists(st.sampled_from([*PIECES, *FOREIGN]), max_size=14))
@settings(max_examples=150)
def test_lexbor_keeps_the_same_promise(pieces):  # DESIGN 4: the parser is replaceable
    page = "<!DOCTYPE html>" + "".join(pieces)
    assert events(read_html(page, parser=lexbor)) == events(read_html(page))


def test_what_lexbor_reads_is_an_equal_digest():
    page = b"<!doctype html><title>t</title><p id=a>x<template><b>in</b></template><!--c-->"
    assert read(page, parser=lexbor) == read(page)


def test_an_attribute_without_value_is_an_empty_one():
    digest = read(b"<input disabled value=''>")
    (node,) = digest.nodes_of("input").tolist()
    assert digest.attributes(node) == {"disabled": "", "value": ""}
    assert digest.attribute(node, "name") is None


def test_the_identifiers_of_a_doctype_are_kept():
    page = b'<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">'
    (node,) = read(page).nodes_of("#doctype").tolist()
    assert read(page).own_text(node) == (
        'html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"'
    )
