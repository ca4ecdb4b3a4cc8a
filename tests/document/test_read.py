"""Which reader is asked, and what becomes of input that is none of the known kinds."""

import pytest
from xxhash import xxh3_128

from webvigil.document import PageDigest, parsing, read
from webvigil.document.parsing import LARGEST, is_pdf, kind_of
from webvigil.errors import DocumentRefused

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"<p>x", "text/html", "html"),
        (b"<p>x", "", "html"),
        (b"<!DOCTYPE html>", "application/octet-stream", "html"),
        (b"\xef\xbb\xbf <!-- c --> <html>", "", "html"),
        (b"<?xml version='1.0'?><a/>", "", "xml"),
        (b"<a/>", "image/svg+xml", "xml"),
        (b'{"a": 1}', "", "json"),
        (b'{"a": 1}', "application/ld+json; charset=utf-8", "json"),
        (b"plain words", "", "text"),
        (b"plain words", "text/plain", "text"),
        (b"a,b\n1,2\n", "text/csv", "html"),
        (b"<p>shown as text</p>", "text/plain", "text"),
        (PNG, "image/png", "binary"),
        (PNG, "", "binary"),
        (PNG, "text/plain", "binary"),
        (b"%PDF-1.4", "application/pdf", "binary"),
        (b"", "", "text"),
        (b"", "text/html", "html"),
        (b"", "image/png", "binary"),
    ],
)
def test_the_kind_is_told_by_header_and_bytes(body, content_type, kind):  # F9
    assert read(body, content_type).kind == kind


def test_plain_text_has_a_node_per_line_and_comes_back_exactly():  # D2
    body = "eins\r\nzwei\nŭ drei".encode()
    digest = read(body, "text/plain; charset=utf-8")
    assert digest.texts == ("eins\r\n", "zwei\n", "ŭ drei")
    assert digest.path(2) == "/text()[2]"
    assert digest.as_document() == body
    assert digest.visible_text == "eins\nzwei\nŭ drei"


def test_anything_else_is_told_apart_by_its_checksum():  # F9
    first, same, other = (read(body, "image/png") for body in (PNG, PNG, PNG + b"!"))
    assert first == same != other
    assert first.words.words == []
    with pytest.raises(DocumentRefused, match="checksum"):
        first.as_document()


def test_a_document_beyond_the_limit_is_refused():
    with pytest.raises(DocumentRefused, match="too large"):
        read(b" " * (LARGEST + 1), "text/html")


def test_a_page_cut_at_any_byte_is_an_answer():
    page = (
        "<!DOCTYPE html><html lang=é><head><meta charset=utf-8><title>Käse &amp; Brot</title></head>"
        "<body class='a b'><!-- c --><table><tr><td>1</td></tr></table><script>x()</script></body></html>"
    ).encode()
    for end in range(len(page)):
        assert isinstance(read(page[:end], "text/html"), PageDigest)


def test_xml_cut_at_any_byte_is_an_answer():
    page = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "x">]><a b="c"><!--d-->'
        b"<e><![CDATA[f]]>&e;</e><?g h?></a>"
    )
    for end in range(len(page)):
        assert isinstance(read(page[:end], "text/xml"), PageDigest)


def test_bytes_of_every_value_are_an_answer_whatever_they_are_said_to_be():
    body = bytes(range(256)) * 4
    for content_type in (
        "text/html",
        "text/xml",
        "application/json",
        "text/plain",
        "",
        "text/html; charset=gbk",
    ):
        digest = read(body, content_type)
        assert len(digest.visible_text) >= 0
        assert digest == PageDigest.from_bytes(digest.to_bytes())


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"<?xml version='1.0'?><rss>", "text/html", "xml"),
        (b" <?xml version='1.0'?>\n<!-- c --><feed>", "text/html; charset=x", "xml"),
        (b"<?xml?><html>", "text/html", "html"),
        (b"<rss>", "text/html", "html"),
        (b"x", "application/atom+xml", "xml"),
        (b"x", "application/xml", "xml"),
        (b"x", "text/json", "json"),
        (b"x", "a/b+json", "json"),
        (b"x", "application/javascript", "text"),
        (b"x\0", "application/x-javascript", "binary"),
        (b"x", " TEXT/Plain ;x", "text"),
        (b"x\0", "text/plain", "binary"),
        (b"x" * 1444 + b"\0", "text/plain", "binary"),
        (b"x" * 1445 + b"\0", "text/plain", "text"),
        (b"\xfe\xffx\0", "text/plain", "text"),
        (b"\xff\xfex\0", "text/css", "text"),
        (b"x", "image/png", "binary"),
        # Where the type says nothing, the first bytes tell.
        (b"<?xml ?><a>", "", "xml"),
        (b"<rss>", "", "xml"),
        (b"<rss", "", "html"),
        (b"<rssx>", "", "html"),
        (b"<svg >", "*/*", "xml"),
        (b"<!-- a --> <feed>", "", "xml"),
        (b"<rdf:RDF>", "unknown/unknown", "xml"),
        (b"<?xml ?><HTML>", "", "html"),
        (b"<?xml ?><html xmlns='XHTML'>", "", "xml"),
        (b"<\0?\0x", "", "xml"),
        (b"\0<\0?", "", "xml"),
        (b"\xef\xbb\xbf <p>", "", "html"),
        (b"</p>", "", "html"),
        (b"< p", "", "text"),
        (b"<1", "", "text"),
        (b"{", "", "json"),
        (b" [", "", "json"),
        (b"x{", "", "text"),
        (b"\x01", "", "binary"),
        (b"\x1b<p>", "", "text"),
        (b"\x08{", "", "binary"),
        (b"\t{", "application/x-unknown-content-type", "json"),
        (b"\x1f", "application/octet-stream", "binary"),
    ],
)
def test_a_kind_follows_from_the_type_or_from_the_first_bytes(body: bytes, content_type: str, kind: str):
    assert kind_of(body, content_type) == kind


