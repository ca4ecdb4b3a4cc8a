"""What is read out of some pages stays as it is: text, words, tables, lists, links, pictures, forms, parts.

After a change that is meant, write the file anew and read what git says is different:
`.venv/bin/python -m tests.document.test_kept`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.document.test_naming import PAGES
from tests.xpack.documents import HTML, XML
from webvigil.document import PageDigest, read
from webvigil.document.around import around
from webvigil.document.main import main, shell
from webvigil.document.masks import view
from webvigil.model.sentinel import Part

KEPT = Path(__file__).with_name("kept.txt")
FORMS = """<base href=http://b.test/dir/><form id=f action=go method=POST><input type=hidden name=h value=1>
<input type=CHECKBOX name=c checked><input type=radio name=r value=a><input type=radio name=r value=b checked>
<select name=s required><option value=1>One<option selected>Two</select><textarea name=t> a
b</textarea><input type=password aria-label=Key><button name=b>Send</button></form><input form=f name=outside>
<input form=gone name=lost><form action=' '><input placeholder=Words></form>
<table><tr><form action=row><td><input name=cell></td></form><td><input name=next></td></tr></table>"""
TABLES = """<table><caption>Cap</caption><tr><th rowspan=2>A<th colspan=2>B<tr><th>b1<th>b2<tr><td>1<td>2<td>3
<tr><td rowspan=2>x<td>4<td>5<tr><td>6<td><table><tr><td>in<td>side</table></table>
<table><tbody><tr><td colspan=3>wide<tr><td>a<td>b<td>c<tfoot><tr><td>foot</table><table></table>"""
TEXTS = """<p>Ünï-cödé, don’t stop! 3.50 € – 1,000.5 kg e.g. a_b x@y.test</p><p>日本語 テキスト ภาษา</p>
<pre> kept
   lines\t</pre><p>soft\u00adhyphen zero\u200bwidth nb\u00a0sp</p><div hidden>never</div>
<p style="display:none">gone</p>
<script>x()</script><noscript>no</noscript><template>t</template><br>a<br><br>b<hr><q>quoted</q><sup>2</sup>"""
LINKS = """<base href=//c.test/d/e?f><a href=x>1</a><a href=../y#z>2</a><a href='?q=1'>3</a><a href=#top>4</a>
<a href='mailto:me@a.test'>5</a><a href='javascript:x()'>6</a><a href='http://[bad'>7</a><a>8</a>
<a href=''>9</a>
<img src=a.png srcset='b.png 2x, c.png 3x'><img data-src=lazy.png src='data:image/gif;base64,R0lGOD'>
<picture><source srcset='d.webp 1x,e.webp'><img src=f.jpg></picture><video poster=g.png></video>
<div style="background: url('h.png')">x</div><area href=/map><link rel=icon href=i.ico>"""
MAIN = (
    "<header><nav>"
    + "".join(f"<a href=/{n}>Topic {n}</a>" for n in range(9))
    + "</nav></header><div id=c><h1>News of today</h1>"
    + "".join(
        f"<p>This is the sentence number {n}, and it says a little more than others.</p>" for n in range(9)
    )
    + "</div><aside><h2>More</h2><ul>"
    + "".join(f"<li><a href=/m{n}>Also read {n}</a>" for n in range(6))
    + "</ul></aside><footer>Imprint, contact, terms</footer>"
)
ALL = {
    **PAGES,
    "html": (HTML, "text/html"),
    "forms": (FORMS, "text/html"),
    "tables": (TABLES, "text/html"),
    "texts": (TEXTS, "text/html; charset=utf-8"),
    "links": (LINKS, "text/html"),
    "main": (MAIN, "text/html"),
    **{name: (text, "text/xml") for name, text in XML.items() if len(text) < 1_000},
}
WITHIN = (
    ("css", "p"),
    ("css", "a[href], img"),
    ("xpath", "//li | //td"),
    ("xpath", "//@href"),
    ("regex", r"\w+ing|\d+"),
    ("words", ("one", "Price")),
    ("main", ""),
)


def kept() -> str:
    return "\n".join(line for name in ALL for line in _page(name)) + "\n"


def _page(name: str) -> Iterator[str]:
    text, kind = ALL[name]
    digest = read(text.encode(), kind, "http://a.test/p/q")
    yield f"{name}: {digest.kind}, {len(digest)} nodes, title {digest.title!r}, base {digest.url}"
    yield from (f"    {said}" for said in _lines(digest) if said)
    if digest.is_html:
        yield f"    main {_nodes(main(digest))}; shell {_nodes(shell(digest))}"
        yield from (f"    around {one}" for one in around(digest))
        for kind, argument in WITHIN:
            part = Part(kind, argument or None)
            cut, rest = view(digest, within=[part]), view(digest, ignore=[part])
            yield f"    within {kind} {argument}: {cut.visible_text!r}, without {rest.words.words[:20]}"


def _lines(digest: PageDigest) -> Iterator[str]:
    yield f"depths {digest.depths.tolist()} sizes {digest.sizes.tolist()}"
    yield f"places {digest.places.number.tolist()} of {digest.places.total.tolist()}"
    yield f"hidden {_nodes(digest.hidden)}, edges {digest.block_edges.tolist()}"
    yield f"reading {digest.reading.text!r}"
    yield f"shown {digest.visible_text!r}"
    words = digest.words
    found = zip(words.words, words.starts.tolist(), words.nodes.tolist(), strict=True)
    yield " ".join(f"{word}@{start}/{node}" for word, start, node in found)
    for table in digest.tables:
        yield f"table {table.node} {table.caption!r} {table.header} {[row.texts for row in table.rows]}"
    for part in ("lists", "headings", "links", "images", "backgrounds", "forms"):
        yield from map(str, getattr(digest, part))


def _nodes(mask: Any) -> Iterable[int]:
    found: list[int] = mask.nonzero()[0].tolist()
    return found


def test_what_is_read_out_of_pages_stays_as_it_was():
    assert kept() == KEPT.read_text("utf-8"), "if this is meant: .venv/bin/python -m tests.document.test_kept"


if __name__ == "__main__":
    KEPT.write_text(kept(), "utf-8")
