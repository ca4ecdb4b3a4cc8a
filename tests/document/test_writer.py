"""Digest → document → digest: nothing is lost on the way (D2)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.document import read

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