@pytest.mark.parametrize(
    ("body", "content_type", "answer"),
    [
        (b"%PDF-1", "application/pdf", True),
        (b"x%PDF-", "application/pdf; a", True),
        (b" " * 1019 + b"%PDF-", "APPLICATION/x-pdf", True),
        (b" " * 1020 + b"%PDF-", "application/x-pdf", False),
        (b"x", "application/pdf", False),
        (b"%PDF-", "", True),
        (b"%PDF-", "application/octet-stream", True),
        (b" %PDF-", "", False),
        (b"%PDF-", "text/plain", False),
    ],
)
def test_a_pdf_is_told_by_its_type_or_by_its_first_bytes(body: bytes, content_type: str, answer: bool):
    assert is_pdf(body, content_type) is answer


@pytest.mark.parametrize(
    ("body", "content_type", "url", "kind", "shown"),
    [
        # JSON that is sent as HTML is a text.
        (b'{"a":1}', "text/html", "", "text", '{"a":1}'),
        (b"\xef\xbb\xbf [1]", "text/html", "", "text", "[1]"),
        (b')]}\'\n{"a":1}', "text/html", "", "text", ')]}\'\n{"a":1}'),
        (b"{a}", "text/html", "", "html", "{a}"),
        (b'cb({"a":1})', "text/html", "", "html", 'cb({"a":1})'),
        # What is no JSON as a whole may be JSON line by line, if its first line is an object or array.
        (b'{"a":1', "application/json", "", "text", '{"a":1'),
        (b'{"a":1}\n{"b":2}', "application/json", "", "json", "1\n2"),
        (
            b'{"a":1}\nx',
            "application/json",
            "",
            "json",
            "1\nline 2 is no JSON ('x' stands where a value should be): x",
        ),
        (b'x\n{"a":1}', "application/json", "", "text", 'x\n{"a":1}'),
        (b'1\n{"a":1}', "application/json", "", "text", '1\n{"a":1}'),
        (b"", "application/json", "", "text", ""),
        # What is no XML is HTML, or a text if there is no tag.
        (b"<a>b", "text/xml", "", "xml", "b"),
        (b"a", "text/xml", "", "text", "a"),
        (b"a<b", "text/xml", "", "html", "a"),
        (b" <html><p>x<br></html>", "application/xhtml+xml", "", "html", "x"),
        (b" <html><p>x</p></html>", "application/xhtml+xml", "", "xml", "x"),
        (b"<a><b></a>", "text/xml", "", "xml", ""),
        # The name of a file tells its shape where the type says little.
        (b"a,b\n1,2", "text/plain", "http://x/a.csv#f", "html", "a\nb\n1\n2"),
        (b"a,b\n1,2", "", "http://x/a.csv?x=.txt", "html", "a\nb\n1\n2"),
        (b"a,b\n1,2", "text/plain", "http://x/a?b.csv", "text", "a,b\n1,2"),
        (b"a,b\n1,2", "text/css", "http://x/a.csv", "text", "a,b\n1,2"),
        (b"<p>a,b\n1,2", "", "http://x/a.csv", "html", "a,b 1,2"),
        (b"a\tb\n1\t2", "text/plain", "http://x/a.TSV", "html", "a\nb\n1\n2"),
        (b'{"a":1}\n{"a":2}', "", "http://x/a.jsonl", "json", "1\n2"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_as_its_type_says_is_read_otherwise(
    body: bytes, content_type: str, url: str, kind: str, shown: str
):
    digest = read(body, content_type, url)
    assert (digest.kind, digest.visible_text, digest.source_url) == (kind, shown, url)
    assert digest.source_hash == xxh3_128(body).digest()


@pytest.mark.parametrize(
    ("content_type", "header"),
    [
        ("text/csv; header=present", ("1", "2")),
        ("text/csv;header = ABSENT", ()),
        ('text/csv; header="present"', ("1", "2")),
        ("text/csv", ()),
    ],
)
def test_the_type_of_a_file_says_whether_it_has_a_header(content_type: str, header: tuple[str, ...]):
    (table,) = read(b"1,2\n3,4\n", content_type).tables
    assert tuple(filter(None, table.header)) == header


@pytest.mark.parametrize(
    ("sign", "content_type"),
    [(b"<", "text/html"), (b"<", "text/xml"), (b",", "application/json"), (b"[", "application/x-ndjson")],
)
def test_a_document_has_a_limited_number_of_nodes(
    sign: bytes, content_type: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(parsing, "MOST_NODES", 1_000)
    assert len(read(sign * 1_000 + b" ", content_type)) > 0
    with pytest.raises(DocumentRefused) as refused:
        read(sign * 1_001, content_type)
    assert str(refused.value) == "the document has too many nodes: at most 1,000"
    assert read(sign * 1_001, "text/plain").kind == "text"


def test_a_document_has_a_limited_number_of_bytes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parsing, "LARGEST", 1_200)
    assert read(b"x" * 1_200).kind == "text"
    with pytest.raises(DocumentRefused) as refused:
        read(b"x" * 1_201)
    assert str(refused.value) == "the document is too large: 1,201 bytes, at most 1,200"
