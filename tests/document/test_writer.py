"""Digest → document → digest: nothing is lost on the way (D2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.document import read, writer

inline = st.sampled_from(["b", "i", "span", "em", "code"])
blocks = st.sampled_from(["div", "section", "blockquote", "main", "pre"])
texts = st.text(max_size=8).filter(str.strip)
attributes = st.dictionaries(
    st.sampled_from(["id", "class", "title", "data-x"]), st.text(max_size=6), max_size=2
)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def as_html(tree):
    if isinstance(tree, str):
        return escaped(tree)
    name, given_attributes, children = tree
    shown = "".join(f' {key}="{escaped(value)}"' for key, value in given_attributes.items())
    return f"<{name}{shown}>{''.join(map(as_html, children))}</{name}>"


lines = st.recursive(
    texts, lambda inner: st.tuples(inline, attributes, st.lists(inner, max_size=3)), max_leaves=6
)
pages = st.recursive(
    lines, lambda inner: st.tuples(blocks, attributes, st.lists(inner, max_size=4)), max_leaves=12
)


@given(pages)
@settings(max_examples=150)
def test_a_page_comes_back_as_an_equal_digest(tree):  # D2
    digest = read(f"<!DOCTYPE html><title>t</title>{as_html(tree)}".encode("utf-8", "replace"), "text/html")
    assert read(digest.as_document(), digest.content_type) == digest


def test_raw_texts_line_breaks_and_escapes_come_back():
    page = (
        "<!DOCTYPE html><script>a < b && '<p>'</script><style>a>b{}</style><pre>\n\nx</pre><textarea>\n\ny"
        "</textarea><p title='a&quot;b\xa0&#13;'>&lt;p&gt; &amp;amp; \xa0&#13;</p><!-- c > -->"
        "<svg><style>a&lt;b"
        "</style><path d='m'/></svg><template><i>t</i></template><noscript><b>n</b></noscript>"
    ).encode()
    digest = read(page, "text/html")
    assert read(digest.as_document(), digest.content_type) == digest


def test_a_page_that_names_another_encoding_is_marked_as_utf8():
    digest = read("<meta charset=windows-1250><p>Žluť".encode("windows-1250"), "text/html")
    assert digest.as_document().startswith(b"\xef\xbb\xbf")
    assert read(digest.as_document(), "text/html") == digest


def test_an_instruction_in_html_comes_back():
    digest = read(b"<!DOCTYPE html><?go now and then?><p>x<?b?>", "text/html")
    assert read(digest.as_document(), "text/html") == digest


def test_plaintext_stays_open():
    digest = read(b"<!DOCTYPE html><p>a<plaintext>b</p><b>", "text/html")
    assert read(digest.as_document(), "text/html") == digest


def test_a_repaired_feed_comes_back():
    digest = read(b"<rss><a>1 & 2<b></a></rss>", "text/xml")
    assert read(digest.as_document(), digest.content_type) == digest


HTML = (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>a&amp;b</title><style>p>a{}</style></head><body>'
    '<p title="x&quot;&amp;<>&nbsp;&#13;" id="i">1 &lt; 2 &amp;&gt;&nbsp;&#13;"<br><img src="a">b</p>'
    "<pre>\n\nx</pre><textarea>y</textarea><pre>z</pre><script>a<b&&c</script><svg><title>t&lt;</title>"
    '<style>a&lt;b</style><br2></br2><circle r="1"></circle><foreignObject><br><style>q>r</style><p>d</p>'
    "</foreignObject></svg><math><mi>x</mi><input></input></math><!-- c --><template><i>t</i></template>"
    "<noscript><b>n</b></noscript><xmp><b></xmp><iframe><p></iframe></body></html>"
)
XML = (
    '<!DOCTYPE a SYSTEM \'x"y\'><!-- c --><a b="1&quot;&lt;&#9;&#10;&#13;&amp;>\'" xmlns:p="u"><p:c/>'
    't&lt;&gt;&amp;&#13;"<![CDATA[<x>]]><?go now?><?stop?><e>f</e></a><!-- z -->'
)
JSON = '{"a":[1,"x\\"yé",{"b":null,"c":[]},{}],"a":true,"d":"\\ud800","e":-1.5e3,"":{"f":2}}'


@pytest.mark.parametrize(
    ("document", "content_type"),
    [
        (HTML, "text/html; charset=utf-8"),
        (XML, "application/xml; charset=utf-8"),
        (JSON, "application/json"),
        ("3", "application/json"),
        ("[]", "application/json"),
        ("a\nbc\n\nd", "text/plain; charset=utf-8"),
        ("", "text/plain; charset=utf-8"),
    ],
)
def test_a_document_is_written_in_its_own_form(document: str, content_type: str):  # D2
    digest = read(document.encode(), content_type)
    written = digest.as_document().decode()
    assert written == document
    assert digest.content_type == content_type
    nodes, starts = writer.places(digest)
    assert len(nodes) == len(starts)
    for node, start in zip(nodes, starts, strict=True):
        tag, text = digest.tag(node), digest.own_text(node)
        if tag == "#text" and content_type.startswith("text/plain"):
            assert written[start:].startswith(text)
        elif tag[0] not in "#?" and content_type.startswith(("text/html", "application/xml")):
            assert written[start:].startswith(f"<{tag}")
        elif tag == "#comment":
            assert written[start:].startswith(f"<!--{text}")
        elif tag == "#text":
            assert written[start:].startswith(text[:1].replace("<", written[start]))


def test_the_places_of_json_begin_with_the_key():
    digest = read(JSON.encode(), "application/json")
    nodes, starts = writer.places(digest)
    assert [JSON[start : start + 4] for start in starts] == [
        '{"a"', '"a":', "1,\"x", '"x\\"', '{"b"', '"b":', '"c":', "{}],", '"a":', '"d":', '"e":', '"":{',
        '"f":',
    ]  # fmt: skip
    assert [digest.tag(node) for node in nodes] == [
        *("object", "array", "number", "string", "object", "null", "array", "object", "boolean"),
        *("string", "number", "object", "number"),
    ]


@pytest.mark.parametrize(
    ("body", "begins"),
    [
        (b"<meta charset=latin1><p>x", b"\xef\xbb\xbf<html>"),
        (b"<meta charset=utf8><p>x", b"<html>"),
        (b"<p>x", b"<html>"),
    ],
)
def test_a_mark_says_that_a_page_is_utf8_where_its_tag_says_otherwise(body: bytes, begins: bytes):
    assert read(body, "text/html").as_document().startswith(begins)
    nodes, starts = writer.places(read(body, "text/html"))
    assert (nodes[0], starts[0]) == (1, 0)
