# ruff: noqa: E501  # the documents stand as they are
"""Documents for tests: each of another kind, small enough to read and unusual enough to find faults."""

from __future__ import annotations

_BOOKS = """<?xml version="1.0"?><books currency="EUR">
<book id="b1" price="12.50"><title>Light</title><author>Ann</author><author>Bo</author><year>1999</year></book>
<book id="b2" price="7"><title>Dark &amp; deep</title><author>Ann</author><year>2004</year><a>one</a></book>
<book id="b3"><title/><author>Cy</author><year>not known</year><b/></book>
<shelf><book id="b4" price="0.99"><title>Thin</title><author>Bo</author><year>2010</year></book></shelf>
</books>"""

_PLAY = "<play><title>Two</title>" + "".join(
    f"<act><title>Act {act}</title>"
    + "".join(
        f"<scene><title>Scene {scene}</title>"
        + "".join(f"<speech><speaker>{who}</speaker><line>{who} says {n}</line><line>more</line></speech>"
                  for n, who in enumerate(("ANN", "BO", "ANN", "CY")[: scene + 1]))
        + "</scene>"
        for scene in range(1, 4)
    )
    + "</act>"
    for act in range(1, 4)
) + "</play>"  # fmt: skip

_SPACES = """<a xmlns="urn:one" xmlns:x="urn:x" xmlns:y="urn:y" x:k="1" k="2">
<b x:k="3"><x:c>in x</x:c><c xmlns="">in none</c><c>in one</c></b>
<x:b xmlns:x="urn:other"><x:c y:z="4">in other</x:c><a/></x:b><y:item xml:lang="en">text</y:item></a>"""

_MIXED = """<?before one?><!-- top --><a>one<b>two</b>three<!-- note -->four<?go now?>five<![CDATA[six <raw>]]>seven
<b/><b><![CDATA[only]]></b><c>  spaced   out  </c><c><!--just a comment--></c><b>x<i>y</i>z</b><?go again?></a><!-- end -->
<?after?>"""

_NESTED = "<a><b><a><b><a><b>deep</b><c/></a></b><c>mid</c></a><a/></b><c><a>leaf</a></c><d>1</d></a>"

_DTD = """<!DOCTYPE a [
<!ELEMENT a ANY><!ATTLIST item key ID #REQUIRED kind CDATA "plain"><!ATTLIST b ref IDREF #IMPLIED>
<!ENTITY who "World"><!ENTITY twice "&who; &who;">]>
<a><item key="k1">Hello &who;</item><item key="k2" kind="odd">&twice;</item><b ref="k2">k1</b><b>k2 k1</b></a>"""

_NUMBERS = """<a><item>1</item><item>-2.5</item><item> 3 </item><item>1e3</item><item>four</item><item/>
<item>.5</item><item>5.</item><item>0</item><item>-0</item><item>1000000000000</item><item>0.00000012</item>
<item>+1</item><item>12,5</item><item n="10"/><item n="9"/><item n="010"/><b>2</b><b>10</b><c>1 2</c></a>"""

_LANGUAGES = """<a xml:lang="en"><b>hello</b><c xml:lang="de-AT"><b xml:id="gruss">servus</b><d xml:lang="">?</d></c>
<item xml:lang="EN-us">hi</item><item xml:lang="fr" xml:id="salut">salut</item></a>"""

_SCRIPTS = """<a><b>äöü ß</b><b>日本語 テキスト</b><b>\U0001f600\U0001f4a9 smile</b><c t="Ünï">a\u00a0b</c>
<item>tab\there</item><item>
  two
  lines </item><d>e\u0301</d><größe>groß</größe></a>"""

_TABLE = "<table>" + "".join(
    f"<tr n='{row}'>" + "".join(f"<td c='{column}'>{row * column}</td>" for column in range(1, 6)) + "</tr>"
    for row in range(1, 7)
) + "</table>"  # fmt: skip

_LIST = "<a>" + "".join(
    f"<item n='{number}'>{'odd' if number % 2 else 'even'}</item>" if number % 5 else f"<b>{number}</b>"
    for number in range(1, 31)
) + "</a>"  # fmt: skip

_FEED = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:media"><title>News</title>
<entry><title>One</title><link href="https://example.org/1" rel="self"/><m:thumb url="1.png"/></entry>
<entry><title>Two</title><link href="https://example.org/2"/><m:thumb url="2.png"><m:c/></m:thumb></entry></feed>"""

_ATTRIBUTES = """<a a="1" b="2" c="3"><b a="x" b=""/><c c="&lt;&quot;&#10;&#9;" a="1">v</c><b b="2" item="y">w</b>
<item a="1" b="1" c="1" d="1" e="1"/></a>"""

XML: dict[str, str] = {
    "books": _BOOKS,
    "play": _PLAY,
    "namespaces": _SPACES,
    "mixed": _MIXED,
    "nested": _NESTED,
    "doctype": _DTD,
    "numbers": _NUMBERS,
    "languages": _LANGUAGES,
    "scripts": _SCRIPTS,
    "table": _TABLE,
    "list": _LIST,
    "feed": _FEED,
    "attributes": _ATTRIBUTES,
    "empty": "<a/>",
    "one text": "<a>alone</a>",
}

LOG_ENTRY = """<entry><host>202.239.238.16</host><request>GET / HTTP/1.0</request><contenttype>text/html</contenttype>
<status>200</status><date>1997/10/01-00:00:02</date><bytecount>4478</bytecount><refer>http://www.net.jp</refer>
<useragent>Mozilla/3.1 [ja.] (I)</useragent></entry>""".replace("\n", "")

HTML = """<!DOCTYPE html><html lang="en"><head><title>A page</title><meta charset="utf-8">
<script>if (a < b && c) { run("</" + "p>"); }</script><style>p > a { color: red }</style></head>
<body class="home wide"><!-- hello --><h1 id="top">Welcome &amp; good day</h1>
<p>Some <b>bold</b> and <a href="https://example.org/a">a link</a>, then <a href="https://example.org/ab">another</a>.
<ul><li>One<li>Two <ul><li>Two a</ul><li>Three</ul>
<table><tr><td>1<td>2<tr><td colspan=2>3</table><svg viewBox="0 0 1 1"><path d="M0 0"/></svg>
<pre>
 kept
   as it is</pre><form action="/go"><input name=q value="x y"><textarea>
more</textarea></form><img src="a.png" alt=""></body></html>"""


def _play(verses: int) -> str:
    """Makes verses that begin with capitals, by a fixed rule, long enough to be written as lines."""
    words = [
        "the",
        "night",
        "is",
        "long",
        "and",
        "the",
        "watch",
        "was",
        "set",
        "upon",
        "the",
        "wall",
        "where",
        "none",
        "has",
        "come",
        "to",
        "speak",
    ]
    told = []
    for verse in range(verses):
        chosen = [words[(verse * step + step * step) % len(words)] for step in range(3, 11)]
        told.append(" ".join(chosen[:4]).capitalize() + ". " + " ".join(chosen[4:]).capitalize())
    return "<PLAY>" + "".join(f"<LINE>{one}{len(one) % 7}</LINE>" for one in told) + "</PLAY>"


PLAY = _play(400)
